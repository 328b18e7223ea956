// What is kept of rows that were read: never another state than the one asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { KeptRows } from './kept-rows.ts';

const scope = '01900000-0000-7000-8000-000000000001' as Id;
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const cells = (n: number, version: number, updatedAt = version) =>
  [scope, idOf(n), 'task', version, 1, updatedAt, JSON.stringify({ title: `${n} at ${version}` })] as const;
const titleOf = (row: { readonly fields: object }) => (row.fields as { title: string }).title;

describe('kept rows', () => {
  test('are the same objects until they change, and new ones then', () => {
    const kept = new KeptRows();
    const first = kept.read(cells(2, 5));
    assert.equal(kept.read(cells(2, 5)), first);
    assert.equal(kept.find({ scope, id: idOf(2), version: 5, updatedAt: 5 }), first);
    for (const other of [
      { scope, id: idOf(2), version: 6, updatedAt: 5 },
      { scope, id: idOf(2), version: 5, updatedAt: 6 },
      { scope: idOf(9), id: idOf(2), version: 5, updatedAt: 5 },
      { scope, id: idOf(3), version: 5, updatedAt: 5 },
    ])
      assert.equal(kept.find(other), undefined);
    assert.equal(titleOf(kept.read(cells(2, 6))), '2 at 6');
    // Of a database that was restored: the same version holds something else.
    assert.equal(titleOf(kept.read(cells(2, 5, 7))), '2 at 5');
    assert.notEqual(kept.read(cells(2, 5, 7)), first);
  });

  test('are bounded: those that nobody reads go, those in use stay', () => {
    const kept = new KeptRows();
    const used = kept.read(cells(2, 1));
    const left = { scope, id: idOf(3), version: 1, updatedAt: 1 };
    kept.read(cells(3, 1));
    for (let n = 10; n < 20_010; n += 1) {
      kept.read(cells(n, 1));
      if (n % 1_000 === 0) assert.equal(kept.read(cells(2, 1)), used);
    }
    assert.equal(kept.find(left), undefined);
  });

  test('stand on pages that are read anew when their scope has changed', () => {
    const kept = new KeptRows();
    let reads = 0;
    const page = (name: string, state: string) =>
      kept.page(name, state, () => {
        reads += 1;
        return [kept.read(cells(2, reads))];
      });
    const first = page('a', '1');
    assert.equal(page('a', '1'), first);
    assert.equal(reads, 1);
    assert.notEqual(page('a', '2'), first);
    page('b', '2');
    assert.equal(reads, 3);
  });
});
