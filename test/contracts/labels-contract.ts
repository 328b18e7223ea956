// Labels of tasks that go from scope to scope, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deriveId, labelsRoot, mineId, type Id } from '#core/ids.ts';
import { fieldOf, registersOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { grow, moverOf, settledRows } from './large-moves-world.ts';
import { headOf, heal, Member, place, rowIn, rowsOf, type Said } from './scopes-world.ts';
import { someId } from './store-samples.ts';

const on = (task: Id, label: Id, more: Partial<Said> = {}) => ({
  a: 'set',
  id: task,
  field: `label:${label}`,
  value: true,
  ...more,
});
const off = (task: Id, label: Id, more: Partial<Said> = {}) => ({ ...on(task, label, more), value: null });

/** The ids of the labels on a row. */
const labelsOn = (row: Row): readonly Id[] =>
  Object.entries(registersOf(row)).flatMap(([register, value]) =>
    register.startsWith('label:') && value === true ? [register.slice(6) as Id] : [],
  );

export function labelsContract(name: string, open: () => Promise<Database>): void {
  describe(`Labels across scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    async function label(
      of: Member,
      fields: Record<string, unknown>,
      scope = of.scope,
      group?: Id,
    ): Promise<Id> {
      const id = someId();
      const at = { parent: group ?? labelsRoot(scope) };
      await of.act({ a: 'create', scope, id, type: 'label', fields, place: at });
      return id;
    }
    async function group(of: Member, fields: Record<string, unknown>, scope = of.scope): Promise<Id> {
      const id = someId();
      await of.act({
        a: 'create',
        scope,
        id,
        type: 'labelGroup',
        fields,
        place: { parent: labelsRoot(scope) },
      });
      return id;
    }
    /** The labels of a task, as rows. */
    async function carried(task: Id, scope: Id): Promise<readonly Row[]> {
      const rows = await rowsOf(house, scope);
      return labelsOn(rows.get(task)!).map((id) => {
        const row = rows.get(id);
        assert.ok(row, 'a task carries labels of its own scope');
        return row;
      });
    }
    const names = async (task: Id, scope: Id) =>
      (await carried(task, scope))
        .map((row) => fieldOf(row, 'name') ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1));

    test('[SHARE-50] a label that the list does not have is made there: with name, color and group, at the end, and without a key', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const kinds = await group(ann, { name: 'Kinds', exclusive: true });
      const urgent = await label(ann, { name: 'urgent', color: '#ff0000', hotkey: '1' }, ann.scope, kinds);
      const task = await ann.task(ann.inbox, { [`label:${urgent}`]: true });
      const child = await ann.task(task, { [`label:${urgent}`]: true });
      const stood = (await headOf(house, scope)).version;
      await ann.act(place(task, list));
      const [made] = await carried(task, scope);
      assert.equal(made?.id, deriveId('label in', scope, urgent));
      const { place: at, ...fields } = registersOf(made);
      assert.deepEqual(fields, { name: 'urgent', color: '#ff0000', visibility: 'shared' });
      const copied = await rowIn(house, scope, (at as { parent: Id }).parent);
      assert.deepEqual([fieldOf(copied, 'name'), fieldOf(copied, 'exclusive')], ['Kinds', true]);
      assert.equal(made.version, stood + 1, 'it comes with the task, in one change');
      assert.deepEqual(labelsOn(await rowIn(house, scope, child)), [made.id]);
      // A second task, and another label of the same group.
      const later = await label(ann, { name: 'later' }, ann.scope, kinds);
      const second = await ann.task(ann.inbox, { [`label:${later}`]: true });
      await ann.act(place(second, list));
      const [other] = await carried(second, scope);
      assert.equal(placeOf(other)?.parent, placeOf(made)?.parent);
      assert.ok((placeOf(other)?.key ?? '') > (placeOf(made)?.key ?? ''));
      assert.equal(
        [...(await rowsOf(house, scope)).values()].filter(({ type }) => type === 'labelGroup').length,
        1,
      );
    });

    test('[SHARE-51] a label of the same name is taken, however its letters are composed, and another case is another name', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const [there, upper] = [
        await label(ann, { name: 'caf\u00e9' }, scope),
        await label(ann, { name: 'Home' }, scope),
      ];
      const [mine, home] = [await label(ann, { name: 'cafe\u0301' }), await label(ann, { name: 'home' })];
      const task = await ann.task(ann.inbox, { [`label:${mine}`]: true, [`label:${home}`]: true });
      await ann.act(place(task, list));
      const found = labelsOn(await rowIn(house, scope, task));
      assert.deepEqual([found.includes(there), found.includes(upper), found.length], [true, false, 2]);
      // One in the trash is not taken.
      const [gone, again] = [await label(ann, { name: 'gone' }, scope), await label(ann, { name: 'gone' })];
      await ann.act({ a: 'delete', id: gone, scope });
      const other = await ann.task(ann.inbox, { [`label:${again}`]: true });
      await ann.act(place(other, list));
      assert.deepEqual(labelsOn(await rowIn(house, scope, other)), [deriveId('label in', scope, again)]);
    });

    test('[SHARE-52] labels stand for each other from then on, whatever they are called, for the account that moved the task', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const [mine, theirs] = [
        await label(ann, { name: 'urgent' }),
        await label(ann, { name: 'urgent' }, scope),
      ];
      const task = await ann.task(ann.inbox, { [`label:${mine}`]: true });
      await ann.act(place(task, list));
      await ann.act({ a: 'set', id: theirs, field: 'name', value: 'now', scope });
      await ann.act(place(task, ann.inbox, scope));
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, task)), [mine]);
      await ann.act(place(task, list));
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [theirs]);
      // Somebody else who takes it out gets a label of the present name, and none of another person's.
      await ben.act(place(task, ben.inbox, scope));
      const [his] = await carried(task, ben.scope);
      assert.deepEqual([fieldOf(his, 'name'), his?.scope], ['now', ben.scope]);
      await ben.act(place(task, list));
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [theirs]);
    });

    test('[SHARE-52] a twin that was deleted counts no more: its name is looked for, and else a label is made', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const mine = await label(ann, { name: 'urgent' });
      const [first, second] = [
        await ann.task(ann.inbox, { [`label:${mine}`]: true }),
        await ann.task(ann.inbox, { [`label:${mine}`]: true }),
      ];
      await ann.act(place(first, list));
      const [made] = labelsOn(await rowIn(house, scope, first));
      await ann.act({ a: 'delete', id: made, scope }, place(second, list));
      const [anew] = await carried(second, scope);
      assert.ok(anew && anew.id !== made && !isTrashed(anew));
      assert.equal(fieldOf(anew, 'name'), 'urgent');
    });

    test('[SHARE-53] a private label, or one of a private group, goes into the mover’s own row of the task, and comes back with it', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const hidden = await group(ann, { name: 'Hidden', visibility: 'private' });
      const [secret, inside] = [
        await label(ann, { name: 'secret', visibility: 'private' }),
        await label(ann, { name: 'inside' }, ann.scope, hidden),
      ];
      const task = await ann.task(ann.inbox);
      await ann.act(on(task, secret), on(task, inside), place(task, list));
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), []);
      const own = await rowIn(house, ann.scope, mineId(ann.scope, task));
      assert.deepEqual(new Set(labelsOn(own)), new Set([secret, inside]));
      assert.equal(
        [...(await rowsOf(house, scope)).values()].some(({ type }) => type === 'label'),
        false,
      );
      // As an operation about the task where it was, which comes later.
      const third = await label(ann, { name: 'third', visibility: 'private' });
      await ann.act(on(task, third), off(task, secret));
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), []);
      assert.deepEqual(
        new Set(labelsOn(await rowIn(house, ann.scope, mineId(ann.scope, task)))),
        new Set([inside, third]),
      );
    });

    test('[SHARE-54] who leaves with a task takes its labels along: the twin, one of the same name, or a new one of one’s own', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const [red, blue] = [
        await label(ann, { name: 'red' }, scope),
        await label(ann, { name: 'blue', color: '#0000ff' }, scope),
      ];
      const his = await label(ben, { name: 'red' });
      const task = await ann.task(list, { [`label:${red}`]: true, [`label:${blue}`]: true }, scope);
      await ben.act(place(task, ben.inbox, scope));
      const found = await carried(task, ben.scope);
      assert.ok(found.some(({ id }) => id === his));
      const made = found.find(({ id }) => id !== his);
      assert.deepEqual([fieldOf(made, 'name'), fieldOf(made, 'color')], ['blue', '#0000ff']);
      // And the other way round the same ones again.
      await ben.act(place(task, list));
      assert.deepEqual(new Set(labelsOn(await rowIn(house, scope, task))), new Set([red, blue]));
    });

    test('[SHARE-54] from list to list a label keeps what it stands for', async () => {
      const ann = await settled();
      const [one, two] = [await ann.share(), await ann.share()];
      const mine = await label(ann, { name: 'urgent' });
      const task = await ann.task(ann.inbox, { [`label:${mine}`]: true });
      await ann.act(place(task, one.list));
      await ann.act({
        a: 'set',
        id: deriveId('label in', one.scope, mine),
        field: 'name',
        value: 'other',
        scope: one.scope,
      });
      await ann.act(place(task, two.list, one.scope));
      assert.deepEqual(await names(task, two.scope), ['other']);
      await ann.act(place(task, ann.inbox, two.scope));
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, task)), [mine]);
    });

    test('[SHARE-55] what a device says of a task where it was is said of the labels where it is', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const [mine, late] = [await label(ann, { name: 'urgent' }), await label(ann, { name: 'late' })];
      const task = await ann.task(ann.inbox, { [`label:${mine}`]: true });
      const stale = ann.ops([on(task, late), off(task, mine)]);
      const device = ann.device;
      ann.device = someId();
      await ann.act(place(task, list));
      ann.device = device;
      // Written before the move, and heard after it.
      assert.deepEqual(
        (await ann.sync(stale)).results.map(([, verdict]) => verdict),
        ['ok', 'ok'],
      );
      assert.deepEqual(await names(task, scope), ['late']);
      // A new task that names labels of where its list was, or of the person, in the list.
      const made = someId();
      const fields = { [`label:${mine}`]: true };
      await ann.act({ a: 'create', id: made, type: 'task', fields, place: { parent: list } });
      assert.deepEqual(await names(made, scope), ['urgent']);
    });

    test('[SHARE-55] [SHARE-56] taken off stays off: an older write that put it on comes too late wherever the task is by then', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const mine = await label(ann, { name: 'urgent' });
      const task = await ann.task(ann.inbox);
      const [early, device] = [ann.ops([on(task, mine)]), ann.device];
      ann.device = someId();
      await ann.act(on(task, mine), off(task, mine), place(task, list));
      assert.equal(
        [...(await rowsOf(house, scope)).values()].some(({ type }) => type === 'label'),
        false,
      );
      ann.device = device;
      assert.deepEqual(
        (await ann.sync(early)).results.map(([, verdict]) => verdict),
        ['superseded'],
      );
      assert.deepEqual(await names(task, scope), []);
      // Taken off there, and back at home.
      ann.device = someId();
      await ann.act(on(task, mine));
      const [there] = labelsOn(await rowIn(house, scope, task)) as [Id];
      const stale = ann.ops([on(task, there, { scope })]);
      const writer = ann.device;
      ann.device = someId();
      await ann.act(off(task, there, { scope }), place(task, ann.inbox, scope));
      ann.device = writer;
      await ann.sync(stale);
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, task)), []);
    });

    test('[SHARE-56] undoing works across the move, for what was put on and for what was taken off', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const [mine, other] = [await label(ann, { name: 'urgent' }), await label(ann, { name: 'other' })];
      const task = await ann.task(ann.inbox, { [`label:${other}`]: true });
      await ann.act(on(task, mine), off(task, other));
      const [put, taken] = [ann.seq - 1, ann.seq];
      await ann.act(place(task, list));
      await ann.act(off(task, mine, { only: put }), on(task, other, { only: taken }));
      assert.deepEqual(await names(task, scope), ['other']);
    });

    test('[SHARE-57] of an exclusive group of the list the label that was put on last stays', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const kinds = await group(ann, { name: 'Kinds', exclusive: true }, scope);
      const high = await label(ann, { name: 'high' }, scope, kinds);
      await label(ann, { name: 'low' }, scope, kinds);
      const [up, down] = [await label(ann, { name: 'high' }), await label(ann, { name: 'low' })];
      const task = await ann.task(ann.inbox);
      await ann.act(on(task, down), on(task, up), place(task, list));
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [high]);
      await ann.act(on(task, down));
      assert.deepEqual(await names(task, scope), ['low']);
    });

    test('[SHARE-354] a task that a device brings back has of an exclusive group the label that was put on last', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const kinds = await group(ann, { name: 'Kinds', exclusive: true }, scope);
      const low = await label(ann, { name: 'low' }, scope, kinds);
      await label(ann, { name: 'high' }, scope, kinds);
      await label(ann, { name: 'middle' }, scope, kinds);
      // Of one's own: they lay in the trash when the task got them, which the restored server does not know yet.
      const [high, middle] = [await label(ann, { name: 'high' }), await label(ann, { name: 'middle' })];
      await heal(house, scope);
      const at = house.now;
      house.now += 60_000;
      const back = async (labels: readonly Id[], times: Readonly<Record<Id, number>>) => {
        const id = someId();
        const fields = Object.fromEntries(labels.map((each) => [`label:${each}`, true]));
        const written = Object.fromEntries(
          Object.entries(times).map(([each, time]) => [`label:${each}`, time]),
        );
        const offer = { a: 'reoffer', id, type: 'task', scope, fields, place: { parent: list }, at };
        await ann.act({ ...offer, times: written, createdAt: at });
        return id;
      };
      const task = await back([low, middle, high], { [low]: at + 1_000, [high]: at + 2_000 });
      assert.deepEqual(await names(task, scope), ['high']);
      const taken = registerStamp(await rowIn(house, scope, task), `label:${low}`)[1];
      assert.equal(taken, at + 2_000, 'that choice took the earlier one off');
      const other = await back([high, low], { [low]: at + 1_000 });
      assert.deepEqual(await names(other, scope), ['low'], 'in whichever order they are named');
      assert.deepEqual(await names(await back([low, high], {}), scope), ['low'], 'as of a new task');
    });

    test('[SHARE-58] who has left a list cannot name its labels, but for what stands for them in their own', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const [red, blue] = [
        await label(ann, { name: 'red' }, scope),
        await label(ann, { name: 'blue' }, scope),
      ];
      const task = await ben.task(list, { [`label:${red}`]: true }, scope);
      await ben.act(place(task, ben.inbox, scope));
      const [his] = labelsOn(await rowIn(house, ben.scope, task)) as [Id];
      ben.roles.delete(scope);
      assert.deepEqual(
        await ben.verdicts(off(task, red, { scope }), on(task, blue, { scope }), on(task, blue)),
        ['forbidden', 'forbidden', 'forbidden'],
      );
      // With a second list, so that operations are routed.
      const other = await ben.share();
      assert.deepEqual(await ben.verdicts(off(task, red, { scope }), on(task, blue, { scope })), [
        'ok',
        'forbidden',
      ]);
      assert.deepEqual(labelsOn(await rowIn(house, ben.scope, task)), []);
      const made = {
        a: 'create',
        id: someId(),
        type: 'task',
        fields: { [`label:${blue}`]: true },
        place: { parent: other.list },
      };
      assert.deepEqual(await ben.verdicts(made, on(task, his)), ['forbidden', 'ok']);
    });

    test('[SHARE-59] the key of a label is its person’s: labels of a list have none, and nothing of a list is private', async () => {
      const ann = await settled();
      const { scope } = await ann.share();
      const red = await label(ann, { name: 'red' }, scope);
      const set = (field: string, value: unknown) => ({ a: 'set', id: red, field, value, scope });
      assert.deepEqual(
        await ann.verdicts(set('hotkey', '1'), set('visibility', 'private'), set('visibility', 'shared')),
        ['forbidden', 'forbidden', 'ok'],
      );
      const at = { parent: labelsRoot(scope) };
      const fields = { name: 'b', hotkey: '2' };
      assert.deepEqual(
        await ann.verdicts({ a: 'create', scope, id: someId(), type: 'label', fields, place: at }),
        ['forbidden'],
      );
    });

    test('[SHARE-60] a large tree takes its labels along step by step, and what is said meanwhile is said of the right ones', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const [mine, secret] = [
        await label(ann, { name: 'urgent' }),
        await label(ann, { name: 's', visibility: 'private' }),
      ];
      const ids = await grow(ann, ann.inbox, { count: 260 });
      await ann.act(...ids.map((id) => on(id, mine)), on(ids[250]!, secret), on(ids[259]!, secret));
      await ann.act(off(ids[255]!, mine), place(ids[0]!, list));
      const { length } = ids;
      const mover = moverOf(house, {
        rows: 100,
        between: async (step) => {
          // Of the list, about a row that is on its way, and about one that has arrived.
          if (step === 2)
            await ann.act(on(ids[length - 2]!, mine), off(ids[1]!, mine), off(ids[length - 3]!, mine));
        },
      });
      await mover.run();
      const rows = await settledRows(house, [ann.scope, scope]);
      const there = deriveId('label in', scope, mine);
      const without = new Set([ids[1], ids[255], ids[length - 3]]);
      for (const id of ids) assert.deepEqual(labelsOn(rows.get(id)!), without.has(id) ? [] : [there]);
      for (const id of [ids[250]!, ids[259]!])
        assert.deepEqual(labelsOn(rows.get(mineId(ann.scope, id))!), [secret]);
      assert.equal([...rows.values()].filter(({ type }) => type === 'label').length, 3);
    });

    test('[SHARE-61] a server that has lost the labels of a list gets them back, each once', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const mine = await label(ann, { name: 'urgent' });
      const task = await ann.task(ann.inbox, { [`label:${mine}`]: true });
      await heal(house, scope);
      await heal(house, ann.scope);
      const there = deriveId('label in', scope, mine);
      // The device had moved the task, and holds the label that was made for it: the task comes back first.
      const at = house.now;
      const offer = (id: Id, type: string, fields: Record<string, unknown>, parent: Id) => ({
        a: 'reoffer',
        id,
        type,
        scope,
        fields,
        place: { parent },
        at,
        times: {},
        createdAt: at,
      });
      const other = someId();
      const said = await ann.verdicts(
        offer(other, 'task', { title: 'b', [`label:${there}`]: true }, list),
        on(task, mine),
        place(task, list),
        offer(there, 'label', { name: 'urgent', color: '#00ff00' }, labelsRoot(scope)),
      );
      // It was made again for the task already.
      assert.deepEqual(said, ['ok', 'ok', 'ok', 'already']);
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [there]);
      assert.deepEqual(labelsOn(await rowIn(house, scope, other)), [there]);
      // By the name, where it is not known what it stands for.
      await house.database.db.deleteFrom('label_twin').execute();
      await ann.act(place(other, ann.inbox, scope));
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, other)), [mine]);
    });

    test('[SHARE-62] what has waited for its task is said of the labels where the task is', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const [mine, secret] = [
        await label(ann, { name: 'urgent' }),
        await label(ann, { name: 's', visibility: 'private' }),
      ];
      await heal(house, scope);
      await heal(house, ann.scope);
      const task = someId();
      assert.deepEqual(await ann.verdicts(on(task, mine, { scope }), on(task, secret, { scope })), [
        'parked',
        'parked',
      ]);
      const at = house.now - 600_000;
      ann.device = someId();
      await ann.act({
        a: 'reoffer',
        id: task,
        type: 'task',
        scope,
        fields: {},
        place: { parent: list },
        at,
        times: {},
        createdAt: at,
      });
      assert.deepEqual(await names(task, scope), ['urgent']);
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, mineId(ann.scope, task))), [secret]);
    });
  });
}
