// Removes rows for good without an account, where only this device decides. Checks at that moment what may go. Loaded
// when somebody empties the trash.
import type { Id } from '#core/ids.ts';
import type { Company } from '../tabs/coordinator.ts';
import type { Incoming } from '../exchange/incoming.ts';
import type { Journal } from './journal.ts';
import type { DeviceReplica } from './replica.ts';
import type { TrashItem } from './replica-types.ts';
import type { SaveQueue } from './save-queue.ts';
import { LOCAL } from './generation-history.ts';
import { fieldOf } from '../rows/row.ts';

type Held = Pick<DeviceReplica, 'row' | 'children' | 'all'>;

/** The items that are still in the trash as they were then, with everything under them and the records about those. */
function goingForGood(held: Held, items: readonly TrashItem[]): ReadonlySet<Id> {
  const going = new Set<Id>();
  const open = items.flatMap(({ id, at }) => {
    const deletion = fieldOf(held.row(id), 'del');
    return deletion?.at === at ? [id] : [];
  });
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (going.has(id)) continue;
    going.add(id);
    for (const child of held.children(id)) open.push(child.id);
  }
  for (const { id, type, fields } of held.all()) {
    const about = type === 'completion' ? fields.task : type === 'mine' ? fields.of : undefined;
    if (about !== undefined && going.has(about as Id)) going.add(id);
  }
  return going;
}

/** Removes the rows from the replica; the caller removes the returned ids from the disk. */
export function removeForGood(held: DeviceReplica, items: readonly TrashItem[]): ReadonlySet<Id> {
  const going = goingForGood(held, items);
  if (going.size === 0) return going;
  const { meta } = held;
  const incoming: Incoming = new Map([...going].map((id) => [id, null]));
  // The next leader must see that this copy has changed.
  const version = (meta.cursors[meta.scope]?.version ?? 0) + 1;
  const cursors = { ...meta.cursors, [meta.scope]: { generation: LOCAL, version } };
  held.amend({ meta: { ...meta, cursors }, incoming });
  return going;
}

interface Copy {
  readonly held: DeviceReplica;
  readonly saves: Pick<SaveQueue, 'add'>;
  readonly journal: Pick<Journal, 'read' | 'forget'>;
  update(): void;
}

/** Removes the rows from this copy, its disk and its journal; if another tab leads (`others`), asks it to. */
export async function emptyHere(
  copy: Copy,
  items: readonly TrashItem[],
  others: Pick<Company, 'ask'> | null,
): Promise<void> {
  if (copy.held.account !== 0) throw new Error('With an account the server removes for good.');
  if (others !== null) {
    others.ask({ type: 'empty', items });
    return;
  }
  await copy.journal.read();
  const gone = removeForGood(copy.held, items);
  if (gone.size === 0) return;
  copy.saves.add({ rowsRemove: [...gone] });
  copy.journal.forget(gone);
  copy.update();
}
