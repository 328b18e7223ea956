// Order keys of runs: rows that are put one after the other, above each other, or in an order, need no long keys.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { keyBetween } from './order-keys.ts';

/** A list as the server keeps it: each place with its key and when it was taken. */
class List {
  readonly rows: { readonly id: number; readonly key: string; readonly version: number }[];
  #version = 0;

  constructor(length: number) {
    this.rows = generateNKeysBetween(null, null, length).map((key, id) => ({ id, key, version: 0 }));
  }

  at(index: number, id: number): void {
    const [low, high] = [this.rows[index - 1], this.rows[index]];
    const key = keyBetween(low, high);
    assert.ok(low === undefined || low.key < key, `${low?.key} is below ${key}`);
    assert.ok(high === undefined || key < high.key, `${key} is below ${high?.key}`);
    // The library refuses what is no key.
    generateKeyBetween(key, null);
    this.#version += 1;
    this.rows.splice(index, 0, { id, key, version: this.#version });
  }

  after(anchor: number, id: number): void {
    this.at(this.rows.findIndex((row) => row.id === anchor) + 1, id);
  }

  move(id: number, anchor: number): void {
    this.rows.splice(
      this.rows.findIndex((row) => row.id === id),
      1,
    );
    this.after(anchor, id);
  }

  longest(): number {
    return Math.max(...this.rows.map(({ key }) => key.length));
  }
}

const MANY = 3_000;

describe('the order keys of runs', () => {
  it('[SYNC-175] stay short where one row follows the other in the middle of a list', () => {
    const list = new List(10);
    let last = 5;
    for (let id = 10; id < MANY; id += 1) {
      list.after(last, id);
      last = id;
    }
    assert.ok(list.longest() <= 12, `${list.longest()} characters`);
  });

  it('[SYNC-175] stay short where all are put above each other', () => {
    const list = new List(10);
    for (let id = 10; id < MANY; id += 1) list.after(5, id);
    assert.ok(list.longest() <= 12, `${list.longest()} characters`);
  });

  it('[SYNC-175] stay short where a list is sorted by moves, again and again', () => {
    const list = new List(500);
    for (const by of [7, 11, 13]) {
      const order = list.rows.map(({ id }) => id).toSorted((a, b) => ((a * by) % 503) - ((b * by) % 503));
      for (const [index, id] of order.entries()) if (index > 0) list.move(id, order[index - 1] ?? 0);
      assert.deepEqual(
        list.rows.map(({ id }) => id),
        order,
      );
    }
    assert.ok(list.longest() <= 16, `${list.longest()} characters`);
  });

  it('are keys, and between their neighbors, wherever a row goes', () => {
    const places = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat()), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(places, fc.nat({ max: 4 }), (inserts, length) => {
        const list = new List(length);
        let last = 0;
        for (const [index, [kind, at]] of inserts.entries()) {
          const anywhere = at % (list.rows.length + 1);
          // Mostly beside what was put there last: that is where keys grow.
          last = kind === 0 ? anywhere : Math.min(list.rows.length, last + (kind === 1 ? 1 : 0));
          list.at(last, length + index);
        }
      }),
      { numRuns: 300, seed: 29 },
    );
  });
});
