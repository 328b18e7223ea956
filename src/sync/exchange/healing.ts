// Brings a device and a restored server together again: rows that only the device still has are offered to the server,
// and the device takes over the server's state. All of it is one durable step; after a crash before it, the same answer
// arrives again. How the server merges an offer is reoffer.ts.
import { labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { fixedRegisters, placedTypes } from '#core/model.ts';
import { failed, ok } from '#core/result.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type { ScopeChanges, SnapshotPlace } from '#wire/sync.ts';
import type { Reoffering } from '../rows/apply.ts';
import { rowFromWire } from '../rows/codec.ts';
import { asItCame, looksSealed } from '../rows/locked.ts';
import { TEXTS } from '../rows/lost-text.ts';
import type { Operation, Position, Reoffer } from '../rows/operation.ts';
import { touchedIds } from '../rows/touched.ts';
import { occurrenceOf, placeOf } from '../rows/row-reading.ts';
import type {
  DeviceMeta,
  PartPage,
  RecoveredItem,
  StorageBatch,
  Transport,
  TransportAnswer,
} from '../replica/ports.ts';
import { type Incoming, partsOf } from './incoming.ts';
import { laneOf, writerNumber } from '../tabs/sequences.ts';
import { FIRST_PLACE } from './reading.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { applyReoffer, occurrenceRegisters } from './reoffer.ts';
import {
  isKnown,
  isLater,
  registersOf,
  fieldOf,
  registerStamp,
  type Fields,
  type Stamp,
  type StoredRow,
} from '../rows/row.ts';
import { extended, type Trail } from '../replica/generation-history.ts';

/** Registers that the server assigns anew, and the merge data of a note. */
const SERVER_ONLY: ReadonlySet<string> = new Set(['mailAddress', 'notesDoc']);

const timeOf = (row: StoredRow, register: string): number => registerStamp(row, register)[1];

/**
 * Whether a write of a row came after version `common`, up to which two histories are one. What came along with a row that moved
 * here has the version before that of the move.
 */
function isBeyond({ hops = 0, stamp }: StoredRow, [version]: Stamp, common: number): boolean {
  return version > common || (hops > 0 && stamp[0] >= common);
}

/** Whether a write was there for the author of an operation, or is the author's own before it. */
function hadSeen({ meta }: DeviceReplica, operation: Operation, [version, , device, seq]: Stamp): boolean {
  const own = writerNumber(meta, laneOf(operation.q));
  return version <= operation.b || (device === own && seq < operation.q);
}

/** The part of the trail that the server shares. `known`: the server's generations and their ends. */
function shared(trail: Trail, known: Trail): Trail {
  const ends = new Map(known);
  return trail.flatMap(([generation, version]) => {
    const end = ends.get(generation);
    return end === undefined ? [] : [[generation, Math.min(version, end)] as const];
  });
}

/** Rows by parent, siblings in order. */
function childrenOf(rows: readonly StoredRow[]): ReadonlyMap<Id, readonly StoredRow[]> {
  const children = new Map<Id, StoredRow[]>();
  for (const row of rows) {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  const key = (row: StoredRow): string => placeOf(row)?.key ?? '';
  for (const siblings of children.values())
    siblings.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return children;
}

/** The position of each row among its siblings, by its neighbors. */
function positionsIn(children: ReadonlyMap<Id, readonly StoredRow[]>): ReadonlyMap<Id, Position> {
  const positions = new Map<Id, Position>();
  for (const [parent, siblings] of children) {
    siblings.forEach(({ id }, index) => {
      const [above, below] = [siblings[index - 1], siblings[index + 1]];
      const end = above === undefined ? { at: 'start' as const } : { after: above.id };
      positions.set(id, { parent, ...end, ...(below === undefined ? {} : { before: below.id }) });
    });
  }
  return positions;
}

/** Labels, then lists and tasks, parents before children; then rows without a place. */
function inOrder(
  rows: readonly StoredRow[],
  children: ReadonlyMap<Id, readonly StoredRow[]>,
  scope: Id,
): readonly StoredRow[] {
  const ordered = new Set<StoredRow>();
  const open: Id[] = [listsRoot(scope), labelsRoot(scope)];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const row of children.get(parent) ?? []) {
      ordered.add(row);
      open.push(row.id);
    }
  }
  for (const row of rows) ordered.add(row);
  return [...ordered];
}

