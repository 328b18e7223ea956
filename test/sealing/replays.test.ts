// A server that gives back what it had before: noticed within one history, kept away from what the device knows, and no alarm where a server was
// restored, keys change or devices offer what they have.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { registersOf, registerStamp, withRegister, type Row } from '#sync/rows/row.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { owner } from './material.ts';
import { SealedDevice, settled } from './sealed-device.ts';
import { SealedServer } from './sealed-server.ts';

async function world() {
  const server = new SealedServer(owner.scope, owner.account);
  const one = await new SealedDevice(server).start();
  const id = one.add('first');
  await one.sync();
  await one.turnOn();
  await one.sync();
  return { server, one, id };
}

const rowOf = (server: SealedServer, id: Id): Row => must(server.rows.get(id), 'the row');

/** The server puts an older value in the place of the present one. */
function giveBack(
  server: SealedServer,
  id: Id,
  older: unknown,
  stamp: ReturnType<typeof registerStamp>,
): void {
  const row = rowOf(server, id);
  server.version += 1;
  server.rows.set(id, { ...withRegister(row, 'name', older, stamp), version: server.version });
}

const alarms = (device: SealedDevice): number => device.disk.store.kept?.replays ?? 0;

describe('a server that gives back older values', () => {
  test('[SEAL-190] with a new version and the stamp of then: the newer one stays, and it is noticed once', async () => {
    const { server, one, id } = await world();
    one.rename(id, 'second');
    await one.sync();
    const before = rowOf(server, id);
    one.rename(id, 'third');
    await one.sync();
    assert.equal(alarms(one), 0);
    giveBack(server, id, registersOf(before)['name'], registerStamp(before, 'name'));
    await one.sync();
    assert.deepEqual([one.name(id), alarms(one)], ['third', 1]);
    giveBack(server, id, registersOf(before)['name'], registerStamp(before, 'name'));
    await one.sync();
    assert.deepEqual([one.name(id), alarms(one)], ['third', 1]);
    await one.keys.load();
    assert.deepEqual([await one.keys.tellReplays(), await one.keys.tellReplays()], [1, 0]);
    one.rename(id, 'fourth');
    await one.sync();
    assert.deepEqual([one.name(id), alarms(one)], ['fourth', 0]);
    await one.close();
  });

  test('[SEAL-190] with the stamp of the present one', async () => {
    const { server, one, id } = await world();
    const before = rowOf(server, id);
    one.rename(id, 'second');
    await one.sync();
    giveBack(server, id, registersOf(before)['name'], registerStamp(rowOf(server, id), 'name'));
    await one.sync();
    assert.deepEqual([one.name(id), alarms(one)], ['second', 1]);
    await one.close();
  });

  test('[SEAL-190] also to a device that was started anew', async () => {
    const { server, one, id } = await world();
    const before = rowOf(server, id);
    one.rename(id, 'second');
    await one.sync();
    await one.close();
    const again = await new SealedDevice(server, one.disk).start();
    giveBack(server, id, registersOf(before)['name'], registerStamp(rowOf(server, id), 'name'));
    await again.sync();
    assert.deepEqual([again.name(id), alarms(again)], ['second', 1]);
    await again.close();
  });

  test('[SEAL-191] a server that was restored says so by its generation, and raises no alarm', async () => {
    const { server, one, id } = await world();
    const before = rowOf(server, id);
    one.rename(id, 'second');
    await one.sync();
    server.generation = 'restored';
    giveBack(server, id, registersOf(before)['name'], registerStamp(before, 'name'));
    for (let round = 0; round < 3; round += 1) await one.sync();
    await settled();
    assert.equal(alarms(one), 0);
    await one.close();
  });

  test('[SEAL-191] other devices that write, and a row that comes again, raise none', async () => {
    const { server, one, id } = await world();
    one.rename(id, 'second');
    one.write(id, 'a note');
    await one.sync();
    const prepared = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
    await one.keys.load();
    assert.ok((await one.turning.rotate(prepared)).ok);
    for (let round = 0; round < 3; round += 1) await one.sync();
    const two = await new SealedDevice(server).start();
    assert.ok((await two.keys.unlock(prepared.code)).ok);
    await two.sync();
    two.rename(id, 'by two');
    two.write(id, 'a note by two');
    await two.sync();
    await one.sync();
    one.rename(id, 'by one');
    await one.sync();
    await two.sync();
    assert.deepEqual([two.name(id), alarms(one), alarms(two)], ['by one', 0, 0]);
    for (const device of [one, two]) await device.close();
  });
});
