// The device's disk in a browser (the DeviceStorage port): outbox and cursors exactly as given, rows written first as
// they come and folded into pages when the browser is idle.
import type { Id } from '#core/ids.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  JournalEntry,
  StorageBatch,
  StoredState,
  Part,
} from '#sync/replica/ports.ts';
import { laneOf, withSeq } from '#sync/tabs/sequences.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import {
  abort,
  createDeviceDatabase,
  type DeviceDatabase,
  type DeviceDb,
  type DeviceTransaction,
  type PageEntry,
  type Put,
  readMeta,
  StorageTaken,
  StorageVanished,
  STORES,
} from './device-database.ts';
import { loadOrder } from './page-order.ts';
import { decodePage, encodePage, pageIds, type RowPage } from './row-page.ts';
import {
  type Bad,
  isDeltaEntry,
  isDeviceMeta,
  isJournalEntry,
  isOperation,
  isPage,
  isRecoveredItem,
  readOne,
  readStore,
  type StoreName,
} from './salvage.ts';
import { timers } from '../world.ts';

/** From this many rows on a batch is stored as one run instead of single rows. */
const RUN_ROWS = 200;
/** Single rows are folded into pages above this number. */
const DELTA_ROWS = 300;
const PAGES_AT_ONCE = 5;
/** Pages that come with the single rows: enough for the first screen. */
const FIRST_PAGES = 2;

/** One durable step on the disk. Stores are cleared before anything is put. */
export interface Changes {
  readonly puts?: readonly Put[];
  readonly deletes?: readonly (readonly [store: StoreName, key: IDBValidKey])[];
  readonly clears?: readonly StoreName[];
}

/** Loaded when there is something to repair. */
const loadRepair = () => import('./repair.ts');

/** What a person must hear about this device's disk. */
export type StorageEvent =
  /** It was deleted or cleared under the running app; everything in memory is on it again. */
  | { readonly type: 'rewritten' }
  /** Records could not be read. They are put aside; `rows` counts at least what was lost, `changes` unsent operations. */
  | { readonly type: 'damaged'; readonly changes: number; readonly rows: number }
  /** Entries of the journal could not be read. They are put aside; no task is touched. */
  | { readonly type: 'forgot' }
  /** Another tab, or a newer version of the app, works on it now. */
  | { readonly type: 'taken'; readonly isNewer: boolean };

export interface StorageOptions {
  /** Name of the database; a profile has its own. */
  readonly name: string;
  /** Runs work when nothing else is to be done. */
  readonly idle: (work: () => void) => void;
  /** Wall time. */
  readonly now?: () => number;
  /** All that is in memory, for a disk that was emptied; null while it is not complete. */
  readonly contents?: () => StorageBatch | null;
  /** Who this copy is where the disk has lost it. */
  readonly identity?: () => DeviceMeta;
  readonly onEvent?: (event: StorageEvent) => void;
  /** Nobody else has these rows, whatever account they were of. */
  readonly isOnlyCopy?: boolean;
}

