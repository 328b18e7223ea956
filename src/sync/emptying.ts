// Removing for good where this device decides: without an account nobody else does. What may go is looked at here, at
// that moment. Loaded when somebody empties the trash.
import type { Id } from '#core/ids.ts';
import type { Company } from './company.ts';
import type { Incoming } from './incoming.ts';
import type { Journal } from './journal.ts';
import type { DeviceReplica } from './replica.ts';
import type { SaveQueue } from './save-queue.ts';

/** What is in the trash, and since when. */
export interface TrashItem {
  readonly id: Id;
  readonly at: number;
}

type Held = Pick<DeviceReplica, 'row' | 'children' | 'all'>;

/** The items that still lie in the trash as they did then, with everything beneath them and the records about that. */
function goingForGood(held: Held, items: readonly TrashItem[]): ReadonlySet<Id> {
  const going = new Set<Id>();
  const open = items.flatMap(({ id, at }) => {
    const deletion = held.row(id)?.fields.del as { readonly at: number } | null | undefined;
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

/** Removes them from the picture; the ids are the disk's to remove. */
export function removeForGood(held: DeviceReplica, items: readonly TrashItem[]): ReadonlySet<Id> {
  const going = goingForGood(held, items);
  if (going.size === 0) return going;
  const { meta } = held;
  const incoming: Incoming = new Map([...going].map((id) => [id, null]));
  // Whoever leads next must see that this copy has gone on.
  const version = (meta.cursors[meta.scope]?.version ?? 0) + 1;
  const cursors = { ...meta.cursors, [meta.scope]: { generation: 'local', version } };
  held.amend({ meta: { ...meta, cursors }, incoming });
  return going;
}

interface Copy {
  readonly held: DeviceReplica;
  readonly saves: Pick<SaveQueue, 'add'>;
  readonly journal: Pick<Journal, 'read' | 'forget'>;
  update(): void;
}

/** Removes them from this copy, its disk and its journal; where another tab leads (`others`) it is asked to. */
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
