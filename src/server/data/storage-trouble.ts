// What an error from either database means for whoever asked: no room, a disk or server that failed, or a defect of ours.
import { isConnectionLoss } from './postgres-connection.ts';
import { DatabaseFailedError, SQLITE_FULL, isDiskFailure, sqliteCode } from './sqlite-connection.ts';
import { BusyError } from './lock.ts';

/** `full`: works again when there is room. `unavailable`: whether anything was written nobody can say; try again. */
export type StorageTrouble = 'full' | 'unavailable';

/** The server ran out of disk, of connections, or of patience (a lock, a statement). */
const POSTGRES_FULL = '53100';
const POSTGRES_BUSY = /^(53[0-9A-Z]{3}|55P03|57014|40001|40P01)$/;

/** Null for an error that says nothing about the storage: a defect. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  if (sqliteCode(error) === SQLITE_FULL) return 'full';
  if (isDiskFailure(error) || error instanceof DatabaseFailedError || error instanceof BusyError)
    return 'unavailable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === POSTGRES_FULL || code === 'ENOSPC') return 'full';
  const isWaiting =
    error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
  return isWaiting || POSTGRES_BUSY.test(code) || isConnectionLoss(error) ? 'unavailable' : null;
}
