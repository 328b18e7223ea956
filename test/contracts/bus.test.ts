// The bus between processes, over PostgreSQL and over Valkey.
import { after, before, describe } from 'node:test';
import { Redis } from 'iovalkey';
import pg from 'pg';
import { must } from '#core/assert.ts';
import { createPostgresBus } from '#server/live/postgres-bus.ts';
import { createLogger } from '#server/observe/log.ts';
import { createValkeyBus } from '#server/valkey/valkey.ts';
import { hasValkey, startValkey, type ValkeyServer } from '../valkey-server.ts';
import { busContract } from './bus-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

const log = createLogger({
  level: 'off',
  clock: { now: () => 0, monotonic: () => 0 },
  write: () => undefined,
});

describe('the bus in PostgreSQL', () => {
  let postgres: PostgresInstance | undefined;
  let beside: pg.Client | undefined;
  let url = '';
  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    beside = new pg.Client({ connectionString: url });
    await beside.connect();
  });
  after(async () => {
    await beside?.end();
    await postgres?.stop();
  });

  busContract(() => ({
    open: () => createPostgresBus({ url, log }),
    async cut() {
      await beside?.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'posthaste-bus'",
      );
    },
    async say(text) {
      await beside?.query('SELECT pg_notify($1, $2)', ['posthaste', text]);
    },
  }));
});

describe('the bus in Valkey', () => {
  if (!hasValkey) return;

  let server: ValkeyServer | undefined;
  before(async () => {
    server = await startValkey();
  });
  after(() => server?.stop());
  const running = () => must(server ?? null, 'it is running');

  busContract(() => ({
    open: () => createValkeyBus({ url: running().url, prefix: 'one', log }),
    async cut() {
      await running().crash();
      await running().start();
    },
    async say(text) {
      const client = new Redis(running().url.replace('valkey:', 'redis:'));
      await client.publish('one:news', text);
      await client.quit();
    },
  }));
});
