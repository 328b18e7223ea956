// Several real servers on one PostgreSQL database: who may join, and who leads when one is killed, or stands still and comes back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openGenerations } from '#server/care/generations.ts';
import { systemClock } from '#server/clock.ts';
import { openDatabase } from '#server/data/database.ts';
import { fenced } from '#server/data/fence.ts';
import { type BucketServer, startBucket } from '../bucket-server.ts';
import { type PostgresInstance, startPostgres } from '../contracts/postgres-instance.ts';
import { someId } from '../contracts/store-samples.ts';
import { type ServerChild, startServerChild } from './server-child.ts';

const WRITER = fileURLToPath(new URL('leading-writer.ts', import.meta.url));
/** How long the database waits for one that stands still, and how long it takes another one to ask. */
const STANDING_STILL_MS = 45_000;
const KILLED_MS = 15_000;

describe('real servers of one database', { concurrency: true }, () => {
  let instance: PostgresInstance | undefined;
  let bucket: BucketServer | undefined;
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-nodes-'));
    bucket = await startBucket();
    instance = await startPostgres();
  });
  after(async () => {
    await instance?.stop();
    bucket?.close();
    await rm(root, { recursive: true });
  });

  const leads = async ({ address }: ServerChild) =>
    /^posthaste_leader 1$/m.test(await (await fetch(`${address}/metrics`)).text());

  async function until(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
    const late = performance.now() + limitMs;
    while (!(await isSo())) {
      assert.ok(performance.now() < late, `not within ${limitMs} ms`);
      await delay(50);
    }
  }

  test('[NODE-1] [NODE-3] [NODE-5] [NODE-7] who does not go together is refused; one leads, and another one when it is killed or stands still', async (t) => {
    assert.ok(instance && bucket);
    const url = (await instance.createDatabase()).replace('@/', '@localhost/');
    const environment = {
      DATABASE_URL: url,
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: bucket.url,
      BACKUPS: 'off',
    };
    const start = async (changes: Record<string, string> = {}) => {
      const server = await startServerChild(join(root, someId()), { ...environment, ...changes });
      t.after(() => server.kill());
      return server;
    };
    const one = await start();
    const [otherKey, noKey, noBucket] = [
      start({ SERVER_KEY: Buffer.alloc(32, 8).toString('base64') }),
      start({ SERVER_KEY: '' }),
      start({ BLOB_URL: '' }),
    ];
    await Promise.all([
      assert.rejects(otherKey, /ended with 1: .*sealed with another key/s),
      assert.rejects(noKey, /ended with 1: .*has no server\.key/s),
      assert.rejects(noBucket, /ended with 1: .*Set BLOB_URL, the same for all of them/s),
    ]);
    const two = await start();
    assert.deepEqual([await leads(one), await leads(two)], [true, false]);

    one.child.kill('SIGSTOP');
    await until(() => leads(two), STANDING_STILL_MS);
    one.child.kill('SIGCONT');
    await until(async () => (await fetch(`${one.address}/readyz`)).ok && !(await leads(one)), KILLED_MS);
    assert.ok(await leads(two));

    await two.kill();
    await until(() => leads(one), KILLED_MS);
  });

  test('[NODE-13] when another database server takes over, a server begins anew by itself', async (t) => {
    assert.ok(instance);
    const other = await startPostgres();
    t.after(() => other.stop());
    const [url, next] = await Promise.all(
      [instance, other].map(async (of) => new URL((await of.createDatabase()).replace('@/', '@localhost/'))),
    );
    assert.ok(url && next);
    const address = join(root, 'a');
    const socketsOf = ({ searchParams }: URL) => searchParams.get('host') ?? '';
    symlinkSync(socketsOf(url), address);
    const [name, admin] = [url.pathname.slice(1), new pg.Client({ connectionString: next.href })];
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    const beside = new pg.Client({ connectionString: url.href });
    await beside.connect();
    t.after(() => beside.end());
    url.searchParams.set('host', address);
    const server = await startServerChild(join(root, someId()), {
      DATABASE_URL: url.href,
      BACKUPS: 'off',
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    t.after(() => server.kill());
    unlinkSync(address);
    symlinkSync(socketsOf(next), address);
    await beside.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const isReady = () =>
      fetch(`${server.address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => server.lastOutput().split('Posthaste is ready').length === 3, STANDING_STILL_MS);
    assert.ok(server.lastOutput().includes('database_changed'));
    assert.ok(await isReady());
    assert.equal(server.child.exitCode, null);
  });

  test('[NODE-7] a leader that stood still in the middle of its work writes nothing of it when it goes on', async (t) => {
    assert.ok(instance);
    const url = await instance.createDatabase();
    const database = await openDatabase({ url, dataDir: '' });
    const beside = new pg.Client({ connectionString: url });
    await beside.connect();
    await beside.query('CREATE TABLE proof (number bigserial, term bigint NOT NULL)');
    const writer = spawn(process.execPath, [WRITER, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(async () => {
      writer.kill('SIGKILL');
      await beside.end();
      await database.close();
    });
    let said = '';
    writer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until(async () => said.includes('leading'), KILLED_MS);
    const { leadership } = database.presence;
    const self = { id: someId(), build: '1', protocol: 8, keyFingerprint: 'k', bucket: 'b' };
    await openGenerations(database, systemClock, { self });
    writer.kill('SIGSTOP');
    await until(async () => leadership.term !== null, STANDING_STILL_MS);
    const term = leadership.term ?? 0;
    await fenced(term, () => database.store.createScope({ id: someId(), kind: 'list', owner: 1 }));
    await beside.query('INSERT INTO proof (term) VALUES ($1)', [term]);
    const ended = once(writer, 'exit');
    writer.kill('SIGCONT');
    await ended;
    assert.match(said, /deposed/);
    const { rows } = await beside.query<{ term: string }>('SELECT term FROM proof ORDER BY number');
    assert.equal(rows.filter((row) => row.term === '1').length > 10, true);
    assert.equal(rows.at(-1)?.term, String(term));
  });
});
