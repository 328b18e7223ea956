// The month beside a date picker: its days in weeks, and movement by keys. The field has the final say: the day moved
// to is written into it.

/** One day of the month grid. */
export interface DayView {
  /** 2026-11-27 */
  readonly date: string;
  readonly number: number;
  /** "Friday 27 November 2026" */
  readonly label: string;
  readonly isToday: boolean;
  /** It belongs to the month before or after. */
  readonly isOutside: boolean;
}

/** The month grid beside a date picker. */
export interface MonthView {
  /** "November 2026" */
  readonly title: string;
  readonly weekdays: readonly { readonly short: string; readonly long: string }[];
  readonly weeks: readonly (readonly DayView[])[];
  /** The day that the field means, 2026-11-27. */
  readonly day: string;
  /** The day that is set now; null: none. */
  readonly held: string | null;
  /** Keys move in it, not in the field. */
  readonly isFocused: boolean;
}

/** A movement in the month grid. */
export type MonthStep =
  | { readonly days: number }
  | { readonly months: number }
  | { readonly to: 'start of week' | 'end of week' };

export interface Calendar {
  /** 2026-11-20 */
  readonly today: string;
  /** ISO number of the first day of a week. */
  readonly weekStart: number;
  readonly locale: string;
}

type Day = Temporal.PlainDate;

const WEEKS = 6;
const FIRST_YEAR = 1900;
const LAST_YEAR = 9998;

/** Number of days between the first day of its week and a day. */
function intoWeek(day: Day, weekStart: number): number {
  return (day.dayOfWeek - weekStart + 7) % 7;
}

/** What a month shows besides its days. */
interface Shown extends Pick<MonthView, 'isFocused' | 'held'> {
  /** A day of the month that is shown; absent: that of the day that the field means. */
  readonly shown?: string;
}

export function monthOf(
  date: string,
  { today, weekStart, locale }: Calendar,
  { isFocused, held, shown = date }: Shown,
): MonthView {
  const day = Temporal.PlainDate.from(shown);
  const first = day.with({ day: 1 });
  const begin = first.subtract({ days: intoWeek(first, weekStart) });
  const said = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (of: Day) => format.format(of.toZonedDateTime('UTC').epochMilliseconds);
  };
  const label = said({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const [short, long] = [said({ weekday: 'short' }), said({ weekday: 'long' })];
  const daysOfWeek = (week: number) =>
    Array.from({ length: 7 }, (_, index) => begin.add({ days: week * 7 + index }));
  const view = (of: Day): DayView => ({
    date: of.toString(),
    number: of.day,
    label: label(of),
    isToday: of.toString() === today,
    isOutside: of.month !== day.month,
  });
  return {
    title: said({ month: 'long', year: 'numeric' })(day),
    weekdays: daysOfWeek(0).map((of) => ({ short: short(of), long: long(of) })),
    weeks: Array.from({ length: WEEKS }, (_, week) => daysOfWeek(week).map(view)),
    day: date,
    held,
    isFocused,
  };
}

/** The day after a step; months keep the day of the month if it exists. */
export function stepFrom(date: string, step: MonthStep, weekStart: number): string {
  const day = Temporal.PlainDate.from(date);
  const next =
    'days' in step
      ? day.add({ days: step.days })
      : 'months' in step
        ? day.add({ months: step.months })
        : day.add({ days: (step.to === 'end of week' ? 6 : 0) - intoWeek(day, weekStart) });
  return next.year < FIRST_YEAR || next.year > LAST_YEAR ? date : next.toString();
}
