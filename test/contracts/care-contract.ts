// What housekeeping does to a database on every engine, seen through the doors that devices use.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completionId, inboxId, listsRoot, mineId, mountId, type Id } from '#core/ids.ts';
import { createPace } from '#server/care/pace.ts';
import { removeFromTrash } from '#server/care/trash.ts';
import type { Database } from '#server/data/database.ts';
import type { PurgeRequest } from '#server/sync/purge.ts';
import { DAY, type House, openHouse, Person, START } from './house.ts';
import { someId } from './store-samples.ts';

export function careContract(name: string, open: () => Promise<Database>): void {
  describe(`Housekeeping on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });
    const settle = () => new Person(house).settle();

    test('what lay in the trash for 30 days goes with everything that hangs on it', async () => {
      const person = await settle();
      const { scope } = person;
      const list = someId();
      await person.act([
        {
          a: 'create',
          id: list,
          type: 'list',
          fields: { listType: 'list' },
          place: { parent: listsRoot(scope) },
        },
      ]);
      const task = await person.task(list, 'Water the plants');
      const below = await person.task(task, 'The ones outside');
      const other = await person.task(inboxId(scope), 'Stays');
      const attachment = someId();
      await person.act([
        { a: 'complete', id: task, occ: 0, at: house.now, next: { due: null, start: null } },
        { a: 'create', id: mineId(scope, below), type: 'mine', fields: { of: below, collapsed: true } },
        {
          a: 'create',
          id: attachment,
          type: 'attachment',
          fields: { name: 'x.png' },
          place: { parent: below },
        },
        { a: 'set', id: below, field: 'title', value: 'Those on the balcony' },
      ]);
      await person.pull();
      const kept = await person.ids();
      const completion = completionId(task, 0);
      const going = [list, task, below, attachment, completion, mineId(scope, below)];
      for (const id of going) assert.ok(kept.has(id));
      await person.act([{ a: 'delete', id: list }]);
      await person.pull();

      house.now += 30 * DAY;
      assert.equal((await house.care.run()).rows, 0, 'not a moment early');
      house.now += 1;
      assert.equal((await house.care.run()).rows, going.length);
      assert.deepEqual(await person.ids(), new Set([inboxId(scope), other]));
      const changes = await person.pull();
      assert.deepEqual(new Set(changes?.gone), new Set(going));
      assert.deepEqual(changes?.rows, []);
      assert.equal(changes?.digest, (await house.database.store.scope(scope))?.digest);
      const told = house.published.filter((change) => change.scope === scope).slice(-2);
      assert.ok(
        told.every(({ changes: { gone } }) => gone.length > 0),
        'followers hear of it',
      );
      const history = await house.database.store.history(scope, { limit: 1_000 });
      for (const { operation, before: replaced } of history)
        assert.ok(!going.includes(operation.id) && replaced.every(({ id }) => !going.includes(id)));
      assert.equal((await house.care.run()).rows, 0, 'a second run finds nothing');
      person.seq += 1;
      const head = { q: person.seq, u: someId(), scope, t: house.now, b: 0 };
      const create = { ...head, a: 'create', id: task, type: 'task', fields: {}, place: { parent: list } };
      assert.deepEqual((await person.sync([create])).results, [[person.seq, 'gone']]);
    });

    test('[SHARE-102] a folder goes without the mounts in it', async () => {
      const person = await settle();
      const { scope } = person;
      const [folder, list] = [someId(), someId()];
      const mount = mountId(scope, list);
      await person.act([
        { a: 'create', id: folder, type: 'list', fields: { listType: 'folder' }, place: { parent: scope } },
        { a: 'create', id: mount, type: 'mount', fields: { of: list }, place: { parent: folder } },
        { a: 'delete', id: folder },
      ]);
      house.now += 31 * DAY;
      await house.care.run();
      const left = await person.ids();
      assert.deepEqual([left.has(folder), left.has(mount)], [false, true]);
      await person.act([{ a: 'place', id: mount, place: { parent: scope } }]);
    });

    test('what was restored, or moved out of what is in the trash, stays', async () => {
      const person = await settle();
      const inbox = inboxId(person.scope);
      const [back, root] = [await person.task(inbox, 'back'), await person.task(inbox, 'root')];
      const [moved, below] = [await person.task(root, 'moved'), await person.task(root, 'below')];
      await person.act([
        { a: 'delete', id: back },
        { a: 'delete', id: root },
        { a: 'restore', id: back },
        { a: 'place', id: moved, place: { parent: inbox } },
      ]);
      house.now += 31 * DAY;
      await house.care.run();
      const ids = await person.ids();
      assert.deepEqual(
        [back, moved, root, below].map((id) => ids.has(id)),
        [true, true, false, false],
      );
    });

    test('a proposal that is not due, or on which something else hangs, is refused under the lock', async () => {
      const person = await settle();
      const root = await person.task(inboxId(person.scope), 'root');
      const below = await person.task(root, 'below');
      const live = await person.task(inboxId(person.scope), 'live');
      await person.act([{ a: 'delete', id: root }]);
      house.now += 31 * DAY;
      const purge = (ids: readonly Id[], trashedBefore = house.now) =>
        house.exchange.purge({ scope: person.scope, ids, trashedBefore });
      assert.deepEqual(await purge([root, live, someId()]), []);
      assert.deepEqual(await purge([root, below], START), []);
      assert.deepEqual(await purge([below, live]), [below]);
      assert.deepEqual(await purge([root, root]), [root]);
    });

    test('a large tree goes in steps between which others write, and every state adds up', async () => {
      const person = await settle();
      const inbox = inboxId(person.scope);
      const root = await person.task(inbox, 'root');
      for (let made = 0; made < 700; made += 100) {
        const middle = await person.task(root, 'middle');
        await person.act(
          Array.from({ length: 99 }, () => ({
            a: 'create',
            id: someId(),
            type: 'task',
            fields: {},
            place: { parent: middle },
          })),
        );
      }
      await person.act([{ a: 'delete', id: root }]);
      await person.pull();
      house.now += 31 * DAY;
      const run = house.care.run();
      const written: Id[] = [];
      for (let n = 0; n < 5; n += 1) written.push(await person.task(inbox, 'meanwhile'));
      assert.equal((await run).rows, 701);
      assert.deepEqual(await person.ids(), new Set([inbox, ...written]));
      const changes = await person.pull();
      assert.equal(changes?.gone.length, 701);
      assert.deepEqual(new Set(changes?.rows.map(({ id }) => id)), new Set(written));
    });

    test('the horizon moves up when every device has been heard, or after 400 days', async () => {
      const person = await settle();
      const inbox = inboxId(person.scope);
      const silent = someId();
      await person.act([{ a: 'delete', id: await person.task(inbox, 'old') }]);
      await person.pull();
      const old = person.cursors;
      await person.sync([], silent);
      house.now += 31 * DAY;
      await house.care.run();
      const horizon = async () => (await house.database.store.scope(person.scope))?.horizon;
      const resync = async (device: Id) => (await person.sync([], device, old)).changes[0]?.resync === true;
      house.now += 181 * DAY;
      await person.sync([]);
      await house.care.run();
      assert.equal(await horizon(), 0, 'one device has not been heard since');
      assert.equal(await resync(silent), false);
      const purgedAt = (await house.database.store.scope(person.scope))?.version;
      await house.care.run();
      assert.equal(await horizon(), purgedAt);
      assert.equal(await resync(silent), true);

      await person.act([{ a: 'delete', id: await person.task(inbox, 'older') }]);
      house.now += 31 * DAY;
      await house.care.run();
      const second = (await house.database.store.scope(person.scope))?.version ?? 0;
      await house.database.db
        .updateTable('device')
        .set({ last_seen: house.now - 1 })
        .where('account', '=', person.account)
        .execute();
      house.now += 398 * DAY;
      await house.care.run();
      assert.equal(await horizon(), purgedAt);
      house.now += 3 * DAY;
      await house.care.run();
      assert.equal(await horizon(), second);
    });

    test('[TRASH-2] [TRASH-3] what somebody wants gone now goes with all that hangs on it, unless it was restored', async () => {
      const person = await settle();
      const { scope } = person;
      const inbox = inboxId(scope);
      const [gone, back, later] = [
        await person.task(inbox, 'gone'),
        await person.task(inbox, 'back'),
        await person.task(inbox, 'later'),
      ] as const;
      const below = await person.task(gone, 'below');
      await person.act([
        { a: 'complete', id: below, occ: 0, at: house.now, next: { due: null, start: null } },
        ...[gone, back, later].map((id) => ({ a: 'delete', id })),
      ]);
      const at = house.now;
      await person.act([{ a: 'restore', id: back }]);
      await person.pull();
      const items = [gone, back, later].map((id) => ({ id, at }));
      let looks = 0;
      const ports = {
        db: house.database.db,
        pace: createPace((work) => setImmediate(work)),
        purge: (request: PurgeRequest) => house.exchange.purge(request),
      };
      const isLate = () => (looks += 1) > 1;
      assert.deepEqual(await removeFromTrash(ports, { scopes: [scope], items, isLate }), {
        removed: 1,
        looked: 2,
      });
      const left = await person.ids();
      for (const id of [gone, below, completionId(below, 0)]) assert.ok(!left.has(id));
      assert.ok(left.has(back) && left.has(later));
      const told = await person.pull();
      assert.deepEqual(new Set(told?.gone), new Set([gone, below, completionId(below, 0)]));
      const rest = { scopes: [scope], items: items.slice(2), isLate: () => true };
      assert.deepEqual(await removeFromTrash(ports, rest), { removed: 1, looked: 1 });
    });

    test('[LEDGER-1] under which session a device spoke, when, and how far it has heard', async () => {
      const person = await settle();
      await person.pull();
      const silent = someId();
      await person.sync([], silent);
      house.now += DAY;
      const heardAt = house.now;
      await person.pull();
      const head = (await house.database.store.scope(person.scope))?.version;
      house.now += DAY;
      await house.care.run();
      const devices = await house.database.db
        .selectFrom('device')
        .select(['id', 'session', 'heard_version', 'last_seen'])
        .where('account', '=', person.account)
        .orderBy('last_seen')
        .execute();
      assert.deepEqual(
        devices.map(({ id, heard_version, last_seen }) => [id, heard_version, last_seen]),
        [
          [silent, head, heardAt - DAY],
          [person.device, head, heardAt],
        ],
      );
      assert.ok(devices.every(({ session }) => session !== null));
      await house.care.run();
    });

    test('history, ended sessions and verdicts for lost devices are forgotten in their time', async () => {
      const person = await settle();
      const { db, store } = house.database;
      await person.task(inboxId(person.scope), 'first');
      const session = { account: person.account, kind: 'web', name: '', user_agent: '' } as const;
      const ids = [someId(), someId(), someId(), someId()] as const;
      const times = (id: Id, over: Record<string, number>) => ({
        ...session,
        id,
        token_hash: Buffer.from(id),
        created_at: house.now,
        last_used_at: house.now + 400 * DAY,
        ...over,
      });
      await db
        .insertInto('session')
        .values([
          times(ids[0], { revoked_at: house.now + 380 * DAY }),
          times(ids[1], { revoked_at: house.now }),
          times(ids[2], { expires_at: house.now }),
          times(ids[3], { last_used_at: house.now - 1 }),
        ])
        .execute();
      await house.care.run();
      house.now += 399 * DAY;
      await house.care.run();
      assert.equal((await store.history(person.scope, { limit: 10 })).length, 2);
      const results = () =>
        db.selectFrom('op_result').select('seq').where('device', '=', person.device).execute();
      assert.equal((await results()).length, 2);
      house.now += 2 * DAY;
      await house.care.run();
      assert.deepEqual(await store.history(person.scope, { limit: 10 }), []);
      assert.deepEqual(await results(), []);
      const left = await db
        .selectFrom('session')
        .select('id')
        .where('account', '=', person.account)
        .execute();
      assert.deepEqual(left, [{ id: ids[0] }]);
    });
  });
}