/** Registers in which the held row is newer. */
function newerRegisters(held: StoredRow, fresh: StoredRow | undefined): readonly string[] {
  const all = new Set([...Object.keys(held.fields), ...Object.keys(held.stamps ?? {})]);
  // A later occurrence of a series is newer whatever its times, with all registers that define it.
  const fixed = isKnown(held) ? fixedRegisters[held.type] : [];
  const areTasks = fresh !== undefined && fresh.type === 'task' && isKnown(held) && isKnown(fresh);
  const isAhead = areTasks && occurrenceOf(held) > occurrenceOf(fresh);
  if (isAhead) for (const register of occurrenceRegisters) all.add(register);
  const offered = [...all].filter((register) => !SERVER_ONLY.has(register));
  const newer = offered.filter((register) => {
    if (fresh === undefined || (isAhead && occurrenceRegisters.has(register))) return true;
    return !fixed.includes(register) && timeOf(held, register) > timeOf(fresh, register);
  });
  // By its seal the server knows a comment again, as a whole.
  return held.type === 'comment' && newer.length > 0 ? offered : newer;
}

interface Offering {
  readonly position: Position | undefined;
  readonly registers: readonly string[];
}

function offerOf(row: StoredRow, { position, registers }: Offering): Reoffer {
  const fields: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  for (const register of registers) {
    if (register !== 'place' && register in row.fields) fields[register] = registersOf(row)[register];
    // A register back at its default is named only by its time.
    if (timeOf(row, register) !== row.stamp[1] || !(register in row.fields))
      times[register] = timeOf(row, register);
  }
  const { id, type, createdAt } = row;
  const place = position !== undefined && registers.includes('place') ? { place: position } : {};
  return { a: 'reoffer', id, type, fields, ...place, at: row.stamp[1], times, createdAt };
}

/** A scope, and the version up to which both histories of it are one. */
interface Common {
  readonly scope: Id;
  readonly common: number;
}

/** Held rows beyond `common` that are newer than the server's, as offers: deletions come last. */
function offersOf(
  held: readonly StoredRow[],
  fresh: ReadonlyMap<Id, StoredRow>,
  { scope, common }: Common,
): readonly Reoffer[] {
  const children = childrenOf(held);
  const positions = positionsIn(children);
  const offers: Reoffer[] = [];
  const deletions: Reoffer[] = [];
  // An undone completion has to be known before its task goes back with it.
  const isTakenBack = (row: StoredRow) =>
    row.type === 'completion' && fieldOf(row, 'del') !== undefined && fresh.has(row.id);
  const rows = inOrder(held, children, scope);
  for (const shown of [...rows.filter(isTakenBack), ...rows.filter((other) => !isTakenBack(other))]) {
    const row = asItCame(shown);
    // Who belongs to a list is written by the server alone.
    if (row.version <= common || row.type === 'member') continue;
    const newer = newerRegisters(row, fresh.get(row.id));
    // A late deletion takes the children with it; after an early one they would be moved out under living parents.
    const isPlaced = isKnown(row) ? placedTypes.has(row.type) : placeOf(row) !== undefined;
    const isDeleted =
      isPlaced && row.type !== 'comment' && fieldOf(row, 'del') !== undefined && newer.includes('del');
    const registers = isDeleted ? newer.filter((register) => register !== 'del') : newer;
    const position = positions.get(row.id);
    if (registers.length > 0 || !fresh.has(row.id)) offers.push(offerOf(row, { position, registers }));
    if (isDeleted) deletions.push(offerOf(row, { position: undefined, registers: ['del'] }));
  }
  return [...offers, ...deletions];
}

/** All rows of the server in the scope: from the answer, or from the pages if they are too many for it. */
export async function freshRows(
  transport: Transport,
  { scope, rows, bootstrap, generation }: ScopeChanges,
): Promise<TransportAnswer<readonly StoredRow[]>> {
  if (bootstrap !== true) return ok(rows.map((row) => rowFromWire(row, scope)));
  const all = new Map<Id, StoredRow>();
  for (let place: SnapshotPlace | null = FIRST_PLACE; place !== null;) {
    const answer: TransportAnswer<PartPage> = await transport.snapshot(scope, place);
    if (!answer.ok) return answer;
    // The server was restarted meanwhile: its answers now may not match the earlier ones.
    if ((answer.value.generation ?? generation) !== generation) return failed({ type: 'offline' });
    for (const row of answer.value.rows) all.set(row.id, row);
    place = answer.value.next;
  }
  return ok([...all.values()]);
}

