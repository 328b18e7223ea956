// Devices of one account around a server that has no key: what goes out is sealed, what comes in is opened, and nothing is lost on the way.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { blocksIn } from '#core/calendar/blocks.ts';
import { mineId, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { withRegister } from '#sync/rows/row.ts';
import { owner } from './material.ts';
import { newDisk, SealedDevice, settled } from './sealed-device.ts';
import { SealedServer } from './sealed-server.ts';

const CANARY = 'canary';

async function world() {
  const server = new SealedServer(owner.scope, owner.account);
  const one = await new SealedDevice(server).start();
  return { server, one };
}

/** A second device that has the key. */
async function joined(server: SealedServer, code: string, disk = newDisk()) {
  const two = await new SealedDevice(server, disk).start();
  const opened = await two.keys.unlock(code);
  assert.ok(opened.ok);
  await two.sync();
  return two;
}

describe('a sealed scope', () => {
  test('[SEAL-108] stands apart from others until it is plain again, on every device and after a restart', async () => {
    const { server, one } = await world();
    const isApart = (device: SealedDevice) => device.engine.facts().isApart;
    assert.equal(isApart(one), false);
    await one.turnOn();
    const two = await new SealedDevice(server).start();
    assert.deepEqual([isApart(one), isApart(two)], [true, true]);
    await two.close();
    const again = await new SealedDevice(server, two.disk).start();
    assert.equal(isApart(again), true);
    await one.turning.end();
    for (let turn = 0; turn < 5; turn += 1) await one.sync();
    await again.sync();
    assert.equal(server.state.phase, 'plain');
    assert.deepEqual([isApart(one), isApart(again)], [false, false]);
    for (const device of [one, again]) await device.close();
  });

  test('[CAL-58] [CAL-85] seals what time is planned, and every device reads it', async () => {
    const { server, one } = await world();
    const { code } = await one.turnOn();
    const two = await joined(server, code);
    const { replica } = one.engine;
    const task = replica.newId();
    const mine = mineId(owner.scope, task);
    const register = `block:${replica.newId()}`;
    const block = { start: Date.UTC(2026, 10, 27, 14), minutes: 45, occ: 0 };
    const place = { parent: one.add('Work') };
    replica.issue([
      { a: 'create', id: task, type: 'task', fields: { title: 'Plan' }, place },
      { a: 'create', id: mine, type: 'mine', fields: { of: task, [register]: block } },
    ]);
    await one.sync();
    const [value, ...more] = server.values(register);
    assert.ok(isEnvelope(value) && more.length === 0, 'the server has the name and no time');
    await two.sync();
    const held = two.engine.replica.row(mine);
    assert.equal(held?.type, 'mine');
    assert.deepEqual(blocksIn(held?.type === 'mine' ? held : undefined), [{ register, block }]);
    two.engine.replica.issue([{ a: 'set', id: mine, field: register, value: { ...block, minutes: 60 } }]);
    await two.sync();
    await one.sync();
    const moved = replica.row(mine);
    assert.equal(blocksIn(moved?.type === 'mine' ? moved : undefined)[0]?.block.minutes, 60);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-90] sends no content in the open once it is sealed, and reads all of it', async () => {
    const { server, one } = await world();
    const before = one.add('before');
    await one.sync();
    const { code } = await one.turnOn();
    assert.equal(server.state.phase, 'sealed');
    const seen = server.heard.length;
    const id = one.add(`${CANARY} list`);
    one.rename(before, `${CANARY} renamed`);
    await one.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.ok(server.values('name').every(isEnvelope));
    assert.equal(one.name(id), `${CANARY} list`);
    assert.equal(one.name(before), `${CANARY} renamed`);
    const two = await joined(server, code);
    assert.equal(two.name(id), `${CANARY} list`);
    two.rename(id, 'by two');
    await two.sync();
    await one.sync();
    assert.equal(one.name(id), 'by two');
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-91] [SEAL-119] keeps what it can’t open as it came, shows a word for it, and opens it when the key comes', async () => {
    const { server, one } = await world();
    const id = one.add('secret');
    await one.sync();
    const { code } = await one.turnOn();
    const two = await new SealedDevice(server).start();
    assert.equal(two.name(id), 'Locked');
    const locked = { type: 'onDevice', waiting: 0, online: true, trouble: 'locked' };
    assert.deepEqual(two.engine.state.get(), locked, 'it says so also where nothing waits');
    const row = two.row(id);
    assert.ok(row && isEnvelope(lockedOf(row)?.['name']));
    const there = server.rows.get(id);
    two.engine.replica.issue([{ a: 'set', id, field: 'clearAfter', value: 12 }]);
    await two.sync();
    assert.deepEqual(server.rows.get(id)?.fields['name' as never], there?.fields['name' as never]);
    assert.equal(server.rows.get(id)?.fields['clearAfter' as never], 12);
    const wrong = await two.keys.unlock(code.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    assert.ok(!wrong.ok);
    assert.ok((await two.keys.unlock(code.toLowerCase().replaceAll('-', ' '))).ok);
    await two.sync();
    assert.equal(two.name(id), 'secret');
    assert.deepEqual(two.engine.state.get(), { type: 'synced' });
    assert.equal(lockedOf(two.row(id)), undefined);
    assert.ok([...two.disk.contents.rows.values()].every((each) => lockedOf(each) === undefined));
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-92] [SEAL-119] without the key nothing with content goes out, and all of it goes with the key', async () => {
    const { server, one } = await world();
    const { code } = await one.turnOn();
    const two = await new SealedDevice(server).start();
    const seen = server.heard.length;
    const id = two.add(`${CANARY} made locked`);
    await two.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.equal(server.rows.get(id), undefined);
    const waits = { type: 'onDevice', waiting: 1, online: true, trouble: 'locked' };
    assert.deepEqual(two.engine.state.get(), waits);
    const asked = server.heard.length;
    for (let turn = 0; turn < 5; turn += 1) await two.sync();
    assert.equal(server.heard.length, asked + 5, 'it asks when it is told to, and not all the time');
    assert.deepEqual(two.engine.state.get(), waits);
    assert.ok((await two.keys.unlock(code)).ok);
    await two.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.deepEqual(two.engine.state.get(), { type: 'synced' });
    await one.sync();
    assert.equal(one.name(id), `${CANARY} made locked`);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-93] a server that says plain after sealed gets nothing plain, also after a restart', async () => {
    const { server, one } = await world();
    await one.turnOn();
    server.lie = { phase: 'plain', generation: 0 };
    server.state = { phase: 'plain', generation: 0 };
    const seen = server.heard.length;
    one.add(CANARY);
    await one.sync();
    await one.close();
    const again = await new SealedDevice(server, one.disk).start();
    again.add(CANARY);
    await again.sync();
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.equal(again.engine.recovered.get().length, 0);
    await again.close();
  });

  test('[SEAL-57] a server that was put back to before is told again, and everything is sealed once more', async () => {
    const { server, one } = await world();
    const id = one.add(`${CANARY} list`);
    await one.sync();
    const plain = new Map(server.rows);
    await one.turnOn();
    server.restore(plain);
    assert.match(JSON.stringify(server.values('name')), /canary/);
    for (let round = 0; round < 3; round += 1) await one.sync();
    assert.deepEqual(server.state, { phase: 'sealed', generation: 1 });
    assert.doesNotMatch(JSON.stringify(server.values('name')), /canary/);
    assert.equal(one.name(id), `${CANARY} list`);
    await one.close();
  });

  test('[SEAL-94] edits that waited while it was sealed are sealed with their numbers, and none goes to Recovered', async () => {
    const { server, one } = await world();
    const id = one.add('list');
    await one.sync();
    const { code } = await one.turnOn();
    const two = await joined(server, code);
    two.isOnline = false;
    two.rename(id, `${CANARY} offline`);
    const ended = await one.turning.end();
    assert.ok(ended.ok);
    await one.sync();
    assert.deepEqual(server.state, { phase: 'plain', generation: 1 });
    assert.deepEqual(server.values('name').filter(isEnvelope), []);
    await one.turnOn();
    assert.deepEqual(server.state, { phase: 'sealed', generation: 2 });
    two.isOnline = true;
    const seen = server.heard.length;
    await two.sync();
    await two.sync();
    await one.sync();
    assert.equal(one.name(id), `${CANARY} offline`);
    assert.doesNotMatch(server.heard.slice(seen).join(), /canary/);
    assert.deepEqual(two.engine.recovered.get(), []);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-91] what came by the live channel in a generation without a key opens with the next answer', async () => {
    const { server, one } = await world();
    const id = one.add('list');
    await one.sync();
    const { code } = await one.turnOn();
    const two = await joined(server, code);
    assert.ok((await one.turning.end()).ok);
    await one.sync();
    await two.sync();
    await one.turnOn();
    const from = server.version;
    two.isOnline = false;
    one.rename(id, 'second generation');
    await one.sync();
    server.tell(Number(two.disk.contents.meta?.cursors[owner.scope]?.version));
    await settled();
    assert.ok(server.version > from);
    assert.equal(two.name(id), 'Locked');
    two.isOnline = true;
    await two.sync();
    assert.equal(two.name(id), 'second generation');
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-214] what comes open by the live channel is fetched with the state of its list, and never shown as locked', async () => {
    const { server, one } = await world();
    const id = one.add('list');
    await one.turnOn();
    await one.sync();
    await one.move(id, 'await');
    const names: unknown[] = [];
    one.engine.replica.subscribe(() => names.push(one.name(id)));
    const row = server.rows.get(id);
    assert.ok(row);
    const stamp = [server.version + 1, 2_000, 9, 1] as const;
    server.version += 1;
    server.rows.set(id, withRegister({ ...row, version: server.version }, 'name', 'by somebody else', stamp));
    server.tell(Number(one.disk.contents.meta?.cursors[owner.scope]?.version));
    await settled();
    assert.equal(one.name(id), 'by somebody else');
    assert.ok(!names.includes('Locked'), JSON.stringify(names));
    await one.close();
  });

  test('[SEAL-95] two edits of one note merge on the devices: nothing of either is lost', async () => {
    const { server, one } = await world();
    const id = one.add('list');
    await one.sync();
    const { code } = await one.turnOn();
    one.write(id, 'first\nsecond\nthird\n');
    await one.sync();
    const two = await joined(server, code);
    assert.equal(two.notes(id), 'first\nsecond\nthird\n');
    two.isOnline = false;
    two.write(id, 'first\nsecond\nthird, by two\n');
    two.write(id, 'first\nsecond\nthird, by two again\n');
    one.write(id, 'first, by one\nsecond\nthird\n');
    await one.sync();
    two.isOnline = true;
    await two.sync();
    await one.sync();
    const both = 'first, by one\nsecond\nthird, by two again\n';
    assert.equal(one.notes(id), both);
    assert.equal(two.notes(id), both);
    one.write(id, `${both}more\n`);
    await one.sync();
    await two.sync();
    assert.equal(two.notes(id), `${both}more\n`);
    assert.doesNotMatch(server.heard.join(), /by two/);
    for (const device of [one, two]) await device.close();
  });

  test('[SEAL-95] also where the text that an edit began with is forgotten, both stay', async () => {
    const { server, one } = await world();
    const id = one.add('list');
    await one.sync();
    const { code } = await one.turnOn();
    one.write(id, 'first\nsecond\n');
    await one.sync();
    const two = await joined(server, code);
    two.isOnline = false;
    two.write(id, 'first\nsecond\nby two\n');
    one.write(id, 'by one\nfirst\nsecond\n');
    await one.sync();
    await two.close();
    const again = await new SealedDevice(server, two.disk).start();
    await again.sync();
    await one.sync();
    assert.match(one.notes(id), /by one/);
    assert.match(one.notes(id), /by two/);
    for (const device of [one, again]) await device.close();
  });

  test('[SEAL-96] a device that never heard of a sealed scope loads nothing for it; one that did does so first', async () => {
    const { server, one } = await world();
    one.add('list');
    await one.sync();
    assert.equal(one.loads, 0);
    await one.turnOn();
    assert.equal(one.loads, 1);
    await one.close();
    const again = await new SealedDevice(server, one.disk).start();
    assert.equal(again.loads, 1);
    await again.close();
  });

  test('[SEAL-97] sealing goes on where it stopped, on any device with the key, and typing wins', async () => {
    const { server, one } = await world();
    const ids: Id[] = [];
    for (let index = 0; index < 300; index += 1) ids.push(one.add(`list ${index}`));
    await one.sync();
    await one.keys.load();
    // The wrap is read, sent and read back, the step is made; then the server is away.
    server.answers = 5;
    await one.turnOn();
    assert.equal(server.state.phase, 'sealing');
    assert.ok(server.left > 0);
    await one.close();
    server.answers = Infinity;
    const again = await new SealedDevice(server, one.disk).start();
    again.rename(ids[7] as Id, 'typed');
    await again.sync();
    assert.equal(server.state.phase, 'sealed');
    assert.equal(server.left, 0);
    assert.equal(again.name(ids[7] as Id), 'typed');
    assert.equal(again.name(ids[8] as Id), 'list 8');
    assert.equal(again.engine.facts().digest, 'equal');
    await again.close();
    await settled();
  });

  test('[SEAL-98] nothing is sealed before the key was read back under the code and opened', async () => {
    const { server, one } = await world();
    one.add('list');
    await one.sync();
    server.losesWraps = true;
    await assert.rejects(one.turnOn(), /unread/);
    assert.equal(server.state.generation, 0);
    assert.equal(one.disk.store.kept, null);
    server.losesWraps = false;
    await one.turnOn();
    assert.equal(server.state.phase, 'sealed');
    await one.close();
  });

  test('[SEAL-99] a new code opens, the code before no longer does', async () => {
    const { server, one } = await world();
    const first = await one.turnOn();
    const { prepare } = await import('#sync/sealing/turning.ts');
    const { randomFillSync } = await import('node:crypto');
    const second = prepare(one.keys, { random: (bytes) => void randomFillSync(bytes) });
    assert.ok((await one.turning.keepCode(second)).ok);
    const two = await new SealedDevice(server).start();
    const old = await two.keys.unlock(first.code);
    assert.equal(old.ok ? null : old.problem.type, 'closed');
    assert.ok((await two.keys.unlock(second.code)).ok);
    for (const device of [one, two]) await device.close();
  });
});

describe('names that are taken away', () => {
  test('[SEAL-299] metadata and reminders are taken away under their hidden names, and nothing waits for it', async () => {
    const { server, one: device } = await world();
    const task = device.addTask(device.add('Clinic'), 'Call');
    await device.turnOn();
    await device.sync();
    const { replica } = device.engine;
    const set = (field: string, value: unknown) => replica.issue([{ a: 'set', id: task, field, value }]);
    set('meta:diagnosis', 'none');
    await device.sync();
    set('meta:diagnosis', null);
    await device.sync();
    assert.deepEqual([...device.engine.facts().pending], []);
    assert.equal(device.engine.state.get().type, 'synced');
    const names = server.heard.filter((text) => text.includes('diagnosis'));
    assert.deepEqual(names, []);
    await device.close();
  });
});
