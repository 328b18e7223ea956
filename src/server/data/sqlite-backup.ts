// Copies of an SQLite database: made while it is in use, verified by reading them, and put back in place of a database.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, backup } from 'node:sqlite';
import { SchemaTooNewError, newestVersion } from './migrate.ts';
import { type TableName, tableNames } from './tables.ts';

export interface BackupReport {
  readonly path: string;
  readonly sizeBytes: number;
  readonly schemaVersion: number;
  /** Rows of every table, read back from the copy. */
  readonly rows: Readonly<Record<TableName, number>>;
}

export interface RestoreReport {
  readonly rows: Readonly<Record<TableName, number>>;
  /** Where the previous data was kept; null when there was none. */
  readonly previous: string | null;
}

/** All pages in one step: a snapshot that writers neither wait for nor disturb. It is copied on another thread. */
const ALL_PAGES = 0x7fff_fffe;

function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function companions(path: string): readonly string[] {
  return [`${path}-wal`, `${path}-shm`, `${path}-journal`];
}

function remove(path: string): void {
  for (const file of [path, ...companions(path)]) rmSync(file, { force: true });
}

/** Rejects when `to` exists. The copy is readable by this user only. */
export async function backupSqlite(path: string, to: string): Promise<BackupReport> {
  if (path === ':memory:') throw new Error('A database in memory has no file to copy.');
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (existsSync(to)) throw new Error(`${to} exists already; a backup never replaces a file.`);
  const partial = `${to}.partial-${randomUUID()}`;
  closeSync(openSync(partial, 'wx', 0o600));
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, partial, { rate: ALL_PAGES });
    const rows = verifySqlite(partial);
    syncPath(partial);
    // `link` refuses an existing name, which `rename` would replace.
    linkSync(partial, to);
    syncPath(dirname(to));
    return { path: to, sizeBytes: statSync(to).size, ...rows };
  } finally {
    source.close();
    remove(partial);
  }
}

/** Reads a whole copy. Throws when it is damaged or not one of ours; changes its journal mode to a single file. */
function verifySqlite(path: string): Pick<BackupReport, 'schemaVersion' | 'rows'> {
  const db = openCopy(path);
  try {
    const found = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    if (found !== 'ok') throw new Error(`The copy ${path} is damaged: ${String(found)}.`);
    const tables = new Set(
      db
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .all()
        .map(({ name }) => name),
    );
    if (!tables.has('schema_version')) throw new Error(`${path} is not a backup of Posthaste.`);
    const schemaVersion = Number(
      db.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_version').get()?.['version'],
    );
    const rows = Object.fromEntries(
      tableNames.map((name) => [
        name,
        tables.has(name) ? Number(db.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']) : 0,
      ]),
    ) as Record<TableName, number>;
    return { schemaVersion, rows };
  } finally {
    db.close();
  }
}

function openCopy(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    return db;
  } catch (error) {
    db.close();
    throw new Error(`${path} is not an SQLite database or is damaged. Nothing was changed.`, {
      cause: error,
    });
  }
}

/**
 * Puts a backup in place of the database at `path`, which is kept beside it. Throws, changing nothing, when the backup is
 * damaged, not ours or too new, or when a server still has the database open.
 */
export function restoreSqlite(from: string, path: string): RestoreReport {
  if (!existsSync(from)) throw new Error(`There is no file ${from}.`);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const incoming = join(folder, `restoring-${randomUUID()}.db`);
  try {
    copyFileSync(from, incoming, constants.COPYFILE_EXCL);
    chmodSync(incoming, 0o600);
    const { rows, schemaVersion } = verifySqlite(incoming);
    if (schemaVersion > newestVersion()) throw new SchemaTooNewError(schemaVersion, newestVersion());
    syncPath(incoming);
    const previous = existsSync(path) ? keepPrevious(path) : null;
    for (const file of companions(path)) rmSync(file, { force: true });
    // One rename: whatever happens, either the old or the new database is there.
    renameSync(incoming, path);
    syncPath(folder);
    return { rows, previous };
  } finally {
    remove(incoming);
  }
}

/** Gives the present database a second name. Leaving WAL mode needs it for itself alone, so a running server shows. */
function keepPrevious(path: string): string {
  const previous = `${path}.before-restore-${Date.now()}`;
  const size = statSync(path).size;
  if (size > 0) {
    const db = new DatabaseSync(path, { timeout: 500 });
    try {
      db.exec('PRAGMA journal_mode = DELETE');
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === 5) {
        throw new Error(`${path} is in use. Stop the server, then restore. Nothing was changed.`, {
          cause: error,
        });
      }
      // A damaged database is what restores are for: it is kept as it is, with its log.
      for (const file of companions(path))
        if (existsSync(file)) copyFileSync(file, previous + file.slice(path.length));
    } finally {
      db.close();
    }
  }
  linkSync(path, previous);
  return previous;
}
