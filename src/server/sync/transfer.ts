// A row moves to another scope with everything beneath it, inside one write transaction that holds both; of a large tree the
// root moves, and the rest follows (moving/). What is decided here: whether it may, what goes along, and what the
// rows are there. Saving it is the store's.
import { mineId, type Id } from '#core/ids.ts';
import { limits, type Place } from '#core/model.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import { arrived } from '#sync/rows/arrived.ts';
import { stampOver, stillHolds, type Writer } from '#sync/rows/merge.ts';
import type { ActionOf, OperationHead, Verdict } from '#sync/rows/operation.ts';
import { isPlacement, moveWithin } from '#sync/rows/placement.ts';
import { fieldOf, registerStamp, withFields, withRegister, type Row } from '#sync/rows/row.ts';
import type { TransferRecord, WriteTransaction } from '../data/store.ts';
import { withOwnLabels, type MovedLabels } from '../labels/moved-labels.ts';
import type { WorkingSet } from './working-set.ts';

/** Rows that move at once at most: everybody else waits meanwhile. */
export const MOST_MOVED = 200;

/** No process carries it out yet. */
const nobody = { holder: null, heldUntil: 0, heldIn: 0 } as const;

/** What moves from one scope to another. */
export interface Transfer {
  readonly action: ActionOf<'place'>;
  /** Its `base` is of the scope that is left, its `version` of the one that is entered. */
  readonly writer: Writer;
  readonly from: WorkingSet;
  /** The version of the scope that is left. */
  readonly left: number;
  readonly to: WorkingSet;
  /** Rows that move at once at most. */
  readonly most: number;
  /** The rows in the form that they have where they go, where that is another one. */
  readonly anew?: ReadonlyMap<Id, Row> | undefined;
  /** Whether the scope that is entered merges notes, so that their earlier texts go there, too. */
  readonly mergesNotes: boolean;
  /** Whether lists may move: the server does that when they are shared, and when they are made private again. */
  readonly mayBeList: boolean;
}

/** What moves with its root. */
export interface Tree {
  readonly ids: ReadonlySet<Id>;
  /** The levels of the whole tree. */
  readonly height: number;
  /** Whether this is everything; else it is the root and the records of its completions. */
  readonly isWhole: boolean;
}

