// Evaluates repeat rules: the next occurrence, in constant time however many were missed. Not here: rules as words,
// pickers, and what completing does to the task (sync/).
import { DAY_MS } from './time.ts';
import type { RepeatMetadata, RepeatRule, Weekday } from './model.ts';
import { isDayWhen, isInstantWhen, isWhen, momentOf, type When } from './when.ts';

/** The dates of an occurrence of a repeating task. */
export interface Occurrence {
  readonly due: When | null;
  readonly start: When | null;
  /** The new rule, if advancing changed it (a remembered day of the month or time of day). */
  readonly repeat?: RepeatRule;
}

const WEEKDAYS: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** 9999-12-31. */
const LAST_DAY = 2_932_896;
/** Any n-th day that exists at all comes round well within this many months. */
const NTH_SEARCH_MONTHS = 120;
/** Only dates that a zone skips or repeats need more than two candidates. */
const CANDIDATES = 6;

/**
 * The occurrence after `from`, which was completed at `completedAt` (milliseconds). The series runs on the due date,
 * else on the start date, else on the moment of completion. `zone` is the person's own: it decides which day "now" is
 * for days and floating times; an instant keeps its own zone.
 * Null when there is none: the rule names no day that exists, or the series has reached the end of year 9999. Throws a
 * RangeError when `zone` is not a known zone.
 */
export function nextOccurrence(
  rule: RepeatRule,
  from: { readonly due: When | null; readonly start: When | null },
  completedAt: number,
  zone: string,
): Occurrence | null {
  if (!Number.isSafeInteger(rule.value) || rule.value === 0) return null;
  if (rule.value < 0 && !rule.unit.startsWith('nth-')) return null;
  const lead = from.due ?? from.start;
  const byClock = rule.unit === 'minutes' || rule.unit === 'hours';
  const said = from.due === null ? rule.anchorTime?.start : rule.anchorTime?.due;
  const step = { rule, lead, said, completedAt, zone };
  const next = byClock ? nextByClock(step) : nextByCalendar(step);
  if (next === null || !isWhen(next.when)) return null;
  if (from.due === null && from.start !== null)
    return { due: null, start: next.when, ...remembered(rule, next, { start: next.said }) };
  if (from.due === null || from.start === null)
    return { due: next.when, start: null, ...remembered(rule, next, { due: next.said }) };
  const shift = { from: from.due, to: next.when };
  const start: Next | null = byClock
    ? shiftByClock(from.start, shift, zone)
    : shiftByDays(from.start, shift, rule.anchorTime?.start);
  if (start === null || !isWhen(start.when)) return null;
  return {
    due: next.when,
    start: start.when,
    ...remembered(rule, next, { due: next.said, start: start.said }),
  };
}

/** The rule, if what it remembers has changed. */
function remembered(
  { anchorTime, ...rule }: RepeatRule,
  { anchorDay = rule.anchorDay }: Next,
  said: { readonly due?: string | undefined; readonly start?: string | undefined },
): { readonly repeat?: RepeatRule } {
  const isSame =
    anchorDay === rule.anchorDay && said.due === anchorTime?.due && said.start === anchorTime?.start;
  if (isSame) return {};
  const times = {
    ...(said.due === undefined ? {} : { due: said.due }),
    ...(said.start === undefined ? {} : { start: said.start }),
  };
  const keeps = said.due !== undefined || said.start !== undefined;
  return { repeat: { ...rule, anchorDay, ...(keeps ? { anchorTime: times } : {}) } };
}

interface Step {
  readonly rule: RepeatRule;
  /** The date that the series runs on. */
  readonly lead: When | null;
  /** Original time of day, if it is remembered. */
  readonly said: string | undefined;
  readonly completedAt: number;
  readonly zone: string;
}

interface Next {
  readonly when: When;
  /** Absent: as in the rule. */
  readonly anchorDay?: number | null;
  /** Original time of day, if the zone has moved it. */
  readonly said?: string | undefined;
}

