// A row with everything beneath it moves to another scope, inside one write transaction that holds both. What is decided
// here: whether it may, what goes along, and what the rows are there. Saving it is the store's.
import type { Id } from '#core/ids.ts';
import { limits, type Place } from '#core/model.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import { arrived } from '#sync/rows/arrived.ts';
import { stampOver, stillHolds, type Writer } from '#sync/rows/merge.ts';
import type { ActionOf, Verdict } from '#sync/rows/operation.ts';
import { isPlacement, moveWithin } from '#sync/rows/placement.ts';
import { registerStamp, withRegister, type Row } from '#sync/rows/row.ts';
import type { WriteTransaction } from '../data/store.ts';
import type { WorkingSet } from './working-set.ts';

/**
 * Rows that move at once at most. More are refused with the verdict `limit`, as everybody else would wait meanwhile: a
 * thousand rows take about a tenth of a second.
 */
export const MOST_MOVED = 1_000;

/** What moves from one scope to another. */
export interface Transfer {
  readonly action: ActionOf<'place'>;
  /** Its `base` is of the scope that is left, its `version` of the one that is entered. */
  readonly writer: Writer;
  readonly from: WorkingSet;
  /** The version of the scope that is left. */
  readonly left: number;
  readonly to: WorkingSet;
}

/** A row and what is beneath it, level by level. */
function levelsBeneath(set: WorkingSet, root: Id): Id[][] {
  const levels: Id[][] = [[root]];
  let count = 1;
  for (let level = [root]; level.length > 0 && count <= MOST_MOVED;) {
    const next: Id[] = [];
    for (const parent of level) {
      let child = set.neighbour(parent, null, 'ascending', parent);
      while (child !== undefined && next.length <= MOST_MOVED) {
        next.push(child.id);
        child = set.neighbour(parent, child.key, 'ascending', parent);
      }
    }
    if (next.length > 0) levels.push(next);
    count += next.length;
    level = next;
  }
  return levels;
}

/** Reads the stored trees of a row, and of what came under it in this transaction. Null: too much. */
export async function readTree(
  tx: WriteTransaction,
  { from, action }: Transfer,
  reading: <T>(work: () => T) => Promise<T>,
): Promise<ReadonlySet<Id> | null> {
  const records = new Set<Id>();
  const known = new Set<Id>();
  for (let missing: Id[] = [action.id]; missing.length > 0;) {
    for (const root of missing) {
      const rows = await tx.tree(from.scope, root, MOST_MOVED);
      if (rows.length > MOST_MOVED) return null;
      from.learnTree(rows);
      known.add(root);
      for (const { id, type } of rows) (type === 'completion' ? records : known).add(id);
    }
    const ids = (await reading(() => levelsBeneath(from, action.id))).flat();
    missing = ids.filter((id) => !known.has(id) && from.stored(id) !== undefined);
  }
  return records;
}

function depthAt(set: WorkingSet, parent: Id): number {
  return [...walkUp(parent, (id) => parentOf(set.row(id)))].filter((id) => set.row(id) !== undefined).length;
}

/** The place of the topmost row where it goes, with the siblings that get new keys; or why it cannot go there. */
function placeIn(
  { from, to, action }: Transfer,
  row: Row,
): Verdict | { place: Place; rekeyed: readonly Row[] } {
  const placed = moveWithin(to, row, action.place, to.scope);
  if (!isPlacement(placed)) return placed;
  const height = levelsBeneath(from, row.id).length - 1;
  return depthAt(to, placed.place.parent) + height > limits.depth ? 'limit' : placed;
}

/**
 * Moves the row of a `place` operation with everything beneath it. Anything but `ok` has changed nothing. Throws when
 * something is not loaded; `records` names the stored records of completions beneath it.
 */
export function applyTransfer(transfer: Transfer, records: ReadonlySet<Id>): Verdict {
  const { action, writer, from, to } = transfer;
  const row = from.row(action.id);
  if (row === undefined) return 'gone';
  // Lists move when they are shared, files with their task, labels not at all.
  if (row.type !== 'task') return 'badparent';
  const { only } = action;
  if (only !== undefined && !stillHolds(row, 'place', writer.device, only)) return 'superseded';
  const stamp = stampOver(registerStamp(row, 'place'), writer);
  if (stamp === null) return 'superseded';
  const placed = placeIn(transfer, row);
  if (typeof placed === 'string') return placed;
  const ids = new Set(levelsBeneath(from, row.id).flat());
  for (const { row: written } of from.writes())
    if (written.type === 'completion' && ids.has(written.fields.task)) ids.add(written.id);
  for (const id of records) if (from.row(id) !== undefined) ids.add(id);
  if (ids.size > MOST_MOVED) return 'limit';
  const rows = [...ids].map((id) => from.row(id)).filter((each) => each !== undefined);
  const { version } = writer;
  for (const sibling of placed.rekeyed) to.put({ ...sibling, version });
  for (const each of rows) {
    const there = arrived(each, { scope: to.scope, version, hops: (each.hops ?? 0) + 1 });
    to.put(each === row ? withRegister(there, 'place', placed.place, stamp) : there);
    const { id, version: was } = each;
    const hash = each.type === 'attachment' ? each.fields.hash : undefined;
    const way = { scope: from.scope, to: to.scope, left: transfer.left };
    from.release({
      ...way,
      id,
      hops: there.hops ?? 0,
      was,
      version,
      ...(hash === undefined ? {} : { hash }),
    });
  }
  to.adoptNotes(from, ids);
  return 'ok';
}
