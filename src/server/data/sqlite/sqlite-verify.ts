// Verifies a copy of an SQLite database by reading all of it.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { RowCounts } from '../backup-report.ts';
import { tableNames } from '../tables.ts';

export interface Verified {
  readonly schemaVersion: number;
  readonly rows: RowCounts;
  /** Of the most written scope, to compare the copy with its source. */
  readonly probe: string;
}

const PROBED_ROWS = 1_000;

/** A hash over the first rows of the scope with the highest version; it depends on their content only. */
export function probeSqlite(db: DatabaseSync): string {
  const hash = createHash('sha256');
  const scope = db.prepare('SELECT * FROM scope ORDER BY version DESC, id LIMIT 1').get();
  hash.update(JSON.stringify(scope ?? null));
  const rows = db.prepare('SELECT * FROM entity WHERE scope = ? ORDER BY id LIMIT ?');
  for (const row of rows.iterate(String(scope?.['id']), PROBED_ROWS)) hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

/** Reads a whole copy. Throws when it is damaged or not one of ours; changes its journal mode to a single file. */
export function verifySqlite(path: string): Verified {
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
    if (!tables.has('schema_version')) throw new Error(`${path} isn't a Posthaste backup.`);
    const schemaVersion = Number(
      db.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_version').get()?.['version'],
    );
    const rows = Object.fromEntries(
      tableNames.map((name) => [
        name,
        tables.has(name) ? Number(db.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']) : 0,
      ]),
    ) as unknown as RowCounts;
    const probe = tables.has('entity') ? probeSqlite(db) : '';
    return { schemaVersion, rows, probe };
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
    throw new Error(`${path} isn't an SQLite database, or it's damaged. Nothing was changed.`, {
      cause: error,
    });
  }
}
