// The whole of replication on a server, without its doors, in one value: what is bundled as the server of a protocol
// version. It keeps its data in memory.
import { rowToWire } from '#sync/rows/codec.ts';
import { migrate, migrations } from '#server/data/migrate.ts';
import { SqliteConnection } from '#server/data/sqlite/sqlite-connection.ts';
import { sqliteMigratable } from '#server/data/sqlite/sqlite-schema.ts';
import { SqliteStore } from '#server/data/sqlite/sqlite-store.ts';
import { createExchange } from '#server/sync/exchange.ts';
import { protocolVersion } from '#wire/version.ts';

async function openStore(): Promise<SqliteStore> {
  const connection = new SqliteConnection(':memory:', () => undefined);
  await migrate(
    sqliteMigratable(connection, () => undefined),
    migrations,
  );
  return new SqliteStore(connection);
}

export const server = { protocolVersion, openStore, createExchange, rowToWire };

export type Server = typeof server;
