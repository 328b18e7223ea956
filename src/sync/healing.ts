// Brings a device and a server that was put back to an older state together again: what only the device still holds is
// offered to the server, and the device stands where the server stands. All of it is one durable step; a crash before it
// finds the same answer again. How the server merges an offer is reoffer.ts.
import { labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { fixedRegisters, placedTypes } from '#core/model.ts';
import type { ScopeChanges, SnapshotPlace } from '#wire/sync.ts';
import { rowFromWire } from './codec.ts';
import type { Operation, Position, Reoffer } from './operation.ts';
import { placeOf } from './row-reading.ts';
import type {
  DeviceMeta,
  PartPage,
  RecoveredItem,
  StorageBatch,
  Transport,
  TransportAnswer,
} from './ports.ts';
import { FIRST_PLACE } from './reading.ts';
import type { DeviceReplica } from './replica.ts';
import { applyReoffer } from './reoffer.ts';
import { registerStamp, type Row } from './row.ts';
import { extended, type Trail } from './trail.ts';

/** What the server gives out anew, and what merging edits of a note needs besides its text. */
const SERVER_ONLY: ReadonlySet<string> = new Set(['mailAddress', 'notesDoc']);
/** A person's own words. */
const TEXTS = ['title', 'name', 'notes'] as const;

const timeOf = (row: Row, register: string): number => registerStamp(row, register)[1];

/** The part of the trail that the server has lived through too. `known`: its generations and where each ended. */
function shared(trail: Trail, known: Trail): Trail {
  const ends = new Map(known);
  return trail.flatMap(([generation, version]) => {
    const end = ends.get(generation);
    return end === undefined ? [] : [[generation, Math.min(version, end)] as const];
  });
}

/** Rows by what they hang under, siblings in order. */
function childrenOf(rows: readonly Row[]): ReadonlyMap<Id, readonly Row[]> {
  const children = new Map<Id, Row[]>();
  for (const row of rows) {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  const key = (row: Row): string => placeOf(row)?.key ?? '';
  for (const siblings of children.values())
    siblings.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return children;
}

/** Where each row stands among its siblings, said by its neighbours. */
function positionsIn(children: ReadonlyMap<Id, readonly Row[]>): ReadonlyMap<Id, Position> {
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

/** Labels, then lists and tasks, parents before children; then what hangs nowhere. */
function inOrder(rows: readonly Row[], children: ReadonlyMap<Id, readonly Row[]>, scope: Id): readonly Row[] {
  const ordered = new Set<Row>();
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
function newerRegisters(held: Row, fresh: Row | undefined): readonly string[] {
  const all = new Set([...Object.keys(held.fields), ...Object.keys(held.stamps ?? {})]);
  return [...all].filter((register) => {
    if (SERVER_ONLY.has(register)) return false;
    if (fresh === undefined) return true;
    return !fixedRegisters[held.type].includes(register) && timeOf(held, register) > timeOf(fresh, register);
  });
}

interface Offering {
  readonly position: Position | undefined;
  readonly registers: readonly string[];
}

function offerOf(row: Row, { position, registers }: Offering): Reoffer {
  const fields: Record<string, unknown> = {};
  const times: Record<string, number> = {};
  for (const register of registers) {
    if (register !== 'place' && register in row.fields) fields[register] = row.fields[register];
    if (timeOf(row, register) !== row.stamp[1]) times[register] = timeOf(row, register);
  }
  const { id, type, createdAt } = row;
  const place = position !== undefined && registers.includes('place') ? { place: position } : {};
  return { a: 'reoffer', id, type, fields, ...place, at: row.stamp[1], times, createdAt };
}

/** What is held beyond `common` and newer than the server's rows, as offers: what was deleted is deleted last. */
function offersOf(
  held: readonly Row[],
  fresh: ReadonlyMap<Id, Row>,
  { scope, common }: { readonly scope: Id; readonly common: number },
): readonly Reoffer[] {
  const children = childrenOf(held);
  const positions = positionsIn(children);
  const offers: Reoffer[] = [];
  const deletions: Reoffer[] = [];
  for (const row of inOrder(held, children, scope)) {
    if (row.version <= common) continue;
    const newer = newerRegisters(row, fresh.get(row.id));
    // What is deleted last takes what hangs beneath with it; what is deleted first would lose it to the living.
    const isDeleted = placedTypes.has(row.type) && row.fields.del !== undefined && newer.includes('del');
    const registers = isDeleted ? newer.filter((register) => register !== 'del') : newer;
    const position = positions.get(row.id);
    if (registers.length > 0 || !fresh.has(row.id)) offers.push(offerOf(row, { position, registers }));
    if (isDeleted) deletions.push(offerOf(row, { position: undefined, registers: ['del'] }));
  }
  return [...offers, ...deletions];
}

/** All rows that the server holds in the scope: those of the answer, or, where they are too many for it, of the pages. */
export async function freshRows(
  transport: Transport,
  { scope, rows, bootstrap, generation }: ScopeChanges,
): Promise<TransportAnswer<readonly Row[]>> {
  if (bootstrap !== true) return { ok: true, value: rows.map((row) => rowFromWire(row, scope)) };
  const all = new Map<Id, Row>();
  for (let place: SnapshotPlace | null = FIRST_PLACE; place !== null;) {
    const answer: TransportAnswer<PartPage> = await transport.snapshot(scope, place);
    if (!answer.ok) return answer;
    // Started again meanwhile: what it answers now need not belong to what it answered before.
    if ((answer.value.generation ?? generation) !== generation)
      return { ok: false, failure: { type: 'offline' } };
    for (const row of answer.value.rows) all.set(row.id, row);
    place = answer.value.next;
  }
  return { ok: true, value: [...all.values()] };
}

/** After a start with offers in the queue: from now on they show. */
export function showOffers(replica: DeviceReplica): void {
  replica.learnToReoffer(applyReoffer);
}

/** Words of the lost history that later ones of the other replaced, or as old ones that stand there: kept where they are found again. */
function lostWords(
  replica: DeviceReplica,
  fresh: ReadonlyMap<Id, Row>,
  { scope, common }: { readonly scope: Id; readonly common: number },
): readonly RecoveredItem[] {
  const at = replica.now();
  return replica.confirmedOf(scope).flatMap((row) => {
    const other = fresh.get(row.id);
    if (row.version <= common || other === undefined) return [];
    return TEXTS.flatMap((field): RecoveredItem[] => {
      const value = row.fields[field];
      const isLost = registerStamp(row, field)[0] > common && timeOf(other, field) >= timeOf(row, field);
      if (!isLost || typeof value !== 'string' || value === other.fields[field]) return [];
      const operation = replica.setAside({ a: 'set', id: row.id, field, value });
      return [{ operation, verdict: 'superseded', at }];
    });
  });
}

/** The device as it stands in the other history. Nobody there remembers what it was told of its operations. */
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

/** Offers of an earlier restore, and the rest of the queue. */
function parted(queue: readonly Operation[]): readonly [readonly Offer[], readonly Operation[]] {
  const isOffer = (operation: Operation): operation is Offer => operation.a === 'reoffer';
  return [queue.filter(isOffer), queue.filter((operation) => !isOffer(operation))];
}

/** The same offer, to be numbered anew: numbers of a lane ascend in its queue. */
function again({ a, id, type, fields, place, at, times, createdAt, scope }: Offer): {
  readonly action: Reoffer;
  readonly scope: Id;
} {
  const position = place === undefined ? {} : { place };
  return { action: { a, id, type, fields, ...position, at, times, createdAt }, scope };
}

/** Takes in a scope as the restored server has it. `rows`: all of them. Returns what has to reach the disk at once. */
export function heal(
  replica: DeviceReplica,
  change: ScopeChanges,
  rows: readonly Row[],
): Omit<StorageBatch, 'meta'> & { readonly recoveredAdd: readonly RecoveredItem[] } {
  const { scope, rollback } = change;
  replica.learnToReoffer(applyReoffer);
  const trail = shared(replica.meta.trails?.[scope] ?? [], rollback?.known ?? []);
  const common = Math.max(0, ...trail.map(([, version]) => version));
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const recoveredAdd = lostWords(replica, fresh, { scope, common });
  // What an earlier restore had lost and nobody has taken back yet is offered after what it may hang under.
  const [earlier, waiting] = parted(replica.pending);
  const offered = offersOf(replica.confirmedOf(scope), fresh, { scope, common });
  const offers = replica.inFront([...offered.map((action) => ({ action, scope })), ...earlier.map(again)]);
  // What an operation was based on beyond the common point is gone: time decides there.
  const rebased = waiting.map((operation) =>
    operation.scope === scope && operation.b > common ? { ...operation, b: common } : operation,
  );
  const queue = [...offers, ...rebased];
  const meta = metaIn(replica.meta, change, trail);
  const parts = replica.rewrite({ scope, rows, common, queue, meta });
  return { ...parts, outboxAdd: queue, outboxRemove: earlier.map(({ q }) => q), recoveredAdd };
}
