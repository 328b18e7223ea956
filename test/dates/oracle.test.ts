// Next occurrences held to an independent recurrence library, on random rules in zones with gaps and overlaps. What RRULE
// cannot say, and where we differ on purpose, stands in docs/rules/tasks.md and is not compared here.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RRuleTemporal } from 'rrule-temporal';
import { type RepeatRule, repeatUnits, type RepeatUnit, type Weekday } from '#core/model.ts';
import { nextOccurrence } from '#core/repeat.ts';
import { zones } from './said-at.ts';

/** More, or others: `ORACLE_RULES=1000000 ORACLE_SEED=2 node --test test/dates/oracle.test.ts`. */
const RULES = Number(process.env['ORACLE_RULES'] ?? 50_000);
const SEED = Number(process.env['ORACLE_SEED'] ?? 20_261_120);
const SERIES = Math.ceil(RULES / 50);
const WEEKDAYS: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const BUSINESS = ['MO', 'TU', 'WE', 'TH', 'FR'];
/** Beside the zones of the phrases: gaps of midnight, and a day that was left out. */
const ALL_ZONES = [...zones, 'America/Santiago', 'Africa/Cairo', 'Europe/Berlin'];

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof randomOf>;

function someOf<T>(random: Random, from: readonly T[], most: number): T[] {
  const count = 1 + random(most);
  return [...new Set(Array.from({ length: count }, () => from[random(from.length)] as T))];
}

function randomRule(random: Random): RepeatRule {
  const unit = repeatUnits[random(repeatUnits.length)] as RepeatUnit;
  const common = { unit, from: 'due date', anchorDay: null } as const;
  const missed = random(2) === 0 ? 'skip' : 'every';
  const isNth = unit.startsWith('nth-');
  const nth = unit === 'nth-weekday' ? [1, 2, 3, 4, 5, -1] : [1, 2, 3, 4, -1];
  const value = isNth ? (nth[random(nth.length)] ?? 1) : 1 + random(unit === 'minutes' ? 90 : 6);
  const named = unit === 'nth-weekday' || (unit === 'weeks' && random(2) === 0);
  if (named) return { ...common, missed, value, metadata: { weekdays: someOf(random, WEEKDAYS, 3) } };
  if (unit === 'months' && random(2) === 0) {
    const days = [...Array.from({ length: 31 }, (_, day) => day + 1), 'last day' as const];
    return { ...common, missed, value, metadata: { monthDays: someOf(random, days, 3) } };
  }
  return { ...common, missed, value, metadata: null };
}

const FREQUENCIES = {
  minutes: 'MINUTELY',
  hours: 'HOURLY',
  days: 'DAILY',
  weeks: 'WEEKLY',
  months: 'MONTHLY',
  years: 'YEARLY',
} as const;

function weekdaysOf({ metadata }: RepeatRule): string[] | null {
  return metadata !== null && 'weekdays' in metadata
    ? metadata.weekdays.map((weekday) => weekday.slice(0, 2).toUpperCase())
    : null;
}

/** A day of the month, the last one where the month ends before it. */
function monthDay(day: number): { byMonthDay: number[]; bySetPos?: number[] } {
  if (day <= 28) return { byMonthDay: [day] };
  return { byMonthDay: Array.from({ length: day - 27 }, (_, more) => 28 + more), bySetPos: [-1] };
}

/** The rule as RFC 5545 says it: several where one cannot, of which the earliest counts. */
function theirs(rule: RepeatRule, start: Temporal.ZonedDateTime): RRuleTemporal[] {
  const { unit, value, metadata } = rule;
  const common = { dtstart: start as never, tzid: start.timeZoneId };
  const weekdays = weekdaysOf(rule);
  if (unit === 'nth-weekday') {
    const byDay = (weekdays ?? []).map((weekday) => `${value}${weekday}`);
    return [new RRuleTemporal({ ...common, freq: 'MONTHLY', byDay })];
  }
  if (unit === 'nth-business-day-of-month' || unit === 'nth-weekend-day-of-month') {
    const byDay = unit === 'nth-business-day-of-month' ? BUSINESS : ['SA', 'SU'];
    return [new RRuleTemporal({ ...common, freq: 'MONTHLY', byDay, bySetPos: [value] })];
  }
  const plain = { ...common, freq: FREQUENCIES[unit], interval: value };
  if (weekdays !== null) return [new RRuleTemporal({ ...plain, byDay: weekdays, wkst: 'MO' })];
  if (unit === 'years' && start.month === 2 && start.day === 29)
    return [new RRuleTemporal({ ...plain, byMonth: [2], ...monthDay(29) })];
  if (unit !== 'months') return [new RRuleTemporal(plain)];
  const days = metadata !== null && 'monthDays' in metadata ? metadata.monthDays : [start.day];
  return days.map((day) => new RRuleTemporal({ ...plain, ...monthDay(day === 'last day' ? 31 : day) }));
}

