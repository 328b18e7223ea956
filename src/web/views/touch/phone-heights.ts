// How high rows are on a phone, where titles wrap: known from what a row says, and measured on the page only for the title
// that is being written. Elsewhere a row is one line, and all are alike.
import type { HeightOf, RowView } from '#client/app/view.ts';
import { detailWords } from '#client/outline/row-words.ts';

/** Units of a plain row, which is 48 pixels there; the stylesheet centers the lines in them. */
const DETAILS = 5 / 16;
const FURTHER_LINE = 1 / 2;
/** As in the stylesheet: deeper rows are not indented any further. */
const DEEPEST_INDENT = 12;
/** Widths of titles that are remembered. */
const MOST_WIDTHS = 2_000;

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

/** In lines. Lays the title out as its field does; the last answer is kept, as it is asked for several times in a turn. */
function fieldHeights(probe: HTMLElement): (title: string, width: number) => number {
  const mirror = document.createElement('div');
  let known = '';
  let lines = 0;
  return (title, width) => {
    const asked = width + title;
    if (asked !== known) {
      mirror.textContent = title;
      mirror.style.width = `${width}px`;
      probe.append(mirror);
      // The probe is as high as two lines.
      lines = Math.round((2 * mirror.offsetHeight) / probe.offsetHeight);
      mirror.remove();
      known = asked;
    }
    return lines;
  };
}

/** Heights of rows whose titles have at most two lines of that width, and more while they are written. */
export function phoneHeights({ font, wordSpacing, width, indent }: PhoneType, probe: HTMLElement): HeightOf {
  const linesOf = fieldHeights(probe);
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return () => 1;
  context.font = font;
  const widths = new Map<string, number>();
  const widthOf = (title: string): number => {
    let known = widths.get(title);
    if (known === undefined) {
      if (widths.size >= MOST_WIDTHS) widths.clear();
      known = context.measureText(title).width + (title.split(' ').length - 1) * wordSpacing;
      widths.set(title, known);
    }
    return known;
  };
  return (row) => {
    const room = width - (Math.min(row.level, DEEPEST_INDENT) - 1) * indent;
    const lines = row.editing ? linesOf(row.title, room) : widthOf(row.title) > room ? 2 : 1;
    return 1 + (lines - 1) * FURTHER_LINE + (hasDetails(row) ? DETAILS : 0);
  };
}
