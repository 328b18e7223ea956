// RRULE as rules of repeats: the table of what can be held, and what is lost by name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRecurrence, spanMinutes } from '#core/formats/import/recurrence.ts';

const of = (text: string) => {
  const read = readRecurrence(text);
  if (!read) return null;
  const { value, also, unit, metadata } = read.rule;
  const days = metadata === null ? [] : Object.values(metadata).flat();
  const lost = read.lost.length === 0 ? '' : ` lost ${read.lost.join(' ')}`;
  return `${[value, ...(also ?? [])].join('+')} ${unit} ${days.join(' ')}`.trim() + lost;
};

describe('RRULE', () => {
  const table: readonly (readonly [rule: string, says: string | null])[] = [
    ['FREQ=DAILY', '1 days'],
    ['RRULE:FREQ=HOURLY;INTERVAL=6', '6 hours'],
    ['FREQ=DAILY;BYDAY=MO,TU', '1 weeks Mon Tue'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=MO', '2 weeks Mon Wed'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU', '2 weeks Mon lost WKST'],
    ['FREQ=MONTHLY', '1 months'],
    ['FREQ=MONTHLY;BYMONTHDAY=15,-1', '1 months 15 last day'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2', null],
    ['FREQ=MONTHLY;BYDAY=2TU', '2 nth-weekday Tue'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '-1 nth-weekday Fri'],
    ['FREQ=MONTHLY;BYDAY=1MO,3MO', '1+3 nth-weekday Mon'],
    ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', '2 nth-weekday Tue'],
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU', null],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '-1 nth-business-day-of-month'],
    ['FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1', '1 nth-weekend-day-of-month'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=3', '1 years'],
    ['FREQ=YEARLY;BYMONTH=2,5', null],
    ['FREQ=YEARLY;BYDAY=1MO', null],
    ['FREQ=DAILY;UNTIL=20270101;COUNT=3', '1 days lost UNTIL COUNT'],
    ['FREQ=DAILY;BYHOUR=9', '1 days lost BYHOUR'],
    ['FREQ=DAILY;X-OWN=1', '1 days lost X-OWN'],
    ['FREQ=DAILY;INTERVAL=0', null],
    ['FREQ=SECONDLY', null],
    ['every day', null],
  ];
  for (const [rule, says] of table) test(rule, () => assert.equal(of(rule), says));

  test('spans are minutes, negative before', () => {
    assert.equal(spanMinutes('-PT15M'), -15);
    assert.equal(spanMinutes('P4DT3H2M1S'), 4 * 1_440 + 182);
    assert.equal(spanMinutes('-P1W'), -10_080);
    assert.equal(spanMinutes('PT0S'), 0);
    for (const text of ['', 'P', 'PT', '15M']) assert.equal(spanMinutes(text), null);
  });
});
