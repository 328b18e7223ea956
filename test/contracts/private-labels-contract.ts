// Private labels of tasks that go into shared lists, on every engine: nobody else hears of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { labelsRoot, mineId, type Id } from '#core/ids.ts';
import { registersOf, registerStamp, type Row } from '#sync/rows/row.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { heal, Member, place, rowIn, rowsOf, type Said } from './scopes-world.ts';
import { someId } from './store-samples.ts';

const on = (task: Id, label: Id): Said => ({ a: 'set', id: task, field: `label:${label}`, value: true });

/** The ids of the labels on a row. */
const labelsOn = (row: Row): readonly Id[] =>
  Object.entries(registersOf(row)).flatMap(([register, value]) =>
    register.startsWith('label:') && value === true ? [register.slice(6) as Id] : [],
  );

async function make(
  of: Member,
  type: 'label' | 'labelGroup',
  { parent = labelsRoot(of.scope), ...fields }: { readonly parent?: Id; readonly [name: string]: unknown },
): Promise<Id> {
  const id = someId();
  await of.act({ a: 'create', scope: of.scope, id, type, fields, place: { parent } });
  return id;
}

export function privateLabelsContract(name: string, open: () => Promise<Database>): void {
  describe(`Private labels across scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    test('[SHARE-346] a private label that a device brings back with its task goes into its person’s own row, with the time at which it was put on', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const secret = await make(ann, 'label', { name: 'secret', visibility: 'private' });
      const [task, other] = [await ann.task(list, {}, scope), await ann.task(list, {}, scope)];
      await heal(house, scope);
      await heal(house, ann.scope);
      const at = house.now + 30_000;
      house.now += 60_000;
      // The device believes them to be its person’s own still: it was away when the list was shared.
      const offer = (id: Id, fields: Record<string, unknown>, times: Record<string, number>) => ({
        a: 'reoffer',
        id,
        type: 'task',
        scope: ann.scope,
        fields,
        place: { parent: list },
        at: at - 600_000,
        times,
        createdAt: at - 600_000,
      });
      const register = `label:${secret}`;
      const [lost, gone] = [someId(), someId()];
      const said = await ann.verdicts(
        offer(lost, { title: 'lost', [register]: true }, { [register]: at }),
        offer(task, { [register]: true }, { [register]: at }),
        offer(other, { title: 'later' }, { title: house.now, [register]: at }),
        offer(gone, { title: 'gone' }, { [register]: at }),
      );
      assert.deepEqual(said, ['ok', 'already', 'ok', 'ok']);
      const rows = await rowsOf(house, scope);
      for (const id of [lost, task, other, gone])
        assert.ok(!JSON.stringify(rows.get(id)).includes(secret), 'nobody else hears of it');
      const own = await rowsOf(house, ann.scope);
      for (const id of [lost, task]) {
        const mine = own.get(mineId(ann.scope, id))!;
        assert.deepEqual(labelsOn(mine), [secret]);
        assert.equal(registerStamp(mine, register)[1], at);
      }
      for (const id of [other, gone]) assert.equal(own.get(mineId(ann.scope, id)), undefined);
      // What was taken off since stays off.
      await ann.act({ ...on(mineId(ann.scope, lost), secret), value: null, scope: ann.scope });
      await ann.verdicts(offer(lost, { title: 'lost', [register]: true }, { [register]: at }));
      assert.deepEqual(labelsOn(await rowIn(house, ann.scope, mineId(ann.scope, lost))), []);
    });

    test('[SHARE-351] what took a label off a shared task that became private since is brought back, and no other task names it', async () => {
      const [ann, ben] = [await settled(), await settled()];
      const { scope, list } = await ann.share(ben);
      const label = await make(ann, 'label', { name: 'plain' });
      await ann.act({ a: 'delete', id: label, scope: ann.scope });
      const [task, other] = [
        await ann.task(list, { [`label:${label}`]: true }, scope),
        await ann.task(list, {}, scope),
      ];
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [label]);
      await ann.act({
        a: 'set',
        id: label,
        field: 'visibility',
        value: 'private',
        scope: ann.scope,
      });
      await heal(house, scope);
      await heal(house, ann.scope);
      house.now += 60_000;
      const off = (id: Id, at: number) => ({
        a: 'reoffer',
        id,
        type: 'task',
        scope,
        fields: {},
        at: at - 600_000,
        times: { [`label:${label}`]: at },
        createdAt: at - 600_000,
      });
      // Taken off before it was put on.
      assert.deepEqual(await ann.verdicts(off(task, house.now - 600_000)), ['already']);
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), [label]);
      assert.deepEqual(await ann.verdicts(off(task, house.now - 1), off(other, house.now - 1)), [
        'ok',
        'already',
      ]);
      assert.deepEqual(labelsOn(await rowIn(house, scope, task)), []);
      assert.ok(!JSON.stringify(await rowIn(house, scope, other)).includes(label), 'nobody hears of it');
    });

    test('[SHARE-346] a private label in the trash does not come into a list either', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const hidden = await make(ann, 'labelGroup', { name: 'Hidden', visibility: 'private' });
      const [secret, inside, plain] = [
        await make(ann, 'label', { name: 'secret', visibility: 'private' }),
        await make(ann, 'label', { name: 'inside', parent: hidden }),
        await make(ann, 'label', { name: 'plain' }),
      ];
      const marks = Object.fromEntries([secret, inside, plain].map((id) => [`label:${id}`, true]));
      const task = await ann.task(ann.inbox, marks);
      for (const id of [secret, inside, plain]) await ann.act({ a: 'delete', id, scope: ann.scope });
      await ann.act(place(task, list));
      const text = JSON.stringify(await rowIn(house, scope, task));
      for (const id of [secret, inside]) assert.ok(!text.includes(id), 'nobody else hears of it');
      const mine = await rowIn(house, ann.scope, mineId(ann.scope, task));
      assert.deepEqual(labelsOn(mine).toSorted(), [secret, inside].toSorted());
    });

    test('[SHARE-352] of labels that two devices bring back the one that was put on last stays, whichever device has said more', async () => {
      const ann = await settled();
      const { scope, list } = await ann.share();
      const hidden = await make(ann, 'labelGroup', { name: 'Hidden', exclusive: true });
      const fields = { visibility: 'private', parent: hidden };
      const labels = [
        await make(ann, 'label', { name: 'early', ...fields }),
        await make(ann, 'label', { name: 'late', ...fields }),
      ];
      const late = labels[1]!;
      await heal(house, scope);
      await heal(house, ann.scope);
      for (const isFirst of [true, false])
        for (const numbers of [
          [10, 9_000],
          [9_000, 10],
        ]) {
          const task = await ann.task(list, {}, scope);
          const at = house.now;
          house.now += 120_000;
          const offers = labels.map((label, nth) => ({
            a: 'reoffer',
            id: task,
            type: 'task',
            scope: ann.scope,
            fields: { [`label:${label}`]: true },
            at,
            times: { [`label:${label}`]: at + (nth + 1) * 1_000 },
            createdAt: at,
          }));
          const before = [ann.device, ann.seq] as const;
          for (const [nth, offer] of (isFirst ? offers : offers.toReversed()).entries()) {
            [ann.device, ann.seq] = [someId(), numbers[nth]!];
            await ann.verdicts(offer);
          }
          [ann.device, ann.seq] = before;
          const mine = await rowIn(house, ann.scope, mineId(ann.scope, task));
          assert.deepEqual(labelsOn(mine), [late]);
          assert.equal(registerStamp(mine, `label:${late}`)[1], at + 2_000);
        }
    });

    test('[SHARE-348] of an exclusive group of private labels a person’s own row has the one that was put on last', async () => {
      const ann = await settled();
      const { list } = await ann.share();
      const hidden = await make(ann, 'labelGroup', {
        name: 'Hidden',
        visibility: 'private',
        exclusive: true,
      });
      const [early, late] = [
        await make(ann, 'label', { name: 'early', visibility: 'private', parent: hidden }),
        await make(ann, 'label', { name: 'late', visibility: 'private', parent: hidden }),
      ];
      const mine = (task: Id, put: Id) => ({
        a: 'create',
        scope: ann.scope,
        id: mineId(ann.scope, task),
        type: 'mine',
        fields: { of: task, [`label:${put}`]: true },
      });
      const own = async (task: Id) => labelsOn(await rowIn(house, ann.scope, mineId(ann.scope, task)));
      // What a task brings along, before or after the other one was put on.
      for (const isFirst of [true, false]) {
        const task = await ann.task(ann.inbox);
        const said = [on(task, isFirst ? early : late), mine(task, isFirst ? late : early)];
        for (const each of isFirst ? said : said.toReversed()) {
          house.now += 60_000;
          await ann.act(each);
        }
        await ann.act(place(task, list));
        assert.deepEqual(await own(task), [late]);
      }
      // Two devices that each make the row.
      const task = await ann.task(list);
      await ann.act(mine(task, early));
      house.now += 60_000;
      ann.device = someId();
      await ann.act(mine(task, late));
      assert.deepEqual(await own(task), [late]);
    });
  });
}
