// The device's disk in a browser (the DeviceStorage port): outbox and cursors exactly as given, rows written first as
// they come and folded into pages when the browser is idle.
import type { Id } from '#core/ids.ts';
import type { DeviceStorage, StorageBatch, StoredState } from '#sync/ports.ts';
import type { Row } from '#sync/row.ts';
import { compact, loadOrder } from './compaction.ts';
import {
  createDeviceDatabase,
  type DeviceDatabase,
  type DeviceDb,
  type DeviceTransaction,
  type PageEntry,
  readMeta,
  StorageTaken,
  STORES,
} from './device-database.ts';
import { decodePage, encodePage, pageIds, type RowPage } from './row-page.ts';

/** From this many rows on a batch is stored as one run instead of single rows. */
const RUN_ROWS = 200;
/** Single rows are folded into pages above this number. */
const DELTA_ROWS = 300;
const PAGES_AT_ONCE = 5;
/** Pages that come with the single rows: enough for the first screen. */
const FIRST_PAGES = 2;

export interface StorageOptions {
  /** Name of the database; a profile has its own. */
  readonly name: string;
  /** Runs work when nothing else is to be done. */
  readonly idle: (work: () => void) => void;
}

export class BrowserStorage implements DeviceStorage {
  readonly #database: DeviceDatabase;
  readonly #idle: StorageOptions['idle'];
  /** Number of the last write of every row kept singly. */
  readonly #delta = new Map<Id, number>();
  /** Rows written since the start: what is read from disk later is older. */
  readonly #written = new Set<Id>();
  #epoch = 0;
  #writes = 0;
  #hasRuns = false;
  #isLoaded = false;
  #compacting: Promise<void> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor({ name, idle }: StorageOptions) {
    this.#database = createDeviceDatabase(name);
    this.#idle = idle;
  }

  open(): Promise<StoredState | null> {
    return this.#database.use(async (db) => {
      const tx = db.transaction(STORES, 'readwrite');
      const [found, device, outbox, recovered, deltaIds, runs] = await Promise.all([
        readMeta(tx, 'epoch'),
        readMeta(tx, 'device'),
        tx.objectStore('outbox').getAll(),
        tx.objectStore('recovered').getAll(),
        tx.objectStore('delta').getAllKeys(),
        tx.objectStore('runs').count(),
      ]);
      this.#epoch = (found ?? 0) + 1;
      await Promise.all([tx.objectStore('meta').put(this.#epoch, 'epoch'), tx.done]);
      for (const id of deltaIds) this.#delta.set(id, 0);
      this.#hasRuns = runs > 0;
      return device ? { meta: device, outbox, recovered } : null;
    });
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    const { single, runs, directory } = await this.#readOverlay();
    const decided = new Set<Id>();
    const isOpen = (id: Id) => !decided.has(id) && !this.#written.has(id);
    const changed = single.flatMap(({ id, row }) => (row && isOpen(id) ? [row] : []));
    for (const { id } of single) decided.add(id);
    // Runs stand above the pages: while there are any, no page may come before them.
    const atOnce = runs.length > 0 ? 0 : FIRST_PAGES;
    const first = await this.#readPages(directory.slice(0, atOnce));
    yield [...changed, ...first.flatMap((page) => decodePage(page, isOpen))];
    for (const run of runs) {
      const page = decodePage(run, isOpen);
      for (const id of [...pageIds(run), ...run.gone]) decided.add(id);
      yield page;
    }
    const read = (at: number) => this.#readPages(directory.slice(at, at + PAGES_AT_ONCE));
    let next = read(atOnce);
    for (let at = atOnce; at < directory.length; at += PAGES_AT_ONCE) {
      const pages = await next;
      next = read(at + PAGES_AT_ONCE);
      for (const page of pages) {
        await breathe();
        yield decodePage(page, isOpen);
      }
    }
    this.#isLoaded = true;
    this.#considerCompaction();
  }

  write(batch: StorageBatch): Promise<void> {
    // What exists nowhere else: operations not sent yet, refused ones, and everything of a profile without an account.
    const isOnlyCopy = batch.meta?.account === 0 && (batch.rowsPut?.length ?? 0) > 0;
    const isPromise =
      isOnlyCopy || (batch.outboxAdd?.length ?? 0) > 0 || (batch.recoveredAdd?.length ?? 0) > 0;
    // Rows being loaded meanwhile are older than these, from this moment on.
    if (!this.#isLoaded) for (const id of idsOf(batch)) this.#written.add(id);
    return this.#inOrder(async () => {
      await this.#database.use((db) =>
        this.#transact(db, isPromise ? 'strict' : 'relaxed', (tx) => this.#put(tx, batch)),
      );
      this.#noteRows(batch);
      this.#considerCompaction();
    });
  }

  async clear(): Promise<void> {
    await this.#inOrder(() =>
      this.#database.use((db) =>
        this.#transact(db, 'strict', async (tx) => {
          const emptied = STORES.filter((store) => store !== 'meta');
          await Promise.all(emptied.map((store) => tx.objectStore(store).clear()));
          await Promise.all([
            tx.objectStore('meta').delete('device'),
            tx.objectStore('meta').delete('pages'),
          ]);
        }),
      ),
    );
    this.#delta.clear();
    this.#hasRuns = false;
  }

  close(): void {
    this.#database.close();
  }

  /** Folds now and resolves when nothing is left to fold: for tests, and for leaving room on a full disk. */
  compacted(): Promise<void> {
    // Folding is housekeeping: when it fails nothing is lost, and the next write considers it again.
    this.#compacting ??= this.#fold()
      .catch((error: unknown) => console.warn('Folding stored rows failed; they stay as they are.', error))
      .finally(() => {
        this.#compacting = null;
      });
    return this.#compacting;
  }

  /** Everything that writes goes one after another, so that the order given is the order stored. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work, work);
    // The next one follows whatever became of this one; the caller hears of the failure.
    this.#tail = result.catch(() => undefined);
    return result;
  }

  async #transact(
    db: DeviceDb,
    durability: IDBTransactionDurability,
    work: (tx: DeviceTransaction) => Promise<unknown>,
  ): Promise<void> {
    const tx = db.transaction(STORES, 'readwrite', { durability });
    const fenced = readMeta(tx, 'epoch').then((found) => {
      if (found !== this.#epoch) throw new StorageTaken('Another tab has taken over.');
    });
    try {
      const worked = work(tx)
        .then(() => fenced)
        .then(() => tx.commit());
      await Promise.all([fenced, worked, tx.done]);
    } catch (error) {
      abort(tx);
      // The transaction knows the reason (quota) where its requests only say that they were cut off.
      throw tx.error ?? error;
    }
  }

  #readOverlay() {
    return this.#database.use(async (db) => {
      const tx = db.transaction(STORES);
      const [single, runs, pages] = await Promise.all([
        tx.objectStore('delta').getAll(),
        tx.objectStore('runs').getAll(),
        readMeta(tx, 'pages'),
      ]);
      return { single, runs: runs.toReversed(), directory: loadOrder(pages ?? []) };
    });
  }

  #readPages(entries: readonly PageEntry[]): Promise<readonly RowPage[]> {
    if (entries.length === 0) return Promise.resolve([]);
    return this.#database.use(async (db) => {
      const tx = db.transaction('pages');
      const found = await Promise.all(entries.map(({ page }) => tx.store.get(page)));
      return found.filter((page) => page !== undefined);
    });
  }

  #put(tx: DeviceTransaction, batch: StorageBatch): Promise<unknown> {
    const { meta, outboxAdd = [], outboxRemove = [], recoveredAdd = [], recoveredRemove = [] } = batch;
    return Promise.all([
      ...(meta ? [tx.objectStore('meta').put(meta, 'device')] : []),
      ...outboxAdd.map((operation) => tx.objectStore('outbox').put(operation)),
      ...outboxRemove.map((seq) => tx.objectStore('outbox').delete(seq)),
      ...recoveredAdd.map((item) => tx.objectStore('recovered').put(item)),
      ...recoveredRemove.map((seq) => tx.objectStore('recovered').delete(seq)),
      ...this.#putRows(tx, batch),
    ]);
  }

  #putRows(tx: DeviceTransaction, { rowsPut = [], rowsRemove = [] }: StorageBatch): Promise<unknown>[] {
    const ids = idsOf({ rowsPut, rowsRemove });
    if (ids.length === 0) return [];
    const store = tx.objectStore('delta');
    if (ids.length < RUN_ROWS) {
      return [
        ...rowsPut.map((row) => store.put({ id: row.id, row })),
        ...rowsRemove.map((id) => store.put({ id, row: null })),
      ];
    }
    return [
      tx.objectStore('runs').add(encodePage(rowsPut, rowsRemove)),
      ...ids.filter((id) => this.#delta.has(id)).map((id) => store.delete(id)),
    ];
  }

  /** After a batch is on disk: what is known about where rows lie. */
  #noteRows(batch: StorageBatch): void {
    const ids = idsOf(batch);
    const isRun = ids.length >= RUN_ROWS;
    this.#hasRuns ||= isRun;
    this.#writes += 1;
    for (const id of ids) {
      if (isRun) this.#delta.delete(id);
      else this.#delta.set(id, this.#writes);
    }
  }

  #considerCompaction(): void {
    if (this.#compacting || !this.#isLoaded || (!this.#hasRuns && this.#delta.size < DELTA_ROWS)) return;
    this.#idle(() => void this.compacted());
  }

  async #fold(): Promise<void> {
    this.#hasRuns = false;
    for (let hasMore = true; hasMore;) {
      hasMore = await this.#database.use((db) =>
        compact({
          db,
          step: (work) => this.#inOrder(() => this.#transact(db, 'relaxed', work)),
          lastWrite: (id) => this.#delta.get(id) ?? 0,
          folded: (ids) => {
            for (const id of ids) this.#delta.delete(id);
          },
        }),
      );
    }
  }
}

/** Lets keys and frames go first. A page is taken in well within a frame; many in a row are not. */
function breathe(): Promise<unknown> {
  if ('scheduler' in globalThis) return scheduler.postTask(() => undefined, { priority: 'user-visible' });
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function idsOf({ rowsPut = [], rowsRemove = [] }: StorageBatch): readonly Id[] {
  return [...rowsPut.map((row) => row.id), ...rowsRemove];
}

function abort(tx: DeviceTransaction): void {
  try {
    tx.abort();
  } catch (error) {
    // It has ended by itself already; anything else is a defect.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
  }
}
