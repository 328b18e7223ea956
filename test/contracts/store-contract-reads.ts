// Contract of the Store port, part two: what a transaction finds — rows, tombstones, ancestors, siblings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Store } from '#server/data/store.ts';
import {
  commit,
  emptyBatch,
  lookUp,
  newScope,
  nothing,
  placed,
  rowOf,
  someId,
  stored,
} from './store-samples.ts';

export function lookupTests(at: () => Store): void {
  test('a lookup tells row, tombstone, elsewhere and unknown apart', async () => {
    const [here, there] = [await newScope(at()), await newScope(at())];
    const [row, foreign, purged] = [rowOf(here), rowOf(there), rowOf(here)];
    const purgedThere = someId();
    await commit(at(), here, () => ({ rows: [row, purged] }));
    await commit(at(), there, () => ({
      rows: [foreign],
      tombstones: [{ scope: there, id: purgedThere, version: 1 }],
    }));
    await commit(at(), here, (version) => ({ tombstones: [{ scope: here, id: purged.id, version }] }));
    assert.deepEqual(await lookUp(at(), here, row.id), { type: 'row', row });
    assert.deepEqual(await lookUp(at(), here, purged.id), { type: 'tombstone' });
    assert.deepEqual(await lookUp(at(), here, foreign.id), { type: 'elsewhere', scope: there });
    assert.deepEqual(await lookUp(at(), here, purgedThere), { type: 'elsewhere', scope: there });
    assert.deepEqual(await lookUp(at(), here, someId()), { type: 'unknown' });
  });

  test('a row that moves to another scope is elsewhere for the first and gone from it', async () => {
    const [from, to] = [await newScope(at()), await newScope(at())];
    const row = placed(from, from, 'a0');
    await commit(at(), from, () => ({ rows: [row] }));
    const moved = { ...placed(to, to, 'a0', { id: row.id }), version: 1 };
    await at().write(async (tx) => {
      const heads = await tx.lockScopes([from, to]);
      await tx.save({
        ...emptyBatch,
        scopes: [...heads.values()].map((head) => ({ ...head, version: head.version + 1 })),
        rows: [moved],
        tombstones: [{ scope: from, id: row.id, version: 2 }],
      });
    });
    assert.deepEqual(await lookUp(at(), from, row.id), { type: 'elsewhere', scope: to });
    assert.deepEqual(await lookUp(at(), to, row.id), { type: 'row', row: moved });
    assert.deepEqual((await at().changes(from, 1, 10)).gone, [row.id]);
    // And back: what was gone is there again.
    await at().write(async (tx) => {
      await tx.lockScopes([from, to]);
      await tx.save({ ...emptyBatch, rows: [row], tombstones: [{ scope: to, id: row.id, version: 2 }] });
    });
    assert.deepEqual(await lookUp(at(), from, row.id), { type: 'row', row });
    assert.deepEqual((await at().changes(from, 0, 10)).gone, []);
  });

  test('an id cannot live in two scopes', async () => {
    const [here, there] = [await newScope(at()), await newScope(at())];
    const row = rowOf(here);
    await commit(at(), here, () => ({ rows: [row] }));
    await assert.rejects(
      commit(at(), there, () => ({ rows: [{ ...row, scope: there }] })),
      /one scope/,
    );
    assert.deepEqual(await lookUp(at(), there, row.id), { type: 'elsewhere', scope: here });
  });

  test('ancestors come along up to the first parent that is no row of the scope', async () => {
    const scope = await newScope(at());
    const root = someId();
    const chain: Row[] = [];
    for (let depth = 0; depth < 40; depth += 1) chain.push(placed(scope, chain.at(-1)?.id ?? root, 'a0'));
    const leaf = chain.at(-1)!;
    const other = placed(scope, chain[0]!.id, 'a1');
    const loose = rowOf(scope, { type: 'mine' });
    await commit(at(), scope, () => ({ rows: [...chain, other, loose] }));
    const { rows } = await at().write((tx) =>
      tx.load({
        ...nothing,
        rows: [{ scope, id: other.id }],
        ancestors: [leaf.id, loose.id].map((id) => ({ scope, id })),
      }),
    );
    assert.deepEqual(new Set(rows.keys()), new Set([...chain.map(({ id }) => id), root, other.id, loose.id]));
    for (const row of [...chain, other, loose]) assert.deepEqual(rows.get(row.id), { type: 'row', row });
    assert.deepEqual(rows.get(root), { type: 'unknown' });
  });

  test('a parent that was purged, or lives in another scope, ends the walk', async () => {
    const [scope, there] = [await newScope(at()), await newScope(at())];
    const foreign = placed(there, there, 'a0');
    const purged = someId();
    const orphans = [placed(scope, purged, 'a0'), placed(scope, foreign.id, 'a0')];
    await commit(at(), there, () => ({ rows: [foreign] }));
    await commit(at(), scope, (version) => ({ rows: orphans, tombstones: [{ scope, id: purged, version }] }));
    const ancestors = orphans.map(({ id }) => ({ scope, id }));
    const { rows } = await at().write((tx) => tx.load({ ...nothing, ancestors }));
    assert.equal(rows.size, 4);
    assert.deepEqual(rows.get(purged), { type: 'tombstone' });
    assert.deepEqual(rows.get(foreign.id), { type: 'elsewhere', scope: there });
  });

  test('rows that are each other’s parents do not trap the walk', async () => {
    const scope = await newScope(at());
    const [one, two] = [someId(), someId()];
    const rows = [placed(scope, two, 'a0', { id: one }), placed(scope, one, 'a0', { id: two })];
    await commit(at(), scope, () => ({ rows }));
    const answer = await at().write((tx) => tx.load({ ...nothing, ancestors: [{ scope, id: one }] }));
    assert.deepEqual([...answer.rows.keys()].toSorted(), [one, two].toSorted());
  });
}

