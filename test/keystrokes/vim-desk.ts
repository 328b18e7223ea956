// A desk with Vim keys, and what its tests ask of it.
import { Desk, type DeskOptions, outline } from './desk.ts';

export const FIVE = `
  > One
    Two
    Three
    Four
    Five`;

export function vimDesk(text = FIVE, options: DeskOptions = {}): Desk {
  const desk = new Desk(outline(text), { apple: false, ...options });
  desk.app.run('keys.preset', { value: 'vim' });
  return desk;
}

export const titles = (desk: Desk): readonly string[] => desk.rows().map(({ title }) => title);

export const at = (desk: Desk): string | undefined => desk.rows().find(({ cursor }) => cursor)?.title;

export const selected = (desk: Desk): readonly string[] =>
  desk
    .rows()
    .filter((row) => row.selected)
    .map(({ title }) => title);