/** What is offered came from a server, which checked it and may know more than this program. */
const UNCHECKED: RegisterChecks = { register: () => null, creation: () => null };

/** Shows an offer before the server's answer. */
const showOffer: Reoffering = (state, action, context) =>
  applyReoffer(
    { ...state, checks: UNCHECKED },
    { ...action, fields: withoutEnvelopes(action.fields) },
    context,
  );

/** What is locked on this device goes back as it came, and isn't shown as content. */
const withoutEnvelopes = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !looksSealed(value)));

/** After a start with offers in the queue: shows them from now on. */
export function showOffers(replica: DeviceReplica): void {
  replica.learnToReoffer(showOffer);
}

/**
 * Texts of the lost history that a text of the other history replaced with the same or a later time: they go to the
 * recovered changes, unless the person saw them and has replaced them since.
 */
function lostWords(
  replica: DeviceReplica,
  fresh: ReadonlyMap<Id, StoredRow>,
  { scope, common }: Common,
): readonly RecoveredItem[] {
  const at = replica.now();
  const writes = Map.groupBy(replica.pending, ({ id }) => id);
  const isReplacedHere = (row: StoredRow, field: string) =>
    (writes.get(row.id) ?? []).some(
      (operation) =>
        operation.a === 'set' &&
        operation.field === field &&
        operation.only === undefined &&
        hadSeen(replica, operation, registerStamp(row, field)),
    );
  return replica.confirmedOf(scope).flatMap((row) => {
    const other = fresh.get(row.id);
    if (row.version <= common || other === undefined) return [];
    return [...TEXTS].flatMap((field): RecoveredItem[] => {
      const value = registersOf(row)[field];
      const isLost =
        isBeyond(row, registerStamp(row, field), common) && timeOf(other, field) >= timeOf(row, field);
      if (!isLost || typeof value !== 'string' || value === registersOf(other)[field]) return [];
      if (isReplacedHere(row, field)) return [];
      const operation = replica.setAside({ a: 'set', id: row.id, field, value });
      return [{ operation, verdict: 'superseded', at }];
    });
  });
}

/**
 * What becomes of the held rows of a scope. Up to version `common` they are the same in both histories. What is held under
 * another scope stays as it is until that is healed too (takeElsewhere): what was written to it there has to be offered.
 */
function incomingOf(replica: DeviceReplica, rows: readonly StoredRow[], { scope, common }: Common): Incoming {
  const held = replica.confirmedOf(scope);
  const incoming: Incoming = new Map(held.map(({ id }) => [id, null]));
  for (const row of rows) {
    const known = replica.storedRow(row.id);
    const isElsewhere = known !== undefined && known.scope !== scope;
    // What was taken along with the news that it moved here differs by its time of change alone.
    const isSame = known?.version === row.version && known.updatedAt === row.updatedAt;
    if (row.version <= common && !isElsewhere && isSame) incoming.delete(row.id);
    else if (!isElsewhere) incoming.set(row.id, row);
  }
  return incoming;
}

/**
 * Rows that the server has in a restored scope and that were held under another one, once those of the same answer that were
 * restored too have let go of theirs: what is held nowhere now, ahead of what was read, or in an earlier state, is where the
 * server has it. `unhealed`: restored scopes that could not be read; what is held under those waits for them.
 */
export function takeElsewhere(
  replica: DeviceReplica,
  rows: readonly StoredRow[],
  unhealed: ReadonlySet<Id>,
): readonly StoredRow[] {
  const { cursors } = replica.meta;
  const incoming: Incoming = new Map();
  for (const row of rows) {
    const held = replica.storedRow(row.id);
    if (held !== undefined && unhealed.has(held.scope)) continue;
    const isAhead = held && (held.version === 0 || held.version > (cursors[held.scope]?.version ?? 0));
    if (held === undefined || isAhead === true || isLater(row, held)) incoming.set(row.id, row);
  }
  replica.amend({ incoming });
  return partsOf(incoming).rowsPut;
}

