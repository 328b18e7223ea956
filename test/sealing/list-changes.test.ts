// What happens to a list that stays encrypted while people come, go, and change their keys, and what can't be done with it. Whole server, real
// devices.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelsRoot, type Id } from '#core/ids.ts';
import { FIRST_LIST_GENERATION } from '#core/sealing/keys.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { callSharing, confirmEmail, joinList, told } from '../sharing.ts';
import { another, SECRET, settle, World, type Somebody } from './encrypted-list.ts';
import { newDisk, SealedDevice } from './sealed-device.ts';
import { seeded } from './material.ts';

async function shared() {
  const world = await World.open();
  const task = world.ida.device.addTask(world.list, `${SECRET} tickets`);
  await settle(world.ida);
  await world.share();
  return { world, ida: world.ida, list: world.list, task };
}

/** Somebody whose account isn't encrypted, as a member of the list. */
async function withoutKey({
  world,
  ida,
  list,
}: {
  world: World;
  ida: Somebody;
  list: Id;
}): Promise<Somebody> {
  const office = await ida.office.neighbour('dan@example.org');
  await confirmEmail(office.server, office.account);
  const device = await new SealedDevice(office, newDisk()).start();
  await settle(device);
  const { link } = await told(callSharing(office.server, ida.office.session, `GET sharing/lists/${list}`));
  await joinList(office.server, office.session, (link as { token: string }).token);
  await settle(device);
  assert.ok(device.row(list), world.scope);
  return { office, device };
}

