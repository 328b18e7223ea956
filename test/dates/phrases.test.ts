// Dates in words, held to the tables of docs/rules/dates.md in every kind of zone, to prose, and to hostile input.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { findDate } from '#core/titles/dates.ts';
import { english } from '#core/dates/vocabulary.ts';
import { daysOf } from '#core/search/days.ts';
import { saidAt, tableRows, written, writtenAll, zones } from './said-at.ts';

const options = { vocabulary: english };
const phrases = tableRows(
  /^### (Days|Weekdays|Weeks|Distances|Hours|Holidays|Ranges|Times|No date|Not dates)/,
);

describe('dates in words', () => {
  test('the table is there', () => {
    assert.ok(phrases.length >= 400, `${phrases.length} phrases`);
  });

  for (const zone of zones) {
    test(`[DATE-10] every phrase of the table reads the same by the wall clock of ${zone}`, () => {
      const context = saidAt(zone);
      const wrong = phrases
        .map(
          ([phrase, expected]) => [phrase, writtenAll(readDate(phrase, context, options)), expected] as const,
        )
        .filter(([, actual, expected]) => actual !== expected);
      assert.deepEqual(wrong, []);
    });
  }

  test('[DATE-1] [DATE-2] [DATE-3] what is left over makes it no date; several readings are all offered', () => {
    const context = saidAt('Europe/Berlin');
    assert.deepEqual(readDate('tomorrow or so', context, options), []);
    assert.equal(writtenAll(readDate('next fri', context, options)), 'Fri 2026-11-27 · Fri 2026-12-04');
    assert.deepEqual(readDate('fri', context, options)[0]?.when, { on: '2026-11-27' });
  });

  test('[DATE-6] a shift counts from the value at hand', () => {
    const day = saidAt('Europe/Berlin', { current: { on: '2027-01-31' } });
    assert.equal(writtenAll(readDate('+1 month', day, options)), 'Sun 2027-02-28');
    const at =
      Temporal.PlainDateTime.from('2026-10-24T09:00').toZonedDateTime('Europe/Berlin').epochMilliseconds;
    // The clock goes back in that night: nine o'clock stays nine o'clock.
    const timed = saidAt('Europe/Berlin', { current: { at, zone: 'Europe/Berlin' } });
    assert.equal(writtenAll(readDate('+1d', timed, options)), 'Sun 2026-10-25 09:00');
    assert.equal(writtenAll(readDate('+2h', timed, options)), 'Sat 2026-10-24 11:00');
    assert.equal(writtenAll(readDate('in 2d', timed, options)), 'Sun 2026-11-22');
    const floating = saidAt('Europe/Berlin', { current: { local: '2026-12-01T08:00' } });
    assert.deepEqual(readDate('-1d', floating, options)[0]?.when, { local: '2026-11-30T08:00' });
  });

  test('[DATE-7] the day begins when the person says so', () => {
    const night = saidAt('Europe/Berlin', { dayStart: 4 }, '2026-11-21T01:30');
    assert.equal(writtenAll(readDate('today', night, options)), 'Fri 2026-11-20');
    assert.equal(writtenAll(readDate('tomorrow', night, options)), 'Sat 2026-11-21');
    assert.equal(writtenAll(readDate('in 2h', night, options)), 'Sat 2026-11-21 03:30');
  });

  test('[DATE-8] the order of day and month is the language’s', () => {
    const american = saidAt('America/New_York', { order: 'mdy', hour12: true });
    assert.equal(written(readDate('3/4/2027', american, options)[0]?.when ?? null), 'Thu 2027-03-04');
    assert.equal(writtenAll(readDate('27/11', american, options)), 'Fri 2026-11-27');
    assert.equal(written(readDate('5:30', american, options)[0]?.when ?? null), 'Fri 2026-11-20 17:30');
  });

  test('looking back, a day without a year lies behind', () => {
    const past = saidAt('Europe/Berlin', { prefers: 'past' });
    assert.equal(written(readDate('mon', past, options)[0]?.when ?? null), 'Mon 2026-11-16');
    assert.equal(written(readDate('27 nov', past, options)[0]?.when ?? null), 'Thu 2025-11-27');
    assert.equal(written(readDate('15', past, options)[0]?.when ?? null), 'Sun 2026-11-15');
    assert.equal(written(readDate('9:00', past, options)[0]?.when ?? null), 'Fri 2026-11-20 09:00');
  });

  test('[DATE-13] a holiday without a year is the next one, also today; looking back, the last one', () => {
    const onEaster = saidAt('Europe/Berlin', {}, '2027-03-28T12:00');
    assert.equal(writtenAll(readDate('easter', onEaster, options)), 'Sun 2027-03-28');
    const past = saidAt('Europe/Berlin', { prefers: 'past' });
    assert.equal(written(readDate('christmas', past, options)[0]?.when ?? null), 'Thu 2025-12-25');
    // Gregorian Easters as tables of the church print them, the earliest and the latest among them.
    for (const day of ['1961-04-02', '2000-04-23', '2008-03-23', '2024-03-31', '2038-04-25', '2285-03-22'])
      assert.deepEqual(readDate(`easter ${day.slice(0, 4)}`, past, options)[0]?.when, { on: day });
  });

  test('[DATE-14] of a range the last day comes after the first, whatever the day it is said on', () => {
    for (const wall of ['2026-11-20T14:30', '2026-12-31T23:59', '2028-02-29T00:00']) {
      const context = saidAt('Europe/Berlin', {}, wall);
      for (const phrase of ['mon to fri', 'sat to wed', '27 dec to 3 jan', '3-10 dec', 'the 28th to the 2nd'])
        for (const { when, start } of readDate(phrase, context, options)) {
          assert.ok(when && start && 'on' in when && 'on' in start, phrase);
          assert.ok(start.on < when.on, `${phrase} on ${wall}: ${start.on} to ${when.on}`);
        }
    }
    assert.deepEqual(readDate('10 dec to 10 dec 2026', saidAt('UTC'), options), []);
  });

  test('[DATE-15] a number before h is a length first, behind “at” or a date a time', () => {
    const context = saidAt('Europe/Berlin');
    const first = (text: string) => written(readDate(text, context, options)[0]?.when ?? null);
    assert.equal(first('14h'), 'Sat 2026-11-21 04:30');
    assert.equal(first('at 14h'), 'Sat 2026-11-21 14:00');
    assert.equal(first('3 dec 14h'), 'Thu 2026-12-03 14:00');
    assert.deepEqual(readDate('in 3 days 4h', context, options), []);
  });

  test('[DATE-16] an evening that has passed is still ahead', () => {
    const said = (text: string, wall: string, changes: Parameters<typeof saidAt>[1] = {}) =>
      writtenAll(readDate(text, saidAt('Europe/Berlin', changes, wall), options));
    assert.equal(said('tonight', '2026-11-20T19:59'), 'Fri 2026-11-20 20:00');
    assert.equal(said('tonight', '2026-11-20T22:30'), 'Fri 2026-11-20 23:30');
    assert.equal(said('tonight', '2026-11-20T22:31'), 'Fri 2026-11-20 23:45');
    assert.equal(said('tonight', '2026-11-20T23:01'), 'Sat 2026-11-21 20:00');
    assert.equal(said('this evening', '2026-11-20T18:00'), 'Fri 2026-11-20 19:00');
    assert.equal(said('tonight', '2026-11-21T01:30', { dayStart: 4 }), 'Sat 2026-11-21 02:30');
    assert.equal(said('tonight at 9', '2026-11-20T22:30'), 'Fri 2026-11-20 21:00');
    assert.equal(said('this morning', '2026-11-20T22:30'), 'Fri 2026-11-20 09:00');
    assert.equal(said('tonight', '2026-11-20T22:30', { pastEvening: 'tomorrow' }), 'Sat 2026-11-21 20:00');
    assert.equal(said('tonight', '2026-11-20T22:30', { pastEvening: 'stays' }), 'Fri 2026-11-20 20:00');
    assert.equal(said('later today', '2026-11-20T22:30'), 'Fri 2026-11-20 23:30');
    assert.equal(said('later today', '2026-11-20T23:30'), '–');
  });

  test('[DATE-14] [DATE-15] [DATE-16] what a search means by them', () => {
    const days = (words: string, wall = '2026-11-20T23:30') => {
      const found = daysOf(words, saidAt('Europe/Berlin', {}, wall));
      return found && `${found.first} ${found.last}`;
    };
    assert.equal(days('3-10 dec'), '2026-12-03 2026-12-10');
    assert.equal(days('mon to fri'), '2026-11-23 2026-11-27');
    assert.equal(days('christmas'), '2026-12-25 2026-12-25');
    assert.equal(days('tonight'), '2026-11-20 2026-11-20');
    assert.equal(days('14h'), '2026-11-21 2026-11-21');
    assert.equal(days('5pm'), '2026-11-20 2026-11-20');
  });

  test('"next week" is what the person made it', () => {
    const same = saidAt('Europe/Berlin', { nextWeek: 'same weekday' });
    assert.equal(writtenAll(readDate('next week', same, options)), 'Fri 2026-11-27 · Mon 2026-11-23');
    const sunday = saidAt('Europe/Berlin', { weekStart: 7 });
    assert.equal(written(readDate('next week', sunday, options)[0]?.when ?? null), 'Mon 2026-11-23');
    assert.equal(written(readDate('start of next week', sunday, options)[0]?.when ?? null), 'Sun 2026-11-22');
  });

  test('a time that the clock skips moves on by as much', () => {
    const berlin = saidAt('Europe/Berlin', {}, '2027-03-27T12:00');
    assert.equal(writtenAll(readDate('tomorrow 02:30', berlin, options)), 'Sun 2027-03-28 03:30');
    const cairo = saidAt('Africa/Cairo', {}, '2027-04-29T12:00');
    // Midnight itself does not exist in that night.
    assert.equal(writtenAll(readDate('fri 00:00', cairo, options).slice(0, 1)), 'Fri 2027-04-30 01:00');
  });

  test('lengths of the table', () => {
    for (const [phrase, expected] of tableRows(/^### Lengths/))
      assert.equal(readDuration(phrase, options) ?? '–', expected === '–' ? '–' : Number(expected), phrase);
  });
});

describe('dates in prose', () => {
  const context = saidAt('Europe/Berlin');
  const spot = (text: string): string => {
    const found = findDate(text, context, options);
    return found === null
      ? '–'
      : `${text.slice(found.start, found.end)} = ${written(found.readings[0]?.when ?? null)}`;
  };

  const found: Readonly<Record<string, string>> = {
    'Pay rent tomorrow': 'tomorrow = Sat 2026-11-21',
    'Call the bank next mon at 9am about cards': 'next mon at 9am = Mon 2026-11-23 09:00',
    'Report due fri': 'due fri = Fri 2026-11-27',
    'Dentist on 27 nov 17:00': 'on 27 nov 17:00 = Fri 2026-11-27 17:00',
    'Meet at 5pm in the hall': 'at 5pm = Fri 2026-11-20 17:00',
    'Water plants in 3d': 'in 3d = Mon 2026-11-23',
    'Standup 9-10am': '9-10am = Sat 2026-11-21 09:00',
    'Call Ann tom': 'tom = Sat 2026-11-21',
    'Swim on sun': 'on sun = Sun 2026-11-22',
    'Swim sun 5pm': 'sun 5pm = Sun 2026-11-22 17:00',
    'Plan may trip by eom': 'by eom = Mon 2026-11-30',
    'Write "tomorrow never dies" review friday': 'friday = Fri 2026-11-27',
    'Pack (tomorrow)': 'tomorrow = Sat 2026-11-21',
    'Send it tomorrow, please': 'tomorrow = Sat 2026-11-21',
  };
  const absent = [
    'Fix the monitor',
    'mark the papers',
    'Call Tom',
    'paprika and sunny side up',
    'a second try',
    'Buy 15 eggs',
    'Read 3d printing guide',
    'Buy sun cream',
    'May I help',
    'march with the band',
    'Say "tomorrow" twice',
    'tomorrowland',
    'pre-tomorrow',
    'today-ish',
    '#today tag',
    'mail@fri.example',
    'Version 5.30',
    'now or never',
    'Route 2026',
    'Buy 2 weeks of food',
    'Sat down',
    'Watch the night sky',
    'one',
    'Buy christmas presents',
    'Plan the halloween party',
    'Read for a few minutes',
    'Chapters 3-10',
    'Early march of the penguins',
    'Half past',
    'mid january sale',
    'close of business',
  ];

  test('[DATE-4] [DATE-5] [DATE-13] a phrase is found as whole words outside quotation marks, or not at all', () => {
    for (const [text, expected] of Object.entries(found)) assert.equal(spot(text), expected, text);
    for (const text of absent) assert.equal(spot(text), '–', text);
  });
});

const hostile = [
  'in a '.repeat(40),
  'next '.repeat(60),
  '1'.repeat(190),
  '1/'.repeat(90),
  'first of first of '.repeat(10),
  'a week before '.repeat(14),
  'at 5 '.repeat(40),
  '- - - '.repeat(30),
  'every '.repeat(30),
  'dec 3 to '.repeat(20),
  'monday week '.repeat(16),
  'day after '.repeat(18),
  'ten to '.repeat(26),
  '"'.repeat(190),
  '🙂'.repeat(90),
  '\u0301'.repeat(190),
];

describe('hostile phrases', () => {
  const context = saidAt('Europe/Berlin');

  test('[DATE-9] whatever is typed gives readings or none', () => {
    const atoms = [...english.weekdays.keys(), ...english.months.keys(), ...english.units.keys()];
    const words = [
      ...atoms,
      'next',
      'last',
      'in',
      'of',
      'the',
      'at',
      'for',
      'from',
      'first',
      '5',
      '15th',
      '5pm',
      'half',
      'past',
      'to',
      'between',
      'and',
      'mid',
      'christmas',
      '14h',
    ];
    const spoken = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.integer().map(String), fc.string({ maxLength: 4 })), {
        maxLength: 12,
      })
      .map((parts) => parts.join(' '));
    const check = (text: string) => {
      readDate(text, context, options);
      findDate(text, context, options);
      const minutes = readDuration(text, options);
      assert.ok(minutes === null || (Number.isInteger(minutes) && minutes > 0), text);
    };
    fc.assert(fc.property(spoken, check), { numRuns: 20_000, seed: 20 });
    // Numbers, units and signs run together: "1.33h05".
    const glued = fc
      .array(
        fc.constantFrom('1', '05', '33', '2026', '.', ',', ':', '-', 'h', 'm', 'd', 'in ', ' and a half'),
        {
          minLength: 3,
          maxLength: 7,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(fc.property(glued, check), { numRuns: 20_000, seed: 22 });
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), check), {
      numRuns: 80_000,
      seed: 21,
    });
  });

  test('[DATE-9] a whole text takes a bounded number of steps', () => {
    for (const shape of hostile) {
      const steps = { count: 0 };
      readDate(shape, context, { ...options, steps });
      assert.ok(steps.count <= 2_000, `${shape.slice(0, 12)}: ${steps.count}`);
    }
  });

  test('[DATE-9] the work grows with the length', () => {
    for (const shape of hostile) {
      const once = { count: 0 };
      const twice = { count: 0 };
      const prose = shape.slice(0, 150);
      findDate(prose, context, { ...options, steps: once });
      findDate(`${prose} ${prose}`, context, { ...options, steps: twice });
      assert.ok(
        twice.count <= 2.6 * once.count + 50,
        `${shape.slice(0, 12)}: ${once.count} → ${twice.count}`,
      );
    }
  });
});
