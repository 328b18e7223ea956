// Whole days, and how long things take.
import { type Case, NINE, one } from './words.ts';

/** Whole days. */
export const dayCases: readonly Case[] = [
  one('a day', ['DTSTART;VALUE=DATE:20261102', 'DTEND;VALUE=DATE:20261103'], ['2026-11-02 x']),
  one('a day without an end', ['DTSTART;VALUE=DATE:20261102'], ['2026-11-02 x']),
  one(
    'a day that ends on itself',
    ['DTSTART;VALUE=DATE:20261102', 'DTEND;VALUE=DATE:20261102'],
    ['2026-11-02 x'],
  ),
  one(
    'a day that ends before it begins',
    ['DTSTART;VALUE=DATE:20261102', 'DTEND;VALUE=DATE:20261101'],
    ['2026-11-02 x'],
  ),
  one(
    'three days: the end is the first free one',
    ['DTSTART;VALUE=DATE:20261102', 'DTEND;VALUE=DATE:20261105'],
    ['2026-11-02..2026-11-04 x'],
  ),
  one('a day of a duration', ['DTSTART;VALUE=DATE:20261102', 'DURATION:P1D'], ['2026-11-02 x']),
  one('two weeks', ['DTSTART;VALUE=DATE:20261102', 'DURATION:P2W'], ['2026-11-02..2026-11-15 x']),
  one('a day of hours', ['DTSTART;VALUE=DATE:20261102', 'DURATION:PT36H'], ['2026-11-02..2026-11-03 x']),
  one('a day without the word for it', ['DTSTART:20261102'], ['2026-11-02 x']),
  one(
    'a day with a zone is that day everywhere',
    ['DTSTART;VALUE=DATE;TZID=Pacific/Auckland:20261102'],
    ['2026-11-02 x'],
  ),
  one('seen from the west it is the same day', ['DTSTART;VALUE=DATE:20261102'], ['2026-11-02 x'], {
    zone: 'Pacific/Honolulu',
  }),
  one('seen from the east it is the same day', ['DTSTART;VALUE=DATE:20261102'], ['2026-11-02 x'], {
    zone: 'Pacific/Kiritimati',
  }),
  one(
    'from midnight to midnight is not a day: it has a zone',
    ['DTSTART;TZID=Europe/Berlin:20261102T000000', 'DTEND;TZID=Europe/Berlin:20261103T000000'],
    ['2026-11-02 00:00-2026-11-03 00:00 x'],
  ),
  one('a day at the end of a month', ['DTSTART;VALUE=DATE:20261130'], ['2026-11-30 x']),
  one(
    'over the end of a month',
    ['DTSTART;VALUE=DATE:20261130', 'DTEND;VALUE=DATE:20261203'],
    ['2026-11-30..2026-12-02 x'],
  ),
  one(
    'a trip that began before the window',
    ['DTSTART;VALUE=DATE:20261028', 'DTEND;VALUE=DATE:20261103'],
    ['2026-10-28..2026-11-02 x'],
  ),
  one(
    'a trip that ends where the window begins is outside',
    ['DTSTART;VALUE=DATE:20261028', 'DTEND;VALUE=DATE:20261101'],
    [],
  ),
  one(
    'a day with a timed end',
    ['DTSTART;VALUE=DATE:20261102', 'DTEND:20261104T120000Z'],
    ['2026-11-02..2026-11-03 x'],
  ),
  one(
    'every week a whole weekend',
    ['DTSTART;VALUE=DATE:20261107', 'DTEND;VALUE=DATE:20261109', 'RRULE:FREQ=WEEKLY;COUNT=2'],
    ['2026-11-07..2026-11-08 x', '2026-11-14..2026-11-15 x'],
  ),
];

/** Ends and durations. */
export const lengthCases: readonly Case[] = [
  one(
    'a time without an end is a moment',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`],
    ['2026-11-02 09:00-09:00 x'],
  ),
  one('a duration', [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:PT1H30M'], ['2026-11-02 09:00-10:30 x']),
  one(
    'a duration of days and hours',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:P1DT2H'],
    ['2026-11-02 09:00-2026-11-03 11:00 x'],
  ),
  one(
    'a duration of weeks',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:P1W'],
    ['2026-11-02 09:00-2026-11-09 09:00 x'],
  ),
  one(
    'a duration of nothing',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:PT0S'],
    ['2026-11-02 09:00-09:00 x'],
  ),
  one(
    'a negative duration is none',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DURATION:-PT1H'],
    ['2026-11-02 09:00-09:00 x'],
  ),
  one(
    'an end before its start is none',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DTEND;TZID=Europe/Berlin:20261102T080000'],
    ['2026-11-02 09:00-09:00 x'],
  ),
  one(
    'end and duration: the end counts',
    [`DTSTART;TZID=Europe/Berlin:${NINE}`, 'DTEND;TZID=Europe/Berlin:20261102T093000', 'DURATION:PT5H'],
    ['2026-11-02 09:00-09:30 x'],
  ),
  one(
    'over midnight',
    ['DTSTART;TZID=Europe/Berlin:20261102T220000', 'DTEND;TZID=Europe/Berlin:20261103T020000'],
    ['2026-11-02 22:00-2026-11-03 02:00 x'],
  ),
  one(
    'over several days with times',
    ['DTSTART;TZID=Europe/Berlin:20261102T220000', 'DTEND;TZID=Europe/Berlin:20261105T020000'],
    ['2026-11-02 22:00-2026-11-05 02:00 x'],
  ),
  one('a moment at the end of the window is outside', ['DTSTART;TZID=Europe/Berlin:20261201T000000'], []),
  one(
    'a moment at the beginning of the window is inside',
    ['DTSTART;TZID=Europe/Berlin:20261101T000000'],
    ['2026-11-01 00:00-00:00 x'],
  ),
  one(
    'what ends where the window begins is outside',
    ['DTSTART;TZID=Europe/Berlin:20261031T230000', 'DURATION:PT1H'],
    [],
  ),
  one(
    'seconds are kept',
    ['DTSTART;TZID=Europe/Berlin:20261102T090015', 'DURATION:PT45S'],
    ['2026-11-02 09:00:15-09:01 x'],
  ),
  one(
    'a leap second is the next minute',
    ['DTSTART;TZID=Europe/Berlin:20261102T090060', 'DURATION:PT1M'],
    ['2026-11-02 09:01-09:02 x'],
  ),
];
