// A run that keeps what it no longer needs is noticed, one that only varies is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growthOf } from './growth.ts';

const MEGABYTE = 1_048_576;

describe('memory over a run', () => {
  it('that keeps a megabyte with every portion is growing', () => {
    const samples = Array.from({ length: 90 }, (_, index) => (40 + index) * MEGABYTE);
    assert.deepEqual(growthOf(samples), { thirds: [40, 70, 100].map((n) => n * MEGABYTE), isGrowing: true });
  });

  it('that varies is not', () => {
    const samples = Array.from({ length: 90 }, (_, index) => (40 + (index % 7)) * MEGABYTE);
    assert.equal(growthOf(samples)?.isGrowing, false);
  });

  it('of a few portions says nothing', () => {
    assert.equal(growthOf([1, 2, 3]), null);
  });
});
