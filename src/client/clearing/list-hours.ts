// After how long a shared list clears what is complete in it: a register of the list, the same for everybody.
import { listsRoot, type Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** Hours after completion; 0: never. */
export function clearAfterIn(replica: Pick<Replica, 'children'>, scope: Id): number {
  const list = replica.children(listsRoot(scope)).find(({ type }) => type === 'list');
  return fieldOf(list, 'clearAfter') ?? 0;
}
