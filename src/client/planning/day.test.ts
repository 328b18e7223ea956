// What is left of a day, tried against a minute by minute reckoning.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { freeIn, gapFor, minutesOf, type Span } from './day.ts';

const span: fc.Arbitrary<Span> = fc
  .tuple(fc.nat(200), fc.nat(200))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

describe('the time of a day', () => {
  test('[CAL-84] every minute is free or taken', () => {
    fc.assert(
      fc.property(span, fc.array(span, { maxLength: 6 }), fc.nat(220), (whole, taken, now) => {
        const free = freeIn(whole, taken, now);
        let count = 0;
        for (let minute = 0; minute < 220; minute += 1) {
          const isFree =
            minute >= Math.max(whole.from, now) &&
            minute < whole.to &&
            !taken.some(({ from, to }) => minute >= from && minute < to);
          assert.equal(
            free.some(({ from, to }) => minute >= from && minute < to),
            isFree,
          );
          if (isFree) count += 1;
        }
        assert.equal(minutesOf(free), count);
      }),
      { seed: 84 },
    );
  });

  test('[CAL-80] the first gap that is long enough begins at five minutes', () => {
    const free = [
      { from: 541, to: 570 },
      { from: 600, to: 631 },
      { from: 700, to: 800 },
    ];
    assert.equal(gapFor(free, 25), 545);
    assert.equal(gapFor(free, 30), 600);
    assert.equal(gapFor(free, 31), 600);
    assert.equal(gapFor(free, 32), 700);
    assert.equal(gapFor(free, 101), null);
    assert.deepEqual(freeIn(null, [], 0), []);
  });
});
