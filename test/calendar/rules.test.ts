// Repeats of calendars: the examples of the standard and what programs get wrong about them; and the same rules in a second library.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import ICAL from 'ical.js';
import { event, linesOf } from './reading.ts';
import type { RuleCase } from './rules.ts';
import { ruleCases } from './rules-others.ts';

const ZONE = 'America/New_York';
const isDay = ({ start }: RuleCase) => start.length === 8;

function startsOf(given: RuleCase): string[] {
  const start = isDay(given) ? `DTSTART;VALUE=DATE:${given.start}` : `DTSTART;TZID=${ZONE}:${given.start}`;
  const lines = linesOf(event('UID:1', 'SUMMARY:x', start, `RRULE:${given.rule}`), { ...given, zone: ZONE });
  const usual = `${given.start.slice(9, 11)}:${given.start.slice(11, 13)}`;
  const hasTimes = given.expected.some((each) => each.includes(' '));
  return lines.map((line) => {
    const [day = '', time = ''] = line.split(/[ -](?=\d\d:|x)/);
    assert.ok(isDay(given) || hasTimes || time === usual, `${line} is not at ${usual}`);
    return hasTimes ? `${day} ${time}` : day.slice(0, 10);
  });
}

/** Rules that the second library reads wrongly, or never ends with: it was looked at by hand. */
const WRONG_THERE = new Set([
  'a day that never is',
  'the twentieth Monday of the year',
  'Monday of week twenty',
  'the twenty-ninth of February',
  'week 53, which few years have',
]);

/** The days of a rule in the second library, which knows no window. */
function inOther({ start, rule, from, to }: RuleCase): string[] {
  const day = `${start.slice(0, 4)}-${start.slice(4, 6)}-${start.slice(6, 8)}`;
  const clock = `${start.slice(9, 11)}:${start.slice(11, 13)}:${start.slice(13, 15)}`;
  const time = start.length === 8 ? day : `${day}T${clock}`;
  const iterator = ICAL.Recur.fromString(rule.trim().toUpperCase()).iterator(
    ICAL.Time.fromString(time, undefined as never),
  );
  const days: string[] = [];
  for (let next = iterator.next(); next; next = iterator.next()) {
    const day = next.toString().slice(0, 10);
    if (day >= to) break;
    if (day >= from) days.push(day);
  }
  return days;
}

describe('repeats of calendars', () => {
  for (const given of ruleCases)
    test(`[CAL-1] ${given.name}`, () => assert.deepEqual(startsOf(given), given.expected));

  test('[CAL-1] are those of a second library', () => {
    let compared = 0;
    for (const given of ruleCases) {
      // Ends in UTC mean other days there, and a first time that its rule doesn’t say is not in it.
      if (WRONG_THERE.has(given.name) || /UNTIL|HOURLY|MINUTELY/i.test(given.rule)) continue;
      const ours = startsOf(given).map((each) => each.slice(0, 10));
      const theirs = inOther(given);
      const first = given.name === 'Friday the thirteenth, and the first time' ? ours.slice(1) : ours;
      assert.deepEqual(first, theirs, given.name);
      compared += 1;
    }
    assert.ok(compared >= 40, String(compared));
  });
});
