// Operations and rows between several scopes, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Database } from '#server/data/database.ts';
import type { Store, WriteTransaction } from '#server/data/store.ts';
import { createExchange } from '#server/sync/exchange.ts';
import { protocolVersion } from '#wire/version.ts';
import { createPace } from '#server/care/pace.ts';
import { forgetTombstones } from '#server/care/pruning.ts';
import { createFileLedger } from '#server/files/ledger.ts';
import { DAY, openHouse, type House } from './house.ts';
import { headOf, listIn, Member, rowIn, rowsOf } from './scopes-world.ts';
import { emptyBatch, lookUp, someId } from './store-samples.ts';

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
    parked: (scope) => tx.parked(scope),
    raiseMinSchema: (scope, version) => tx.raiseMinSchema(scope, version),
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
    const place = (id: Id, parent: Id, scope?: Id) => ({
      a: 'place',
      id,
      place: { parent },
      ...(scope === undefined ? {} : { scope }),
    });
    const title = (id: Id, value: string, more: Record<string, unknown> = {}) => ({
      a: 'set',
      id,
      field: 'title',
      value,
      ...more,
    });

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

    test('[SYNC-90] [SYNC-95] a row takes everything beneath it along, each at the new scope’s version', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const root = await ada.task(ada.inbox, { title: 'Root' });
      const child = await ada.task(root, { title: 'Child' });
      const file = someId();
      const fields = { name: 'a.txt', hash: 'a'.repeat(64), sizeBytes: 1 };
      await ada.act(
        { a: 'create', id: file, type: 'attachment', fields, place: { parent: child } },
        title(child, 'Renamed'),
      );
      const [was, stood] = [await rowIn(house, ada.scope, child), await headOf(house, scope)];
      const left = (await headOf(house, ada.scope)).version;
      await ada.act(place(root, list));
      const [there, top] = [await rowIn(house, scope, child), await rowIn(house, scope, root)];
      assert.deepEqual([there.version, top.version], [stood.version + 1, stood.version + 1]);
      assert.deepEqual([there.hops, top.hops], [1, 1]);
      assert.deepEqual(there.stamps?.['title']?.slice(1), was.stamps?.['title']?.slice(1));
      assert.equal(there.stamps?.['title']?.[0], there.version);
      assert.equal(placeOf(top)?.parent, list);
      assert.deepEqual(new Set((await rowsOf(house, scope)).keys()), new Set([list, root, child, file]));
      assert.deepEqual(new Set((await rowsOf(house, ada.scope)).keys()), new Set([ada.inbox]));
      const heard = await ada.changes(ada.scope, left);
      assert.deepEqual(heard?.gone, []);
      const moves = new Map(
        heard?.moved?.map(([id, to, hops, held, version]) => [id, [to, hops, held, version]]),
      );
      assert.deepEqual(moves.get(child), [scope, 1, was.version, there.version]);
      assert.equal(moves.get(root)?.[3], top.version);
      assert.equal(moves.size, 3);
      assert.equal((await ada.changes(scope, 0))?.rows.find(({ id }) => id === child)?.h, 1);
      assert.equal((await house.database.store.scope(scope))?.minSchema, 6);
    });

    test('[SYNC-91] the history of both scopes says that it moved, and the old one not where to', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const root = await ada.task(ada.inbox);
      const child = await ada.task(root);
      const { store } = house.database;
      const earlier = await store.history(ada.scope, { id: child, limit: 9 });
      await ada.act(place(root, list));
      const [entry, ...rest] = await store.history(ada.scope, { id: child, limit: 9 });
      assert.deepEqual(rest, earlier);
      assert.equal(entry?.operation.a, 'moved');
      assert.equal(JSON.stringify(entry).includes(scope) || JSON.stringify(entry).includes(list), false);
      assert.deepEqual(Object.keys(entry?.before.find(({ id }) => id === root)?.fields ?? {}), ['place']);
      const [there] = await store.history(scope, { id: child, limit: 9 });
      assert.equal(there?.operation.a, 'place');
      assert.equal(JSON.stringify(there).includes(ada.inbox), false);
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

    test('[SYNC-95] a move that cannot be changes nothing', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const other = await ada.share();
      const task = await ada.task(ada.inbox);
      const second = someId();
      await ada.act(listIn(ada.scope, second, { listType: 'list' }));
      const heads = [await headOf(house, ada.scope), await headOf(house, scope)];
      assert.deepEqual(
        await ada.verdicts(
          place(second, scope),
          place(task, scope),
          { ...place(task, list), only: 1 },
          place(list, other.scope, scope),
        ),
        ['badparent', 'badparent', 'superseded', 'badparent'],
      );
      // The only list is in the trash, and a shared scope has no Inbox.
      await ada.act({ a: 'delete', id: other.list, scope: other.scope });
      assert.deepEqual(await ada.verdicts(place(task, other.list)), ['badparent']);
      assert.deepEqual([await headOf(house, ada.scope), await headOf(house, scope)], heads);
      assert.equal((await lookUp(house.database.store, ada.scope, task))?.type, 'row');
    });

    test('[SYNC-95] a subtree that would hang deeper than may be is refused as a whole, one that just fits moves', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const chain = async (parent: Id, within: Id, length: number) => {
        const ids = Array.from({ length }, someId);
        const said = ids.map((id, at) => ({
          a: 'create',
          scope: within,
          id,
          type: 'task',
          fields: {},
          place: { parent: ids[at - 1] ?? parent },
        }));
        for (let from = 0; from < length; from += 500) await ada.act(...said.slice(from, from + 500));
        return ids;
      };
      const deep = await chain(list, scope, limits.depth - 39);
      const moving = await chain(ada.inbox, ada.scope, 40);
      const stood = await headOf(house, scope);
      assert.deepEqual(await ada.verdicts(place(moving[0]!, deep.at(-1)!)), ['limit']);
      assert.deepEqual(await headOf(house, scope), stood);
      assert.equal((await rowsOf(house, ada.scope)).size, 41);
      assert.deepEqual(await ada.verdicts(place(moving[0]!, deep.at(-2)!)), ['ok']);
      assert.equal((await rowsOf(house, ada.scope)).size, 1);
    });

    test('[SYNC-95] up to a thousand rows move at once, and more are refused', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const root = await ada.task(ada.inbox);
      const make = async (count: number) => {
        const child = () => ({
          a: 'create',
          id: someId(),
          type: 'task',
          fields: {},
          place: { parent: root },
        });
        await ada.act(...Array.from({ length: count }, child));
      };
      await make(500);
      await make(500);
      const heads = [await headOf(house, ada.scope), await headOf(house, scope)];
      assert.deepEqual(await ada.verdicts(place(root, list)), ['limit']);
      assert.deepEqual([await headOf(house, ada.scope), await headOf(house, scope)], heads);
      const [, one] = [...(await rowsOf(house, ada.scope)).values()].filter(
        (row) => placeOf(row)?.parent === root,
      );
      await ada.act(place(one!.id, ada.inbox));
      await ada.act(place(root, list));
      assert.equal((await rowsOf(house, scope)).size, 1_001);
      assert.equal((await rowsOf(house, ada.scope)).size, 2);
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

    test('[SYNC-92] records of completions and edits of a note go with their task, also in the push that moves it', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const repeat = {
        value: 1,
        unit: 'days',
        metadata: null,
        from: 'due date',
        missed: 'every',
        anchorDay: null,
      };
      const fields = { repeat, due: { on: '2026-01-01' }, notes: 'one two' };
      const task = await ada.task(ada.inbox, fields);
      const next = { due: { on: '2026-01-02' }, start: null };
      await ada.act({ a: 'complete', id: task, occ: 0, at: 1, next });
      const typing = new NoteSession(() => 7_000);
      typing.load('one two', undefined);
      const first = { a: 'note', id: task, ...typing.change('one two three', true) };
      const second = { a: 'note', id: task, ...typing.change('one two three four', true) };
      await ada.act(first, { a: 'complete', id: task, occ: 1, at: 2, next }, place(task, list), second);
      const rows = await rowsOf(house, scope);
      assert.equal(fieldOf(rows.get(task), 'notes'), 'one two three four');
      assert.equal([...rows.values()].filter(({ type }) => type === 'completion').length, 2);
      assert.equal((await rowsOf(house, ada.scope)).size, 1);
      // An edit that began before the text was replaced still finds what it began with.
      const late = new NoteSession(() => 8_000);
      late.load('one two', undefined);
      const edit = { a: 'note', id: task, ...late.change('zero one two', true) };
      await ada.act(
        { a: 'set', id: task, field: 'notes', value: 'Anew', scope },
        place(task, ada.inbox, scope),
      );
      const epochs = await house.database.db
        .selectFrom('note_epoch')
        .selectAll()
        .where('note', '=', task)
        .execute();
      assert.deepEqual(new Set(epochs.map((epoch) => epoch.scope)), new Set([ada.scope]));
      await ada.act(edit);
      assert.match(String(fieldOf(await rowIn(house, ada.scope, task), 'notes')), /zero/);
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

    test('[SYNC-92] content that is still on its way to the old scope reaches the file in the new one', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const third = await ada.share();
      const task = await ada.task(ada.inbox);
      const [early, late] = ['c', 'd'].map((digit) => digit.repeat(64)) as [string, string];
      const files = createFileLedger(house.database.db, { now: () => house.now, monotonic: () => 0 });
      const attached = (hash: string) => ({
        a: 'create',
        id: someId(),
        type: 'attachment',
        fields: { name: 'a', hash, sizeBytes: 1 },
        place: { parent: task },
      });
      await files.add({ scope: ada.scope, hash: early, bytes: 1 }, 9);
      await ada.act(attached(early), attached(late), place(task, list));
      assert.deepEqual([await files.holds(scope, early), await files.holds(scope, late)], [true, false]);
      await ada.act(place(task, third.list, scope));
      await files.add({ scope: ada.scope, hash: late, bytes: 1 }, 9);
      await files.add({ scope: ada.scope, hash: 'e'.repeat(64), bytes: 1 }, 9);
      assert.deepEqual(
        [
          await files.holds(scope, late),
          await files.holds(third.scope, early),
          await files.holds(third.scope, late),
        ],
        [false, true, true],
      );
      assert.equal(await files.holds(third.scope, 'e'.repeat(64)), false);
    });

    test('[SYNC-91] [SYNC-93] where a row went is known as long as its history, for half a year after all have heard', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const [task, purged] = [await ada.task(ada.inbox, { title: 'First' }), await ada.task(ada.inbox)];
      const { version } = await rowIn(house, ada.scope, task);
      await ada.act(place(task, list));
      const { store, db } = house.database;
      const head = await headOf(house, ada.scope);
      await store.write(async (tx) => {
        await tx.lockScopes([ada.scope]);
        const tombstone = { scope: ada.scope, id: purged, version: head.version + 1, at: house.now };
        await tx.save({
          ...emptyBatch,
          scopes: [{ ...head, version: head.version + 1 }],
          tombstones: [tombstone],
        });
      });
      const kept = async () =>
        (await db.selectFrom('tombstone').select('id').where('scope', '=', ada.scope).execute()).map(
          ({ id }) => id,
        );
      house.now += 200 * DAY;
      await forgetTombstones({ db, now: house.now, pace: createPace((work) => void setImmediate(work)) });
      assert.deepEqual(await kept(), [task]);
      assert.equal((await headOf(house, ada.scope)).horizon, head.version + 1);
      // An operation of before is still routed, and known to have seen what moved.
      const seen = title(task, 'Late', { b: version + 1, t: house.now - 300 * DAY });
      assert.deepEqual(await ada.verdicts({ ...seen, b: version }), ['ok']);
      house.now += 201 * DAY;
      await forgetTombstones({ db, now: house.now, pace: createPace((work) => void setImmediate(work)) });
      assert.deepEqual(await kept(), []);
      assert.deepEqual(await ada.verdicts(title(task, 'By the directory')), ['ok']);
      assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'By the directory');
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
