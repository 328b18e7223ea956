// Operations and rows between several scopes, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { Database } from '#server/data/database.ts';
import type { Store, WriteTransaction } from '#server/data/store.ts';
import { createSearching } from '#api/searching.ts';
import { createExchange } from '#server/sync/exchange.ts';
import { protocolVersion } from '#wire/version.ts';
import { openHouse, type House } from './house.ts';
import { headOf, Member, place, rowIn, rowsOf, title } from './scopes-world.ts';
import { lookUp, someId } from './store-samples.ts';

type Whereabouts = ReadonlyMap<Id, Id>;

/** A store whose transactions hear of whereabouts what `said` makes of them. */
function belated(store: Store, said: (found: Whereabouts) => Whereabouts): Store {
  const around = (tx: WriteTransaction): WriteTransaction => ({
    lockScopes: (ids) => tx.lockScopes(ids),
    devices: (wanted) => tx.devices(wanted),
    results: (device, seqs) => tx.results(device, seqs),
    load: (want) => tx.load(want),
    whereabouts: async (ids) => said(await tx.whereabouts(ids)),
    moves: (places) => tx.moves(places),
    tree: (scope, id, limit) => tx.tree(scope, id, limit),
    living: (ids) => tx.living(ids),
    parentsAmong: (scope, ids) => tx.parentsAmong(scope, ids),
    beneath: (scope, ids, limit) => tx.beneath(scope, ids, limit),
    height: (scope, id) => tx.height(scope, id),
    taken: (scope, places) => tx.taken(scope, places),
    transfers: () => tx.transfers(),
    transfer: (id) => tx.transfer(id),
    endTransfer: (id) => tx.endTransfer(id),
    labelTwins: (account, labels) => tx.labelTwins(account, labels),
    parked: (scope) => tx.parked(scope),
    roleIn: (scope, account) => tx.roleIn(scope, account),
    raiseMinSchema: (scope, version) => tx.raiseMinSchema(scope, version),
    sealing: (scope) => tx.sealing(scope),
    saveSealing: (scope, record) => tx.saveSealing(scope, record),
    rowsSince: (scope, version, limit) => tx.rowsSince(scope, version, limit),
    mergingNotes: (scope) => tx.mergingNotes(scope),
    forgetBefore: (scope) => tx.forgetBefore(scope),
    save: (batch) => tx.save(batch),
  });
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name !== 'write') return target[name].bind(target);
      return (work: Parameters<Store['write']>[0]) => target.write((tx) => work(around(tx)));
    },
  });
}

