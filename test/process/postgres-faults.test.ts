// PostgreSQL ends at once and starts again while devices write: every operation takes effect exactly once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openGenerations } from '#server/care/generations.ts';
import { systemClock } from '#server/clock.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { Store } from '#server/data/store.ts';
import { storageTrouble } from '#server/data/storage-trouble.ts';
import { createExchange, type Exchange } from '#server/sync/exchange.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import {
  type PostgresInstance,
  type PostgresStandby,
  startPostgres,
} from '../contracts/postgres-instance.ts';
import { someAccount, someId } from '../contracts/store-samples.ts';

const DEVICES = 4;
const CRASHES = 3;
/** Writes that are acknowledged between two crashes. */
const BETWEEN = 60;

describe('another PostgreSQL behind the same address', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-address-'));
  const instances: PostgresInstance[] = [];
  let database: Database | undefined;
  after(async () => {
    await database?.close();
    for (const instance of instances) await instance.stop();
    rmSync(root, { recursive: true });
  });

  test('is noticed before anything is read from it or written to it', async () => {
    const address = join(root, 's');
    const [url, other] = await Promise.all(
      [1, 2].map(async () => {
        const instance = await startPostgres();
        instances.push(instance);
        return new URL((await instance.createDatabase()).replace('@/', '@localhost/'));
      }),
    );
    assert.ok(url && other);
    const socketsOf = ({ searchParams }: URL) => searchParams.get('host') ?? '';
    const [own, foreign] = [socketsOf(url), socketsOf(other)];
    symlinkSync(own, address);
    url.searchParams.set('host', address);
    let failure: Error | undefined;
    database = await openDatabase({
      url: url.href,
      dataDir: '',
      onFailure: (error) => {
        failure = error;
      },
    });
    await database.store.probe();
    const client = new pg.Client({ connectionString: other.href });
    await client.connect();
    await client.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
    await client.end();
    unlinkSync(address);
    symlinkSync(foreign, address);
    const mine = instances.find(({ folder }) => own.startsWith(folder));
    assert.ok(mine);
    await mine.crash();
    await assert.rejects(database.store.probe(), /another database server/);
    assert.match(String(failure), /Restart the server/);
  });
});

describe('a PostgreSQL that follows another one, behind the address of that', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-follows-'));
  let instance: PostgresInstance | undefined;
  let standby: PostgresStandby | undefined;
  let database: Database | undefined;
  after(async () => {
    await database?.close();
    await standby?.stop();
    await instance?.stop();
    rmSync(root, { recursive: true });
  });

  test('[NODE-75] is not served, and is another one once it has taken over', async () => {
    instance = await startPostgres();
    const url = new URL((await instance.createDatabase()).replace('@/', '@localhost/'));
    const own = dirname(instance.socket);
    const address = join(root, 's');
    symlinkSync(own, address);
    url.searchParams.set('host', address);
    let failure: Error | undefined;
    database = await openDatabase({ url: url.href, dataDir: '', onFailure: (error) => (failure = error) });
    await database.store.probe();
    standby = await instance.follow(`host=${own} user=app`);
    await instance.lose();
    unlinkSync(address);
    symlinkSync(dirname(standby.socket), address);
    const { store } = database;
    await assert.rejects(store.probe(), (error) => storageTrouble(error) === 'unavailable');
    await assert.rejects(store.probe(), /only follows another one/);
    assert.equal(failure, undefined);
    await standby.promote();
    await assert.rejects(store.probe(), /another database server/);
    // It is being opened anew meanwhile.
    await assert.rejects(store.probe(), (error) => storageTrouble(error) === 'unavailable');
    assert.match(String(failure), /Restart the server/);
  });
});

