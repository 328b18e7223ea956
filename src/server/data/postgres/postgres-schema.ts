// Migrates a PostgreSQL database: each migration in one transaction, one server at a time.
import type { Migratable } from '../migrate.ts';
import type { PostgresConnection, Session } from './postgres-connection.ts';

/** Distinguishes our advisory lock from those of other users of the database server. */
const MIGRATION_LOCK = 7_264_481;

const CREATE_VERSIONS =
  'CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)';

export async function readSchemaVersion(session: Session): Promise<number> {
  // Read from the catalog itself: to_regclass may answer from before this transaction waited for the migration lock.
  const { rows } = await session.client.query<{ found: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'schema_version' AND pg_table_is_visible(oid)) AS found",
  );
  if (rows[0]?.found !== true) return 0;
  const newest = await session.client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM schema_version',
  );
  return newest.rows[0]?.version ?? 0;
}

async function readApplied(session: Session): Promise<ReadonlySet<number>> {
  if ((await readSchemaVersion(session)) === 0) return new Set();
  const { rows } = await session.client.query<{ version: number }>('SELECT version FROM schema_version');
  return new Set(rows.map(({ version }) => version));
}

export async function recordSchemaVersion(session: Session, version: number, name: string): Promise<void> {
  await session.client.query(CREATE_VERSIONS);
  const values = [version, name, Date.now()];
  await session.client.query(
    'INSERT INTO schema_version (version, name, applied_at) VALUES ($1, $2, $3)',
    values,
  );
}

/** PostgreSQL's side of migrating, under an advisory lock. */
export function postgresMigratable(connection: PostgresConnection): Migratable {
  let transaction: Session | null = null;
  return {
    kind: 'postgres',
    exclusively: (work) =>
      connection.write(async (session) => {
        // A migration may take as long as it needs, and wait for another server's.
        await session.takeTime();
        await session.client.query('SET LOCAL lock_timeout = 0');
        await session.client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        transaction = session;
        try {
          await work();
        } finally {
          transaction = null;
        }
      }),
    applied: async () => (transaction ? await readApplied(transaction) : await connection.read(readApplied)),
    run: async (sql) => {
      await transaction?.client.query(sql);
    },
    record: async (version, name) => {
      if (transaction) await recordSchemaVersion(transaction, version, name);
    },
    // The operator's own backups (pg_basebackup, or the backup command) cover a database server.
    beforeUpgrade: async () => undefined,
  };
}
