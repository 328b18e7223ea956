// A server on a small disk that fills up: what is new is refused, what is there is read, and it goes on when there is room.
// Needs the right to mount; without it these tests do not exist.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { settingId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { readConfig } from '#server/config.ts';
import { BALLAST_FILE } from '#server/care/ballast.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { startServer, type RunningServer } from '#server/server.ts';
import { someId } from '../contracts/store-samples.ts';
import { PASSWORD, startServerChild } from './server-child.ts';

const LONGEST_RECOVERY_MS = 10_000;

const disk = mkdtempSync(join(tmpdir(), 'posthaste-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0;
if (!isMounted) console.log('Mounting is not allowed here: no disk is filled.');

describe('a server whose disk is full', () => {
  after(() => {
    if (isMounted) spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  if (!isMounted) return;

  test('refuses with 507, answers reads, and writes again within ten seconds of having room', async (context) => {
    const dataDir = join(disk, 'data');
    const read = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'off', BACKUPS: 'off' });
    assert.ok(read.ok);
    const hashParameters = { memory: 64, passes: 1, parallelism: 1 };
    const server = await startServer(read.value, { hashParameters });
    context.after(() => server.close());
    const origin = `http://localhost:${server.port}`;
    let cookie = '';
    const post = (path: string, body: unknown) => {
      const headers = { origin, cookie, 'content-type': 'application/json' };
      return fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const credentials = { email: 'person@example.org', password: 'violet anchor under moss' };
    const entry = await post('/app/api/sign_up', credentials);
    cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { personalScope: scope } = (await entry.json()) as { personalScope: Id };
    const device = someId();
    let q = 0;
    const kept: Id[] = [];
    const write = async (bytes: number) => {
      q += 1;
      const fields = { key: `key-${q}`, value: 'x'.repeat(bytes) };
      const id = settingId(scope, fields.key);
      const operation = { q, u: someId(), scope, t: 5, b: 0, a: 'create', id, type: 'setting', fields };
      const head = { schema: protocolVersion, device, clientNow: 5, ack: 0, cursors: {} };
      const { status } = await post('/sync/v1', { ...head, ops: [operation] });
      if (status === 200) kept.push(id);
      // Not acknowledged: a device keeps the number for the next try.
      else q -= 1;
      return status;
    };
    const held = async () => {
      const response = await fetch(`${origin}/snapshot/v1/${scope}`, { headers: { cookie } });
      assert.equal(response.status, 200);
      return ((await response.json()) as { rows: { id: Id }[] }).rows.map(({ id }) => id);
    };

    assert.equal(await write(1_000), 200);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = statfsSync(disk);
    // Just above the mark at which the server refuses by itself, so that the disk itself refuses first.
    writeFileSync(filler, Buffer.alloc(Math.floor(bavail * bsize - 0.025 * 16 * 1024 * 1024)));
    await delay(1_100);
    let status = 200;
    for (let n = 0; n < 40 && status === 200; n += 1) status = await write(60_000);
    assert.equal(status, 507);
    assert.deepEqual(new Set(await held()), new Set(kept), 'what was acknowledged can be read, nothing else');
    assert.equal(await write(10), 507);

    rmSync(filler);
    const freedAt = performance.now();
    while ((await write(10)) !== 200) {
      assert.ok(performance.now() - freedAt < LONGEST_RECOVERY_MS);
      await delay(200);
    }
    assert.deepEqual(new Set(await held()), new Set(kept));
  });
});

/** Takes every byte that is left of a file system. */
function fill(folder: string): string {
  const path = join(folder, 'filler');
  const file = openSync(path, 'a');
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  closeSync(file);
  return path;
}

const EMAIL = 'person@example.org';

/** Doors of a running server, as browsers and programs use them. */
class Doors {
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  post(path: string, body: unknown, cookie = ''): Promise<Response> {
    const headers = { origin: this.address, cookie, 'content-type': 'application/json' };
    return fetch(this.address + path, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async enter(door: 'sign_up' | 'sign_in'): Promise<{ cookie: string; personalScope: Id }> {
    const response = await this.post(`/app/api/${door}`, { email: EMAIL, password: PASSWORD });
    const text = await response.text();
    assert.equal(response.status, 200, `${door}: ${text}`);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { cookie, personalScope: (JSON.parse(text) as { personalScope: Id }).personalScope };
  }

  async isSignedIn(cookie: string): Promise<boolean> {
    const { status } = await fetch(`${this.address}/app/api/me`, { headers: { cookie } });
    return status === 200;
  }

  async signOut(cookie: string): Promise<void> {
    assert.equal((await this.post('/app/api/sign_out', undefined, cookie)).status, 200);
  }

  /** The titles that a new device finds. */
  async first(cookie: string): Promise<readonly unknown[]> {
    const head = { schema: protocolVersion, device: someId(), clientNow: 5, ack: 0, cursors: {}, ops: [] };
    const response = await this.post('/sync/v1', head, cookie);
    assert.equal(response.status, 200, 'a device that asks is answered');
    const { changes } = (await response.json()) as { changes: { rows: { id: Id }[] }[] };
    return changes.flatMap(({ rows }) => rows.map(({ id }) => id));
  }

  async write(cookie: string, scope: Id): Promise<{ readonly status: number; readonly id: Id }> {
    const fields = { key: `key-${someId()}`, value: 'something' };
    const id = settingId(scope, fields.key);
    const operation = { q: 1, u: someId(), scope, t: 5, b: 0, a: 'create', id, type: 'setting', fields };
    const head = { schema: protocolVersion, device: someId(), clientNow: 5, ack: 0, cursors: {} };
    const { status } = await this.post('/sync/v1', { ...head, ops: [operation] }, cookie);
    return { status, id };
  }

  async ready(): Promise<string> {
    const response = await fetch(`${this.address}/readyz`);
    assert.equal(response.status, 200);
    return response.text();
  }
}

describe('a server on a disk without a byte left', () => {
  if (!isMounted) return;
  const small = mkdtempSync(join(tmpdir(), 'posthaste-full-'));
  assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small]).status, 0);
  after(() => {
    spawnSync('umount', ['-l', small]);
    rmSync(small, { recursive: true, force: true });
  });
  const hashParameters = { memory: 64, passes: 1, parallelism: 1 };
  const logged: string[] = [];
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    rmSync(join(small, 'filler'), { force: true });
    for (const each of open.splice(0)) await each.close();
  });

  async function start(name: string): Promise<{ server: RunningServer; doors: Doors }> {
    const dataDir = join(small, name);
    mkdirSync(dataDir, { recursive: true });
    const read = readConfig({ PORT: '0', DATA_DIR: dataDir, BACKUPS: 'off', RATE_LIMITS: 'off' });
    assert.ok(read.ok);
    const server = await startServer(read.value, { hashParameters, write: (line) => logged.push(line) });
    open.push(server);
    return { server, doors: new Doors(`http://localhost:${server.port}`) };
  }

  /** Until a write is taken. */
  async function recovered(doors: Doors, cookie: string, scope: Id): Promise<Id> {
    const freedAt = performance.now();
    for (;;) {
      const { status, id } = await doors.write(cookie, scope);
      if (status === 200) return id;
      assert.equal(status, 507);
      assert.ok(performance.now() - freedAt < LONGEST_RECOVERY_MS);
      await delay(200);
    }
  }

  for (const withBallast of [true, false])
    test(`[ACC-24] signs in and out, reads, starts and recovers by itself, ${withBallast ? 'with the ballast' : 'with nothing at all'}`, async () => {
      const name = withBallast ? 'ballast' : 'nothing';
      let { server, doors } = await start(name);
      const { cookie, personalScope: scope } = await doors.enter('sign_up');
      const leaving = await doors.enter('sign_in');
      const kept = (await doors.write(cookie, scope)).id;
      const ballast = join(small, name, BALLAST_FILE);
      if (withBallast) assert.ok(await server.room.makeBallast());
      assert.equal(existsSync(ballast), withBallast);

      await server.database.release();
      const filler = fill(small);
      await delay(1_100);
      const arriving = await doors.enter('sign_in');
      await doors.signOut(leaving.cookie);
      if (withBallast) {
        assert.equal(statSync(ballast).size, 0, 'it was given up');
        assert.equal(server.room.waiting(), 0, 'there was room for everything that is essential');
        await server.database.release();
        fill(small);
      }
      // Now also what the ballast gave back is taken.
      const late = await doors.enter('sign_in');
      await doors.signOut(arriving.cookie);
      assert.ok(server.room.waiting() > 0, 'what finds no room waits in memory');
      for (const [session, isGood] of [
        [cookie, true],
        [late.cookie, true],
        [leaving.cookie, false],
        [arriving.cookie, false],
      ] as const)
        assert.equal(await doors.isSignedIn(session), isGood);
      assert.deepEqual(await doors.first(late.cookie), [kept]);
      assert.equal((await doors.write(cookie, scope)).status, 507);
      assert.match(await doors.ready(), /^read only\ndisk full\n/);

      await server.close();
      fill(small);
      logged.length = 0;
      ({ server, doors } = await start(name));
      assert.ok(logged.some((line) => line.includes('"started_read_only"')));
      assert.match(await doors.ready(), /^read only\ndisk full\n/);
      assert.ok(await doors.isSignedIn(cookie));
      // With nothing to write it on, the end of a session is known to the process alone.
      assert.equal(await doors.isSignedIn(leaving.cookie), !withBallast);
      const here = await doors.enter('sign_in');
      assert.deepEqual(await doors.first(here.cookie), [kept]);
      assert.equal((await doors.write(cookie, scope)).status, 507);

      rmSync(filler);
      const later = await recovered(doors, cookie, scope);
      await server.room.tend();
      assert.equal(server.room.waiting(), 0);
      // What it says is at most a second old.
      await delay(1_100);
      assert.match(await doors.ready(), /^ready\n/);
      await server.close();
      ({ server, doors } = await start(name));
      assert.ok(await doors.isSignedIn(here.cookie), 'who signed in on the full disk stays signed in');
      assert.deepEqual(new Set(await doors.first(cookie)), new Set([kept, later]));
      if (withBallast) {
        assert.ok(await server.room.makeBallast(), 'there is room for the ballast again');
        assert.ok(statSync(ballast).size > 0);
      }
    });

  test('a process that was killed on it starts again and is read, also without room for the index of its log', async () => {
    const dataDir = join(small, 'killed');
    const environment = { BACKUPS: 'off' };
    let child = await startServerChild(dataDir, environment);
    open.push({ close: () => child.kill() });
    const { cookie, personalScope: scope } = await new Doors(child.address).enter('sign_up');
    const { id } = await new Doors(child.address).write(cookie, scope);
    const filler = fill(small);
    for (const leaves of [true, false]) {
      await child.kill();
      if (!leaves) rmSync(join(dataDir, `${DATABASE_FILE}-shm`));
      fill(small);
      child = await startServerChild(dataDir, environment);
      const doors = new Doors(child.address);
      assert.match(await doors.ready(), /^read only\ndisk full\n/);
      assert.ok(await doors.isSignedIn(cookie));
      assert.deepEqual(await doors.first((await doors.enter('sign_in')).cookie), [id]);
    }
    rmSync(filler);
    const doors = new Doors(child.address);
    const later = await recovered(doors, cookie, scope);
    assert.deepEqual(new Set(await doors.first(cookie)), new Set([id, later]));
  });
});
