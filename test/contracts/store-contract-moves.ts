// Contract of the Store port: rows that move from one scope to another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Departure, Store, WriteBatch } from '#server/data/store.ts';
import {
  commit,
  emptyBatch,
  lookUp,
  newScope,
  placed,
  rowOf,
  someId,
  stored,
  titleEntry,
} from './store-samples.ts';

const AT = 1_760_000_000_777;

/** The row at its next version in another scope. */
function arrived(row: Row, to: Id, version: number): Row {
  const stamp: Row['stamp'] = [version, row.stamp[1], row.stamp[2], row.stamp[3]];
  return { ...row, scope: to, version, hops: (row.hops ?? 0) + 1, stamp };
}

/** Moves rows in one transaction. Returns what they are now. */
async function move(store: Store, rows: readonly Row[], to: Id): Promise<readonly Row[]> {
  const from = rows[0]!.scope;
  return await store.write(async (tx) => {
    const heads = await tx.lockScopes([from, to]);
    const [left, version] = [heads.get(from)!.version + 1, heads.get(to)!.version + 1];
    const moved = rows.map((row) => arrived(row, to, version));
    const departures = rows.map((row, index): Departure => {
      const { id, version: was } = row;
      const hash = row.type === 'attachment' ? { hash: String(row.fields.hash) } : {};
      return { scope: from, id, to, hops: moved[index]!.hops!, was, version, left, at: AT, ...hash };
    });
    const scopes = [
      { ...heads.get(from)!, version: left },
      { ...heads.get(to)!, version },
    ];
    await tx.save({ ...emptyBatch, scopes, rows: moved, departures });
    return moved;
  });
}

async function filled(store: Store, make: (scope: Id) => Partial<WriteBatch>): Promise<Id> {
  const scope = await newScope(store);
  await commit(store, scope, () => make(scope));
  return scope;
}

