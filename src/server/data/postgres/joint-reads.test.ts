// Reads that go together: each after it was asked for, one statement for all of a turn.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jointly } from './joint-reads.ts';

describe('joint reads', () => {
  test('of one turn are one, each key once; what is asked for later is read later', async () => {
    const loads: (readonly number[])[] = [];
    const read = jointly((keys: readonly number[]) => {
      loads.push(keys);
      return Promise.resolve(new Map(keys.filter((key) => key > 1).map((key) => [key, key * 10])));
    });
    assert.deepEqual(await Promise.all([read(1), read(2), read(3), read(2)]), [undefined, 20, 30, 20]);
    assert.deepEqual(loads, [[1, 2, 3]]);
    assert.equal(await read(2), 20);
    assert.deepEqual(loads, [[1, 2, 3], [2]]);
  });

  test('share a failure, and go on after it', async () => {
    let isGone = true;
    const read = jointly((keys: readonly number[]) =>
      isGone ? Promise.reject(new Error('gone')) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    );
    const both = await Promise.allSettled([read(1), read(2)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    isGone = false;
    assert.equal(await read(1), 1);
  });
});
