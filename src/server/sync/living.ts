// Whether something is there and not in the trash, from it upwards to the top of its scope.
import { listsRoot, type Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import type { Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';

/** Whether a row and everything above it is there and not in the trash. `rowOf` reads rows of the scope. */
export function isLiving(scope: Id, id: Id, rowOf: (id: Id) => Row | undefined): boolean {
  const top = listsRoot(scope);
  for (const at of walkUp(id, (each) => parentOf(rowOf(each)))) {
    if (at === top) return true;
    const row = rowOf(at);
    if (row === undefined || isTrashed(row)) return false;
  }
  return false;
}
