// Trees that are too large to move to another scope at once, on every engine: the root moves, the rest follows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Database } from '#server/data/database.ts';
import { openHouse, type House } from './house.ts';
import { grow, Killed, moverOf, settledRows } from './large-moves-world.ts';
import { headOf, heal, Member, place, rowIn, rowsOf, title, type Said } from './scopes-world.ts';
import { someId } from './store-samples.ts';

const MOST = 20;
const repeat = { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'every', anchorDay: null };

export function largeMovesContract(name: string, open: () => Promise<Database>): void {
  describe(`Moves of large trees on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open, { mostMoved: MOST });
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();
    const transfers = () => house.database.store.transfers();
    const create = (id: Id, parent: Id, fields: Record<string, unknown> = {}, scope?: Id) => ({
      a: 'create',
      id,
      type: 'task',
      fields,
      place: { parent },
      ...(scope === undefined ? {} : { scope }),
    });

    test('[SYNC-140] the root of a larger tree moves with its operation, and the rest follows, parents first', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 90 });
      const root = ids[0]!;
      await ada.act(place(root, list));
      assert.deepEqual([(await rowsOf(house, scope)).size, (await rowsOf(house, ada.scope)).size], [2, 90]);
      const [job] = await transfers();
      const ends = { from: ada.scope, root, author: ada.account };
      assert.deepEqual({ ...job, ...ends }, job);
      const versions: number[] = [];
      const isThere = async (id: Id) => (await rowsOf(house, scope)).has(id);
      await moverOf(house, {
        between: async () => {
          versions.push((await headOf(house, scope)).version);
          for (const [at, id] of ids.entries())
            if (at > 0 && (await isThere(id))) assert.ok(await isThere(ids[Math.floor((at - 1) / 4)]!));
        },
      }).run();
      assert.equal(versions.length, 9);
      const all = await settledRows(house, [ada.scope, scope]);
      assert.equal(all.size, 92);
      for (const id of ids) assert.deepEqual([all.get(id)?.scope, all.get(id)?.hops], [scope, 1]);
      const [there, here] = [await ada.changes(scope, 0), await ada.changes(ada.scope, 0)];
      assert.equal(there?.rows.length, 91);
      assert.equal(here?.moved?.length, 90);
    });

    test('[SYNC-140] a tree of just as many rows as may moves at once', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const [root = someId()] = await grow(ada, ada.inbox, { count: MOST });
      await ada.act(place(root, list));
      assert.equal((await settledRows(house, [ada.scope, scope])).size, MOST + 2);
    });

    test('[SYNC-140] [SYNC-95] a larger tree that would hang too deep is refused', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const deep = await grow(ada, list, { count: 990, wide: 1, scope });
      const [root = someId()] = await grow(ada, ada.inbox, { count: 30, wide: 1 });
      assert.deepEqual(await ada.verdicts(place(root, deep.at(-1)!)), ['limit']);
      assert.equal((await rowsOf(house, ada.scope)).size, 31);
      assert.deepEqual(await transfers(), []);
    });

    test('[SYNC-92] [SYNC-140] files, notes that are edited and the records of completions follow with their tasks', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 40 });
      const [root = someId(), last = someId()] = [ids[0], ids.at(-1)];
      const hash = 'c'.repeat(64);
      const file = someId();
      const blob = { scope: ada.scope, hash, bytes: 1, created_at: 1 };
      await house.database.db.insertInto('blob').values(blob).execute();
      const daily = [someId(), someId()] as const;
      const fields = { name: 'a.txt', hash, sizeBytes: 1 };
      await ada.act(
        { a: 'create', id: file, type: 'attachment', fields, place: { parent: last } },
        ...daily.map((id) => create(id, last, { repeat, due: { on: '2026-01-01' } })),
      );
      const next = { due: { on: '2026-01-02' }, start: null };
      await ada.act({ a: 'complete', id: daily[0], occ: 0, at: 1, next });
      await ada.act(place(root, list));
      // Between two steps, where the task still is.
      const between = (step: number) =>
        step === 2 ? ada.act({ a: 'complete', id: daily[1], occ: 0, at: 1, next }) : undefined;
      await moverOf(house, { between }).run();
      const all = await settledRows(house, [ada.scope, scope]);
      assert.equal([...all.values()].filter(({ type }) => type === 'completion').length, 2);
      assert.equal(all.get(file)?.scope, scope);
      const held = await house.database.db
        .selectFrom('blob')
        .select('scope')
        .where('hash', '=', hash)
        .where('scope', '=', scope)
        .execute();
      assert.equal(held.length, 1);
    });

    test('[SYNC-143] what comes back in the middle takes along what had not left yet, when it moves on in the same request', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 28, wide: 40 });
      const [root = someId(), last = someId()] = [ids[0], ids.at(-1)];
      const [holder, daily] = [someId(), someId()];
      await ada.act(create(holder, ada.inbox), create(daily, last, { repeat, due: { on: '2026-01-01' } }));
      const next = { due: { on: '2026-01-02' }, start: null };
      await ada.act({ a: 'complete', id: daily, occ: 0, at: 1, next });
      await ada.act(place(root, list));
      // By then most are there, and no more are left than move at once.
      const between = (step: number) =>
        step === 3 ? ada.act(place(root, holder), place(holder, list)) : undefined;
      await moverOf(house, { between }).run();
      const all = await settledRows(house, [ada.scope, scope]);
      for (const id of [...ids, holder, daily]) assert.equal(all.get(id)?.scope, scope);
      const records = [...all.values()].filter(({ type }) => type === 'completion');
      assert.deepEqual(
        records.map((row) => row.scope),
        [scope],
      );
      assert.deepEqual(await transfers(), []);
    });

    test('[SYNC-91] [SYNC-140] the histories of both scopes say of each row that it moved', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 40 });
      await ada.act(place(ids[0]!, list));
      await moverOf(house).run();
      const { store } = house.database;
      for (const id of ids.slice(1)) {
        const [left] = await store.history(ada.scope, { id, limit: 1 });
        const [came] = await store.history(scope, { id, limit: 1 });
        assert.deepEqual([left?.operation.a, came?.operation.a], ['moved', 'moved']);
        assert.deepEqual([left?.account, came?.account], [ada.account, ada.account]);
        assert.equal(JSON.stringify(left).includes(scope), false);
        assert.equal(JSON.stringify(came).includes(ada.scope), false);
      }
    });

    test('[SYNC-141] a process that ends anywhere leaves a move that the next one finishes', async () => {
      for (const at of [1, 2, 5, 9]) {
        const ada = await settled();
        const { scope, list } = await ada.share();
        const ids = await grow(ada, ada.inbox, { count: 90 });
        await ada.act(place(ids[0]!, list));
        const id = someId();
        const killed = moverOf(house, {
          id,
          between: (step) => {
            if (step === at) throw new Killed();
          },
        });
        await assert.rejects(killed.run(), Killed);
        assert.equal((await transfers()).length, 1);
        house.now += 60_000;
        await moverOf(house).run();
        const all = await settledRows(house, [ada.scope, scope]);
        for (const each of ids) assert.deepEqual([all.get(each)?.scope, all.get(each)?.hops], [scope, 1]);
      }
    });

    test('[SYNC-142] of several processes one carries a move out, and another one when no more is heard of it', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 90 });
      await ada.act(place(ids[0]!, list));
      let others = 0;
      const other = moverOf(house, { between: () => void (others += 1) });
      const first = moverOf(house, {
        between: async (step) => {
          if (step === 5) throw new Killed();
          // What another one tries in between it is told to leave alone.
          if (step > 1) await other.run();
        },
      });
      await assert.rejects(first.run(), Killed);
      assert.equal((await transfers()).length, 1);
      assert.equal(others, 3);
      const count = (await rowsOf(house, scope)).size;
      await other.run();
      assert.equal((await rowsOf(house, scope)).size, count);
      house.now += 60_000;
      await other.run();
      assert.equal((await settledRows(house, [ada.scope, scope])).size, 92);
    });

    test('[SYNC-143] what is made, moved in, out and about, deleted and restored meanwhile ends where its parent is', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const ids = await grow(ada, ada.inbox, { count: 90 });
      const [root = someId()] = ids;
      const outside = await grow(ada, ada.inbox, { count: 5 });
      await ada.act(place(root, list));
      const made = Array.from({ length: 8 }, someId);
      const between = async (step: number) => {
        const late = ids.at(-step)!;
        const early = ids[step]!;
        await ada.act(
          create(made[step - 1] ?? someId(), step % 2 === 0 ? late : early),
          title(late, `Late ${step}`),
          title(early, `Early ${step}`),
        );
        if (step === 2) await ada.act(place(outside[0]!, ids[85]!));
        if (step === 3) await ada.act(place(ids[4]!, ada.inbox), place(ids[60]!, ada.inbox));
        if (step === 4) await ada.act({ a: 'delete', id: ids[70]! }, { a: 'delete', id: ids[2]! });
        if (step === 5) await ada.act({ a: 'restore', id: ids[70]! });
        if (step === 6) await bob.act(create(someId(), ids[3]!, { title: 'Bob’s' }, scope));
      };
      await moverOf(house, { between }).run();
      const all = await settledRows(house, [ada.scope, bob.scope, scope]);
      for (const id of [...ids, ...outside, ...made]) assert.ok(all.has(id));
      assert.equal(all.get(ids[60]!)?.scope, ada.scope);
      assert.equal(all.get(ids[4]!)?.scope, ada.scope);
      assert.equal(all.get(outside[0]!)?.scope, scope);
      assert.equal(fieldOf(all.get(ids.at(-3)!)!, 'title'), 'Late 3');
      assert.ok(fieldOf(all.get(ids[2]!)!, 'del'));
      assert.equal(fieldOf(all.get(ids[70]!)!, 'del'), undefined);
    });

    test('[SYNC-143] ten thousand rows move while another device has changed them offline: nothing is lost or doubled', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 10_000, wide: 10 });
      const [outside = someId()] = await grow(ada, ada.inbox, { count: 30 });
      const b = (await headOf(house, ada.scope)).version;
      const made = Array.from({ length: 300 }, someId);
      // Every tenth row of a part of the tree, in the words of a device that has seen it where it was.
      const offline = made.map((id, at): Said => {
        const row = ids[2_000 + at * 20] ?? id;
        const said = [
          title(row, `Offline ${at}`),
          { a: 'complete', id: row, occ: 0, at: 1, next: null },
          create(id, row, { title: `Made ${at}` }),
          { a: 'delete', id: row },
          at === 4 ? place(outside, row) : title(row, `Offline ${at}`),
          at % 60 === 5 ? place(row, ada.inbox) : title(row, `Offline ${at}`),
        ][at % 6];
        return { ...said, scope: ada.scope, b, t: house.now };
      });
      const phone = [ada.device, ada.seq] as const;
      [ada.device, ada.seq] = [someId(), 0];
      const ops = ada.ops(offline);
      const tablet = [ada.device, ada.seq] as const;
      [ada.device, ada.seq] = phone;
      await ada.act(place(ids[0]!, list));
      const verdicts: unknown[] = [];
      const between = async (step: number) => {
        if (step % 20 !== 10 || verdicts.length === ops.length) return;
        [ada.device, ada.seq] = tablet;
        const some = ops.slice(verdicts.length, verdicts.length + 100);
        verdicts.push(...(await ada.sync(some)).results.map(([, verdict]) => verdict));
      };
      await moverOf(house, { rows: 100, between }).run();
      assert.deepEqual(new Set(verdicts), new Set(['ok']));
      assert.equal(verdicts.length, ops.length);
      const all = await settledRows(house, [ada.scope, scope]);
      assert.equal(all.size, 10_000 + 30 + made.filter((_, at) => at % 6 === 2).length + 2);
      for (const [at, id] of made.entries()) {
        const row = all.get(ids[2_000 + at * 20]!);
        assert.ok(row);
        if (at % 6 === 0) assert.equal(fieldOf(row, 'title'), `Offline ${at}`);
        if (at % 6 === 1) assert.ok(fieldOf(row, 'status'));
        if (at % 6 === 2) assert.equal(placeOf(all.get(id)!)?.parent, row.id);
        if (at % 6 === 3) assert.ok(fieldOf(row, 'del'));
      }
      const isOut = (row: Row): boolean => placeOf(row)?.parent === ada.inbox;
      const out = [...all.values()].filter(isOut);
      assert.deepEqual(new Set(out.map((row) => row.scope)), new Set([ada.scope]));
      assert.equal(out.length, 5);
    });

    test('[SYNC-143] a root that moves on, or back, while its tree is on its way has all of it in the end', async () => {
      for (const goesBack of [true, false]) {
        const ada = await settled();
        const [first, second] = [await ada.share(), await ada.share()];
        const ids = await grow(ada, ada.inbox, { count: 90 });
        const [root = someId()] = ids;
        await ada.act(place(root, first.list));
        const target = goesBack ? ada.inbox : second.list;
        const between = (step: number) =>
          step === 4 ? ada.act(place(root, target, first.scope)) : undefined;
        await moverOf(house, { between }).run();
        const all = await settledRows(house, [ada.scope, first.scope, second.scope]);
        for (const id of ids) assert.equal(all.get(id)?.scope, goesBack ? ada.scope : second.scope);
      }
    });

    test('[SYNC-143] an undo takes the whole tree back, also while it is on its way', async () => {
      for (const at of [3, 99]) {
        const ada = await settled();
        const { scope, list } = await ada.share();
        const ids = await grow(ada, ada.inbox, { count: 90 });
        const [root = someId()] = ids;
        await ada.act(place(root, list));
        const undo = { ...place(root, ada.inbox, scope), only: ada.seq };
        const between = (step: number) => (step === at ? ada.act(undo) : undefined);
        await moverOf(house, { between }).run();
        if (at === 99) {
          await ada.act(undo);
          await moverOf(house).run();
        }
        const all = await settledRows(house, [ada.scope, scope]);
        for (const id of ids) assert.equal(all.get(id)?.scope, ada.scope);
      }
    });

    test('[SYNC-144] nothing is put beneath itself through a part of the tree that is on its way', async () => {
      const ada = await settled();
      const [first, second] = [await ada.share(), await ada.share()];
      const ids = await grow(ada, ada.inbox, { count: 90 });
      const [root = someId()] = ids;
      const above = await ada.task(first.list, {}, first.scope);
      await ada.act(place(root, above));
      const late = ids.at(-1)!;
      assert.deepEqual(await ada.verdicts(place(root, late, first.scope), place(above, late, first.scope)), [
        'cycle',
        'cycle',
      ]);
      await ada.act(place(root, second.list, first.scope));
      assert.deepEqual(await ada.verdicts(place(root, late, second.scope)), ['cycle']);
      await moverOf(house).run();
      await settledRows(house, [ada.scope, first.scope, second.scope]);
    });

    test('[SYNC-144] what is put beneath a part whose root is in the trash goes where it is seen', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 90 });
      await ada.act(place(ids[0]!, list), { a: 'delete', id: ids[0]! });
      const made = await ada.task(ids.at(-1)!);
      assert.equal(placeOf(await rowIn(house, ada.scope, made))?.parent, ada.inbox);
      await moverOf(house).run();
      await settledRows(house, [ada.scope, scope]);
    });

    test('[SYNC-144] what is made beneath the root meanwhile keeps a key of its own, before and after the others arrive', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 60, wide: 100 });
      const [root = someId()] = ids;
      await ada.act(place(root, list));
      const made = [someId(), someId(), someId()];
      for (const id of made) await ada.act({ ...create(id, root), place: { parent: root, at: 'start' } });
      const between = (step: number) =>
        // What has arrived goes back among what has not.
        step === 3 ? ada.act(place(root, ada.inbox, scope)) : undefined;
      await moverOf(house, { between }).run();
      const all = await settledRows(house, [ada.scope, scope]);
      for (const id of [...ids, ...made]) assert.equal(all.get(id)?.scope, ada.scope);
    });

    test('[SYNC-145] it goes on when its author may no longer write in one of the scopes', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const ids = await grow(bob, bob.inbox, { count: 60 });
      await bob.act(place(ids[0]!, list));
      const between = (step: number) => void (step === 2 && bob.roles.delete(scope));
      await moverOf(house, { between }).run();
      const all = await settledRows(house, [ada.scope, bob.scope, scope]);
      for (const id of ids) assert.equal(all.get(id)?.scope, scope);
    });

    test('[SYNC-90] [SYNC-140] what follows the root has a later time of change than it had', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 40 });
      const last = ids.at(-1)!;
      await ada.act(title(last, 'Written just now'));
      const { updatedAt } = await rowIn(house, ada.scope, last);
      // The clock of the server is put right.
      house.now -= 600_000;
      await ada.act(place(ids[0]!, list));
      await moverOf(house).run();
      house.now += 600_000;
      assert.ok((await rowIn(house, scope, last)).updatedAt > updatedAt);
    });

    test('[SYNC-137] what waits for something lost and names a row that follows its root goes along', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 40 });
      const [last, lost] = [ids.at(-1)!, someId()];
      for (const id of [scope, ada.scope]) await heal(house, id);
      assert.deepEqual(await ada.verdicts(place(last, lost)), ['parked']);
      await ada.act(place(ids[0]!, list));
      await moverOf(house).run();
      const waiting = (id: Id) => house.database.store.write((tx) => tx.parked(id));
      assert.deepEqual(await waiting(ada.scope), []);
      const there = await waiting(scope);
      assert.deepEqual(
        there.map(({ target, operation }) => [target, operation.id, operation.scope]),
        [[lost, last, scope]],
      );
    });

    test('[SYNC-146] the trash keeps what has something on its way beneath it', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const ids = await grow(ada, ada.inbox, { count: 60 });
      await ada.act(place(ids[0]!, list), { a: 'delete', id: ids[0]!, scope });
      const trashedBefore = house.now + 1;
      assert.deepEqual(await house.exchange.purge({ scope, ids: ids.slice(0, 1), trashedBefore }), []);
      await moverOf(house).run();
      assert.equal((await house.exchange.purge({ scope, ids, trashedBefore })).length, 60);
      await settledRows(house, [ada.scope, scope]);
    });
  });
}
