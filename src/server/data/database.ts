// Opens the configured database and provides both interfaces to it: the Store for replication, Kysely for the rest. The
// engine is visible nowhere else.
import { Kysely, PostgresDialect } from 'kysely';
import { join } from 'node:path';
import type { Counters } from '../limits/counters.ts';
import type { BackupReport } from './backup-report.ts';
import { HistoryGroups } from './history-groups/groups.ts';
import type { GroupLocation } from './history-groups/location.ts';
import { OlderHistory } from './history-groups/older-history.ts';
import { DATABASE_FILE, isPostgresUrl } from './location.ts';
import type { Log } from './log.ts';
import { migrate, migrations } from './migrate.ts';
import type { Migration } from './migration.ts';
import { backupPostgres } from './postgres/postgres-backup.ts';
import { PostgresConnection } from './postgres/postgres-connection.ts';
import { PostgresCounters } from './postgres/postgres-counters.ts';
import { fencedPool } from './postgres/postgres-fence.ts';
import { refusePooler } from './postgres/postgres-pooler.ts';
import { PostgresPresence } from './postgres/postgres-presence.ts';
import { postgresMigratable } from './postgres/postgres-schema.ts';
import { PostgresStore } from './postgres/postgres-store.ts';
import { analyzeWhileYoung } from './postgres/postgres-young.ts';
import { postgresTaskReads } from './postgres/postgres-task-reads.ts';
import { soleProcess, type Presence } from './presence.ts';
import { backupSqlite } from './sqlite/sqlite-backup.ts';
import { SqliteConnection } from './sqlite/sqlite-connection.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { migrateInMemory, sqliteMigratable } from './sqlite/sqlite-schema.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';
import { sqliteTaskReads } from './sqlite/sqlite-task-reads.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';
import type { TaskReads } from '#api/task-reads.ts';

/** An open database, migrated to this program's schema. Its owner must close it. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  readonly store: Store;
  readonly reads: TaskReads;
  /** Counters for all processes of the database; null: it has one process, which counts for itself. */
  readonly counters: Counters | null;
  /** The part of the history that lies in other databases; null: there are none. */
  readonly older: OlderHistory | null;
  /** This process among those that serve the database. It is not there before it enters; `close` lets it leave. */
  readonly presence: Presence;
  /**
   * Reads see committed data. On SQLite a write waits for the store's present transaction, so neither it nor a Kysely
   * transaction may be awaited inside the other.
   */
  readonly db: Kysely<Tables>;
  /**
   * Moves the log into the database file, for an engine that leaves that to us; `release` also frees the log's disk space
   * at once. Rejects on disk failure, not on lack of space.
   */
  checkpoint(): Promise<void>;
  release(): Promise<void>;
  /**
   * Removes from the files of the database what was deleted from its tables. Everything waits on SQLite, which writes itself anew;
   * PostgreSQL lets what is deleted be overwritten from now on.
   */
  scrub(): Promise<void>;
  /** Writes a complete, verified copy while work goes on. Rejects when `to` exists. */
  backup(to: string): Promise<BackupReport>;
  /** Waits for running work. Afterwards every call rejects. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://…`; absent: SQLite in `dataDir`. */
  readonly url?: string;
  /** PostgreSQL only: databases for older history. */
  readonly historyGroups?: readonly GroupLocation[];
  /** Folder of `posthaste.db`, or `:memory:` for a database that ends with the process. */
  readonly dataDir: string;
  readonly log?: Log;
  /** Called once when the disk failed; every later call is refused. */
  readonly onFailure?: (error: Error) => void;
  /** Differs from this program's own only in tests of migrating. */
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
    if (connection.isMemory && options.migrations === undefined) await migrateInMemory(connection, log);
    else await migrate(sqliteMigratable(connection, log), options.migrations ?? migrations);
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
    counters: null,
    older: null,
    presence: soleProcess,
    db,
    checkpoint: () => connection.checkpoint(),
    release: () => connection.release(),
    scrub: () => connection.scrub(),
    backup: (to) => backupSqlite(path, to),
    async close() {
      await connection.close();
      await db.destroy();
    },
  };
}

async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { log = silent, onFailure = () => undefined } = options;
  await refusePooler(url);
  const connection = new PostgresConnection(url, log, onFailure);
  try {
    await migrate(postgresMigratable(connection), options.migrations ?? migrations);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const groups = await openGroups(connection, options);
  const store = new PostgresStore(connection, groups);
  const older = groups && new OlderHistory(connection, groups, log);
  const presence = new PostgresPresence({ url, log, onFailure });
  const stopLooking = analyzeWhileYoung(connection);
  // Kysely never ends the pool: the store shares it.
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: fencedPool(connection.pool) }) });
  return {
    kind: 'postgres',
    store,
    reads: postgresTaskReads(connection),
    counters: new PostgresCounters(connection),
    older,
    presence,
    db,
    checkpoint: () => Promise.resolve(),
    release: () => Promise.resolve(),
    async scrub() {
      await older?.finishErasing({ now: Date.now(), rest: () => Promise.resolve() });
      await connection.alone('VACUUM');
      await older?.scrub();
    },
    backup: (to) => backupPostgres(connection, to),
    async close() {
      stopLooking();
      await presence.leave();
      await groups?.close();
      await connection.close();
    },
  };
}

/** Null: there are none. Rejects, and closes everything, when they don't go together with the database. */
async function openGroups(
  connection: PostgresConnection,
  { historyGroups = [], log = silent }: DatabaseOptions,
): Promise<HistoryGroups | null> {
  const groups = new HistoryGroups(connection, historyGroups, log);
  try {
    await groups.check(log);
    return historyGroups.length > 0 ? groups : null;
  } catch (error) {
    await groups.close();
    await connection.close();
    throw error;
  }
}
