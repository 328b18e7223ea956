// The IndexedDB behind a profile: its stores, opening it, and surviving what browsers do to open handles.
// Not here: what is kept in it (indexeddb.ts) and how rows become pages (row-page.ts, compaction.ts).
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, JournalEntry, RecoveredItem } from '#sync/replica/ports.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import type { RowPage } from './row-page.ts';

/** Where a base page begins in the order of `pageOrder`. Sorted by `from`; the first one begins at ''. */
export interface PageEntry {
  readonly page: number;
  readonly from: string;
}

/** A row written since its page; null row: removed. */
export interface DeltaEntry {
  readonly id: Id;
  readonly row: StoredRow | null;
}

interface MetaValues {
  readonly device: DeviceMeta;
  /** Raised by every opening; a writer that finds a higher one has been replaced. */
  readonly epoch: number;
  readonly pages: readonly PageEntry[];
}

export interface DeviceSchema extends DBSchema {
  /** `seq:` and a lane: the last number given out in it, written by its tab. */
  meta: { key: keyof MetaValues | `seq:${number}`; value: MetaValues[keyof MetaValues] };
  outbox: { key: number; value: Operation };
  recovered: { key: number; value: RecoveredItem };
  /** Compacted rows, no id in two pages. */
  pages: { key: number; value: RowPage };
  /** Large batches as they came, later ones win over earlier ones and over pages. */
  runs: { key: number; value: RowPage };
  /** Single rows; they win over everything. */
  delta: { key: Id; value: DeltaEntry };
  /** What was done here lately. Nothing is rebuilt from it. */
  journal: { key: [device: Id, q: number]; value: JournalEntry };
}

export const STORES = ['meta', 'outbox', 'recovered', 'pages', 'runs', 'delta', 'journal'] as const;

export type DeviceDb = IDBPDatabase<DeviceSchema>;
export type DeviceTransaction = IDBPTransaction<DeviceSchema, typeof STORES, 'readwrite'>;

/** This copy may not write any more: another tab has taken the profile over, or a newer version of the app has. */
export class StorageTaken extends Error {
  override readonly name = 'StorageTaken';
  readonly isNewer: boolean;

  constructor(message: string, isNewer = false) {
    super(message);
    this.isNewer = isNewer;
  }
}

/** The database is there but nothing of this copy is in it: deleted or cleared while the app ran. */
export class StorageVanished extends Error {
  override readonly name = 'StorageVanished';

  constructor() {
    super('This device’s storage was emptied.');
  }
}

/** 1: the first. 2: the journal. */
const DATABASE_VERSION = 2;
const OPEN_LIMIT_MS = 10_000;
const REOPENINGS = 3;

function upgrade(db: DeviceDb, from: number): void {
  if (from < 1) {
    db.createObjectStore('meta');
    db.createObjectStore('outbox', { keyPath: 'q' });
    db.createObjectStore('recovered', { keyPath: 'operation.q' });
    db.createObjectStore('pages');
    db.createObjectStore('runs', { autoIncrement: true });
    db.createObjectStore('delta', { keyPath: 'id' });
  }
  if (from < 2) db.createObjectStore('journal', { keyPath: ['device', 'q'] });
}

/** A database without all its stores is made anew with what the others hold. */
async function complete(db: DeviceDb, name: string, reopen: () => Promise<DeviceDb>): Promise<DeviceDb> {
  const present = STORES.filter((store) => db.objectStoreNames.contains(store));
  if (present.length === STORES.length) return db;
  const held = await Promise.all(
    present.map(async (store) => ({
      store,
      keys: (await db.getAllKeys(store)) as IDBValidKey[],
      values: (await db.getAll(store)) as unknown[],
    })),
  );
  db.close();
  await deleteDB(name);
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

/** Reads one value of the meta store; the key decides the type. */
export async function readMeta<K extends keyof MetaValues>(
  tx: IDBPTransaction<DeviceSchema, typeof STORES, IDBTransactionMode>,
  key: K,
): Promise<MetaValues[K] | undefined> {
  return (await tx.objectStore('meta').get(key)) as MetaValues[K] | undefined;
}

/** Whatever the transaction did is undone, unless it has ended. */
export function abort(tx: DeviceTransaction): void {
  try {
    tx.abort();
  } catch (error) {
    // It has ended by itself already; anything else is a defect.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
  }
}

/** `AbortError` is what work under way gets when the browser closes the database. */
const DEAD = new Set(['InvalidStateError', 'UnknownError', 'AbortError']);

function isDeadHandle(error: unknown): boolean {
  return error instanceof DOMException && DEAD.has(error.name);
}

export interface DeviceDatabase {
  /** Runs `work` with a living handle; reopens one that the browser let die, at most three times for one piece of work. */
  use<T>(work: (db: DeviceDb) => Promise<T>): Promise<T>;
  close(): void;
}

/** `onLost` hears that the browser closed the database under us: cleared, deleted, or just let go. */
export function createDeviceDatabase(name: string, onLost: () => void = () => {}): DeviceDatabase {
  let opening: Promise<DeviceDb> | null = null;
  let isClosed = false;

  function lost(): void {
    opening = null;
    if (!isClosed) onLost();
  }

  async function openOnce(): Promise<DeviceDb> {
    let isBlocked = false;
    const open = () =>
      openDB<DeviceSchema>(name, DATABASE_VERSION, {
        upgrade,
        blocked: () => {
          isBlocked = true;
        },
        // Somebody wants to delete the database, or a newer version of the app to change its stores: let them.
        blocking(_current, _blocked, event) {
          (event.target as IDBDatabase).close();
          lost();
        },
        terminated: lost,
      });
    const db = open().then((opened) => complete(opened, name, open));
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const reason = () =>
        isBlocked
          ? 'Another tab with an older version of Posthaste is using this device’s storage. Close it.'
          : 'Your browser can’t open this device’s storage.';
      watchdog = setTimeout(() => reject(new Error(reason())), OPEN_LIMIT_MS);
    });
    try {
      return await Promise.race([db, late]);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'VersionError')
        throw new StorageTaken('A newer version of Posthaste is using this device’s data. Reload.', true);
      throw error;
    } finally {
      clearTimeout(watchdog);
    }
  }

  function handle(): Promise<DeviceDb> {
    if (isClosed) return Promise.reject(new StorageTaken('The storage of this copy is closed.'));
    opening ??= openOnce().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function use<T>(work: (db: DeviceDb) => Promise<T>, reopenings = REOPENINGS): Promise<T> {
    const mine = handle();
    try {
      return await work(await mine);
    } catch (error) {
      if (isClosed || !isDeadHandle(error) || reopenings === 0) throw error;
      // Another piece of work may have opened a living one meanwhile.
      if (opening === mine) opening = null;
      return use(work, reopenings - 1);
    }
  }

  return {
    use: (work) => use(work),
    close() {
      isClosed = true;
      void opening?.then(
        (db) => db.close(),
        () => undefined,
      );
    },
  };
}
