// Rules REP-… of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type RepeatMetadata, type RepeatRule, repeatUnits, type RepeatUnit } from './model.ts';
import { nextOccurrence } from './repeat.ts';
import type { When } from './when.ts';

const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';
const APIA = 'Pacific/Apia';

function rule(value: number, unit: RepeatUnit, more: Partial<RepeatRule> = {}): RepeatRule {
  return { value, unit, metadata: null, from: null, missed: 'every', anchorDay: null, ...more };
}

const weekdays = (
  ...names: Extract<RepeatMetadata, { weekdays: unknown }>['weekdays']
): Partial<RepeatRule> => ({
  metadata: { weekdays: names },
});
const monthDays = (
  ...days: Extract<RepeatMetadata, { monthDays: unknown }>['monthDays']
): Partial<RepeatRule> => ({
  metadata: { monthDays: days },
});

/** Milliseconds of a wall clock reading. */
function ms(local: string, zone = 'UTC'): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

const instant = (local: string, zone = 'UTC'): When => ({ at: ms(local, zone), zone });

function show(when: When | null | undefined): string | null {
  if (when === null || when === undefined) return null;
  if ('on' in when) return when.on;
  if ('local' in when) return when.local;
  const zoned = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  return `${zoned.toPlainDateTime().toString({ smallestUnit: 'minute' })}${zoned.offset}`;
}

interface Said {
  readonly done?: string;
  readonly zone?: string;
}

/** The next due date of a task due on `due`. */
function next(
  repeat: RepeatRule,
  due: When | string | null,
  { done = '2026-01-01T12:00', zone = 'UTC' }: Said = {},
) {
  const from = { due: typeof due === 'string' ? { on: due } : due, start: null };
  return show(nextOccurrence(repeat, from, ms(done, zone), zone)?.due);
}

/** Follows a series through its own answers. */
function series(repeat: RepeatRule, due: When, count: number): (string | null)[] {
  const seen: (string | null)[] = [];
  let state: { due: When | null; rule: RepeatRule } = { due, rule: repeat };
  for (let i = 0; i < count; i += 1) {
    const found = nextOccurrence(state.rule, { due: state.due, start: null }, 0, 'UTC');
    seen.push(show(found?.due));
    state = { due: found?.due ?? null, rule: found?.repeat ?? state.rule };
  }
  return seen;
}

const skip = { missed: 'skip' } as const;
const fromCompletion = { from: 'completion' } as const;