function nextByClock({ rule, lead, completedAt, zone }: Step): Next | null {
  const stepMs = rule.value * (rule.unit === 'minutes' ? 60_000 : 3_600_000);
  const isFloating = lead !== null && 'local' in lead;
  const now = isFloating ? wallMs(Temporal.Instant.fromEpochMilliseconds(completedAt), zone) : completedAt;
  const base = lead === null ? now : clockMs(lead, zone);
  let at: number;
  if (lead === null || rule.from === 'completion') at = now + stepMs;
  else if (rule.missed === 'every') at = base + stepMs;
  else at = base + Math.max(1, Math.floor((now - base) / stepMs) + 1) * stepMs;
  return isInReach(at) ? { when: clockToWhen(at, lead, zone) } : null;
}

/** Milliseconds on the line that clock arithmetic uses: exact time, or for a floating time its own wall clock. */
function clockMs(when: When, zone: string): number {
  if (isInstantWhen(when)) return when.at;
  if (isDayWhen(when)) return Temporal.PlainDate.from(when.on).toZonedDateTime(zone).epochMilliseconds;
  return Temporal.PlainDateTime.from(when.local).toZonedDateTime('UTC').epochMilliseconds;
}

function wallMs(instant: Temporal.Instant, zone: string): number {
  return instant.toZonedDateTimeISO(zone).toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds;
}

function clockToWhen(ms: number, like: When | null, zone: string): When {
  if (like === null || isDayWhen(like)) return { at: ms, zone };
  if (isInstantWhen(like)) return { at: ms, zone: like.zone };
  const wall = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
  const hasSeconds = like.local.length > 'YYYY-MM-DDTHH:MM'.length;
  return { local: wall.toString({ smallestUnit: hasSeconds ? 'second' : 'minute' }) };
}

function isInReach(ms: number): boolean {
  return ms <= (LAST_DAY + 1) * DAY_MS;
}

function nextByCalendar({ rule, lead, said, completedAt, zone }: Step): Next | null {
  const ownZone = lead !== null && isInstantWhen(lead) ? lead.zone : zone;
  const today = dayNumber(
    Temporal.Instant.fromEpochMilliseconds(completedAt).toZonedDateTimeISO(ownZone).toPlainDate(),
  );
  const counts = lead === null || rule.from === 'completion';
  const base = counts ? dateOf(today) : dateIn(lead);
  if (base === null) return null;
  const series: Series = { rule, base, anchor: counts ? base.day : anchorDay(rule, base) };
  const mustPass = !counts && rule.missed === 'skip';
  const isTimed = lead !== null && !isDayWhen(lead);
  const time = timeOf(lead, said);
  let after = dayNumber(base);
  // An occurrence later today still counts as coming, so a timed series begins its search yesterday.
  if (mustPass) after = Math.max(after, isTimed ? today - 1 : today);
  for (let i = 0; i < CANDIDATES; i += 1) {
    const day = firstDayAfter(series, after);
    const date = day === null ? null : dateOf(day);
    if (day === null || date === null) return null;
    const next = onDate(date, lead, time);
    if (!mustPass || !isTimed || momentOf(next.when, zone) > completedAt)
      return withAnchor(next, series, date);
    after = day;
  }
  return null;
}

interface Series {
  readonly rule: RepeatRule;
  readonly base: Temporal.PlainDate;
  /** Day of the month that a monthly or yearly series keeps. */
  readonly anchor: number;
}

/** The remembered day, unless the due date was moved off it by hand. */
function anchorDay(rule: RepeatRule, base: Temporal.PlainDate): number {
  const remembered = rule.anchorDay;
  return remembered !== null && Math.min(remembered, base.daysInMonth) === base.day ? remembered : base.day;
}

function withAnchor(next: Next, { rule, anchor }: Series, date: Temporal.PlainDate): Next {
  const holds = (rule.unit === 'months' || rule.unit === 'years') && monthDays(rule.metadata) === null;
  if (!holds || rule.from === 'completion' || anchor === rule.anchorDay) return next;
  return { ...next, anchorDay: date.day === anchor ? null : anchor };
}

