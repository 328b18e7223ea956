// Lists that are shared out of an encrypted account: opened by a device with the key, moved by the server, read by others. Nothing else is
// opened. Whole server, real devices.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { noteTextOf } from '#sync/notes/note.ts';
import { sendLists, stepLists } from '#sync/sealing/leaving/list-walk.ts';
import { isFileSealed, openForm } from '#sync/sealing/scope-state.ts';
import { itemsOf } from '#sync/sealing/walk.ts';
import { registerChecks } from '#wire/registers.ts';
import { sealingLimits } from '#wire/sealing.ts';
import { ok } from '#core/result.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import { makeLink, Visitor } from '../public-links.ts';
import { Person, told } from '../sharing.ts';
import { callList, joined, SECRET, sealedOffice, settle, until } from './opened-office.ts';
import { newDisk, SealedDevice, type Office } from './sealed-device.ts';

describe('sharing a list out of an encrypted account', () => {
  test('[SEAL-200] opens this list alone, and others read all of it', async () => {
    const here = await sealedOffice();
    const { device, list, tasks, has } = here;
    assert.equal(await has('Buy tickets'), false, 'sealed before');
    assert.equal((await callList(here, 'POST'))['code'], 'encrypted');
    await device.move(list, 'open');
    const begun = await callList(here, 'POST');
    assert.equal(begun['state'], 'filling', JSON.stringify(begun));
    await settle(device);
    assert.equal((await callList(here, 'GET'))['state'], 'open');
    const { device: ben } = await joined(here);
    const [tickets, pack, socks] = tasks.map((id) => ben.row(id));
    assert.equal(fieldOf(tickets, 'title'), 'Buy tickets');
    assert.equal(tickets && noteTextOf(tickets), 'The early train');
    assert.equal(fieldOf(tickets, 'meta:seat'), 'window');
    assert.deepEqual(fieldOf(socks, 'due'), { on: '2026-12-01' });
    const label = Object.keys(pack?.fields ?? {}).find((name) => name.startsWith('label:'));
    assert.equal(fieldOf(ben.row(label?.slice('label:'.length) as Id), 'name'), 'packed');
    assert.equal(ben.name(list), 'Shared trip');
    assert.equal(ben.name(here.attachment), 'map of the town.txt');
    const records = [...ben.engine.replica.all()].filter(({ type }) => type === 'completion');
    assert.deepEqual(
      records.map((record) => fieldOf(record, 'title')),
      ['Water the plants'],
    );
    assert.equal(
      await has('Buy tickets'),
      true,
      'the files that are looked through are the ones that are written',
    );
    assert.equal(await has(SECRET), false, 'nothing of other lists was ever open');
    assert.deepEqual(await here.openRows(), [], 'in the own scope everything is sealed again');
    assert.deepEqual(await here.office.routes.read().then((all) => all.ok && all.value.state), {
      phase: 'sealed',
      generation: 1,
    });
    await here.close();
    await ben.close();
  });

  test('[SEAL-201] takes in what is written meanwhile, here and on a device that was away', async () => {
    const here = await sealedOffice();
    const { office, device, list, other, tasks, add } = here;
    const disk = newDisk();
    const away = await new SealedDevice(office, disk).start();
    disk.store.kept = device.disk.store.kept;
    await settle(away);
    assert.equal(fieldOf(away.row(tasks[0] as Id), 'title'), 'Buy tickets');
    away.isOnline = false;
    const set = (on: SealedDevice, id: Id, field: string, value: unknown) =>
      on.engine.replica.issue([{ a: 'set', id, field, value } as never]);
    set(away, tasks[0] as Id, 'title', 'Buy tickets twice');
    away.write(tasks[2] as Id, 'Woollen ones');
    const made = away.engine.replica.newId();
    const within = away.engine.replica.newId();
    const place = (parent: Id) => ({ parent });
    away.engine.replica.issue([
      { a: 'create', id: made, type: 'task', fields: { title: 'Made away' }, place: place(list) },
    ]);
    away.engine.replica.issue([
      { a: 'create', id: within, type: 'task', fields: { title: 'Within it' }, place: place(made) },
    ]);
    const kept = away.engine.replica.newId();
    away.engine.replica.issue([
      { a: 'create', id: kept, type: 'task', fields: { title: `${SECRET} kept` }, place: place(other) },
    ]);
    await device.move(list, 'open');
    await callList(here, 'POST');
    const later = add(list, 'Typed while it is opened');
    await settle(device);
    assert.equal((await callList(here, 'GET'))['state'], 'open');
    away.isOnline = true;
    await settle(away, device);
    const { device: ben } = await joined(here);
    for (const [id, title] of [
      [tasks[0], 'Buy tickets twice'],
      [made, 'Made away'],
      [within, 'Within it'],
      [later, 'Typed while it is opened'],
    ] as const)
      for (const each of [ben, device, away]) assert.equal(fieldOf(each.row(id as Id), 'title'), title);
    assert.equal(ben.notes(tasks[2] as Id), 'Woollen ones');
    assert.equal(fieldOf(device.row(kept), 'title'), `${SECRET} kept`);
    assert.deepEqual(away.engine.recovered.get(), []);
    assert.equal(await here.has(SECRET), false);
    assert.deepEqual(await here.openRows(), []);
    for (const each of [ben, away]) await each.close();
    await here.close();
  });

  test('[SEAL-202] goes on after a restart of the device, and on any other that has the key', async () => {
    const here = await sealedOffice();
    const { office, device, list } = here;
    await device.move(list, 'open');
    await callList(here, 'POST');
    await device.close();
    assert.equal((await callList(here, 'GET'))['state'], 'filling');
    const disk = newDisk();
    disk.store.kept = device.disk.store.kept;
    const another = await new SealedDevice(office, disk).start();
    await settle(another);
    assert.equal((await callList(here, 'GET'))['state'], 'open');
    assert.deepEqual(await here.openRows(), []);
    await another.close();
    await here.close();
  });

  test('[SEAL-203] is taken back by the person who asked for it, and everything is sealed again', async () => {
    const here = await sealedOffice();
    const { office, device, list, tasks } = here;
    await device.move(list, 'open');
    await settle(device);
    assert.deepEqual(await here.openRows(), [], 'nothing is opened before it has somewhere to go');
    await device.move(list, 'close');
    await settle(device);
    assert.deepEqual(await here.openRows(), []);
    assert.equal(await here.has('Buy tickets'), false, 'nothing of it stays in the files');
    assert.equal((await callList(here, 'GET'))['state'], 'private');
    // While it waits for its devices the server gives up, too.
    device.isOnline = false;
    await device.move(list, 'open');
    assert.equal((await callList(here, 'POST'))['state'], 'filling');
    // Half of it is open by then.
    const page = await office.routes.left(null, 2, list);
    assert.ok(page.ok);
    const ring = device.keys.sealer;
    assert.ok(ring);
    const form = { state: openForm(device.keys.state), sealer: ring, checks: registerChecks };
    const items = page.value.rows.flatMap((row) => itemsOf(form, row));
    const state = device.keys.state;
    assert.ok((await office.routes.reencode({ state, items: [...items] })).ok);
    assert.equal((await here.openRows()).length, 2);
    assert.equal((await callList(here, 'GET'))['sealed'], 5, 'the list and its label came first');
    await device.move(list, 'close');
    assert.equal((await callList(here, 'GET'))['state'], 'private');
    device.isOnline = true;
    await settle(device);
    assert.equal(device.row(list)?.scope, office.scope);
    assert.equal(fieldOf(device.row(tasks[0] as Id), 'title'), 'Buy tickets');
    assert.deepEqual(await here.openRows(), []);
    await here.close();
  });

  test('[SEAL-204] a list that is made private again comes back and is sealed', async () => {
    const here = await sealedOffice();
    const { office, device, list, tasks } = here;
    await device.move(list, 'open');
    await callList(here, 'POST');
    await settle(device);
    const { device: ben } = await joined(here);
    const disk = newDisk();
    disk.store.kept = device.disk.store.kept;
    const away = await new SealedDevice(office, disk).start();
    await settle(away);
    away.isOnline = false;
    const title = (on: SealedDevice, at: number, value: string) =>
      on.engine.replica.issue([{ a: 'set', id: tasks[at] as Id, field: 'title', value }]);
    title(away, 2, 'Socks by somebody away');
    title(ben, 0, 'Tickets by Ben');
    ben.write(tasks[1] as Id, 'Written by Ben');
    await settle(ben, device);
    assert.equal((await callList(here, 'POST', '/private'))['code'], 'encrypted');
    await device.move(list, 'await');
    const back = await callList(here, 'POST', '/private');
    assert.equal(back['state'], 'private', JSON.stringify(back));
    await settle(device, ben);
    away.isOnline = true;
    await settle(away, device);
    assert.equal(device.row(list)?.scope, office.scope);
    assert.equal(fieldOf(device.row(tasks[0] as Id), 'title'), 'Tickets by Ben');
    assert.equal(fieldOf(device.row(tasks[2] as Id), 'title'), 'Socks by somebody away');
    assert.deepEqual(away.engine.recovered.get(), []);
    await away.close();
    assert.equal(device.notes(tasks[1] as Id), 'Written by Ben');
    assert.deepEqual(await here.openRows(), []);
    const answer = await office.routes.read();
    assert.equal(answer.ok && answer.value.state.lists, undefined);
    await ben.close();
    await here.close();
  });

  test('[SEAL-205] a list that is published goes the same way, and visitors read it', async () => {
    const here = await sealedOffice();
    const { office, device, list } = here;
    const ida = new Person(office.server, office.session);
    const refused = await ida.call(`POST sharing/lists/${list}/links`, {});
    assert.equal((await told(refused))['code'], 'encrypted');
    await device.move(list, 'open');
    const link = await makeLink(ida, list, { may: { labels: true } });
    const visitor = new Visitor(office.server, link);
    await settle(device);
    const { tasks } = await visitor.shown();
    assert.deepEqual(tasks.map(({ title }) => title).toSorted(), [
      'Buy tickets',
      'Pack',
      'Socks',
      'Water the plants',
    ]);
    assert.ok(
      tasks.every(({ labels = [] }) => labels.length === 0),
      'labels are hidden while encryption is on',
    );
    assert.deepEqual(await here.openRows(), []);
    assert.equal(await here.has(SECRET), false);
    assert.ok((await device.turning.end()).ok);
    await settle(device);
    const again = await new Visitor(office.server, link).shown();
    assert.ok(
      again.tasks.some(({ labels = [] }) => labels.length > 0),
      'and shown again afterwards',
    );
    await here.close();
  });

  test('[SEAL-206] a list with more rows than move in one piece is refused before anything is opened', async () => {
    const here = await sealedOffice();
    const { office, device, list, tasks } = here;
    const { db } = office.server.database;
    const like = await db
      .selectFrom('entity')
      .selectAll()
      .where('id', '=', tasks[0] as Id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: sealingLimits.openedRows }, (_, at) => ({
      ...like,
      id: randomUUID() as Id,
      key: `zz${String(at).padStart(5, '0')}`,
    }));
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('entity')
        .values(rows.slice(at, at + 100))
        .execute();
    await device.move(list, 'open');
    assert.equal((await callList(here, 'POST'))['code'], 'too_large');
    await settle(device);
    assert.equal((await callList(here, 'GET'))['state'], 'private');
    assert.deepEqual(await here.openRows(), []);
    await here.close();
  });

  test('[SEAL-204] [SEAL-222] a list of several hundred tasks comes back whole; one that is too large stays shared, and says so', async () => {
    const here = await sealedOffice();
    const { office, device, list } = here;
    const { db } = office.server.database;
    const many = Array.from({ length: 450 }, (_, at) => here.add(list, `Canary ${at}`));
    await settle(device);
    await device.move(list, 'open');
    await callList(here, 'POST');
    await settle(device);
    assert.equal((await callList(here, 'GET'))['state'], 'open');
    const shared = device.row(list)?.scope;
    const like = await db
      .selectFrom('entity')
      .selectAll()
      .where('id', '=', many[0] as Id)
      .executeTakeFirstOrThrow();
    const extra = Array.from({ length: sealingLimits.openedRows }, (_, at) => ({
      ...like,
      id: randomUUID() as Id,
      key: `zz${String(at).padStart(5, '0')}`,
    }));
    for (let at = 0; at < extra.length; at += 100)
      await db
        .insertInto('entity')
        .values(extra.slice(at, at + 100))
        .execute();
    await device.move(list, 'await');
    assert.equal((await callList(here, 'POST', '/private'))['code'], 'too_large');
    await device.move(list, 'close');
    await settle(device);
    assert.equal(device.row(list)?.scope, shared);
    await db
      .deleteFrom('entity')
      .where('scope', '=', shared as Id)
      .where('key', 'like', 'zz%')
      .execute();
    await device.move(list, 'await');
    assert.notEqual((await callList(here, 'POST', '/private'))['code'], 'too_large');
    await settle(device);
    assert.deepEqual(
      many.map((id) => [device.row(id)?.scope, device.name(id)]),
      many.map((_, at) => [office.scope, `Canary ${at}`]),
    );
    assert.deepEqual(await here.openRows(), []);
    const disk = newDisk();
    disk.store.kept = device.disk.store.kept;
    const other = await new SealedDevice(office, disk).start();
    await settle(other);
    assert.equal(other.name(many[449] as Id), 'Canary 449');
    await other.close();
    await here.close();
  });

  test('[SEAL-207] a device opens what hangs beneath the list in its own copy, and nothing else that a server names', async () => {
    const here = await sealedOffice();
    const { office, device, list, secret, unused } = here;
    const { store, db } = office.server.database;
    const asked: string[] = [];
    const liar: Office = {
      scope: office.scope,
      account: office.account,
      transport: () => office.transport(),
      routes: {
        ...office.routes,
        left: async (after, limit, of) => {
          const page = await office.routes.left(after, limit, of);
          const rows = await store.snapshot(office.scope, null, 1_000);
          const more = rows.filter(({ id }) => id === secret || id === unused).map((row) => rowToWire(row));
          return page.ok ? ok({ ...page.value, rows: [...page.value.rows, ...more] }) : page;
        },
        reencode: (request) => {
          asked.push(...request.items.map(({ id }) => id));
          return office.routes.reencode(request);
        },
      },
    };
    const disk = newDisk();
    disk.store.kept = device.disk.store.kept;
    await device.close();
    // A server that says by itself that a list is to be opened is not followed.
    const lists = JSON.stringify({ [list]: 'open' });
    await db.updateTable('scope').set({ sealing_lists: lists }).where('id', '=', office.scope).execute();
    const fooled = await new SealedDevice(liar, disk).start();
    await settle(fooled);
    assert.equal(asked.length, 0);
    await db.updateTable('scope').set({ sealing_lists: null }).where('id', '=', office.scope).execute();
    const sent = await sendLists({ keys: fooled.keys, server: liar.routes }, { [list]: 'open' });
    assert.equal(sent?.ok, true);
    await callList(here, 'POST');
    await settle(fooled);
    assert.equal((await callList(here, 'GET'))['state'], 'open');
    assert.ok(asked.includes(list), 'the list is opened');
    assert.ok(!asked.includes(secret) && !asked.includes(unused));
    assert.equal(await here.has(SECRET), false);
    await fooled.close();
    await here.close();
  });

  test('[SEAL-208] nothing else of encryption begins meanwhile, and what is open is not forgotten', async () => {
    const here = await sealedOffice();
    const { office, device, list } = here;
    await office.confirm();
    device.isOnline = false;
    await device.move(list, 'open');
    await callList(here, 'POST');
    const ended = await device.turning.end();
    assert.ok(!ended.ok && ended.problem.type === 'refused', JSON.stringify(ended));
    const dropped = await stepLists({ keys: device.keys, server: office.routes }, {});
    assert.ok(!dropped.ok && dropped.problem.type === 'refused', 'it is not closed yet');
    // One row is open when it is to be closed.
    const page = await office.routes.left(null, 1, list);
    const { sealer, state } = device.keys;
    assert.ok(page.ok && sealer);
    const form = { state: openForm(state), sealer, checks: registerChecks };
    const items = page.value.rows.flatMap((row) => [...itemsOf(form, row)]);
    assert.ok((await office.routes.reencode({ state, items })).ok);
    await device.move(list, 'close');
    const early = await stepLists({ keys: device.keys, server: office.routes }, {});
    assert.ok(!early.ok && early.problem.type === 'unfinished', JSON.stringify(early));
    device.isOnline = true;
    await settle(device);
    assert.deepEqual(await here.openRows(), []);
    assert.equal((await device.turning.end()).ok, true);
    await here.close();
  });

  test('[SEAL-215] a list with encrypted files is shared with them, and what comes back is encrypted again', async () => {
    const here = await sealedOffice();
    const { device, list } = here;
    const id = await device.attach('ticket.pdf', new TextEncoder().encode('The ticket'), list);
    await settle(device);
    assert.ok(isFileSealed(device.file(id)));
    await device.move(list, 'open');
    await callList(here, 'POST');
    await until(async () => (await callList(here, 'GET'))['state'] === 'open', device);
    const { device: ben } = await joined(here);
    assert.equal(await ben.read(id), 'The ticket');
    await ben.close();
    await device.move(list, 'await');
    await callList(here, 'POST', '/private');
    await until(() => device.row(list)?.scope === here.office.scope && isFileSealed(device.file(id)), device);
    assert.equal(await device.read(id), 'The ticket');
    assert.deepEqual(await here.openRows(), []);
    await here.close();
  });
});
