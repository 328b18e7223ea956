// What people of other products lost in shared lists, lived through by devices as they are in the app: parts moved out, lists
// made private, members removed and added again, devices that were away meanwhile.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { reapplyTogether } from '#client/sync-status/recovered-replay.ts';
import { inboxId, listsRoot, mountId, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { Device } from '../shared-devices.ts';
import { type Person, shareWithBen } from '../sharing.ts';

const inboxOf = ({ personalScope }: Person) => inboxId(personalScope as Id);
const title = (id: Id, value: string) => ({ a: 'set', id, field: 'title', value }) as const;
const place = (id: Id, parent: Id) => ({ a: 'place', id, place: { parent } }) as const;
const task = (id: Id, name: string, parent: Id) =>
  ({ a: 'create', id, type: 'task', fields: { title: name }, place: { parent } }) as const;

describe('shared lists, as other products lost them', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  /** Ann and Ben with a device each, both in the list. */
  async function trip() {
    const all = await shareWithBen();
    ends.push(() => all.server.close());
    const deviceOf = async (person: Person) => {
      const device = await Device.of(person);
      ends.push(() => device.close());
      return device;
    };
    return { ...all, deviceOf, anns: await deviceOf(all.ann), bens: await deviceOf(all.ben) };
  }

  /** Each row once, whatever scope it is in; nothing is beneath what is not there. */
  function assertWhole({ engine }: Device): void {
    const rows = [...engine.replica.all()];
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    const scopes = new Set<Id>(rows.map(({ scope }) => scope));
    for (const row of rows.filter(({ type }) => type === 'task')) {
      const parent = placeOf(row)?.parent;
      assert.ok(parent !== undefined && (engine.replica.row(parent) !== undefined || scopes.has(parent)));
    }
  }

  test('[SHARE-240] a part that is moved out arrives whole, with what others did to it meanwhile, and comes back whole', async () => {
    const { anns, bens, ben, list, tasks } = await trip();
    const [train] = tasks;
    const seats = anns.add('Seats', train);
    const window = anns.add('Window', seats);
    await anns.meet();
    await bens.meet();
    bens.do(place(train, inboxOf(ben)));
    // Ann is offline and works in what moves away.
    anns.do(title(window, 'Window seat'), { a: 'delete', id: seats }, { a: 'restore', id: seats });
    const late = anns.add('Snacks', seats);
    const kept = anns.add('Umbrella', list);
    await bens.meet();
    await anns.meet();
    await bens.meet();
    assert.equal(bens.outline(inboxOf(ben)), 'Book a train (Seats (Window))');
    assert.equal(anns.outline(list), 'Pack, Umbrella');
    assert.equal(bens.outline(list), 'Pack, Umbrella');
    // What Ann wrote in what she cannot see anymore is hers to keep.
    assert.deepEqual([anns.row(late), anns.row(kept)?.scope], [undefined, anns.row(list)?.scope]);
    assert.ok(
      anns.recovered().some((what) => what.endsWith('create Snacks')),
      anns.recovered().join(),
    );
    assert.ok(
      anns.recovered().some((what) => what.endsWith('set Window seat')),
      anns.recovered().join(),
    );
    bens.do(title(seats, 'Two seats'), place(train, list));
    await bens.meet();
    await anns.meet();
    assert.equal(anns.outline(list), 'Pack, Umbrella, Book a train (Two seats (Window))');
    for (const device of [anns, bens]) assertWhole(device);
  });

  test('[SHARE-240] so does a part of hundreds of tasks, while others add to it', async () => {
    const { server, anns, bens, ben, list, tasks } = await trip();
    const [train] = tasks;
    const many = Array.from({ length: 450 }, (_, index) => ({ id: anns.newId(), name: `Task ${index}` }));
    const parents = [train, ...many.map(({ id }) => id)];
    anns.do(...many.map(({ id, name }, index) => task(id, name, parents[Math.floor(index / 4)] as Id)));
    await anns.meet();
    await bens.meet();
    bens.do(place(train, inboxOf(ben)));
    const added = bens.add('Added on the way', many[449]?.id as Id);
    await bens.meet();
    await server.services.mover.run();
    await bens.meet();
    await anns.meet();
    const scopes = [train, added, ...many.map(({ id }) => id)].map((id) => bens.row(id)?.scope);
    assert.deepEqual(new Set(scopes), new Set([ben.personalScope]));
    assert.equal(anns.outline(list), 'Pack');
    for (const device of [anns, bens]) assertWhole(device);
  });

  test('[SHARE-241] made private while members write, it has each task once; what came too late is in Recovered', async () => {
    const { ann, anns, bens, list, tasks } = await trip();
    const [train, pack] = tasks;
    bens.do(title(train, 'Book two trains'));
    await bens.meet();
    bens.do(title(pack, 'Pack for two'), { a: 'complete', id: train, occ: 0, at: 1, next: null });
    const inside = bens.add('Passport', pack);
    const cake = bens.add('Cake', list);
    bens.do(title(cake, 'Cheesecake'));
    anns.do(title(pack, 'Pack light'));
    assert.equal((await ann.call(`POST sharing/lists/${list}/private`)).status, 200);
    await bens.meet();
    await anns.meet();
    assert.equal(anns.outline(list), 'Book two trains, Pack light');
    assert.deepEqual(
      [list, train, pack].map((id) => anns.row(id)?.scope),
      [ann.personalScope, ann.personalScope, ann.personalScope],
    );
    assertWhole(anns);
    for (const id of [list, train, pack, inside, cake]) assert.equal(bens.row(id), undefined);
    const kept = bens.recovered().map((what) => what.replace(/^\w+: /, ''));
    for (const what of ['set Pack for two', 'create Passport']) assert.ok(kept.includes(what), kept.join());
    assert.ok(
      kept.some((what) => /Cheesecake/.test(what)),
      kept.join(),
    );
  });

  test('[SHARE-242] it is in its owner’s sidebar, and each task in one scope, at every step of going there and back', async () => {
    const { server, ann, ben, anns, bens, list } = await trip();
    const many = Array.from({ length: 450 }, (_, index) => ({ id: anns.newId(), name: `Task ${index}` }));
    anns.do(...many.map(({ id, name }) => task(id, name, list)));
    await anns.meet();
    await bens.meet();
    const mount = mountId(ann.personalScope as Id, list);
    const looks: string[] = [];
    /** A device that looks for the first time now. */
    const look = async () => {
      const rows = await ann.rows();
      const place = rows.get(list)?.f['place'] as { parent: Id } | undefined;
      assert.ok(place, 'the list is there');
      const isTop = place.parent === ann.personalScope;
      assert.ok(isTop || rows.has(mount), 'it stands in the sidebar');
      for (const { id } of many) assert.ok(rows.has(id), 'so does each task');
      looks.push(isTop ? 'private' : 'shared');
    };
    const going = ann.call(`POST sharing/lists/${list}/private`);
    await look();
    await going;
    await look();
    await anns.meet();
    assert.equal(anns.outline(list).split(', ').length, 452);
    await server.services.mover.run();
    await look();
    await anns.meet();
    await bens.meet();
    assert.equal(bens.row(list), undefined);
    assert.equal(looks.at(-1), 'private');
    await ann.share(list);
    await look();
    await server.services.mover.run();
    await look();
    // Asked once more, it is settled: it was not said yet that all tasks are there.
    const { state, link } = await ann.share(list);
    assert.equal(state, 'open');
    await ben.join(link?.token);
    await bens.meet();
    await anns.meet();
    for (const device of [anns, bens]) {
      assert.equal(device.outline(list).split(', ').length, 452);
      assertWhole(device);
    }
  });

  test('[SHARE-243] a device that comes afterwards reads what its person may read now, and nothing else', async () => {
    const { ann, ben, list, tasks, scope, deviceOf } = await trip();
    const foreign = (device: Device) =>
      [...device.engine.replica.all()].filter((row: Row) => row.scope !== device.engine.replica.scope);
    await ann.call(`POST sharing/lists/${list}/private`);
    const [hers, his] = [await deviceOf(ann), await deviceOf(ben)];
    assert.equal(hers.outline(list), 'Book a train, Pack');
    assert.deepEqual(foreign(his), []);
    for (const id of [list, ...tasks]) assert.equal(his.row(id), undefined);
    assert.deepEqual(foreign(hers), []);
    const seen = await ben.rows();
    assert.ok([...seen.values()].every((row) => row.scope !== scope));
    const { link } = await ann.share(list);
    await ben.join(link?.token);
    const again = await deviceOf(ben);
    assert.equal(again.outline(list), 'Book a train, Pack');
  });

  test('[SHARE-244] who was removed and joined again between two looks has all of it, and loses nothing', async () => {
    const { ann, ben, anns, bens, list, tasks } = await trip();
    const [train, pack] = tasks;
    // Offline meanwhile.
    const cake = bens.add('Cake', list);
    bens.do(title(pack, 'Pack for two'));
    assert.equal((await ann.call(`POST sharing/lists/${list}/members/${ben.account}/remove`)).status, 200);
    anns.do(title(train, 'Book a night train'));
    const tent = anns.add('Tent', list);
    await anns.meet();
    const { link } = JSON.parse(
      await (await ann.call(`POST sharing/lists/${list}/link`, { days: 30 })).text(),
    ) as {
      link: { token: string };
    };
    await ben.join(link.token);
    await bens.meet();
    await anns.meet();
    for (const device of [anns, bens]) {
      assert.equal(device.outline(list), 'Book a night train, Pack for two, Tent, Cake');
      assertWhole(device);
    }
    assert.deepEqual(bens.recovered(), []);
    assert.deepEqual(
      [bens.row(cake)?.scope, bens.row(tent)?.scope],
      [bens.row(list)?.scope, bens.row(list)?.scope],
    );
  });

  test('[SHARE-244] so has a device that heard of the removal', async () => {
    const { ann, ben, anns, bens, list, tasks } = await trip();
    await ann.call(`POST sharing/lists/${list}/members/${ben.account}/remove`);
    await bens.meet();
    assert.equal(bens.row(list), undefined);
    anns.do({ a: 'delete', id: tasks[0] });
    await anns.meet();
    const { link } = JSON.parse(
      await (await ann.call(`POST sharing/lists/${list}/link`, { days: 30 })).text(),
    ) as {
      link: { token: string };
    };
    await ben.join(link.token);
    await bens.meet();
    assert.equal(bens.outline(list), 'Pack');
    assert.equal(fieldOf(bens.row(tasks[0]), 'title'), 'Book a train', 'in the trash of the list');
    assertWhole(bens);
  });

  test('[SHARE-245] what was made in it while cloud sync was off goes when it is on again, in every list; the rest stays', async () => {
    const { ann, anns, bens, list, tasks } = await trip();
    const [train, pack] = tasks;
    const { engine } = anns;
    const own = anns.add('Water the plants', inboxOf(ann));
    const waits = anns.add('Tickets', list);
    engine.detach();
    anns.do(title(train, 'Only here'), place(pack, inboxOf(ann)), title(own, 'Only here'));
    const here = [anns.add('Only here', list), anns.add('Only here', inboxOf(ann))];
    bens.do(title(train, 'Book a bus'));
    await bens.meet();
    const made = engine.detachedChanges();
    assert.ok(made !== null);
    const scopes = new Set<Id>([ann.personalScope as Id, anns.row(list)?.scope as Id]);
    assert.deepEqual(new Set(made.operations.map(({ scope }) => scope)), scopes);
    assert.ok(engine.attach(made));
    await anns.meet();
    await bens.meet();
    for (const id of here) assert.deepEqual([anns.row(id), bens.row(id)], [undefined, undefined]);
    for (const device of [anns, bens]) assert.equal(device.outline(list), 'Book a bus, Pack, Tickets');
    assert.equal(anns.outline(inboxOf(ann)), 'Water the plants');
    assert.equal(bens.row(waits)?.scope, bens.row(list)?.scope);
    assert.deepEqual(anns.recovered(), []);
  });

  test('[SHARE-238] what is imported with ids of a list that one has left is not lost: it is made again as one’s own', async () => {
    const { ben, anns, bens, list, tasks } = await trip();
    const [train] = tasks;
    const seats = anns.add('Seats', train);
    await anns.meet();
    await bens.meet();
    assert.equal((await ben.call(`POST sharing/lists/${list}/leave`)).status, 200);
    await bens.meet();
    assert.equal(bens.row(list), undefined);
    // A file that he exported before.
    const root = listsRoot(ben.personalScope as Id);
    const made = bens.do(
      {
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: 'My trip' },
        place: { parent: root },
      },
      task(train, 'Book a train', list),
      task(seats, 'Seats', train),
    );
    assert.deepEqual(made, ['ok', 'ok', 'ok']);
    await bens.meet();
    assert.deepEqual(bens.recovered().length, 3, bens.recovered().join());
    const { replica, recovered } = bens.engine;
    const again = reapplyTogether(replica, recovered.get(), () => bens.newId());
    bens.do(...again.filter((action) => action !== null));
    bens.engine.dropRecovered(recovered.get().map(({ operation }) => operation.q));
    await bens.meet();
    assert.equal(bens.outline(root), 'Inbox, My trip (Book a train (Seats))');
    await anns.meet();
    assert.equal(anns.outline(list), 'Book a train (Seats), Pack');
    assert.deepEqual(bens.recovered(), []);
  });
});