export function moveTests(at: () => Store): void {
  test('[SYNC-90] a moved row is in its new scope as it was saved there, and elsewhere for the old one', async () => {
    const id = someId();
    const from = await filled(at(), (scope) => ({ rows: [rowOf(scope, { id })] }));
    const to = await newScope(at());
    await commit(at(), to, () => ({}));
    const [moved] = await move(at(), [await stored(at(), from, id)], to);
    assert.deepEqual(await stored(at(), to, id), moved);
    assert.deepEqual(moved?.stamp, [2, 1_760_000_000_001, 1, 1]);
    assert.deepEqual(await lookUp(at(), from, id), { type: 'elsewhere', scope: to });
    assert.deepEqual(await at().snapshot(from, null, 9), []);
    assert.deepEqual(await at().snapshot(to, null, 9), [moved]);
    const places = [from, to].map((scope) => ({ scope, id }));
    const known = { scope: from, id, to, hops: 1, was: 1, version: 2 };
    assert.deepEqual(await at().write((tx) => tx.moves(places)), [known]);
    assert.deepEqual(await at().write((tx) => tx.whereabouts([id, someId()])), new Map([[id, to]]));
    const { gone, moved: away } = await at().changes(from, 1, 9);
    assert.deepEqual([gone, away], [[], [known]]);
  });

  test('[SYNC-90] a page tells what moved away from what is gone for good, also in a version of its own', async () => {
    const rows = ['a', 'b', 'c'].map(() => someId());
    const from = await filled(at(), (scope) => ({ rows: rows.map((id) => rowOf(scope, { id })) }));
    const to = await newScope(at());
    const [first, second, third] = await Promise.all(rows.map((id) => stored(at(), from, id)));
    await commit(at(), from, (version) => ({ tombstones: [{ scope: from, id: third!.id, version }] }));
    await move(at(), [first!, second!], to);
    const page = await at().changes(from, 1, 1);
    assert.deepEqual([page.gone, page.moved, page.to, page.more], [[third!.id], [], 2, true]);
    const last = await at().changes(from, 2, 1);
    assert.deepEqual([last.gone, last.moved.length, last.to, last.more], [[], 2, 3, false]);
  });

  test('[SYNC-90] a row comes back and goes on, and each scope that it left knows where to', async () => {
    const id = someId();
    const from = await filled(at(), (scope) => ({ rows: [rowOf(scope, { id })] }));
    const [to, third] = [await newScope(at()), await newScope(at())];
    const [there] = await move(at(), [await stored(at(), from, id)], to);
    const [back] = await move(at(), [there!], from);
    assert.deepEqual(await stored(at(), from, id), back);
    assert.equal(back?.hops, 2);
    const moves = () => at().write((tx) => tx.moves([from, to, third].map((scope) => ({ scope, id }))));
    assert.deepEqual(
      (await moves()).map((each) => [each.scope, each.to, each.hops]),
      [[to, from, 2]],
    );
    await move(at(), [back!], third);
    assert.deepEqual(
      new Set((await moves()).map((each) => `${each.scope} ${each.to} ${each.hops}`)),
      new Set([`${to} ${from} 2`, `${from} ${third} 3`]),
    );
    assert.deepEqual(await lookUp(at(), to, id), { type: 'elsewhere', scope: third });
  });

  test('[SYNC-91] the history of 2,000 rows stays where it was when they move', async () => {
    const ids = Array.from({ length: 2_000 }, someId);
    const from = await filled(at(), (scope) => ({
      rows: ids.map((id) => rowOf(scope, { id })),
      history: ids.map((id) => titleEntry(scope, 1, id)),
    }));
    const to = await newScope(at());
    const rows = ids.map((id) => rowOf(from, { id }));
    for (let start = 0; start < rows.length; start += 1_000)
      await move(at(), rows.slice(start, start + 1_000), to);
    assert.equal((await at().history(from, { limit: 20_000 })).length, 2_000);
    assert.equal((await at().history(from, { id: ids[77]!, limit: 9 })).length, 1);
    assert.equal((await at().snapshot(to, null, 20_000)).length, 2_000);
  });

  test('[SYNC-91] what is removed for good is removed from the history of every scope it was in', async () => {
    const [id, beside] = [someId(), someId()];
    const from = await filled(at(), (scope) => ({
      rows: [rowOf(scope, { id }), rowOf(scope, { id: beside })],
      history: [
        titleEntry(scope, 1, id),
        titleEntry(scope, 1, beside, [
          { id: beside, fields: { title: 'Beside' } },
          { id, fields: { title: 'Secret' } },
        ]),
      ],
    }));
    const [to, third] = [await newScope(at()), await newScope(at())];
    const [there] = await move(at(), [await stored(at(), from, id)], to);
    await commit(at(), to, (version) => ({ history: [titleEntry(to, version, id)] }));
    await move(at(), [there!], third);
    assert.equal((await at().history(from, { id, limit: 9 })).length, 2);
    await commit(at(), third, (version) => ({ tombstones: [{ scope: third, id, version }] }));
    for (const scope of [from, to]) assert.deepEqual(await at().history(scope, { id, limit: 9 }), []);
    const [kept] = await at().history(from, { limit: 9 });
    assert.deepEqual(kept?.before, [{ id: beside, fields: { title: 'Beside' } }]);
  });

  test('[SYNC-92] edits of a note under way go with it, and replace what was left from an earlier stay', async () => {
    const [note, seed, other] = [someId(), someId(), someId()];
    const epoch = { note, seed, state: 'c3RhdGU=', text: 'Now', at: 0 };
    const from = await filled(at(), (scope) => ({
      rows: [rowOf(scope, { id: note })],
      noteEpochs: [
        { ...epoch, scope },
        { ...epoch, scope, note: other },
      ],
    }));
    const to = await filled(at(), (scope) => ({ noteEpochs: [{ ...epoch, scope, text: 'Then' }] }));
    await move(at(), [await stored(at(), from, note)], to);
    const read = async (scope: Id, of: Id) => {
      const want = { rows: [], ancestors: [], siblings: [], noteEpochs: [{ scope, note: of, seed }] };
      return (await at().write((tx) => tx.load(want))).noteEpochs;
    };
    assert.deepEqual(await read(to, note), [{ ...epoch, scope: to }]);
    assert.deepEqual(await read(from, note), []);
    assert.equal((await read(from, other))?.length, 1);
  });

  test('a tree is a row, all that is beneath it and the records about that, and no more than asked for', async () => {
    const [list, root, child, leaf] = [someId(), someId(), someId(), someId()];
    const [record, mine] = [someId(), someId()];
    const scope = await filled(at(), (within) => ({
      rows: [
        placed(within, list, 'a0', { id: root }),
        placed(within, root, 'a0', { id: child }),
        placed(within, child, 'a0', { id: leaf, type: 'attachment' }),
        placed(within, list, 'a1'),
        rowOf(within, { id: record, type: 'completion', fields: { task: child, occ: 0, at: 1, title: '' } }),
        rowOf(within, { id: mine, type: 'mine', fields: { of: child } }),
        rowOf(within, { type: 'completion', fields: { task: list, occ: 0, at: 1, title: '' } }),
      ],
    }));
    const read = (limit: number) => at().write((tx) => tx.tree(scope, root, limit));
    const found = await read(10);
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([root, child, leaf, record]));
    assert.deepEqual(
      found.find(({ id }) => id === leaf),
      await stored(at(), scope, leaf),
    );
    assert.equal((await read(2)).length, 3);
    assert.deepEqual(await at().write((tx) => tx.tree(scope, someId(), 10)), []);
  });

  test('what is beneath rows is found wherever they are, and who has nothing beneath is told from who has', async () => {
    const [root, child, leaf, record] = [someId(), someId(), someId(), someId()];
    const scope = await filled(at(), (within) => ({
      rows: [
        placed(within, someId(), 'a0', { id: root }),
        placed(within, root, 'a1', { id: child }),
        placed(within, root, 'a0', { id: leaf, type: 'attachment' }),
        rowOf(within, { id: record, type: 'completion', fields: { task: child, occ: 0, at: 1, title: '' } }),
      ],
    }));
    const to = await newScope(at());
    await move(at(), [await stored(at(), scope, root)], to);
    const beneath = async (ids: readonly Id[], limit: number) =>
      (await at().write((tx) => tx.beneath(scope, ids, limit))).map(({ id }) => id);
    assert.deepEqual(await beneath([root, child], 9), [record, leaf, child]);
    assert.deepEqual(await beneath([root, child], 2), [record, leaf]);
    assert.deepEqual(await beneath([], 9), []);
    const parents = (of: Id, ids: readonly Id[]) => at().write((tx) => tx.parentsAmong(of, ids));
    assert.deepEqual(
      new Set(await parents(scope, [leaf, root, record, child, someId()])),
      new Set([root, child]),
    );
    assert.deepEqual(await parents(to, [root, child]), []);
    assert.deepEqual(await parents(scope, []), []);
  });

  test('a row lives where it is, and one that was purged nowhere', async () => {
    const [kept, purged, moved] = [someId(), someId(), someId()];
    const scope = await filled(at(), (within) => ({
      rows: [kept, purged, moved].map((id) => rowOf(within, { id })),
    }));
    const to = await newScope(at());
    await commit(at(), scope, (version) => ({ tombstones: [{ scope, id: purged, version }] }));
    await move(at(), [await stored(at(), scope, moved)], to);
    const living = (ids: readonly Id[]) => at().write((tx) => tx.living(ids));
    assert.deepEqual(
      await living([kept, purged, moved, someId()]),
      new Map([
        [kept, scope],
        [moved, to],
      ]),
    );
    assert.deepEqual(await living([]), new Map());
  });

  test('[SYNC-90] rows that arrive take the keys of those that make room for them', async () => {
    const [a, b, parent] = [someId(), someId(), someId()];
    const from = await filled(at(), (within) => ({ rows: [placed(within, parent, 'a0', { id: a })] }));
    const to = await filled(at(), (within) => ({ rows: [placed(within, parent, 'a0', { id: b })] }));
    const [row, other] = [await stored(at(), from, a), await stored(at(), to, b)];
    await at().write(async (tx) => {
      const heads = await tx.lockScopes([from, to]);
      const [left, version] = [heads.get(from)!.version + 1, heads.get(to)!.version + 1];
      const rows = [
        arrived(row, to, version),
        { ...other, version, fields: { ...other.fields, place: { parent, key: 'a1' } } } as Row,
      ];
      const departures = [{ scope: from, id: a, to, hops: 1, was: row.version, version, left, at: AT }];
      const scopes = [
        { ...heads.get(from)!, version: left },
        { ...heads.get(to)!, version },
      ];
      await tx.save({ ...emptyBatch, scopes, rows, departures });
    });
    assert.deepEqual(placeOf(await stored(at(), to, a)), { parent, key: 'a0' });
    assert.deepEqual(placeOf(await stored(at(), to, b)), { parent, key: 'a1' });
  });

  test('[SYNC-130] several scopes are read in one snapshot: a row that moves is on one side, whatever moment is read', async () => {
    const id = someId();
    const here = await filled(at(), (scope) => ({ rows: [rowOf(scope, { id })] }));
    const there = await newScope(at());
    await commit(at(), there, () => ({}));
    const quiet = await filled(at(), (scope) => ({ rows: [rowOf(scope)] }));
    let isOver = false;
    const moving = (async () => {
      for (let times = 0, [from, to] = [here, there]; times < 60; times += 1, [from, to] = [to, from])
        await move(at(), [await stored(at(), from, id)], to);
      isOver = true;
    })();
    let [reads, both] = [0, 0];
    const asked = [here, there].map((scope) => ({ scope, from: 0, maxRows: 9 }));
    while (!isOver) {
      const pages = await at().changesOf(asked);
      const holders = [here, there].filter((scope) => pages.get(scope)?.rows.some((row) => row.id === id));
      assert.equal(holders.length, 1, `read ${reads} finds it in ${holders.length} scopes`);
      // What the tombstone of the other side says is true of that same moment.
      const [holder] = holders;
      const away = pages.get(holder === here ? there : here)?.moved.find((departure) => departure.id === id);
      if (away) both += 1;
      if (away) assert.equal(pages.get(holder!)?.rows.find((row) => row.id === id)?.version, away.version);
      reads += 1;
    }
    await moving;
    assert.ok(reads > 3 && both > 0, `${reads} reads`);
    const head = (await at().scope(quiet))!;
    const none = await at().changesOf([
      { scope: quiet, from: head.version, maxRows: 9 },
      { scope: someId(), from: 0, maxRows: 9 },
    ]);
    const empty = { rows: [], gone: [], moved: [], to: head.version, more: false };
    assert.deepEqual(none, new Map([[quiet, { head, ...empty }]]));
    assert.deepEqual(await at().scopes([quiet, someId()]), new Map([[quiet, head]]));
  });
}
