// Opens the database that the configuration names and hands out both ways to it: the Store for replication, Kysely for
// the rest. Which engine it is shows nowhere else.
import { Kysely, PostgresDialect } from 'kysely';
import { join } from 'node:path';
import type { BackupReport } from './backup-report.ts';
import { DATABASE_FILE, isPostgresUrl } from './location.ts';
import type { Log } from './log.ts';
import { type Migration, migrate, migrations } from './migrate.ts';
import { backupPostgres } from './postgres-backup.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { postgresMigratable } from './postgres-schema.ts';
import { PostgresStore } from './postgres-store.ts';
import { postgresTaskReads } from './postgres-task-reads.ts';
import { backupSqlite } from './sqlite-backup.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqliteMigratable } from './sqlite-schema.ts';
import { SqliteStore } from './sqlite-store.ts';
import { sqliteTaskReads } from './sqlite-task-reads.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';
import type { TaskReads } from './task-reads.ts';

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  readonly store: Store;
  readonly reads: TaskReads;
  /**
   * Reads see committed data. On SQLite a write waits for the store's transaction under way, so neither it nor a Kysely
   * transaction may be awaited inside the other.
   */
  readonly db: Kysely<Tables>;
  /** Writes a complete, verified copy while work goes on. Rejects when `to` exists. */
  backup(to: string): Promise<BackupReport>;
  /** Waits for what is under way. Afterwards every call rejects. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`; absent: SQLite in `dataDir`. */
  readonly url?: string;
  /** Folder of `posthaste.db`, or `:memory:` for a database that ends with the process. */
  readonly dataDir: string;
  readonly log?: Log;
  /** Told once when the disk failed and every call from now on is refused. */
  readonly onFailure?: (error: Error) => void;
  /** Other than this program's own only in tests of migrating. */
  readonly migrations?: readonly Migration[];
}

const silent: Log = () => undefined;

/** Opens and migrates. Rejects, changing nothing, on a damaged file or a schema newer than this program. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url } = options;
  if (url === undefined || url === '') return await openSqlite(options);
  if (isPostgresUrl(url)) return await openPostgres(url, options);
  throw new Error('DATABASE_URL must begin with postgres:// or postgresql://.');
}

async function openSqlite(options: DatabaseOptions): Promise<Database> {
  const { dataDir, log = silent } = options;
  const path = dataDir === ':memory:' ? dataDir : join(dataDir, DATABASE_FILE);
  const connection = new SqliteConnection(path, log, options.onFailure);
  try {
    await migrate(sqliteMigratable(connection, log), options.migrations ?? migrations);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const store = new SqliteStore(connection);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  return {
    kind: 'sqlite',
    store,
    reads: sqliteTaskReads(connection),
    db,
    backup: (to) => backupSqlite(path, to),
    async close() {
      await connection.close();
      await db.destroy();
    },
  };
}

async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const connection = new PostgresConnection(url, options.log ?? silent, options.onFailure);
  try {
    await migrate(postgresMigratable(connection), options.migrations ?? migrations);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const store = new PostgresStore(connection);
  // Kysely never ends the pool: the store shares it.
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connection.pool }) });
  return {
    kind: 'postgres',
    store,
    reads: postgresTaskReads(connection),
    db,
    backup: (to) => backupPostgres(connection, to),
    close: () => connection.close(),
  };
}
