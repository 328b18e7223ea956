// Single tasks that move between an encrypted account's own lists and a shared one. Whole server, real devices.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { noteTextOf } from '#sync/notes/note.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { itemsOf } from '#sync/sealing/walk.ts';
import { isFileSealed } from '#sync/sealing/scope-state.ts';
import { registerChecks } from '#wire/registers.ts';
import { callList, joined, SECRET, sealedOffice, settle, until } from './opened-office.ts';
import { newDisk, SealedDevice } from './sealed-device.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** An encrypted account with a shared list, and somebody who has joined it. */
async function sharing() {
  const here = await sealedOffice();
  const { device, list, office } = here;
  await device.move(list, 'open');
  await callList(here, 'POST');
  await settle(device);
  const { device: ben } = await joined(here);
  await settle(device);
  /** Another device of the account, with its key. */
  const second = async () => {
    const disk = newDisk();
    disk.store.kept = device.disk.store.kept;
    const other = await new SealedDevice(office, disk).start();
    await settle(other);
    return other;
  };
  const state = async () => {
    const answer = await office.routes.read();
    return answer.ok ? answer.value.state : null;
  };
  const close = async () => {
    await ben.close();
    await here.close();
  };
  return { ...here, ben, second, state, close };
}

const place = (device: SealedDevice, id: Id, parent: Id) =>
  device.engine.replica.issue([{ a: 'place', id, place: { parent } }]).verdicts;

const recovered = (device: SealedDevice) => device.engine.recovered.get();

/** What is in a sealed scope at rest. */
const SEALED = { phase: 'sealed', generation: 1 };

