// Writes a date unambiguously: weekday, day, month and year, the time if there is one, and the distance. The short form
// in rows is clock/dates.ts.
import { sayDuration } from '#core/dates/duration-words.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { type DateContext, todayOf } from '../clock/dates.ts';

export interface Said {
  /** "Fri 27 Nov 2026, 17:00" */
  readonly text: string;
  /** "Fri 27 Nov, 17:00": the year only if it is not the current one. */
  readonly brief: string;
  /** "in 7 days", "3 days ago" */
  readonly distance: string;
  readonly isPast: boolean;
  readonly isTimed: boolean;
}

/** The calendar day and, for a moment, the time by the person's clock. */
function wallOf(when: When, zone: string): Temporal.PlainDateTime {
  if (isDayWhen(when)) return Temporal.PlainDate.from(when.on).toPlainDateTime();
  if (!isInstantWhen(when)) return Temporal.PlainDateTime.from(when.local);
  return Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone).toPlainDateTime();
}

function distanceInDays(days: number): string {
  if (days === 0) return 'today';
  if (Math.abs(days) === 1) return days > 0 ? 'tomorrow' : 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

function distanceInMinutes(minutes: number): string {
  if (minutes === 0) return 'now';
  return minutes > 0 ? `in ${sayDuration(minutes)}` : `${sayDuration(-minutes)} ago`;
}

const DAY: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
};
const CLOCK: Intl.DateTimeFormatOptions = { timeStyle: 'short', timeZone: 'UTC' };

/** Cached: creating them costs a hundred times what using them does. */
interface Formats {
  readonly locale: string;
  readonly day: Intl.DateTimeFormat;
  readonly thisYear: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
}
let formats: Formats | null = null;

function formatsOf(locale: string): Formats {
  if (formats?.locale === locale) return formats;
  formats = {
    locale,
    day: new Intl.DateTimeFormat(locale, DAY),
    thisYear: new Intl.DateTimeFormat(locale, { ...DAY, year: undefined }),
    clock: new Intl.DateTimeFormat(locale, CLOCK),
  };
  return formats;
}

/**
 * The full, short and relative form of a date. Compares all-day dates with the person's day, others with the calendar
 * day.
 */
export function sayWhen(when: When, context: DateContext): Said {
  const { now, zone, locale } = context;
  const wall = wallOf(when, zone);
  const utc = wall.toZonedDateTime('UTC').epochMilliseconds;
  const today = todayOf(isDayWhen(when) ? context : { ...context, dayStart: 0 });
  const { days } = today.until(wall.toPlainDate(), { largestUnit: 'days' });
  const said = formatsOf(locale);
  const day = said.day.format(utc).replaceAll(',', '');
  const near = wall.year === today.year ? said.thisYear.format(utc).replaceAll(',', '') : day;
  if (isDayWhen(when))
    return { text: day, brief: near, distance: distanceInDays(days), isPast: days < 0, isTimed: false };
  const at = isInstantWhen(when) ? when.at : wall.toZonedDateTime(zone).epochMilliseconds;
  const clock = said.clock.format(utc);
  // The current minute is now, even if it began some seconds ago.
  const isNow = Math.floor(at / 60_000) === Math.floor(now / 60_000);
  const minutes = isNow ? 0 : Math.round((at - now) / 60_000);
  const distance = days === 0 ? distanceInMinutes(minutes) : distanceInDays(days);
  return {
    text: `${day}, ${clock}`,
    brief: `${near}, ${clock}`,
    distance,
    isPast: at < now,
    isTimed: true,
  };
}
