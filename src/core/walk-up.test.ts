// Walking up ends, in a tree and in a circle.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { walkUp } from './walk-up.ts';

describe('walking up', () => {
  it('names the start and all above it, nearest first', () => {
    const above: Record<string, string> = { leaf: 'branch', branch: 'root' };
    assert.deepEqual([...walkUp('leaf', (at) => above[at])], ['leaf', 'branch', 'root']);
    assert.deepEqual([...walkUp(undefined, () => 'never')], []);
  });

  it('[SYNC-33] ends in every circle, having met all of it', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.integer({ min: 1, max: 400 }), (tail, length) => {
        const end = tail + length - 1;
        const met = [...walkUp(0, (at) => (at === end ? tail : at + 1))];
        assert.equal(new Set(met).size, tail + length);
        assert.ok(met.length <= 3 * (tail + length));
      }),
      { seed: 11 },
    );
  });
});
