// The real server process, killed again and again at random moments while tasks with files go between somebody's own lists and two lists that stay
// encrypted: each task is whole in one of them, and no file of the server has a word. `KILLS=200 node --test test/process/list-moves-kill.test.ts`.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Id } from '#core/ids.ts';
import { openDatabase } from '#server/data/database.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import type { ContentOffice } from '../sealing/contents.ts';
import { newDisk, SealedDevice } from '../sealing/sealed-device.ts';
import { SeededRandom } from '../simulator/random.ts';
import { Reborn } from './reborn.ts';
import { signUp } from './server-child.ts';

const KILLS = Number(process.env['KILLS'] ?? '6');
const SEED = Number(process.env['SEED'] ?? '1');
const CANARY = 'canarymoved';
const TASKS = 12;
/** Rounds in which everything comes to its end once nobody kills any more. */
const MOST_ROUNDS = 200;

/** Somebody with contents of files at a server that dies. */
class Somebody extends AskedOffice {
  readonly contents: ContentOffice;

  constructor(server: Reborn, { cookie, account, scope }: Awaited<ReturnType<typeof signUp>>) {
    super({ account, scope, ask: (path, body) => server.ask(cookie, path, body) });
    this.contents = {
      fetchFile: async (of, id) => {
        const content = await server.file(cookie, `${of}/${id}`);
        return typeof content === 'number' ? (content === 0 ? 'offline' : 'missing') : content;
      },
      sendFile: async (of, hash, content) => {
        const status = await server.file(cookie, `${of}/${hash}`, content);
        return typeof status === 'number' && status !== 200 ? 'offline' : 'sent';
      },
    };
  }
}

/** Somebody with an encrypted account, a list of their own, and two lists that are shared and stay encrypted. */
async function world(t: TestContext) {
  const server = new Reborn();
  t.after(async () => {
    await server.kill();
    rmSync(server.dataDir, { recursive: true, force: true });
  });
  const signedUp = await signUp(await server.start(), 'ida@example.org');
  await server.kill();
  const database = await openDatabase({ dataDir: server.dataDir });
  await database.db.updateTable('account').set({ verified_at: 1 }).execute();
  await database.close();
  await server.start();
  const office = new Somebody(server, signedUp);
  const device = await new SealedDevice(office).start();
  const until = async (is: () => boolean | Promise<boolean>) => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await device.sync();
      await delay(20);
      if ((await is()) && device.engine.facts().pending.length === 0) return;
    }
    assert.fail(`it comes to its end: ${JSON.stringify(device.engine.facts())}`);
  };
  await device.turnOn();
  await until(async () => {
    const read = await office.routes.read();
    return read.ok && read.value.state.phase === 'sealed';
  });
  const lists = ['own', 'one', 'two'].map((each) => device.add(`${CANARY} ${each}`));
  await until(() => true);
  for (const list of lists.slice(1)) {
    const founded = await device.lists.found();
    assert.ok(founded.ok);
    const shared = await server.ask(signedUp.cookie, `/app/api/sharing/lists/${list}/encrypted`, {
      ...founded.value,
    });
    assert.equal(shared?.status, 200, JSON.stringify(shared));
    await until(async () => {
      const read = await office.listServer(founded.value.scope).read();
      return (
        device.row(list)?.scope === founded.value.scope && read.ok && read.value.state.phase === 'sealed'
      );
    });
  }
  return { server, office, device, lists, until };
}

/** A device with the same keys that has read nothing yet. */
async function another(office: Somebody, { disk }: SealedDevice): Promise<SealedDevice> {
  const other = await new SealedDevice(office, { ...disk, contents: newDisk().contents }).start();
  for (let round = 0; round < MOST_ROUNDS && other.engine.state.get().type !== 'synced'; round += 1) {
    await other.sync();
    await delay(20);
  }
  return other;
}

