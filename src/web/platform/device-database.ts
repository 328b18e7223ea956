// The IndexedDB behind a profile: its stores, opening it, and surviving what browsers do to open handles.
// Not here: what is kept in it (indexeddb.ts) and how rows become pages (row-page.ts, compaction.ts).
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/operation.ts';
import type { DeviceMeta, RecoveredItem } from '#sync/ports.ts';
import type { Row } from '#sync/row.ts';
import type { RowPage } from './row-page.ts';

/** Where a base page begins in the order of `pageOrder`. Sorted by `from`; the first one begins at ''. */
export interface PageEntry {
  readonly page: number;
  readonly from: string;
}

/** A row written since its page; null row: removed. */
export interface DeltaEntry {
  readonly id: Id;
  readonly row: Row | null;
}

interface MetaValues {
  readonly device: DeviceMeta;
  /** Raised by every opening; a writer that finds a higher one has been replaced. */
  readonly epoch: number;
  readonly pages: readonly PageEntry[];
}

export interface DeviceSchema extends DBSchema {
  meta: { key: keyof MetaValues; value: MetaValues[keyof MetaValues] };
  outbox: { key: number; value: Operation };
  recovered: { key: number; value: RecoveredItem };
  /** Compacted rows, no id in two pages. */
  pages: { key: number; value: RowPage };
  /** Large batches as they came, later ones win over earlier ones and over pages. */
  runs: { key: number; value: RowPage };
  /** Single rows; they win over everything. */
  delta: { key: Id; value: DeltaEntry };
}

export const STORES = ['meta', 'outbox', 'recovered', 'pages', 'runs', 'delta'] as const;

export type DeviceDb = IDBPDatabase<DeviceSchema>;
export type DeviceTransaction = IDBPTransaction<DeviceSchema, typeof STORES, 'readwrite'>;

/** This copy may not write any more: another tab has taken the profile over, or a newer version of the app has. */
export class StorageTaken extends Error {
  override readonly name = 'StorageTaken';
}

const DATABASE_VERSION = 1;
const OPEN_LIMIT_MS = 10_000;
const REOPENINGS = 3;

function upgrade(db: DeviceDb): void {
  db.createObjectStore('meta');
  db.createObjectStore('outbox', { keyPath: 'q' });
  db.createObjectStore('recovered', { keyPath: 'operation.q' });
  db.createObjectStore('pages');
  db.createObjectStore('runs', { autoIncrement: true });
  db.createObjectStore('delta', { keyPath: 'id' });
}

/** Reads one value of the meta store; the key decides the type. */
export async function readMeta<K extends keyof MetaValues>(
  tx: IDBPTransaction<DeviceSchema, typeof STORES, IDBTransactionMode>,
  key: K,
): Promise<MetaValues[K] | undefined> {
  return (await tx.objectStore('meta').get(key)) as MetaValues[K] | undefined;
}

function isDeadHandle(error: unknown): boolean {
  return (
    error instanceof DOMException && (error.name === 'InvalidStateError' || error.name === 'UnknownError')
  );
}

export interface DeviceDatabase {
  /** Runs `work` with a living handle; reopens one that the browser let die, at most three times. */
  use<T>(work: (db: DeviceDb) => Promise<T>): Promise<T>;
  close(): void;
}

export function createDeviceDatabase(name: string): DeviceDatabase {
  let opening: Promise<DeviceDb> | null = null;
  let isClosed = false;
  let reopenings = 0;

  async function openOnce(): Promise<DeviceDb> {
    const db = openDB<DeviceSchema>(name, DATABASE_VERSION, {
      upgrade,
      // A newer version of the app wants to change the stores: let it.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      terminated: () => {
        opening = null;
      },
    });
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      watchdog = setTimeout(
        () => reject(new Error('The browser does not open this device’s storage.')),
        OPEN_LIMIT_MS,
      );
    });
    try {
      return await Promise.race([db, late]);
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

  async function use<T>(work: (db: DeviceDb) => Promise<T>): Promise<T> {
    try {
      return await work(await handle());
    } catch (error) {
      if (isClosed || !isDeadHandle(error) || reopenings >= REOPENINGS) throw error;
      reopenings += 1;
      opening = null;
      return use(work);
    }
  }

  return {
    use,
    close() {
      isClosed = true;
      void opening?.then((db) => db.close());
    },
  };
}
