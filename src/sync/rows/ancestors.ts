// Ancestors of rows. Every walk upwards goes through here, so that none can run in a circle (core/walk-up.ts).
import type { Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import { placeOf, type Said } from './row-reading.ts';

type RowOf<R> = (id: Id) => R | undefined;

/** The id of the row's parent; undefined without a place. */
export function parentOf(row: Said | undefined): Id | undefined {
  return placeOf(row)?.parent;
}

/** The ids above a row, nearest first. The last may be missing here, such as the root of all lists. */
export function idsAbove(id: Id, rowOf: RowOf<Said>): Generator<Id, void, undefined> {
  return walkUp(parentOf(rowOf(id)), (at) => parentOf(rowOf(at)));
}

/** A row and the rows above it, nearest first, as far as they are here. */
export function rowAndAbove<R extends Said>(
  start: R | undefined,
  rowOf: RowOf<R>,
): Generator<R, void, undefined> {
  return walkUp(start, (row) => {
    const parent = parentOf(row);
    return parent === undefined ? undefined : rowOf(parent);
  });
}

/** The rows above a row, nearest first, as far as they are here. */
export function rowsAbove<R extends Said>(
  row: Said | undefined,
  rowOf: RowOf<R>,
): Generator<R, void, undefined> {
  const parent = parentOf(row);
  return rowAndAbove(parent === undefined ? undefined : rowOf(parent), rowOf);
}

/** Whether `root` is above `id`, at any distance. Nothing is under itself. */
export function isUnder(id: Id, root: Id, rowOf: RowOf<Said>): boolean {
  for (const above of idsAbove(id, rowOf)) if (above === root) return true;
  return false;
}
