// Whether something is there and not in the trash, from it upwards to the top of its scope.
import { listsRoot, type Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';

/** Whether a row and everything above it is there and not in the trash. `rowOf` reads rows of the scope. */
export function isLiving(scope: Id, id: Id, rowOf: (id: Id) => Row | undefined): boolean {
  const seen = new Set<Id>();
  for (let at = id; at !== listsRoot(scope);) {
    const row = rowOf(at);
    const parent = placeOf(row)?.parent;
    if (!row || parent === undefined || isTrashed(row) || seen.has(at)) return false;
    seen.add(at);
    at = parent;
  }
  return true;
}
