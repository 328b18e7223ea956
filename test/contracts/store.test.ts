// Runs the contract of the Store port on every engine, and what only one of them can show.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Id } from '#core/ids.ts';
import { openDatabase } from '#server/data/database.ts';
import { PostgresConnection, type Session } from '#server/data/postgres/postgres-connection.ts';
import { databaseContract } from './database-contract.ts';
import { lifecycleContract } from './lifecycle-contract.ts';
import { plansContract } from './postgres-plans-contract.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { storeContract } from './store-contract.ts';
import { emptyBatch, newScope } from './store-samples.ts';
import { taskReadsContract } from './task-reads-contract.ts';

async function openFile() {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-store-'));
  const database = await openDatabase({ dataDir });
  return {
    ...database,
    close: async () => {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const openMemory = () => openDatabase({ dataDir: ':memory:' });

storeContract('SQLite in a file', openFile);
databaseContract('SQLite in a file', openFile);
taskReadsContract('SQLite in a file', openFile);
storeContract('SQLite in memory', openMemory);
databaseContract('SQLite in memory', openMemory);

describe('SQLite in a file', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-life-'));
  });
  after(() => rm(root, { recursive: true }));
  lifecycleContract('SQLite in a file', async () => ({ dataDir: join(root, randomUUID()) }));
});

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  const open = async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  };

  storeContract('PostgreSQL', open);
  plansContract(() => {
    assert.ok(instance);
    return instance.createDatabase();
  });
  databaseContract('PostgreSQL', open);
  taskReadsContract('PostgreSQL', open);
  test('a transaction that PostgreSQL gives up runs again from the start', async () => {
    const database = await open();
    const [one, two] = [await newScope(database.store), await newScope(database.store)];
    let [attempts, holding] = [0, 0];
    let bothHold = () => {};
    const barrier = new Promise<void>((resolve) => {
      bothHold = resolve;
    });
    const bump = (first: Id, second: Id) =>
      database.store.write(async (tx) => {
        attempts += 1;
        const head = (await tx.lockScopes([first])).get(first)!;
        holding += 1;
        if (holding === 2) bothHold();
        await barrier;
        const other = (await tx.lockScopes([second])).get(second)!;
        const scopes = [head, other].map((scope) => ({ ...scope, version: scope.version + 1 }));
        await tx.save({ ...emptyBatch, scopes });
      });
    await Promise.all([bump(one, two), bump(two, one)]);
    // On a very busy machine the one that runs again may wait for its lock longer than it may, and run once more.
    assert.ok(attempts >= 3, 'one of them was the victim of a deadlock');
    for (const id of [one, two]) assert.equal((await database.store.scope(id))?.version, 2);
    await database.close();
  });

  test('a connection that breaks before COMMIT loses nothing: the work runs again', async () => {
    const database = await open();
    const scope = await newScope(database.store);
    const me = sql<{ pid: number }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND state = 'idle in transaction'`;
    let attempts = 0;
    await database.store.write(async (tx) => {
      attempts += 1;
      const head = (await tx.lockScopes([scope])).get(scope)!;
      if (attempts === 1) {
        const { rows } = await me.execute(database.db);
        await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(database.db);
      }
      await tx.save({ ...emptyBatch, scopes: [{ ...head, version: head.version + 1 }] });
    });
    assert.equal(attempts, 2);
    assert.equal((await database.store.scope(scope))?.version, 1);
    await database.close();
  });

  test('a connection that breaks while a statement runs in it ends that statement, not the process', async () => {
    const database = await open();
    const refused = assert.rejects(
      database.db.transaction().execute(async (transaction) => {
        await sql`SELECT pg_sleep(4)`.execute(transaction);
      }),
    );
    const cut = sql<{ isCut: boolean }>`SELECT pg_terminate_backend(pid, 5000) AS "isCut"
      FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(4)' AND pid <> pg_backend_pid()`;
    while ((await cut.execute(database.db)).rows.length === 0);
    await refused;
    await newScope(database.store);
    await database.close();
  });

  describe('a connection to PostgreSQL', () => {
    const pid = { name: 'test-pid', text: 'SELECT pg_backend_pid()' };
    let connection: PostgresConnection;
    before(async () => {
      connection = new PostgresConnection(await instance!.createDatabase(), () => undefined);
    });
    after(() => connection.close());

    test('carries short reads of one turn together; one that fails fails alone', async () => {
      const [one, bad, other] = await Promise.allSettled([
        connection.short(pid),
        connection.short({ name: 'test-bad', text: 'SELECT 1 / $1::int' }, 0),
        connection.short(pid),
      ]);
      assert.equal(bad.status, 'rejected');
      assert.ok(one.status === 'fulfilled' && other.status === 'fulfilled');
      assert.deepEqual(one.value, other.value);
    });

    test('takes another one for short reads after theirs has broken', async () => {
      const [[before_] = []] = await connection.short(pid);
      const sleeping = connection.short({ name: 'test-sleep', text: 'SELECT pg_sleep(4), pg_backend_pid()' });
      const behind = connection.short(pid);
      const gone = Promise.all([assert.rejects(sleeping), assert.rejects(behind)]);
      const cut = {
        name: 'test-cut',
        text:
          'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() ' +
          "AND state = 'active' AND query LIKE '%pg_sleep(4)%' AND pid <> pg_backend_pid()",
      };
      while ((await connection.all(cut)).length === 0);
      await gone;
      const [[after_] = []] = await connection.short(pid);
      assert.notEqual(after_, undefined);
      assert.notEqual(after_, before_);
    });

    test('begins a write only inside a transaction, and lets nothing of it follow its end', async () => {
      await connection.all({ name: 'test-make', text: 'CREATE TABLE number (n bigint)' });
      const add = { name: 'test-add', text: 'INSERT INTO number VALUES ($1)' };
      const all = { name: 'test-all', text: 'SELECT n FROM number ORDER BY n' };
      const left: Session[] = [];
      const failed = connection.writeAtOnce(async (session) => {
        left.push(session);
        await Promise.all([
          session.all(all),
          session.run(add, 1),
          session.run(add, 'no number'),
          session.run(add, 2),
        ]);
      });
      await assert.rejects(failed, /no number/);
      assert.deepEqual(await connection.all(all), []);
      await assert.rejects(left[0]!.run(add, 3), /ended/);
      await connection.writeAtOnce((session) => session.run(add, 4));
      assert.deepEqual(await connection.all(all), [[4]]);
    });
  });

  lifecycleContract('PostgreSQL', async () => {
    assert.ok(instance);
    return { url: await instance.createDatabase(), dataDir: '' };
  });
});
