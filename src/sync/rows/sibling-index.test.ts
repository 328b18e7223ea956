// The order of siblings, held to what looking at all of them says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { SiblingIndex } from './sibling-index.ts';
import { asRow, fieldOf, type Row } from './row.ts';

const PARENT = 'parent' as Id;

function rowOf(id: string, key: string | null, title = ''): Row {
  const place = key === null ? {} : { place: { parent: PARENT, key } };
  return asRow({
    id: id as Id,
    type: 'task',
    scope: 'scope' as Id,
    version: 1,
    fields: { title, ...place },
    stamp: [1, 0, 0, 1],
    createdAt: 0,
    updatedAt: 0,
  });
}

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function keyOf(row: Row): string {
  return must(fieldOf(row, 'place'), 'a sibling has a place').key;
}

/** What it has to say, found by looking at everything. */
function inOrder(rows: Iterable<Row>): Row[] {
  return [...rows].toSorted((a, b) => {
    if (keyOf(a) !== keyOf(b)) return keyOf(a) < keyOf(b) ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}

function assertSame(index: SiblingIndex, rows: ReadonlyMap<string, Row>, random: (below: number) => number) {
  const ordered = inOrder(rows.values());
  assert.deepEqual(
    index.of(PARENT).map(({ id }) => id),
    ordered.map(({ id }) => id),
  );
  const from = ordered[random(ordered.length)];
  if (from === undefined) return;
  const skip = ordered[random(ordered.length)]?.id ?? from.id;
  const others = ordered.filter(({ id }) => id !== skip);
  const sought = keyOf(from);
  const above = others.find((row) => keyOf(row) > sought);
  const below = others.findLast((row) => keyOf(row) < sought);
  assert.equal(index.neighbour(PARENT, sought, 'ascending', skip)?.id, above?.id);
  assert.equal(index.neighbour(PARENT, sought, 'descending', skip)?.id, below?.id);
  assert.equal(index.neighbour(PARENT, null, 'ascending', skip)?.id, others[0]?.id);
  assert.equal(index.neighbour(PARENT, null, 'descending', skip)?.id, others.at(-1)?.id);
}

describe('sibling index', () => {
  test('keeps thousands of siblings in order while they come, move and go', () => {
    for (const seed of [1, 2, 3]) {
      const random = numbers(seed);
      const index = new SiblingIndex();
      const rows = new Map<string, Row>();
      for (let at = 0; at < 3_000; at += 1) {
        const row = rowOf(`r${at}`, `k${random(2_000)}`);
        rows.set(row.id, row);
        // Pages from the disk come in any order, or in theirs.
        if (at % 7 === 0) index.replace(undefined, row);
        else index.append(row);
      }
      assertSame(index, rows, random);
      for (let at = 0; at < 6_000; at += 1) {
        const before = rows.get(`r${random(4_000)}`);
        const after = random(5) < 2 ? undefined : rowOf(before?.id ?? `r${at % 4_000}`, `k${random(2_000)}`);
        const held = before ?? (after && rows.get(after.id));
        index.replace(held, after);
        if (after) rows.set(after.id, after);
        else if (held) rows.delete(held.id);
        if (at % 500 === 0) assertSame(index, rows, random);
      }
      for (const row of rows.values()) index.replace(row, undefined);
      assert.deepEqual(index.of(PARENT), []);
    }
  });

  test('takes changes before anybody has read the order', () => {
    for (const seed of [4, 5, 6]) {
      const random = numbers(seed);
      const index = new SiblingIndex();
      const rows = new Map<string, Row>();
      for (let at = 0; at < 2_000; at += 1) {
        const id = `r${random(300)}`;
        const held = rows.get(id);
        const kept = held === undefined ? undefined : keyOf(held);
        const key = kept !== undefined && random(3) === 0 ? kept : `k${random(2_000)}`;
        const after = held !== undefined && random(2) === 0 ? undefined : rowOf(id, key, `title ${at}`);
        if (held === undefined && after !== undefined && random(2) === 0) index.append(after);
        else index.replace(held, after);
        if (after) rows.set(id, after);
        else rows.delete(id);
      }
      assertSame(index, rows, random);
      assert.deepEqual(index.of(PARENT), inOrder(rows.values()));
    }
  });

  test('is empty when all that came has left before anybody read it', () => {
    const index = new SiblingIndex();
    const rows = ['k2', 'k1', 'k3'].map((key, at) => rowOf(`r${at}`, key));
    for (const row of rows) index.append(row);
    for (const row of rows) index.replace(row, undefined);
    assert.deepEqual(index.of(PARENT), []);
    assert.equal(index.neighbour(PARENT, null, 'ascending', 'none' as Id), undefined);
    assert.equal(index.neighbour(PARENT, 'k1', 'descending', 'none' as Id), undefined);
    const late = rowOf('late', 'k5');
    index.replace(undefined, late);
    assert.deepEqual(index.of(PARENT), [late]);
  });

  test('holds the latest of a row that stays where it is', () => {
    const index = new SiblingIndex();
    const rows = Array.from({ length: 1_000 }, (_, at) => rowOf(`r${at}`, `k${1_000 + at}`));
    for (const row of rows) index.append(row);
    assert.equal(index.of(PARENT).length, 1_000);
    const renamed = rowOf('r700', 'k1700', 'Renamed');
    index.replace(rows[700], renamed);
    assert.equal(index.of(PARENT)[700], renamed);
    assert.equal(index.neighbour(PARENT, 'k1700', 'ascending', 'r701' as Id)?.id, 'r702');
  });
});
