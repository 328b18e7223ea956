// A server whose database was put back to an older state gets back, from its devices, all that they still hold.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { completionId, inboxId, listsRoot, mineId, type Id } from '#core/ids.ts';
import { until } from './bootstrap-world.ts';
import { type Device, newId, RestoredWorld } from './restored-world.ts';
import { registersOf, fieldOf } from '#sync/rows/row.ts';

const daily = {
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'every',
  anchorDay: null,
} as const;
const next = { due: { on: '2026-06-02' }, start: null };

describe('[SYNC-29] a restored server', () => {
  let world: RestoredWorld;
  let a: Device;
  let b: Device;
  afterEach(() => world.close());
  const begin = async () => {
    world = await RestoredWorld.make();
    a = await world.device();
    b = await world.device();
    await a.synced();
    await b.synced();
  };
  const title = async (id: Id) => fieldOf((await world.rows()).get(id), 'title');
  const parentOf = async (id: Id) => fieldOf((await world.rows()).get(id), 'place')?.parent;
  const order = async (parent: Id) =>
    [...(await world.rows()).values()]
      .filter((row) => fieldOf(row, 'place')?.parent === parent)
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .map((row) => fieldOf(row, 'title'));
  const keyOf = (row: { fields: Readonly<Record<string, unknown>> }) =>
    (row.fields['place'] as { key: string }).key;

  for (const first of ['the one who wrote', 'the other'] as const) {
    it(`gets back creations, edits, moves, trees, deletions and completions when ${first} comes first`, async () => {
      await begin();
      const old = a.task('old');
      const moved = a.task('moved');
      const gone = a.task('gone');
      const repeating = a.task('repeating', undefined, { repeat: daily, due: { on: '2026-06-01' } });
      await a.synced();
      await b.synced();
      const backup = await world.backup();
      const folder = newId();
      const list = newId();
      a.issue(
        {
          a: 'create',
          id: folder,
          type: 'list',
          fields: { listType: 'folder', name: 'folder' },
          place: { parent: listsRoot(world.scope) },
        },
        {
          a: 'create',
          id: list,
          type: 'list',
          fields: { listType: 'list', name: 'list' },
          place: { parent: folder },
        },
      );
      const top = a.task('top', list);
      const middle = a.task('middle', top);
      const leaf = a.task('leaf', middle);
      a.task('second', top);
      a.task('third', top);
      a.issue(
        { a: 'set', id: old, field: 'title', value: 'new' },
        { a: 'place', id: moved, place: { parent: middle } },
        { a: 'delete', id: gone },
        { a: 'complete', id: repeating, occ: 0, at: 5, next },
        { a: 'complete', id: leaf, occ: 0, at: 6, next: null },
        { a: 'create', id: mineId(world.scope, top), type: 'mine', fields: { of: top, collapsed: true } },
      );
      const trashed = a.task('in the trash', top);
      const below = a.task('below it', trashed);
      a.issue({ a: 'delete', id: trashed });
      await a.synced();
      await b.synced();
      b.issue({ a: 'set', id: leaf, field: 'title', value: 'leaf of b' });
      await b.synced();
      await a.synced();
      const expected = new Map([...(await world.rows())].map(([id, { fields }]) => [id, fields]));
      await world.restore(backup);
      assert.equal((await world.rows()).has(leaf), false);
      await world.settle(first === 'the other' ? [b, a] : [a, b]);
      const rows = await world.rows();
      assert.deepEqual([...rows.keys()].toSorted(), [...expected.keys()].toSorted());
      const plain = (fields: Readonly<Record<string, unknown>> | undefined) => ({
        ...fields,
        place: (fields?.['place'] as { parent: Id } | undefined)?.parent,
      });
      for (const [id, fields] of expected) assert.deepEqual(plain(rows.get(id)?.fields), plain(fields));
      assert.deepEqual(await order(top), ['middle', 'second', 'third', 'in the trash']);
      assert.equal(await parentOf(below), trashed, 'what is in the trash stays there, whole');
      assert.equal(fieldOf(rows.get(completionId(repeating, 0)), 'at'), 5);
      assert.equal(a.engine.restored.get() + b.engine.restored.get(), world.healed.rows - 1);
    });
  }

  const day = (date: number) => ({ on: `2026-06-${String(date).padStart(2, '0')}` });
  const completed = (id: Id, occ: number) => ({
    a: 'complete' as const,
    id,
    occ,
    at: 5 + occ,
    next: { due: day(occ + 2), start: null },
  });
  const standing = async (id: Id) => {
    const rows = await world.rows();
    const records = [0, 1, 2, 3].filter((occ) => {
      const record = rows.get(completionId(id, occ));
      return record !== undefined && fieldOf(record, 'del') === undefined;
    });
    const { occ = 0, due } = registersOf(rows.get(id));
    return { occ, due, records };
  };

  for (const first of ['the one who completed three', 'the one who completed one later'] as const) {
    it(`[SYNC-9] keeps three completions of a repeating task when ${first} comes first`, async () => {
      await begin();
      const id = a.task('water', undefined, { repeat: daily, due: day(1) });
      await a.synced();
      await b.synced();
      const backup = await world.backup();
      b.isOnline = false;
      for (const occ of [0, 1, 2]) {
        a.issue(completed(id, occ));
        await a.synced();
      }
      b.issue(completed(id, 0));
      await world.restore(backup);
      b.isOnline = true;
      await world.settle(first === 'the one who completed three' ? [a, b] : [b, a]);
      assert.deepEqual(await standing(id), { occ: 3, due: day(4), records: [0, 1, 2] });
      a.issue(completed(id, 3));
      await a.synced();
      assert.deepEqual(await standing(id), { occ: 4, due: day(5), records: [0, 1, 2, 3] });
    });
  }

  it('[SYNC-9] lets a completion that was taken back stay so', async () => {
    await begin();
    const id = a.task('water', undefined, { repeat: daily, due: day(1) });
    a.issue(completed(id, 0));
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    await world.pass();
    a.issue({ a: 'reopen', id, occ: 0, previous: { due: day(1), start: null } });
    await a.synced();
    await world.restore(backup);
    assert.deepEqual(await standing(id), { occ: 1, due: day(2), records: [0] });
    await world.settle([b, a]);
    assert.deepEqual(await standing(id), { occ: 0, due: day(1), records: [] });
  });

  it('keeps what was written meanwhile where it is newer, and takes what is newer of the device', async () => {
    await begin();
    const one = a.task('one');
    const two = a.task('two');
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    a.issue({ a: 'set', id: one, field: 'title', value: 'one lost' });
    a.issue({ a: 'set', id: two, field: 'notes', value: 'notes lost' });
    await a.synced();
    await world.restore(backup);
    // Never saw the lost edits, and stands where the restored server stands.
    b.issue({ a: 'set', id: one, field: 'title', value: 'one later' });
    b.issue({ a: 'set', id: two, field: 'title', value: 'two later' });
    await b.synced();
    await world.settle();
    assert.equal(await title(one), 'one later');
    assert.deepEqual(
      [await title(two), fieldOf((await world.rows()).get(two), 'notes')],
      ['two later', 'notes lost'],
    );
  });

  it('[SYNC-22] keeps in Recovered what it cannot take of a note because a later text stands there', async () => {
    await begin();
    const task = a.task('task', undefined, { notes: 'milk' });
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    a.issue({ a: 'set', id: task, field: 'notes', value: 'milk and bread' });
    await a.synced();
    b.setOnline(false);
    await world.restore(backup);
    // Hears that the server was put back, and offers what it holds only after the other has written.
    a.engine.nudge();
    a.beforeOffer = async () => {
      b.issue({ a: 'set', id: task, field: 'notes', value: 'milk and jam' });
      await b.synced();
    };
    await world.settle();
    assert.equal(fieldOf((await world.rows()).get(task), 'notes'), 'milk and jam');
    const kept = a.engine.recovered.get().map(({ operation }) => operation.a === 'set' && operation.value);
    assert.deepEqual(kept, ['milk and bread']);
  });

  it('does not take a void base for knowledge of what stands there', async () => {
    await begin();
    const task = a.task('task');
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    for (let n = 0; n < 20; n += 1) a.task(`filler ${n}`);
    await a.synced();
    a.setOnline(false);
    a.issue({ a: 'set', id: task, field: 'title', value: 'earlier' });
    await world.restore(backup);
    b.issue({ a: 'set', id: task, field: 'title', value: 'later' });
    await b.synced();
    await world.settle();
    assert.equal(await title(task), 'later');
  });

  // The step of a clock that is too small to be noticed makes a write seem older than it is.
  for (const first of ['who wrote last', 'the other one'])
    it(`[SYNC-170] [SYNC-29] keeps a write over one that its author had seen, whatever its clock, when ${first} comes first`, async () => {
      await begin();
      const task = a.task('task');
      await a.synced();
      const backup = await world.backup();
      a.issue({ a: 'set', id: task, field: 'title', value: 'seen' });
      await a.synced();
      await b.synced();
      b.setOnline(false);
      b.issue({ a: 'set', id: task, field: 'title', value: 'written over it' });
      b.aheadMs += 1_500;
      await world.restore(backup);
      await world.settle(first === 'who wrote last' ? [b, a] : [a, b]);
      assert.equal(await title(task), 'written over it');
    });

  it('[SYNC-170] keeps a write over an own one that the server had judged in between', async () => {
    await begin();
    const task = a.task('task');
    await a.synced();
    const backup = await world.backup();
    a.issue({ a: 'set', id: task, field: 'title', value: 'seen' });
    a.afterAnswer = () => {
      a.issue({ a: 'set', id: task, field: 'title', value: 'written over it' });
      a.isOnline = false;
    };
    a.setOnline(true);
    await until(() => !a.isOnline && a.contents.outbox.size === 1, 'the first one has its verdict');
    a.aheadMs += 1_500;
    await world.restore(backup);
    await world.settle([a]);
    assert.equal(await title(task), 'written over it');
  });

  it('gets back what waited on a device together with what it builds on', async () => {
    await begin();
    const backup = await world.backup();
    const lost = a.task('lost');
    await a.synced();
    await b.synced();
    await b.stop();
    await b.start();
    await world.pass();
    b.issue({ a: 'set', id: lost, field: 'title', value: 'by b' });
    const child = b.task('child', lost);
    await world.restore(backup);
    await world.settle([b, a]);
    assert.deepEqual([await title(lost), await parentOf(child)], ['by b', lost]);
    assert.equal(world.healed.parked, 0);
    assert.deepEqual(b.engine.recovered.get(), []);
  });

  it('parks what names something that only another device still holds', async () => {
    await begin();
    const backup = await world.backup();
    const lost = a.task('lost');
    await a.synced();
    await b.synced();
    const { device, cursors } = b.contents.meta ?? assert.fail();
    await world.restore(backup);
    const seq = 1_000;
    const head = { scope: world.scope, t: world.clock.now(), b: 0 };
    const place = { parent: lost };
    const child = newId();
    const ops = [
      { ...head, q: seq, u: newId(), a: 'set', id: lost, field: 'title', value: 'renamed' },
      {
        ...head,
        q: seq + 1,
        u: newId(),
        a: 'create',
        id: child,
        type: 'task',
        fields: { title: 'child' },
        place,
      },
    ];
    const request = { device, clientNow: world.clock.now(), ack: 0, ops };
    const told = await world.exchange.sync(world.actor, { ...request, schema: 2, cursors });
    assert.ok(told.ok && told.value.changes[0]?.rollback !== undefined);
    assert.deepEqual(told.value.results, [], 'nothing is judged by what is void');
    const old = await world.exchange.sync(world.actor, {
      ...request,
      schema: 1,
      device: newId(),
      cursors: {},
    });
    assert.ok(old.ok);
    assert.deepEqual(
      old.value.results.map(([, verdict]) => verdict),
      ['gone', 'badparent'],
    );
    const answer = await world.exchange.sync(world.actor, { ...request, schema: 2, cursors: {} });
    assert.ok(answer.ok);
    assert.deepEqual(answer.value.results, [
      [seq, 'parked'],
      [seq + 1, 'parked'],
    ]);
    await a.synced();
    assert.deepEqual([await title(lost), await parentOf(child)], ['renamed', lost]);
    assert.deepEqual(world.healed, { ...world.healed, parked: 2, unparked: 2 });
  });

  it('heals a device that was away through two restores', async () => {
    await begin();
    const early = await world.backup();
    const first = a.task('first');
    await a.synced();
    await b.synced();
    b.setOnline(false);
    const late = await world.backup();
    const second = a.task('second');
    await a.synced();
    await world.pass();
    b.issue({ a: 'set', id: first, field: 'title', value: 'first of b' });
    const third = b.task('third', first);
    await world.restore(late);
    await a.synced();
    assert.equal(await title(second), 'second');
    await world.restore(early);
    await b.synced();
    assert.deepEqual([await title(first), await title(third)], ['first of b', 'third']);
    await world.settle();
    assert.equal(await title(second), 'second');
  });

  it('heals also when the backup that was replaced is put back in the end', async () => {
    await begin();
    const early = await world.backup();
    const first = a.task('first');
    await a.synced();
    await b.synced();
    const late = await world.backup();
    await world.restore(early);
    await a.synced();
    a.issue({ a: 'set', id: first, field: 'title', value: 'on the other branch' });
    await a.synced();
    await world.restore(late);
    await world.settle();
    assert.equal(await title(first), 'on the other branch');
  });

  it('heals a scope that is too large for one answer, also when it is interrupted', async () => {
    await begin();
    a.task('before');
    await a.synced();
    await b.synced();
    const backup = await world.backup();
    for (let n = 0; n < 30; n += 1) a.task(`task ${n}`);
    await a.synced();
    await world.restore(backup);
    a.maxRows = 1;
    // It hears that the server went back, and dies before it has read what the server has.
    const told = world.exchange.sync(world.actor, {
      ...a.sent.at(-1),
      cursors: a.contents.meta?.cursors,
      ops: [],
    });
    assert.ok((await told).ok);
    await a.stop();
    await a.start();
    await a.synced();
    assert.equal((await order(inboxId(world.scope))).length, 31);
    await world.settle();
  });

  it('takes back what stands in the queue of a device that crashed right after it heard', async () => {
    await begin();
    const backup = await world.backup();
    const lost = a.task('lost');
    await a.synced();
    await world.restore(backup);
    a.setOnline(true);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if ([...a.contents.outbox.values()].some((operation) => operation.a === 'reoffer')) break;
      if ((await title(lost)) !== undefined) break;
    }
    a.setOnline(false);
    await a.stop();
    await a.start();
    await world.settle();
    assert.equal(await title(lost), 'lost');
  });

  it('[SYNC-63] takes an offer by the times of its writes, however old it seems', async () => {
    await begin();
    const task = a.task('task');
    await a.synced();
    const backup = await world.backup();
    a.task('lost');
    await a.synced();
    await world.restore(backup);
    await a.synced();
    const at = world.clock.now();
    const offer = {
      a: 'reoffer',
      id: task,
      type: 'task',
      fields: { title: 'later' },
      at,
      times: {},
      createdAt: at,
    };
    const head = { scope: world.scope, q: 1, u: newId(), t: at - 13 * 3_600_000, b: 0 };
    const ops = [{ ...head, ...offer }];
    const request = { schema: 2, device: newId(), clientNow: at, ack: 0, cursors: {}, ops };
    const answer = await world.exchange.sync(world.actor, request);
    assert.ok(answer.ok);
    assert.deepEqual([answer.value.results, await title(task)], [[[1, 'ok']], 'later']);
  });

  it('forbids offers where nothing was lost, and those that come a month too late', async () => {
    await begin();
    const offer = {
      a: 'reoffer',
      id: newId(),
      type: 'task',
      fields: { title: 'x' },
      place: { parent: inboxId(world.scope) },
      at: 1,
      times: {},
      createdAt: 1,
    };
    let q = 0;
    const device = newId();
    const push = async (operation: Record<string, unknown>) => {
      const head = { q: (q += 1), u: newId(), scope: world.scope, t: world.clock.now(), b: 0 };
      const ops = [{ ...head, ...operation }];
      const request = { schema: 2, device, clientNow: world.clock.now(), ack: 0, ops, cursors: {} };
      const answer = await world.exchange.sync(world.actor, request);
      assert.ok(answer.ok);
      return answer.value.results[0]?.[1];
    };
    assert.equal(await push(offer), 'forbidden');
    const backup = await world.backup();
    a.task('lost');
    await a.synced();
    await world.restore(backup);
    await a.synced();
    assert.equal(await push(offer), 'ok');
    assert.equal(await push(offer), 'already');
    await world.pass(31 * 86_400_000);
    assert.equal(await push({ ...offer, id: newId() }), 'forbidden');
  });

  it('is told nothing new by a device that only read afresh', async () => {
    await begin();
    a.task('one');
    await a.synced();
    const { meta } = a.contents;
    await a.stop();
    a.contents.meta = {
      ...(meta ?? assert.fail()),
      cursors: { [world.scope]: { generation: 'damaged', version: 0 } },
    };
    await a.start();
    await world.settle();
    assert.deepEqual([world.healed.rows, world.healed.wentBack], [0, 0]);
  });

  it('gets back what a device holds that reads afresh for another reason', async () => {
    await begin();
    const backup = await world.backup();
    const lost = a.task('lost');
    await a.synced();
    await world.restore(backup);
    const { meta } = a.contents;
    await a.stop();
    a.contents.meta = {
      ...(meta ?? assert.fail()),
      cursors: { [world.scope]: { generation: 'damaged', version: 0 } },
    };
    await a.start();
    await world.settle();
    assert.equal(await title(lost), 'lost');
  });

  it('knows another history by the generation alone, where a device that only reads stands no further than the server', async () => {
    await begin();
    const backup = await world.backup();
    // The generation that both come to stand in is one that the backup has never heard of.
    await world.restore(backup);
    await world.settle();
    const lost = a.task('lost');
    await a.synced();
    await b.synced();
    await a.stop();
    world.devices.splice(0, 1);
    await world.restore(backup);
    const other = await world.device();
    for (let n = 0; n < 5; n += 1) other.task(`since then ${n}`);
    await other.synced();
    const stood = b.contents.meta?.cursors[world.scope]?.version ?? 0;
    const head = await world.database.store.scope(world.scope);
    assert.ok(stood > 0 && stood <= (head?.version ?? 0), 'its number alone looks like one of this history');
    await world.settle();
    assert.equal(await title(lost), 'lost');
  });
});
