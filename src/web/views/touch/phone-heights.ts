// How high rows are on a phone, where titles wrap: known from what a row says, and measured on the page only for the title
// that is being written. Elsewhere a row is one line, and all are alike.
import type { HeightOf, RowView } from '#client/app/view.ts';
import { detailWords } from '#client/outline/row-words.ts';

/** Units of a plain row, which is 48 pixels there; the stylesheet centers the lines in them. */
const DETAILS = 5 / 16;
const FURTHER_LINE = 1 / 2;
/** As in the stylesheet: deeper rows are not indented any further. */
const DEEPEST_INDENT = 12;
/** What was measured of titles and is remembered. */
const MOST_MEASURED = 2_000;

/** Titles wrap there, as in the stylesheet. */
export const phone = matchMedia('(width < 768px) and (pointer: coarse)');

/** Whether a row of that height has a title of more than one line. */
export const isWrapped = (height: number): boolean => height >= 1 + FURTHER_LINE;

/** Details that are drawn under the title. */
const hasDetails = (row: RowView) => detailWords(row) !== '';

/** In pixels. */
export interface PhoneType {
  readonly font: string;
  /** Added to each space. */
  readonly wordSpacing: number;
  /** Of titles on the first level, and by how much less they have on each other one. */
  readonly width: number;
  readonly indent: number;
}

/** Heights of rows whose titles have at most two lines of that width, and more while they are written. */
export function phoneHeights({ font, wordSpacing, width, indent }: PhoneType, probe: HTMLElement): HeightOf {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 1;
  context.font = font;
  const field = document.createElement('div');
  const measured = new Map<string, number>();
  const remember = (key: string, measure: () => number): number => {
    let known = measured.get(key);
    if (known === undefined) {
      if (measured.size >= MOST_MEASURED) measured.clear();
      measured.set(key, (known = measure()));
    }
    return known;
  };
  return (row) => {
    const { title } = row;
    const room = width - (Math.min(row.level, DEEPEST_INDENT) - 1) * indent;
    const inTitle = () => context.measureText(title).width + (title.split(' ').length - 1) * wordSpacing;
    const inField = () => {
      field.textContent = title;
      // A little less than there is: a line too many shows nothing worse than room, one too few would hide words.
      field.style.width = `${room - 4}px`;
      probe.append(field);
      // The probe is as high as two lines.
      const lines = Math.round((2 * field.offsetHeight) / probe.offsetHeight);
      field.remove();
      return lines;
    };
    const lines = row.editing
      ? remember(`${room}\n${title}`, inField)
      : remember(title, inTitle) > room
        ? 2
        : 1;
    return 1 + (lines - 1) * FURTHER_LINE + (hasDetails(row) ? DETAILS : 0);
  };
}
