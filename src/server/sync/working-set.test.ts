// What a write transaction has read of siblings: however often it asks, each answer brings it on.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Sibling } from '#sync/rows/placement.ts';
import type { Row } from '#sync/rows/row.ts';
import { openDatabase } from '../data/database.ts';
import { MissingRead, WorkingSet } from './working-set.ts';

const idOf = (n: number): Id => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const scope = idOf(1);
const parent = idOf(2);
const other = idOf(3);
const STORED = 4;
/** Reads that one question may need: some for what was written since, one for what lies beyond. */
const MOST_READS = 8;

const rowOf = (n: number, place: { readonly parent: Id; readonly key: string }): Row => ({
  id: idOf(10 + n),
  type: 'task',
  scope,
  version: 1 + n,
  fields: { title: `Task ${n}`, place },
  stamp: [1, 1, 1, 1],
  createdAt: 1,
  updatedAt: 1 + n,
});

describe('the siblings of a write transaction', () => {
  it('asks for each stretch once, also where two stretches end at the same sibling', async () => {
    const database = await openDatabase({ dataDir: ':memory:' });
    const { store } = database;
    await store.createScope({ id: scope, kind: 'personal', owner: 1 });
    const rows = Array.from({ length: STORED }, (_, n) => rowOf(n, { parent, key: `a${n}` }));
    await store.write(async (tx) => {
      const head = (await tx.lockScopes([scope])).get(scope);
      assert.ok(head);
      await tx.save({
        scopes: [{ ...head, version: STORED }],
        scopeGenerations: [],
        rows,
        tombstones: [],
        devices: [],
        results: [],
        forgetResults: [],
        history: [],
      });
    });
    await store.write(async (tx) => {
      const set = new WorkingSet(scope);
      const siblings = [
        { scope, parent, from: 'a0', direction: 'ascending' as const, limit: STORED - 1 },
        { scope, parent, from: null, direction: 'ascending' as const, limit: STORED },
      ];
      await set.load(tx, { rows: rows.map(({ id }) => ({ scope, id })), ancestors: [], siblings });
      rows.forEach((_, n) => set.put(rowOf(n, { parent: other, key: `a${n}` })));
      let found: Sibling | 'unread' | undefined = 'unread';
      for (let reads = 0; found === 'unread' && reads < MOST_READS; reads += 1) {
        try {
          found = set.neighbour(parent, null, 'ascending', idOf(99));
        } catch (error) {
          if (!(error instanceof MissingRead)) throw error;
          await set.load(tx, error.want);
        }
      }
      assert.equal(found, undefined, 'all of them were moved away');
    });
    await database.close();
  });

  it('passes over what left for another scope, until that is taken back', async () => {
    const rows = [rowOf(0, { parent, key: 'a0' }), rowOf(1, { parent, key: 'a1' })] as const;
    const set = new WorkingSet(scope);
    set.learnTree([rowOf(-8, { parent: other, key: 'a0' }), ...rows]);
    const first = () => set.neighbour(parent, null, 'ascending', idOf(99))?.id;
    assert.equal(first(), rows[0].id);
    const mark = set.mark();
    set.release({ scope, id: rows[0].id, to: other, hops: 1, was: 1, version: 5, left: 2 });
    assert.equal(first(), rows[1].id);
    assert.deepEqual(set.lookup(rows[0].id), { type: 'elsewhere', scope: other });
    assert.deepEqual(set.releasedSince(mark), [rows[0]]);
    set.rollback(mark);
    assert.equal(first(), rows[0].id);
    assert.deepEqual([set.row(rows[0].id), set.departures()], [rows[0], []]);
  });
});
