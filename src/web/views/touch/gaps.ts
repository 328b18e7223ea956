// Where something that is dragged goes among the rows that are drawn. Places are in units of a plain row.
import type { RowsView, RowView } from '#client/app/view.ts';

/** The drawn rows from top to bottom. */
export function drawnRows(rows: RowsView): readonly RowView[] {
  const slots = Array.from({ length: rows.pool.get() }, (_, slot) => rows.slot(slot).get());
  return slots.filter((row) => row !== null).toSorted((a, b) => a.index - b.index);
}

/** The index before which something goes that is dropped at `y`. */
export function gapAt(drawn: readonly RowView[], y: number): number {
  const below = drawn.find((row) => y < row.y + row.height / 2);
  return below?.index ?? (drawn.at(-1)?.index ?? -1) + 1;
}

/** Where the row of that index begins, or the last drawn one ends. */
export function edgeAt(drawn: readonly RowView[], index: number): number {
  const last = drawn.at(-1);
  return drawn.find((row) => row.index === index)?.y ?? (last ? last.y + last.height : 0);
}