describe('tasks that move between encrypted scopes while the server is killed', () => {
  it(`[SEAL-305] ${KILLS} kills: each task is in one place, whole, with its file`, async (t) => {
    const random = new SeededRandom(SEED);
    const { server, office, device, lists, until } = await world(t);
    const tasks: { readonly task: Id; readonly below: Id; readonly file: Id; at: number }[] = [];
    for (let at = 0; at < TASKS; at += 1) {
      const list = lists[at % lists.length] as Id;
      const text = `${CANARY} file ${at}`;
      const file = await device.attach(text, new TextEncoder().encode(text), list);
      const task = device.engine.replica.row(file)?.fields as { readonly place: { readonly parent: Id } };
      const { parent } = task.place;
      tasks.push({ task: parent, below: device.addTask(parent, `${CANARY} below ${at}`), file, at: at % 3 });
    }
    await until(() => true);
    while (server.kills < KILLS) {
      for (const each of tasks) {
        if (random.below(2) === 0) continue;
        each.at = random.below(lists.length);
        const place = { parent: lists[each.at] as Id };
        device.engine.replica.issue([{ a: 'place', id: each.task, place }]);
      }
      await server.killedDuring(random, async () => {
        for (let round = 0; round < 6; round += 1) await device.sync();
      });
      if (server.kills % 3 === 0) await until(() => true);
    }
    const isInPlace = ({ file, at }: (typeof tasks)[number]) => {
      const scope = device.row(lists[at] as Id)?.scope;
      const own = scope === office.scope ? undefined : scope;
      return device.row(file)?.scope === scope && device.file(file).content?.scope === own;
    };
    await until(() => tasks.every(isInPlace));
    const other = await another(office, device);
    for (const [at, { task, below, file }] of tasks.entries())
      for (const each of [device, other]) {
        assert.equal(each.name(task), `${CANARY} file ${at}`);
        assert.equal(each.name(below), `${CANARY} below ${at}`);
        assert.equal(each.row(below)?.scope, each.row(task)?.scope);
        assert.equal(await each.read(file), `${CANARY} file ${at}`);
      }
    assert.deepEqual(device.engine.recovered.get(), []);
    assert.equal(server.has(CANARY), false, 'no file of the server has a word of it');
    await other.close();
    await device.close();
  });

  it('[SEAL-317] a server that is put back to before moves loses nothing that devices have, and hears no word of it', async (t) => {
    const { server, office, device, lists, until } = await world(t);
    const [own = '' as Id, one = '' as Id, two = '' as Id] = lists;
    const moves = [
      { task: device.addTask(own, `${CANARY} to one`), to: one },
      { task: device.addTask(one, `${CANARY} home`), to: own },
      { task: device.addTask(one, `${CANARY} to two`), to: two },
    ];
    for (const { task } of moves) device.addTask(task, `${CANARY} below`);
    await until(() => true);
    const backup = `${server.dataDir}/before.db`;
    await server.admin('backup', backup);
    for (const { task, to } of moves)
      device.engine.replica.issue([{ a: 'place', id: task, place: { parent: to } }]);
    const isThere = () => moves.every(({ task, to }) => device.row(task)?.scope === device.row(to)?.scope);
    await until(isThere);
    for (const { task } of moves) device.rename(task, `${CANARY} later`);
    await until(() => true);
    await server.admin('restore', backup);
    await until(() => device.engine.state.get().type === 'synced');
    const made = device.addTask(own, `${CANARY} goes on`);
    await until(() => device.engine.state.get().type === 'synced');
    const other = await another(office, device);
    for (const each of [device, other]) {
      assert.equal(each.name(made), `${CANARY} goes on`);
      for (const { task } of moves) assert.equal(each.name(task), `${CANARY} later`);
    }
    for (const { task } of moves) assert.equal(other.row(task)?.scope, device.row(task)?.scope);
    await other.close();
    assert.equal(server.has(CANARY), false, 'no file of the server has a word of it');
    await device.close();
  });
});