export function siblingTests(at: () => Store): void {
  const load = async (
    parent: Id,
    scope: Id,
    queries: readonly [string | null, 'descending' | 'ascending', number][],
  ) => {
    const siblings = queries.map(([from, direction, limit]) => ({ scope, parent, from, direction, limit }));
    const answer = await at().write((tx) => tx.load({ ...nothing, siblings }));
    return answer.siblings.map((list) => list.map(({ key }) => key).join(' '));
  };

  test('siblings are found in both directions, in byte order, trashed ones included', async () => {
    const scope = await newScope(at());
    const parent = someId();
    const keys = ['a0', 'Zz', 'aZ', 'aa', 'b1', 'a0V', 'A', 'z'];
    const rows = keys.map((key) => placed(scope, parent, key));
    rows.push(placed(scope, parent, 'a5', { fields: { del: { at: 5, by: 1 } } }));
    const stranger = placed(scope, someId(), 'a4');
    await commit(at(), scope, () => ({ rows: [...rows, stranger] }));
    assert.deepEqual(
      await load(parent, scope, [
        [null, 'ascending', 100],
        [null, 'descending', 100],
        ['a0', 'ascending', 3],
        ['a0', 'descending', 2],
        ['b', 'descending', 1],
        ['zz', 'ascending', 5],
        ['A', 'descending', 5],
        [null, 'ascending', 1],
        [null, 'descending', 1],
      ]),
      ['A Zz a0 a0V a5 aZ aa b1 z', 'z b1 aa aZ a5 a0V a0 Zz A', 'a0V a5 aZ', 'Zz A', 'aa', '', '', 'A', 'z'],
    );
    assert.deepEqual(await load(someId(), scope, [[null, 'ascending', 3]]), ['']);
  });

  test('siblings carry their ids and versions, and a transaction sees those it has just saved', async () => {
    const scope = await newScope(at());
    const [first, second] = [placed(scope, scope, 'a0'), placed(scope, scope, 'a1')];
    await commit(at(), scope, () => ({ rows: [first] }));
    const query = { scope, parent: scope, from: null, direction: 'ascending', limit: 9 } as const;
    const answer = await at().write(async (tx) => {
      await tx.lockScopes([scope]);
      await tx.save({ ...emptyBatch, rows: [second] });
      return await tx.load({ ...nothing, siblings: [query] });
    });
    assert.deepEqual(answer.siblings, [
      [
        { id: first.id, key: 'a0', version: 1 },
        { id: second.id, key: 'a1', version: second.version },
      ],
    ]);
  });

  test('two siblings cannot have one key, in the trash or not', async () => {
    const scope = await newScope(at());
    const row = placed(scope, scope, 'a0', { fields: { del: { at: 5, by: 1 } } });
    await commit(at(), scope, () => ({ rows: [row] }));
    await assert.rejects(commit(at(), scope, () => ({ rows: [placed(scope, scope, 'a0')] })));
    await commit(at(), scope, () => ({ rows: [placed(scope, row.id, 'a0'), rowOf(scope), rowOf(scope)] }));
  });

  test('one save may permute keys and swap places', async () => {
    const scope = await newScope(at());
    const keys = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'];
    const rows = keys.map((key) => placed(scope, scope, key));
    await commit(at(), scope, () => ({ rows }));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...rows.keys()], { minLength: keys.length }), async (order) => {
        await commit(at(), scope, (version) => ({
          rows: rows.map((row, index) => placed(scope, scope, keys[order[index]!]!, { id: row.id, version })),
        }));
        const found = await Promise.all(rows.map((row) => stored(at(), scope, row.id)));
        assert.deepEqual(
          found.map((held) => fieldOf(held, 'place')?.key),
          order.map((n) => keys[n]),
        );
      }),
      { numRuns: 8, seed: 23 },
    );
  });
}