describe('tasks that leave an encrypted account and come back', () => {
  test('[SEAL-216] a task goes to a shared list with all beneath it, and nothing else is opened', async () => {
    const here = await sharing();
    const { device, ben, list, other, label, add } = here;
    const more = { notes: 'With a view', 'meta:price': '90', [`label:${label}`]: true };
    const task = add(other, 'Book a room', more);
    const below = add(task, 'Two beds', { due: { on: '2026-12-24' } });
    await settle(device);
    assert.equal(await here.has('Book a room'), false);
    assert.deepEqual(place(device, task, list), ['ok']);
    await settle(device, ben);
    assert.equal(ben.name(task), 'Book a room');
    const row = ben.row(task);
    assert.equal(row && noteTextOf(row), 'With a view');
    assert.equal(fieldOf(row, 'meta:price'), '90');
    assert.deepEqual(fieldOf(ben.row(below), 'due'), { on: '2026-12-24' });
    const on = Object.keys(row?.fields ?? {}).find((name) => name.startsWith('label:'));
    assert.equal(ben.name(on?.slice('label:'.length) as Id), 'packed');
    assert.equal(await here.has(SECRET), false);
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    assert.deepEqual(recovered(device), []);
    await here.close();
  });

  test('[SEAL-216] a task comes from a shared list with what others wrote, and is sealed', async () => {
    const here = await sharing();
    const { device, ben, other, tasks } = here;
    const [, pack, socks] = tasks as [Id, Id, Id];
    ben.rename(socks, 'Woollen socks');
    await settle(ben, device);
    assert.deepEqual(place(device, pack, other), ['ok']);
    await settle(device, ben);
    assert.equal(device.row(pack)?.scope, here.office.scope);
    assert.equal(ben.row(pack), undefined);
    assert.deepEqual([device.name(pack), device.name(socks)], ['Pack', 'Woollen socks']);
    const two = await here.second();
    assert.equal(two.name(socks), 'Woollen socks');
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    assert.deepEqual(recovered(device), []);
    await two.close();
    await here.close();
  });

  test('[SEAL-217] what was done without a network before and after arrives where the task is', async () => {
    const here = await sharing();
    const { device, ben, list, other, tasks, add } = here;
    const [tickets] = tasks as [Id];
    const going = add(other, 'Going');
    await settle(device);
    device.isOnline = false;
    device.rename(going, 'Going away');
    place(device, going, list);
    device.rename(going, 'Gone');
    device.write(going, 'Written after');
    const inside = device.addTask(going, 'Inside');
    place(device, tickets, other);
    device.rename(tickets, `${SECRET} tickets`);
    const kept = device.addTask(tickets, `${SECRET} kept`);
    // There and back again.
    const back = add(list, `${SECRET} mistake`);
    place(device, back, other);
    const both = add(other, 'Both');
    place(device, both, list);
    place(device, both, other);
    place(device, both, list);
    const many = Array.from({ length: 60 }, (_, at) => add(other, `One of many ${at}`));
    for (const id of many) place(device, id, list);
    device.isOnline = true;
    for (let turn = 0; turn < 4; turn += 1) await settle(device, ben);
    assert.deepEqual(recovered(device), []);
    assert.equal(device.engine.state.get().type, 'synced');
    const row = ben.row(going);
    assert.deepEqual(
      [ben.name(going), row && noteTextOf(row), ben.name(inside)],
      ['Gone', 'Written after', 'Inside'],
    );
    assert.equal(ben.name(both), 'Both');
    for (const [at, id] of many.entries()) assert.equal(ben.name(id), `One of many ${at}`);
    for (const id of [tickets, kept, back]) assert.equal(ben.row(id), undefined);
    assert.equal(device.name(kept), `${SECRET} kept`);
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    await here.close();
  });

  test('[SEAL-217] what another device wrote meanwhile is opened, too', async () => {
    const here = await sharing();
    const { device, ben, list, other, add } = here;
    const task = add(other, 'Room');
    await settle(device);
    const two = await here.second();
    two.isOnline = false;
    two.rename(task, 'Room by two');
    const inside = two.addTask(task, 'Inside by two');
    place(device, task, list);
    await settle(device);
    two.isOnline = true;
    await settle(two, device, ben);
    assert.deepEqual([ben.name(task), ben.name(inside)], ['Room by two', 'Inside by two']);
    assert.deepEqual([recovered(two), recovered(device)], [[], []]);
    assert.deepEqual(await here.openRows(), []);
    await two.close();
    await here.close();
  });

  test('[SEAL-218] wherever its device ends, it goes on; where that never comes back, what was opened is sealed again', async () => {
    const here = await sharing();
    const { office, list, other, add } = here;
    const { device } = here;
    const task = add(other, 'Room');
    await settle(device);
    const two = await here.second();
    // Its rows are open, and the move isn't sent.
    await device.move(task, 'open');
    const form = { state: { phase: 'unsealing', generation: 1 } as const, checks: registerChecks };
    const page = await office.routes.left(null, 10, task);
    const { sealer, state } = device.keys;
    assert.ok(page.ok && sealer);
    const items = page.value.rows.flatMap((row) => [...itemsOf({ ...form, sealer }, row)]);
    assert.ok(items.length > 0);
    assert.ok((await office.routes.reencode({ state, items })).ok);
    assert.equal(await here.has('Room'), true);
    await settle(two);
    two.now += 9 * 60_000;
    await settle(two);
    assert.deepEqual(await here.openRows(), [task], 'its device may come back');
    two.now += 2 * 60_000;
    await settle(two);
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    // It comes back after all.
    place(device, task, list);
    await settle(device, two, here.ben);
    assert.equal(here.ben.name(task), 'Room');
    assert.deepEqual(await here.openRows(), []);
    await two.close();
    await here.close();
  });

  test('[SEAL-218] answers that are lost change nothing', async () => {
    const here = await sharing();
    const { office, device, ben, list, other, add } = here;
    const tasks = Array.from({ length: 12 }, (_, at) => add(other, `Room ${at}`));
    await settle(device);
    for (const [at, id] of tasks.entries()) {
      place(device, id, list);
      office.lost = (at % 4) + 1;
      for (let turn = 0; turn < 3; turn += 1) await device.sync();
      office.lost = 0;
    }
    for (let turn = 0; turn < 2; turn += 1) await settle(device, ben);
    assert.deepEqual(
      tasks.map((id) => ben.name(id)),
      tasks.map((_, at) => `Room ${at}`),
    );
    assert.deepEqual(recovered(device), []);
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    await here.close();
  });

  test('[SEAL-219] encrypted files are opened before they leave, and sealed where they come', async () => {
    const here = await sharing();
    const { device, ben, list, other, office } = here;
    const file = await device.attach('ticket.pdf', bytes('The ticket'), other);
    await settle(device);
    const task = fieldOf(device.row(file), 'place')?.parent as Id;
    assert.ok(isFileSealed(device.file(file)));
    place(device, task, list);
    await until(() => ben.row(file) !== undefined, device, ben);
    assert.equal(await ben.read(file), 'The ticket');
    place(device, task, other);
    await until(() => isFileSealed(device.file(file)), device, ben);
    assert.equal(await device.read(file), 'The ticket');
    assert.equal(device.row(file)?.scope, office.scope);
    assert.deepEqual(await here.openRows(), []);
    await here.close();
  });

  test('[SEAL-223] a program is told that only a device moves tasks there and back', async () => {
    const here = await sharing();
    const { office, list, other, tasks, add, device } = here;
    const own = add(other, 'Own');
    await settle(device);
    for (const [id, to] of [
      [own, list],
      [tasks[0], other],
    ] as const) {
      const answer = await office.program('PATCH', `/tasks/${id}`, { list_id: to });
      assert.deepEqual([answer['status'], answer['code']], [409, 'encrypted'], JSON.stringify(answer));
    }
    await here.close();
  });

  test('[SEAL-220] what doesn’t open keeps its task here, and holds up nothing else', async () => {
    const here = await sharing();
    const { office, device, ben, list, other, add } = here;
    const task = add(other, 'Room');
    const below = add(task, 'Beds');
    await settle(device);
    await here.spoil(below);
    const after = add(list, 'Afterwards');
    place(device, task, list);
    device.rename(after, 'Afterwards still');
    for (let turn = 0; turn < 4; turn += 1) await settle(device, ben);
    assert.equal(ben.name(after), 'Afterwards still');
    assert.equal(device.row(task)?.scope, office.scope);
    assert.equal(recovered(device).length, 1);
    assert.deepEqual(await here.openRows(), []);
    assert.deepEqual(await here.state(), SEALED);
    await here.close();
  });
});
