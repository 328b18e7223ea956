// What an answer, or a page of a scope, changes in a replica: which of its rows count, and what the disk has to learn. Loaded
// with the network. How operations are shown over the rows is replica.ts.
import { rowAndAbove } from '../rows/ancestors.ts';
import { nameOf } from '../rows/row-reading.ts';
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Cursor, RecoveredItem } from '../replica/ports.ts';
import type { ChangeCause } from '../replica/replica-types.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { extended, type Trail, UNREAD } from '../replica/generation-history.ts';
import { judged } from '../replica/sorted-verdicts.ts';
import type { Results } from '../replica/verdicts.ts';
import { arrived } from '../rows/arrived.ts';
import { rowFromWire } from '../rows/codec.ts';
import { DigestSum } from '../rows/digest.ts';
import type { Operation } from '../rows/operation.ts';
import { lostTexts } from '../rows/lost-text.ts';
import { isLater, type StoredRow } from '../rows/row.ts';
import { laneIn, laneOf, withLane } from '../tabs/sequences.ts';
import { type Incoming, partsOf } from './incoming.ts';

/** An answer as a replica takes it in. */
export interface Answer {
  readonly results: Results;
  readonly changes: readonly ScopeChanges[];
  readonly left: readonly Id[];
  /** The lane whose operations were judged, and the server's number for it; absent: none. */
  readonly lane?: number;
  readonly deviceNumber?: number;
  readonly clockOffsetMs?: number;
  /** Whether a row counts regardless of the held version. */
  readonly replaces?: (row: StoredRow) => boolean;
  /** The verdicts are this copy's own: the server has not seen the operations. */
  readonly isOwn?: boolean;
}

/** The changes of an answer, for the disk. */
export interface Received {
  readonly rowsPut: readonly StoredRow[];
  readonly rowsRemove: readonly Id[];
  readonly outboxRemove: readonly number[];
  readonly refused: readonly RecoveredItem[];
  /** Scopes whose rows do not have the server's digest. */
  readonly unequal: readonly Id[];
  /** A row is here in a later state than a scope that it left has told: what is said of that scope alone may be older. */
  readonly isTorn: boolean;
}

type Move = NonNullable<ScopeChanges['moved']>[number];

/** Up to which version a scope had been read to its end before; null: it had not. */
type ReadTo = (scope: Id) => number | null;

/** Confirmed rows that are about to change. A row goes only by the scope under which it is held. */
class Arrivals {
  readonly incoming: Incoming = new Map();
  /** Scopes that a row has left for a later state of it in another one, before they said so themselves, or even that it came. */
  readonly torn = new Set<Id>();
  readonly #replica: DeviceReplica;
  /** Rows that went where they are no longer, and the scope that they left. */
  readonly #lost = new Map<Id, Id>();

  constructor(replica: DeviceReplica) {
    this.#replica = replica;
  }

  /**
   * Accepts a confirmed row unless a later one is held; after a fresh start of the scope the server's row always counts
   * against one of the same scope.
   */
  offer(row: StoredRow, replaces: boolean): void {
    const held = this.#held(row.id);
    const isElsewhere = held !== null && held.scope !== row.scope;
    const isAccepted = held === null || (replaces && !isElsewhere) || isNews(row, held);
    if (isElsewhere) this.torn.add(isAccepted ? held.scope : row.scope);
    if (isAccepted) this.incoming.set(row.id, row);
  }

