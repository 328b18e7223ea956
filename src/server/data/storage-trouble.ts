// Classifies errors of both databases for callers: no space, read-only, a failed disk or server, or a defect of ours.
import { ClosedError, isConnectionLoss } from './postgres/postgres-connection.ts';
import { DatabaseFailedError, isDiskFailure, isNoRoom, isReadOnly } from './sqlite/sqlite-connection.ts';
import { BusyError } from './lock.ts';
import { NotActivatedError, NotPresentError, OtherDatabaseError } from './presence.ts';

/**
 * `full`: works again when there is space. `read_only`: nothing was written, and reading works. `unavailable`: unknown
 * whether anything was written; try again.
 */
export type StorageTrouble = 'full' | 'read_only' | 'unavailable';

/** The server ran out of disk, of connections, or of patience (a lock, a statement). */
const POSTGRES_FULL = '53100';
const POSTGRES_READ_ONLY = '25006';
const POSTGRES_BUSY = /^(53[0-9A-Z]{3}|55P03|57014|40001|40P01)$/;

/** Thrown when space is checked before anything is tried. */
export class NoRoomError extends Error {
  readonly code = 'ENOSPC';
}

/** Null: the error says nothing about the storage, so it is a defect. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  if (isNoRoom(error)) return 'full';
  if (isReadOnly(error)) return 'read_only';
  if (isDiskFailure(error) || error instanceof DatabaseFailedError || error instanceof BusyError)
    return 'unavailable';
  if (error instanceof NotPresentError || error instanceof NotActivatedError) return 'unavailable';
  // Everything is being opened anew.
  if (error instanceof OtherDatabaseError || error instanceof ClosedError) return 'unavailable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === POSTGRES_FULL || code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  if (code === POSTGRES_READ_ONLY || code === 'EROFS') return 'read_only';
  const isWaiting =
    error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
  return isWaiting || POSTGRES_BUSY.test(code) || isConnectionLoss(error) ? 'unavailable' : null;
}

/** Nothing was written, and nothing will be until an operator makes space; reading works. */
export function takesNoWrites(error: unknown): boolean {
  const trouble = storageTrouble(error);
  return trouble === 'full' || trouble === 'read_only';
}