/** Half of the dates stand near a change of the clock or the end of a month. */
function randomStart(random: Random, zone: string): Temporal.ZonedDateTime {
  const midnight = Temporal.PlainDate.from('2023-01-01').add({ days: random(1_400) });
  const time = new Temporal.PlainTime(random(24), random(2) * 30);
  let start = midnight.toZonedDateTime({ timeZone: zone, plainTime: time });
  const near = random(4);
  if (near === 0) {
    const change = start.getTimeZoneTransition('next');
    if (change) start = change.subtract({ days: random(3) }).withPlainTime(time);
  } else if (near === 1) start = start.with({ day: 31 }, { overflow: 'constrain' });
  return start;
}

interface Case {
  readonly rule: RepeatRule;
  readonly start: Temporal.ZonedDateTime;
  readonly now: number;
}

/** The zone skips the time of day on that date, or where a month is counted through, on one of its days before. */
function isSkipped(date: Temporal.PlainDate, like: Temporal.ZonedDateTime, isCounted: boolean): boolean {
  const plainTime = like.toPlainTime();
  const first = isCounted ? date.with({ day: 1 }) : date;
  for (let day = first; day.month === date.month; day = day.add({ days: 1 })) {
    const moment = day.toZonedDateTime({ timeZone: like.timeZoneId, plainTime });
    if (!moment.toPlainTime().equals(plainTime)) return true;
    if (!isCounted) return false;
  }
  return false;
}

/** Null: both agree. "moved": the zone skips the time of day there, where RFC 5545 leaves the occurrence out. */
function difference({ rule, start, now }: Case): string | null {
  const due = { at: start.epochMilliseconds, zone: start.timeZoneId };
  const next = nextOccurrence(rule, { due, start: null }, now, due.zone)?.due ?? null;
  const own = next !== null && 'at' in next ? start.add({ milliseconds: next.at - due.at }) : null;
  const after = new Date(rule.missed === 'every' ? due.at : Math.max(due.at, now));
  const byClock = rule.unit === 'minutes' || rule.unit === 'hours';
  // Minutes and hours are elapsed time, which knows no change of the clock.
  const found = theirs(rule, byClock ? start.withTimeZone('UTC') : start).flatMap(
    (one) => one.next(after, false)?.epochMilliseconds ?? [],
  );
  const oracle = found.length === 0 ? null : Math.min(...found);
  if ((own?.epochMilliseconds ?? null) === oracle) return null;
  const isCounted = rule.unit.startsWith('nth-');
  if (!byClock && own !== null && isSkipped(own.toPlainDate(), start, isCounted)) return 'moved';
  const said = oracle === null ? 'none' : new Date(oracle).toISOString();
  const from = `${start.toString()} after ${after.toISOString()}`;
  return `${JSON.stringify(rule)} from ${from}: ${own?.toInstant().toString() ?? 'none'}, theirs ${said}`;
}

const STEPS = 12;

/** A time of day that the zone skips soon, where it skips any. */
function beforeGap(random: Random, zone: string): Temporal.ZonedDateTime {
  let change = Temporal.PlainDate.from('2023-01-01')
    .add({ days: random(700) })
    .toZonedDateTime(zone);
  for (let more = 0; more < 2; more += 1) {
    const next = change.getTimeZoneTransition('next');
    if (next === null) return randomStart(random, zone);
    change = next;
    const skipped = change.offsetNanoseconds - change.subtract({ seconds: 1 }).offsetNanoseconds;
    if (skipped <= 0) continue;
    const inside = change.toPlainDateTime().subtract({ minutes: 1 + random(skipped / 60e9) });
    return inside
      .toPlainDate()
      .subtract({ days: 1 + random(30) })
      .toZonedDateTime({
        timeZone: zone,
        plainTime: inside.toPlainTime(),
      });
  }
  return randomStart(random, zone);
}

