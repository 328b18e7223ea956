// What becomes of a disk that is damaged: bad records go aside, the directory of pages is made anew, and so is a database that lacks
// stores. Loaded when there is something to repair. Not here: finding what is bad (salvage.ts).
import { deleteDB } from 'idb';
import type { DeviceMeta, StoredState } from '#sync/replica/ports.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import { type DeviceDb, type DiskSeal, type PageEntry, type Put, STORES } from './device-database.ts';
import type { Changes } from './indexeddb.ts';
import { firstOrder } from './page-order.ts';
import { encodePage, type RowPage } from './row-page.ts';
import { type Bad, isPage, readOne, salvageRows } from './salvage.ts';

/** A disk written anew gets runs of at most this many rows. */
const LARGEST_RUN = 5_000;
const EMPTIED = STORES.filter((store) => store !== 'meta');

/** What empties a disk, but for who writes on it. */
export const emptied: Changes = {
  clears: EMPTIED,
  deletes: [
    ['meta', 'device'],
    ['meta', 'pages'],
  ],
};

/** What fills an emptied disk: rows, and the rest as it is stored. */
export function anew(
  epoch: number,
  rows: readonly StoredRow[],
  { puts = [], deletes = [] }: Changes,
): Changes {
  const runs = Array.from({ length: Math.ceil(rows.length / LARGEST_RUN) }, (_, at) =>
    encodePage(rows.slice(at * LARGEST_RUN, (at + 1) * LARGEST_RUN)),
  );
  return {
    puts: [['meta', epoch, 'epoch'], ...runs.map((run): Put => ['runs', run]), ...puts],
    deletes,
    clears: EMPTIED,
  };
}

/** An identity for a disk that has lost its own: a new one, so that no number is given out twice. */
export function metaFor(
  fresh: DeviceMeta,
  outbox: StoredState['outbox'],
  recovered: StoredState['recovered'],
): DeviceMeta {
  const seqs = [...outbox, ...recovered.map(({ operation }) => operation)].map(({ q }) => q);
  return { ...fresh, seq: Math.max(fresh.seq, ...seqs) };
}

/** A database without all its stores is made anew with what the others hold. `reopen` opens it again, once it is deleted. */
export async function complete(db: DeviceDb, reopen: () => Promise<DeviceDb>): Promise<DeviceDb> {
  const present = STORES.filter((store) => db.objectStoreNames.contains(store));
  const held = await Promise.all(
    present.map(async (store) => ({
      store,
      keys: (await db.getAllKeys(store)) as IDBValidKey[],
      values: (await db.getAll(store)) as unknown[],
    })),
  );
  db.close();
  await deleteDB(db.name);
  const whole = await reopen();
  const tx = whole.transaction(STORES, 'readwrite', { durability: 'strict' });
  const puts = held.flatMap(({ store, keys, values }) => {
    const into = tx.objectStore(store);
    return values.map((value, index) =>
      into.put(value as never, (into.keyPath === null ? keys[index] : undefined) as never),
    );
  });
  await Promise.all([...puts, tx.done]);
  return whole;
}

/** The rows that can still be read in bad records of a copy that exists nowhere else, and how many are lost. */
export function keptOf(
  bad: readonly Bad[],
  isOnlyCopy: boolean,
): { readonly lost: number; readonly rows: readonly StoredRow[] } {
  const rows: StoredRow[] = [];
  let lost = 0;
  for (const { store, content } of bad) {
    if (store === 'delta') lost += 1;
    else {
      const kept = isOnlyCopy ? salvageRows(content) : [];
      const count = Number((content as Partial<RowPage> | null)?.count ?? 1);
      lost += Math.max(1, (Number.isSafeInteger(count) ? count : 1) - kept.length);
      rows.push(...kept);
    }
  }
  return { lost, rows };
}

interface Aside {
  /** The database that they came from. */
  readonly from: string;
  readonly now: number;
  readonly isOnlyCopy: boolean;
  readonly keep: (changes: Changes) => Promise<void>;
}

/** Bad records are kept apart first, then replaced by what is good in them. */
export async function setAside(bad: readonly Bad[], { from, now, isOnlyCopy, keep }: Aside): Promise<void> {
  try {
    const { putAside } = await import('./quarantine.ts');
    await putAside(
      bad.map(({ store, key, content }) => ({ from: `${from}/${store}`, key, content })),
      now,
    );
  } catch (error) {
    // No room to keep it apart: then it stays where it is, and is reported again at the next start.
    console.warn('Damaged records could not be put aside.', error);
    return;
  }
  const isPaged = ({ store }: Bad) => store === 'pages' || store === 'runs';
  await keep({
    puts: bad.filter(isPaged).map(({ store, key, content }): Put => {
      return [store, encodePage(isOnlyCopy ? salvageRows(content) : []), key];
    }),
    deletes: bad.filter((one) => !isPaged(one)).map(({ store, key }) => [store, key] as const),
  });
}

/** The directory as the pages say it. */
export async function directoryOf(db: DeviceDb, seal: DiskSeal | null): Promise<readonly PageEntry[]> {
  const entries: PageEntry[] = [];
  for (const page of await db.getAllKeys('pages')) {
    const held = await readOne(db, 'pages', page, seal);
    entries.push({ page, from: isPage(held) ? firstOrder(held) : '' });
  }
  entries.sort((a, b) => (a.from < b.from ? -1 : 1));
  return entries.map((entry, index) => (index === 0 ? { ...entry, from: '' } : entry));
}
