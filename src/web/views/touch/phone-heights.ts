// How high rows are on a phone, where titles wrap: known from what a row says, never measured on the page. Elsewhere a
// row is one line, and all are alike.
import type { HeightOf, RowView } from '#client/app/view.ts';
import { detailWords } from '#client/outline/row-words.ts';

/** Units of a plain row, which is 48 pixels there; the stylesheet centers the lines in them. */
const DETAILS = 5 / 16;
const SECOND_LINE = 1 / 2;
/** As in the stylesheet: deeper rows are not indented any further. */
const DEEPEST_INDENT = 12;
/** Widths of titles that are remembered. */
const MOST_WIDTHS = 2_000;

/** Whether a row of that height has a title of two lines. */
export const isWrapped = (height: number): boolean => height >= 1 + SECOND_LINE;

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

/** Heights of rows whose titles have at most two lines of that width. */
export function phoneHeights({ font, wordSpacing, width, indent }: PhoneType): HeightOf {
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
    // The line that is being written is a field of one line.
    const second = !row.editing && widthOf(row.title) > room ? SECOND_LINE : 0;
    return 1 + second + (hasDetails(row) ? DETAILS : 0);
  };
}