/** The RFC finds the day by counting those of the month that are there. */
function isCounted({ unit, metadata }: RepeatRule, start: Temporal.ZonedDateTime): boolean {
  if (unit.startsWith('nth-')) return true;
  if (unit === 'years') return start.month === 2 && start.day === 29;
  return unit === 'months' && (metadata !== null || start.day > 28);
}

/** Follows a series by its own answers, and by theirs from its beginning. `left`: what only the RFC leaves out. */
function seriesDifference(
  rule: RepeatRule,
  start: Temporal.ZonedDateTime,
): { readonly differs: string | null; readonly left: number } {
  const zone = start.timeZoneId;
  let due: { at: number; zone: string } = { at: start.epochMilliseconds, zone };
  let ahead = rule;
  let left = 0;
  const ours: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const next = nextOccurrence(ahead, { due, start: null }, due.at, zone);
    if (next?.due == null || !('at' in next.due)) break;
    due = next.due;
    ahead = next.repeat ?? ahead;
    const day = Temporal.Instant.fromEpochMilliseconds(due.at).toZonedDateTimeISO(zone).toPlainDate();
    // From here on the RFC counts another day of the month as the n-th, or as its last.
    if (isSkipped(day, start, rule.unit.startsWith('nth-'))) left += 1;
    else ours.push(due.at);
  }
  if (left > 0 && isCounted(rule, start)) return { differs: null, left };
  const rules = theirs(rule, start);
  let after = start.epochMilliseconds;
  for (const own of ours) {
    const found = rules.flatMap((one) => one.next(new Date(after), false)?.epochMilliseconds ?? []);
    const oracle = Math.min(...found);
    if (oracle !== own) {
      const said = `${JSON.stringify(rule)} from ${start.toString()}`;
      return {
        differs: `${said}: ${new Date(own).toISOString()}, theirs ${new Date(oracle).toISOString()}`,
        left,
      };
    }
    after = own;
  }
  return { differs: null, left };
}

describe('an independent recurrence library', () => {
  test(`[REP-18] agrees on the next occurrence of ${RULES} random rules`, () => {
    const random = randomOf(SEED);
    const differing: string[] = [];
    const compared = new Map<RepeatUnit, number>();
    let moved = 0;
    for (let i = 0; i < RULES; i += 1) {
      const rule = randomRule(random);
      const start = randomStart(random, ALL_ZONES[random(ALL_ZONES.length)] as string);
      const reach = rule.unit === 'minutes' || rule.unit === 'hours' ? 50_000_000 : 5_000_000_000;
      const now = start.epochMilliseconds + (random(3) - 1) * random(reach);
      const differs = difference({ rule, start, now });
      compared.set(rule.unit, (compared.get(rule.unit) ?? 0) + 1);
      if (differs === 'moved') moved += 1;
      else if (differs !== null) differing.push(differs);
    }
    assert.deepEqual(differing.slice(0, 12), [], `${differing.length} differ`);
    assert.ok(moved < RULES / 100, `${moved} times moved out of a gap`);
    for (const unit of repeatUnits) assert.ok((compared.get(unit) ?? 0) > RULES / 20, unit);
  });

  test(`[REP-18] agrees on whole series across changes of the clock, in every zone`, () => {
    const random = randomOf(SEED + 1);
    const differing: string[] = [];
    let moved = 0;
    for (let i = 0; i < SERIES; i += 1) {
      const rule: RepeatRule = { ...randomRule(random), missed: 'every' };
      const zone = ALL_ZONES[i % ALL_ZONES.length] as string;
      if (rule.unit === 'minutes' || rule.unit === 'hours') continue;
      const { differs, left } = seriesDifference(rule, beforeGap(random, zone));
      moved += left;
      if (differs !== null) differing.push(differs);
    }
    assert.deepEqual(differing.slice(0, 5), [], `${differing.length} differ`);
    assert.ok(moved > SERIES / 100, `only ${moved} occurrences met a gap`);
  });
});
