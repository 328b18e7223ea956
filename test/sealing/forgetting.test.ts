// A device that forgets the key: its rows are locked by its own hand, nothing of their content stays there, and the key opens them again.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { owner } from './material.ts';
import { SealedDevice } from './sealed-device.ts';
import { SealedServer } from './sealed-server.ts';

const CANARY = 'canary';

async function world() {
  const server = new SealedServer(owner.scope, owner.account);
  const one = await new SealedDevice(server).start();
  const id = one.add(CANARY);
  one.write(id, `${CANARY} in a note`);
  await one.sync();
  const { code } = await one.turnOn();
  return { server, one, id, code };
}

const onDisk = ({ disk }: SealedDevice): string => JSON.stringify([...disk.contents.rows.values()]);

async function left(device: SealedDevice): Promise<void> {
  await device.keys.load();
  await device.keys.leave();
  for (let round = 0; round < 2; round += 1) await device.sync();
}

describe('a device that forgets the key', () => {
  test('[SEAL-183] shows its rows as locked, keeps nothing of their content, and opens them again by the code', async () => {
    const { server, one, id, code } = await world();
    const there = server.rows.get(id);
    await left(one);
    assert.equal(one.disk.store.kept, null);
    assert.equal(one.name(id), 'Locked');
    assert.ok(isEnvelope(lockedOf(one.row(id))?.['notes']));
    assert.doesNotMatch(onDisk(one), /canary/);
    assert.deepEqual(server.rows.get(id), there);
    assert.ok((await one.keys.unlock(code)).ok);
    await one.sync();
    assert.deepEqual([one.name(id), one.notes(id)], [CANARY, `${CANARY} in a note`]);
    assert.equal(one.engine.facts().digest, 'equal');
    await one.close();
  });

  test('[SEAL-183] what it can’t read it changes nowhere, and what others write stays locked', async () => {
    const { server, one, id, code } = await world();
    const two = await new SealedDevice(server).start();
    assert.ok((await two.keys.unlock(code)).ok);
    await two.sync();
    await left(one);
    two.rename(id, `${CANARY} renamed`);
    const made = two.add(`${CANARY} made`);
    await two.sync();
    await one.sync();
    assert.deepEqual([one.name(id), one.name(made)], ['Locked', 'Locked']);
    const seen = server.heard.length;
    one.engine.replica.issue([{ a: 'set', id, field: 'clearAfter', value: 12 }]);
    await one.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /name/);
    await two.sync();
    assert.equal(two.name(id), `${CANARY} renamed`);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-183] a device that ends before its rows are locked does it at the next start', async () => {
    const { server, one, id, code } = await world();
    await one.keys.load();
    one.isOnline = false;
    await one.keys.leave();
    await one.close();
    assert.match(onDisk(one), /canary/);
    const again = await new SealedDevice(server, one.disk).start();
    await again.sync();
    assert.equal(again.disk.store.kept, null);
    assert.doesNotMatch(onDisk(again), /canary/);
    await again.close();
    const third = await new SealedDevice(server, one.disk).start();
    assert.equal(third.name(id), 'Locked');
    assert.ok((await third.keys.unlock(code)).ok);
    await third.sync();
    assert.equal(third.name(id), CANARY);
    await third.close();
  });

  test('[SEAL-425] a device that is offline locks what is here as well; online again it reads everything by the code, and is told of by others', async () => {
    const { server, one, id, code } = await world();
    const two = await new SealedDevice(server).start();
    assert.ok((await two.keys.unlock(code)).ok);
    for (let round = 0; round < 2; round += 1) await two.sync();
    await one.keys.load();
    one.isOnline = false;
    const { answers } = server;
    server.answers = 0;
    const seen = server.heard.length;
    await left(one);
    assert.equal(one.disk.store.kept, null);
    assert.equal(one.name(id), 'Locked');
    assert.doesNotMatch(onDisk(one), /canary/);
    // The person goes on: what they write waits for the key, and isn't lost.
    const made = one.add(`${CANARY} written while locked`);
    await one.sync();
    server.answers = answers;
    one.isOnline = true;
    two.rename(id, `${CANARY} renamed`);
    for (let round = 0; round < 3; round += 1) for (const device of [two, one]) await device.sync();
    assert.equal(one.name(id), 'Locked');
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.ok((await one.keys.unlock(code)).ok);
    for (let round = 0; round < 3; round += 1) for (const device of [one, two]) await device.sync();
    assert.deepEqual([one.name(id), one.name(made)], [`${CANARY} renamed`, `${CANARY} written while locked`]);
    assert.equal(two.name(made), `${CANARY} written while locked`);
    assert.equal(one.engine.facts().pending.length, 0);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-181] a device says that it has the key, and that it has it no more', async () => {
    const { server, one, code } = await world();
    const two = await new SealedDevice(server).start();
    assert.ok((await two.keys.unlock(code)).ok);
    for (let round = 0; round < 2; round += 1) await two.sync();
    const said = async () => {
      await one.keys.load();
      await one.keys.refresh();
      return Object.values(one.keys.directory?.devices ?? {}).map(({ how }) => how);
    };
    assert.deepEqual(await said(), ['made', 'code']);
    await left(two);
    assert.deepEqual(await said(), ['made']);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-181] a device that stays says so again after a new key', async () => {
    const { server, one, code } = await world();
    const two = await new SealedDevice(server).start();
    assert.ok((await two.keys.unlock(code)).ok);
    for (let round = 0; round < 2; round += 1) await two.sync();
    const next = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
    await one.keys.load();
    assert.ok((await one.turning.rotate(next)).ok);
    for (let round = 0; round < 4; round += 1) for (const device of [one, two]) await device.sync();
    assert.ok((await two.keys.unlock(next.code)).ok);
    for (let round = 0; round < 4; round += 1) for (const device of [two, one]) await device.sync();
    await one.keys.load();
    await one.keys.refresh();
    const holders = Object.values(one.keys.directory?.devices ?? {});
    assert.deepEqual(holders.map(({ how }) => how).toSorted(), ['code', 'made']);
    for (const device of [one, two]) await device.close();
  });
});
