// Calendar files with anything in them: they are read to an end, within limits, and never cost the entries beside them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calendarLimits } from '#core/calendar/events.ts';
import { beginningOf, endingOf, readCalendar } from '#core/calendar/read-calendar.ts';
import { createRandom } from '../keystrokes/naive.ts';
import { readingCases } from './cases/all.ts';
import { event, momentIn } from './reading.ts';

const WINDOW = {
  from: momentIn('2026-11-01T00:00'),
  to: momentIn('2026-12-01T00:00'),
  zone: 'Europe/Berlin',
};
const GOOD = event('UID:good', 'SUMMARY:good', 'DTSTART:20261102T090000Z', 'DURATION:PT1H');
const PIECES = [
  ':',
  ';',
  ',',
  '\\',
  '"',
  '=',
  '\n',
  '\n ',
  'BEGIN:VEVENT\n',
  'END:VEVENT\n',
  'END:VCALENDAR\n',
  'BEGIN:VTIMEZONE\n',
  'RRULE:FREQ=SECONDLY\n',
  'RRULE:FREQ=YEARLY;BYDAY=54MO\n',
  'DTSTART:00000000T000000\n',
  'DTSTART:99999999T999999Z\n',
  'DURATION:P99999999999W\n',
  'EXDATE:20261102T090000Z\n',
  'RECURRENCE-ID:20261102T090000Z\n',
  '\u0000',
  '\u202e',
  '💥',
  '9'.repeat(400),
];

describe('calendar files with anything in them', () => {
  test('[CAL-4] are read to an end, and what is read lies in the window and has an end after its start', () => {
    const random = createRandom(20_261_130);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    for (let round = 0; round < 1_500; round += 1) {
      const entries = Array.from({ length: 1 + random(4) }, () => pick(readingCases).entries);
      let text = entries.join('\n');
      if (!text.includes('BEGIN:VCALENDAR')) text = `BEGIN:VCALENDAR\n${text}\nEND:VCALENDAR`;
      for (let change = 0; change < 4; change += 1) {
        const at = random(text.length);
        const skipped = random(2) === 0 ? 0 : random(30);
        text = text.slice(0, at) + pick(PIECES) + text.slice(at + skipped);
      }
      const read = readCalendar(text, WINDOW);
      if (!read.ok) continue;
      for (const each of read.value.events) {
        const [begin, end] = [beginningOf(each, WINDOW.zone), endingOf(each, WINDOW.zone)];
        assert.ok(begin < WINDOW.to && end >= WINDOW.from && end >= begin, JSON.stringify(each));
        assert.ok(each.title.length > 0 && [...each.title].length <= calendarLimits.titleCharacters);
      }
    }
  });

  test('[CAL-4] what one entry has in it costs none of the others', () => {
    const random = createRandom(7);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    const lines = PIECES.filter((piece) => !/BEGIN|END/.test(piece));
    for (let round = 0; round < 500; round += 1) {
      const bad = event(
        'UID:bad',
        ...Array.from({ length: 5 }, () => `X${pick(lines)}${pick(lines)}`.replaceAll('\n', '')),
      );
      const read = readCalendar(`BEGIN:VCALENDAR\n${bad}\n${GOOD}\nEND:VCALENDAR`, WINDOW);
      assert.ok(read.ok && read.value.events.some(({ title }) => title === 'good'), bad);
    }
  });

  test('[CAL-5] over the limits the first are read, and that is said', () => {
    const many = Array.from({ length: 5_001 }, (_, n) =>
      event(`UID:${n}`, 'SUMMARY:x', 'DTSTART:20261102T090000Z'),
    );
    const read = readCalendar(`BEGIN:VCALENDAR\n${many.join('\n')}\nEND:VCALENDAR`, WINDOW);
    assert.ok(read.ok && read.value.isCut);
    assert.equal(read.value.events.length, calendarLimits.events);
  });
});
