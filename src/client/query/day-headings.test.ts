// The headings of lists that are sorted by date.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ZoneClock } from '#sync/query/when-code.ts';
import { codeOf } from '#sync/query/when-code.ts';
import { DayHeadings } from './day-headings.ts';

const headings = (today: string, weekStart = 1, zone = 'UTC') =>
  new DayHeadings({
    today: Temporal.PlainDate.from(today),
    clock: new ZoneClock(zone),
    locale: 'en-GB',
    weekStart,
    evening: 18,
  });

const said = (of: DayHeadings, day: string) => {
  const { text, detail } = of.groupOf(codeOf({ on: day })).heading;
  // Languages put other spaces around the dash.
  return [text.replaceAll(/\s*–\s*/g, '–'), detail].filter((part) => part !== '').join(', ');
};

describe('headings by day', () => {
  test('days, then weeks from their first day on, then months', () => {
    const monday = headings('2026-11-27');
    assert.deepEqual(
      ['2026-11-26', '2026-11-27', '2026-11-28', '2026-12-03', '2026-12-04', '2026-12-06', '2026-12-07'].map(
        (day) => said(monday, day),
      ),
      [
        'Overdue',
        'Today, Friday 27 November',
        'Tomorrow, Saturday 28 November',
        'Thursday, 3 December',
        '4–6 December',
        '4–6 December',
        '7–13 December',
      ],
    );
    assert.deepEqual(
      ['2026-12-28', '2027-01-04', '2027-02-01', '2028-02-01'].map((day) => said(monday, day)),
      ['28 December 2026–3 January 2027', 'January 2027', 'February 2027', 'February 2028'],
    );
    const sunday = headings('2026-11-27', 7);
    assert.equal(said(sunday, '2026-12-05'), '4–5 December');
    assert.equal(said(sunday, '2026-12-06'), '6–12 December');
    assert.equal(said(headings('2026-11-27', 6), '2026-12-04'), '4 December');
    assert.equal(monday.groupOf(Number.NaN).heading.text, 'No date');
  });

  test('the wall clock of the person decides, and the evening begins at its hour', () => {
    const tokyo = headings('2026-11-27', 1, 'Asia/Tokyo');
    const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
    const text = (instant: string) => tokyo.groupOf(at(instant)).heading.text;
    assert.equal(text('2026-11-26T14:59Z'), 'Overdue');
    assert.equal(text('2026-11-26T15:00Z'), 'Today');
    assert.equal(text('2026-11-27T08:59Z'), 'Today');
    assert.equal(text('2026-11-27T09:00Z'), 'This evening');
    assert.equal(text('2026-11-27T15:00Z'), 'Tomorrow');
    assert.equal(tokyo.groupOf(codeOf({ local: '2026-11-27T18:30' })).day, '2026-11-27');
  });

  test('what is sorted stands under each heading in one piece', () => {
    const day = fc.integer({ min: -40, max: 900 });
    const start = fc
      .integer({ min: 0, max: 4_000 })
      .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }));
    fc.assert(
      fc.property(start, fc.constantFrom(1, 6, 7), fc.array(day, { maxLength: 60 }), (today, week, days) => {
        const of = headings(today.toString(), week);
        const sorted = days.toSorted((a, b) => a - b).map((ahead) => today.add({ days: ahead }).toString());
        const keys = sorted.map((on) => of.groupOf(codeOf({ on })).key);
        const runs = keys.filter((key, index) => key !== keys[index - 1]);
        assert.equal(new Set(runs).size, runs.length);
        for (const on of sorted) {
          const group = of.groupOf(codeOf({ on }));
          assert.ok(group.day === null || group.day === on);
        }
      }),
    );
  });
});
