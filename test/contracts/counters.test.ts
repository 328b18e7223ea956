// Shared counters, in PostgreSQL and in Valkey.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'iovalkey';
import { must } from '#core/assert.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { createLogger } from '#server/observe/log.ts';
import { type OpenValkey, openValkey } from '#server/valkey/valkey.ts';
import { hasValkey, startValkey, type ValkeyServer } from '../valkey-server.ts';
import { countersContract } from './counters-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

const silent = createLogger({
  level: 'off',
  clock: { now: () => 0, monotonic: () => 0 },
  write: () => undefined,
});

describe('counters in PostgreSQL', () => {
  let postgres: PostgresInstance | undefined;
  const databases: Database[] = [];
  const countersOf = (at: number) => must(databases[at]?.counters ?? null, 'PostgreSQL has counters');
  before(async () => {
    postgres = await startPostgres();
    const url = await postgres.createDatabase();
    for (let at = 0; at < 3; at += 1) databases.push(await openDatabase({ url, dataDir: '' }));
  });
  after(async () => {
    for (const database of databases) await database.close();
    await postgres?.stop();
  });

  countersContract(() => [countersOf(0), countersOf(1), countersOf(2)]);
});

describe('counters in Valkey', () => {
  if (!hasValkey) return;

  let server: ValkeyServer | undefined;
  const opened: OpenValkey[] = [];
  before(async () => {
    server = await startValkey();
    const { url } = server;
    for (let at = 0; at < 3; at += 1) opened.push(await openValkey({ url, prefix: 'one', log: silent }));
  });
  after(async () => {
    for (const each of opened) await each.close();
    await server?.stop();
  });
  const countersOf = (at: number) => must(opened[at], 'it is open').counters;

  countersContract(() => [countersOf(0), countersOf(1), countersOf(2)]);

  test('[NODE-44] installations that share one Valkey count for themselves, and nothing of what counts no longer stays', async () => {
    const { url } = must(server ?? null, 'it is running');
    const other = await openValkey({ url, prefix: 'other', log: silent });
    const counted = { rate: 'listing', key: 'somebody' };
    const windows = [{ count: 1, windowMs: 30 }];
    assert.ok((await countersOf(0).take(counted, windows)).allowed);
    assert.ok((await other.counters.take(counted, windows)).allowed);
    await other.close();
    const client = new Redis(url.replace('valkey:', 'redis:'));
    const left = async () => (await client.keys('*:limit:listing:somebody')).length;
    const late = performance.now() + 10_000;
    while ((await left()) > 0) assert.ok(performance.now() < late, 'it stays');
    client.disconnect();
  });

  test('[NODE-45] it may come after the server; one that refuses the server says why', async () => {
    const running = must(server ?? null, 'it is running');
    const { url } = running;
    await running.crash();
    const early = await openValkey({ url, prefix: 'early', log: silent });
    const isBack = new Promise<void>((resolve) => {
      early.bus.subscribe(({ type }) => {
        if (type === 'missed') resolve();
      });
    });
    const counted = { rate: 'listing', key: 'somebody' };
    const take = () => early.counters.take(counted, [{ count: 1, windowMs: 60_000 }]);
    await assert.rejects(take());
    await running.start();
    await isBack;
    const late = performance.now() + 10_000;
    let taken = await take().catch(() => null);
    while (taken === null) {
      assert.ok(performance.now() < late, 'it does not count again');
      await new Promise((resolve) => setTimeout(resolve, 20));
      taken = await take().catch(() => null);
    }
    assert.ok(taken.allowed);
    await early.close();

    const client = new Redis(url.replace('valkey:', 'redis:'));
    await client.config('SET', 'requirepass', 'secret');
    await assert.rejects(openValkey({ url, prefix: 'late', log: silent }), /of BUS_URL refuses .*NOAUTH/);
    await client.auth('secret');
    await client.config('SET', 'requirepass', '');
    client.disconnect();
  });
});
