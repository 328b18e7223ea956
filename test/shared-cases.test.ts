// Situations of sharing a list, with devices that were away: sharing while they work offline, deleting meanwhile, forgetting.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { DAY_MS } from '#core/time.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { createTestServer } from './api/harness.ts';
import { openDevice, type SharedDevice } from './shared-device.ts';
import { confirmEmail, Person, placeIn, shareWithBen, told } from './sharing.ts';

const create = (id: Id, title: string, parent: Id) =>
  ({ a: 'create', id, type: 'task', fields: { title }, place: { parent } }) as const;
const title = (id: Id, value: string) => ({ a: 'set', id, field: 'title', value }) as const;

/** A list with so many tasks, as its owner has it on two devices. */
async function ownListOnTwo(count: number) {
  const server = await createTestServer();
  const ann = await Person.come(server, 'ann@example.org');
  await confirmEmail(server, ann.account);
  const [list, other] = [await ann.list('Trip'), await ann.list('Home')];
  const tasks = Array.from({ length: count }, () => crypto.randomUUID() as Id);
  for (let from = 0; from < count; from += 400)
    await ann.act(
      ...tasks
        .slice(from, from + 400)
        .map((id, at) =>
          create(id, `Task ${from + at}`, at % 4 === 3 ? must(tasks[from + at - 1], 'it is there') : list),
        ),
    );
  const phone = await openDevice(ann);
  return { server, ann, list, other, tasks, phone };
}

/** Everything that a device can do to a list, while it is offline. Returns what it made. */
async function workOffline(
  { replica, issue }: SharedDevice,
  {
    list,
    other,
    tasks,
    ann,
  }: Pick<Awaited<ReturnType<typeof ownListOnTwo>>, 'list' | 'other' | 'tasks' | 'ann'>,
) {
  const own = ann.personalScope as Id;
  const [made, below, into, label, file] = Array.from({ length: 5 }, () => replica.newId()) as [
    Id,
    Id,
    Id,
    Id,
    Id,
  ];
  const at = (index: number): Id => must(tasks[index], 'a task');
  await issue(
    title(at(0), 'Renamed'),
    { a: 'complete', id: at(1), occ: 0, at: 5, next: null },
    create(made, 'Made', list),
    create(below, 'Below', at(2)),
    { a: 'place', id: at(4), place: { parent: at(0) } },
    { a: 'place', id: at(5), place: { parent: other } },
    { a: 'delete', id: at(8) },
    { a: 'set', id: at(9), field: 'notes', value: 'Written offline' },
    { a: 'create', id: label, type: 'label', fields: { name: 'urgent' }, place: { parent: labelsRoot(own) } },
    { a: 'set', id: at(10), field: `label:${label}`, value: true },
    {
      a: 'create',
      id: file,
      type: 'attachment',
      fields: { name: 'map.txt', fileType: 'text/plain', sizeBytes: 3, hash: HASH },
      place: { parent: at(12) },
    },
    create(into, 'Moved in', inboxId(own)),
    { a: 'place', id: into, place: { parent: list } },
  );
  return { made, below, into, label, file };
}

