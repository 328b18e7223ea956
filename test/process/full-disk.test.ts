// A server on a small disk that fills up: what is new is refused, what is there is read, and it goes on when there is room.
// Needs the right to mount; without it these tests do not exist.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { settingId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { someId } from '../contracts/store-samples.ts';

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
    const server = await startServer(read.config, { hashParameters });
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
