// A new account key: what is written afterwards is nothing for who has only the one before, and nothing is lost on the way there, wherever it
// stops and whichever server has forgotten it.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { openGeneration } from '#core/sealing/wraps.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { wrapsIn } from '#sync/sealing/directory.ts';
import { prepareNewKey, type Prepared } from '#sync/sealing/turning.ts';
import { owner } from './material.ts';
import { newDisk, SealedDevice, type Office } from './sealed-device.ts';
import { SealedServer } from './sealed-server.ts';
import { WholeOffice } from './whole-office.ts';

const CANARY = 'canary';

const newKey = (): Prepared => prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });

/** Encrypted, with a list, at one device. */
async function world() {
  const server = new SealedServer(owner.scope, owner.account);
  const one = await new SealedDevice(server).start();
  const id = one.add('before');
  await one.sync();
  const first = await one.turnOn();
  assert.equal(server.state.phase, 'sealed');
  return { server, one, id, first };
}

/** Another device, opened by a code. */
async function joined(server: Office, code: string, disk = newDisk()) {
  const device = await new SealedDevice(server, disk).start();
  assert.ok((await device.keys.unlock(code)).ok);
  await device.sync();
  return device;
}

/** A new key is made at a device, and everything is sealed with it. */
async function rotated(device: SealedDevice, prepared = newKey()): Promise<Prepared> {
  await device.keys.load();
  const done = await device.turning.rotate(prepared);
  assert.ok(done.ok, JSON.stringify(done));
  for (let round = 0; round < 3; round += 1) await device.sync();
  return prepared;
}

