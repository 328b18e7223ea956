// Writes repeats as RRULE (RFC 5545), where calendars mean the same by it. The way back is import/recurrence.ts.
import type { RepeatRule, Weekday } from '../../model.ts';

const FREQUENCIES = {
  minutes: 'MINUTELY',
  hours: 'HOURLY',
  days: 'DAILY',
  weeks: 'WEEKLY',
  months: 'MONTHLY',
  years: 'YEARLY',
} as const;
const DAYS: Readonly<Record<Weekday, string>> = {
  Sun: 'SU',
  Mon: 'MO',
  Tue: 'TU',
  Wed: 'WE',
  Thu: 'TH',
  Fri: 'FR',
  Sat: 'SA',
};
const WORKING = 'MO,TU,WE,TH,FR';
const WEEKEND = 'SA,SU';

/**
 * The value of an RRULE; null when there is none: calendars can't count from a completion, and no minutes and hours from a day.
 * `isDay`: the first date has no time.
 */
export function rruleOf(
  { value, also = [], unit, metadata, from }: RepeatRule,
  isDay: boolean,
): string | null {
  if (from === 'completion') return null;
  const weekdays = metadata !== null && 'weekdays' in metadata ? metadata.weekdays : [];
  const monthDays = metadata !== null && 'monthDays' in metadata ? metadata.monthDays : [];
  const places = [value, ...also];
  const days = weekdays.map((day) => DAYS[day]);
  switch (unit) {
    case 'nth-weekday':
      if (days.length === 0) return null;
      return `FREQ=MONTHLY;BYDAY=${places.flatMap((place) => days.map((day) => `${place}${day}`)).join(',')}`;
    case 'nth-business-day-of-month':
      return `FREQ=MONTHLY;BYDAY=${WORKING};BYSETPOS=${places.join(',')}`;
    case 'nth-weekend-day-of-month':
      return `FREQ=MONTHLY;BYDAY=${WEEKEND};BYSETPOS=${places.join(',')}`;
    default: {
      if (value < 1 || (isDay && (unit === 'minutes' || unit === 'hours'))) return null;
      const every = `FREQ=${FREQUENCIES[unit]}${value === 1 ? '' : `;INTERVAL=${value}`}`;
      if (unit === 'weeks' && days.length > 0) return `${every};BYDAY=${days.join(',')}`;
      if (unit === 'months' && monthDays.length > 0)
        return `${every};BYMONTHDAY=${monthDays.map((day) => (day === 'last day' ? -1 : day)).join(',')}`;
      return every;
    }
  }
}