describe('units', () => {
  test('[REP-1] counts minutes and hours in elapsed time', () => {
    assert.equal(next(rule(90, 'minutes'), instant('2026-01-01T23:00')), '2026-01-02T00:30+00:00');
    // The night of the change has 23 hours.
    const due = instant('2026-03-07T12:00', NEW_YORK);
    assert.equal(next(rule(24, 'hours'), due), '2026-03-08T13:00-04:00');
  });

  test('[REP-1] a day repeated in hours becomes an instant, counted from the start of the day', () => {
    assert.equal(next(rule(3, 'hours'), '2026-05-01', { zone: NEW_YORK }), '2026-05-01T03:00-04:00');
  });

  test('[REP-1] a floating time repeated in hours stays on the wall clock', () => {
    assert.equal(
      next(rule(5, 'hours'), { local: '2026-03-08T00:30' }, { zone: NEW_YORK }),
      '2026-03-08T05:30',
    );
    assert.equal(next(rule(1, 'minutes'), { local: '2026-03-08T00:30:15' }), '2026-03-08T00:31:15');
  });

  test('[REP-2] days and weeks keep the kind of date and the time of day', () => {
    assert.equal(next(rule(1, 'days'), '2026-12-31'), '2027-01-01');
    assert.equal(next(rule(2, 'weeks'), '2026-02-20'), '2026-03-06');
    assert.equal(next(rule(3, 'days'), { local: '2026-02-27T08:15' }), '2026-03-02T08:15');
    assert.equal(next(rule(1, 'weeks'), instant('2026-03-04T09:00', NEW_YORK)), '2026-03-11T09:00-04:00');
  });

  test('[REP-3] weekdays: the rest of the week, then every n-th week from Monday', () => {
    const monThu = weekdays('Thu', 'Mon');
    assert.equal(next(rule(1, 'weeks', monThu), '2026-11-23'), '2026-11-26');
    assert.equal(next(rule(1, 'weeks', monThu), '2026-11-26'), '2026-11-30');
    assert.equal(next(rule(2, 'weeks', monThu), '2026-11-26'), '2026-12-07');
    assert.equal(next(rule(1, 'weeks', weekdays('Sun')), '2026-11-27'), '2026-11-29');
    assert.equal(
      next(rule(1, 'weeks', weekdays('Mon', 'Tue', 'Wed', 'Thu', 'Fri')), '2026-11-27'),
      '2026-11-30',
    );
  });

  test('[REP-4] monthly from the 31st falls on the last day of shorter months and returns to the 31st', () => {
    assert.deepEqual(series(rule(1, 'months'), { on: '2026-01-31' }, 4), [
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
    assert.equal(next(rule(1, 'months', { anchorDay: 30 }), '2028-02-29'), '2028-03-30');
  });

  test('[REP-4] yearly from 29 February returns to it in leap years', () => {
    assert.deepEqual(series(rule(1, 'years'), { on: '2024-02-29' }, 4), [
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  test('[REP-4] a due date moved by hand takes its anchor day along', () => {
    const moved = nextOccurrence(
      rule(1, 'months', { anchorDay: 31 }),
      { due: { on: '2026-03-12' }, start: null },
      0,
      'UTC',
    );
    assert.equal(show(moved?.due), '2026-04-12');
    assert.equal(moved?.repeat?.anchorDay, null);
  });

  test('[REP-4] the rule is given back only when it changed', () => {
    const calm = nextOccurrence(rule(1, 'months'), { due: { on: '2026-03-12' }, start: null }, 0, 'UTC');
    assert.equal(calm !== null && 'repeat' in calm, false);
    const clamped = nextOccurrence(rule(1, 'months'), { due: { on: '2026-03-31' }, start: null }, 0, 'UTC');
    assert.deepEqual(clamped?.repeat, rule(1, 'months', { anchorDay: 31 }));
  });

  test('[REP-5] days of the month, and a day past the end is the last day, once', () => {
    const days = monthDays(15, 'last day', 30);
    assert.equal(next(rule(1, 'months', days), '2026-01-10'), '2026-01-15');
    assert.equal(next(rule(1, 'months', days), '2026-01-15'), '2026-01-30');
    assert.equal(next(rule(1, 'months', days), '2026-01-30'), '2026-01-31');
    assert.equal(next(rule(1, 'months', days), '2026-02-15'), '2026-02-28');
    assert.equal(next(rule(1, 'months', days), '2026-02-28'), '2026-03-15');
    assert.equal(next(rule(3, 'months', days), '2026-01-31'), '2026-04-15');
  });

  test('[REP-6] the n-th and the last weekday of the month', () => {
    assert.equal(next(rule(3, 'nth-weekday', weekdays('Fri')), '2026-11-20'), '2026-12-18');
    assert.equal(next(rule(-1, 'nth-weekday', weekdays('Mon')), '2026-11-02'), '2026-11-30');
    assert.equal(next(rule(1, 'nth-weekday', weekdays('Tue', 'Mon')), '2026-11-02'), '2026-11-03');
    // Without a weekday, that of the date itself: 20 November 2026 is a Friday.
    assert.equal(next(rule(1, 'nth-weekday'), '2026-11-20'), '2026-12-04');
  });

  test('[REP-6] months without an n-th one are passed over', () => {
    assert.equal(next(rule(5, 'nth-weekday', weekdays('Fri')), '2026-10-30'), '2027-01-29');
    assert.equal(next(rule(23, 'nth-business-day-of-month'), '2026-12-31'), '2027-03-31');
  });

  test('[REP-7] the n-th and the last business day and weekend day of the month', () => {
    assert.equal(next(rule(1, 'nth-business-day-of-month'), '2026-07-31'), '2026-08-03');
    assert.equal(next(rule(-1, 'nth-business-day-of-month'), '2026-10-01'), '2026-10-30');
    assert.equal(next(rule(1, 'nth-weekend-day-of-month'), '2026-11-01'), '2026-12-05');
    assert.equal(next(rule(-1, 'nth-weekend-day-of-month'), '2026-11-01'), '2026-11-29');
  });

  test('[REP-8] nothing comes next when no such day exists or the calendar ends', () => {
    assert.equal(next(rule(6, 'nth-weekday', weekdays('Fri')), '2026-10-30'), null);
    assert.equal(next(rule(24, 'nth-business-day-of-month'), '2026-10-30'), null);
    assert.equal(next(rule(-11, 'nth-weekend-day-of-month'), '2026-10-30'), null);
    assert.equal(next(rule(1, 'days'), '9999-12-31'), null);
    assert.equal(next(rule(10_000, 'years'), '2026-10-30'), null);
    assert.equal(next(rule(9_000_000_000_000_000, 'minutes'), instant('2026-01-01T00:00')), null);
    for (const unit of ['minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const) {
      for (const value of [0, -1, 1.5, Number.NaN]) assert.equal(next(rule(value, unit), '2026-10-30'), null);
    }
  });

  test('[REP-9] metadata of another unit and empty metadata mean nothing', () => {
    assert.equal(next(rule(1, 'weeks', monthDays(3)), '2026-11-20'), '2026-11-27');
    assert.equal(next(rule(1, 'months', weekdays('Mon')), '2026-11-20'), '2026-12-20');
    assert.equal(next(rule(1, 'days', weekdays('Mon')), '2026-11-20'), '2026-11-21');
    assert.equal(next(rule(1, 'weeks', weekdays()), '2026-11-20'), '2026-11-27');
    assert.equal(next(rule(1, 'months', monthDays()), '2026-11-20'), '2026-12-20');
  });
});

describe('where counting starts', () => {
  test('[REP-10] from the due date unless the rule says completion', () => {
    const done = '2026-11-25T10:00';
    assert.equal(next(rule(1, 'weeks', { from: 'due date' }), '2026-11-20', { done }), '2026-11-27');
    assert.equal(next(rule(1, 'weeks', { from: null }), '2026-11-20', { done }), '2026-11-27');
    assert.equal(next(rule(1, 'weeks', fromCompletion), '2026-11-20', { done }), '2026-12-02');
  });

  test('[REP-11] from completion: the day is that of completion, the time of day stays that of the due date', () => {
    const done = '2026-11-25T23:30';
    assert.equal(
      next(rule(2, 'days', fromCompletion), instant('2026-11-20T09:00', NEW_YORK), { done, zone: NEW_YORK }),
      '2026-11-27T09:00-05:00',
    );
    assert.equal(
      next(rule(2, 'days', fromCompletion), { local: '2026-11-20T09:00' }, { done }),
      '2026-11-27T09:00',
    );
    assert.equal(
      next(rule(2, 'hours', fromCompletion), instant('2026-11-20T09:00'), { done }),
      '2026-11-26T01:30+00:00',
    );
    assert.equal(
      next(rule(1, 'months', fromCompletion), '2026-11-20', { done: '2027-01-31T08:00' }),
      '2027-02-28',
    );
  });

  test('[REP-11] from completion, no day of the month is remembered', () => {
    const monthly = rule(1, 'months', fromCompletion);
    const found = nextOccurrence(
      monthly,
      { due: { on: '2026-01-05' }, start: null },
      ms('2026-01-31T08:00'),
      'UTC',
    );
    assert.deepEqual(found, { due: { on: '2026-02-28' }, start: null });
  });

  test('[REP-11] the day of completion is the one in the zone of the date', () => {
    // 23:30 on the 25th in New York is already the 26th in Apia.
    const done = '2026-11-25T23:30';
    assert.equal(next(rule(1, 'days', fromCompletion), '2026-11-20', { done, zone: NEW_YORK }), '2026-11-26');
    assert.equal(
      next(rule(1, 'days', fromCompletion), instant('2026-11-20T09:00', APIA), { done, zone: NEW_YORK }),
      '2026-11-27T09:00+13:00',
    );
  });

  test('[REP-12] without a due date the series runs on the start date, without either on completion', () => {
    const from = { due: null, start: { on: '2026-11-20' } };
    const found = nextOccurrence(rule(1, 'weeks'), from, ms('2026-11-25T10:00'), 'UTC');
    assert.deepEqual(found, { due: null, start: { on: '2026-11-27' } });
    assert.equal(next(rule(1, 'weeks'), null, { done: '2026-11-25T23:00', zone: NEW_YORK }), '2026-12-02');
    assert.equal(
      next(rule(30, 'minutes'), null, { done: '2026-11-25T23:00', zone: NEW_YORK }),
      '2026-11-25T23:30-05:00',
    );
  });

  test('[REP-13] the start date keeps its distance to the due date', () => {
    const find = (repeat: RepeatRule, due: When, start: When) => {
      const found = nextOccurrence(repeat, { due, start }, 0, NEW_YORK);
      return [show(found?.start), show(found?.due)];
    };
    assert.deepEqual(find(rule(1, 'months'), { on: '2026-01-31' }, { on: '2026-01-29' }), [
      '2026-02-26',
      '2026-02-28',
    ]);
    // Across the change of clocks the wall time holds.
    assert.deepEqual(
      find(rule(1, 'weeks'), instant('2026-03-04T17:00', NEW_YORK), instant('2026-03-03T08:00', NEW_YORK)),
      ['2026-03-10T08:00-04:00', '2026-03-11T17:00-04:00'],
    );
    assert.deepEqual(find(rule(1, 'days'), { on: '2026-03-04' }, { local: '2026-03-03T08:00' }), [
      '2026-03-04T08:00',
      '2026-03-05',
    ]);
    assert.deepEqual(find(rule(2, 'hours'), instant('2026-03-04T23:00'), instant('2026-03-04T22:30')), [
      '2026-03-05T00:30+00:00',
      '2026-03-05T01:00+00:00',
    ]);
    assert.deepEqual(find(rule(2, 'hours'), instant('2026-03-04T23:00', NEW_YORK), { on: '2026-03-04' }), [
      '2026-03-05',
      '2026-03-05T01:00-05:00',
    ]);
  });
});

describe('missed occurrences', () => {
  test('[REP-14] every: the one right after the due date, also when it is past', () => {
    assert.equal(next(rule(1, 'days'), '2026-01-01', { done: '2026-06-15T10:00' }), '2026-01-02');
  });

  test('[REP-15] skip: the first one after completion', () => {
    const done = '2026-06-15T10:00';
    assert.equal(next(rule(1, 'days', skip), '2026-01-01', { done }), '2026-06-16');
    assert.equal(next(rule(2, 'days', skip), '2026-06-13', { done }), '2026-06-17');
    assert.equal(
      next(rule(1, 'days', skip), instant('2026-01-01T09:00'), { done }),
      '2026-06-16T09:00+00:00',
    );
    assert.equal(
      next(rule(1, 'days', skip), instant('2026-01-01T11:00'), { done }),
      '2026-06-15T11:00+00:00',
    );
    assert.equal(next(rule(1, 'days', skip), { local: '2026-01-01T10:00' }, { done }), '2026-06-16T10:00');
    assert.equal(
      next(rule(15, 'minutes', skip), instant('2026-01-01T00:05'), { done }),
      '2026-06-15T10:05+00:00',
    );
    assert.equal(
      next(rule(15, 'minutes', skip), instant('2026-01-01T10:00'), { done }),
      '2026-06-15T10:15+00:00',
    );
    assert.equal(
      next(rule(2, 'weeks', { ...skip, ...weekdays('Mon') }), '2026-01-05', { done }),
      '2026-06-22',
    );
    assert.equal(next(rule(1, 'months', { ...skip, anchorDay: 31 }), '2026-01-31', { done }), '2026-06-30');
  });

  test('[REP-15] completed ahead of time, the one after the due date comes next', () => {
    const done = '2026-06-15T10:00';
    assert.equal(next(rule(1, 'weeks', skip), '2026-06-19', { done }), '2026-06-26');
    assert.equal(
      next(rule(1, 'hours', skip), instant('2026-06-19T10:00'), { done }),
      '2026-06-19T11:00+00:00',
    );
  });

  test('[REP-16] takes the same time however many were missed', () => {
    // Of the processor: the clock says more about what else the machine does.
    const started = process.cpuUsage();
    for (let i = 0; i < 300; i += 1) {
      assert.equal(
        next(rule(1, 'minutes', skip), instant('1970-01-01T00:00'), { done: '2026-06-15T10:00' }),
        '2026-06-15T10:01+00:00',
      );
      assert.equal(next(rule(1, 'days', skip), '1900-01-01', { done: '9990-06-15T10:00' }), '9990-06-16');
      assert.equal(
        next(rule(1, 'nth-weekday', { ...skip, ...weekdays('Mon') }), '1900-01-01', {
          done: '9990-06-15T10:00',
        }),
        '9990-07-02',
      );
    }
    const perCallMs = process.cpuUsage(started).user / 1_000 / 900;
    assert.ok(perCallMs < 2, `${perCallMs} ms`);
  });
});

describe('zones', () => {
  test('[REP-17] a time of day that the zone skips moves on by what was skipped', () => {
    assert.equal(next(rule(1, 'days'), instant('2026-03-07T02:30', NEW_YORK)), '2026-03-08T03:30-04:00');
    // Lord Howe changes by half an hour.
    assert.equal(next(rule(1, 'days'), instant('2026-10-03T02:10', LORD_HOWE)), '2026-10-04T02:40+11:00');
  });

  test('[REP-18] a series that met a gap returns to the time it was said at', () => {
    assert.deepEqual(series(rule(1, 'days'), instant('2026-03-06T02:30', NEW_YORK), 4), [
      '2026-03-07T02:30-05:00',
      '2026-03-08T03:30-04:00',
      '2026-03-09T02:30-04:00',
      '2026-03-10T02:30-04:00',
    ]);
    const sundays = rule(1, 'weeks', { from: 'completion' });
    const moved = { ...sundays, anchorTime: { due: '02:10' } };
    const due = instant('2026-10-04T02:40', LORD_HOWE);
    const done = { done: '2026-10-06T12:00', zone: LORD_HOWE };
    assert.equal(next(moved, due, done), '2026-10-13T02:10+11:00');
    // Moved by hand: that is the time now.
    assert.equal(next(moved, instant('2026-10-04T04:00', LORD_HOWE), done), '2026-10-13T04:00+11:00');
  });

  test('[REP-18] the start returns too, and nothing is remembered longer than it is needed', () => {
    const daily = rule(1, 'days');
    const from = { due: instant('2026-03-07T09:00', NEW_YORK), start: instant('2026-03-07T02:30', NEW_YORK) };
    const gap = nextOccurrence(daily, from, 0, NEW_YORK);
    assert.equal(show(gap?.start), '2026-03-08T03:30-04:00');
    assert.deepEqual(gap?.repeat, { ...daily, anchorTime: { start: '02:30' } });
    const later = gap && nextOccurrence(gap.repeat ?? daily, gap, 0, NEW_YORK);
    assert.equal(show(later?.start), '2026-03-09T02:30-04:00');
    assert.deepEqual(later?.repeat, daily);
    const alone = nextOccurrence(daily, { due: null, start: from.start }, 0, NEW_YORK);
    assert.deepEqual(alone?.repeat, { ...daily, anchorTime: { start: '02:30' } });
  });

  test('[REP-17] a time of day that the zone repeats is the first of the two', () => {
    assert.equal(next(rule(1, 'days'), instant('2026-10-31T01:30', NEW_YORK)), '2026-11-01T01:30-04:00');
    assert.equal(next(rule(1, 'days'), instant('2026-04-04T01:45', LORD_HOWE)), '2026-04-05T01:45+11:00');
  });

  test('[REP-17] a day that the zone skipped does not stop the series', () => {
    // Apia had no 30 December 2011.
    const due = instant('2011-12-29T09:00', APIA);
    assert.equal(next(rule(1, 'days'), due), '2011-12-31T09:00+14:00');
    assert.equal(
      next(rule(1, 'days', skip), due, { done: '2011-12-31T08:00', zone: APIA }),
      '2011-12-31T09:00+14:00',
    );
    assert.equal(
      next(rule(1, 'days', skip), due, { done: '2011-12-31T10:00', zone: APIA }),
      '2012-01-01T09:00+14:00',
    );
  });

  test('[REP-17] an instant keeps the zone it was said in, wherever the person is', () => {
    assert.equal(
      next(rule(1, 'days'), instant('2026-03-07T09:00', NEW_YORK), { zone: APIA }),
      '2026-03-08T09:00-04:00',
    );
  });
});

const arbitraryRule: fc.Arbitrary<RepeatRule> = fc.record({
  value: fc.integer({ min: 1, max: 5 }),
  unit: fc.constantFrom(...repeatUnits),
  metadata: fc.oneof(
    fc.constant(null),
    fc.record({ weekdays: fc.subarray(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const) }),
    fc.record({
      monthDays: fc.array(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last day' as const)), {
        maxLength: 4,
      }),
    }),
  ),
  from: fc.constantFrom('due date' as const, 'completion' as const, null),
  missed: fc.constantFrom('skip' as const, 'every' as const),
  anchorDay: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 31 })),
});
const arbitraryZone = fc.constantFrom(NEW_YORK, LORD_HOWE, APIA, 'UTC');
const arbitraryMs = fc
  .integer({ min: ms('1999-01-01T00:00'), max: ms('2031-01-01T00:00') })
  .map((at) => at - (at % 60_000));
const arbitraryWhen: fc.Arbitrary<When> = fc.oneof(
  fc.record({ at: arbitraryMs, zone: arbitraryZone }),
  arbitraryMs.map((at) => ({ on: Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 10) })),
  arbitraryMs.map((at) => ({ local: Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16) })),
);

function moment(when: When, zone: string): number {
  if ('at' in when) return when.at;
  const wall = Temporal.PlainDateTime.from('on' in when ? when.on : when.local);
  return wall.toZonedDateTime(zone).epochMilliseconds;
}

describe('laws', () => {
  test('[REP-15] skip gives the occurrence that going through every one arrives at', () => {
    fc.assert(
      fc.property(
        arbitraryRule,
        arbitraryWhen,
        fc.integer({ min: 0, max: 60 }),
        arbitraryZone,
        (any, due, days, zone) => {
          fc.pre(any.unit !== 'minutes' || days < 2);
          const repeat: RepeatRule = { ...any, from: null, missed: 'every' };
          const completedAt = moment(due, zone) + days * 86_400_000 + 3_600_000;
          const isPast = (when: When) => {
            if ('on' in when)
              return (
                when.on <=
                Temporal.Instant.fromEpochMilliseconds(completedAt)
                  .toZonedDateTimeISO(zone)
                  .toPlainDate()
                  .toString()
              );
            return moment(when, zone) <= completedAt;
          };
          let state = nextOccurrence(repeat, { due, start: null }, completedAt, zone);
          // Only a series that never lost its time of day to a change of clocks, and whose floating hours are real ones.
          fc.pre(!('local' in due) || zone === 'UTC');
          for (let i = 0; i < 3_000 && state?.due && isPast(state.due); i += 1) {
            state = nextOccurrence(
              state.repeat ?? repeat,
              { due: state.due, start: null },
              completedAt,
              zone,
            );
          }
          const skipped = nextOccurrence(
            { ...repeat, missed: 'skip' },
            { due, start: null },
            completedAt,
            zone,
          );
          const wall = (when: When | null | undefined) =>
            when && 'at' in when ? show(when)?.slice(0, 10) : show(when);
          assert.equal(wall(skipped?.due), wall(state?.due));
        },
      ),
      { numRuns: 400, seed: 19 },
    );
  });

  test('[REP-14] [REP-15] what comes next is later than the due date and, when skipping, later than completion', () => {
    fc.assert(
      fc.property(
        arbitraryRule,
        arbitraryWhen,
        arbitraryMs,
        arbitraryZone,
        (repeat, due, completedAt, zone) => {
          const found = nextOccurrence(repeat, { due, start: null }, completedAt, zone)?.due;
          if (!found) return;
          if (repeat.from !== 'completion') assert.ok(moment(found, zone) > moment(due, zone));
          if (repeat.missed === 'skip' && repeat.from !== 'completion')
            assert.ok(moment(found, zone) > completedAt);
        },
      ),
      { numRuns: 1_000, seed: 20 },
    );
  });
});