export function routingContract(name: string, open: () => Promise<Database>): void {
  describe(`Rows between scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();
    test('[SYNC-93] an operation belongs where its row is, whatever scope its device names', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const task = await ada.task(list, {}, scope);
      await ada.act(title(task, 'Named by its own scope', { scope: ada.scope }));
      assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'Named by its own scope');
      const made = [someId(), someId()] as const;
      const child = (id: Id, parent: Id) => ({
        a: 'create',
        id,
        type: 'task',
        fields: {},
        place: { parent },
      });
      await ada.act(child(made[0], task), child(made[1], made[0]), title(made[1], 'Beneath'));
      assert.equal(fieldOf(await rowIn(house, scope, made[1]), 'title'), 'Beneath');
      await rowsOf(house, scope);
      assert.equal((await rowsOf(house, ada.scope)).size, 1);
    });

    test('[SYNC-93] a search of the API finds a row once, in the scope in which it is', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const task = await ada.task(ada.inbox, { title: 'Sought' });
      const clock = { now: () => house.now, monotonic: () => 0 };
      const { store } = house.database;
      const searching = createSearching({ store, clock, nextTurn: (work) => void setImmediate(work) });
      const found = async (scopes: readonly Id[]) =>
        (await searching.find(ada.actor, scopes, 'sought')).rows.map((row) => [row.id, row.scope]);
      for (const scopes of [
        [ada.scope, scope],
        [scope, ada.scope],
      ]) {
        assert.deepEqual(await found(scopes), [[task, ada.scope]]);
        await ada.act(place(task, list));
        assert.deepEqual(await found(scopes), [[task, scope]]);
        assert.deepEqual(await found([ada.scope]), []);
        await ada.act(place(task, ada.inbox, scope));
      }
    });

    test('[SYNC-94] a row in a scope that the author may not read is as good as unknown', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const task = await ada.task(list, {}, scope);
      const [unknown, head] = [someId(), await headOf(house, ada.scope)];
      const hidden = await ada.task(ada.inbox);
      const mine = await bob.task(bob.inbox);
      const tried = (id: Id) => [
        title(id, 'Mine'),
        { ...title(id, 'Mine'), scope },
        { a: 'delete', id },
        { a: 'note', id, seed: someId(), update: 'AAA=', text: 'x' },
        { a: 'complete', id, occ: 0, at: 1, next: null },
        place(id, bob.inbox),
        place(mine, id),
        { a: 'create', id: someId(), type: 'task', fields: {}, place: { parent: id } },
        { a: 'create', id: someId(), type: 'task', scope: ada.scope, fields: {}, place: { parent: id } },
      ];
      assert.deepEqual(await bob.verdicts(...tried(hidden)), await bob.verdicts(...tried(unknown)));
      assert.equal((await headOf(house, ada.scope)).version, head.version + 1);
      // The row was shared when he wrote, and is no longer his to read.
      await ada.act(place(task, ada.inbox));
      assert.deepEqual(await bob.verdicts(title(task, 'Late', { scope })), ['gone']);
      bob.roles.delete(scope);
      assert.deepEqual(await bob.verdicts(title(task, 'Later', { scope })), ['forbidden']);
      assert.deepEqual(await bob.verdicts(title(unknown, 'Never', { scope })), ['forbidden']);
    });

    test('[SYNC-93] who had seen the last state of a row before it moved has seen what arrived, who had not has not', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const other = await ada.share(bob);
      const task = await bob.task(list, { title: 'First' }, scope);
      await ada.act(title(task, 'Second', { scope, b: (await headOf(house, scope)).version }));
      const { version } = await rowIn(house, scope, task);
      // Many versions on, so that the numbers of the one scope would mean something else in the other.
      for (let n = 0; n < 5; n += 1) await ada.task(other.list, {}, other.scope);
      await ada.act(place(task, other.list, scope));
      const late = { scope, t: house.now - 3_600_000 };
      assert.deepEqual(await bob.verdicts(title(task, 'Unseen', { ...late, b: version - 1 })), [
        'superseded',
      ]);
      assert.deepEqual(await bob.verdicts(title(task, 'Invented', { ...late, b: version + 900 })), [
        'superseded',
      ]);
      assert.deepEqual(await bob.verdicts(title(task, 'Seen', { ...late, b: version })), ['ok']);
      // Through two scopes: what was changed on the way was not seen.
      await ada.act(place(task, ada.inbox, other.scope));
      await ada.act(place(task, list, ada.scope));
      assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'Seen');
    });

    test('[SYNC-110] who had seen a row before it moved has seen neither its move nor what was written with it', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const [other, third] = [await ada.share(bob), await ada.share(bob)];
      const task = await bob.task(list, { title: 'First' }, scope);
      const { version } = await rowIn(house, scope, task);
      const x = someId();
      await ada.act({ ...place(task, other.list, scope), x }, title(task, 'Moved and renamed', { scope, x }));
      const earlier = { scope, b: version, t: house.now - 3_600_000 };
      assert.deepEqual(
        await bob.verdicts(
          { ...place(task, third.list), ...earlier },
          title(task, 'Written before', earlier),
          { a: 'set', id: task, field: 'duration', value: 30, ...earlier },
        ),
        ['superseded', 'superseded', 'ok'],
      );
      const there = await rowIn(house, other.scope, task);
      assert.equal(fieldOf(there, 'title'), 'Moved and renamed');
      assert.equal(fieldOf(there, 'place')?.parent, other.list);
    });

    test('[SYNC-93] a device’s later write wins over its earlier one, and an undo finds its own, across a move', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const task = await ada.task(ada.inbox, { title: 'First' });
      await ada.act(title(task, 'Own'));
      const seq = ada.seq;
      await ada.act(place(task, list));
      await ada.act(title(task, 'Own again', { t: house.now - 3_600_000 }));
      assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'Own again');
      assert.deepEqual(await ada.verdicts(title(task, 'Undone', { only: seq })), ['superseded']);
      assert.deepEqual(await ada.verdicts(title(task, 'Undone', { only: ada.seq - 1 })), ['ok']);
    });

    test('[SYNC-93] in one push a row moves, is written, comes back, and goes on', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const other = await ada.share();
      const task = await ada.task(ada.inbox);
      const [child, grandchild] = [someId(), someId()];
      const make = (id: Id, parent: Id) => ({ a: 'create', id, type: 'task', fields: {}, place: { parent } });
      await ada.act(
        make(child, task),
        place(task, list),
        title(child, 'There'),
        make(grandchild, child),
        place(task, ada.inbox),
        title(task, 'Back'),
      );
      assert.deepEqual(
        new Set((await rowsOf(house, ada.scope)).keys()),
        new Set([ada.inbox, task, child, grandchild]),
      );
      assert.deepEqual(new Set((await rowsOf(house, scope)).keys()), new Set([list]));
      assert.equal((await rowIn(house, ada.scope, task)).hops, 2);
      assert.equal(fieldOf(await rowIn(house, ada.scope, child), 'title'), 'There');
      await ada.act(
        place(task, list),
        place(child, other.list),
        title(grandchild, 'Far'),
        place(task, other.list),
      );
      assert.equal((await rowsOf(house, ada.scope)).size, 1);
      assert.equal((await rowsOf(house, scope)).size, 1);
      assert.equal((await rowsOf(house, other.scope)).size, 4);
      assert.deepEqual((await ada.changes(ada.scope, 0))?.moved?.length, 3);
      assert.equal(fieldOf(await rowIn(house, other.scope, grandchild), 'title'), 'Far');
    });

    test('[SYNC-93] operations of one change in two scopes are one version in each', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const tasks = [
        await ada.task(list, {}, scope),
        await ada.task(list, {}, scope),
        await ada.task(ada.inbox),
      ];
      const before = [await headOf(house, scope), await headOf(house, ada.scope)];
      const x = someId();
      await ada.act(
        title(tasks[0]!, 'One', { x }),
        title(tasks[2]!, 'Two', { x }),
        title(tasks[1]!, 'Three', { x }),
        { ...place(tasks[2]!, list), x },
      );
      const after = [await headOf(house, scope), await headOf(house, ada.scope)];
      assert.deepEqual(
        after.map(({ version }, at) => version - before[at]!.version),
        [1, 1],
      );
      await rowsOf(house, scope);
    });

    test('[SYNC-93] a row that moves while an operation waits for its lock is found where it is then', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const other = await ada.share();
      const [task, child] = [await ada.task(list, {}, scope), someId()];
      const late = { ...ada.actor, session: someId() };
      const { store } = house.database;
      let asked = 0;
      // What it reads before it locks is what was true a moment ago.
      const exchange = createExchange({
        store: belated(store, (found) => {
          asked += 1;
          return new Map([...found].map(([id, at]) => [id, id === task || id === list ? scope : at]));
        }),
        clock: { now: () => house.now, monotonic: () => 0 },
        generations: [{ index: 1, nonce: house.generation }],
        publish: () => undefined,
        nextTurn: (work) => setImmediate(work),
      });
      await ada.act(place(task, other.list, scope));
      const make = { a: 'create', id: child, type: 'task', fields: {}, place: { parent: task } };
      const ops = ada.ops([
        title(task, 'Found', { scope }),
        { ...make, scope },
        place(task, ada.inbox, scope),
      ]);
      const head = { schema: protocolVersion, device: ada.device, clientNow: house.now, ack: 0, cursors: {} };
      const answer = await exchange.sync(late, { ...head, ops });
      assert.deepEqual(answer.ok && answer.value.results.map(([, verdict]) => verdict), ['ok', 'ok', 'ok']);
      assert.equal(asked, 2, 'it ran again, with the lock that it lacked');
      assert.deepEqual(new Set((await rowsOf(house, ada.scope)).keys()), new Set([ada.inbox, task, child]));
      assert.equal(fieldOf(await rowIn(house, ada.scope, task), 'title'), 'Found');
    });

    test('[SYNC-94] a move needs the right to write in both scopes', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { list } = await ada.share();
      const task = await bob.task(bob.inbox);
      assert.deepEqual(await bob.verdicts(place(task, list)), ['badparent']);
      assert.equal((await lookUp(house.database.store, bob.scope, task))?.type, 'row');
    });

    test('[SYNC-96] who may not read the new scope, or speaks an earlier protocol, hears that the row is gone', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const task = await ada.task(list, {}, scope);
      const { version } = await headOf(house, scope);
      const published = house.published.length;
      await ada.act(place(task, ada.inbox, scope));
      const heard = await bob.changes(scope, version);
      assert.deepEqual([heard?.gone, heard?.moved], [[task], undefined]);
      assert.deepEqual((await ada.changes(scope, version))?.moved?.[0]?.slice(0, 3), [task, ada.scope, 1]);
      const live = house.published.slice(published).find((change) => change.scope === scope);
      assert.equal(live?.changes.moved?.length, 1);
      assert.equal(live?.changes.digest, (await headOf(house, scope)).digest);
    });
  });
}