/** Between a server and its PostgreSQL, on a socket file: lets nothing more pass on connections with the lock, and ends none. */
class SilentGate {
  isSilent = false;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  constructor(to: string) {
    this.#server = createServer((client) => {
      const server = connect(to);
      let holdsLock = false;
      const pass = (from: Socket, other: Socket) => {
        this.#sockets.add(from);
        from.on('data', (chunk: Buffer) => {
          holdsLock ||= chunk.includes('posthaste-presence');
          if (!(holdsLock && this.isSilent)) other.write(chunk);
        });
        from.on('close', () => (holdsLock && this.isSilent) || other.destroy());
        from.on('error', () => undefined);
      };
      pass(client, server);
      pass(server, client);
    });
  }

  async listen(path: string): Promise<void> {
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('a server whose connection with the lock falls silent', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-silent-'));
  let instance: PostgresInstance | undefined;
  let database: Database | undefined;
  let gate: SilentGate | undefined;
  after(async () => {
    await database?.close();
    gate?.close();
    await instance?.stop();
    rmSync(root, { recursive: true });
  });

  test('[SYNC-150] it counts as cut off, and comes back to the same generation once the lock answers again', async () => {
    instance = await startPostgres();
    const url = new URL((await instance.createDatabase()).replace('@/', '@localhost/'));
    const file = '.s.PGSQL.5432';
    gate = new SilentGate(join(url.searchParams.get('host') ?? '', file));
    await gate.listen(join(root, file));
    url.searchParams.set('host', root);
    let failure: Error | undefined;
    database = await openDatabase({ url: url.href, dataDir: '', onFailure: (error) => (failure = error) });
    const generations = await openGenerations(database, systemClock);
    const known = [...generations.known];
    assert.equal(database.presence.isLost, false);
    const until = async (isLost: boolean, limitMs: number) => {
      const late = performance.now() + limitMs;
      while (database?.presence.isLost !== isLost) {
        assert.ok(performance.now() < late, `it is ${isLost ? 'not ' : ''}cut off`);
        await delay(20);
      }
    };
    gate.isSilent = true;
    // Ten seconds, and what a busy machine adds.
    await until(true, 20_000);
    // What else it asks of the database is answered all the while.
    await database.store.probe();
    gate.isSilent = false;
    await until(false, 20_000);
    assert.equal(failure, undefined);
    await generations.read();
    assert.deepEqual(generations.known, known);
  });
});

describe('a server whose PostgreSQL crashes', () => {
  let instance: PostgresInstance | undefined;
  let database: Database | undefined;
  before(async () => {
    instance = await startPostgres();
    database = await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
  after(async () => {
    await database?.close();
    await instance?.stop();
  });

  const scope = someId();
  const account = someAccount();
  const actor: AccountActor = {
    type: 'account',
    account,
    session: someId(),
    kind: 'web',
    personalScope: scope,
    roles: new Map([[scope, 'owner']]),
  };

  /** Sends until it is answered, always the same operation under the same number. Resolves with the tries it took beyond one. */
  async function send(exchange: Exchange, device: Id, operation: Record<string, unknown>): Promise<number> {
    for (let again = 0; ; again += 1) {
      try {
        const head = { schema: protocolVersion, device, clientNow: 5, ack: 0, cursors: {}, maxRows: 1 };
        const answer = await exchange.sync(actor, { ...head, ops: [operation] });
        assert.ok(answer.ok);
        assert.deepEqual(answer.value.results, [[operation['q'], 'ok']]);
        return again;
      } catch (error) {
        if (storageTrouble(error) !== 'unavailable') throw error;
        await delay(20);
      }
    }
  }

  test('loses nothing and doubles nothing, three times', async () => {
    assert.ok(instance && database);
    const { store } = database;
    await store.createScope({ id: scope, kind: 'personal', owner: account });
    const felt = { again: 0 };
    const watched = new Proxy(store, {
      get(target, name: keyof Store) {
        if (name !== 'write') return target[name].bind(target);
        return (work: Parameters<Store['write']>[0]) => {
          let attempts = 0;
          return target.write((tx) => {
            attempts += 1;
            if (attempts > 1) felt.again += 1;
            return work(tx);
          });
        };
      },
    });
    const exchange = createExchange({
      store: watched,
      clock: { now: () => 10, monotonic: () => performance.now() },
      generations: await store.openGeneration(someId(), 1),
      publish: () => undefined,
      nextTurn: (work) => setImmediate(work),
    });
    const head = { scope, t: 5, b: 0, a: 'create' };
    const inbox = { id: inboxId(scope), type: 'list', fields: { listType: 'inbox' } };
    const place = { parent: listsRoot(scope) };
    await send(exchange, someId(), { q: 1, u: someId(), ...head, ...inbox, place });
    const kept: Id[] = [];
    let isOver = false;
    const run = async (): Promise<void> => {
      const device = someId();
      for (let q = 1; !isOver; q += 1) {
        const task = { id: someId(), type: 'task', fields: {}, place: { parent: inbox.id } };
        const tries = await send(exchange, device, { q, u: someId(), ...head, ...task });
        felt.again += tries;
        kept.push(task.id);
      }
    };
    const devices = Array.from({ length: DEVICES }, run);
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      while (kept.length < crash * BETWEEN) await delay(5);
      await instance.crash();
    }
    while (kept.length < (CRASHES + 1) * BETWEEN) await delay(5);
    isOver = true;
    await Promise.all(devices);
    const rows = await store.snapshot(scope, null, 100_000);
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set([inbox.id, ...kept]));
    const found = await store.scope(scope);
    assert.equal(found?.version, rows.length, 'one version for every operation');
    const sum = new DigestSum();
    for (const { id, version } of rows) sum.add(id, version);
    assert.equal(found?.digest, sum.value);
    const history = await store.history(scope, { limit: 100_000 });
    assert.equal(history.length, rows.length);
    assert.ok(felt.again > 0, 'work was under way when it crashed');
  });
});