/** The device's state in the other history. The server there remembers none of its verdicts. */
function metaIn(meta: DeviceMeta, change: ScopeChanges, trail: Trail): DeviceMeta {
  const { scope, generation, to: version } = change;
  const cursor = { generation, version };
  const lanes = Object.entries(meta.lanes ?? {}).map(([lane, known]) => [lane, { ...known, acked: 0 }]);
  return {
    ...meta,
    acked: 0,
    ...(lanes.length === 0 ? {} : { lanes: Object.fromEntries(lanes) as NonNullable<DeviceMeta['lanes']> }),
    cursors: { ...meta.cursors, [scope]: cursor },
    trails: { ...meta.trails, [scope]: extended(trail, cursor) },
  };
}

type Offer = Operation & Reoffer;

/** Offers from an earlier restore, and the rest of the queue. */
function parted(queue: readonly Operation[]): readonly [readonly Offer[], readonly Operation[]] {
  const isOffer = (operation: Operation): operation is Offer => operation.a === 'reoffer';
  return [queue.filter(isOffer), queue.filter((operation) => !isOffer(operation))];
}

/** The same offer without its number: numbers of a lane ascend in its queue, so it needs a new one. */
function again({ a, id, type, fields, place, at, times, createdAt, scope }: Offer): {
  readonly action: Reoffer;
  readonly scope: Id;
} {
  const position = place === undefined ? {} : { place };
  return { action: { a, id, type, fields, ...position, at, times, createdAt }, scope };
}

/**
 * The operation without the versions beyond the common one, which are gone: time decides there. So it is dated after every
 * write that its author had seen and that is lost, or is the author's own before it.
 */
function overLost(replica: DeviceReplica, operation: Operation, common: number): Operation {
  const isSeen = (row: StoredRow, stamp: Stamp): boolean =>
    hadSeen(replica, operation, stamp) && isBeyond(row, stamp, common);
  const rows = touchedIds(operation).flatMap((id) => replica.storedRow(id) ?? []);
  const lost = rows
    .filter(({ scope }) => scope === operation.scope)
    .flatMap((row) => [row.stamp, ...Object.values(row.stamps ?? {})].filter((each) => isSeen(row, each)));
  const based = operation.b > common ? { ...operation, b: common } : operation;
  if (lost.length === 0) return based;
  const seenAt = Math.max(operation.seenAt ?? 0, ...lost.map(([, time]) => time));
  // Shown as what it will be.
  return { ...based, seenAt, t: Math.max(operation.t, seenAt + 1 - replica.meta.clockOffsetMs) };
}

/** Everything that has to reach the disk at once, and the server's rows that are held under other scopes. */
interface Taken {
  readonly batch: Omit<StorageBatch, 'meta'> & { readonly recoveredAdd: readonly RecoveredItem[] };
  readonly elsewhere: readonly StoredRow[];
}

/** Takes over a scope from the restored server. `rows`: all of them. */
export function heal(replica: DeviceReplica, change: ScopeChanges, rows: readonly StoredRow[]): Taken {
  const { scope, rollback } = change;
  replica.learnToReoffer(showOffer);
  const trail = shared(replica.meta.trails?.[scope] ?? [], rollback?.known ?? []);
  const common = Math.max(0, ...trail.map(([, version]) => version));
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const recoveredAdd = lostWords(replica, fresh, { scope, common });
  // Offers of an earlier restore that are still waiting come after the rows that may be their parents.
  const [earlier, waiting] = parted(replica.pending);
  const offered = offersOf(replica.confirmedOf(scope), fresh, { scope, common });
  const offers = replica.inFront([...offered.map((action) => ({ action, scope })), ...earlier.map(again)]);
  const rebased = waiting.map((operation) =>
    operation.scope === scope ? overLost(replica, operation, common) : operation,
  );
  const queue = [...offers, ...rebased];
  const meta = metaIn(replica.meta, change, trail);
  const incoming = incomingOf(replica, rows, { scope, common });
  replica.amend({ meta, queue, incoming });
  const outboxRemove = earlier.map(({ q }) => q);
  return {
    batch: { ...partsOf(incoming), outboxAdd: queue, outboxRemove, recoveredAdd },
    elsewhere: rows.filter(({ id }) => (replica.storedRow(id)?.scope ?? scope) !== scope),
  };
}
