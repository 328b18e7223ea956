// What moves with a row from one scope to another, on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { completionId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { fieldOf, withRegister } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Database } from '#server/data/database.ts';
import { createPace } from '#server/care/pace.ts';
import { forgetTombstones } from '#server/care/pruning.ts';
import { addMember } from '#server/data/members.ts';
import { createFileLedger } from '#server/files/ledger.ts';
import { DAY, openHouse, type House } from './house.ts';
import { headOf, heal, listIn, Member, place, rowIn, rowsOf, title } from './scopes-world.ts';
import { emptyBatch, lookUp, someId } from './store-samples.ts';

export function movingContract(name: string, open: () => Promise<Database>): void {
  describe(`Moves between scopes on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settled = () => new Member(house).settle();
    /** The scope takes what devices bring back. */
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
      assert.equal(there.stamps?.['title']?.[0], there.version - 1);
      assert.equal(top.stamps?.['place']?.[0], top.version);
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
        ['badparent', 'badparent', 'superseded', 'forbidden'],
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

    test('[SYNC-95] up to two hundred rows move at once', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const root = await ada.task(ada.inbox);
      const child = () => ({ a: 'create', id: someId(), type: 'task', fields: {}, place: { parent: root } });
      await ada.act(...Array.from({ length: 199 }, child));
      const { version } = await headOf(house, scope);
      await ada.act(place(root, list));
      assert.deepEqual([(await rowsOf(house, scope)).size, (await rowsOf(house, ada.scope)).size], [201, 1]);
      assert.equal((await headOf(house, scope)).version, version + 1);
      assert.deepEqual(await house.database.store.transfers(), []);
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

    test('[SYNC-90] a row that moves at the moment of its last change has a later time of change', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const task = await ada.task(ada.inbox);
      const { updatedAt } = await rowIn(house, ada.scope, task);
      house.now -= 60_000;
      await ada.act(place(task, list));
      assert.ok((await rowIn(house, scope, task)).updatedAt > updatedAt);
    });

    test('[SYNC-90] a record that moved and was taken back keeps its hops when its occurrence is completed again', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const repeat = { value: 1, unit: 'days', metadata: null, from: 'due date', missed: 'every' };
      const [first, second] = [{ on: '2026-01-01' }, { on: '2026-01-02' }];
      const task = await ada.task(ada.inbox, { repeat: { ...repeat, anchorDay: null }, due: first });
      const done = { a: 'complete', id: task, occ: 0, at: 1, next: { due: second, start: null } };
      await ada.act(done, place(task, list));
      await ada.act({ a: 'reopen', id: task, occ: 0, previous: { due: first, start: null } }, done);
      const record = [...(await rowsOf(house, scope)).values()].find(({ type }) => type === 'completion');
      assert.deepEqual([record?.hops, fieldOf(record, 'del')], [1, undefined]);
    });

    test('[SYNC-92] content that is still on its way to the old scope reaches the file in the new one', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const third = await ada.share();
      const task = await ada.task(ada.inbox);
      const [early, late] = ['c', 'd'].map((digit) => digit.repeat(64)) as [string, string];
      const files = createFileLedger(house.database, { now: () => house.now, monotonic: () => 0 });
      const attached = (hash: string) => ({
        a: 'create',
        id: someId(),
        type: 'attachment',
        fields: { name: 'a', hash, sizeBytes: 1 },
        place: { parent: task },
      });
      await files.add({ scope: ada.scope, hash: early, bytes: 1 }, 9);
      const blobs = house.database.db.selectFrom('blob').select(['hash', 'created_at']);
      const began = house.now + 1;
      await ada.act(attached(early), attached(late), place(task, list));
      // As young as the move: who looks for content that nothing names may have looked for names before it.
      const [copy] = await blobs.where('scope', '=', scope).execute();
      assert.ok(copy?.hash === early && Number(copy.created_at) >= began);
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

    test('[SHARE-230] content that an author holds anywhere is held where their attachment is saved', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const files = createFileLedger(house.database, { now: () => house.now, monotonic: () => 0 });
      const [known, unknown, late] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [
        string,
        string,
        string,
      ];
      await files.add({ scope: ada.scope, hash: known, bytes: 1 }, 9);
      const task = await ada.task(list);
      const attached = (hash: string) => ({
        a: 'create',
        id: someId(),
        type: 'attachment',
        fields: { name: 'a', hash, sizeBytes: 1 },
        place: { parent: task },
      });
      await ada.act(attached(known), attached(known), attached(unknown), attached(late));
      await files.add({ scope: ada.scope, hash: late, bytes: 1 }, 9, {
        account: ada.account,
        scopes: [ada.scope, scope],
      });
      const held = [known, unknown, late].map((hash) => files.holds(scope, hash));
      assert.deepEqual(await Promise.all(held), [true, false, true]);
    });

    test('[SHARE-353] content that is sent while its attachment is saved in a list that its sender has left is held there', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      const { database } = house;
      const files = createFileLedger(database, { now: () => house.now, monotonic: () => 0 });
      const hash = '8'.repeat(64);
      const task = await ada.task(list);
      const id = someId();
      const fields = { name: 'a', hash: '9'.repeat(64), sizeBytes: 1 };
      await ada.act({ a: 'create', id, type: 'attachment', fields, place: { parent: task } });
      const made = await rowIn(house, scope, id);
      const waiting = sql`SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
      // On SQLite there is one writer at a time.
      const isWaiting = async () =>
        database.kind === 'sqlite' || (await waiting.execute(database.db)).rows.length > 0;
      let sent: Promise<boolean> | undefined;
      let isSent = false;
      await database.store.write(async (tx) => {
        await tx.lockScopes([scope]);
        const row = withRegister(made, 'hash', hash, made.stamp);
        await tx.save({ ...emptyBatch, rows: [row] });
        const sender = { account: ada.account, scopes: [ada.scope] };
        sent = files.add({ scope: ada.scope, hash, bytes: 1 }, 99, sender);
        void sent.then(() => (isSent = true));
        while (!isSent && !(await isWaiting())) await new Promise((resolve) => void setImmediate(resolve));
      });
      assert.equal(await sent, true);
      assert.equal(await files.holds(scope, hash), true);
    });

    test('[SHARE-350] content that an author sent to a list that they have left is held where their attachment arrives', async () => {
      const ada = await settled();
      const { scope } = await ada.share();
      const files = createFileLedger(house.database, { now: () => house.now, monotonic: () => 0 });
      const [sent, known] = ['4', '5'].map((digit) => digit.repeat(64)) as [string, string];
      const sender = { account: ada.account, scopes: [ada.scope, scope] };
      await files.add({ scope, hash: sent, bytes: 1 }, 9, sender);
      await files.add({ scope, hash: known, bytes: 1 }, 9);
      await house.database.db
        .deleteFrom('member')
        .where('scope', '=', scope)
        .where('account', '=', ada.account)
        .execute();
      const task = await ada.task(ada.inbox);
      const attached = (hash: string) => ({
        a: 'create',
        id: someId(),
        type: 'attachment',
        fields: { name: 'a', hash, sizeBytes: 1 },
        place: { parent: task },
      });
      await ada.act(attached(sent), attached(known));
      assert.deepEqual(
        [await files.holds(ada.scope, sent), await files.holds(ada.scope, known)],
        [true, false],
      );
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

    test('[SYNC-134] what a device brings back goes where what it hangs under is now, or where things go whose place is gone', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share();
      const [mine, known] = [await ada.task(ada.inbox), await ada.task(ada.inbox)];
      const his = await bob.task(bob.inbox);
      await ada.act(place(mine, list));
      await heal(house, ada.scope);
      const lost = house.now + 30_000;
      house.now += 60_000;
      const offer = (id: Id, parent: Id, type = 'task', fields: Record<string, unknown> = {}) => {
        const times = { place: lost };
        const head = { a: 'reoffer', id, type, fields, at: lost, times, createdAt: 1 };
        return { ...head, place: { parent } };
      };
      const parentOf = async (within: Id, id: Id) => placeOf(await rowIn(house, within, id))?.parent;
      // The server had moved it before a restore of which the other scope knows nothing yet.
      const early = someId();
      await ada.act(offer(early, mine));
      assert.equal(await parentOf(ada.scope, early), ada.inbox);
      await heal(house, scope);
      const [child, record] = [someId(), completionId(mine, 0)];
      const done = { task: mine, occ: 0, at: 1, title: '' };
      const { place: _place, ...recordOf } = offer(record, mine, 'completion', done);
      await ada.act(offer(child, mine), offer(known, child, 'task', { title: 'Later' }), {
        ...recordOf,
        times: {},
      });
      assert.deepEqual(
        new Set((await rowsOf(house, scope)).keys()),
        new Set([list, mine, child, known, record]),
      );
      // What it hung under is in a scope of somebody else.
      const [alone, file] = [someId(), someId()];
      const attached = { name: 'a', hash: 'f'.repeat(64), sizeBytes: 1 };
      assert.deepEqual(await ada.verdicts(offer(alone, his), offer(file, his, 'attachment', attached)), [
        'ok',
        'badparent',
      ]);
      assert.equal(await parentOf(ada.scope, alone), ada.inbox);
      assert.equal((await rowsOf(house, bob.scope)).has(alone), false);
    });

    test('[SYNC-137] what has waited for a row is made to it before it moves on; what waits for something else goes along', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const [{ scope, list }, whole] = [await ada.share(bob), await ada.share()];
      await addMember(house.database.db, { scope, account: bob.account, role: 'member' });
      const [his, hers] = [await bob.task(list, {}, scope), await ada.task(list, {}, scope)];
      for (const id of [scope, ada.scope]) await heal(house, id);
      const [lost, other, third, before] = [someId(), someId(), someId(), house.now];
      const offer = (id: Id, parent: Id, within = ada.scope) => {
        const head = { a: 'reoffer', scope: within, id, type: 'task', fields: {}, place: { parent } };
        return { ...head, at: 1, times: {}, createdAt: 1 };
      };
      const parked = ['parked', 'parked', 'parked'];
      assert.deepEqual(
        await bob.verdicts(
          title(lost, 'Waited', { scope }),
          place(his, other, scope),
          title(third, 'Too', { scope }),
        ),
        parked,
      );
      const { device, seq } = ada;
      Object.assign(ada, { device: someId(), seq: 0 });
      assert.deepEqual(await ada.verdicts(place(hers, other, scope)), ['parked']);
      Object.assign(ada, { device, seq });
      // Both were moved before they were put where nothing was, and that is heard later.
      const away = (id: Id) => ({ ...place(id, ada.inbox, scope), t: before });
      await ada.act(away(his), away(hers), offer(other, ada.inbox));
      assert.equal(placeOf(await rowIn(house, ada.scope, hers))?.parent, other);
      assert.equal(placeOf(await rowIn(house, ada.scope, his))?.parent, ada.inbox);
      // To a scope that nothing is brought back to, and to one that he may not read.
      await ada.act(offer(lost, list, scope), place(lost, whole.list, scope));
      assert.equal(fieldOf(await rowIn(house, whole.scope, lost), 'title'), 'Waited');
      // What was made to it before it moved has moved with it.
      await ada.act(offer(third, list, scope), place(third, ada.inbox, scope));
      assert.equal(fieldOf(await rowIn(house, ada.scope, third), 'title'), 'Too');
      assert.deepEqual(await house.database.store.write((tx) => tx.parked(scope)), []);
      assert.deepEqual(await house.database.store.write((tx) => tx.parked(ada.scope)), []);
    });

    test('[SYNC-133] what is made or brought back at one moment in two scopes is in one of them', async () => {
      const ada = await settled();
      const { scope, list } = await ada.share();
      for (const id of [scope, ada.scope]) await heal(house, id);
      const [made, brought, lost] = [someId(), someId(), house.now + 30_000];
      const create = (within: Id, parent: Id) => ({
        a: 'create',
        scope: within,
        id: made,
        type: 'task',
        fields: {},
        place: { parent },
      });
      const offer = (within: Id, parent: Id, at: number) => {
        const times = { place: at };
        const said = { a: 'reoffer', id: brought, type: 'task', fields: {}, at: lost, times, createdAt: 1 };
        return { ...said, scope: within, place: { parent } };
      };
      house.now += 60_000;
      assert.deepEqual(
        await ada.verdicts(
          create(scope, list),
          create(ada.scope, ada.inbox),
          offer(scope, list, lost),
          offer(ada.scope, ada.inbox, lost - 1_000),
        ),
        ['ok', 'exists', 'ok', 'already'],
      );
      assert.deepEqual(new Set((await rowsOf(house, ada.scope)).keys()), new Set([ada.inbox]));
      assert.deepEqual(new Set((await rowsOf(house, scope)).keys()), new Set([list, made, brought]));
    });

    test('[SYNC-98] what a device brings back goes to the scope in which it was placed last', async () => {
      const [ada, bob] = [await settled(), await settled()];
      const { scope, list } = await ada.share(bob);
      const [task, placedLater] = [await ada.task(ada.inbox, { title: 'Old' }), await ada.task(ada.inbox)];
      const child = await ada.task(task);
      const { store } = house.database;
      await heal(house, scope);
      await heal(house, ada.scope);
      const lost = house.now + 30_000;
      house.now += 60_000;
      const offer = (id: Id, title: string, placedAt: number) => ({
        a: 'reoffer',
        scope,
        id,
        type: 'task',
        fields: { title },
        place: { parent: list },
        at: lost,
        times: { place: placedAt },
        createdAt: 1,
      });
      assert.deepEqual(await bob.verdicts(offer(task, 'Not his', lost)), ['exists']);
      assert.equal((await lookUp(store, ada.scope, task))?.type, 'row');
      assert.deepEqual(await ada.verdicts(offer(task, 'New', lost), offer(placedLater, 'New', 1)), [
        'ok',
        'ok',
      ]);
      assert.deepEqual(new Set((await rowsOf(house, scope)).keys()), new Set([list, task, child]));
      assert.equal(fieldOf(await rowIn(house, scope, task), 'title'), 'New');
      assert.equal(fieldOf(await rowIn(house, ada.scope, placedLater), 'title'), 'New');
    });
  });
}
