// A scope that a write transaction has locked, with what it has made of it so far.
import { limits } from '#core/model.ts';
import { completionIds, type Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { occurrenceOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { recordOf } from '#sync/rows/occurrence.ts';
import type { ActionOf, Operation } from '#sync/rows/operation.ts';
import type { Departure, Lookup, ScopeRecord, WriteBatch, WriteTransaction } from '../data/store.ts';
import type { CommentSeal } from '../access/comment-seal.ts';
import type { ParkingLot } from './parking.ts';
import { WorkingSet } from './working-set.ts';

/** Records of one task that are searched for the one of an occurrence. */
const MOST_RECORDS = 5_000;

/** A locked scope, its rows as the transaction sees them, and how far it has come. */
export interface OpenScope {
  readonly before: ScopeRecord;
  readonly set: WorkingSet;
  version: number;
  updatedClock: number;
  /** Transaction that owns the current version. */
  transaction: Id | undefined;
  /** Number of operations that have joined it. */
  joined: number;
  /** Null unless the scope is being healed. */
  readonly parking: ParkingLot | null;
}

/** `writers`: those of the transaction (working-set.ts). */
export function openScope(
  before: ScopeRecord,
  parking: ParkingLot | null,
  { writers, seal }: { readonly writers: Map<Id, WorkingSet>; readonly seal: CommentSeal | null },
): OpenScope {
  const { id, version, updatedClock } = before;
  return {
    before,
    set: new WorkingSet(id, writers, seal, before.sealing),
    version,
    updatedClock,
    transaction: undefined,
    joined: 0,
    parking,
  };
}

/** The version that an operation leads to; null: its transaction is full. */
export function versionIn(scope: OpenScope, { x }: Operation): number | null {
  const joins = x !== undefined && x === scope.transaction;
  // A transaction is one version, and a page of changes never splits a version.
  if (joins && scope.joined >= limits.transactionOperations) return null;
  return joins ? scope.version : scope.version + 1;
}

/** The operation was applied with this version. */
export function advance(scope: OpenScope, { x }: Operation, version: number): void {
  scope.joined = version === scope.version ? scope.joined + 1 : 1;
  scope.version = version;
  scope.transaction = x;
}

/** Does what is part of an operation of another scope: however much it is, it counts as none of its own in its transaction. */
export async function uncounted(scope: OpenScope, work: () => Promise<unknown>): Promise<void> {
  const { version, joined } = scope;
  scope.joined = 0;
  await work();
  scope.joined = scope.version === version ? joined : 1;
}

/** What is known of an id, read if it was not. */
export async function lookUp(tx: WriteTransaction, { set }: OpenScope, id: Id): Promise<Lookup> {
  if (!set.isLoaded(id))
    await set.load(tx, { rows: [{ scope: set.scope, id }], ancestors: [], siblings: [] });
  return set.lookup(id);
}

/** Before an occurrence is taken back: its record may have an id that only a scope leads to where the task was before. */
export async function lookUpRecord(
  tx: WriteTransaction,
  scope: OpenScope,
  { id: task, occ, previous }: ActionOf<'reopen'>,
): Promise<void> {
  if (previous === null) return;
  const { set } = scope;
  const row = set.row(task);
  const isLast = row?.type === 'task' && row.fields.status === undefined && occurrenceOf(row) === occ + 1;
  if (!isLast || (row.hops ?? 0) === 0) return;
  for (const id of completionIds(set.scope, task, occ)) await lookUp(tx, scope, id);
  if (recordOf(set, { task, occ, scope: set.scope }) !== undefined) return;
  const written = [...set.writes()].map((write) => write.row);
  const stored = await tx.beneath(set.scope, [task], MOST_RECORDS);
  const isOf = (each: Row) =>
    each.type === 'completion' && each.fields.task === task && each.fields.occ === occ;
  set.learnRecords(task, { stored: stored.filter(isOf), written: written.filter(isOf) });
}

/** What leaves these scopes, in the order of the moves: a row that moved twice has more hops the second time. */
export function departuresOf(scopes: Iterable<OpenScope>, at: number): Pick<WriteBatch, 'departures'> {
  const left = [...scopes].flatMap(({ set }) => set.departures());
  if (left.length === 0) return {};
  const departures = left.map((each): Departure => ({ ...each, at }));
  return {
    departures: departures.toSorted((a, b) => a.hops - b.hops || (a.scope + a.to < b.scope + b.to ? -1 : 1)),
  };
}

/** The record of a scope as the transaction leaves it, in this generation. */
export function headAfter(
  { before, set, version, updatedClock }: OpenScope,
  generation: number,
): ScopeRecord {
  const digest = new DigestSum(before.digest);
  for (const { stored, row } of set.writes()) {
    if (stored !== undefined) digest.remove(row.id, stored.version);
    digest.add(row.id, row.version);
  }
  for (const { id } of set.departures()) {
    const stored = set.stored(id);
    if (stored !== undefined) digest.remove(id, stored.version);
  }
  return { ...before, version, updatedClock, digest: digest.value, generation };
}

/** What brings the scopes back to where they are now. */
export function undoing(scopes: Iterable<OpenScope>): () => void {
  const before = [...scopes].map((scope) => ({ scope, at: { ...scope }, mark: scope.set.mark() }));
  return () => {
    for (const { scope, at, mark } of before) {
      scope.set.rollback(mark);
      const { version, updatedClock, transaction, joined } = at;
      Object.assign(scope, { version, updatedClock, transaction, joined });
    }
  };
}