describe('a list that stays encrypted', () => {
  test('[SEAL-245] has a new key once somebody has left of whose coming this device never read', async () => {
    const { world, ida, list } = await shared();
    const ben = await world.joined('ben');
    await settle(ida);
    const left = await world.call(ben, `POST sharing/lists/${list}/leave`);
    assert.equal(left.status, 200, JSON.stringify(left));
    await settle(ida);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    await world.close();
  });

  test('[SHARE-375] lines of a note that two of its people write apart stay two lines for both, and on a device that comes later', async () => {
    const { world, ida, task } = await shared();
    const ben = await world.joined('ben');
    await settle(ida, ben);
    ben.device.isOnline = false;
    ben.device.write(task, 'Ben offline line');
    ida.device.write(task, 'Ida line one');
    await settle(ida);
    ben.device.isOnline = true;
    await settle(ben, ida, ben);
    const lines = (of: Somebody) => of.device.notes(task).split('\n').toSorted();
    assert.deepEqual(lines(ida), ['Ben offline line', 'Ida line one']);
    assert.equal(ben.device.notes(task), ida.device.notes(task));
    // Both go on, each in their line.
    for (const each of [ida, ben])
      each.device.write(
        task,
        each.device.notes(task).replace(each === ida ? 'line one' : 'offline line', '$&!'),
      );
    await settle(ida, ben, ida, ben);
    assert.deepEqual(lines(ben), ['Ben offline line!', 'Ida line one!']);
    const third = await another(ida);
    await settle(third);
    assert.equal(third.device.notes(task), ben.device.notes(task));
    assert.equal(ida.device.notes(task), ben.device.notes(task));
    await third.device.close();
    await world.close();
  });

  test('[SEAL-249] is locked without the key, holds up nothing else, and opens as soon as it is there', async () => {
    const { world, ida, list, task } = await shared();
    const dan = await withoutKey({ world, ida, list });
    assert.ok(lockedOf(dan.device.row(task))?.['title']);
    const { replica } = dan.device.engine;
    const tried = replica.issue([
      { a: 'set', id: task, field: 'title', value: 'over it' },
      { a: 'create', id: replica.newId(), type: 'task', fields: { title: 'new' }, place: { parent: list } },
    ] as never);
    assert.deepEqual(tried.verdicts, ['forbidden', 'forbidden']);
    const own = dan.device.add('of his own');
    const moved = replica.issue([{ a: 'place', id: task, place: { parent: own } }] as never);
    assert.deepEqual(moved.verdicts, ['forbidden']);
    await settle(dan);
    assert.equal(dan.device.engine.facts().pending.length, 0, 'what he writes elsewhere goes out');
    await dan.device.turnOn();
    await settle(dan);
    const { secret } = await world.link();
    assert.ok((await dan.device.lists.join(world.scope, secret)).ok);
    await settle(dan);
    assert.equal(dan.device.name(task), `${SECRET} tickets`);
    dan.device.rename(task, `${SECRET} by Dan`);
    await settle(dan, ida);
    assert.equal(ida.device.name(task), `${SECRET} by Dan`);
    await world.close(dan.device);
  });

  test('[SEAL-243] has no labels of its people', async () => {
    const { world, ida, list, task } = await shared();
    const dan = await withoutKey({ world, ida, list });
    for (const { office, device } of [ida, dan]) {
      const { replica } = device.engine;
      const label = replica.newId();
      const place = { parent: labelsRoot(office.scope) };
      replica.issue([{ a: 'create', id: label, type: 'label', fields: { name: 'urgentzq' }, place }]);
      await settle(device);
      replica.issue([{ a: 'set', id: task, field: `label:${label}`, value: true }] as never);
      await settle(device);
    }
    const rows = await ida.office.server.database.store.snapshot(world.scope, null, 100);
    assert.deepEqual(
      rows.filter(({ type }) => type === 'label' || type === 'labelGroup'),
      [],
    );
    assert.equal(JSON.stringify(rows).includes('urgentzq'), false);
    await world.close(dan.device);
  });

  test('[SEAL-314] has labels of its own, which all its people read and the server doesn’t', async () => {
    const { world, ida, list, task } = await shared();
    const ben = await world.joined('ben');
    const { replica } = ben.device.engine;
    const label = replica.newId();
    const place = { parent: labelsRoot(world.scope) };
    const fields = { name: `${SECRET} urgent`, color: '#c03030' };
    replica.issue([
      { a: 'create', id: label, type: 'label', fields, place },
      { a: 'set', id: task, field: `label:${label}`, value: true },
    ] as never);
    await settle(ben, ida);
    assert.equal(ida.device.name(label), `${SECRET} urgent`);
    assert.equal(fieldOf(ida.device.row(task), `label:${label}`), true);
    ida.device.engine.replica.issue([
      { a: 'set', id: ida.device.addTask(list, `${SECRET} more`), field: `label:${label}`, value: true },
      { a: 'set', id: label, field: 'name', value: `${SECRET} later` },
    ] as never);
    await settle(ida, ben);
    assert.equal(ben.device.name(label), `${SECRET} later`);
    assert.deepEqual(await world.left(), []);
    assert.equal(await world.has(SECRET), false);
    assert.deepEqual(
      [ida, ben].flatMap(({ device }) => device.engine.recovered.get()),
      [],
    );
    await world.close();
  });

  test('[SEAL-244] takes no content of programs, and has no public links', async () => {
    const { world, ida, list, task } = await shared();
    const { office } = ida;
    const made = await office.program('POST', '/tasks', {
      title: `${SECRET} by a program`,
      list_id: list,
    });
    assert.deepEqual([made['status'], made['code']], [409, 'encrypted'], JSON.stringify(made));
    const renamed = await office.program('PATCH', `/tasks/${task}`, { title: 'other' });
    assert.deepEqual([renamed['status'], renamed['code']], [409, 'encrypted'], JSON.stringify(renamed));
    const elsewhere = ida.device.addTask(ida.device.add('elsewhere'), 'of her own');
    await settle(ida);
    const away = placeOf(ida.device.row(elsewhere))?.parent;
    for (const [id, listId] of [
      [elsewhere, list],
      [task, away],
    ]) {
      const moved = await office.program('PATCH', `/tasks/${id}`, { list_id: listId });
      assert.deepEqual([moved['status'], moved['code']], [409, 'encrypted'], JSON.stringify(moved));
    }
    const done = await office.program('PATCH', `/tasks/${task}`, { completed: true });
    assert.equal(done['status'], 200, JSON.stringify(done));
    const linked = await world.call(ida, `POST sharing/lists/${list}/links`, { name: 'x' });
    assert.equal(linked['code'], 'encrypted', JSON.stringify(linked));
    assert.match(String(linked['error']), /stays end-to-end encrypted/);
    await world.close();
  });

  test('[SEAL-246] has a new key once a member has a new account key, and they go on in it', async () => {
    const { world, ida, list, task } = await shared();
    const ben = await world.joined('ben');
    const lost = await another(ben);
    await settle(lost);
    const random = seeded('new account key');
    await ben.office.confirm();
    const rotated = await ben.device.turning.rotate(prepareNewKey({ random }));
    assert.ok(rotated.ok, JSON.stringify(rotated));
    await settle(ben, ben, ida);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    ida.device.rename(task, `${SECRET} since`);
    await settle(ida, ben, lost);
    assert.equal(ben.device.name(task), `${SECRET} since`);
    assert.notEqual(lost.device.name(task), `${SECRET} since`, 'the lost device doesn’t read it');
    const people = await ida.device.lists.people(world.scope);
    assert.ok(people.ok);
    assert.deepEqual(
      people.value.map(({ standing }) => standing),
      ['member', 'member'],
    );
    const made = ben.device.addTask(list, `${SECRET} of Ben`);
    await settle(ben, ida);
    assert.equal(ida.device.name(made), `${SECRET} of Ben`);
    await world.close(lost.device);
  });

  test('[SEAL-247] takes one of two new keys that are made at once', async () => {
    const { world, ida, task } = await shared();
    const ben = await world.joined('ben');
    await settle(ida);
    const both = await Promise.all([ida, ben].map(({ device }) => device.lists.renew(world.scope)));
    assert.equal(both.filter(({ ok }) => ok).length, 1);
    const lost = both.find((each) => !each.ok);
    assert.equal(lost?.ok === false && lost.problem.type, 'moved');
    await settle(ida, ben);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: FIRST_LIST_GENERATION + 1 });
    ben.device.rename(task, `${SECRET} by Ben`);
    await settle(ben, ida);
    ida.device.rename(task, `${SECRET} by Ida`);
    await settle(ida, ben);
    assert.deepEqual(
      [ida, ben].map(({ device }) => device.name(task)),
      [`${SECRET} by Ida`, `${SECRET} by Ida`],
    );
    await world.close();
  });

  test('[SEAL-248] opens by no link whose secret was renewed or is of an earlier key', async () => {
    const { world, ida, task } = await shared();
    const first = await world.link();
    const ben = await world.joined('ben');
    const again = await ida.device.lists.secretOf(world.scope);
    assert.deepEqual(again, { ok: true, value: first.secret });
    const second = await ida.device.lists.secretOf(world.scope, true);
    assert.ok(second.ok && second.value !== first.secret);
    const ended = { ok: false, problem: { type: 'ended' } };
    const cyn = await world.comes('cyn');
    assert.deepEqual(await world.joins(cyn, first), ended);
    assert.deepEqual(await cyn.device.lists.join(world.scope, 'nonsense'), ended);
    assert.ok((await ida.device.lists.renew(world.scope)).ok);
    await settle(ida, ben);
    assert.deepEqual(await cyn.device.lists.join(world.scope, second.value), ended);
    ida.device.rename(task, `${SECRET} since`);
    await settle(ida, ben, cyn);
    assert.equal(ben.device.name(task), `${SECRET} since`, 'who came by the first one stays');
    assert.ok(lockedOf(cyn.device.row(task)));
    const third = await world.link(ben);
    assert.ok((await cyn.device.lists.join(world.scope, third.secret)).ok);
    await settle(cyn);
    assert.equal(fieldOf(cyn.device.row(task), 'title'), `${SECRET} since`);
    await world.close();
  });

  test('[SEAL-253] is locked on a device that forgets its key, and nothing of its key stays there', async () => {
    const { world, ida, task } = await shared();
    const ben = await world.joined('ben');
    const { device } = ben;
    assert.equal(device.name(task), `${SECRET} tickets`);
    await device.keys.load();
    await device.keys.leave();
    await settle(ben);
    assert.ok(lockedOf(device.row(task))?.['title']);
    assert.equal(JSON.stringify(device.row(task)).includes(SECRET), false);
    assert.equal(device.disk.store.kept, null);
    assert.equal(device.disk.lists.get(world.scope)?.kept, null);
    ida.device.rename(task, `${SECRET} since`);
    await settle(ida, ben);
    assert.ok(lockedOf(device.row(task))?.['title']);
    await world.close();
  });
});
