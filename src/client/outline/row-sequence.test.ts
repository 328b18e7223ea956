// The chunked sequence against a plain array: every operation must agree.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import { RowSequence } from './row-sequence.ts';

interface Step {
  readonly at: number;
  readonly remove: number;
  readonly insert: number;
}

const step = fc.record({
  at: fc.nat(4000),
  remove: fc.oneof(fc.nat(3), fc.nat(900)),
  insert: fc.oneof(fc.nat(3), fc.nat(2500)),
});

function run(steps: readonly Step[]): void {
  const sequence = new RowSequence();
  let model: { id: Id; level: number }[] = [];
  let serial = 0;
  for (const { at, remove, insert } of steps) {
    const start = at % (model.length + 1);
    const count = Math.min(remove, model.length - start);
    const added = Array.from({ length: insert }, () => ({
      id: `id${serial++}` as Id,
      level: 1 + (serial % 5),
    }));
    sequence.splice(start, count, {
      ids: added.map(({ id }) => id),
      levels: added.map(({ level }) => level),
    });
    const removed = model.slice(start, start + count);
    model = [...model.slice(0, start), ...added, ...model.slice(start + count)];
    assert.equal(sequence.length, model.length);
    assert.deepEqual(
      sequence.slice(0, model.length),
      model.map(({ id }) => id),
    );
    for (const { id } of removed) assert.equal(sequence.indexOf(id), -1);
    for (const probe of [0, start, start + insert, model.length - 1, model.length >> 1]) {
      const line = model[probe];
      assert.equal(sequence.at(probe), line?.id);
      if (!line) continue;
      assert.equal(sequence.levelAt(probe), line.level);
      assert.equal(sequence.indexOf(line.id), probe);
      assert.equal(sequence.levelOf(line.id), line.level);
    }
  }
}

describe('RowSequence', () => {
  test('agrees with an array under any splices', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 12 }), run), { numRuns: 120, seed: 7 });
  });

  test('replacing everything forgets what was there', () => {
    const sequence = new RowSequence();
    sequence.splice(0, 0, { ids: ['a' as Id, 'b' as Id], levels: [1, 2] });
    sequence.replaceAll({ ids: ['b' as Id], levels: [3] });
    assert.equal(sequence.indexOf('a' as Id), -1);
    assert.equal(sequence.levelOf('b' as Id), 3);
    assert.equal(sequence.at(1), undefined);
  });

  test('a subtree ends before the next line of its level or above', () => {
    const sequence = new RowSequence();
    const ids = ['a', 'b', 'c', 'd', 'e'] as Id[];
    sequence.replaceAll({ ids, levels: [1, 2, 3, 2, 1] });
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((index) => sequence.subtreeEnd(index)),
      [4, 3, 3, 4, 5],
    );
  });
});
