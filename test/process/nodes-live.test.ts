// Three real servers on one PostgreSQL: what is written on one is heard on the others, limits and endings hold on all of them, and
// one can leave while its people go on.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { type BucketServer, startBucket } from '../bucket-server.ts';
import { type PostgresInstance, startPostgres } from '../contracts/postgres-instance.ts';
import { listIn } from '../contracts/scopes-world.ts';
import { someId } from '../contracts/store-samples.ts';
import { callSharing, joinList, shareList } from '../sharing.ts';
import { comeTo, Ear, newest, task } from './node-devices.ts';
import { type ServerChild, type SignedUp, startServerChild } from './server-child.ts';

/** Calls of the app about calendars that an account has in an hour. */
const CALLS = 30;
const SYNCS = 1_000;

describe('three servers of one database', () => {
  let instance: PostgresInstance | undefined;
  let bucket: BucketServer | undefined;
  let database: Database | undefined;
  let beside: pg.Client | undefined;
  let root = '';
  const servers: ServerChild[] = [];
  const at = (index: number) => must(servers[index], 'it is running').address;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-live-nodes-'));
    [instance, bucket] = await Promise.all([startPostgres(), startBucket()]);
    const url = (await instance.createDatabase()).replace('@/', '@localhost/');
    const environment = {
      DATABASE_URL: url,
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: bucket.url,
      BACKUPS: 'off',
      RATE_LIMITS: `calendars=${CALLS}/1h,live_connect_ip=1000/1m,sign_up_ip=100/1m`,
      DRAIN_SECONDS: '1',
    };
    for (let index = 0; index < 3; index += 1)
      servers.push(await startServerChild(join(root, String(index)), environment));
    database = await openDatabase({ url, dataDir: '' });
    beside = new pg.Client({ connectionString: url });
    await beside.connect();
  });
  after(async () => {
    for (const server of servers) await server.kill();
    await beside?.end();
    await database?.close();
    await instance?.stop();
    bucket?.close();
    await rm(root, { recursive: true });
  });

  const ask = async (index: number, path: string, { cookie }: Pick<SignedUp, 'cookie'>, method = 'GET') => {
    const response = await fetch(`${at(index)}${path}`, { method, headers: { origin: at(index), cookie } });
    await response.arrayBuffer();
    return response.status;
  };
  /** As tests of one server call it. */
  const callable = (index: number) => ({
    database: must(database ?? null, 'it is open'),
    ask: (
      path: string,
      { method = 'GET', cookie = '', body }: { method?: string; cookie?: string | null; body?: unknown } = {},
    ) =>
      fetch(`${at(index)}${path}`, {
        method,
        headers: { origin: at(index), cookie: cookie ?? '', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  });
  const readsOn = async (index: number) => {
    const text = await (await fetch(`${at(index)}/metrics`)).text();
    return Number(/^posthaste_others_read_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const come = (name: string) => comeTo(at(0), name);

  test('[NODE-30] what is written on one is heard on the others’ sockets as rows, with one read for all of them', async () => {
    const { person, device } = await come('ann');
    const ears = Array.from({ length: 8 }, () => new Ear(at(1), person));
    await Promise.all(ears.map((ear) => ear.open(device)));
    // What was written before they came may still be on its way.
    await device.sync(at(0), task(person, 'First'));
    await Promise.all(
      ears.map((ear) => ear.until((heard) => newest(heard) >= device.versionOf(person.scope))),
    );
    for (const { heard } of ears) heard.length = 0;
    const before = await readsOn(1);
    const made = task(person, 'Written elsewhere');
    await device.sync(at(0), made);
    await Promise.all(ears.map((ear) => ear.until((heard) => heard.length > 0)));
    for (const { heard } of ears)
      assert.deepEqual(
        heard.map((message) => message.type === 'delta' && message.changes.rows.map(({ id }) => id)),
        [[made.id]],
      );
    assert.equal((await readsOn(1)) - before, 1);
    for (const { socket } of ears) socket.close();
  });

  test('[NODE-32] whose role has ended on one is refused on the others, and their sockets hear it', async () => {
    const [ann, ben] = [await come('ann.shares'), await come('ben.joins')];
    const list = someId();
    await ann.device.sync(at(0), listIn(ann.person.scope, list, { name: 'Ours', listType: 'list' }));
    const session = ({ person }: typeof ann) => ({ ...person, personalScope: person.scope });
    const shared = await shareList(callable(0), session(ann), list);
    await joinList(callable(0), session(ben), shared.link?.token);
    const { changes } = await ben.device.sync(at(1));
    const ear = new Ear(at(1), ben.person);
    await ear.open(ben.device);
    const { scope } = must(
      changes.find((change) => change.scope !== ben.person.scope) ?? null,
      'it is theirs',
    );
    const removed = await callSharing(
      callable(0),
      session(ann),
      `POST sharing/lists/${list}/members/${ben.person.account}/remove`,
    );
    assert.equal(removed.status, 200, await removed.text());
    await assert.rejects(
      ben.device.sync(at(1), {
        a: 'create',
        scope,
        id: someId(),
        type: 'task',
        fields: { title: 'No' },
        place: { parent: list },
      }),
    );
    await ear.until((heard) => heard.some((message) => message.type === 'left' && message.scope === scope));
    ear.socket.close();
  });

  test('[NODE-40] a limit holds exactly over all of them', async () => {
    const { person } = await come('cat');
    const calls = Array.from({ length: 3 * CALLS }, (_, call) => ask(call % 3, '/app/api/calendars', person));
    const statuses = await Promise.all(calls);
    assert.equal(statuses.filter((status) => status === 200).length, CALLS);
    assert.equal(statuses.filter((status) => status === 429).length, 2 * CALLS);
  });

  test('[NODE-43] an account has twenty live connections over all of them', async () => {
    const { person } = await come('dora');
    const ears = Array.from({ length: 24 }, (_, index) => new Ear(at(index % 3), person));
    const opened = await Promise.all(ears.map(({ opens }) => opens));
    assert.equal(opened.filter(Boolean).length, 20);
    for (const { socket } of ears) socket.terminate();
    const late = performance.now() + 10_000;
    for (let isFree = false; !isFree;) {
      assert.ok(performance.now() < late, 'no place is free again');
      const ear = new Ear(at(1), person);
      isFree = await ear.opens;
      ear.socket.terminate();
    }
  });

  test('[NODE-32] a session that was ended on one is over on the others within a second', async () => {
    const { person } = await come('eve');
    const ear = new Ear(at(1), person);
    assert.ok(await ear.opens);
    assert.equal(await ask(1, '/app/api/me', person), 200);
    assert.equal(await ask(0, '/app/api/sign_out', person, 'POST'), 200);
    const ended = performance.now();
    while ((await ask(1, '/app/api/me', person)) !== 401)
      assert.ok(performance.now() - ended < 1_000, 'it is still good');
    assert.equal(await ear.closed, 4_001);
  });

  test('[NODE-31] while the lines between them are cut again and again, nothing that is written is lost to anybody', async () => {
    const { person, device } = await come('fay');
    const ears = [new Ear(at(1), person), new Ear(at(2), person)];
    for (const ear of ears) await ear.open(device);
    let cuts = 0;
    for (let round = 0; round < 12; round += 1) {
      const cut = await beside?.query(
        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE application_name = 'posthaste-bus' AND datname = current_database()",
      );
      cuts += cut?.rowCount ?? 0;
      await device.sync(at(0), task(person, `While it is cut ${round}`));
    }
    assert.ok(cuts >= 3);
    for (const ear of ears) await ear.until((heard) => newest(heard) >= device.versionOf(person.scope));
    for (const { socket } of ears) socket.close();
  });

  test('[NODE-52] a device that asks two of them in turn a thousand times is never told to begin again', async () => {
    const { person, device } = await come('gus');
    for (let sync = 0; sync < SYNCS; sync += 1)
      await device.sync(at(sync % 2), ...(sync % 3 === 0 ? [task(person, `Task ${sync}`)] : []));
    assert.deepEqual([device.rollbacks, device.resyncs], [0, 0]);
    assert.equal(device.rows.size, 1 + Math.ceil(SYNCS / 3));
  });

  test('[NODE-50] [NODE-51] one leaves while a device writes: nothing is refused, nothing is lost', async () => {
    const { person, device } = await come('hal');
    const leaving = must(servers[2], 'it is running');
    const ear = new Ear(leaving.address, person);
    await ear.open(device);
    // As a proxy does: it asks each of them whether it is ready, and hands requests to those who are.
    const ready = new Set([0, 1, 2]);
    const watch = (async () => {
      while (leaving.child.exitCode === null) {
        for (const index of [0, 1, 2]) {
          const isReady = await fetch(`${at(index)}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
          if (!isReady) ready.delete(index);
        }
        await delay(50);
      }
    })();
    const ended = once(leaving.child, 'close');
    const written: Id[] = [];
    for (let turn = 0; leaving.child.exitCode === null || turn < 60; turn += 1) {
      if (turn === 20) leaving.child.kill('SIGTERM');
      const there = [...ready];
      const made = task(person, `Task ${turn}`);
      await device.sync(at(there[turn % there.length] ?? 0), made);
      written.push(made.id);
    }
    const [code] = (await ended) as [number];
    await watch;
    assert.equal(code, 0, leaving.lastOutput());
    assert.equal(await ear.closed, 1_012);
    const [bye] = ear.heard.slice(-1);
    assert.ok(bye?.type === 'bye' && (bye.after ?? -1) >= 0);
    await device.sync(at(0));
    assert.deepEqual(
      written.filter((id) => !device.rows.has(id)),
      [],
    );
    assert.deepEqual([...ready], [0, 1]);
  });
});
