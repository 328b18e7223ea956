// Where moves between scopes meet something else at the same moment, on every engine: two tabs, two people, a restore, what
// begins anew with a repeating task, and the records of its occurrences.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completionId, completionIds, type Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { createMemoryLedger } from '#server/care/ledger.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { headOf, listIn, Member, place, rowIn, rowsOf, title } from './scopes-world.ts';
import { someId } from './store-samples.ts';

const repeat = {
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'every',
  anchorDay: null,
};
const [first, second, third] = [{ on: '2026-01-01' }, { on: '2026-01-02' }, { on: '2026-01-03' }];
const complete = (id: Id, occ: number, more: Record<string, unknown> = {}) => {
  const next = { due: occ === 0 ? second : third, start: null };
  return { a: 'complete', id, occ, at: 1, next, ...more };
};

export function edgesContract(name: string, open: () => Promise<Database>): void {
  describe(`Moves that meet something else on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    for (const isLate of [false, true])
      test(`[SYNC-93] of two tabs the one writes before a move and the other after it; the first is heard ${isLate ? 'last' : 'first'}`, async () => {
        const ada = await settled();
        const { scope, list } = await ada.share();
        const task = await ada.task(ada.inbox, { title: 'Before' });
        // A version of the one scope that, in the other, is one after the second write.
        await ada.act(title(task, 'Later'), title(task, 'Last'));
        const { version } = await rowIn(house, ada.scope, task);
        const tab = (device: Id) => async (operation: Record<string, unknown>) => {
          const { device: other, seq } = ada;
          Object.assign(ada, { device, seq: 0 });
          const [verdict] = await ada.verdicts(operation);
          Object.assign(ada, { device: other, seq });
          return verdict;
        };
        await ada.act(place(task, list));
        const there = await rowIn(house, scope, task);
        const wrote = title(task, 'First', { b: version, t: house.now + 1_000 });
        const wroteThen = title(task, 'Second', { scope, b: there.version, t: house.now + 2_000 });
        house.now += 60_000;
        const [one, other] = [tab(someId()), tab(someId())];
        if (isLate) {
          assert.equal(await other(wroteThen), 'ok');
          await ada.task(list, {}, scope);
          assert.equal((await headOf(house, scope)).version, version);
          assert.equal(await one(wrote), 'superseded');
        } else assert.deepEqual([await one(wrote), await other(wroteThen)], ['ok', 'ok']);
        assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'Second');
      });

    test('[SYNC-94] [SYNC-91] who takes a shared task for themselves takes along what was written before, and is named', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const own = await ada.task(ada.inbox, { title: 'Private' });
      const [early, late] = [await bob.task(list, {}, scope), await bob.task(list, {}, scope)];
      await bob.act(title(early, 'Written in time', { scope }), { a: 'delete', id: early, scope });
      await ada.act(place(early, own, scope), place(late, own, scope));
      assert.deepEqual(
        await bob.verdicts(title(late, 'Too late', { scope }), { a: 'delete', id: late, scope }),
        ['gone', 'gone'],
      );
      const rows = await rowsOf(house, ada.scope);
      assert.equal(fieldOf(rows.get(early), 'title'), 'Written in time');
      assert.equal(fieldOf(rows.get(early), 'del')?.by, bob.account);
      assert.deepEqual(
        [placeOf(rows.get(late)!)?.parent, fieldOf(rows.get(late), 'title'), fieldOf(rows.get(late), 'del')],
        [own, undefined, undefined],
      );
      const [taken] = await house.database.store.history(scope, { id: late, limit: 1 });
      assert.deepEqual([taken?.operation.a, taken?.account], ['moved', ada.account]);
    });

    test('[SYNC-98] members who hold a shared list at different versions bring it back, and who had left does not', async () => {
      const [ada, bob, eve] = [await settled(), await settled(), await settled()];
      const { db, store } = house.database;
      for (const { account: id, scope: personal } of [ada, bob, eve])
        await db
          .insertInto('account')
          .values({
            id,
            email: `e${id}@example.org`,
            password_hash: 'x',
            personal_scope: personal,
            created_at: 1,
          })
          .execute();
      const [list, scope, task] = [someId(), someId(), someId()];
      await ada.act(listIn(ada.scope, list, { listType: 'list', name: 'Shared once' }));
      const ledger = createMemoryLedger();
      await ledger.record([
        { type: 'scope_created', at: 10, scope, owner: ada.account, root: list },
        { type: 'moved', at: 20, root: list, from: ada.scope, to: scope, hops: 1 },
        ...[bob, eve].map(({ account }) => ({ type: 'membership_joined', at: 30, scope, account }) as const),
        { type: 'membership_left', at: 40, scope, account: eve.account },
      ]);
      await replayLedger(house.database, ledger, house.now);
      for (const member of [ada, bob, eve])
        for (const { scope: id, role } of await store.scopesOf(member.account)) member.roles.set(id, role);
      const at = house.now + 10_000;
      house.now += 60_000;
      const offer = (value: string, writtenAt: number, id = task) => {
        const times = { title: writtenAt };
        const head = { a: 'reoffer', scope, id, type: 'task', fields: { title: value }, at, times };
        return { ...head, place: { parent: list }, createdAt: 1 };
      };
      const hers = someId();
      assert.deepEqual(await eve.verdicts(offer('Hers', at + 9_000), offer('Hers', at, hers)), [
        'forbidden',
        'forbidden',
      ]);
      const cursors = { [scope]: { generation: 'lost', version: 9 } };
      assert.deepEqual((await eve.sync([], { cursors })).left, [scope]);
      await bob.act(offer('As he saw it', at + 1_000));
      await ada.act(offer('As she wrote it last', at + 2_000));
      assert.deepEqual(await bob.verdicts(offer('Long since replaced', at)), ['superseded']);
      const rows = await rowsOf(house, scope);
      assert.deepEqual(new Set(rows.keys()), new Set([list, task]));
      assert.equal(fieldOf(rows.get(task), 'title'), 'As she wrote it last');
    });

    test('[SYNC-14] what was beneath a repeating task and is in another scope now does not begin anew with it', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const task = await ada.task(ada.inbox, { repeat, due: first });
      const [stayed, went] = [await ada.task(task), await ada.task(task)];
      const done = (id: Id) => ({ a: 'complete', id, occ: 0, at: 1, next: null });
      await ada.act(done(stayed), done(went), place(stayed, ada.inbox), place(task, list));
      const stood = await headOf(house, ada.scope);
      // The device that completes it knows of no move.
      await ada.act(complete(task, 0, { anew: [stayed, went], b: stood.version }));
      assert.equal(fieldOf(await rowIn(house, scope, task), 'occ'), 1);
      assert.equal(fieldOf(await rowIn(house, scope, went), 'status'), undefined);
      assert.deepEqual(fieldOf(await rowIn(house, ada.scope, stayed), 'status'), { done: 1 });
      assert.deepEqual(await headOf(house, ada.scope), stood);
    });

    test('[SYNC-9] [SYNC-92] the records of a task that moved are found by their ids, and files come to it where it is', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share();
      const other = await ada.share();
      const task = await ada.task(ada.inbox, { repeat, due: first });
      // Somebody who knows the id of the task has taken that of its second record.
      const taken = completionId(task, 1);
      await bob.act({ a: 'create', id: taken, type: 'task', fields: {}, place: { parent: bob.inbox } });
      await ada.act(complete(task, 0), place(task, list), complete(task, 1));
      const recordsIn = async (within: Id) =>
        [...(await rowsOf(house, within)).values()].filter(
          (row) => row.type === 'completion' && fieldOf(row, 'del') === undefined,
        );
      const ids = [completionId(task, 0), completionIds(scope, task, 1)[1]!];
      assert.deepEqual(new Set((await recordsIn(scope)).map(({ id }) => id)), new Set(ids));
      assert.deepEqual(await ada.verdicts(complete(task, 0), complete(task, 1)), ['already', 'already']);
      const back = (occ: number, due: unknown) => ({
        a: 'reopen',
        id: task,
        occ,
        previous: { due, start: null },
      });
      await ada.act(back(1, second));
      assert.deepEqual(
        (await recordsIn(scope)).map(({ id }) => id),
        ids.slice(0, 1),
      );
      const file = someId();
      const attached = { name: 'a.txt', hash: 'd'.repeat(64), sizeBytes: 1 };
      await ada.act(place(task, other.list, scope), {
        a: 'create',
        id: file,
        type: 'attachment',
        fields: attached,
        place: { parent: task },
      });
      assert.equal(placeOf(await rowIn(house, other.scope, file))?.parent, task);
      assert.deepEqual(
        (await recordsIn(other.scope)).map(({ id }) => id),
        ids.slice(0, 1),
      );
      await ada.act(back(0, first));
      assert.deepEqual(await recordsIn(other.scope), []);
    });
  });
}
