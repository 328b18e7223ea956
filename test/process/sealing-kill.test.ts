// The real server process, killed again and again at random moments while an account is encrypted, its key made anew by being turned off and
// on again, and decrypted: nothing is lost, and what had begun is carried to its end. `KILLS=200 node --test test/process/sealing-kill.test.ts`.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Id } from '#core/ids.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import { SealedDevice } from '../sealing/sealed-device.ts';
import { SeededRandom } from '../simulator/random.ts';
import { Reborn } from './reborn.ts';
import { signUp } from './server-child.ts';

const KILLS = Number(process.env['KILLS'] ?? '6');
const SEED = Number(process.env['SEED'] ?? '1');
const LISTS = 700;
const CANARY = 'canary';
/** Rounds in which a step comes to its end once nobody kills any more. */
const MOST_ROUNDS = 2_000;

/** An account with lists at a server that dies, and its first device. */
async function world(t: TestContext) {
  const server = new Reborn();
  t.after(async () => {
    await server.kill();
    rmSync(server.dataDir, { recursive: true, force: true });
  });
  const { cookie, account, scope } = await signUp(await server.start(), 'ida@example.org');
  const office = new AskedOffice({ account, scope, ask: (path, body) => server.ask(cookie, path, body) });
  const device = await new SealedDevice(office).start();
  const names = new Map<Id, string>();
  const add = () => {
    const name = `${CANARY}${names.size}`;
    names.set(device.add(name), name);
  };
  for (let list = 0; list < LISTS; list += 1) add();
  const phase = async () => {
    const read = await office.routes.read();
    return read.ok ? read.value.state.phase : null;
  };
  /** Syncs until the scope stands there and nothing waits. */
  const until = async (wanted: string) => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await device.sync();
      await delay(30);
      if ((await phase()) === wanted && device.engine.facts().pending.length === 0) return;
    }
    assert.fail(`it is ${await phase()}, and ${device.engine.facts().pending.length} changes wait`);
  };
  const look = () => {
    for (const [id, name] of names) assert.equal(device.name(id), name);
  };
  await until('plain');
  return { server, office, device, names, add, phase, until, look };
}

/** Whether another device reads every list. */
async function reads(office: AskedOffice, names: ReadonlyMap<Id, string>, codes: readonly string[] = []) {
  const other = await new SealedDevice(office).start();
  for (const code of codes) if ((await other.keys.unlock(code)).ok) break;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await other.sync();
    await delay(30);
    if (
      other.engine.state.get().type === 'synced' &&
      [...names].every(([id, name]) => other.name(id) === name)
    )
      break;
  }
  for (const [id, name] of names) assert.equal(other.name(id), name, 'and another device reads it');
  await other.close();
}

describe('encryption while the server is killed', () => {
  it(`[SEAL-120] ${KILLS} kills: every word is there, and a sealed server has none of them`, async (t) => {
    const random = new SeededRandom(SEED);
    const { server, office, device, names, add, phase, until, look } = await world(t);
    for (let turn = 0; server.kills < KILLS; turn += 1) {
      for (let kill = 0; kill < 3; kill += 1) {
        await server.killedDuring(random, async () => {
          if ((await phase()) === 'plain') await device.turnOn();
          else await device.sync();
        });
        add();
      }
      if ((await phase()) === 'plain') await device.turnOn();
      await until('sealed');
      look();
      // What was deleted from the files waits for a quiet moment of the server.
      for (let wait = 0; wait < 100 && server.has(CANARY); wait += 1) await delay(50);
      assert.equal(server.has(CANARY), false, 'no file of the server has a word of it');
      for (let kill = 0; kill < 3; kill += 1) {
        await server.killedDuring(random, async () => {
          if ((await phase()) === 'sealed') await device.turning.end();
          await device.sync();
        });
        add();
      }
      if ((await phase()) === 'sealed') assert.ok((await device.turning.end()).ok);
      await until('plain');
      look();
    }
    await reads(office, names);
    await device.close();
  });

  it(`[SEAL-175] ${KILLS} kills while new keys are made: every word is there, and the latest code that counted opens it`, async (t) => {
    const random = new SeededRandom(SEED);
    const { server, office, device, names, add, until, look } = await world(t);
    const codes = [(await device.turnOn()).code];
    await until('sealed');
    while (server.kills < KILLS) {
      const prepared = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
      // Whether it came into force, the next look at the server shows.
      codes.unshift(prepared.code);
      await server.killedDuring(random, async () => {
        await device.keys.load();
        await device.turning.rotate(prepared);
        await device.sync();
      });
      add();
      if (server.kills % 2 === 0) await until('sealed');
    }
    await until('sealed');
    look();
    assert.equal(server.has(CANARY), false, 'no file of the server has a word of it');
    await reads(office, names, codes);
    await device.close();
  });
});
