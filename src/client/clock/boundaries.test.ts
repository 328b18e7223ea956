// The heap of moments ahead, against a plain list.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Boundaries } from './boundaries.ts';

describe('boundaries', () => {
  test('gives the soonest, and all that passed in their order', () => {
    const heap = new Boundaries();
    for (const [key, at] of Object.entries({ a: 30, b: 10, c: 20, d: 40 })) heap.set(key, at);
    assert.equal(heap.next, 10);
    heap.set('b', 35);
    heap.set('c', null);
    assert.equal(heap.next, 30);
    assert.deepEqual(heap.take(35), ['a', 'b']);
    assert.equal(heap.next, 40);
    assert.equal(heap.size, 1);
    heap.clear();
    assert.equal(heap.next, null);
  });

  test('agrees with a plain list over many changes', () => {
    const heap = new Boundaries();
    const plain = new Map<string, number>();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let step = 0; step < 20_000; step += 1) {
      const key = `k${random(300)}`;
      const at = random(5) === 0 ? null : random(1_000_000);
      heap.set(key, at);
      if (at === null) plain.delete(key);
      else plain.set(key, at);
      const least = plain.size === 0 ? null : Math.min(...plain.values());
      assert.equal(heap.next, least);
    }
    const passed = heap.take(500_000);
    const expected = [...plain].filter(([, at]) => at <= 500_000).map(([key]) => key);
    assert.deepEqual(passed.toSorted(), expected.toSorted());
  });
});
