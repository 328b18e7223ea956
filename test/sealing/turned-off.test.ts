// Encryption that is turned off by somebody who is in a list that stays encrypted: their own tasks are plain from then on, and the list opens on every
// device that gets the key of the account, as before. Whole server, real devices.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { another, SECRET, settle, until, World, type Somebody } from './encrypted-list.ts';
import { newDisk, SealedDevice } from './sealed-device.ts';

const phaseOf = async ({ office }: Somebody) => {
  const read = await office.routes.read();
  return read.ok ? read.value.state.phase : read.problem.type;
};

/** Turns encryption off as the dialog does, until everything of the person's own is plain. */
async function turnOff(somebody: Somebody): Promise<void> {
  await somebody.office.confirm();
  await somebody.device.keys.load();
  const ended = await somebody.device.turning.end();
  assert.ok(ended.ok, JSON.stringify(ended));
  await until(async () => (await phaseOf(somebody)) === 'plain', somebody);
}

/** A device of somebody that never had the key. */
async function keyless({ office }: Somebody): Promise<Somebody> {
  return { office, device: await new SealedDevice(office, newDisk()).start() };
}

/** Ida with an encrypted list that Ben has joined, her code, and a task in it. */
async function sharing() {
  const world = await World.open();
  const { ida, list } = world;
  await world.share();
  const ben = await world.joined('ben');
  const prepared = await prepareCode(ida);
  const task = ida.device.addTask(list, `${SECRET} tickets`);
  const own = ida.device.add('Own list');
  await settle(ida, ben);
  return { world, ida, ben, list, task, own, code: prepared };
}

async function prepareCode(somebody: Somebody): Promise<string> {
  await somebody.office.confirm();
  await somebody.device.keys.load();
  const made = somebody.device.newCode();
  const kept = await somebody.device.turning.keepCode(made);
  assert.ok(kept.ok, JSON.stringify(kept));
  return made.code;
}

describe('encryption that is turned off by a member of an encrypted list', () => {
  test('[SEAL-395] leaves the list as it is on the devices with the key, and opens it on others by the code', async () => {
    const { world, ida, ben, list, task, own, code } = await sharing();
    const second = await another(ida);
    await settle(second);
    await turnOff(ida);
    await settle(second, ben);
    for (const { device } of [ida, second, ben]) assert.equal(device.name(task), `${SECRET} tickets`);
    assert.equal((await world.state())?.phase, 'sealed');
    // A device that signs in afterwards.
    const third = await keyless(ida);
    await settle(third);
    assert.deepEqual([third.device.name(own), third.device.name(list)], ['Own list', 'Locked']);
    assert.ok((await third.device.keys.unlock(code)).ok);
    await settle(third);
    assert.equal(third.device.name(task), `${SECRET} tickets`);
    third.device.rename(task, `${SECRET} two tickets`);
    await settle(third, ben, ida);
    for (const { device } of [ida, ben]) assert.equal(device.name(task), `${SECRET} two tickets`);
    assert.equal(await world.has(SECRET), false, 'the server has no word of the list');
    await world.close(second.device, third.device);
  });

  test('[SEAL-396] follows a new key of the list, and takes tasks between it and the plain lists', async () => {
    const { world, ida, ben, list, task, own, code } = await sharing();
    const cyn = await world.joined('cyn');
    await turnOff(ida);
    const removed = await world.call(ida, `POST sharing/lists/${list}/members/${cyn.office.account}/remove`);
    assert.equal(removed.status, 200, JSON.stringify(removed));
    await until(
      async () =>
        ((await world.state())?.generation ?? 0) > 2 ** 31 + 1 && (await world.state())?.phase === 'sealed',
      ida,
      ben,
    );
    const third = await keyless(ida);
    assert.ok((await third.device.keys.unlock(code)).ok);
    await settle(third);
    ben.device.rename(task, `${SECRET} later`);
    await settle(ben, third, ida);
    for (const { device } of [ida, third]) assert.equal(device.name(task), `${SECRET} later`);
    const place = ({ device }: Somebody, id: Id, parent: Id) =>
      device.engine.replica.issue([{ a: 'place', id, place: { parent } }]).verdicts;
    const mine = third.device.addTask(own, 'Mine');
    await settle(third);
    assert.deepEqual(place(third, mine, list), ['ok']);
    await settle(third, ida, ben);
    assert.equal(ben.device.name(mine), 'Mine');
    ida.device.rename(mine, `${SECRET} ours`);
    await settle(ida, ben);
    assert.equal(ben.device.name(mine), `${SECRET} ours`);
    assert.equal(await world.has(SECRET), false);
    assert.deepEqual(place(ida, mine, own), ['ok']);
    await settle(ida, third, ben);
    assert.equal(placeOf(third.device.row(mine) as never)?.parent, own);
    assert.equal(third.device.name(mine), `${SECRET} ours`);
    for (const { device } of [ida, third, ben]) assert.deepEqual(device.engine.recovered.get(), []);
    await world.close(third.device);
  });

  test('[SEAL-397] is turned on again under the same key, and all devices go on', async () => {
    const { world, ida, ben, task, own, code } = await sharing();
    await turnOff(ida);
    const third = await keyless(ida);
    assert.ok((await third.device.keys.unlock(code)).ok);
    await settle(third);
    await ida.office.confirm();
    await third.device.turnOn();
    await until(async () => (await phaseOf(ida)) === 'sealed', third, ida);
    await settle(ida, third, ben);
    for (const { device } of [ida, third]) {
      assert.equal(device.name(own), 'Own list');
      assert.equal(device.name(task), `${SECRET} tickets`);
    }
    ben.device.rename(task, `${SECRET} again`);
    await settle(ben, ida, third);
    for (const { device } of [ida, third]) assert.equal(device.name(task), `${SECRET} again`);
    await world.close(third.device);
  });
});
