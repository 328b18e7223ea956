// One story on the real server: an account is encrypted, a device of it is lost, the server is put back to last week's backup, and whoever runs
// it looks through everything it has. Nothing is lost, and nothing is read.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Id } from '#core/ids.ts';
import { isKnown, registersOf, type Row } from '#sync/rows/row.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { AskedOffice, type Answered } from '../sealing/asked-office.ts';
import { newDisk, SealedDevice } from '../sealing/sealed-device.ts';
import { PASSWORD, signUp, startServerChild, type ServerChild } from './server-child.ts';

const ADMIN = fileURLToPath(new URL('../../src/server/admin.ts', import.meta.url));
const CANARY = 'canaryqx';
const EMAIL = 'ida@example.org';
const MOST_ROUNDS = 100;

/** A server with its folder, and what it has printed. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'posthaste-sealing-story-'));
  printed = '';
  #server: ServerChild | null = null;

  get address(): string {
    return this.#server?.address ?? '';
  }

  async start(): Promise<void> {
    this.#server = await startServerChild(join(this.folder, 'data'));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    this.printed += server.lastOutput();
    const ended = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await ended;
  }

  async admin(...args: readonly string[]): Promise<void> {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(this.folder, 'data') };
    const child = spawn(process.execPath, [ADMIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (part: Buffer) => (this.printed += part.toString()));
    child.stderr.on('data', (part: Buffer) => (this.printed += part.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0, this.printed);
  }

  async ask(cookie: string, path: string, body?: unknown, method = 'POST'): Promise<Answered> {
    const headers = { 'content-type': 'application/json', cookie, origin: this.address };
    const sent = body === undefined ? {} : { method, body: JSON.stringify(body) };
    try {
      const answer = await fetch(this.address + path, { headers, ...sent });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return null;
    }
  }

  async signIn(): Promise<string> {
    const response = await fetch(`${this.address}/app/api/sign_in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.address },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    assert.equal(response.status, 200);
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  /** Files, backups and prints in which a word stands. */
  holding(word: string): readonly string[] {
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
    const found = files.filter((file) => readFileSync(file).includes(word));
    return this.printed.includes(word) ? [...found, 'what it printed'] : found;
  }
}

async function machine(t: TestContext): Promise<Machine> {
  const made = new Machine();
  t.after(async () => {
    await made.stop();
    rmSync(made.folder, { recursive: true, force: true });
  });
  await made.start();
  return made;
}

/** Goes on until something is so: the time of a real server is its own. */
async function until(
  is: () => boolean | Promise<boolean>,
  ...devices: readonly SealedDevice[]
): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS && !(await is()); round += 1) {
    for (const device of devices) await device.sync();
    await delay(30);
  }
  assert.ok(await is());
}

const isSynced = (device: SealedDevice) => device.engine.state.get().type === 'synced';

describe('an encrypted account', () => {
  it('[SEAL-128] loses nothing and shows nothing with a lost device, a restored server and a curious operator', async (t) => {
    const server = await machine(t);
    const { cookie, account, scope } = await signUp(server.address, EMAIL);
    const officeOf = (of: string) =>
      new AskedOffice({ account, scope, ask: (path, body) => server.ask(of, path, body) });
    const office = officeOf(cookie);
    const one = await new SealedDevice(office).start();
    const titles = new Map<Id, string>();
    const add = (device: SealedDevice, title: string) => void titles.set(device.add(title), title);
    for (let at = 0; at < 20; at += 1) add(one, `${CANARY} before ${at}`);
    const first = await one.turnOn();
    /** Whether the server says that everything is encrypted with the key of this number. */
    const isSealed = async (generation: number) => {
      const read = await office.routes.read();
      return read.ok && read.value.state.phase === 'sealed' && read.value.state.generation === generation;
    };
    await until(async () => (await isSealed(1)) && isSynced(one), one);

    // Another device gets the key by the code, and works.
    const lostCookie = await server.signIn();
    const lostDisk = newDisk();
    const lost = await new SealedDevice(officeOf(lostCookie), lostDisk).start();
    assert.ok((await lost.keys.unlock(first.code)).ok);
    add(lost, `${CANARY} by the device that is lost`);
    await until(
      () => isSynced(lost) && [...titles.keys()].every((id) => one.row(id) !== undefined),
      lost,
      one,
    );
    await until(() => server.holding(CANARY).length === 0);

    await server.admin('backup', join(server.folder, 'last-week.db'));
    for (let at = 0; at < 10; at += 1) add(one, `${CANARY} after the backup ${at}`);
    await until(() => isSynced(one), one);

    // It is lost: signed out from here, and everything is encrypted with a new key.
    await lost.close();
    const sessions = (await server.ask(cookie, '/app/api/sessions'))?.body as {
      readonly sessions: readonly unknown[];
    };
    assert.ok(sessions.sessions.length >= 2);
    const ended = await server.ask(cookie, '/app/api/sessions', {}, 'DELETE');
    assert.equal(ended?.status, 200, JSON.stringify(ended?.body));
    const next = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
    await one.keys.load();
    assert.ok((await one.turning.rotate(next)).ok);
    await until(async () => (await isSealed(2)) && isSynced(one), one);
    const secret = one.add(`${CANARY} not for who found it`);
    titles.set(secret, `${CANARY} not for who found it`);
    await until(() => isSynced(one), one);
    assert.equal((await server.ask(lostCookie, '/sealing/v1'))?.status, 401, 'its session has ended');
    // Whoever found it, and gets at the rows of the server all the same, opens nothing with its key.
    const found = await new SealedDevice(office, lostDisk).start();
    await until(() => found.row(secret) !== undefined, found);
    assert.equal(found.name(secret), 'Locked');
    assert.equal((await found.keys.unlock(first.code)).ok, false, 'the code of before opens nothing');
    await found.close();

    // The server is put back to last week's backup, from before the new key.
    await server.stop();
    await server.admin('restore', join(server.folder, 'last-week.db'));
    await server.start();
    const all = [...titles];
    const isWhole = (device: SealedDevice) => all.every(([id, title]) => device.name(id) === title);
    await until(async () => (await isSealed(2)) && isSynced(one) && isWhole(one), one);
    const kept = [...one.engine.replica.all()].filter((row): row is Row => isKnown(row));
    assert.ok(kept.every((row) => lockedOf(row) === undefined));

    // A device that comes by the new code has everything, from the server alone.
    const newest = await new SealedDevice(office).start();
    assert.ok((await newest.keys.unlock(next.code)).ok);
    await until(() => isWhole(newest), newest);
    assert.equal(newest.engine.recovered.get().length + one.engine.recovered.get().length, 0);
    await until(() => server.holding(CANARY).length === 0);
    await server.stop();
    assert.deepEqual(
      server.holding(CANARY),
      [],
      'no file, no backup and nothing that was printed has a word of it',
    );
    assert.ok(
      kept.some((row) => JSON.stringify(registersOf(row)).includes(CANARY)),
      'the devices have it',
    );
    await newest.close();
    await one.close();
  });
});
