// What an answer, or a page of a scope, changes in a replica: which of its rows count, and what the disk has to learn. Loaded
// with the network. How operations are shown over the rows is replica.ts.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Cursor, RecoveredItem } from '../replica/ports.ts';
import type { ChangeCause } from '../replica/replica-types.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { extended, type Trail } from '../replica/generation-history.ts';
import { judged } from '../replica/sorted-verdicts.ts';
import type { Results } from '../replica/verdicts.ts';
import { rowFromWire } from '../rows/codec.ts';
import { lostTexts } from '../rows/lost-text.ts';
import type { StoredRow } from '../rows/row.ts';
import { laneIn, withLane } from '../tabs/sequences.ts';
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
}

/** Confirmed rows that are about to change. */
class Arrivals {
  readonly incoming: Incoming = new Map();
  readonly #replica: DeviceReplica;

  constructor(replica: DeviceReplica) {
    this.#replica = replica;
  }

  /**
   * Accepts a confirmed row unless a newer one is held; after a fresh start of the scope the server's row always
   * counts.
   */
  offer(row: StoredRow, replaces: boolean): void {
    const held = this.incoming.get(row.id) ?? this.#replica.storedRow(row.id);
    if (replaces || held === undefined || held.version < row.version) this.incoming.set(row.id, row);
  }

  remove(id: Id): void {
    this.incoming.set(id, null);
  }
}

/** Takes in the verdicts and rows of an answer. */
export function receive(replica: DeviceReplica, answer: Answer): Received {
  if (answer.clockOffsetMs !== undefined) replica.learnAges(answer.clockOffsetMs);
  const { meta } = replica;
  const { waiting, refused, replaced, settled, outboxRemove } = judged(
    replica.pending,
    answer.results,
    replica.now(),
  );
  const arrivals = new Arrivals(replica);
  const cursors: Record<Id, Cursor> = { ...meta.cursors };
  const trails: Record<Id, Trail> = { ...meta.trails };
  for (const change of answer.changes) {
    for (const wire of change.rows) {
      const row = rowFromWire(wire, change.scope);
      arrivals.offer(row, change.resync === true || answer.replaces?.(row) === true);
    }
    for (const id of change.gone) arrivals.remove(id);
    const cursor = { generation: change.generation, version: change.to };
    cursors[change.scope] = cursor;
    trails[change.scope] = extended(trails[change.scope], cursor);
  }
  for (const scope of answer.left) {
    delete cursors[scope];
    for (const row of replica.confirmedOf(scope)) arrivals.remove(row.id);
  }
  const { lane = 0, clockOffsetMs = meta.clockOffsetMs } = answer;
  const known = laneIn(meta, lane);
  const deviceNumber = answer.deviceNumber ?? known.deviceNumber;
  const heard = answer.isOwn === true ? [] : answer.results.slice(-1).map(([seq]) => seq);
  const acked = Math.max(known.acked, ...heard);
  const next = withLane({ ...meta, cursors, trails, clockOffsetMs }, lane, { deviceNumber, acked });
  const { incoming } = arrivals;
  replica.amend({ meta: next, queue: waiting, incoming });
  const unequal = answer.changes.filter(
    ({ scope, digest }) => digest !== undefined && digest !== replica.digestOf(scope),
  );
  return {
    ...partsOf(incoming),
    outboxRemove,
    refused: [...refused, ...lostTexts(replaced, settled, replica)],
    unequal: unequal.map(({ scope }) => scope),
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
  replica.amend({ incoming: arrivals.incoming }, cause);
  return partsOf(arrivals.incoming).rowsPut;
}

/** Drops confirmed rows of a scope that a fresh read did not contain; pending operations stay. */
export function keepOnly(replica: DeviceReplica, scope: Id, ids: ReadonlySet<Id>): readonly Id[] {
  const arrivals = new Arrivals(replica);
  for (const { id } of replica.confirmedOf(scope)) if (!ids.has(id)) arrivals.remove(id);
  replica.amend({ incoming: arrivals.incoming });
  return partsOf(arrivals.incoming).rowsRemove;
}
