// Reads scopes, devices, parked operations and note epochs from their columns, the same for both engines.
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceRecord, NoteEpochRecord, ParkedOperation, ScopeKind, ScopeRecord } from './store.ts';

/** The columns of a scope, in the order in which `cellsToScope` reads them. */
export const scopeColumns =
  'id, kind, owner, version, horizon, digest, generation, updated_clock, healing_until, min_schema';

/** A scope from the cells of `scopeColumns`. */
export function cellsToScope(cells: readonly unknown[]): ScopeRecord {
  const [id, kind, owner, version, horizon, digest, generation, ...later] = cells;
  const [updatedClock, healingUntil, lowest] = later;
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
  };
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
    role: role as ParkedOperation['role'],
  };
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