describe('a new key', () => {
  test('[SEAL-170] seals everything anew, and opens what was sealed before, here and at devices that come by its code', async () => {
    const { server, one, id } = await world();
    const { code } = await rotated(one);
    assert.deepEqual(server.state, { phase: 'sealed', generation: 2 });
    assert.equal(server.left, 0);
    const made = one.add('after');
    await one.sync();
    const two = await joined(server, code);
    assert.deepEqual([two.name(id), two.name(made)], ['before', 'after']);
    two.rename(id, 'by two');
    await two.sync();
    await one.sync();
    assert.equal(one.name(id), 'by two');
    assert.ok(server.values('name').every(isEnvelope));
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-171] a device with the key of before reads nothing that is written with the new one, whatever the server gives it', async () => {
    const { server, one, first } = await world();
    const lost = await joined(server, first.code);
    const old = lost.disk.store.kept?.key;
    assert.ok(old);
    await rotated(one);
    const made = one.add(CANARY);
    await one.sync();
    for (let round = 0; round < 3; round += 1) await lost.sync();
    assert.equal(lost.name(made), 'Locked');
    assert.ok(isEnvelope(lockedOf(lost.row(made))?.['name']));
    const { generations } = JSON.parse(server.directory?.body ?? '') as {
      readonly generations: Readonly<Record<string, string>>;
    };
    assert.deepEqual(
      Object.entries(generations).map(
        ([name, wrap]) => openGeneration(wrap, old, { ...owner, generation: Number(name) }).ok,
      ),
      [true, false],
    );
    const stranger = await new SealedDevice(server).start();
    const closed = await stranger.keys.unlock(first.code);
    assert.equal(closed.ok ? null : closed.problem.type, 'closed');
    for (const device of [one, lost, stranger]) await device.close();
  });

  test('[SEAL-172] a device with the key of before sends nothing with content until it has the new one; then all of it goes', async () => {
    const { server, one, id, first } = await world();
    one.write(id, 'a note of before');
    await one.sync();
    const two = await joined(server, first.code);
    const { code } = await rotated(one);
    await two.sync();
    // Everything was sealed with a key that it doesn't have: what it has read before stays open there.
    assert.equal(two.name(id), 'before');
    one.rename(id, 'since');
    await one.sync();
    await two.sync();
    assert.equal(two.name(id), 'Locked');
    const verdict = two.engine.replica.issue([{ a: 'set', id, field: 'name', value: 'over it' }]).verdicts;
    assert.deepEqual([verdict, two.name(id)], [['forbidden'], 'Locked']);
    const seen = server.heard.length;
    const made = two.add(CANARY);
    await two.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /"e":/);
    assert.equal(server.rows.get(made), undefined);
    assert.ok((await two.keys.unlock(code)).ok);
    for (let round = 0; round < 2; round += 1) await two.sync();
    await one.sync();
    assert.deepEqual([one.name(made), two.name(id)], [CANARY, 'since']);
    // Of the row that was locked in part nothing is locked any more.
    assert.equal(two.notes(id), 'a note of before');
    assert.equal(lockedOf(two.row(id)), undefined);
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.deepEqual(two.engine.recovered.get(), []);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-173] of two devices that make a new key at once one is told that the other was first, and its code opens nothing', async () => {
    const { server, one, id, first } = await world();
    const two = await joined(server, first.code);
    const [mine, theirs] = [newKey(), newKey()];
    for (const device of [one, two]) await device.keys.load();
    const both = await Promise.all([one.turning.rotate(mine), two.turning.rotate(theirs)]);
    assert.equal(both.filter(({ ok }) => ok).length, 1);
    const lost = both.find((each) => !each.ok);
    assert.equal(lost?.ok === false && lost.problem.type, 'moved');
    for (let round = 0; round < 3; round += 1) for (const device of [one, two]) await device.sync();
    assert.deepEqual(server.state, { phase: 'sealed', generation: 2 });
    const [good, bad] = both[0].ok ? [mine, theirs] : [theirs, mine];
    const three = await new SealedDevice(server).start();
    assert.ok(!(await three.keys.unlock(bad.code)).ok);
    assert.ok((await three.keys.unlock(good.code)).ok);
    await three.sync();
    assert.equal(three.name(id), 'before');
    for (const device of [one, two, three]) await device.close();
  });

  test('[SEAL-174] what else opened the key of before opens nothing any more', async () => {
    const { server, one } = await world();
    await one.keys.load();
    assert.ok((await one.turning.keepPassphrase('five unrelated words')).ok);
    await rotated(one);
    assert.deepEqual(Object.keys(server.wraps), ['code']);
    const two = await new SealedDevice(server).start();
    assert.ok(!(await two.keys.unlock('five unrelated words')).ok);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-174] a device with the key of before changes no code, no passphrase and no key', async () => {
    const { server, one, first } = await world();
    const two = await joined(server, first.code);
    await two.keys.load();
    const { code } = await rotated(one);
    const refused = [
      await two.turning.keepPassphrase('five unrelated words'),
      await two.turning.keepCode({ ...newKey(), key: first.key }),
      await two.turning.rotate(newKey()),
    ];
    assert.deepEqual(
      refused.map((each) => (each.ok ? null : each.problem.type)),
      ['locked', 'locked', 'locked'],
    );
    const three = await joined(server, code);
    for (const device of [one, two, three]) await device.close();
  });

  test('[SEAL-175] wherever it is killed, either nothing has changed or it goes on, and one of the two codes opens everything', async () => {
    for (let answers = 0; answers < 12; answers += 1) {
      const { server, one, id, first } = await world();
      const next = newKey();
      await one.keys.load();
      server.answers = answers;
      await one.turning.rotate(next);
      await one.sync();
      await one.close();
      server.answers = Infinity;
      const again = await new SealedDevice(server, one.disk).start();
      for (let round = 0; round < 4; round += 1) await again.sync();
      assert.equal(server.state.phase, 'sealed', `after ${answers} answers`);
      assert.equal(again.name(id), 'before');
      again.rename(id, `after ${answers}`);
      await again.sync();
      const { code } = server.state.generation === 1 ? first : next;
      const two = await joined(server, code);
      assert.equal(two.name(id), `after ${answers}`);
      for (const device of [again, two]) await device.close();
    }
  });

  test('[SEAL-175] the answer to the step is lost: the device has kept the new key and goes on with it', async () => {
    const { server, one, id } = await world();
    await one.keys.load();
    const next = newKey();
    server.losesAnswerTo = 'rotate';
    assert.ok(!(await one.turning.rotate(next)).ok);
    // Its copy goes on without a restart.
    for (let round = 0; round < 3; round += 1) await one.sync();
    assert.deepEqual(server.state, { phase: 'sealed', generation: 2 });
    await one.close();
    const again = await new SealedDevice(server, one.disk).start();
    await again.sync();
    assert.equal(again.name(id), 'before');
    assert.deepEqual([...(again.disk.store.kept?.key ?? [])], [...next.key]);
    await again.close();
  });

  test('[SEAL-176] a server that was put back to before the new key is told again, and the new code opens it', async () => {
    const { server, one, id, first } = await world();
    const before = {
      rows: new Map(server.rows),
      state: server.state,
      directory: server.directory,
      wraps: { ...server.wraps },
    };
    const { code } = await rotated(one);
    const made = one.add(CANARY);
    await one.sync();
    server.restore(before.rows);
    Object.assign(server, { ...before, rows: server.rows });
    for (let round = 0; round < 4; round += 1) await one.sync();
    assert.deepEqual(server.state, { phase: 'sealed', generation: 2 });
    assert.equal(server.left, 0);
    assert.notEqual(
      server.directory && wrapsIn({ directory: server.directory, wraps: {} })['code'],
      before.wraps['code'],
    );
    const two = await joined(server, code);
    assert.deepEqual([two.name(id), two.name(made)], ['before', CANARY]);
    const old = await new SealedDevice(server).start();
    assert.ok(!(await old.keys.unlock(first.code)).ok);
    for (const device of [one, two, old]) await device.close();
  });

  test('[SEAL-177] two new keys, one after the other: rows, names and a device that slept through both', async () => {
    const { server, one, id, first } = await world();
    const slept = await joined(server, first.code);
    slept.isOnline = false;
    slept.rename(id, 'while asleep');
    await rotated(one);
    const { code } = await rotated(one);
    assert.deepEqual(server.state, { phase: 'sealed', generation: 3 });
    slept.isOnline = true;
    await slept.sync();
    assert.ok((await slept.keys.unlock(code)).ok);
    for (let round = 0; round < 2; round += 1) await slept.sync();
    await one.sync();
    assert.equal(one.name(id), 'while asleep');
    const hidden = (device: SealedDevice) => device.keys.ring?.hiddenName('x' as Id, 'meta:who');
    assert.equal(typeof hidden(slept), 'string');
    await one.keys.load();
    assert.equal(hidden(slept), hidden(one));
    for (const device of [one, slept]) await device.close();
  });

  test('[SEAL-176] a whole server does the same: also one that was put back to before there was any key', async () => {
    const office = await WholeOffice.open();
    const { db } = office.server.database;
    const one = await new SealedDevice(office).start();
    const id = one.add('before');
    await one.sync();
    const ever = await office.routes.read();
    assert.ok(ever.ok && ever.value.state.generation === 0);
    await one.turnOn();
    for (let round = 0; round < 3; round += 1) await one.sync();
    const { code } = await rotated(one);
    const made = one.add(CANARY);
    for (let round = 0; round < 3; round += 1) await one.sync();
    const sealed = await office.routes.read();
    assert.deepEqual(sealed.ok && sealed.value.state, { phase: 'sealed', generation: 2 });
    await db
      .updateTable('scope')
      .set({ sealing_phase: 'plain', sealing_generation: 0 })
      .where('id', '=', office.scope)
      .execute();
    await db.deleteFrom('sealing').where('scope', '=', office.scope).execute();
    for (let round = 0; round < 4; round += 1) await one.sync();
    const again = await office.routes.read();
    assert.deepEqual(again.ok && again.value.state, { phase: 'sealed', generation: 2 });
    const two = await joined(office, code);
    for (let round = 0; round < 2; round += 1) await two.sync();
    assert.deepEqual([two.name(id), two.name(made)], ['before', CANARY]);
    for (const device of [one, two]) await device.close();
    await office.close();
  });
});
