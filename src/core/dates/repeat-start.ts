// Where a series starts on a task that has a date: the date stays, unless the words of the repeat name another one. Not
// here: reading these words (repeat-phrase.ts).
import { isDayWhen, isInstantWhen, type When } from '../when.ts';
import type { RepeatRule } from '../model.ts';
import type { Moment } from './keep-time.ts';
import type { RepeatReading } from './repeat-phrase.ts';

type Day = Temporal.PlainDate;

/** The 29th of February comes within eight years. */
const MOST_YEARS = 8;

function dayIn(when: When): Day {
  if (isDayWhen(when)) return Temporal.PlainDate.from(when.on);
  if (!isInstantWhen(when)) return Temporal.PlainDate.from(when.local.slice(0, 10));
  return Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).toPlainDate();
}

/** The same time of day, if any, on another day. */
function onDay(like: When, day: Day): When {
  if (isDayWhen(like)) return { on: day.toString() };
  if (!isInstantWhen(like)) return { local: `${day.toString()}${like.local.slice(10)}` };
  const plainTime = Temporal.Instant.fromEpochMilliseconds(like.at)
    .toZonedDateTimeISO(like.zone)
    .toPlainTime();
  return { at: day.toZonedDateTime({ timeZone: like.zone, plainTime }).epochMilliseconds, zone: like.zone };
}

/** That day of the year, on or after the current date. */
function dayOfYear(first: Day, held: Day): Day {
  if (first.month === held.month && first.day === held.day) return held;
  if (Temporal.PlainDate.compare(first, held) >= 0) return first;
  for (let year = held.year; year <= Math.min(held.year + MOST_YEARS, 9999); year += 1) {
    const month = new Temporal.PlainDate(year, first.month, 1);
    if (first.day > month.daysInMonth) continue;
    const day = month.with({ day: first.day });
    if (Temporal.PlainDate.compare(day, held) >= 0) return day;
  }
  return first;
}

/** The date from which the series runs; null when neither the task nor the words have one. */
export function seriesStart(
  { first, says }: Pick<RepeatReading, 'first' | 'says'>,
  held: When | null,
): When | null {
  if (held === null || first === null || says === null) return held ?? first;
  // Words without a time keep the current one.
  const like = isDayWhen(first) ? held : first;
  const day = dayIn(held);
  if (says === 'time of day') return onDay(like, day);
  return onDay(like, says === 'first day' ? dayIn(first) : dayOfYear(dayIn(first), day));
}

const QUARTER_MS = 15 * 60_000;

/**
 * Where a series of hours or minutes starts that has no date: at the next quarter of an hour, so that it is not overdue at
 * once. Null for others, which start on a day.
 */
export function startNow({ unit }: Pick<RepeatRule, 'unit'>, { now, zone }: Moment): When | null {
  return unit === 'hours' || unit === 'minutes'
    ? { at: Math.ceil((now + 1) / QUARTER_MS) * QUARTER_MS, zone }
    : null;
}

/** Moves a date by as many days as another one was moved. */
export function movedAlong(when: When, from: When, to: When): When {
  const days = dayIn(from).until(dayIn(to), { largestUnit: 'days' }).days;
  return days === 0 ? when : onDay(when, dayIn(when).add({ days }));
}
