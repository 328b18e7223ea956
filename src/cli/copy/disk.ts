// What a run keeps of its copy for the next one, so that it fetches only what is new: a database in the folder of the command line, readable by
// its owner alone, as the key beside it is. Nothing is only there: what can't be read is fetched again. One run has a copy at a time; others
// that run meanwhile have further ones, each a device of its own.
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Id } from '#core/ids.ts';
import { applyBatch, createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { DeviceMeta, DeviceStorage, StorageBatch } from '#sync/replica/ports.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import { protocolVersion } from '#wire/version.ts';
import { Failure } from '../failure.ts';
import { takeLock } from '../file-lock.ts';
import type { PrivateFolder } from '../private-folder.ts';

const FOLDER = 'copies';
/** Runs at once that keep their copy. */
const MOST = 8;

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS head (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS kept_row (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The disk of one run. */
export interface CopyDisk {
  readonly contents: MemoryContents;
  readonly storage: DeviceStorage;
  /** Lets other runs have it. */
  close(): void;
}

/** A disk that is gone with the run. */
export function memoryDisk(): CopyDisk {
  const contents = new MemoryContents();
  return { contents, storage: createMemoryStorage(contents), close: () => undefined };
}

/** Throws if it isn't one. */
function openDatabase(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL');
    db.exec(LAYOUT);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** What an earlier run has kept; what was to be sent by it is not: its person heard that it wasn't done. */
function readAll(db: DatabaseSync, version: string): MemoryContents {
  const contents = new MemoryContents();
  const head = new Map(
    db
      .prepare('SELECT name, value FROM head')
      .all()
      .map(({ name, value }) => [String(name), String(value)]),
  );
  const meta = head.get('meta');
  if (meta === undefined || head.get('version') !== version) {
    db.exec('DELETE FROM head; DELETE FROM kept_row');
    db.prepare('INSERT INTO head (name, value) VALUES (?, ?)').run('version', version);
    return contents;
  }
  contents.meta = JSON.parse(meta) as DeviceMeta;
  for (const { value } of db.prepare('SELECT value FROM kept_row').iterate()) {
    const row = JSON.parse(String(value)) as StoredRow;
    contents.rows.set(row.id, row);
  }
  return contents;
}

/** Opens what is kept. What is damaged is deleted: everything is fetched again then. */
function openKept(
  path: string,
  version: string,
): { readonly db: DatabaseSync; readonly contents: MemoryContents } {
  let db: DatabaseSync | null = null;
  try {
    db = openDatabase(path);
    return { db, contents: readAll(db, version) };
  } catch {
    db?.close();
    for (const beside of ['', '-journal', '-wal', '-shm']) rmSync(path + beside, { force: true });
  }
  db = openDatabase(path);
  return { db, contents: readAll(db, version) };
}

/** A database and its lock, as a disk. */
class DatabaseDisk implements CopyDisk {
  readonly contents: MemoryContents;
  readonly storage: DeviceStorage;
  readonly #path: string;
  readonly #giveBack: () => void;
  #db: DatabaseSync | null;

  constructor(path: string, version: string, giveBack: () => void) {
    this.#path = path;
    this.#giveBack = giveBack;
    const { db, contents } = openKept(path, version);
    this.#db = db;
    this.contents = contents;
    const inner = createMemoryStorage(this.contents);
    this.storage = {
      ...inner,
      write: (batch) => {
        applyBatch(this.contents, batch);
        this.#keep(batch);
        return Promise.resolve();
      },
    };
  }

  #keep({ rowsPut = [], rowsRemove = [] }: StorageBatch): void {
    const db = this.#db;
    if (db === null) return;
    try {
      db.exec('BEGIN');
      const put = db.prepare('INSERT OR REPLACE INTO kept_row (id, value) VALUES (?, ?)');
      const remove = db.prepare('DELETE FROM kept_row WHERE id = ?');
      for (const id of rowsRemove) remove.run(id);
      for (const row of rowsPut) put.run(row.id, JSON.stringify(row));
      db.prepare('INSERT OR REPLACE INTO head (name, value) VALUES (?, ?)').run(
        'meta',
        JSON.stringify(this.contents.meta),
      );
      db.exec('COMMIT');
    } catch {
      // The disk is full or gone: this run goes on in memory, and the next one fetches everything.
      this.#drop();
    }
  }

  #drop(): void {
    this.#db?.close();
    this.#db = null;
    rmSync(this.#path, { force: true });
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
    this.#giveBack();
  }
}

/** The disk of the copy of a scope: the first that no other run has. */
export function openDisk(folder: PrivateFolder, scope: Id, now: number): CopyDisk {
  const path = join(folder.path, FOLDER);
  // A program of another version reads everything anew.
  const version = `1 ${protocolVersion}`;
  for (let number = 1; number <= MOST; number += 1) {
    const name = join(path, `${scope}-${number}`);
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      const giveBack = takeLock(`${name}.lock`, 'Another run has this copy', now);
      try {
        return new DatabaseDisk(`${name}.db`, version, giveBack);
      } catch (error) {
        giveBack();
        throw error;
      }
    } catch (error) {
      if (error instanceof Failure && error.kind === 'busy') continue;
      // A folder that can't be written: this run has its copy in memory.
      break;
    }
  }
  return memoryDisk();
}

/** Deletes what runs have kept of a scope. */
export function eraseDisks(folder: PrivateFolder, scope: Id): void {
  const path = join(folder.path, FOLDER);
  let names: readonly string[] = [];
  try {
    names = readdirSync(path);
  } catch {
    // There is nothing.
  }
  for (const name of names) if (name.startsWith(scope)) rmSync(join(path, name), { force: true });
}