  remove(id: Id, scope: Id): void {
    if (this.#held(id)?.scope === scope) this.incoming.set(id, null);
  }

  /** Everything that is held under a scope. */
  removeAll(scope: Id, except?: ReadonlySet<Id>): void {
    for (const id of [...this.incoming.keys(), ...this.#replica.confirmedOf(scope).map((row) => row.id)])
      if (except?.has(id) !== true) this.remove(id, scope);
  }

  /**
   * A row moved away from a scope. Here it moves along as it is, and where it was changed before it moved, as a state
   * that every one from its new scope replaces. What that scope is known to have lost again, goes. Returns whether the
   * row is now held under its new scope for this.
   */
  move(from: Id, [id, to, hops, was, version]: Move, readTo: ReadTo): boolean {
    const held = this.#held(id);
    if (held === null || (held.hops ?? 0) >= hops) return false;
    // It has moved on already, before the scope that it is held under says that it left.
    const isFurther = held.scope !== from;
    if (isFurther && ((held.hops ?? 0) + 1 === hops || (readTo(to as Id) ?? -1) >= version)) return false;
    if (isFurther) this.torn.add(held.scope);
    if ((readTo(to as Id) ?? -1) >= version) {
      this.#lost.set(id, from);
      return false;
    }
    const there = arrived(held, { scope: to as Id, version, hops });
    this.incoming.set(id, held.version === was && !isFurther ? there : { ...there, version: 0 });
    return true;
  }

  /** Lets go of what was lost by the scopes that it moved to, unless the next move of it said where it is. */
  removeLost(): void {
    for (const [id, from] of this.#lost) this.remove(id, from);
  }

  #held(id: Id): StoredRow | null {
    const coming = this.incoming.get(id);
    return coming === undefined ? (this.#replica.storedRow(id) ?? null) : coming;
  }
}

/** Also what the server made of a row that moved here with the news of it: only its time of change tells them apart. */
function isNews(row: StoredRow, held: StoredRow): boolean {
  const isSame = row.version === held.version && row.hops === held.hops;
  return isLater(row, held) || (isSame && row.updatedAt !== held.updatedAt);
}

/** Whether the rows of a scope have the server's digest, apart from those that are ahead of what was read. */
function isEqual(replica: DeviceReplica, { scope, to, digest }: ScopeChanges): boolean {
  if (digest === undefined || digest === replica.digestOf(scope)) return true;
  const sum = new DigestSum();
  for (const { id, version } of replica.confirmedOf(scope))
    if (version > 0 && version <= to) sum.add(id, version);
  return sum.value === digest;
}

/**
 * Whether a message about one scope can be taken in, after everything that was heard before it. Of a scope that the server did
 * not know by its last answer it may say what was before that: then, too, the next answer tells, which is one moment of all.
 */
export function follows({ meta }: DeviceReplica, change: ScopeChanges, isBehind: boolean): boolean {
  const { scope, generation, from } = change;
  const cursor = meta.cursors[scope];
  if (isBehind || meta.unknown?.includes(scope) === true) return false;
  return cursor?.generation === generation && cursor.version === from;
}

/**
 * The trails with what has been seen of scopes ahead of their cursors: rows in a page of one that is being read, and rows that moved
 * there. A server that was put back may hold what the cursor says and not these: by the trail it finds out.
 */
function seenAhead(
  trails: Readonly<Record<Id, Trail>>,
  incoming: Incoming,
  { cursors, generation }: { readonly cursors: Readonly<Record<Id, Cursor>>; readonly generation?: string },
): Readonly<Record<Id, Trail>> {
  const extendedBy: Record<Id, Trail> = {};
  for (const row of incoming.values()) {
    const cursor = row === null ? undefined : cursors[row.scope];
    if (row === null || cursor === undefined || row.version <= cursor.version) continue;
    const { scope, version } = row;
    const seen = { generation: generation ?? cursor.generation, version };
    extendedBy[scope] = extended(extendedBy[scope] ?? trails[scope], seen);
  }
  return Object.keys(extendedBy).length === 0 ? trails : { ...trails, ...extendedBy };
}

/** A refused change with the name of the list that it was made in, as far as that is here. */
function withList(item: RecoveredItem, replica: DeviceReplica): RecoveredItem {
  const { operation } = item;
  const place = 'place' in operation ? operation.place?.parent : undefined;
  const start = replica.row(operation.id) ?? (place && replica.row(place));
  for (const row of rowAndAbove(start, (id) => replica.row(id))) {
    const list = row.type === 'list' ? nameOf(row) : '';
    if (list !== '') return { ...item, list };
  }
  return item;
}

/** Takes in the verdicts and rows of an answer. */
export function receive(replica: DeviceReplica, answer: Answer): Received {
  if (answer.clockOffsetMs !== undefined) replica.learnAges(answer.clockOffsetMs);
  const { meta } = replica;
  const judgment = judged(replica.pending, answer.results, replica.now());
  const { waiting, replaced, settled, outboxRemove } = judgment;
  // Their list may be gone with this very answer.
  const refused = judgment.refused.map((item) => withList(item, replica));
  const arrivals = new Arrivals(replica);
  // What a scope that was read afresh does not have makes way for where another one of the same answer has it. What has moved goes
  // along with the news of that.
  for (const { scope, rows, resync, more, moved = [] } of answer.changes)
    if (resync === true && !more)
      arrivals.removeAll(scope, new Set([...rows.map(({ id }) => id), ...moved.map(([id]) => id)]));
  const cursors: Record<Id, Cursor> = { ...meta.cursors };
  const trails: Record<Id, Trail> = { ...meta.trails };
  for (const change of answer.changes) {
    for (const wire of change.rows) {
      const row = rowFromWire(wire, change.scope);
      arrivals.offer(row, change.resync === true || answer.replaces?.(row) === true);
    }
    const cursor = { generation: change.generation, version: change.to };
    cursors[change.scope] = cursor;
    trails[change.scope] = extended(trails[change.scope], cursor);
  }
  // A server may read the scopes of one answer at different moments, as some did: what is in a scope is heard before what is no longer in one, and
  // of several moves of a row the first one first.
  const unread = new Set(answer.changes.flatMap(({ scope, more }) => (more ? [scope] : [])));
  const readTo: ReadTo = (scope) =>
    unread.has(scope) || meta.readings?.[scope] !== undefined ? null : (meta.cursors[scope]?.version ?? null);
  const moves = answer.changes.flatMap(({ scope, moved = [] }) => moved.map((move) => ({ scope, move })));
  for (const { scope, move } of moves.toSorted((a, b) => a.move[2] - b.move[2]))
    // The scope is asked for by name, so that the server says it when it may no longer be read.
    if (arrivals.move(scope, move, readTo)) cursors[move[1]] ??= { generation: UNREAD, version: 0 };
  arrivals.removeLost();
  for (const { scope, gone } of answer.changes) for (const id of gone) arrivals.remove(id, scope);
  for (const scope of answer.left) {
    delete cursors[scope];
    // Nothing is held that it would have to be brought back.
    delete trails[scope];
    arrivals.removeAll(scope);
  }
  const { lane = 0, clockOffsetMs = meta.clockOffsetMs } = answer;
  const known = laneIn(meta, lane);
  const deviceNumber = answer.deviceNumber ?? known.deviceNumber;
  // What is withheld (unknown-scopes.ts) still waits, although what came after it was judged.
  const isWithheld = ({ q, off }: Operation) => meta.unknown && off === undefined && laneOf(q) === lane;
  const first = waiting.find(isWithheld);
  const last = answer.isOwn === true ? undefined : answer.results.at(-1)?.[0];
  const acked = Math.max(known.acked, Math.min(last ?? 0, (first?.q ?? Infinity) - 1));
  const { incoming, torn } = arrivals;
  const [heard] = answer.changes;
  const seen = seenAhead(trails, incoming, { cursors, ...(heard && { generation: heard.generation }) });
  const next = withLane({ ...meta, cursors, trails: seen, clockOffsetMs }, lane, { deviceNumber, acked });
  replica.amend({ meta: next, queue: waiting, incoming });
  // A torn scope is compared when it is heard next.
  const unequal = answer.changes.filter((change) => !torn.has(change.scope) && !isEqual(replica, change));
  return {
    ...partsOf(incoming),
    outboxRemove,
    refused: [...refused, ...lostTexts(replaced, settled, replica)],
    unequal: unequal.map(({ scope }) => scope),
    isTorn: torn.size > 0,
  };
}

/** Takes in rows of a scope that is being read. Returns the new ones. */
export function receivePage(
  replica: DeviceReplica,
  rows: readonly StoredRow[],
  replaces: (row: StoredRow) => boolean = () => false,
  cause: ChangeCause = 'remote',
): readonly StoredRow[] {
  const arrivals = new Arrivals(replica);
  for (const row of rows) arrivals.offer(row, replaces(row));
  const { incoming } = arrivals;
  const { meta } = replica;
  const known = meta.trails ?? {};
  const trails = seenAhead(known, incoming, meta);
  replica.amend({ incoming, ...(trails === known ? {} : { meta: { ...meta, trails } }) }, cause);
  return partsOf(arrivals.incoming).rowsPut;
}

/** Drops confirmed rows of a scope that a fresh read did not contain; pending operations stay. */
export function keepOnly(replica: DeviceReplica, scope: Id, ids: ReadonlySet<Id>): readonly Id[] {
  const arrivals = new Arrivals(replica);
  arrivals.removeAll(scope, ids);
  replica.amend({ incoming: arrivals.incoming });
  return partsOf(arrivals.incoming).rowsRemove;
}
