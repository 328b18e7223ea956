// The colors that Todoist names.
import { wordTable } from '../word-table.ts';

const COLORS: Readonly<Record<string, string>> = wordTable({
  berry_red: '#b8255f',
  red: '#dc4c3e',
  orange: '#c77100',
  yellow: '#b29104',
  olive_green: '#949c31',
  lime_green: '#65a33a',
  green: '#369307',
  mint_green: '#42a393',
  teal: '#148fad',
  sky_blue: '#319dc0',
  light_blue: '#6988a4',
  blue: '#4180ff',
  grape: '#692ec2',
  violet: '#ca3fee',
  lavender: '#a4698c',
  magenta: '#e05095',
  salmon: '#c9766f',
  charcoal: '#808080',
  grey: '#999999',
  taupe: '#8f7a69',
});

/** The color by its name; null for other names, and for the plain one. */
export function colorOf(name: unknown): string | null {
  return typeof name === 'string' && name !== 'charcoal' && Object.hasOwn(COLORS, name)
    ? (COLORS[name] ?? null)
    : null;
}
