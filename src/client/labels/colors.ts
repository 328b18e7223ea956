// The named colors of labels. All are equally light, so that each has a contrast of at least 3:1 with every background
// of the light and the dark theme; the text of a label never has its color.
import { plainColor } from '#core/model.ts';

export interface LabelColor {
  readonly name: string;
  /** `#rrggbb`. */
  readonly value: string;
}

/** The palette in the order in which new labels use it. */
export const labelColors: readonly LabelColor[] = [
  { name: 'Blue', value: '#3679e7' },
  { name: 'Green', value: '#228e40' },
  { name: 'Orange', value: '#c46016' },
  { name: 'Violet', value: '#8e61eb' },
  { name: 'Teal', value: '#078b80' },
  { name: 'Pink', value: '#d64295' },
  { name: 'Amber', value: '#a27409' },
  { name: 'Red', value: '#e2403a' },
  { name: 'Sky', value: '#0386b1' },
  { name: 'Olive', value: '#808016' },
  { name: 'Brown', value: '#9d7360' },
  { name: 'Gray', value: plainColor },
];

const AROUND = ['Red', 'Orange', 'Brown', 'Amber', 'Olive', 'Green', 'Teal', 'Sky', 'Blue', 'Violet', 'Pink'];

/** The palette as it is laid out to choose from: around the circle of colors, then gray. */
export const swatches: readonly LabelColor[] = [
  ...AROUND.flatMap((name) => labelColors.find((color) => color.name === name) ?? []),
  ...labelColors.filter(({ name }) => !AROUND.includes(name)),
];

/** The least used color so far; the first of several. */
export function nextColor(used: readonly string[]): string {
  const times = (color: string) => used.filter((other) => other === color).length;
  const [first, ...rest] = labelColors;
  let best = first?.value ?? plainColor;
  for (const { value } of rest) if (times(value) < times(best)) best = value;
  return best;
}

/** Its name in the palette, or the value itself. */
export function colorName(value: string): string {
  return labelColors.find((color) => color.value === value)?.name ?? value;
}
