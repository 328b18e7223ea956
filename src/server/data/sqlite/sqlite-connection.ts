// One SQLite database of this process: opens it with the settings that durability depends on, provides its writer under one
// lock and its reader, and refuses everything after the disk failed. Knows no table.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Log } from '../log.ts';
import { Lock } from '../lock.ts';

/** One row, in the order of the selected columns. */
export type Cells = readonly SQLOutputValue[];

const MEMORY = ':memory:';

const SETTINGS = `
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA journal_size_limit = 67108864;
PRAGMA wal_autocheckpoint = 0;
PRAGMA cache_size = -65536;
`;

/** Longest wait for another process's lock. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 20;

/** Larger files are left to the nightly check of the backup, so that a start stays fast. */
const QUICK_CHECK_BYTES = 64 * 1024 * 1024;
const COMMITS_BETWEEN_LOOKS = 8;
const CHECKPOINT_FRAMES = 1_000;
/** 256 MB of 4 KB pages: a reader has been open for a very long time. */
const ALARM_FRAMES = 65_536;

/** Initial size of the log's index, plus a few pages. */
const INDEX_BYTES = 65_536;

export const SQLITE_FULL = 13;
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const SQLITE_READONLY = 8;
/** The shared index of the log cannot grow: the one I/O error that means a full disk and nothing worse. */
const SQLITE_IOERR_SHMSIZE = 4_874;

/** Null: the version may be used; else why not. */
export function refuseSqliteVersion(version: string): string | null {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const order = major * 1_000_000 + minor * 1_000 + patch;
  if (order < 3_051_003)
    return `SQLite ${version} can corrupt a database in WAL mode; 3.51.3 or newer is needed.`;
  if (order === 3_052_000) return 'SQLite 3.52.0 was withdrawn; use another version.';
  return null;
}

/** The result code of an SQLite error without its extension, or null for any other error. */
export function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}

/** The disk is full; the statement had no effect. */
export function isNoRoom(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_FULL || isIndexTooLarge(error);
}

/** The file, or the file system it is in, is read-only. */
export const isReadOnly = (error: unknown): boolean => sqliteCode(error) === SQLITE_READONLY;

const isIndexTooLarge = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_IOERR_SHMSIZE;

/** The file or the disk below it cannot be trusted any more. */
export function isDiskFailure(error: unknown): boolean {
  if (isIndexTooLarge(error)) return false;
  const code = sqliteCode(error);
  return code === SQLITE_IOERR || code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** The error of every call after the disk failed. */
export class DatabaseFailedError extends Error {}

/** True when a write broke a UNIQUE constraint other than the primary key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 2067;
}

/** A connection with cached prepared statements. Rows are arrays. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql, { returnArrays: true });
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, ...values: SQLInputValue[]): readonly Cells[] {
    // With returnArrays a row is an array; the types of node:sqlite do not say so.
    return this.prepare(sql).all(...values) as unknown as readonly Cells[];
  }

  get(sql: string, ...values: SQLInputValue[]): Cells | undefined {
    return this.prepare(sql).get(...values) as unknown as Cells | undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Puts a whole database, as `serialize` gave it, in the place of this one in memory. */
  replace(bytes: Uint8Array): void {
    // They end with the database they were prepared for.
    this.#statements.clear();
    this.database.deserialize(bytes);
  }

  close(): void {
    this.#statements.clear();
    if (this.database.isOpen) this.database.close();
  }
}

/** Creates folder and file so that nobody else can read them; SQLite gives its companion files the mode of the file. */
function prepareFile(path: string, log: Log): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) {
    log('warn', 'The data folder can be opened by other users of this machine; chmod 700 closes it.', {
      folder,
    });
  }
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * The mode that the database is in then. While another process writes to a new file, SQLite refuses the switch at once
 * instead of waiting for the lock, so the wait is here.
 */
function switchToWal(writer: Connection): SQLOutputValue | undefined {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (;;)
    try {
      return writer.get('PRAGMA journal_mode = WAL')?.[0];
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || performance.now() > giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
    }
}