/** The disk of one profile. Damage and loss are worked around, and reported to `onEvent`. */
export class BrowserStorage implements DeviceStorage {
  readonly #database: DeviceDatabase;
  readonly #options: StorageOptions;
  /** Number of the last write of every row kept singly. */
  readonly #delta = new Map<Id, number>();
  /** Rows written since the start: what is read from disk later is older. */
  readonly #written = new Set<Id>();
  #part: Part = 'leader';
  #epoch = 0;
  #unreadable = 0;
  /** Without an account nobody else has these rows. */
  #isOnlyCopy = false;
  #writes = 0;
  #hasRuns = false;
  /** Whether the disk is to be encrypted; null: it stays as it is. */
  #isToSeal: boolean | null = null;
  /** Records may still have another form than the disk. */
  #isUnsettled = false;
  #isLoaded = false;
  #isClosed = false;
  #compacting: Promise<void> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: StorageOptions) {
    this.#options = options;
    this.#database = createDeviceDatabase(options.name, () => void this.probe());
  }

  get unreadable(): number {
    return this.#unreadable;
  }

  async open(part: Part = 'leader'): Promise<StoredState | null> {
    if (part === 'leader') await this.#database.use((db) => this.#raiseEpoch(db));
    this.#part = part;
    this.#written.clear();
    this.#delta.clear();
    return this.#database.use(async (db, seal) => {
      // What may exist nowhere else comes first.
      const [outbox, recovered, device, seqs, deltaIds, runs] = await Promise.all([
        readStore(db, 'outbox', isOperation, seal),
        readStore(db, 'recovered', isRecoveredItem, seal),
        readOne(db, 'meta', 'device', null),
        db.getAll('meta', IDBKeyRange.bound('seq:', 'seq:\uffff')),
        db.getAllKeys('delta'),
        db.count('runs'),
      ]);
      for (const id of deltaIds) this.#delta.set(id, 0);
      this.#hasRuns = runs > 0;
      const operations = outbox.entries.map(([, operation]) => operation);
      const items = recovered.entries.map(([, item]) => item);
      const bad = [...outbox.bad, ...recovered.bad];
      const hasRows = deltaIds.length > 0 || runs > 0 || (await db.count('pages')) > 0;
      const isLost = operations.length > 0 || items.length > 0 || bad.length > 0 || hasRows;
      let meta = isDeviceMeta(device) ? device : null;
      const fresh = meta === null && isLost ? this.#options.identity?.() : undefined;
      if (fresh) {
        meta = (await loadRepair()).metaFor(fresh, operations, items);
        // Rows are not confirmed by anybody: with an account they are read again from the start.
        this.#unreadable += 1;
      }
      if (bad.length > 0 && part === 'leader') {
        await this.#setAside(bad);
        this.#tell({ type: 'damaged', changes: bad.length, rows: 0 });
      }
      if (meta && part === 'leader') {
        this.#isToSeal = isToSeal(meta);
        this.#isUnsettled = seal !== null || this.#isToSeal;
      }
      this.#isOnlyCopy = meta?.account === 0 || this.#options.isOnlyCopy === true;
      const known = meta && seqs.filter((q) => typeof q === 'number').reduce(withSeq, meta);
      return known && { meta: known, outbox: operations, recovered: items };
    });
  }

  /** From now on an older writer finds that it was replaced. A full disk can be read all the same. */
  async #raiseEpoch(db: DeviceDb): Promise<void> {
    const held = (await db.get('meta', 'epoch')) as number | undefined;
    // A new one begins with the time, so that two that began anew are told apart.
    const next = (held ?? this.#options.now?.() ?? 0) + 1;
    const tx = db.transaction('meta', 'readwrite');
    tx.done.catch(() => undefined);
    try {
      await Promise.all([tx.store.put(next, 'epoch'), tx.done]);
      this.#epoch = next;
    } catch (error) {
      const isFull = (tx.error ?? error) instanceof DOMException && tx.error?.name === 'QuotaExceededError';
      if (!isFull || held === undefined) throw tx.error ?? error;
      this.#epoch = held;
    }
  }

  async *rows(): AsyncGenerator<readonly StoredRow[]> {
    for (let isWhole = false; !isWhole;) {
      const before = await this.#directoryText();
      yield* this.#readRows();
      // The leader may have folded rows into another page than the one they were looked for in.
      isWhole = this.#part === 'leader' || (await this.#directoryText()) === before;
    }
    this.#isLoaded = true;
    this.#considerCompaction();
  }

  async #directoryText(): Promise<string> {
    if (this.#part === 'leader') return '';
    return JSON.stringify(await this.#database.use((db) => readOne(db, 'meta', 'pages', null)));
  }

  async *#readRows(): AsyncGenerator<readonly StoredRow[]> {
    const { single, runs, directory, bad } = await this.#readOverlay();
    const decided = new Set<Id>();
    const isOpen = (id: Id) => !decided.has(id) && !this.#written.has(id);
    const changed = single.flatMap(({ id, row }) => (row && isOpen(id) ? [row] : []));
    for (const { id } of single) decided.add(id);
    // Runs stand above the pages: while there are any, no page may come before them.
    const atOnce = runs.length > 0 ? 0 : FIRST_PAGES;
    const first = await this.#readPages(directory.slice(0, atOnce), bad);
    yield [...changed, ...first.flatMap((page) => decodePage(page, isOpen))];
    for (const run of runs) {
      const page = decodePage(run, isOpen);
      for (const id of [...pageIds(run), ...run.gone]) decided.add(id);
      yield page;
    }
    const read = (at: number) => this.#readPages(directory.slice(at, at + PAGES_AT_ONCE), bad);
    let next = read(atOnce);
    for (let at = atOnce; at < directory.length; at += PAGES_AT_ONCE) {
      const pages = await next;
      next = read(at + PAGES_AT_ONCE);
      for (const page of pages) {
        await breathe();
        yield decodePage(page, isOpen);
      }
    }
    if (bad.length > 0 && this.#part === 'leader') yield* this.#replaceBad(bad, isOpen);
  }

  /** Bad records go aside. Of a copy that exists nowhere else, whatever can still be read in them stays. */
  async *#replaceBad(bad: readonly Bad[], isOpen: (id: Id) => boolean): AsyncGenerator<readonly StoredRow[]> {
    const { keptOf } = await loadRepair();
    const { lost, rows } = keptOf(bad, this.#isOnlyCopy);
    yield rows.filter(({ id }) => isOpen(id));
    this.#unreadable += lost;
    await this.#inOrder(() => this.#setAside(bad));
    this.#tell({ type: 'damaged', changes: 0, rows: lost });
  }

  async journal(): Promise<readonly JournalEntry[]> {
    const { entries, bad } = await this.#database.use((db, seal) =>
      readStore(db, 'journal', isJournalEntry, seal),
    );
    if (bad.length > 0) {
      await this.#inOrder(() => this.#setAside(bad));
      this.#tell({ type: 'forgot' });
    }
    return entries.map(([, entry]) => entry);
  }

  write(batch: StorageBatch): Promise<void> {
    // What exists nowhere else: operations not sent yet, refused ones, and everything of a profile without an account.
    const isOnlyCopy = batch.meta?.account === 0 && (batch.rowsPut?.length ?? 0) > 0;
    const isPromise =
      isOnlyCopy || (batch.outboxAdd?.length ?? 0) > 0 || (batch.recoveredAdd?.length ?? 0) > 0;
    // Rows being loaded meanwhile are older than these, from this moment on.
    if (!this.#isLoaded) for (const id of idsOf(batch)) this.#written.add(id);
    return this.#inOrder(async () => {
      const durability = isPromise ? 'strict' : 'relaxed';
      if (batch.meta) this.#isToSeal = isToSeal(batch.meta);
      await this.#fit();
      const isStored = await this.#stored(() => this.#keep(this.#changesOf(batch), durability));
      if (!isStored) return;
      this.#noteRows(batch);
      this.#considerCompaction();
    });
  }

  /** Looks whether the disk is still there and ours, and fills it again when it was emptied. */
  async probe(): Promise<void> {
    if (!this.#isLoaded) return;
    try {
      await this.#inOrder(() => this.#stored(() => this.#keep({}, 'relaxed')));
    } catch (error) {
      // The next write reports it; looking changes nothing.
      if (!(error instanceof StorageTaken) && !(error instanceof StorageVanished))
        console.warn('This device’s storage did not answer.', error);
    }
  }

  /** True when the work was done; false when all of memory was written instead, to a disk that had been emptied. */
  async #stored(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof StorageTaken) this.#tell({ type: 'taken', isNewer: error.isNewer });
      if (!(error instanceof StorageVanished)) throw error;
      const all = this.#options.contents?.();
      if (!all) throw error;
      await this.#writeAll(all);
      return false;
    }
  }

  async #writeAll(batch: StorageBatch): Promise<void> {
    const { rowsPut = [], ...rest } = batch;
    const { anew } = await loadRepair();
    // What was emptied is a disk like a new one.
    await this.#fit();
    await this.#keep(anew(this.#epoch, rowsPut, this.#changesOf(rest)), 'strict', 'emptied');
    this.#delta.clear();
    this.#hasRuns = true;
    this.#considerCompaction();
    this.#tell({ type: 'rewritten' });
  }

  #tell(event: StorageEvent): void {
    this.#options.onEvent?.(event);
  }

  async #setAside(bad: readonly Bad[]): Promise<void> {
    const { setAside } = await loadRepair();
    await setAside(bad, {
      from: this.#options.name,
      now: this.#options.now?.() ?? 0,
      isOnlyCopy: this.#isOnlyCopy,
      keep: (changes) => this.#keep(changes, 'strict'),
    });
  }

  async clear(): Promise<void> {
    const { emptied } = await loadRepair();
    await this.#inOrder(() => this.#keep(emptied, 'strict'));
    this.#delta.clear();
    this.#hasRuns = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#database.close();
  }

  /** Folds now and resolves when nothing is left to fold: for tests, and for leaving room on a full disk. */
  compacted(): Promise<void> {
    // Folding is housekeeping: when it fails nothing is lost, and the next write considers it again.
    this.#compacting ??= this.#fold()
      .catch((error: unknown) => {
        if (!this.#isClosed) console.warn('Folding stored rows failed; they stay as they are.', error);
      })
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

  /** A disk that doesn't have the form that it is to have gets it. Where that fails what is written is written as it was. */
  async #fit(): Promise<void> {
    try {
      if (this.#isToSeal !== null && (await this.#database.fit(this.#isToSeal))) this.#isUnsettled = true;
    } catch (error) {
      // Who writes now hears that it is taken.
      if (!(error instanceof StorageTaken)) console.warn('The disk isn’t encrypted or decrypted yet.', error);
    }
  }

  /** Makes one step, all or nothing, in the form that the disk has. */
  #keep(changes: Changes, durability: IDBTransactionDurability, expected?: 'emptied'): Promise<void> {
    return this.#database.use(async (db, seal) => {
      const { puts = [] } = changes;
      const formed = { ...changes, puts: seal ? await seal.close(puts) : puts };
      await this.#transact(db, durability, (tx) => make(tx, formed), expected);
    });
  }

  async #transact(
    db: DeviceDb,
    durability: IDBTransactionDurability,
    work: (tx: DeviceTransaction) => Promise<unknown>,
    expected: 'ours' | 'emptied' = 'ours',
  ): Promise<void> {
    const tx = db.transaction(STORES, 'readwrite', { durability });
    const fenced = readMeta(tx, 'epoch').then((found) => {
      if (found === undefined && expected === 'ours') throw new StorageVanished();
      // A following tab adds its own rows, whichever tab leads.
      if (this.#part === 'follower' && expected === 'ours') return;
      if (found !== (expected === 'ours' ? this.#epoch : undefined))
        throw new StorageTaken('Another tab has taken over.');
    });
    // Work that throws at once leaves these two to nobody; the error below is the one that counts.
    for (const other of [fenced, tx.done]) other.catch(() => undefined);
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
    return this.#database.use(async (db, seal) => {
      const [single, runs, pages] = await Promise.all([
        readStore(db, 'delta', isDeltaEntry, seal),
        readStore(db, 'runs', isPage, seal),
        readOne(db, 'meta', 'pages', null),
      ]);
      // Without its directory a page is read all the same: where it begins does not matter for reading.
      let directory = pages as readonly PageEntry[];
      if (!Array.isArray(pages)) {
        const isEmpty = (await db.count('pages')) === 0;
        directory = isEmpty ? [] : await (await loadRepair()).directoryOf(db, seal);
        // At once, because compaction builds on it.
        if (!isEmpty)
          await this.#inOrder(() => this.#keep({ puts: [['meta', directory, 'pages']] }, 'strict'));
      }
      return {
        single: single.entries.map(([, entry]) => entry),
        runs: runs.entries.map(([, run]) => run).toReversed(),
        directory: loadOrder(directory),
        bad: [...single.bad, ...runs.bad],
      };
    });
  }

  #readPages(entries: readonly PageEntry[], bad: Bad[]): Promise<readonly RowPage[]> {
    if (entries.length === 0) return Promise.resolve([]);
    return this.#database.use(async (db, seal) => {
      const found = await Promise.all(entries.map(({ page }) => readOne(db, 'pages', page, seal)));
      return found.filter((content, index): content is RowPage => {
        if (isPage(content)) return true;
        bad.push({ store: 'pages', key: entries[index]?.page ?? 0, content: content ?? null });
        return false;
      });
    });
  }

  #changesOf(batch: StorageBatch): Changes {
    const { meta, seq, outboxAdd = [], outboxRemove = [], recoveredAdd = [], recoveredRemove = [] } = batch;
    const { journalPut = [], journalRemove = [], rowsPut = [], rowsRemove = [] } = batch;
    const ids = idsOf(batch);
    const isRun = ids.length >= RUN_ROWS;
    const rows: readonly Put[] = isRun
      ? [['runs', encodePage(rowsPut, rowsRemove)]]
      : [
          ...rowsPut.map((row): Put => ['delta', { id: row.id, row }]),
          ...rowsRemove.map((id): Put => ['delta', { id, row: null }]),
        ];
    return {
      puts: [
        ...(meta ? [['meta', meta, 'device'] as const] : []),
        ...(seq === undefined ? [] : [['meta', seq, `seq:${laneOf(seq)}`] as const]),
        ...outboxAdd.map((operation): Put => ['outbox', operation]),
        ...recoveredAdd.map((item): Put => ['recovered', item]),
        ...journalPut.map((entry): Put => ['journal', entry]),
        ...rows,
      ],
      deletes: [
        ...outboxRemove.map((q) => ['outbox', q] as const),
        ...recoveredRemove.map((q) => ['recovered', q] as const),
        ...journalRemove.map((key) => ['journal', [...key]] as [StoreName, IDBValidKey]),
        ...(isRun ? ids.filter((id) => this.#delta.has(id)).map((id) => ['delta', id] as const) : []),
      ],
    };
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
    if (
      this.#part === 'follower' ||
      this.#compacting ||
      !this.#isLoaded ||
      (!this.#hasRuns && !this.#isUnsettled && this.#delta.size < DELTA_ROWS)
    )
      return;
    this.#options.idle(() => void this.compacted());
  }

  async #fold(): Promise<void> {
    const { compact } = await import('./compaction.ts');
    if (this.#isUnsettled) {
      await this.#inOrder(() => this.#fit());
      await this.#database.use(async (db, seal) =>
        seal?.settle(db, (work) => this.#inOrder(() => this.#transact(db, 'relaxed', work))),
      );
      this.#isUnsettled = false;
    }
    this.#hasRuns = false;
    for (let hasMore = true; hasMore;) {
      hasMore = await this.#database.use((db, seal) =>
        compact({
          db,
          seal,
          step: (changes) => this.#inOrder(async () => this.#keep(await changes(), 'relaxed')),
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
function breathe(): Promise<void> {
  return new Promise((resolve) => timers.soon(resolve));
}

/** Encrypted on the server as well: somebody's own tasks, or lists that are shared. */
function isToSeal({ apart, lists = {} }: DeviceMeta): boolean {
  return apart === true || Object.keys(lists).length > 0;
}

function make(tx: DeviceTransaction, { puts = [], deletes = [], clears = [] }: Changes): Promise<unknown> {
  return Promise.all([
    ...clears.map((store) => tx.objectStore(store).clear()),
    ...puts.map(([store, value, key]) => tx.objectStore(store).put(value as never, key as never)),
    ...deletes.map(([store, key]) => tx.objectStore(store).delete(key as never)),
  ]);
}

function idsOf({ rowsPut = [], rowsRemove = [] }: StorageBatch): readonly Id[] {
  return [...rowsPut.map((row) => row.id), ...rowsRemove];
}
