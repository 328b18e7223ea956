// Brings the records of a disk into the form that new ones have, a few at a time. It may end at any point: a record is replaced in one
// transaction, by the same content, and only while it still has the form of before.
import type { DeviceDb, DeviceTransaction, Put } from '../storage/device-database.ts';
import { timers } from '../world.ts';
import { isSealed } from './record.ts';

type Store = Exclude<Put[0], 'meta'>;

/** What may exist nowhere else comes first. */
const STORES: readonly Store[] = ['outbox', 'recovered', 'journal', 'delta', 'runs', 'pages'];
const RECORDS_AT_ONCE = 100;
/** A thousand rows each. */
const PAGES_AT_ONCE = 2;

export interface Settling {
  readonly db: DeviceDb;
  readonly isOn: boolean;
  readonly transact: (work: (tx: DeviceTransaction) => Promise<unknown>) => Promise<void>;
  /** What is to be brought into the form besides, when all records have it. */
  readonly beside: () => Promise<void>;
  /** A record in the form that it is to have; the same one where that can't be had. */
  readonly formed: (store: Store, key: IDBValidKey, value: unknown) => Promise<unknown>;
}

const breathe = () => new Promise<void>((resolve) => timers.soon(resolve));

/** Resolves when all have it. Costs one reading where that is known. */
export async function settleRecords(settling: Settling): Promise<void> {
  const { db, transact } = settling;
  if ((await db.get('meta', 'form')) === db.version) return;
  for (const store of STORES) {
    const keys: readonly IDBValidKey[] = await db.getAllKeys(store);
    const step = store === 'pages' || store === 'runs' ? PAGES_AT_ONCE : RECORDS_AT_ONCE;
    for (let at = 0; at < keys.length; at += step) {
      await settle(settling, store, keys.slice(at, at + step));
      await breathe();
    }
  }
  await settling.beside();
  await transact((tx) => tx.objectStore('meta').put(db.version, 'form'));
}

/** Who writes meanwhile writes the new form, so a record of the earlier one is the one that was read. */
async function settle(
  { db, isOn, transact, formed }: Settling,
  store: Store,
  keys: readonly IDBValidKey[],
): Promise<void> {
  const values: unknown[] = await Promise.all(keys.map((key) => db.get(store, key as never)));
  const isDue = (value: unknown) => value !== undefined && value !== null && isSealed(value) !== isOn;
  const due = keys.flatMap((key, index) => (isDue(values[index]) ? [{ key, value: values[index] }] : []));
  if (due.length === 0) return;
  const puts = await Promise.all(
    due.map(async ({ key, value }) => ({ key, value: await formed(store, key, value) })),
  );
  await transact(async (tx) => {
    const into = tx.objectStore(store);
    const now: unknown[] = await Promise.all(puts.map(({ key }) => into.get(key as never)));
    const still = puts.filter((_put, index) => isDue(now[index]));
    await Promise.all(
      still.map(({ key, value }) =>
        into.put(value as never, (into.keyPath === null ? key : undefined) as never),
      ),
    );
  });
}
