// Calendar files in their situations (cases/), and what is no calendar at all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCalendar } from '#core/calendar/read-calendar.ts';
import { readingCases } from './cases/all.ts';
import { linesOf, momentIn } from './reading.ts';
import { ruleCases } from './rules-others.ts';

const WINDOW = {
  from: momentIn('2026-11-01T00:00'),
  to: momentIn('2026-12-01T00:00'),
  zone: 'Europe/Berlin',
};

describe('calendar files', () => {
  for (const { name, entries, expected, window } of readingCases)
    test(`[CAL-2] ${name}`, () => assert.deepEqual(linesOf(entries, window), expected));

  test('[CAL-2] are at least two hundred situations', () => {
    const names = [...readingCases, ...ruleCases].map(({ name }) => name);
    assert.ok(names.length >= 200, String(names.length));
    assert.equal(new Set(names).size, names.length);
  });

  test('[CAL-3] what is no calendar is said to be none', () => {
    for (const text of ['', '<!DOCTYPE html><html></html>', '{"error":"sign in"}', 'Begin your calendar'])
      assert.deepEqual(readCalendar(text, WINDOW), { ok: false, problem: 'not_calendar' });
    assert.deepEqual(readCalendar(' '.repeat(20_000_001), WINDOW), { ok: false, problem: 'too_large' });
  });
});
