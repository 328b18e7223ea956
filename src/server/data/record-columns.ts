// Reads scopes, devices, parked operations and note epochs from their columns, the same for both engines.
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { cellsToState } from './sealing-columns.ts';
import type {
  Departure,
  DeviceRecord,
  MovedAway,
  NoteEpochRecord,
  ParkedOperation,
  ScopeKind,
  ScopeRecord,
  TransferRecord,
} from './store.ts';

/** The columns of a scope, in the order in which `cellsToScope` reads them. */
export const scopeColumns =
  'id, kind, owner, version, horizon, digest, generation, updated_clock, healing_until, min_schema, root, ' +
  'sealing_phase, sealing_generation, sealing_lists';

/** A scope from the cells of `scopeColumns`. */
export function cellsToScope(cells: readonly unknown[]): ScopeRecord {
  const [id, kind, owner, version, horizon, digest, generation, ...later] = cells;
  const [updatedClock, healingUntil, lowest, root, phase, keys, lists] = later;
  const sealing = cellsToState(phase, keys, lists);
  return {
    id: id as Id,
    kind: kind as ScopeKind,
    owner: owner as number,
    version: version as number,
    horizon: horizon as number,
    digest: digest as string,
    generation: generation as number,
    updatedClock: updatedClock as number,
    healingUntil: healingUntil as number,
    minSchema: lowest as number,
    ...(root === null ? {} : { root: root as Id }),
    ...(sealing === undefined ? {} : { sealing }),
  };
}

/** The columns of a tombstone, in the order in which `cellsToMoved` reads them. */
export const tombstoneColumns = 'id, version, scope, moved_to, moved_hops, was_version, moved_version';

/** A row that moved away, from the cells of `tombstoneColumns`; null: it was purged. */
export function cellsToMoved(cells: readonly unknown[]): MovedAway | null {
  const [id, , scope, to, hops, was, version] = cells as [Id, number, Id, Id | null, ...number[]];
  if (to === null || hops === undefined || was === undefined || version === undefined) return null;
  return { scope, id, to, hops, was, version };
}

/** id, version, scope, at, and the rest of `tombstoneColumns` */
export function departureCells(of: Departure): readonly (string | number)[] {
  return [of.id, of.left, of.scope, of.at, of.to, of.hops, of.was, of.version];
}

/** Moves from one scope to the same other one together, in the order of the moves. */
export function departuresByWay(all: readonly Departure[]): readonly (readonly Departure[])[] {
  const ways: Departure[][] = [];
  for (const departure of all) {
    const [first] = ways.at(-1) ?? [];
    if (first?.scope === departure.scope && first.to === departure.to) ways.at(-1)?.push(departure);
    else ways.push([departure]);
  }
  return ways;
}

/** number, scope, target, account, device, at, until, operation, role */
export function cellsToParked(cells: readonly unknown[]): ParkedOperation {
  const [number, scope, target, account, device, at, until, operation, role] = cells;
  return {
    number: number as number,
    scope: scope as Id,
    target: target as Id,
    account: account as number,
    device: device as number,
    at: at as number,
    until: until as number,
    operation: JSON.parse(operation as string) as Operation,
    role: cellToRole(role),
  };
}

/** Absent: no member. */
export function cellToRole(cell: unknown): ParkedOperation['role'] {
  return (cell ?? null) as ParkedOperation['role'];
}

/** id, number, account, last_seq, acked_seq, last_stamp */
export function cellsToDevice(cells: readonly unknown[]): DeviceRecord {
  const [id, number, account, lastSeq, ackedSeq, lastStamp] = cells;
  return {
    id: id as Id,
    number: number as number,
    account: account as number,
    lastSeq: lastSeq as number,
    ackedSeq: ackedSeq as number,
    lastStamp: lastStamp as number,
  };
}

/** scope, note, seed, state, text, at */
export function cellsToNoteEpoch(cells: readonly unknown[]): NoteEpochRecord {
  const [scope, note, seed, state, text, at] = cells as [Id, Id, Id, string | null, string, number];
  return { scope, note, seed, state, text, at: Number(at) };
}

/** The columns of a transfer, in the order in which `cellsToTransfer` reads them. */
export const transferColumns =
  'id, scope, root, started_at, author, author_device, holder, held_until, held_in';

/** A transfer from the cells of `transferColumns`. */
export function cellsToTransfer(cells: readonly unknown[]): TransferRecord {
  const [id, from, root, startedAt, author, device, ...held] = cells;
  const [holder, heldUntil, heldIn] = held;
  return {
    id: id as Id,
    from: from as Id,
    root: root as Id,
    startedAt: startedAt as number,
    author: author as number,
    device: device as number,
    holder: holder as Id | null,
    heldUntil: heldUntil as number,
    heldIn: heldIn as number,
  };
}

/** In the order of `transferColumns`. */
export function transferCells(of: TransferRecord): readonly (string | number | null)[] {
  const { id, from, root, startedAt, author, device, holder, heldUntil, heldIn } = of;
  return [id, from, root, startedAt, author, device, holder, heldUntil, heldIn];
}