/** A row and what is beneath it, level by level; somewhat more than `most` of it means that there is more. */
function levelsBeneath(set: WorkingSet, root: Id, most: number): Id[][] {
  const levels: Id[][] = [[root]];
  let count = 1;
  for (let level = [root]; level.length > 0 && count <= most;) {
    const next: Id[] = [];
    for (const parent of level) {
      let child = set.neighbour(parent, null, 'ascending', parent);
      while (child !== undefined && next.length <= most) {
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

/**
 * Loads rows that hang under something that this transaction brought here: a move that is not over may have left them in this
 * scope, so that no stored tree led to them. Returns the ids of the records of their completions.
 */
async function readStranded(
  tx: WriteTransaction,
  from: WorkingSet,
  { ids, most }: { readonly ids: readonly Id[]; readonly most: number },
): Promise<readonly Id[]> {
  if (ids.length === 0) return [];
  const { scope } = from;
  const stored = await tx.beneath(scope, ids, most);
  const records = stored.flatMap(({ id, type }) => (type === 'completion' ? [id] : []));
  const rows = [...ids, ...records].filter((id) => !from.isLoaded(id)).map((id) => ({ scope, id }));
  await from.load(tx, { rows, ancestors: [], siblings: [] });
  return records;
}

/** Reads the stored trees of a row, and of what came under it in this transaction. Null: too much to move at once. */
async function readWhole(
  tx: WriteTransaction,
  { from, action, most }: Transfer,
  reading: <T>(work: () => T) => T | Promise<T>,
): Promise<Tree | null> {
  const records = new Set<Id>();
  const known = new Set<Id>();
  let levels: Id[][] = [];
  for (let missing: Id[] = [action.id]; missing.length > 0;) {
    for (const root of missing) {
      const rows = await tx.tree(from.scope, root, most);
      if (rows.length > most) return null;
      from.learnTree(rows);
      known.add(root);
      for (const { id, type } of rows) (type === 'completion' ? records : known).add(id);
    }
    levels = await reading(() => levelsBeneath(from, action.id, most));
    missing = levels.flat().filter((id) => !known.has(id) && from.stored(id) !== undefined);
  }
  for (const id of await readStranded(tx, from, { ids: levels.flat().filter((id) => !known.has(id)), most }))
    records.add(id);
  const ids = withRecords(from, new Set(levels.flat()), records);
  return ids.size > most ? null : { ids, height: levels.length, isWhole: true };
}

/** With the records of their completions: stored ones, and those that were made in this transaction. */
function withRecords(from: WorkingSet, ids: ReadonlySet<Id>, stored: Iterable<Id>): Set<Id> {
  const all = new Set(ids);
  for (const { row } of from.writes())
    if (row.type === 'completion' && ids.has(row.fields.task)) all.add(row.id);
  for (const id of stored) if (from.row(id) !== undefined) all.add(id);
  return all;
}

/** What moves with the row of a `place` operation. Loads it. */
export async function readTree(
  tx: WriteTransaction,
  transfer: Transfer,
  reading: <T>(work: () => T) => T | Promise<T>,
): Promise<Tree> {
  const whole = await readWhole(tx, transfer, reading);
  if (whole !== null) return whole;
  const { from, action, most } = transfer;
  const { scope } = from;
  const records = (await tx.beneath(scope, [action.id], most)).flatMap(({ id, type }) =>
    type === 'completion' ? { scope, id } : [],
  );
  await from.load(tx, { rows: records, ancestors: [], siblings: [] });
  const ids = withRecords(
    from,
    new Set([action.id]),
    records.map(({ id }) => id),
  );
  return { ids, height: await tx.height(scope, action.id), isWhole: false };
}

function depthAt(set: WorkingSet, parent: Id): number {
  const rowOf = (id: Id) => set.row(id) ?? set.beyond(id);
  return [...walkUp(parent, (id) => parentOf(rowOf(id)))].filter((id) => rowOf(id) !== undefined).length;
}

/** The place of the topmost row where it goes, with the siblings that get new keys; or why it cannot go there. */
function placeIn(
  { to, action }: Transfer,
  row: Row,
  height: number,
): Verdict | { place: Place; rekeyed: readonly Row[] } {
  const placed = moveWithin(to, row, action.place, to.scope);
  if (!isPlacement(placed)) return placed;
  return depthAt(to, placed.place.parent) + height - 1 > limits.depth ? 'limit' : placed;
}

/**
 * Moves the row of a `place` operation with what moves along. Anything but `ok` has changed nothing. Throws when something
 * is not loaded; `free` are the places of those whose own is taken, `labels` what they carry there.
 */
export function applyTransfer(
  transfer: Transfer,
  tree: Tree,
  { free, labels }: { readonly free: ReadonlyMap<Id, Place>; readonly labels: MovedLabels },
): Verdict {
  const { action, writer, from, to } = transfer;
  const row = from.row(action.id);
  if (row === undefined) return 'gone';
  // Lists move when they are shared, files with their task, labels not at all.
  const isMovable = row.type === 'task' || (transfer.mayBeList && fieldOf(row, 'listType') === 'list');
  if (!isMovable) return 'badparent';
  const { only } = action;
  if (only !== undefined && !stillHolds(row, 'place', writer.device, only)) return 'superseded';
  const stamp = stampOver(registerStamp(row, 'place'), writer);
  if (stamp === null) return 'superseded';
  const placed = placeIn(transfer, row, tree.height);
  if (typeof placed === 'string') return placed;
  const rows = rowsOfTree(transfer, tree);
  const { version } = writer;
  for (const sibling of placed.rekeyed) to.put({ ...sibling, version });
  const { time, device, seq } = writer;
  for (const made of labels.plan.made({ version, stamp: [version, time, device, seq] })) to.put(made);
  for (const each of rows) {
    const there = arrived(labels.there(transfer.anew?.get(each.id) ?? each), {
      scope: to.scope,
      version,
      hops: (each.hops ?? 0) + 1,
    });
    const place = free.get(each.id);
    const settled = place === undefined ? there : withFields(there, { ...there.fields, place });
    to.put(each === row ? withRegister(there, 'place', placed.place, stamp) : settled);
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
  const own = { version: transfer.left, stamp: [transfer.left, time, device, seq] } as const;
  for (const [task, of] of labels.own) {
    const mine = { scope: from.scope, task, labels: of };
    const written = withOwnLabels(from.row(mineId(from.scope, task)), mine, own);
    if (written !== undefined) from.put(written);
  }
  if (transfer.mergesNotes) to.adoptNotes(from, tree.ids);
  return 'ok';
}

/** The rows that move, as they are before. Throws when one is not loaded. */
export function rowsOfTree({ from }: Transfer, { ids }: Tree): readonly Row[] {
  return [...ids].map((id) => from.row(id)).filter((each) => each !== undefined);
}

/** Those of the rows that move along with the root: they keep their places, which may be taken where they go. */
export function rowsBelow({ action }: Transfer, moving: readonly Row[]): readonly Row[] {
  return moving.filter(({ id }) => id !== action.id);
}

/** The move of a tree whose root alone has moved by this operation. */
export function begun(
  { from, action, writer }: Transfer,
  { u: id }: OperationHead,
  { actor }: { readonly actor: { readonly account: number } },
): TransferRecord {
  const author = { author: actor.account, device: writer.device, startedAt: writer.time };
  return { id, root: action.id, from: from.scope, ...author, ...nobody };
}
