// Due dates as a row shows them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DueDates } from './dates.ts';

/** Friday 27 November 2026, 09:00 UTC. */
const now = Date.UTC(2026, 10, 27, 9);

describe('due dates', () => {
  const dates = new DueDates({ now, zone: 'Europe/Paris', locale: 'en-GB', dayStart: 0 });

  test('near days have names, others a date', () => {
    const text = (on: string) => dates.show({ on }).text;
    assert.deepEqual(
      [text('2026-11-26'), text('2026-11-27'), text('2026-11-28')],
      ['yesterday', 'today', 'tomorrow'],
    );
    assert.match(text('2026-12-04'), /^Fri,? 4 Dec$/);
    assert.match(text('2027-01-05'), /5 Jan 2027/);
  });

  test('a day is overdue when it is over, a moment when it has passed', () => {
    assert.equal(dates.show({ on: '2026-11-27' }).overdue, false);
    assert.equal(dates.show({ on: '2026-11-26' }).overdue, true);
    assert.equal(dates.show({ at: now - 1, zone: 'UTC' }).overdue, true);
    assert.equal(dates.show({ local: '2026-11-27T09:59' }).overdue, true);
    assert.equal(dates.show({ local: '2026-11-27T10:01' }).overdue, false);
  });

  test('moments are shown where the person is', () => {
    assert.equal(
      dates.show({ at: Date.UTC(2026, 10, 27, 23, 30), zone: 'America/New_York' }).text,
      'tomorrow, 00:30',
    );
    assert.equal(dates.show({ local: '2026-11-27T17:00' }).text, 'today, 17:00');
  });
});