/** `alone`: exclusive access, with the index of the log in memory. */
function openWriter(path: string, alone = false): Connection {
  const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS, defensive: true });
  const writer = new Connection(database);
  try {
    // The first access decides where the index of the log is kept.
    if (alone) writer.get('PRAGMA locking_mode = EXCLUSIVE');
    const refusal = refuseSqliteVersion(String(writer.get('SELECT sqlite_version()')?.[0]));
    if (refusal !== null) throw new Error(refusal);
    const mode = switchToWal(writer);
    if (path !== MEMORY && mode !== 'wal')
      throw new Error(`SQLite could not switch ${path} to WAL, it is in "${String(mode)}" mode.`);
    database.exec(SETTINGS);
    if (path !== MEMORY && statSync(path).size <= QUICK_CHECK_BYTES) {
      const found = writer.get('PRAGMA quick_check(1)')?.[0];
      if (found !== 'ok')
        throw new Error(
          `${path} is damaged (${String(found)}). Restore the latest backup; the file was not changed.`,
        );
    }
    return writer;
  } catch (error) {
    writer.close();
    if (sqliteCode(error) === SQLITE_NOTADB || sqliteCode(error) === SQLITE_CORRUPT) {
      throw new Error(
        `${path} isn't a database, or it's damaged. Restore the latest backup. The file wasn't changed.`,
        { cause: error },
      );
    }
    throw error;
  }
}

interface Connections {
  readonly writer: Connection;
  /**
   * The same as the writer where there is only one connection: in memory, and on a disk without space for the log's index.
   */
  readonly reader: Connection;
}

function openBoth(path: string): Connections {
  const writer = openWriter(path);
  if (path === MEMORY) return { writer, reader: writer };
  const reader = new Connection(
    new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS, defensive: true }),
  );
  try {
    // The index of the log is created at the first access.
    reader.get('SELECT count(*) FROM sqlite_schema');
    return { writer, reader };
  } catch (error) {
    reader.close();
    writer.close();
    throw error;
  }
}

const hasRoomForIndex = (path: string) => {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= INDEX_BYTES;
};

/** On a full disk one connection that needs no further file, so that the data can at least be read. */
function openSomehow(path: string, log: Log): Connections {
  try {
    return openBoth(path);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    log('warn', 'The disk is full: the database is opened for this process alone until there is room.', {
      path,
    });
    const writer = openWriter(path, true);
    return { writer, reader: writer };
  }
}

/** An open SQLite database: one writer behind a lock, one reader for snapshots. Refuses every call once the disk failed. */
export class SqliteConnection {
  readonly path: string;
  readonly #log: Log;
  readonly #onFailure: (error: Error) => void;
  readonly #lock = new Lock();
  #writer: Connection;
  #reader: Connection;
  #failure: Error | null = null;
  #isClosed = false;
  #commits = 0;
  #commitsAtLastCheckpoint = -1;

  /**
   * `path` is a file or `:memory:`. Throws when the file cannot be trusted. `onFailure` is called once when the disk fails
   * later.
   */
  constructor(path: string, log: Log, onFailure: (error: Error) => void = () => undefined) {
    this.path = path;
    this.#log = log;
    this.#onFailure = onFailure;
    if (path !== MEMORY) prepareFile(path, log);
    const { writer, reader } = openSomehow(path, log);
    this.#writer = writer;
    this.#reader = reader;
  }

  get isMemory(): boolean {
    return this.path === MEMORY;
  }

  /** Runs `work` on a snapshot of committed data. Synchronous, so that the snapshot is short. */
  read<T>(work: (reader: Connection) => T): Promise<T> {
    return this.readOne((reader) => {
      if (reader === this.#writer) return work(reader);
      reader.run('BEGIN');
      try {
        return work(reader);
      } finally {
        reader.run('COMMIT');
      }
    });
  }

  /** As `read`, for work that is a single statement: that is a snapshot by itself. */
  async readOne<T>(work: (reader: Connection) => T): Promise<T> {
    this.#refuseIfUnusable();
    if (this.#reader !== this.#writer) return this.#guarded(() => work(this.#reader));
    return await this.#lock.run(() => {
      this.#refuseIfUnusable();
      return this.#guarded(() => work(this.#reader));
    });
  }

