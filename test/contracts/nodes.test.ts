// Several servers on one PostgreSQL database: which of them leads, and what happens to work of one that leads no more.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openGenerations } from '#server/care/generations.ts';
import { systemClock } from '#server/clock.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { DeposedError, fenced, fencedTerm, unfenced } from '#server/data/fence.ts';
import { sharesSessions } from '#server/data/postgres/postgres-pooler.ts';
import type { NodeSelf } from '#server/data/presence.ts';
import { openBlobs } from '#server/files/blobs.ts';
import { parseBucket } from '#server/files/bucket.ts';
import { hindranceOf } from '#server/nodes/admission.ts';
import { mayGoOn, whileLeading } from '#server/nodes/leading.ts';
import { tryBlobs } from '#server/nodes/try-files.ts';
import { startBucket } from '../bucket-server.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { someAccount, someId } from './store-samples.ts';

const LEADER_LOCK = 7_264_485;

describe('the servers of one database', { concurrency: true }, () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());

  /** A database, and servers that are there as the real ones are. */
  async function createCluster(context: TestContext) {
    assert.ok(instance);
    const url = await instance.createDatabase();
    const beside = new pg.Client({ connectionString: url });
    await beside.connect();
    context.after(() => beside.end());
    const failures: Error[] = [];
    const join = async (changes: Partial<NodeSelf> = {}) => {
      const onFailure = (error: Error) => void failures.push(error);
      const database = await openDatabase({ url, dataDir: '', onFailure });
      context.after(() => database.close());
      const one = { build: '1', protocol: 8, keyFingerprint: 'k', bucket: 'b' };
      const self: NodeSelf = { id: someId(), ...one, ...changes };
      const admit = async (others: readonly NodeSelf[], activated: number) => {
        const hindrance = hindranceOf(self, others, activated);
        if (hindrance) throw hindrance;
      };
      await openGenerations(database, systemClock, { self, admit });
      return database;
    };
    /** Ends the connection with the locks of the server that leads. */
    const cutOff = () =>
      beside.query(
        'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = $1 AND granted ' +
          'AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
        [LEADER_LOCK],
      );
    return { join, beside, cutOff, failures };
  }

  const changed = ({ presence: { leadership } }: Database) =>
    new Promise<number | null>((resolve) => {
      const end = leadership.watch(() => {
        end();
        resolve(leadership.term);
      });
    });

  const addScope = (database: Database) =>
    database.store.createScope({ id: someId(), kind: 'list', owner: someAccount() });
  const rename = (database: Database) =>
    database.db.updateTable('generation').set({ nonce: someId() }).executeTakeFirstOrThrow();

  test('[NODE-5] [NODE-6] [NODE-7] one leads; cut off it stops at once, another one leads, and what it still writes is refused', async (t) => {
    const { join, beside, cutOff } = await createCluster(t);
    const [one, two] = [await join(), await join()];
    const { leadership } = one.presence;
    assert.deepEqual([leadership.term, two.presence.leadership.term], [1, null]);
    assert.equal(await whileLeading(two.presence.leadership, async () => 'work'), null);
    assert.equal(await whileLeading(leadership, async () => fencedTerm()), 1);
    const nonces = async () => (await beside.query('SELECT nonce FROM generation')).rows;
    const scopes = async () => (await beside.query('SELECT count(*)::int AS count FROM scope')).rows[0].count;
    await fenced(1, async () => {
      await addScope(one);
      await rename(one);
      await one.db.transaction().execute((tx) => tx.updateTable('leader').set({ since: 5 }).execute());
    });
    assert.equal(await scopes(), 1);
    const before = await nonces();

    // Work that is under way while its server is cut off, and goes on without knowing.
    const [stopped, next] = [changed(one), changed(two)];
    await fenced(1, async () => {
      assert.equal(mayGoOn(leadership), true);
      await cutOff();
      assert.equal(await stopped, null);
      assert.equal(mayGoOn(leadership), false);
      const startedAt = performance.now();
      assert.equal(await next, 2);
      assert.ok(performance.now() - startedAt < 15_000);
      await assert.rejects(addScope(one), DeposedError);
      await assert.rejects(rename(one), DeposedError);
      const inside = one.db.transaction().execute((tx) => tx.deleteFrom('generation').execute());
      await assert.rejects(inside, DeposedError);
      // Reading, and what is done for others, goes on.
      assert.equal((await one.db.selectFrom('generation').select('idx').execute()).length, 1);
      await unfenced(() => addScope(one));
    });
    assert.deepEqual([await nonces(), await scopes()], [before, 2]);
    await fenced(2, () => rename(two));
    // Connections that were refused go on for others.
    await Promise.all(Array.from({ length: 20 }, () => rename(one)));
  });

  test('[NODE-5] when a server ends in order, another one leads', async (t) => {
    const { join, beside } = await createCluster(t);
    const [one, two] = [await join(), await join()];
    const next = changed(two);
    await one.close();
    assert.equal(await next, 2);
    const { rows } = await beside.query<{ id: string }>('SELECT id FROM node');
    assert.equal(rows.length, 1);
  });

  test('[NODE-9] a protocol is put to use when every server understands it, and who does not may not come any more', async (t) => {
    const { join, beside } = await createCluster(t);
    const activated = async () =>
      Number((await beside.query('SELECT activated FROM leader')).rows[0].activated);
    const [old, newer, other] = [await join(), await join({ protocol: 9 }), await join()];
    const scope = { id: someId(), kind: 'list', owner: someAccount() } as const;
    await newer.store.createScope(scope);
    const raise = () =>
      newer.store.write(async (tx) => {
        await tx.lockScopes([scope.id]);
        await tx.raiseMinSchema(scope.id, 9);
      });
    await assert.rejects(raise, /not every server/);
    // Either of the two leads now.
    const next = Promise.race([changed(newer), changed(other)]);
    await old.close();
    assert.equal(await next, 2);
    const seen = async () =>
      (await beside.query('SELECT seen_at FROM node WHERE protocol = 9')).rows[0].seen_at as string;
    // It looks again, and the other one is still there.
    for (const first = await seen(); (await seen()) === first;) await delay(20);
    await assert.rejects(raise, /not every server/);
    assert.equal(await activated(), 8);
    await other.close();
    while ((await activated()) < 9) await delay(20);
    await raise();
    assert.equal((await newer.store.scope(scope.id))?.minSchema, 9);
    await assert.rejects(join(), /Start the newer version/);
  });

  test('[NODE-1] [NODE-3] a server that does not go together with those that are there is refused, and one that is alone is not', async (t) => {
    const { join, beside } = await createCluster(t);
    const one = await join({ bucket: null });
    // One that was killed: what it said of itself is still there, its lock is not.
    await beside.query(
      "INSERT INTO node (id, number, started_at, seen_at, build, protocol, key_fingerprint) VALUES ('x', 5, 1, 1, '1', 8, 'gone')",
    );
    await assert.rejects(join({ keyFingerprint: 'other' }), /same SERVER_KEY/);
    await assert.rejects(join(), /keeps files in its own folder/);
    await one.close();
    await join({ keyFingerprint: 'other' });
  });

  test('[NODE-4] a pooler that changes sessions is found out', async (t) => {
    const { beside } = await createCluster(t);
    const pid = async () => Number((await beside.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
    const shared = { pid, begin: pid };
    assert.equal(await sharesSessions(shared, shared), true, 'two clients have one session');
    const own = (...pids: readonly number[]) => {
      const left = [...pids];
      const next = async () => left.shift() ?? 0;
      return { pid: next, begin: next };
    };
    assert.equal(await sharesSessions(own(1, 3), own(2)), true, 'a client has another session than before');
    assert.equal(await sharesSessions(own(1, 1), own(2)), false);
  });
});

describe('a bucket that is tried', () => {
  test('[NODE-3] takes a file, gives it back and deletes it, or the error says what it did not do', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'posthaste-probe-'));
    const bucket = await startBucket();
    t.after(async () => {
      bucket.close();
      await rm(folder, { recursive: true });
    });
    const blobs = openBlobs(folder, parseBucket(bucket.url));
    await tryBlobs(blobs);
    assert.equal(bucket.objects.size, 0);
    bucket.fail(403);
    await assert.rejects(tryBlobs(blobs), /answered 403/);
    bucket.fail(null);
    await assert.rejects(tryBlobs(keeping(blobs)), /does not delete/);
  });
});

/** Storage that forgets nothing. */
function keeping(blobs: ReturnType<typeof openBlobs>): ReturnType<typeof openBlobs> {
  return {
    put: (...args) => blobs.put(...args),
    size: (hash) => blobs.size(hash),
    read: (hash, range) => blobs.read(hash, range),
    older: (time) => blobs.older(time),
    removeOlder: (hash, time) => blobs.removeOlder(hash, time),
    remove: async () => undefined,
  };
}
