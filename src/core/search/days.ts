// The days that words in a query mean: "today" is one day, "this week" seven, "nov 2027" a month, "last 7 days" a span
// that ends today. A time of day narrows it to a moment.
import { plainContext } from '../dates/plain-context.ts';
import { readDate } from '../dates/phrase.ts';
import type { PhraseContext } from '../dates/reader.ts';
import { english, type Period } from '../dates/vocabulary.ts';
import { isDayWhen, isInstantWhen, type When } from '../when.ts';

/** From the first moment to the last, both included. */
export interface Days {
  /** First and last calendar day, ISO. */
  readonly first: string;
  readonly last: string;
  /** Milliseconds: the start of the first day, and the last millisecond of the last. */
  readonly from: number;
  readonly to: number;
}

type Day = Temporal.PlainDate;

const PERIOD = /^(?:(this|next|last|previous|past)\s+)?(week|month|quarter|year|weekend)$/i;
const SPAN = /^(next|coming|last|past|previous)\s+(\d{1,4})\s+(day|week|month|year)s?$/i;
const MONTH = /^(\p{L}+)\.?(?:\s+(\d{4}))?$/u;
const YEAR = /^(\d{4})(?:-(\d{2}))?$/;

/** Whether words mean days at all. */
export function isDaysPhrase(words: string, steps?: { count: number }): boolean {
  return daysOf(words, SOME_MOMENT, steps) !== null;
}

const SOME_MOMENT = plainContext(Date.UTC(2026, 0, 1, 12), 'UTC');

/**
 * The days that words mean, by their most literal reading; null when they are no date. Adds the work done to
 * `steps.count`.
 */
export function daysOf(words: string, context: PhraseContext, steps?: { count: number }): Days | null {
  const text = words.trim().toLowerCase();
  const today = Temporal.Instant.fromEpochMilliseconds(context.now)
    .toZonedDateTimeISO(context.zone)
    .subtract({ hours: context.dayStart })
    .toPlainDate();
  const period =
    periodDays(text, today, context) ?? spanDays(text, today) ?? calendarDays(text, today, context);
  if (period) return whole(period[0], period[1], context);
  const options = { vocabulary: english, ...(steps ? { steps } : {}) };
  const said: PhraseContext = { ...context, pastEvening: 'stays' };
  // A time of day alone means today, even if it has passed.
  const [timed] = readDate(`today ${text}`, said, { ...options, isPlain: true });
  const { when = null, start = when } = timed ?? readDate(text, said, options)[0] ?? {};
  if (when === null || start === null) return null;
  const last = daysOfWhen(when, context);
  if (start === when) return last;
  const { first, from } = daysOfWhen(start, context);
  return { ...last, first, from };
}

type Pair = readonly [Day, Day];

function periodDays(text: string, today: Day, context: PhraseContext): Pair | null {
  const found = PERIOD.exec(text);
  if (!found) return null;
  const [, said = 'this', name = ''] = found;
  const offset = said === 'this' ? 0 : said === 'next' ? 1 : -1;
  const period = name as Exclude<Period, 'day'>;
  if (period === 'week' || period === 'weekend') {
    const start = today
      .subtract({ days: (today.dayOfWeek - context.weekStart + 7) % 7 })
      .add({ days: 7 * offset });
    if (period === 'week') return [start, start.add({ days: 6 })];
    const saturday = start.add({ days: (6 - context.weekStart + 7) % 7 });
    return [saturday, saturday.add({ days: 1 })];
  }
  const months = period === 'month' ? 1 : period === 'quarter' ? 3 : 12;
  const firstMonth = today.month - ((today.month - 1) % months);
  const start = today.with({ day: 1, month: firstMonth }).add({ months: months * offset });
  return [start, start.add({ months }).subtract({ days: 1 })];
}

/** "last 7 days" ends today, "next 7 days" begins today. */
function spanDays(text: string, today: Day): Pair | null {
  const found = SPAN.exec(text);
  if (!found) return null;
  const [, side = '', count = '', unit = ''] = found;
  const span = { [`${unit}s`]: Number(count) };
  const isAhead = side === 'next' || side === 'coming';
  return isAhead
    ? [today, today.add(span).subtract({ days: 1 })]
    : [today.subtract(span).add({ days: 1 }), today];
}

/** "nov", "nov 2027", "2027", "2027-11": all of it. */
function calendarDays(text: string, today: Day, context: PhraseContext): Pair | null {
  const numeric = YEAR.exec(text);
  if (numeric) {
    const year = Number(numeric[1]);
    const month = numeric[2] === undefined ? null : Number(numeric[2]);
    if (year < 1900 || (month !== null && (month < 1 || month > 12))) return null;
    const start = new Temporal.PlainDate(year, month ?? 1, 1);
    return [start, start.add(month === null ? { years: 1 } : { months: 1 }).subtract({ days: 1 })];
  }
  const named = MONTH.exec(text);
  const month = named ? english.months.get(named[1] ?? '') : undefined;
  if (!named || month === undefined) return null;
  let start = today.with({ day: 1, month });
  if (named[2] !== undefined) start = start.with({ year: Number(named[2]) });
  else if (context.prefers === 'future' && month < today.month) start = start.add({ years: 1 });
  else if (context.prefers === 'past' && month > today.month) start = start.subtract({ years: 1 });
  return start.year < 1900 ? null : [start, start.add({ months: 1 }).subtract({ days: 1 })];
}

type Place = Pick<PhraseContext, 'zone' | 'dayStart'>;

/** The first moment of the person's day. Midnight may not exist in the zone; a later hour is taken as it is. */
function startOf(day: Day, { zone, dayStart }: Place): number {
  const start =
    dayStart === 0
      ? day.toZonedDateTime(zone)
      : day.toZonedDateTime({ timeZone: zone, plainTime: { hour: dayStart } });
  return start.epochMilliseconds;
}

function whole(first: Day, last: Day, place: Place): Days {
  return {
    first: first.toString(),
    last: last.toString(),
    from: startOf(first, place),
    to: startOf(last.add({ days: 1 }), place) - 1,
  };
}

function daysOfWhen(when: When, place: Place): Days {
  const { zone, dayStart } = place;
  if (isDayWhen(when)) {
    const day = Temporal.PlainDate.from(when.on);
    return whole(day, day, place);
  }
  const at = isInstantWhen(when)
    ? when.at
    : Temporal.PlainDateTime.from(when.local).toZonedDateTime(zone).epochMilliseconds;
  const day = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .subtract({ hours: dayStart })
    .toPlainDate()
    .toString();
  return { first: day, last: day, from: at, to: at + 59_999 };
}
