// Shared lists on a server whose database was put back to an older state, on every engine: to before a list was shared, to the
// middle of sharing it, to before people came and went, and to before it was private again. What devices hold comes back, once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listsRoot, memberId, mineId, mountId, type Id } from '#core/ids.ts';
import { labelsNamedOn } from '#sync/rows/label-mapping.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row, type StoredRow } from '#sync/rows/row.ts';
import { RestoredWorld, type Somebody } from './restored-sharing-world.ts';

const known = (row: StoredRow | undefined): Row => {
  assert.ok(row);
  return row as Row;
};

/** More than move with their list at once. */
const MANY = 520;

export function restoredSharingContract(name: string, databaseUrl: () => Promise<string | null>): void {
  describe(`Shared lists on a restored server on ${name}`, () => {
    let world: RestoredWorld;
    before(async () => {
      world = await RestoredWorld.open(await databaseUrl());
    });
    after(() => world.close());

    const mountOf = async ({ scope }: Somebody, list: Id) =>
      known(await world.row(scope, mountId(scope, list)));
    const parentOf = async (person: Somebody, list: Id) => placeOf(await mountOf(person, list))?.parent;
    const membersOf = async (scope: Id, people: readonly Somebody[]) =>
      Promise.all(
        people.map(async ({ account }) => {
          const row = known(await world.row(scope, memberId(scope, account)));
          return fieldOf(row, 'leftAt') === undefined ? fieldOf(row, 'role') : 'left';
        }),
      );
    const isReadBy = async (scope: Id, { account }: Somebody) =>
      (await world.server.database.store.membersOf(scope)).includes(account);

    const fromBeforeSharing = async (order: readonly ('ann' | 'ben' | 'eve')[]) => {
      const [ann, ben, eve] = await world.people3();
      const travel = ann.list('Travel', 'folder');
      const list = ann.list('Trip', 'list', travel);
      const [train, pack] = [ann.task('Book a train', list), ann.task('Pack', list)];
      const [urgent, secret] = [ann.label('urgent'), ann.label('secret', { visibility: 'private' })];
      for (const label of [urgent, secret])
        ann.issue({ a: 'set', id: train, field: `label:${label}`, value: true });
      await ann.exchanged();
      const friends = ben.list('With friends', 'folder');
      await ben.exchanged();
      const backup = await world.backup();

      const shared = await ann.share(list);
      const scope = shared.scope as Id;
      for (const person of [ben, eve]) await person.join(shared);
      for (const person of [ann, ben, eve]) await person.exchanged();
      ben.place(list, friends);
      const said = ben.comment('For nine people', train);
      const maps = ben.task('Buy maps', list);
      eve.complete(pack);
      eve.issue({
        a: 'set',
        id: mountId(eve.scope, list),
        field: 'hiddenAt',
        value: eve.engine.replica.now(),
      });
      for (const person of [ben, eve, ann]) await person.exchanged();
      ann.issue({ a: 'set', id: train, field: 'assignee', value: ben.account });
      ann.name(maps, 'Buy two maps');
      const [shownUrgent] = [...ann.engine.replica.all()].filter(
        (row) => row.type === 'label' && row.scope === scope,
      );
      ann.issue({ a: 'set', id: known(shownUrgent).id, field: 'name', value: 'very urgent' });
      for (const person of [ann, ben]) await person.exchanged();
      // Eve has heard none of this, and what she does now has not been heard of.
      eve.network.isCut = true;
      eve.name(maps, 'Buy three maps');
      eve.task('Learn the songs', list);
      const late = ben.task('Ask the neighbors', list);
      await ben.exchanged();
      assert.equal(ann.engine.replica.row(late), undefined, 'only Ben’s device knows it');

      const devices = { ann, ben, eve };
      for (const { network } of Object.values(devices)) network.isCut = true;
      await world.restart(backup);
      await world.rested();
      for (const name of order) {
        devices[name].network.isCut = false;
        await devices[name].exchanged();
      }
      await world.settle(...order.map((name) => devices[name]));

      const expected = ['Ask the neighbors', 'Book a train', 'Buy three maps', 'Learn the songs', 'x Pack'];
      for (const person of [ann, ben, eve]) assert.deepEqual(person.titles(), expected);
      // A text that a later one replaced is kept where it was held, unless its person replaced it too, as Eve did with "Buy maps".
      const expectedKept = order.flatMap((name, place) => {
        if (name === 'eve') return place === 0 ? [] : [[name, 'superseded', 'urgent']];
        return order.indexOf('eve') < place ? [[name, 'superseded', 'Buy two maps']] : [];
      });
      const kept = order.flatMap((name) =>
        devices[name].engine.recovered
          .get()
          .map(({ operation, verdict }) => [name, verdict, 'value' in operation && operation.value]),
      );
      assert.deepEqual(kept, expectedKept);
      assert.equal(fieldOf(known(await world.row(scope, said)), 'author'), ben.account);
      assert.equal(fieldOf(known(await world.row(scope, train)), 'assignee'), ben.account);
      assert.deepEqual(await membersOf(scope, [ann, ben, eve]), ['owner', 'member', 'member']);
      // Labels of the list are called as they were called last, and private ones are nowhere but with their person.
      const labels = (await world.rows(scope)).filter((row) => row.type === 'label');
      assert.deepEqual(
        labels.map((row) => fieldOf(known(row), 'name')),
        ['very urgent'],
      );
      const put = (row: StoredRow | undefined) =>
        labelsNamedOn(known(row))
          .filter(({ isOn }) => isOn)
          .map(({ label }) => label);
      assert.deepEqual(
        put(await world.row(scope, train)),
        labels.map(({ id }) => id),
      );
      assert.deepEqual(put(await world.row(ann.scope, mineId(ann.scope, train))), [secret]);
      // Everybody’s sidebar is as it was.
      assert.equal(await parentOf(ann, list), travel);
      assert.equal(await parentOf(ben, list), friends);
      assert.notEqual(fieldOf(await mountOf(eve, list), 'hiddenAt'), undefined);
      // The link is lost with its record; a new one works.
      assert.equal((await ann.see(list)).link, null);
      assert.equal((await ben.ask(`invitations/${shared.link?.token ?? ''}`, 'GET')).status, 404);
      assert.notEqual((await ann.share(list)).link?.token, undefined);
      assert.equal((await ann.see(list)).state, 'open');
    };

    test('[SHARE-265] [SHARE-268] from before it was shared, a list comes back whole from its people, each of whom knows something else', async () => {
      await fromBeforeSharing(['eve', 'ann', 'ben']);
    });

    test('[SHARE-265] [SHARE-268] a list from before it was shared comes back whole also when its newest person comes later', async () => {
      await fromBeforeSharing(['ann', 'eve', 'ben']);
    });

    test('[SHARE-268] a list that nobody brings back stands where its owner had it', async () => {
      const [ann] = await world.people3();
      const travel = ann.list('Travel', 'folder');
      const list = ann.list('Trip', 'list', travel);
      ann.task('Pack', list);
      ann.list('Below', 'list', travel);
      await ann.exchanged();
      const backup = await world.backup();
      const { scope } = await ann.share(list);
      await world.restart(backup);
      await world.rested();
      const mount = await mountOf(ann, list);
      assert.equal(placeOf(mount)?.parent, travel);
      await world.settle(ann);
      const shown = ann.engine.replica.children(travel).map((row) => fieldOf(row, 'name'));
      assert.deepEqual(shown, ['Trip', 'Below']);
      assert.equal(ann.engine.replica.row(list)?.scope, scope);
    });

    test('[SHARE-266] in the middle of sharing, it goes on to the end, and nothing is lost or there twice', async (t) => {
      const [ann, ben] = await world.people3();
      const list = ann.list('Trip', 'list');
      const tasks = Array.from({ length: MANY }, (_, at) => ann.task(`Task ${at}`, list));
      await ann.exchanged();
      // Once before the list itself has moved, and once while its tasks are on their way.
      const { exchange, mover } = world.server.services;
      const broken = t.mock.method(exchange, 'carryOut', () =>
        Promise.reject(new Error('The process ends.')),
      );
      assert.equal((await ann.ask(`lists/${list}`)).status, 500);
      broken.mock.restore();
      const begun = await world.backup();
      await mover.stop();
      const shared = await ann.share(list);
      assert.equal(shared.state, 'filling');
      const halfway = await world.backup();
      const scope = shared.scope as Id;
      assert.ok((await world.rows(scope)).length < MANY);
      await world.restart();
      await world.rested();
      const open = await ann.see(list);
      assert.equal(open.state, 'open');
      await ben.join(open);
      await ben.exchanged();
      ben.name(tasks[MANY - 1]!, 'The last one');
      ben.complete(tasks[0]!);
      ben.task('Made by Ben', list);
      for (const person of [ben, ann]) await person.exchanged();
      const titles = ann.titles();
      assert.equal(titles.length, MANY + 1);
      assert.deepEqual(ben.titles(), titles);

      for (const backup of [halfway, begun]) {
        await world.restart(backup);
        if (backup === halfway) {
          // Devices come while most of it is still where it was, and the process ends once more.
          await world.server.services.mover.stop();
          for (const person of [ben, ann]) await person.exchanged();
          await world.restart();
        }
        await world.rested();
        await world.settle(ben, ann);
        assert.equal((await ann.see(list)).state, 'open');
        assert.deepEqual(await membersOf(scope, [ann, ben]), ['owner', 'member']);
        for (const person of [ann, ben]) {
          assert.deepEqual(person.titles(), titles);
          assert.deepEqual(person.engine.recovered.get(), []);
        }
      }
      // It may be private by now, however far it had come then.
      await ann.makePrivate(list);
      await world.rested();
      await world.settle(ben, ann);
      assert.deepEqual(ann.titles(), titles);
      await world.restart(halfway);
      await world.rested();
      await world.settle(ben, ann);
      assert.deepEqual(ann.titles(), titles);
      assert.deepEqual(ben.titles(), []);
      assert.equal((await ann.see(list)).state, 'private');
    });

    test('[SHARE-267] from before people came, went and handed it over, it has the people that it had last', async () => {
      const [ann, ben, eve] = await world.people3();
      const list = ann.list('Trip', 'list');
      ann.task('Pack', list);
      await ann.exchanged();
      const shared = await ann.share(list);
      const scope = shared.scope as Id;
      await ben.join(shared);
      for (const person of [ann, ben]) await person.exchanged();
      const backup = await world.backup();
      await eve.join(shared);
      await eve.exchanged();
      const bens = ben.task('Made by Ben', list);
      const anns = ann.task('Made by Ann', list);
      for (const person of [ben, ann, eve]) await person.exchanged();
      await ann.handOver(list, eve);
      await ann.leave(list);
      await ben.leave(list);
      ben.network.isCut = true;
      eve.name(bens, 'Made by Ben, who is gone');
      await eve.exchanged();

      await world.restart(backup);
      await world.rested();
      for (const person of [ann, ben]) assert.equal(await isReadBy(scope, person), false);
      // Who has left brings nothing back, and is told so, whatever their device holds.
      ben.network.isCut = false;
      ben.name(bens, 'By a stranger');
      await ben.exchanged();
      assert.deepEqual(ben.titles(), []);
      assert.equal(ben.engine.recovered.get().length, 1);
      await world.settle(ann, eve);
      assert.deepEqual(eve.titles(), ['Made by Ann', 'Made by Ben, who is gone', 'Pack']);
      assert.deepEqual(ann.titles(), []);
      assert.equal(fieldOf(known(await world.row(scope, anns)), 'title'), 'Made by Ann');
      assert.deepEqual(await membersOf(scope, [ann, ben, eve]), ['left', 'left', 'owner']);
      assert.equal((await eve.see(list)).role, 'owner');
      assert.equal((await ben.ask(`lists/${list}`, 'GET')).status, 404);
    });

    test('[SHARE-267] from before it was private again, it is its owner’s alone, in its place, with what was done since', async () => {
      const [ann, ben] = await world.people3();
      const travel = ann.list('Travel', 'folder');
      const list = ann.list('Trip', 'list', travel);
      const pack = ann.task('Pack', list);
      await ann.exchanged();
      const shared = await ann.share(list);
      await ben.join(shared);
      await ben.exchanged();
      const maps = ben.task('Buy maps', list);
      for (const person of [ben, ann]) await person.exchanged();
      const backup = await world.backup();
      ben.name(pack, 'Pack a bag');
      for (const person of [ben, ann]) await person.exchanged();
      await ann.makePrivate(list);
      await ann.exchanged();
      ann.complete(maps);
      ann.task('Alone again', list);
      await ann.exchanged();
      const titles = ['Alone again', 'Pack a bag', 'x Buy maps'];
      assert.deepEqual(ann.titles(), titles);

      await world.restart(backup);
      await world.rested();
      assert.equal(await isReadBy(shared.scope as Id, ben), false);
      await world.settle(ben, ann);
      assert.deepEqual(ann.titles(), titles);
      assert.deepEqual(ben.titles(), []);
      const row = known(await world.row(ann.scope, list));
      assert.equal(placeOf(row)?.parent, travel);
      assert.equal((await ann.see(list)).state, 'private');
      assert.deepEqual(ann.engine.recovered.get(), []);
      // It is shared again in a scope of its own.
      const again = await ann.share(list);
      assert.notEqual(again.scope, shared.scope);
      await ann.exchanged();
      assert.deepEqual(ann.titles(), titles);
      assert.notEqual(
        placeOf(known(await world.row(ann.scope, mountId(ann.scope, list))))?.parent,
        listsRoot(ann.scope),
      );
    });
  });
}
