// Several scopes on every engine: who hears what of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mountId, type Id } from '#core/ids.ts';
import { createMemoryLedger } from '#server/care/ledger.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { removeMember } from '#server/data/members.ts';
import type { Database } from '#server/data/database.ts';
import type { SyncRequest } from '#wire/sync.ts';
import { openHouse, type House } from './house.ts';
import { headOf, listIn, Member, place, rowIn, rowsOf, title } from './scopes-world.ts';
import { someAccount, someId } from './store-samples.ts';

export function scopesContract(name: string, open: () => Promise<Database>): void {
  describe(`Several scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();

    test('[SYNC-97] a scope that an account has left is told from one that the server does not know', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope } = await ada.share(bob);
      const other = await ada.share();
      const cursors = Object.fromEntries(
        [scope, other.scope, ada.scope, someId()].map((id) => [id, { generation: 'lost', version: 7 }]),
      );
      const lost = Object.keys(cursors).slice(1);
      const asked = async (schema?: number) => {
        const { left, unknown } = await bob.sync([], {
          cursors,
          ...(schema === undefined ? {} : { schema }),
        });
        return { left, unknown };
      };
      assert.deepEqual(await asked(), { left: [], unknown: lost });
      bob.roles.delete(scope);
      assert.deepEqual(await asked(), { left: [], unknown: [scope, ...lost] });
      const left = { account: bob.account, scope, at: 5 };
      assert.equal(await removeMember(house.database.db, left), false, 'it was no member there any more');
      assert.deepEqual(await asked(), { left: [scope], unknown: lost });
      assert.deepEqual(await asked(5), { left: [scope, ...lost], unknown: undefined });
    });

    test('[SYNC-136] who had seen more of a scope than there is hears of it before anything is judged, also where it is empty', async () => {
      const ada = await settled();
      const { generation } = house;
      const lost = { generation: 'lost', version: 1 };
      const ask = async (cursors: SyncRequest['cursors'], scope: Id) => {
        const said = { ...title(ada.inbox, 'Later'), field: 'name' };
        const { changes, results } = await ada.sync(ada.ops([said]), { cursors, stood: { [scope]: lost } });
        assert.deepEqual(results, []);
        return changes.map((change) => [change.scope, change.rollback !== undefined]);
      };
      const nothing = { generation, version: 0 };
      assert.deepEqual(await ask({ [ada.scope]: nothing }, ada.scope), [[ada.scope, true]]);
      const empty = someId();
      await house.database.store.createScope({ id: empty, kind: 'list', owner: ada.account });
      ada.roles.set(empty, 'owner');
      const { version } = await headOf(house, ada.scope);
      const own = { [ada.scope]: { generation, version } };
      assert.deepEqual(await ask({ ...own, [empty]: nothing }, empty), [[empty, true]]);
    });

    test('[SYNC-130] one answer is one moment of all scopes, while a task goes to and fro between two', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const task = await ada.task(ada.inbox);
      const [newcomer, follower] = [someId(), someId()];
      let isOver = false;
      const moving = (async () => {
        for (let times = 0; times < 40; times += 1)
          await ada.act(place(task, times % 2 === 0 ? list : ada.inbox));
      })().finally(() => {
        isOver = true;
      });
      const cursors: Record<Id, { generation: string; version: number }> = {};
      let heard = 0;
      for (let reads = 0; !isOver; reads += 1) {
        // Pushes are committed in turns of the event loop.
        await new Promise((resolve) => void setImmediate(resolve));
        const whole = await ada.sync([], { device: newcomer });
        const holders = whole.changes.filter(({ rows }) => rows.some(({ id }) => id === task));
        assert.equal(holders.length, 1, `read ${reads} finds it in ${holders.length} scopes`);
        const { changes } = await ada.sync([], { device: follower, cursors });
        for (const { scope: id, generation, to } of changes) cursors[id] = { generation, version: to };
        for (const [, to, , , version] of changes.flatMap(({ moved = [] }) => moved)) {
          assert.ok((cursors[to]?.version ?? 0) >= version, 'where it went is in the same answer');
          heard += 1;
        }
      }
      await moving;
      assert.ok(heard > 0);
      assert.ok(scope in cursors);
    });

    test('[SYNC-131] a poll without news over two hundred scopes is one read, and its answer is small', async (t) => {
      const ada = await settled();
      const { store } = house.database;
      for (let more = 0; more < 199; more += 1) {
        const scope = someId();
        await store.createScope({ id: scope, kind: 'list', owner: ada.account });
        ada.roles.set(scope, 'owner');
      }
      const first = await ada.sync([]);
      const cursors = Object.fromEntries(
        first.changes.map(({ scope, generation, to }) => [scope, { generation, version: to }]),
      );
      assert.equal(Object.keys(cursors).length, 200);
      const reading = (['scope', 'scopes', 'changes', 'changesOf', 'leftBy'] as const).map((name) =>
        t.mock.method(store, name),
      );
      const answer = await ada.sync([], { cursors });
      assert.deepEqual(answer.changes, []);
      assert.deepEqual(
        reading.map(({ mock }) => mock.callCount()),
        [0, 1, 0, 0, 0],
      );
      assert.ok(JSON.stringify(answer).length <= 1_024);
      // With news in one of them, that one is read, and all in one snapshot.
      await ada.task(ada.inbox);
      for (const { mock } of reading) mock.resetCalls();
      const news = await ada.sync([], {
        device: someId(),
        cursors: { ...cursors, [ada.scope]: cursors[ada.scope]! },
      });
      assert.deepEqual(
        news.changes.map(({ scope }) => scope),
        [ada.scope],
      );
      assert.ok(reading.reduce((sum, { mock }) => sum + mock.callCount(), 0) <= 3);
    });

    test('[SYNC-98] a server restored to before a list was shared makes its scope anew, with its members and its list', async () => {
      const [ada, bob, eve] = [await settled(), await settled(), await settled()];
      const { db, store } = house.database;
      for (const { account, scope: own } of [ada, bob, eve])
        await db
          .insertInto('account')
          .values({
            id: account,
            email: `p${account}@example.org`,
            password_hash: 'x',
            personal_scope: own,
            created_at: 1,
          })
          .execute();
      const [list, scope, gone] = [someId(), someId(), someId()];
      await ada.act(listIn(ada.scope, list, { listType: 'list', name: 'To be shared' }));
      const task = await ada.task(list);
      const child = await ada.task(task);
      const apart = await ada.task(ada.inbox);
      const before = await headOf(house, ada.scope);
      const held = await rowIn(house, ada.scope, list);
      const ledger = createMemoryLedger();
      await ledger.record([
        { type: 'scope_created', at: 10, scope, owner: ada.account, root: list },
        { type: 'scope_created', at: 10, scope: gone, owner: someAccount(), root: someId() },
        { type: 'moved', at: 20, root: list, from: ada.scope, to: scope, hops: 1 },
        { type: 'membership_joined', at: 30, scope, account: bob.account },
        { type: 'membership_joined', at: 31, scope, account: eve.account },
        { type: 'membership_left', at: 32, scope, account: eve.account },
      ]);
      const replay = async () => {
        const { scopes, memberships, moves } = await replayLedger(house.database, ledger, house.now);
        return [scopes, memberships, moves];
      };
      assert.deepEqual(await replay(), [1, 1, 1]);
      assert.deepEqual(await replay(), [0, 0, 0]);
      assert.deepEqual(new Set(await store.membersOf(scope)), new Set([ada.account, bob.account]));
      assert.equal(await store.scope(gone), null, 'its owner is not there any more');
      assert.deepEqual(new Set((await rowsOf(house, scope)).keys()), new Set([list, task, child]));
      const mount = mountId(ada.scope, list);
      assert.deepEqual(new Set((await rowsOf(house, ada.scope)).keys()), new Set([ada.inbox, apart, mount]));
      // Where the list was.
      assert.deepEqual(placeOf(await rowIn(house, ada.scope, mount)), placeOf(held));
      const [root, beneath] = [await rowIn(house, scope, list), await rowIn(house, scope, child)];
      assert.deepEqual([root.hops, beneath.hops, placeOf(root)?.parent], [1, 1, scope]);
      // A device that takes its rows along with the news of the move knows these from them by the time of change.
      assert.ok(root.updatedAt > held.updatedAt && beneath.updatedAt > root.updatedAt);
      assert.equal(
        Math.max(...[...(await rowsOf(house, scope)).values()].map((row) => row.updatedAt)),
        (await headOf(house, scope)).updatedClock,
      );
      for (const id of [scope, ada.scope]) {
        const head = await headOf(house, id);
        assert.ok(head.healingUntil > house.now);
        assert.equal(head.minSchema, id === scope ? 7 : 6);
      }
      // What devices saw under the same versions, in the generation of before, is not taken for this.
      const { generation } = await headOf(house, ada.scope);
      assert.notEqual(generation, before.generation);
      assert.equal(await store.versionAtEndOf(ada.scope, before.generation), before.version);
      ada.roles.set(scope, 'owner');
      bob.roles.set(scope, 'member');
      const cursors = { [scope]: { generation: 'lost', version: 40 } };
      const [mine, theirs] = [await bob.sync([], { cursors }), await eve.sync([], { cursors })];
      assert.notEqual(mine.changes.find((change) => change.scope === scope)?.rollback, undefined);
      assert.deepEqual([theirs.left, theirs.unknown], [[scope], undefined]);
      // It is moved back by its owner later: that is not taken for lost.
      await ada.act({ a: 'place', id: task, scope, place: { parent: ada.inbox } });
      await ledger.record([{ type: 'moved', at: 40, root: task, from: ada.scope, to: scope, hops: 1 }]);
      assert.deepEqual(await replay(), [0, 0, 0]);
      assert.equal((await rowIn(house, ada.scope, task)).hops, 2);
    });
  });
}
