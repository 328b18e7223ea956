// Days, instants and floating times.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { momentOf } from './when.ts';

describe('the moment of a date', () => {
  test('is its own, the midnight of a day, or the time by the clock of the zone', () => {
    const at = Date.UTC(2026, 10, 27, 9);
    assert.equal(momentOf({ at, zone: 'Asia/Tokyo' }, 'UTC'), at);
    assert.equal(momentOf({ on: '2026-11-27' }, 'Asia/Tokyo'), Date.UTC(2026, 10, 26, 15));
    assert.equal(momentOf({ local: '2026-11-27T17:30' }, 'Asia/Tokyo'), Date.UTC(2026, 10, 27, 8, 30));
  });

  test('moves on where the zone skips it', () => {
    assert.equal(momentOf({ local: '2026-03-29T02:30' }, 'Europe/Berlin'), Date.UTC(2026, 2, 29, 1, 30));
  });
});
