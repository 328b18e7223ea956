// Single tasks that go into lists that stay encrypted, out of them and from one to another. Whole server, real devices; the server has no word of
// what is in an encrypted scope, on no way.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placeOf } from '#sync/rows/row-reading.ts';
import { isKnown, fieldOf } from '#sync/rows/row.ts';
import { labelsRoot, type Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import { neverSealed } from '#sync/sealing/scope-state.ts';
import { another, SECRET, settle, until, World, type Somebody } from './encrypted-list.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const place = ({ device }: Somebody, id: Id, parent: Id) =>
  device.engine.replica.issue([{ a: 'place', id, place: { parent } }]).verdicts;

const recovered = ({ device }: Somebody) => device.engine.recovered.get();

/** Ida with an encrypted list that Ben has joined, and a list of her own. */
async function sharing() {
  const world = await World.open();
  const { ida } = world;
  await world.share();
  const ben = await world.joined('ben');
  const own = ida.device.add(`${SECRET} own`);
  await settle(ida);
  return { world, ida, ben, own, list: world.list };
}

/** Rows of a scope in another form than its state asks for. */
async function leftOf({ ida }: World, scope: Id): Promise<readonly Id[]> {
  const { store } = ida.office.server.database;
  const { sealing = neverSealed } = (await store.scope(scope)) ?? {};
  const rows = await store.snapshot(scope, null, 10_000);
  return rows.flatMap((row) => (isKnown(row) && leftIn(sealing, row) > 0 ? [row.id] : []));
}

/** No word of it is in the files of the server, nor in anything that it was asked. */
async function isUnheard(world: World, ...people: readonly Somebody[]): Promise<void> {
  assert.equal(await world.has(SECRET), false);
  for (const { office } of people) {
    assert.ok(office.asked.length > 0);
    assert.deepEqual(
      office.asked.filter((body) => body.includes(SECRET)),
      [],
    );
    assert.ok(office.sentFiles.every((sent) => !Buffer.from(sent).includes(SECRET)));
  }
}

/** A task with everything that can hang on one. */
function whole({ device, office }: Somebody, parent: Id) {
  const task = device.addTask(parent, `${SECRET} room`);
  const below = device.addTask(task, `${SECRET} beds`);
  device.write(task, `${SECRET} with a view`);
  const { replica } = device.engine;
  const comment = replica.newId();
  replica.issue([
    { a: 'set', id: task, field: 'meta:price', value: `${SECRET} 90` },
    { a: 'set', id: below, field: 'due', value: { on: '2026-12-24' } },
    {
      a: 'create',
      id: comment,
      type: 'comment',
      fields: { text: `${SECRET} nice`, author: office.account },
      place: { parent: task },
    },
  ] as never);
  return { task, below, comment };
}

/** What somebody reads of it. */
function read({ device }: Somebody, { task, below }: { readonly task: Id; readonly below: Id }) {
  const row = device.row(task);
  return [
    device.name(task),
    device.notes(task),
    fieldOf(row, 'meta:price'),
    device.name(below),
    fieldOf(device.row(below), 'due'),
    lockedOf(row),
  ];
}

const WHOLE = [
  `${SECRET} room`,
  `${SECRET} with a view`,
  `${SECRET} 90`,
  `${SECRET} beds`,
  { on: '2026-12-24' },
  undefined,
];

describe('tasks that go into an encrypted list and out of it', () => {
  test('[SEAL-304] go with all that hangs beneath them, and are sealed with the key of where they are', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const of = whole(ida, own);
    await settle(ida);
    assert.deepEqual(place(ida, of.task, list), ['ok']);
    await settle(ida, ben);
    assert.deepEqual(read(ben, of), WHOLE);
    assert.deepEqual(read(ida, of), WHOLE);
    assert.deepEqual(await world.left(), []);
    assert.deepEqual(await leftOf(world, ida.office.scope), []);
    assert.deepEqual(await world.state(), { phase: 'sealed', generation: 2_147_483_649 });
    ben.device.rename(of.below, `${SECRET} two beds`);
    await settle(ben, ida);
    // And back, with what Ben wrote.
    assert.deepEqual(place(ida, of.task, own), ['ok']);
    await settle(ida, ben);
    assert.equal(ida.device.row(of.task)?.scope, ida.office.scope);
    assert.equal(ida.device.name(of.below), `${SECRET} two beds`);
    assert.equal(ben.device.row(of.task), undefined);
    assert.deepEqual(await leftOf(world, ida.office.scope), []);
    const phone = await another(ida);
    phone.device.disk.lists.clear();
    await settle(phone);
    assert.equal(phone.device.notes(of.task), `${SECRET} with a view`);
    assert.equal(fieldOf(phone.device.row(of.task), 'meta:price'), `${SECRET} 90`);
    // Ben takes something of hers to his own lists.
    const his = ben.device.add(`${SECRET} of Ben`);
    const taken = ida.device.addTask(list, `${SECRET} for Ben`);
    await settle(ida, ben);
    assert.deepEqual(place(ben, taken, his), ['ok']);
    await settle(ben, ida);
    assert.equal(ben.device.name(taken), `${SECRET} for Ben`);
    assert.equal(ida.device.row(taken), undefined);
    assert.deepEqual([ida, ben].flatMap(recovered), []);
    await isUnheard(world, ida, ben);
    await world.close(phone.device);
  });

  test('[SEAL-304] without a network, with what is done before and after', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const going = ida.device.addTask(own, `${SECRET} going`);
    const coming = ida.device.addTask(list, `${SECRET} coming`);
    await settle(ida, ben);
    ida.device.isOnline = false;
    ida.device.rename(going, `${SECRET} going away`);
    place(ida, going, list);
    ida.device.rename(going, `${SECRET} gone`);
    ida.device.write(going, `${SECRET} after`);
    const inside = ida.device.addTask(going, `${SECRET} inside`);
    place(ida, coming, own);
    const kept = ida.device.addTask(coming, `${SECRET} kept`);
    const both = ida.device.addTask(own, `${SECRET} both`);
    for (const to of [list, own, list]) place(ida, both, to);
    const fresh = ida.device.addTask(own, `${SECRET} fresh`);
    ida.device.engine.replica.issue([
      { a: 'set', id: fresh, field: 'meta:seat', value: `${SECRET} aisle` },
    ] as never);
    place(ida, fresh, list);
    const many = Array.from({ length: 30 }, (_, at) => ida.device.addTask(own, `${SECRET} many ${at}`));
    for (const id of many) place(ida, id, list);
    ida.device.isOnline = true;
    for (let turn = 0; turn < 4; turn += 1) await settle(ida, ben);
    assert.deepEqual([recovered(ida), ida.device.engine.facts().pending], [[], []]);
    assert.deepEqual(
      [ben.device.name(going), ben.device.notes(going), ben.device.name(inside), ben.device.name(both)],
      ['gone', 'after', 'inside', 'both'].map((each) => `${SECRET} ${each}`),
    );
    assert.equal(fieldOf(ben.device.row(fresh), 'meta:seat'), `${SECRET} aisle`);
    for (const [at, id] of many.entries()) assert.equal(ben.device.name(id), `${SECRET} many ${at}`);
    assert.deepEqual([ben.device.row(coming), ben.device.row(kept)], [undefined, undefined]);
    assert.equal(ida.device.name(kept), `${SECRET} kept`);
    assert.deepEqual(await leftOf(world, ida.office.scope), []);
    assert.deepEqual(await world.left(), []);
    await isUnheard(world, ida, ben);
    await world.close();
  });

  test('[SEAL-304] takes along what another device wrote meanwhile, and what others wrote', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const one = ida.device.addTask(own, `${SECRET} one`);
    const two = ida.device.addTask(list, `${SECRET} two`);
    await settle(ida, ben);
    const phone = await another(ida);
    await settle(phone);
    phone.device.isOnline = false;
    phone.device.rename(one, `${SECRET} one by the phone`);
    const inside = phone.device.addTask(one, `${SECRET} inside`);
    ida.device.isOnline = false;
    place(ida, one, list);
    place(ida, two, own);
    phone.device.isOnline = true;
    await settle(phone);
    ben.device.rename(two, `${SECRET} two by Ben`);
    const his = ben.device.addTask(two, `${SECRET} of Ben`);
    await settle(ben);
    ida.device.isOnline = true;
    phone.device.isOnline = false;
    phone.device.rename(inside, `${SECRET} later`);
    await settle(ida, ida);
    phone.device.isOnline = true;
    await settle(phone, ida, ben);
    assert.deepEqual(
      [ben.device.name(one), ben.device.name(inside)],
      [`${SECRET} one by the phone`, `${SECRET} later`],
    );
    for (const { device } of [ida, phone])
      assert.deepEqual([device.name(two), device.name(his)], [`${SECRET} two by Ben`, `${SECRET} of Ben`]);
    assert.deepEqual([ida, ben, phone].flatMap(recovered), []);
    await isUnheard(world, ida, ben);
    await world.close(phone.device);
  });

  test('[SEAL-305] lost answers change nothing', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const tasks = Array.from({ length: 8 }, (_, at) => ida.device.addTask(own, `${SECRET} ${at}`));
    await settle(ida);
    for (const [at, id] of tasks.entries()) {
      place(ida, id, list);
      ida.office.lost = (at % 4) + 1;
      for (let turn = 0; turn < 3; turn += 1) await ida.device.sync();
      ida.office.lost = 0;
    }
    await settle(ida, ben);
    assert.deepEqual(
      tasks.map((id) => ben.device.name(id)),
      tasks.map((_, at) => `${SECRET} ${at}`),
    );
    assert.deepEqual(recovered(ida), []);
    await isUnheard(world, ida, ben);
    await world.close();
  });

  test('[SEAL-306] from one such list to another, and nobody sees it locked', async () => {
    const { world, ida, ben, list } = await sharing();
    const second = ida.device.add(`${SECRET} second`);
    await settle(ida);
    const founded = await ida.device.lists.found();
    assert.ok(founded.ok);
    const { scope, directory } = founded.value;
    const shared = await world.call(ida, `POST sharing/lists/${second}/encrypted`, { scope, directory });
    assert.equal(shared.status, 200, JSON.stringify(shared));
    await settle(ida);
    const of = whole(ida, list);
    const file = await ida.device.attach('map.txt', bytes(`${SECRET} map`), list);
    const attached = placeOf(ida.device.row(file))?.parent as Id;
    await settle(ida, ben);
    const away = await another(ida);
    await settle(away);
    away.device.isOnline = false;
    away.device.rename(of.below, `${SECRET} beds`);
    const late = away.device.addTask(of.task, `${SECRET} late`);
    away.device.write(of.below, `${SECRET} away`);
    assert.deepEqual(place(ida, of.task, second), ['ok']);
    assert.deepEqual(place(ida, attached, second), ['ok']);
    await until(() => ida.device.file(file).content?.scope === scope, ida);
    await settle(ida, ben);
    assert.equal(ida.device.row(of.task)?.scope, scope);
    assert.deepEqual(read(ida, of), WHOLE);
    assert.equal(await ida.device.read(file), `${SECRET} map`);
    assert.deepEqual([ben.device.row(of.task), ben.device.row(file)], [undefined, undefined]);
    assert.deepEqual(await leftOf(world, scope), []);
    // Of the same generation as the other list's key, and yet of another one.
    away.device.isOnline = true;
    await settle(away, ida);
    const phone = await another(ida);
    await settle(phone);
    for (const { device } of [ida, away, phone]) {
      assert.equal(device.name(late), `${SECRET} late`);
      assert.equal(device.notes(of.below), `${SECRET} away`);
      assert.deepEqual(
        [of.below, late].map((id) => lockedOf(device.row(id))),
        [undefined, undefined],
      );
    }
    assert.deepEqual(recovered(away), []);
    assert.deepEqual(read(phone, of), WHOLE);
    assert.equal(await phone.device.read(file), `${SECRET} map`);
    await isUnheard(world, ida, ben);
    await world.close(phone.device, away.device);
  });

  test('[SEAL-307] to a list that is shared in the open it is decrypted as it goes, and sealed when it comes from there', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const open = ida.device.add('Open');
    await settle(ida);
    await ida.device.move(open, 'open');
    await world.call(ida, `POST sharing/lists/${open}`);
    await settle(ida, ida);
    assert.notEqual(ida.device.row(open)?.scope, ida.office.scope);
    const task = ida.device.addTask(list, 'Told to all');
    ida.device.write(task, 'as plain as this');
    ida.device.engine.replica.issue([{ a: 'set', id: task, field: 'meta:price', value: '90' }] as never);
    const file = await ida.device.attach('open.txt', bytes('an open file'), list);
    const attached = placeOf(ida.device.row(file))?.parent as Id;
    const stays = ida.device.addTask(list, `${SECRET} stays`);
    await settle(ida, ben);
    assert.equal(await world.has('Told to all'), false);
    place(ida, task, open);
    place(ida, attached, open);
    await until(() => ida.device.file(file).content === undefined, ida, ben);
    const { scope = '' as Id } = ida.device.row(open) ?? {};
    const rows = await ida.office.server.database.store.snapshot(scope, null, 100);
    const there = rows.find(({ id }) => id === task);
    assert.deepEqual(
      [fieldOf(there, 'title'), fieldOf(there, 'notes'), fieldOf(there, 'meta:price')],
      ['Told to all', 'as plain as this', '90'],
    );
    assert.equal(await ida.device.read(file), 'an open file');
    ida.device.write(task, `${ida.device.notes(task)}, ${SECRET} since`);
    await settle(ida);
    const hidden = ida.device.addTask(own, `${SECRET} hidden`);
    await settle(ida);
    place(ida, task, list);
    place(ida, attached, list);
    await until(() => ida.device.file(file).content?.scope === world.scope, ida, ben);
    await settle(ben);
    assert.equal(ben.device.name(task), 'Told to all');
    assert.equal(ben.device.notes(task), `as plain as this, ${SECRET} since`);
    assert.equal(fieldOf(ben.device.row(task), 'meta:price'), '90');
    assert.equal(await ben.device.read(file), 'an open file');
    assert.deepEqual(await world.left(), []);
    assert.deepEqual(
      [ben.device.name(stays), ida.device.name(hidden)],
      [`${SECRET} stays`, `${SECRET} hidden`],
    );
    assert.deepEqual(recovered(ida), []);
    await world.close();
  });

  test('[SEAL-308] files go along, and are sealed with the key of where they are', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const file = await ida.device.attach('map.txt', bytes(`${SECRET} map`), own);
    const task = placeOf(ida.device.row(file))?.parent as Id;
    await settle(ida);
    place(ida, task, list);
    await until(() => ida.device.file(file).content?.scope === world.scope, ida, ben);
    await settle(ben);
    assert.equal(await ben.device.read(file), `${SECRET} map`);
    place(ida, task, own);
    await until(
      () =>
        ida.device.row(file)?.scope === ida.office.scope &&
        ida.device.file(file).content?.scope === undefined,
      ida,
      ben,
    );
    const phone = await another(ida);
    phone.device.disk.lists.clear();
    await settle(phone);
    assert.equal(await phone.device.read(file), `${SECRET} map`);
    await isUnheard(world, ida, ben);
    await world.close(phone.device);
  });

  test('[SEAL-315] a label that the list has, too, becomes that one, and back; others stay with their person', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const { replica } = ida.device.engine;
    const label = (scope: Id, name: string, more: object = {}) => {
      const id = replica.newId();
      const place = { parent: labelsRoot(scope) };
      const fields = { name: `${SECRET} ${name}`, ...more };
      replica.issue([{ a: 'create', id, type: 'label', fields, place }] as never);
      return id;
    };
    const [red, mine, hidden] = [
      label(ida.office.scope, 'red'),
      label(ida.office.scope, 'mine'),
      label(ida.office.scope, 'same', { visibility: 'private' }),
    ];
    const [there, same] = [label(world.scope, 'red'), label(world.scope, 'same')];
    const task = ida.device.addTask(own, `${SECRET} labeled`);
    replica.issue(
      [red, mine, hidden].map((id) => ({ a: 'set', id: task, field: `label:${id}`, value: true })) as never,
    );
    await settle(ida, ben);
    place(ida, task, list);
    await settle(ida, ben);
    const labelsOf = ({ device }: Somebody) =>
      Object.entries(device.row(task)?.fields ?? {}).flatMap(([name, value]) =>
        name.startsWith('label:') && value === true ? [name.slice('label:'.length)] : [],
      );
    assert.ok(labelsOf(ben).includes(there));
    assert.equal(ben.device.name(there), `${SECRET} red`);
    for (const id of [red, hidden, same]) assert.ok(!labelsOf(ben).includes(id));
    assert.equal(ben.device.row(mine), undefined, 'nobody else reads it');
    const { store } = ida.office.server.database;
    const rows = await store.snapshot(world.scope, null, 100);
    assert.equal(rows.filter(({ type }) => type === 'label').length, 2, 'none is copied there');
    place(ida, task, own);
    await settle(ida, ben);
    assert.ok(labelsOf(ida).includes(red));
    assert.ok(!labelsOf(ida).includes(there));
    assert.deepEqual([ida, ben].flatMap(recovered), []);
    await isUnheard(world, ida, ben);
    await world.close();
  });

  test('[SEAL-309] what doesn’t open keeps its task where it is, and holds up nothing else', async () => {
    const { world, ida, ben, own, list } = await sharing();
    const [bad, good] = [ida.device.addTask(own, `${SECRET} bad`), ida.device.addTask(own, `${SECRET} good`)];
    await settle(ida);
    const { db } = ida.office.server.database;
    const row = await db
      .selectFrom('entity')
      .select('fields')
      .where('id', '=', bad)
      .executeTakeFirstOrThrow();
    const broken = JSON.parse(row.fields) as { title: { e: string } };
    broken.title.e = `${broken.title.e.slice(0, -8)}AAAAAAAA`;
    await db
      .updateTable('entity')
      .set({ fields: JSON.stringify(broken) })
      .where('id', '=', bad)
      .execute();
    const phone = await another(ida);
    await settle(phone);
    assert.ok(lockedOf(phone.device.row(bad)));
    assert.deepEqual(place(phone, bad, list), ['ok']);
    assert.deepEqual(place(phone, good, list), ['ok']);
    await settle(phone, phone, ben);
    assert.equal(ben.device.name(good), `${SECRET} good`);
    assert.equal(ben.device.row(bad), undefined);
    assert.equal(phone.device.row(bad)?.scope, ida.office.scope);
    assert.deepEqual(
      recovered(phone).map(({ verdict }) => verdict),
      ['forbidden'],
    );
    await world.close(phone.device);
  });
});
