// What happens to the root of a large tree while the rest is on its way to another scope, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completionId, completionIds, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { grow, moverOf, settledRows } from './large-moves-world.ts';
import { Member, place, rowIn, type Said } from './scopes-world.ts';
import { someId } from './store-samples.ts';

const repeat = { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'every', anchorDay: null };
const dueOn = (day: number) => ({ on: `2026-01-0${day}` });

const create = (id: Id, parent: Id, fields: Record<string, unknown> = {}): Said => ({
  a: 'create',
  id,
  type: 'task',
  fields,
  place: { parent },
});
const complete = (id: Id, occ: number, more: Record<string, unknown> = {}): Said => ({
  a: 'complete',
  id,
  occ,
  at: 1,
  next: { due: dueOn(occ + 2), start: null },
  ...more,
});
const reopen = (id: Id, occ: number): Said => ({
  a: 'reopen',
  id,
  occ,
  previous: { due: dueOn(occ + 1), start: null },
});

export function movingRootsContract(name: string, open: () => Promise<Database>): void {
  describe(`Roots of large moves on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open, { mostMoved: 20 });
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    /** A person with a tree whose root repeats, and a list of another scope. */
    async function repeating(count = 60) {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count });
      const [root = someId()] = ids;
      await ada.act(
        { a: 'set', id: root, field: 'repeat', value: repeat },
        { a: 'set', id: root, field: 'due', value: dueOn(1) },
      );
      return { ada, scope, list, ids, root, scopes: [ada.scope, scope] };
    }

    for (const at of [1, 3, 6])
      test(`[SYNC-149] what is put beneath the root before step ${at} ends where it is, also as all that is beneath it`, async () => {
        const ada = await settled();
        const [{ scope, list }, third] = [await ada.share(), await ada.share()];
        const ids = await grow(ada, ada.inbox, { count: 90 });
        const [root = someId(), ...others] = ids;
        const children = others.slice(0, 4);
        const small = await ada.task(ada.inbox);
        const large = await grow(ada, ada.inbox, { count: 50 });
        const foreign = await ada.task(third.list, {}, third.scope);
        const made = someId();
        await ada.act(place(root, list));
        const between = async (step: number) => {
          if (step !== at) return;
          await ada.act(...children.map((id) => place(id, ada.inbox)));
          await ada.act(place(large[0]!, root));
          await ada.act(place(small, root), place(foreign, root), create(made, root));
        };
        await moverOf(house, { between }).run();
        const all = await settledRows(house, [ada.scope, scope, third.scope]);
        for (const id of [root, small, made, foreign, ...large]) assert.equal(all.get(id)?.scope, scope);
        for (const id of others) assert.equal(all.get(id)?.scope, ada.scope);
      });

    test('[SYNC-143] a repeating root that is completed on its way is completed once, with a record where it is', async () => {
      const { ada, scope, list, ids, root, scopes } = await repeating();
      await ada.act(complete(root, 0), place(root, list));
      const between = async (step: number) => {
        if (step === 2) await ada.act(complete(root, 1));
        // Another device has done so too, and does not know that it moved.
        if (step === 3) assert.deepEqual(await ada.verdicts(complete(root, 1)), ['already']);
        if (step === 4) await ada.act(complete(root, 2), reopen(root, 2));
      };
      await moverOf(house, { between }).run();
      const all = await settledRows(house, scopes);
      for (const id of ids) assert.equal(all.get(id)?.scope, scope);
      assert.equal(fieldOf(all.get(root)!, 'occ'), 2);
      const records = [...all.values()].filter(({ type }) => type === 'completion');
      const living = records.filter((row) => fieldOf(row, 'del') === undefined);
      assert.deepEqual(
        new Map(living.map(({ id, scope: where }) => [id, where])),
        new Map([0, 1].map((occ) => [completionId(root, occ), scope])),
      );
    });

    test('[SYNC-148] subtasks begin anew with a repeating root that is completed on its way, wherever they are by then', async () => {
      for (const named of ['the old scope', 'the new scope']) {
        const { ada, scope, list, ids, root, scopes } = await repeating();
        const subtasks = ids.slice(1);
        await ada.act(...subtasks.map((id) => ({ a: 'complete', id, occ: 0, at: 1, next: null })));
        await ada.act(place(root, list));
        const kept = ids.at(-2)!;
        const between = async (step: number) => {
          if (step !== 3) return;
          const anew = subtasks.filter((id) => id !== kept);
          const where = anew.map((id) =>
            rowIn(house, scope, id).then(
              () => 'there',
              () => 'left',
            ),
          );
          assert.deepEqual(new Set(await Promise.all(where)), new Set(['there', 'left']));
          await ada.act({
            ...complete(root, 0, { anew }),
            ...(named === 'the new scope' ? { scope } : {}),
          });
        };
        await moverOf(house, { between }).run();
        const all = await settledRows(house, scopes);
        for (const id of subtasks) {
          assert.equal(all.get(id)?.scope, scope);
          assert.equal(fieldOf(all.get(id)!, 'status') !== undefined, id === kept, named);
        }
      }
    });

    test('[SYNC-172] more subtasks on their way than one transaction has operations begin anew with a root that is completed with other things', async () => {
      const { ada, scope, list, ids, root, scopes } = await repeating(limits.transactionOperations + 40);
      const subtasks = ids.slice(1);
      await ada.act(...subtasks.map((id) => ({ a: 'complete', id, occ: 0, at: 1, next: null })));
      await ada.act(place(root, list));
      const x = someId();
      const last = subtasks.at(-1)!;
      assert.equal((await rowIn(house, ada.scope, last)).scope, ada.scope, 'most of it is still there');
      const title = (id: Id) => ({ a: 'set', id, field: 'title', value: 'with the others', x });
      await ada.act(title(last), { ...complete(root, 0, { anew: subtasks }), x }, title(last));
      await moverOf(house).run();
      const all = await settledRows(house, scopes);
      for (const id of subtasks) {
        assert.equal(all.get(id)?.scope, scope);
        assert.equal(fieldOf(all.get(id)!, 'status'), undefined);
      }
      assert.equal(fieldOf(all.get(last)!, 'title'), 'with the others');
    });

    test('[SYNC-148] subtasks that were taken to many other lists stay as they are', async () => {
      const ada = await settled();
      const root = await ada.task(ada.inbox, { repeat, due: dueOn(1) });
      const subtasks = Array.from({ length: 7 }, someId);
      await ada.act(...subtasks.map((id) => create(id, root)));
      await ada.act(...subtasks.map((id) => ({ a: 'complete', id, occ: 0, at: 1, next: null })));
      const there: Id[] = [];
      for (const id of subtasks) {
        const { scope, list } = await ada.share();
        there.push(scope);
        await ada.act(place(id, list));
      }
      assert.deepEqual(await ada.verdicts(complete(root, 0, { anew: subtasks })), ['ok']);
      const all = await settledRows(house, [ada.scope, ...there]);
      for (const id of subtasks) assert.notEqual(fieldOf(all.get(id)!, 'status'), undefined);
    });

    test('[SYNC-152] a record under an id of the scope where it was made is taken back after two moves', async () => {
      const [ada, eve] = [await settled(), await settled()];
      const [first, second] = [await ada.share(), await ada.share()];
      const task = await ada.task(ada.inbox, { repeat, due: dueOn(1) });
      await eve.act(create(completionId(task, 0), eve.inbox));
      await ada.act(complete(task, 0));
      const [, spare] = completionIds(ada.scope, task, 0);
      assert.ok(spare);
      await ada.act(place(task, first.list));
      await ada.act(place(task, second.list, first.scope));
      assert.equal((await rowIn(house, second.scope, spare)).type, 'completion');
      await ada.act({ ...reopen(task, 0), scope: second.scope });
      await ada.act({ ...complete(task, 0), scope: second.scope });
      const all = await settledRows(house, [ada.scope, first.scope, second.scope]);
      const living = [...all.values()].filter(
        (row) => row.type === 'completion' && fieldOf(row, 'del') === undefined,
      );
      assert.equal(living.length, 1, JSON.stringify(living));
    });
  });
}
