// Copies of an SQLite database: made while it is in use, verified by reading them, and restored.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, backup } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { SchemaTooNewError, newestVersion } from '../migrate.ts';
import type { BackupReport, RestoreReport } from '../backup-report.ts';
import { giveName, syncPath, writeNewFile } from '../new-file.ts';
import { probeSqlite, type Verified, verifySqlite } from './sqlite-verify.ts';

/**
 * All pages in one step: a snapshot that neither blocks writers nor is disturbed by them. It is copied on another thread.
 */
const ALL_PAGES = 0x7fff_fffe;

function companions(path: string): readonly string[] {
  return [`${path}-wal`, `${path}-shm`, `${path}-journal`];
}

function remove(path: string): void {
  for (const file of [path, ...companions(path)]) rmSync(file, { force: true });
}

/** Rejects when `to` exists. The copy is readable by this user only. */
export async function backupSqlite(path: string, to: string): Promise<BackupReport> {
  if (path === ':memory:') throw new Error('A database in memory has no file to copy.');
  const { schemaVersion, rows } = await writeNewFile(to, async (partial) => {
    const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    try {
      // One snapshot for the copy and for its comparison.
      source.exec('BEGIN');
      const probe = probeSqlite(source);
      await backup(source, partial, { rate: ALL_PAGES });
      const verified = await verifyAside(partial);
      if (verified.probe !== probe) throw new Error(`The copy ${partial} doesn't match the original.`);
      return verified;
    } finally {
      source.close();
      for (const file of companions(partial)) rmSync(file, { force: true });
    }
  });
  return { path: to, sizeBytes: statSync(to).size, schemaVersion, rows };
}

/** On another thread: reading all of a large copy takes seconds. */
async function verifyAside(path: string): Promise<Verified> {
  const worker = new Worker(new URL('./sqlite-verify-worker.ts', import.meta.url), { workerData: path });
  try {
    // Rejects when the worker throws.
    const [verified] = (await once(worker, 'message')) as [Verified];
    return verified;
  } finally {
    await worker.terminate();
  }
}

/**
 * Replaces the database at `path` with a backup; the previous one is kept beside it. Throws, changing nothing, when the
 * backup is damaged, not ours or too new, or when a server still has the database open.
 */
export function restoreSqlite(from: string, path: string): RestoreReport {
  if (!existsSync(from)) throw new Error(`There's no file ${from}.`);
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
    // One rename: in any case either the old or the new database is there.
    renameSync(incoming, path);
    syncPath(folder);
    return { rows, previous };
  } finally {
    remove(incoming);
  }
}

/** Gives the present database a second name. Leaving WAL mode requires exclusive access, which reveals a running server. */
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
  giveName(path, previous);
  return previous;
}
