// Reading a device's disk that may be damaged: each record is checked before it is used, what is bad is
// reported with its key, and one bad record never hides its neighbours. What becomes of bad records is the
// caller's business.
import { isRecord } from '#core/json.ts';
import { isId } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, JournalEntry, RecoveredItem } from '#sync/replica/ports.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import type { DeltaEntry, DeviceDb, DiskSeal, STORES } from './device-database.ts';
import { decodePage, isWhole, type RowPage } from './row-page.ts';

export type StoreName = (typeof STORES)[number];

export interface Bad {
  readonly store: StoreName;
  readonly key: IDBValidKey;
  readonly content: unknown;
}

export interface Read<T> {
  readonly entries: readonly (readonly [key: IDBValidKey, value: T])[];
  readonly bad: readonly Bad[];
}

/** All records of a store, singly where the store cannot be read in one go. */
export async function readStore<T>(
  db: DeviceDb,
  store: StoreName,
  isGood: (value: unknown) => value is T,
  seal: DiskSeal | null,
): Promise<Read<T>> {
  const keys: readonly IDBValidKey[] = await db.getAllKeys(store);
  let values = await readValues(db, store, keys);
  if (seal) values = await Promise.all(keys.map((key, index) => seal.open(store, key, values[index])));
  const entries: [IDBValidKey, T][] = [];
  const bad: Bad[] = [];
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (isGood(value)) entries.push([key, value]);
    else bad.push({ store, key, content: value ?? null });
  }
  return { entries, bad };
}

async function readValues(
  db: DeviceDb,
  store: StoreName,
  keys: readonly IDBValidKey[],
): Promise<readonly unknown[]> {
  try {
    const all = await db.getAll(store);
    if (all.length === keys.length) return all;
  } catch (error) {
    if (!isReadFailure(error)) throw error;
  }
  const values: unknown[] = [];
  for (const key of keys) values.push(await readOne(db, store, key, null));
  return values;
}

/** Undefined where the browser says that the record itself cannot be read. */
export async function readOne(
  db: DeviceDb,
  store: StoreName,
  key: IDBValidKey,
  seal: DiskSeal | null,
): Promise<unknown> {
  try {
    const value: unknown = await db.get(store, key as never);
    return seal ? await seal.open(store, key, value) : value;
  } catch (error) {
    if (!isReadFailure(error)) throw error;
    return undefined;
  }
}

function isReadFailure(error: unknown): boolean {
  return (
    error instanceof DOMException && ['DataError', 'DataCloneError', 'NotReadableError'].includes(error.name)
  );
}

/** By kind, so that the compiler asks for the next one here: what is missing is taken for damage. */
const ARE_KINDS: Readonly<Record<Operation['a'], true>> = {
  create: true,
  set: true,
  place: true,
  delete: true,
  restore: true,
  complete: true,
  note: true,
  reopen: true,
  reoffer: true,
};
const KINDS: ReadonlySet<unknown> = new Set(Object.keys(ARE_KINDS));

export function isOperation(value: unknown): value is Operation {
  if (!isRecord(value) || !Number.isSafeInteger(value['q']) || !KINDS.has(value['a'])) return false;
  return isId(value['u']) && isId(value['scope']) && isId(value['id']) && typeof value['t'] === 'number';
}

export function isRecoveredItem(value: unknown): value is RecoveredItem {
  return isRecord(value) && isOperation(value['operation']) && typeof value['verdict'] === 'string';
}

export function isJournalEntry(value: unknown): value is JournalEntry {
  if (!isRecord(value) || !isId(value['device']) || !Number.isSafeInteger(value['q'])) return false;
  const { operations, inverses, undo } = value;
  if (!Array.isArray(operations) || operations.length === 0 || !operations.every(isOperation)) return false;
  const areActions = Array.isArray(inverses) && inverses.every((one) => isRecord(one) && KINDS.has(one['a']));
  const isNamed = undo === undefined || (isRecord(undo) && Array.isArray(undo['replaced']));
  return areActions && isNamed;
}

export function isDeviceMeta(value: unknown): value is DeviceMeta {
  if (!isRecord(value) || !isId(value['device']) || !isId(value['scope'])) return false;
  return (
    Number.isSafeInteger(value['seq']) && isRecord(value['cursors']) && typeof value['account'] === 'number'
  );
}

function isRow(value: unknown): value is StoredRow {
  if (!isRecord(value) || !isId(value['id']) || !isId(value['scope'])) return false;
  const { type, version, fields, stamp } = value;
  return typeof type === 'string' && typeof version === 'number' && isRecord(fields) && Array.isArray(stamp);
}

export function isDeltaEntry(value: unknown): value is DeltaEntry {
  return isRecord(value) && isId(value['id']) && (value['row'] === null || isRow(value['row']));
}

export const isPage = (value: unknown): value is RowPage => isWhole(value);

/** What can still be read of a damaged page. Only for a copy that exists nowhere else: a row may be wrong in part. */
export function salvageRows(page: unknown): readonly StoredRow[] {
  try {
    return decodePage(page as RowPage).filter(isRow);
  } catch {
    // Columns are missing or are no text: nothing in it can be told apart. The page itself is kept aside.
    return [];
  }
}
