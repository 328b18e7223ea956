// The store under a system that fails: killed at its n-th write and at its n-th sync, refused by the disk. What was
// promised is there, what was not promised is there once or not at all. Without strace these tests do not exist.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settingId, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { openDatabase } from '#server/data/database.ts';
import { newScope } from '../contracts/store-samples.ts';

const WRITER = fileURLToPath(new URL('./store-writer.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const KILLS = 40;
const WRITES = 44;

const hasStrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!hasStrace) console.log('strace is missing or not allowed here: faults of the disk are not injected.');

interface Said {
  readonly found: readonly [version: number, rows: number];
  readonly kept: readonly number[];
  readonly refused: readonly string[];
  readonly isDone: boolean;
}

/** Has strace inject a fault into a running process; resolves when it is in force. */
async function inject(pid: number, files: readonly string[], fault: string): Promise<void> {
  const calls = fault.split(':')[0] ?? '';
  const paths = files.flatMap((path) => ['-P', path]);
  const tracing = ['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${fault}`];
  const strace = spawn('strace', [...tracing, ...paths, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('attached')) resolve();
    });
    strace.on('close', () => reject(new Error(`strace ended: ${said}`)));
  });
}

/** Runs the writer, with a fault from the moment it has opened its database; null: without. */
async function write(place: { dataDir: string; scope: string }, fault: string | null): Promise<Said> {
  const { dataDir, scope } = place;
  const child = spawn(process.execPath, [WRITER, dataDir, scope, String(WRITES)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  const opened = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('found')) resolve();
    });
  });
  const ended = once(child, 'close');
  await Promise.race([opened, ended]);
  const files = ['posthaste.db', 'posthaste.db-wal'].map((name) => join(dataDir, name));
  if (fault !== null && child.pid !== undefined) await inject(child.pid, files, fault);
  child.stdin.end('go');
  await ended;
  const lines = said.split('\n');
  const after = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [version = -1, rows = -1] = (after('found')[0] ?? '').split(' ').map(Number);
  return {
    found: [version, rows],
    kept: after('kept').map(Number),
    refused: after('refused'),
    isDone: lines.includes('done'),
  };
}

describe('a store whose process is killed or whose disk refuses', { concurrency: 2 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-faults-'));
  after(() => rmSync(root, { recursive: true }));

  async function prepare(name: string) {
    const dataDir = join(root, name);
    const database = await openDatabase({ dataDir });
    const scope = await newScope(database.store);
    await database.close();
    return { dataDir, scope };
  }

  if (!hasStrace) return;
  for (const [name, calls] of [
    ['write', 'pwrite64'],
    ['sync', 'fsync,fdatasync'],
  ] as const) {
    test(`killed at the ${name} number 1 to ${KILLS}: nothing promised is lost, nothing is doubled`, async () => {
      const place = await prepare(name);
      let promised = 0;
      let killed = 0;
      for (let n = 1; n <= KILLS; n += 1) {
        const { found, kept, isDone } = await write(place, `${calls}:signal=KILL:when=${n}`);
        if (!isDone) killed += 1;
        assert.ok(
          found[0] === promised || found[0] === promised + 1,
          `${found[0]} after ${promised}, n=${n}`,
        );
        assert.equal(found[1], found[0], 'one row for every version');
        promised = kept.at(-1) ?? found[0];
      }
      assert.equal(killed, KILLS, 'every one was killed in the middle of its work');
      const last = await write(place, null);
      assert.ok(last.isDone && last.found[0] - promised <= 1 && last.found[0] >= promised);
      assert.ok(promised >= KILLS / 4, `${promised} writes were promised`);
    });
  }

  test('a sync that fails is never answered with success, and a new start finds all that was', async () => {
    const place = await prepare('eio');
    for (const n of [1, 2, 7]) {
      const failed = await write(place, `fsync,fdatasync:error=EIO:when=${n}+`);
      const kept = failed.kept.at(-1) ?? failed.found[0];
      assert.ok(failed.found[0] < 0 || failed.refused.length === WRITES - failed.kept.length);
      assert.ok(failed.refused.every((trouble) => trouble === 'unavailable'));
      const next = await write(place, null);
      assert.ok(next.isDone && next.found[0] === next.found[1] && next.found[0] >= kept);
    }
  });

  test('a full disk refuses a write and takes the next one when there is room', async () => {
    const place = await prepare('enospc');
    const { found, kept, refused, isDone } = await write(place, 'pwrite64:error=ENOSPC:when=20..25');
    assert.ok(isDone && refused.length > 0);
    assert.ok(
      refused.every((trouble) => trouble === 'full'),
      refused.join(),
    );
    assert.equal(kept.length + refused.length, WRITES);
    const next = await write(place, null);
    assert.deepEqual(next.found, [found[0] + kept.length, found[1] + kept.length]);
  });
});

describe('a server whose disk refuses a sync', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-failing-'));
  const started: ChildProcess[] = [];
  after(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(root, { recursive: true });
  });
  if (!hasStrace) return;

  async function start() {
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: root, BACKUPS: 'off' };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    started.push(child);
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const origin = await new Promise<string>((resolve) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const address = /^Posthaste is ready at (\S+)$/m.exec(said)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    return { child, ended, origin };
  }

  test('answers 503, ends with 1, and takes the operation once after a new start', async () => {
    const first = await start();
    let cookie = '';
    const post = (origin: string, path: string, body: unknown) => {
      const headers = { origin, cookie, 'content-type': 'application/json' };
      return fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const credentials = { email: 'person@example.org', password: 'violet anchor under moss' };
    const entry = await post(first.origin, '/app/api/sign_up', credentials);
    cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { personalScope: scope } = (await entry.json()) as { personalScope: Id };
    const fields = { key: 'theme', value: 'dark' };
    const id = settingId(scope, fields.key);
    const operation = { q: 1, u: randomUUID(), scope, t: 5, b: 0, a: 'create', id, type: 'setting', fields };
    const head = { schema: protocolVersion, device: randomUUID(), clientNow: 5, ack: 0, cursors: {} };
    const push = (origin: string) => post(origin, '/sync/v1', { ...head, ops: [operation] });
    const files = ['posthaste.db', 'posthaste.db-wal'].map((name) => join(root, name));
    await inject(first.child.pid ?? 0, files, 'fsync,fdatasync:error=EIO');
    const refused = await push(first.origin);
    assert.equal(refused.status, 503);
    assert.ok(refused.headers.get('retry-after'));
    assert.equal(await first.ended, 1);

    const second = await start();
    const taken = (await (await push(second.origin)).json()) as {
      results: unknown;
      changes: { rows: unknown[] }[];
    };
    assert.deepEqual(taken.results, [[1, 'ok']]);
    assert.deepEqual(
      taken.changes.map(({ rows }) => rows.length),
      [1],
    );
    second.child.kill('SIGTERM');
    assert.equal(await second.ended, 0);
  });
});
