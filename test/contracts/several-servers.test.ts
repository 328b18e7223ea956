// Several servers on one PostgreSQL database: one generation for all of them, whichever a device asks.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inboxId, type Id } from '#core/ids.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openGenerations } from '#server/care/generations.ts';
import { systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/data/database.ts';
import { storageTrouble } from '#server/data/storage-trouble.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import type { ScopeChanges, SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { type BucketServer, startBucket } from '../bucket-server.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { listIn, place, title, type Said } from './scopes-world.ts';
import { someAccount, someId } from './store-samples.ts';

const hashParameters = { memory: 64, passes: 1, parallelism: 1 };
/** As in postgres-presence.ts. */
const [SERVING_LOCK, ENTERING_LOCK] = [7_264_482, 7_264_483];

/** Resolves when it is so: what servers do by themselves takes a moment. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < late, 'it never is');
    await delay(5);
  }
}

/** A device that keeps what it is told, of a person whose scopes it reads. */
class Phone {
  readonly actor: AccountActor;
  readonly device = someId();
  readonly rows = new Map<Id, { scope: Id; version: number }>();
  cursors: Record<Id, { generation: string; version: number }> = {};
  rollbacks = 0;
  resyncs = 0;
  #seq = 0;
  #ack = 0;

  constructor(actor: AccountActor) {
    this.actor = actor;
  }

  async sync({ services }: RunningServer, ...said: readonly Said[]): Promise<SyncResponse> {
    const ops = said.map((action) => {
      this.#seq += 1;
      const scope = action.scope ?? this.actor.personalScope;
      const b = this.cursors[scope]?.version ?? 0;
      return { q: this.#seq, u: someId(), t: Date.now(), b, ...action, scope };
    });
    const head = { schema: protocolVersion, device: this.device, clientNow: Date.now(), ack: this.#ack };
    const answer = await services.exchange.sync(this.actor, { ...head, ops, cursors: this.cursors });
    assert.ok(answer.ok, JSON.stringify(answer));
    this.#ack = this.#seq;
    for (const change of answer.value.changes) this.#take(change);
    return answer.value;
  }

  /** As `sync`; everything must be applied. */
  async act(server: RunningServer, ...said: readonly Said[]): Promise<void> {
    const { results } = await this.sync(server, ...said);
    assert.deepEqual(
      results.map(([, verdict]) => verdict),
      said.map(() => 'ok'),
    );
  }

  #take({ scope, generation, to, rows, gone, moved = [], ...change }: ScopeChanges): void {
    if (change.rollback !== undefined) this.rollbacks += 1;
    if (change.resync === true) this.resyncs += 1;
    for (const { id, v: version } of rows) this.rows.set(id, { scope, version });
    for (const id of gone) if (this.rows.get(id)?.scope === scope) this.rows.delete(id);
    for (const [id, other, , , version] of moved)
      if (this.rows.get(id)?.scope === scope) this.rows.set(id, { scope: other, version });
    this.cursors[scope] = { generation, version: to };
  }

  sumOf(scope: Id): string {
    const sum = new DigestSum();
    for (const [id, row] of this.rows) if (row.scope === scope) sum.add(id, row.version);
    return sum.value;
  }
}

describe('several servers on one PostgreSQL database', () => {
  let instance: PostgresInstance | undefined;
  let bucket: BucketServer | undefined;
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-several-'));
    bucket = await startBucket();
    instance = await startPostgres();
  });
  after(async () => {
    await instance?.stop();
    bucket?.close();
    await rm(root, { recursive: true });
  });

  /** A database, servers for it, and a connection beside them. */
  async function createCluster(context: TestContext) {
    assert.ok(instance);
    const url = (await instance.createDatabase()).replace('@/', '@localhost/');
    const beside = new pg.Client({ connectionString: url });
    await beside.connect();
    context.after(() => beside.end());
    const start = async () => {
      const config = readConfig({
        PORT: '0',
        DATA_DIR: join(root, someId()),
        DATABASE_URL: url,
        SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'off',
        DRAIN_SECONDS: '0',
        BACKUPS: 'off',
        BLOB_URL: bucket?.url,
      });
      assert.ok(config.ok, JSON.stringify(config));
      const server = await startServer(config.value, { hashParameters });
      context.after(() => server.close());
      return server;
    };
    const open = async () => {
      const database = await openDatabase({ url, dataDir: '' });
      context.after(() => database.close());
      return database;
    };
    const generations = async () => {
      const found = await beside.query<{ nonce: string }>('SELECT nonce FROM generation ORDER BY idx');
      return found.rows.map(({ nonce }) => nonce);
    };
    const holding = async (lock: number, how: string) => {
      const inside = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
      const found = await beside.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND ${inside} AND ${how}`,
        [lock],
      );
      return found.rows.map(({ pid }) => pid);
    };
    const present = () => holding(SERVING_LOCK, "mode = 'ShareLock' AND granted");
    const waiting = () => holding(ENTERING_LOCK, 'NOT granted');
    const keepOut = () => beside.query(`SELECT pg_advisory_lock(${ENTERING_LOCK})`);
    const letIn = () => beside.query(`SELECT pg_advisory_unlock(${ENTERING_LOCK})`);
    /** Cuts every server off from its lock; they get it back when nobody enters any more. */
    const cutOff = async () => {
      await keepOut();
      await beside.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [await present()]);
    };
    return { start, open, beside, generations, present, waiting, keepOut, cutOff, letIn };
  }

  /** A person with a list that is a scope of its own, and devices. */
  async function createPerson(server: RunningServer) {
    const { store } = server.database;
    const [account, personalScope, shared, list] = [someAccount(), someId(), someId(), someId()];
    await store.createScope({ id: personalScope, kind: 'personal', owner: account });
    await store.createScope({ id: shared, kind: 'list', owner: account });
    const actor: AccountActor = {
      type: 'account',
      account,
      session: someId(),
      kind: 'web',
      personalScope,
      roles: new Map([personalScope, shared].map((scope) => [scope, 'owner'])),
    };
    const inbox = inboxId(personalScope);
    const phone = new Phone(actor);
    await phone.act(server, listIn(personalScope, inbox, { listType: 'inbox' }));
    await new Phone({ ...actor, isServer: true }).act(
      server,
      listIn(shared, list, { listType: 'list', name: 'Shared' }),
    );
    return { phone, tablet: new Phone(actor), personalScope, shared, inbox, list };
  }

  const task = (id: Id, parent: Id, scope: Id): Said => ({
    a: 'create',
    scope,
    id,
    type: 'task',
    fields: {},
    place: { parent },
  });

  const endOf = ({ failed }: RunningServer) =>
    Promise.race([failed, delay(10_000, 'It goes on.', { ref: false })]);

  const isRefused = async (phone: Phone, server: RunningServer): Promise<boolean> => {
    try {
      await phone.sync(server);
      return false;
    } catch (error) {
      assert.equal(storageTrouble(error), 'unavailable', String(error));
      return true;
    }
  };

  test('[SYNC-99] the first opens a generation, who comes while it is there joins it, and the next one opens when all have gone', async (t) => {
    const { start, generations } = await createCluster(t);
    const one = await start();
    const opened = await generations();
    assert.equal(opened.length, 1);
    const two = await start();
    assert.deepEqual(await generations(), opened);
    await one.close();
    const three = await start();
    assert.deepEqual(await generations(), opened, 'the second is there');
    await two.close();
    await three.close();
    await start();
    assert.equal((await generations()).length, 2);
  });

  test('[SYNC-99] servers that start at the same moment open one generation', async (t) => {
    const { open, generations, present, waiting, keepOut, letIn } = await createCluster(t);
    const databases = [await open(), await open(), await open(), await open()];
    await keepOut();
    const starting = Promise.all(databases.map((database) => openGenerations(database, systemClock)));
    await until(async () => (await waiting()).length + (await present()).length === 4);
    assert.deepEqual(await present(), [], 'they come one by one');
    await letIn();
    const started = await starting;
    const [only, ...more] = await generations();
    assert.deepEqual(more, []);
    for (const { known, isOpen } of started) assert.deepEqual([known.at(-1)?.nonce, isOpen], [only, true]);
    assert.equal((await present()).length, 4);
  });

  test('[SYNC-99] who waits for one that comes to nothing is the first', async (t) => {
    const { open, present } = await createCluster(t);
    const [one, two] = [await open(), await open()];
    const { promise: full, reject } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const begin = () => {
      begun.resolve();
      return full;
    };
    const failing = one.presence.enter({ begin, current: () => undefined });
    await begun.promise;
    const next = two.presence.enter({ begin: () => Promise.resolve(), current: () => undefined });
    reject(new Error('no room'));
    await assert.rejects(failing, /no room/);
    assert.equal(await next, 'first');
    assert.equal((await present()).length, 1);
    assert.equal(one.presence.isLost, false, 'it never was there');
    const late = one.presence.enter({ begin: () => Promise.reject(new Error()), current: () => undefined });
    assert.equal(await late, 'joined');
  });

  test('[SYNC-99] a thousand syncs that alternate between two servers, with rows that move, know of no rollback', async (t) => {
    const { start } = await createCluster(t);
    const servers = [await start(), await start()] as const;
    const { phone, tablet, personalScope, shared, inbox, list } = await createPerson(servers[0]);
    const homes = [
      { scope: personalScope, parent: inbox },
      { scope: shared, parent: list },
    ] as const;
    const tasks: Id[] = [];
    for (let turn = 0; turn < 1_000; turn += 1) {
      const device = turn % 4 < 2 ? phone : tablet;
      const server = servers[turn % 2 === 0 ? 0 : 1];
      const id = tasks[(turn * 7) % Math.max(1, tasks.length)];
      const held = id === undefined ? undefined : device.rows.get(id);
      if (id === undefined || held === undefined || turn % 10 === 0) {
        const made = someId();
        tasks.push(made);
        const home = homes[turn % 20 === 0 ? 0 : 1];
        await device.act(server, task(made, home.parent, home.scope));
      } else if (turn % 3 === 0) {
        const away = homes[held.scope === shared ? 0 : 1];
        await device.act(server, place(id, away.parent, held.scope));
      } else if (turn % 3 === 1) {
        await device.act(server, title(id, `Turn ${turn}`, { scope: held.scope }));
      } else {
        await device.sync(server);
      }
    }
    for (const device of [phone, tablet]) {
      await device.sync(servers[0]);
      assert.deepEqual([device.rollbacks, device.resyncs], [0, 0]);
      for (const { scope } of homes) {
        const head = await servers[1].database.store.scope(scope);
        assert.equal(device.sumOf(scope), head?.digest);
      }
    }
    const moved = await servers[0].database.db.selectFrom('entity').select('hops').execute();
    assert.ok(moved.some(({ hops }) => hops > 1));
  });

  test('[SYNC-142] a large tree moves by one of two servers, while devices write by both', async (t) => {
    const { start } = await createCluster(t);
    const servers = [await start(), await start()] as const;
    const { phone, tablet, personalScope, shared, inbox, list } = await createPerson(servers[0]);
    const ids = Array.from({ length: 900 }, someId);
    const parentOf = (at: number): Id => (at === 0 ? inbox : (ids[Math.floor((at - 1) / 10)] ?? inbox));
    for (let from = 0; from < ids.length; from += 300)
      await phone.act(
        servers[0],
        ...ids.slice(from, from + 300).map((id, at) => task(id, parentOf(from + at), personalScope)),
      );
    await tablet.sync(servers[1]);
    await phone.act(servers[0], place(ids[0] ?? list, list, personalScope));
    const { store } = servers[0].database;
    let turn = 0;
    await until(async () => {
      turn += 1;
      const id = ids[(turn * 37) % ids.length] ?? list;
      await tablet.act(servers[turn % 2 === 0 ? 0 : 1], title(id, `Turn ${turn}`));
      return (await store.transfers()).length === 0;
    });
    await tablet.sync(servers[1]);
    await phone.sync(servers[0]);
    for (const device of [phone, tablet]) {
      for (const id of ids) assert.equal(device.rows.get(id)?.scope, shared);
      for (const scope of [personalScope, shared])
        assert.equal(device.sumOf(scope), (await store.scope(scope))?.digest);
    }
    const moved = await servers[1].database.db
      .selectFrom('entity')
      .select('hops')
      .where('hops', '>', 1)
      .execute();
    assert.deepEqual(moved, [], 'each moves once');
  });

  test('[SYNC-100] a generation that one server opens is that of all of them, before they tell or write what was written in it', async (t) => {
    const { start, generations } = await createCluster(t);
    const [one, two] = [await start(), await start()];
    const { phone, tablet, personalScope, shared, inbox, list } = await createPerson(one);
    await tablet.sync(one);
    const [earlier] = await generations();
    await two.database.store.openGeneration(someId(), Date.now());
    const later = (await generations()).at(-1);
    // Its cursor is of a generation that neither of them has read.
    const newest = { ...phone.cursors[shared], generation: later ?? '', version: 1 };
    phone.cursors[shared] = newest;
    await phone.sync(two);
    await phone.act(two, task(someId(), inbox, personalScope));
    // The first knows the earlier one only, and so does the tablet.
    assert.equal(tablet.cursors[personalScope]?.generation, earlier);
    await tablet.act(one, task(someId(), inbox, personalScope));
    assert.equal(tablet.cursors[personalScope]?.generation, later);
    await tablet.act(one, task(someId(), list, shared));
    for (const scope of [personalScope, shared])
      assert.equal((await one.database.store.scope(scope))?.generation, 2);
    for (const device of [phone, tablet])
      for (const server of [two, one, two]) {
        await device.sync(server);
        assert.deepEqual([device.rollbacks, device.resyncs], [0, 0]);
      }
  });

  test('[SYNC-100] a server that only reads tells nothing of a later generation under an earlier one', async (t) => {
    const { start, generations } = await createCluster(t);
    const [one, two] = [await start(), await start()];
    const { phone, tablet, personalScope, inbox } = await createPerson(one);
    await tablet.sync(one);
    await two.database.store.openGeneration(someId(), Date.now());
    const third = await start();
    await phone.act(third, task(someId(), inbox, personalScope));
    await tablet.sync(one);
    assert.equal(tablet.cursors[personalScope]?.generation, (await generations()).at(-1));
    await tablet.sync(two);
    assert.deepEqual([tablet.rollbacks, tablet.rows.size], [0, phone.rows.size]);
  });

  test('[SYNC-100] housekeeping writes in the generation that another server opened', async (t) => {
    const { start } = await createCluster(t);
    const [one, two] = [await start(), await start()];
    const { phone, personalScope: scope, inbox } = await createPerson(one);
    const [noted, trashed] = [someId(), someId()];
    const typing = new NoteSession(() => 1);
    typing.load('', undefined);
    await phone.act(one, task(noted, inbox, scope), task(trashed, inbox, scope));
    const edit = { a: 'note', id: noted, ...typing.change('Typed', true) };
    await phone.act(one, edit, { a: 'delete', id: trashed });
    await two.database.store.openGeneration(someId(), Date.now());
    await phone.act(await start(), task(someId(), inbox, scope));
    const late = Date.now() + 1_000;
    assert.deepEqual(await one.services.exchange.purge({ scope, ids: [trashed], trashedBefore: late }), [
      trashed,
    ]);
    assert.equal(await two.services.exchange.flatten({ scope, notes: [noted], quietSince: late }), 1);
    assert.equal((await one.database.store.scope(scope))?.generation, 2);
    for (const server of [one, two]) await phone.sync(server);
    assert.deepEqual([phone.rollbacks, phone.resyncs, phone.rows.has(trashed)], [0, 0, false]);
  });

  test('[SYNC-100] a scope that heals by one server heals by one that comes meanwhile', async (t) => {
    const { start } = await createCluster(t);
    const one = await start();
    const { phone, tablet, personalScope, inbox } = await createPerson(one);
    await tablet.sync(one);
    phone.cursors[personalScope] = { generation: 'lost', version: 40 };
    await phone.sync(one);
    assert.equal(phone.rollbacks, 1);
    const two = await start();
    const lost = someId();
    await phone.act(two, {
      a: 'reoffer',
      id: lost,
      type: 'task',
      fields: { title: 'Lost' },
      place: { parent: inbox },
      at: 1,
      times: {},
      createdAt: 1,
    });
    for (const server of [one, two]) {
      await phone.sync(server);
      await tablet.sync(server);
    }
    assert.ok(tablet.rows.has(lost));
    assert.deepEqual([phone.rollbacks, tablet.rollbacks, tablet.resyncs], [1, 0, 0]);
  });

  test('[SYNC-101] a server that lost its lock syncs nothing until it holds it again, and goes on in the same generation', async (t) => {
    const { start, generations, present, cutOff, letIn } = await createCluster(t);
    const [one, two] = [await start(), await start()];
    const { phone, personalScope, inbox } = await createPerson(one);
    const before = await generations();
    await cutOff();
    for (const server of [one, two]) await until(() => isRefused(phone, server));
    await assert.rejects(new Phone(phone.actor).act(one, task(someId(), inbox, personalScope)));
    assert.equal(await one.services.readiness.state(), 'not ready');
    await letIn();
    for (const server of [one, two]) await until(async () => !(await isRefused(phone, server)));
    await phone.act(two, task(someId(), inbox, personalScope));
    assert.deepEqual([await generations(), phone.rollbacks], [before, 0]);
    assert.equal((await present()).length, 2);
  });

  test('[SYNC-101] a server that was cut off while another one began anew ends', async (t) => {
    const { start, beside, cutOff, letIn } = await createCluster(t);
    const server = await start();
    const { phone } = await createPerson(server);
    await cutOff();
    await beside.query('INSERT INTO generation (idx, nonce, opened_at) VALUES (2, $1, 2)', [someId()]);
    await letIn();
    assert.match(String(await endOf(server)), /began anew/);
    assert.ok(await isRefused(phone, server));
  });

  test('[SYNC-101] a server that was cut off while the tables were put back ends', async (t) => {
    const { start, beside, cutOff, letIn } = await createCluster(t);
    const server = await start();
    await cutOff();
    await beside.query('CREATE TABLE put_back AS TABLE generation');
    await beside.query('DROP TABLE generation');
    await beside.query('ALTER TABLE put_back RENAME TO generation');
    await letIn();
    assert.match(String(await endOf(server)), /began anew/);
  });

  test('[SYNC-99] where nothing can be written, who joins is ready all the same, and who comes first is the first when it can', async (t) => {
    const { open, beside, generations } = await createCluster(t);
    const one = await open();
    await openGenerations(one, systemClock);
    const { rows } = await beside.query<{ name: string }>('SELECT current_database() AS name');
    const readOnly = (is: 'on' | 'off') =>
      beside.query(`ALTER DATABASE "${rows[0]?.name ?? ''}" SET default_transaction_read_only = ${is}`);
    await readOnly('on');
    const two = await open();
    const joined = await openGenerations(two, systemClock);
    assert.deepEqual([joined.isOpen, joined.known.length], [true, 1]);
    await one.close();
    await two.close();
    const first = await openGenerations(await open(), systemClock);
    const second = await openGenerations(await open(), systemClock);
    assert.deepEqual([first.isOpen, second.isOpen, (await generations()).length], [false, false, 1]);
    first.check();
    await readOnly('off');
    // The setting is that of a connection, from its beginning.
    await beside.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await first.open();
    await second.open();
    assert.equal((await generations()).length, 2);
    assert.deepEqual(second.known, first.known);
  });
});