  /** Runs `work` in one transaction on the writer; committed with an fsync when the promise resolves. */
  async write<T>(work: (writer: Connection) => T | Promise<T>): Promise<T> {
    await this.begin();
    let result: T;
    try {
      result = await work(this.#writer);
    } catch (error) {
      await this.rollback();
      throw this.#seen(error);
    }
    await this.commit();
    return result;
  }

  /** Runs one statement on the writer outside any transaction; it commits by itself. */
  async alone<T>(work: (writer: Connection) => T): Promise<T> {
    const writer = await this.lock();
    try {
      return this.#guarded(() => work(writer));
    } finally {
      this.unlock();
    }
  }

  /** Takes the lock and opens a transaction; exactly one `commit` or `rollback` must follow. */
  async begin(): Promise<Connection> {
    await this.lock();
    try {
      this.#writer.run('BEGIN IMMEDIATE');
    } catch (error) {
      this.unlock();
      throw this.#seen(error);
    }
    return this.#writer;
  }

  /** A failed commit rolls back and rejects. */
  async commit(): Promise<void> {
    try {
      this.#writer.run('COMMIT');
    } catch (error) {
      await this.rollback();
      throw this.#seen(error);
    }
    try {
      this.#commits += 1;
      if (this.#commits % COMMITS_BETWEEN_LOOKS === 0) this.#checkpointIfDue();
    } finally {
      this.unlock();
    }
  }

  async rollback(): Promise<void> {
    try {
      // Some errors (a full disk) make SQLite roll back by itself.
      if (this.#writer.database.isTransaction) this.#writer.run('ROLLBACK');
    } catch (error) {
      this.#fail(error);
    } finally {
      this.unlock();
    }
  }

  /** Waits for the writer; `unlock` must follow. */
  async lock(): Promise<Connection> {
    this.#refuseIfUnusable();
    await this.#lock.acquire();
    try {
      this.#refuseIfUnusable();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    return this.#writer;
  }

  unlock(): void {
    this.#lock.release();
  }

  /** Waits for the present transaction. Closing twice is harmless. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#lock.acquire();
    try {
      if (this.#isClosed) return;
      this.#isClosed = true;
      if (this.#failure === null && !this.isMemory) this.#empty();
      if (this.#reader !== this.#writer) this.#reader.close();
      // The last connection to close removes the log.
      this.#writer.close();
    } finally {
      this.#lock.release();
    }
  }

  /** Returns the error, after noting one that means the disk cannot be trusted any more. */
  #seen(error: unknown): unknown {
    if (isDiskFailure(error)) this.#fail(error);
    return error;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#seen(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = new DatabaseFailedError(
      `The database failed (${reason}). It accepts nothing until the server is started again.`,
      {
        cause: error,
      },
    );
    this.#log('error', 'The database failed. Restart the server. Until then, it refuses every call.', {
      reason,
    });
    this.#onFailure(this.#failure);
  }

  #refuseIfUnusable(): void {
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw new Error('The database is closed.');
  }

  /**
   * Moves the log into the file, and frees its space if nothing was committed since the last time. Also without commits: a
   * log that filled the disk leaves no space for another one. Steps that lack space are left for the next call.
   */
  async checkpoint(): Promise<void> {
    if (this.isMemory) return;
    await this.lock();
    try {
      if (this.#reader === this.#writer && hasRoomForIndex(this.path)) this.#openAnew();
      const isIdle = this.#commits === this.#commitsAtLastCheckpoint;
      this.#commitsAtLastCheckpoint = this.#commits;
      if (isIdle) this.#empty();
      else this.#move();
    } finally {
      this.unlock();
    }
  }

  /** As `checkpoint`, freeing the log's space at once. */
  async release(): Promise<void> {
    this.#commitsAtLastCheckpoint = this.#commits;
    await this.checkpoint();
  }

  /** Writes the file anew, without what was deleted, and empties the log. */
  async scrub(): Promise<void> {
    await this.lock();
    try {
      this.#writer.run('VACUUM');
      if (!this.isMemory) this.#empty();
    } finally {
      this.unlock();
    }
  }

  /** There may be space for the usual two connections by now. */
  #openAnew(): void {
    this.#writer.close();
    try {
      const { writer, reader } = openSomehow(this.path, () => undefined);
      this.#writer = writer;
      this.#reader = reader;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  #checkpointIfDue(): void {
    if (this.isMemory) return;
    this.#tried(() => {
      if (this.#frames() >= CHECKPOINT_FRAMES) this.#move();
    });
  }

  /** Pages in the log, moved or not. */
  #frames(): number {
    return Number(this.#writer.get('PRAGMA wal_checkpoint(NOOP)')?.[1]);
  }

  /**
   * Done here and not by SQLite, which would hide a failing fsync. Committed data is safe in the log, so an error here
   * fails the store but not the commit before it.
   */
  #move(): void {
    this.#tried(() => {
      const frames = this.#frames();
      if (frames > ALARM_FRAMES)
        this.#log('warn', 'The write-ahead log grows: a reader holds an old snapshot.', { frames });
      this.#writer.get('PRAGMA wal_checkpoint(PASSIVE)');
    });
  }

  /** Only as far as no reader needs the log: never waits for readers. */
  #empty(): void {
    this.#tried(() => {
      if (this.#frames() <= 0 && !this.#hasLog()) return;
      this.#writer.get('PRAGMA busy_timeout = 0');
      try {
        this.#writer.get('PRAGMA wal_checkpoint(TRUNCATE)');
      } finally {
        this.#writer.get('PRAGMA busy_timeout = 5000');
      }
    });
  }

  #hasLog(): boolean {
    return (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  #tried(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#seen(error);
    }
  }
}