/** The first day of the series after `after`, which must not be before the base. Null when there is none. */
function firstDayAfter(series: Series, after: number): number | null {
  const { rule } = series;
  switch (rule.unit) {
    case 'days':
      return firstStepAfter(dayNumber(series.base), rule.value, after);
    case 'weeks': {
      const weekdays = weekdayNumbers(rule.metadata);
      if (weekdays === null) return firstStepAfter(dayNumber(series.base), 7 * rule.value, after);
      return firstWeekdayAfter(series, weekdays, after);
    }
    case 'months':
      return firstMonthDayAfter(series, rule.value, after);
    case 'years':
      return firstMonthDayAfter(series, 12 * rule.value, after);
    default:
      return firstNthAfter(series, after);
  }
}

function firstStepAfter(base: number, step: number, after: number): number {
  return base + (Math.floor((after - base) / step) + 1) * step;
}

/** Weeks begin on Monday; the base's own week is the first of the series. */
function firstWeekdayAfter(
  { rule, base }: Series,
  weekdays: readonly number[],
  after: number,
): number | null {
  const monday = dayNumber(base) - (base.dayOfWeek - 1);
  const step = 7 * rule.value;
  const period = Math.floor((after - monday) / step);
  for (const week of [monday + period * step, monday + (period + 1) * step]) {
    const day = weekdays.map((weekday) => week + weekday - 1).find((candidate) => candidate > after);
    if (day !== undefined) return day;
  }
  return null;
}

function firstMonthDayAfter(series: Series, step: number, after: number): number | null {
  const afterDate = dateOf(after);
  if (afterDate === null) return null;
  const named = series.rule.unit === 'months' ? monthDays(series.rule.metadata) : null;
  const days = named ?? [series.anchor];
  const first = monthNumber(series.base);
  const period = Math.floor((monthNumber(afterDate) - first) / step);
  for (const month of [first + period * step, first + (period + 1) * step]) {
    const start = monthStart(month);
    if (start === null) return null;
    const candidates = days.map((day) => dayNumber(start) + Math.min(day, start.daysInMonth) - 1);
    const day = candidates.toSorted((a, b) => a - b).find((candidate) => candidate > after);
    if (day !== undefined) return day;
  }
  return null;
}

function firstNthAfter(series: Series, after: number): number | null {
  const afterDate = dateOf(after);
  if (afterDate === null) return null;
  for (let i = 0; i < NTH_SEARCH_MONTHS; i += 1) {
    const start = monthStart(monthNumber(afterDate) + i);
    if (start === null) return null;
    const days = nthDays(series, start).map((day) => dayNumber(start) + day - 1);
    const day = days.toSorted((a, b) => a - b).find((candidate) => candidate > after);
    if (day !== undefined) return day;
  }
  return null;
}

/** The days that the rule names in the month that begins at `start`; months without an n-th one have none. */
function nthDays({ rule, base }: Series, start: Temporal.PlainDate): number[] {
  const groups: ReadonlySet<number>[] = [];
  if (rule.unit === 'nth-business-day-of-month') groups.push(new Set([1, 2, 3, 4, 5]));
  else if (rule.unit === 'nth-weekend-day-of-month') groups.push(new Set([6, 7]));
  else
    for (const weekday of weekdayNumbers(rule.metadata) ?? [base.dayOfWeek]) groups.push(new Set([weekday]));
  // Temporal computes these anew on each access.
  const { dayOfWeek, daysInMonth } = start;
  return groups.flatMap((weekdays) => {
    const days: number[] = [];
    for (let day = 1; day <= daysInMonth; day += 1) {
      if (weekdays.has(((dayOfWeek + day - 2) % 7) + 1)) days.push(day);
    }
    return [rule.value, ...(rule.also ?? [])].flatMap((value) => {
      const nth = days.at(value > 0 ? value - 1 : value);
      return nth === undefined ? [] : [nth];
    });
  });
}