const CONTENT = 'abc';
const HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('a list that is shared while another device of its owner is away', () => {
  test('[SHARE-200] everything that was done there offline arrives where the tasks are, once', async () => {
    const world = await ownListOnTwo(600);
    const { server, ann, list, other, tasks, phone } = world;
    phone.goOffline();
    const made = await workOffline(phone, world);
    // Its content was sent before; the attachment itself waits.
    const sent = await server.ask(`/app/api/files/${ann.personalScope}/${HASH}`, {
      method: 'POST',
      cookie: ann.cookie,
      raw: CONTENT,
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.equal(sent.status, 200);
    const note = { a: 'set', id: must(tasks[9], 'it is there'), field: 'notes', value: 'Written at home' };
    const before = await ann.sync();
    await ann.act({ ...note, b: before.changes[0]?.to ?? 0 });
    const first = await ann.share(list);
    assert.equal(first.state, 'filling', 'it is too large to move at once');
    await phone.sync();
    await server.services.mover.run();
    await phone.sync();
    const { scope, link } = await ann.share(list);
    const { replica, engine } = phone;
    assert.deepEqual(engine.state.get(), { type: 'synced' });
    assert.deepEqual(
      engine.recovered.get().filter(({ verdict }) => verdict !== 'superseded'),
      [],
    );
    const ben = await Person.come(server, 'ben@example.org');
    await ben.join(link?.token);
    const [rows, everybody] = [await ben.rows(), await ann.rows()];
    const of = (id: Id) => must(rows.get(id), 'a row of the list');
    assert.equal(of(must(tasks[0], 'it is there')).f['title'], 'Renamed');
    assert.ok(of(must(tasks[1], 'it is there')).f['status'] !== undefined);
    for (const id of [made.made, made.into]) assert.equal(placeIn(of(id)).parent, list);
    assert.equal(placeIn(of(made.below)).parent, tasks[2]);
    assert.equal(placeIn(of(must(tasks[4], 'it is there'))).parent, tasks[0]);
    assert.ok(of(must(tasks[8], 'it is there')).f['del'] !== undefined);
    const gone = must(tasks[5], 'it is there');
    assert.equal(rows.get(gone), undefined, 'what was moved out is not for members');
    assert.deepEqual(
      [everybody.get(gone)?.scope, placeIn(everybody.get(gone)).parent],
      [ann.personalScope, other],
    );
    const labels = Object.keys(of(must(tasks[10], 'it is there')).f).filter((name) =>
      name.startsWith('label:'),
    );
    assert.equal(labels.length, 1);
    const label = of(must(labels[0], 'it is there').slice('label:'.length) as Id);
    assert.deepEqual([label.scope, label.f['name']], [scope, 'urgent']);
    assert.equal(placeIn(of(made.file)).parent, tasks[12]);
    const file = await server.ask(`/app/api/files/${scope}/${made.file}`, { cookie: ben.cookie });
    assert.equal(await file.text(), CONTENT);
    const held = [...replica.all()].filter((row) => row.type === 'task');
    assert.equal(held.length, 600 + 3, 'nothing is lost, or there twice');
    for (const row of held)
      assert.equal(row.scope, everybody.get(row.id)?.scope, 'the device has it where the server has it');
    const texts = [
      fieldOf(replica.row(must(tasks[9], 'it is there')), 'notes'),
      ...engine.recovered.get().map(({ operation }) => JSON.stringify(operation)),
    ].join(' ');
    for (const text of ['Written offline', 'Written at home']) assert.ok(texts.includes(text), text);
    await phone.close();
    await server.close();
  });

  test('[SHARE-201] also when marks of the move are forgotten by the time it comes back', async () => {
    const world = await ownListOnTwo(40);
    const { server, ann, list, other, tasks, phone } = world;
    phone.goOffline();
    const made = await workOffline(phone, world);
    const { scope } = await ann.share(list);
    // Half a year later, when everything that says where rows went is gone.
    server.clock.pass(401 * DAY_MS);
    await ann.signIn();
    await server.database.db.deleteFrom('tombstone').execute();
    await server.database.db
      .updateTable('scope')
      .set((row) => ({ horizon: row.ref('version') }))
      .execute();
    await phone.sync();
    await phone.sync();
    const { engine, replica } = phone;
    assert.deepEqual(engine.state.get(), { type: 'synced' });
    assert.deepEqual(
      engine.recovered.get().map(({ operation, verdict }) => [operation.a, verdict]),
      [],
    );
    const rows = await ann.rows();
    assert.equal(rows.get(must(tasks[0], 'it is there'))?.f['title'], 'Renamed');
    for (const id of [made.made, made.below, made.into, made.file]) assert.equal(rows.get(id)?.scope, scope);
    assert.equal(placeIn(rows.get(must(tasks[5], 'it is there'))).parent, other);
    assert.equal(rows.get(must(tasks[9], 'it is there'))?.f['notes'], 'Written offline');
    assert.equal([...replica.all()].filter((row) => row.type === 'task').length, 40 + 3);
    assert.equal([...rows.values()].filter((row) => row.type === 'task').length, 40 + 3);
    await phone.close();
    await server.close();
  });
});

describe('a list that is on its way into the trash', () => {
  test('[SHARE-202] is not shared if it was deleted a moment before; an archived one is, and stays archived', async () => {
    const server = await createTestServer();
    const ann = await Person.come(server, 'ann@example.org');
    await confirmEmail(server, ann.account);
    const folder = await ann.list('Folder', { listType: 'folder' });
    const [gone, within, kept] = [
      await ann.list('Gone'),
      await ann.list('Within', {}, folder),
      await ann.list('Kept'),
    ];
    const phone = await openDevice(ann);
    await phone.issue({ a: 'delete', id: gone }, { a: 'delete', id: folder });
    await phone.sync();
    for (const id of [gone, within]) {
      const refused = await told(ann.call(`POST sharing/lists/${id}`));
      assert.deepEqual([refused.status, refused['code']], [409, 'conflict']);
      assert.match(String(refused['message']), /in the trash/);
    }
    await phone.issue({ a: 'restore', id: gone });
    await phone.sync();
    assert.equal((await ann.share(gone)).state, 'open', 'restored, it can be shared');
    await phone.issue({ a: 'set', id: kept, field: 'archivedAt', value: 5 });
    await phone.sync();
    const { scope, link } = await ann.share(kept);
    const ben = await Person.come(server, 'ben@example.org');
    await ben.join(link?.token);
    assert.deepEqual(
      [(await ben.rows()).get(kept)?.scope, (await ben.rows()).get(kept)?.f['archivedAt']],
      [scope, 5],
    );
    await phone.sync();
    assert.equal(fieldOf(phone.replica.row(kept), 'archivedAt'), 5);
    await phone.close();
    await server.close();
  });

  test('[SHARE-203] emptying the trash leaves what is in a list of somebody else, and what was restored', async () => {
    const { server, ann, ben, list, tasks, scope } = await shareWithBen();
    const own = [
      await ben.task('Mine', inboxId(ben.personalScope as Id)),
      await ben.task('Moved', inboxId(ben.personalScope as Id)),
    ] as const;
    await ben.act(...own.map((id) => ({ a: 'delete', id })));
    const inTrash = async (person: Person, ids: readonly Id[]) => {
      const rows = await person.rows();
      return ids.flatMap((id) => {
        const del = rows.get(id)?.f['del'] as { readonly at: number } | undefined;
        return del === undefined ? [] : [{ id, at: del.at }];
      });
    };
    // What was looked at goes into the list of somebody else before the trash is emptied.
    const items = await inTrash(ben, own);
    assert.equal(items.length, 2);
    await ben.act({ a: 'restore', id: own[1] });
    await ben.act({ a: 'place', id: own[1], place: { parent: list } });
    await ben.act({ a: 'delete', id: own[1], scope });
    const moved = await inTrash(ben, [own[1]]);
    const empty = async (person: Person, of: readonly unknown[]) =>
      (await told(person.call('POST trash', { items: of })))['removed'];
    assert.equal(await empty(ben, [...items, ...moved]), 1);
    assert.deepEqual([(await ben.rows()).has(own[0]), (await ann.rows()).has(own[1])], [false, true]);
    await ben.act({ a: 'delete', id: tasks[0], scope }, { a: 'delete', id: tasks[1], scope });
    const both = await inTrash(ann, tasks);
    await ben.act({ a: 'restore', id: tasks[1], scope });
    assert.equal(await empty(ann, both), 1, 'its owner removes what nobody wanted back');
    const rows = await ben.rows();
    assert.deepEqual(
      tasks.map((id) => rows.has(id)),
      [false, true],
    );
    await server.close();
  });
});

describe('a member whose device was away', () => {
  test('[SHARE-204] keeps everything in Recovered when the list was made private meanwhile', async () => {
    const { server, ann, ben, list, tasks } = await shareWithBen();
    const laptop = await openDevice(ben);
    laptop.goOffline();
    const made = laptop.replica.newId();
    await laptop.issue(title(tasks[0], 'Book two trains'), create(made, 'Tickets', list), {
      a: 'set',
      id: tasks[1],
      field: 'notes',
      value: 'Big suitcase',
    });
    await told(ann.call(`POST sharing/lists/${list}/private`));
    server.clock.pass(30 * DAY_MS);
    await ben.signIn();
    await laptop.sync();
    assert.equal(laptop.replica.row(list), undefined);
    const recovered = laptop.engine.recovered.get().map(({ operation }) => JSON.stringify(operation));
    for (const words of ['Book two trains', 'Tickets', 'Big suitcase'])
      assert.ok(
        recovered.some((text) => text.includes(words)),
        words,
      );
    assert.deepEqual(laptop.engine.state.get(), { type: 'synced' });
    await ann.signIn();
    const titles = [...(await ann.rows()).values()].map(({ f }) => f['title']);
    assert.ok(titles.includes('Book a train') && !titles.includes('Tickets'));
    await laptop.close();
    // It is also there at the next start of the device.
    const again = await openDevice(ben, laptop.contents);
    assert.equal(again.engine.recovered.get().length, recovered.length);
    assert.deepEqual(again.titles(listsRoot(ben.personalScope as Id)), ['']);
    await again.close();
    await server.close();
  });
});
