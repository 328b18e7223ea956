// Series with times taken out, added and changed.
import { all, atNine, type Case, NINE, one, SAME_HOUR } from './words.ts';
import { event } from '../reading.ts';

const daily = [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'];
const second = '2026-11-03 09:00-10:00 x';
const third = '2026-11-04 09:00-10:00 x';
const series = (...others: readonly string[]) =>
  [event('UID:1', 'SUMMARY:x', ...daily), ...others].join('\n');
const changed = (...lines: readonly string[]) =>
  event('UID:1', 'RECURRENCE-ID;TZID=Europe/Berlin:20261103T090000', ...lines);
/** Series and what was changed in them. */
export const seriesCases: readonly Case[] = [
  one('one taken out', [...daily, 'EXDATE;TZID=Europe/Berlin:20261103T090000'], [...SAME_HOUR, third]),
  one('one taken out in UTC', [...daily, 'EXDATE:20261103T080000Z'], [...SAME_HOUR, third]),
  one(
    'one taken out in another zone',
    [...daily, 'EXDATE;TZID=America/New_York:20261103T030000'],
    [...SAME_HOUR, third],
  ),
  one('one taken out by its day', [...daily, 'EXDATE;VALUE=DATE:20261103'], [...SAME_HOUR, third]),
  one('one taken out without a zone', [...daily, 'EXDATE:20261103T090000'], [...SAME_HOUR, third]),
  one(
    'several taken out in one line',
    [...daily, 'EXDATE;TZID=Europe/Berlin:20261102T090000,20261104T090000'],
    [second],
  ),
  one(
    'several taken out in several lines',
    [...daily, 'EXDATE;TZID=Europe/Berlin:20261102T090000', 'EXDATE;TZID=Europe/Berlin:20261104T090000'],
    [second],
  ),
  one(
    'all taken out',
    [...daily, 'EXDATE;TZID=Europe/Berlin:20261102T090000,20261103T090000,20261104T090000'],
    [],
  ),
  one(
    'a time taken out that isn’t one of them',
    [...daily, 'EXDATE;TZID=Europe/Berlin:20261103T093000'],
    [...SAME_HOUR, second, third],
  ),
  one(
    'a day taken out of days',
    ['DTSTART;VALUE=DATE:20261102', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261103'],
    ['2026-11-02 x', '2026-11-04 x'],
  ),
  one(
    'a time taken out of days',
    ['DTSTART;VALUE=DATE:20261102', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261103T000000'],
    ['2026-11-02 x', '2026-11-04 x'],
  ),
  one('a broken time taken out', [...daily, 'EXDATE:nothing'], [...SAME_HOUR, second, third]),
  one(
    'one added',
    [...daily, 'RDATE;TZID=Europe/Berlin:20261110T120000'],
    [...SAME_HOUR, second, third, '2026-11-10 12:00-13:00 x'],
  ),
  one(
    'one added in UTC',
    [...daily, 'RDATE:20261110T110000Z'],
    [...SAME_HOUR, second, third, '2026-11-10 12:00-13:00 x'],
  ),
  one(
    'one added by its day',
    [...daily, 'RDATE;VALUE=DATE:20261110'],
    [...SAME_HOUR, second, third, '2026-11-10 09:00-10:00 x'],
  ),
  one(
    'one added that is there is there once',
    [...daily, 'RDATE;TZID=Europe/Berlin:20261103T090000'],
    [...SAME_HOUR, second, third],
  ),
  one(
    'added times without a rule',
    [
      `DTSTART;TZID=Europe/Berlin:${NINE}`,
      'DURATION:PT1H',
      'RDATE;TZID=Europe/Berlin:20261110T090000,20261117T090000',
    ],
    [...SAME_HOUR, '2026-11-10 09:00-10:00 x', '2026-11-17 09:00-10:00 x'],
  ),
  one(
    'an added period',
    [
      `DTSTART;TZID=Europe/Berlin:${NINE}`,
      'DURATION:PT1H',
      'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261110T090000/PT2H',
    ],
    [...SAME_HOUR, '2026-11-10 09:00-10:00 x'],
  ),
  one(
    'two rules',
    [
      `DTSTART;TZID=Europe/Berlin:${NINE}`,
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RRULE:FREQ=MONTHLY;BYMONTHDAY=20;COUNT=1',
    ],
    [...SAME_HOUR, '2026-11-09 09:00-10:00 x', '2026-11-20 09:00-10:00 x'],
  ),
  all(
    'one moved',
    series(changed('SUMMARY:moved', 'DTSTART;TZID=Europe/Berlin:20261103T140000', 'DURATION:PT1H')),
    [...SAME_HOUR, '2026-11-03 14:00-15:00 moved', third],
  ),
  all(
    'one moved, said in UTC',
    series(
      event(
        'UID:1',
        'RECURRENCE-ID:20261103T080000Z',
        'SUMMARY:moved',
        'DTSTART;TZID=Europe/Berlin:20261103T140000',
        'DURATION:PT1H',
      ),
    ),
    [...SAME_HOUR, '2026-11-03 14:00-15:00 moved', third],
  ),
  all(
    'one moved that stands before its series',
    `${changed('SUMMARY:moved', 'DTSTART;TZID=Europe/Berlin:20261103T140000', 'DURATION:PT1H')}\n${series()}`,
    [...SAME_HOUR, '2026-11-03 14:00-15:00 moved', third],
  ),
  all(
    'one moved to another month',
    series(changed('SUMMARY:moved', 'DTSTART;TZID=Europe/Berlin:20261203T140000', 'DURATION:PT1H')),
    [...SAME_HOUR, third],
  ),
  all(
    'one moved into the month',
    event(
      'UID:1',
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:20261001T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
    ) +
      '\n' +
      event(
        'UID:1',
        'RECURRENCE-ID;TZID=Europe/Berlin:20261002T090000',
        'SUMMARY:moved',
        'DTSTART;TZID=Europe/Berlin:20261120T090000',
        'DURATION:PT1H',
      ),
    ['2026-11-20 09:00-10:00 moved'],
  ),
  all(
    'one moved onto another',
    series(changed('SUMMARY:moved', 'DTSTART;TZID=Europe/Berlin:20261104T090000', 'DURATION:PT1H')),
    [...SAME_HOUR, third, '2026-11-04 09:00-10:00 moved'],
  ),
  all(
    'one with another title alone',
    series(changed('SUMMARY:other', 'DTSTART;TZID=Europe/Berlin:20261103T090000', 'DURATION:PT1H')),
    [...SAME_HOUR, '2026-11-03 09:00-10:00 other', third],
  ),
  all(
    'one that takes longer',
    series(changed('SUMMARY:x', 'DTSTART;TZID=Europe/Berlin:20261103T090000', 'DURATION:PT3H')),
    [...SAME_HOUR, '2026-11-03 09:00-12:00 x', third],
  ),
  all(
    'one canceled',
    series(
      changed('SUMMARY:x', 'STATUS:CANCELLED', 'DTSTART;TZID=Europe/Berlin:20261103T090000', 'DURATION:PT1H'),
    ),
    [...SAME_HOUR, third],
  ),
  all(
    'one changed twice: the later number counts',
    series(
      changed('SUMMARY:late', 'SEQUENCE:2', 'DTSTART;TZID=Europe/Berlin:20261103T150000', 'DURATION:PT1H'),
      changed('SUMMARY:early', 'SEQUENCE:1', 'DTSTART;TZID=Europe/Berlin:20261103T140000', 'DURATION:PT1H'),
    ),
    [...SAME_HOUR, '2026-11-03 15:00-16:00 late', third],
  ),
  all(
    'one changed twice without numbers: the later place counts',
    series(
      changed('SUMMARY:early', 'DTSTART;TZID=Europe/Berlin:20261103T140000', 'DURATION:PT1H'),
      changed('SUMMARY:late', 'DTSTART;TZID=Europe/Berlin:20261103T150000', 'DURATION:PT1H'),
    ),
    [...SAME_HOUR, '2026-11-03 15:00-16:00 late', third],
  ),
  all('one made a whole day', series(changed('SUMMARY:day', 'DTSTART;VALUE=DATE:20261103')), [
    '2026-11-02 09:00-10:00 x',
    '2026-11-03 day',
    third,
  ]),
  all(
    'a day of a series named by its day',
    event('UID:1', 'SUMMARY:x', 'DTSTART;VALUE=DATE:20261102', 'RRULE:FREQ=DAILY;COUNT=2') +
      '\n' +
      event('UID:1', 'RECURRENCE-ID;VALUE=DATE:20261103', 'SUMMARY:other', 'DTSTART;VALUE=DATE:20261105'),
    ['2026-11-02 x', '2026-11-05 other'],
  ),
  all(
    'this and the following later',
    series(
      event(
        'UID:1',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261103T090000',
        'SUMMARY:late',
        'DTSTART;TZID=Europe/Berlin:20261103T110000',
        'DURATION:PT1H',
      ),
    ),
    [...SAME_HOUR, '2026-11-03 11:00-12:00 late', '2026-11-04 11:00-12:00 late'],
  ),
  all(
    'this and the following canceled',
    series(
      event(
        'UID:1',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261103T090000',
        'STATUS:CANCELLED',
        'DTSTART;TZID=Europe/Berlin:20261103T090000',
      ),
    ),
    SAME_HOUR,
  ),
  all(
    'a change of nothing that is there',
    series(
      event(
        'UID:1',
        'RECURRENCE-ID;TZID=Europe/Berlin:20261120T090000',
        'SUMMARY:extra',
        'DTSTART;TZID=Europe/Berlin:20261120T090000',
        'DURATION:PT1H',
      ),
    ),
    [...SAME_HOUR, second, third, '2026-11-20 09:00-10:00 extra'],
  ),
  all(
    'a change without its series, as one is invited to one alone',
    changed('SUMMARY:alone', 'DTSTART;TZID=Europe/Berlin:20261103T090000', 'DURATION:PT1H'),
    ['2026-11-03 09:00-10:00 alone'],
  ),
  all('a canceled series', event('UID:1', 'SUMMARY:x', 'STATUS:CANCELLED', ...daily), []),
  all(
    'a canceled series with one that was kept',
    event('UID:1', 'SUMMARY:x', 'STATUS:CANCELLED', ...daily) +
      '\n' +
      changed('SUMMARY:kept', 'DTSTART;TZID=Europe/Berlin:20261103T090000', 'DURATION:PT1H'),
    ['2026-11-03 09:00-10:00 kept'],
  ),
  all(
    'the same entry twice',
    `${event('UID:1', 'SUMMARY:x', ...atNine('Europe/Berlin'))}\n${event('UID:1', 'SUMMARY:x', ...atNine('Europe/Berlin'))}`,
    SAME_HOUR,
  ),
  all(
    'the same entry twice: the later number counts',
    `${event('UID:1', 'SEQUENCE:3', 'SUMMARY:new', ...atNine('Europe/Berlin'))}\n${event('UID:1', 'SEQUENCE:1', 'SUMMARY:old', ...atNine('Europe/Berlin'))}`,
    ['2026-11-02 09:00-10:00 new'],
  ),
  all(
    'two without names are two',
    `${event('SUMMARY:a', ...atNine('Europe/Berlin'))}\n${event('SUMMARY:b', ...atNine('Europe/Berlin'))}`,
    ['2026-11-02 09:00-10:00 a', '2026-11-02 09:00-10:00 b'],
  ),
  all(
    'names that differ in case are two',
    `${event('UID:a', 'SUMMARY:x', ...atNine('Europe/Berlin'))}\n${event('UID:A', 'SUMMARY:y', ...atNine('Europe/Berlin'))}`,
    ['2026-11-02 09:00-10:00 x', '2026-11-02 09:00-10:00 y'],
  ),
];