/** ISO numbers (Monday is 1) of the weekdays named, in order; null when none are. */
function weekdayNumbers(metadata: RepeatMetadata | null): number[] | null {
  if (metadata === null || !('weekdays' in metadata) || metadata.weekdays.length === 0) return null;
  const named = new Set(metadata.weekdays);
  return WEEKDAYS.flatMap((weekday, i) => (named.has(weekday) ? [i + 1] : []));
}

function monthDays(metadata: RepeatMetadata | null): number[] | null {
  if (metadata === null || !('monthDays' in metadata) || metadata.monthDays.length === 0) return null;
  return metadata.monthDays.map((day) => (day === 'last day' ? 31 : day));
}

/**
 * Days since 1970-01-01. Temporal's calendar is used as little as possible: it costs more than everything else here.
 */
function dayNumber({ year, month, day }: Temporal.PlainDate): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

function dateOf(day: number): Temporal.PlainDate | null {
  if (Math.abs(day) > LAST_DAY) return null;
  return Temporal.Instant.fromEpochMilliseconds(day * DAY_MS)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();
}

function monthNumber(date: Temporal.PlainDate): number {
  return date.year * 12 + date.month - 1;
}

function monthStart(month: number): Temporal.PlainDate | null {
  const year = Math.floor(month / 12);
  return year <= 9999 ? new Temporal.PlainDate(year, month - year * 12 + 1, 1) : null;
}

/** The calendar day that a date falls on: an instant's in its own zone. */
function dateIn(when: When): Temporal.PlainDate {
  if (isDayWhen(when)) return Temporal.PlainDate.from(when.on);
  if (!isInstantWhen(when)) return Temporal.PlainDate.from(when.local.slice(0, 10));
  return Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).toPlainDate();
}

/** The time of day of an instant: the one remembered, unless the date was moved off it by hand. */
function timeOf(when: When | null, said: string | undefined): Temporal.PlainTime | null {
  if (when === null || !isInstantWhen(when)) return null;
  const own = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  if (said === undefined) return own.toPlainTime();
  const plainTime = Temporal.PlainTime.from(said);
  const moved = own.toPlainDate().toZonedDateTime({ timeZone: when.zone, plainTime });
  return moved.epochMilliseconds === when.at ? plainTime : own.toPlainTime();
}

/** The same kind of date on another day; a time of day that the zone skips there moves on by the length of the gap. */
function onDate(date: Temporal.PlainDate, like: When | null, time: Temporal.PlainTime | null): Next {
  if (like === null || isDayWhen(like)) return { when: { on: date.toString() } };
  if (!isInstantWhen(like)) return { when: { local: `${date.toString()}${like.local.slice(10)}` } };
  const plainTime = time ?? new Temporal.PlainTime();
  const moment = date.toZonedDateTime({ timeZone: like.zone, plainTime });
  const when = { at: moment.epochMilliseconds, zone: like.zone };
  return moment.toPlainTime().equals(plainTime) ? { when } : { when, said: wallText(plainTime) };
}

function wallText(time: Temporal.PlainTime): string {
  const isWhole = time.second === 0 && time.millisecond === 0;
  return time.toString({ smallestUnit: isWhole ? 'minute' : 'millisecond' });
}

interface Shift {
  readonly from: When;
  readonly to: When;
}

function shiftByDays(start: When, { from, to }: Shift, said: string | undefined): Next | null {
  const days = dayNumber(dateIn(to)) - dayNumber(dateIn(from));
  const date = dateOf(dayNumber(dateIn(start)) + days);
  return date === null ? null : onDate(date, start, timeOf(start, said));
}

function shiftByClock(start: When, { from, to }: Shift, zone: string): Next | null {
  if (isDayWhen(start)) return shiftByDays(start, { from, to }, undefined);
  const ms = clockMs(start, zone) + clockMs(to, zone) - clockMs(from, zone);
  return isInReach(ms) ? { when: clockToWhen(ms, start, zone) } : null;
}
