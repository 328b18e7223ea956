// The IndexedDB behind a profile: its stores, opening it, and surviving what browsers do to open handles.
// Not here: what is kept in it (indexeddb.ts), how rows become pages (row-page.ts, compaction.ts), and how records are
// encrypted (disk-seal/).
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
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
  /** The version of the database for which all records have their form; absent or another: some may have the earlier one. */
  readonly form: number;
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

/** All stores of a copy. */
export const STORES = ['meta', 'outbox', 'recovered', 'pages', 'runs', 'delta', 'journal'] as const;

/** An open database of a copy. */
export type DeviceDb = IDBPDatabase<DeviceSchema>;
/** One that may write in all stores. */
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

/** A record to be stored, with its key where the store keeps none in the record. */
export type Put = readonly [store: (typeof STORES)[number], value: unknown, key?: IDBValidKey | undefined];

/** Encrypts and decrypts the records of a disk (disk-seal/disk-seal.ts). */
export interface DiskSeal {
  /** New records are encrypted. False: only ones from before may be. */
  readonly isOn: boolean;
  /** Records as they are to be stored. */
  close(puts: readonly Put[]): Promise<readonly Put[]>;
  /** What a stored record holds. One that doesn't open is given back as it is, and is no good record. */
  open(store: Put[0], key: IDBValidKey, value: unknown): Promise<unknown>;
  /** Brings all records into the form of new ones. `transact` makes one transaction after everything written before. */
  settle(
    db: DeviceDb,
    transact: (work: (tx: DeviceTransaction) => Promise<unknown>) => Promise<void>,
  ): Promise<void>;
  /** The disk is closed. */
  end(): void;
}

/**
 * 1: the first. 2: the journal. From there on the number tells only whether records are encrypted: odd, they are; even, they are no longer.
 * Every change of that closes the database in all tabs, and earlier apps leave it alone. The next layout begins at 1,000 (other-disks.ts).
 */
export const DATABASE_VERSION = 2;
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

/** What only disks need that are encrypted, were, or lack something. */
const loadOther = () => import('../disk-seal/other-disks.ts');

export interface DeviceDatabase {
  /**
   * Runs `work` with a living handle; reopens one that the browser let die, at most three times for one piece of work. `seal` is null for
   * a disk that was never encrypted.
   */
  use<T>(work: (db: DeviceDb, seal: DiskSeal | null) => Promise<T>): Promise<T>;
  /** From now on new records are encrypted, or no longer, in all tabs. True: they weren't before, or were. */
  fit(isToSeal: boolean): Promise<boolean>;
  close(): void;
}

/** An open disk, and what its records are encrypted with; null: they never were. */
export type Opened = readonly [db: DeviceDb, seal: DiskSeal | null];

async function openOnce(name: string, lost: () => void, raisedTo?: number): Promise<Opened> {
  let isBlocked = false;
  const open = (version?: number) =>
    openDB<DeviceSchema>(name, version, {
      upgrade(db, from, _to, tx) {
        // Without a version it was to be there: deleted in this moment.
        if (version === undefined) tx.abort();
        else upgrade(db, from);
      },
      blocked: () => {
        isBlocked = true;
      },
      // Somebody wants to delete the database, to encrypt it, or a newer version of the app to change its stores: let them.
      blocking(_current, _blocked, event) {
        (event.target as IDBDatabase).close();
        lost();
      },
      terminated: lost,
    });
  const opened = open(raisedTo ?? DATABASE_VERSION).then(
    async (db): Promise<Opened> => {
      const isPlain = db.version === DATABASE_VERSION;
      if (isPlain && STORES.every((store) => db.objectStoreNames.contains(store))) return [db, null];
      return (await loadOther()).opened(db, open);
    },
    async (error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'VersionError')) throw error;
      const { opened } = await loadOther();
      return opened(await open(), open);
    },
  );
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tell = () => void loadOther().then(({ lateError }) => reject(lateError(isBlocked)), reject);
    watchdog = setTimeout(tell, OPEN_LIMIT_MS);
  });
  try {
    return await Promise.race([opened, late]);
  } finally {
    clearTimeout(watchdog);
  }
}

/** `onLost` hears that the browser closed the database under us: cleared, deleted, or just let go. */
export function createDeviceDatabase(name: string, onLost: () => void = () => {}): DeviceDatabase {
  let opening: Promise<Opened> | null = null;
  /** Of the handle opened last. */
  let seal: DiskSeal | null = null;
  let isClosed = false;

  function lost(): void {
    opening = null;
    if (!isClosed) onLost();
  }

  function handle(raisedTo?: number): Promise<Opened> {
    if (isClosed) return Promise.reject(new StorageTaken('The storage of this copy is closed.'));
    opening ??= openOnce(name, lost, raisedTo).then(
      (opened) => {
        seal = opened[1];
        if (isClosed) seal?.end();
        return opened;
      },
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  }

  async function use<T>(work: (...opened: Opened) => Promise<T>, reopenings = REOPENINGS): Promise<T> {
    const mine = handle();
    try {
      return await work(...(await mine));
    } catch (error) {
      if (isClosed || !isDeadHandle(error) || reopenings === 0) throw error;
      // Another piece of work may have opened a living one meanwhile.
      if (opening === mine) opening = null;
      return use(work, reopenings - 1);
    }
  }

  return {
    use: (work) => use(work),
    async fit(isToSeal) {
      const [db, held] = await handle();
      if ((held?.isOn ?? false) === isToSeal) return false;
      await (await loadOther()).prepare(name);
      db.close();
      opening = null;
      await handle(db.version + 1);
      return true;
    },
    close() {
      isClosed = true;
      seal?.end();
      void opening?.then(
        ([db]) => db.close(),
        () => undefined,
      );
    },
  };
}
