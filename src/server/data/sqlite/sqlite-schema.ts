// Migrates an SQLite database: each migration in one transaction, after a verified copy of the earlier state.
import { dirname, join } from 'node:path';
import type { Log } from '../log.ts';
import { type Migratable, migrate } from '../migrate.ts';
import { backupSqlite } from './sqlite-backup.ts';
import type { Connection, SqliteConnection } from './sqlite-connection.ts';

const CREATE_VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT';

/** 0 for a database without tables. */
export function readSchemaVersion(db: Connection): number {
  const isThere = db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'");
  return isThere ? Number(db.get('SELECT coalesce(max(version), 0) FROM schema_version')?.[0]) : 0;
}

function readApplied(db: Connection): ReadonlySet<number> {
  if (readSchemaVersion(db) === 0) return new Set();
  return new Set(db.all('SELECT version FROM schema_version').map(([version]) => Number(version)));
}

/** SQLite's side of migrating, with a verified copy of the file before an upgrade. */
export function sqliteMigratable(connection: SqliteConnection, log: Log): Migratable {
  let transaction: Connection | null = null;
  return {
    kind: 'sqlite',
    exclusively: (work) =>
      connection.write(async (writer) => {
        transaction = writer;
        try {
          await work();
        } finally {
          transaction = null;
        }
      }),
    applied: async () => (transaction ? readApplied(transaction) : await connection.read(readApplied)),
    run: async (sql) => transaction?.database.exec(sql),
    async record(version, name) {
      transaction?.database.exec(CREATE_VERSIONS);
      transaction?.run(
        'INSERT INTO schema_version (version, name, applied_at) VALUES (?, ?, ?)',
        version,
        name,
        Date.now(),
      );
    },
    async beforeUpgrade(from, to) {
      if (connection.isMemory) return;
      const copy = join(dirname(connection.path), `before-upgrade-${from}-to-${to}-${Date.now()}.db`);
      await backupSqlite(connection.path, copy);
      log('info', 'Copied the database before upgrading it.', { from, to, copy });
    },
  };
}

let emptyBytes: Uint8Array | null = null;

/**
 * Migrates a new database in memory. The first of a process runs the migrations, and each later one begins as a copy of what
 * they made of it: they cost a hundred times what the copy does.
 */
export async function migrateInMemory(connection: SqliteConnection, log: Log): Promise<void> {
  const empty = emptyBytes;
  if (empty !== null) return await connection.alone((writer) => writer.replace(empty));
  await migrate(sqliteMigratable(connection, log));
  emptyBytes = await connection.alone((writer) => writer.database.serialize());
}
