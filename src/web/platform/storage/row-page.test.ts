// Pages give back exactly the rows that went in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Row, Stamp } from '#sync/rows/row.ts';
import { decodePage, encodePage, isWhole, pageIds } from './row-page.ts';

const idArb = fc.uuid().map((id) => id as Id);
const stampArb = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()) as fc.Arbitrary<Stamp>;
const typeArb = fc.constantFrom<EntityType>(
  'task',
  'list',
  'label',
  'labelGroup',
  'mine',
  'completion',
  'setting',
  // One that only a newer program knows.
  'habit' as EntityType,
);
const textArb = fc.oneof(fc.string(), fc.constant(''), fc.constant('a\u0000b'), fc.constant('line\nline'));

const fieldsArb = fc.record(
  {
    title: fc.oneof(textArb, fc.constant(null)),
    name: textArb,
    place: fc.oneof(
      fc.record({ parent: idArb, key: textArb }),
      fc.record({ parent: idArb, key: textArb, more: fc.nat() }),
      fc.constant(null),
    ),
    notes: textArb,
    due: fc.record({ on: fc.constant('2026-11-27') }),
    value: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const rowArb: fc.Arbitrary<Row> = fc
  .record({
    id: idArb,
    type: typeArb,
    scope: idArb,
    version: fc.nat(),
    hops: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    fields: fieldsArb,
    stamp: stampArb,
    stamps: fc.option(fc.dictionary(fc.constantFrom('title', 'place', 'label:x'), stampArb), {
      nil: undefined,
    }),
    createdAt: fc.integer(),
    updatedAt: fc.nat(),
  })
  // As rows are everywhere: plain JSON, no absent values written out.
  .map((row) => JSON.parse(JSON.stringify(row)) as Row);

describe('row pages', () => {
  test('give back the rows that went in', () => {
    fc.assert(
      fc.property(fc.array(rowArb, { maxLength: 20 }), fc.array(idArb, { maxLength: 5 }), (rows, gone) => {
        const page = structuredClone(encodePage(rows, gone));
        assert.deepEqual(decodePage(page), rows);
        assert.deepEqual(
          pageIds(page),
          rows.map((row) => row.id),
        );
        assert.deepEqual(page.gone, gone);
      }),
      { seed: 22 },
    );
  });

  test('are as before where no row has moved to another scope, and notice damage where one has', () => {
    const [row] = fc.sample(rowArb, { numRuns: 1, seed: 1 });
    assert.ok(row);
    const { hops: _none, ...unmoved } = row;
    const plain = encodePage([unmoved]);
    assert.deepEqual([plain.format, 'hops' in plain], [2, false]);
    const moved = encodePage([{ ...row, hops: 3 }]);
    assert.equal(moved.format, 3);
    assert.ok(isWhole(moved));
    assert.ok(!isWhole({ ...moved, hops: Uint32Array.of(4) }));
    assert.ok(!isWhole({ ...moved, hops: 3 }));
  });

  test('build only the rows that are wanted', () => {
    const [a, b] = fc.sample(rowArb, { numRuns: 2, seed: 1 });
    assert.ok(a && b);
    assert.deepEqual(
      decodePage(encodePage([a, b]), (id) => id === b.id),
      [b],
    );
  });
});
