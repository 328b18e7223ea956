// The first day of a series, for rules that name their days. Rules that only count can start on any day.
import type { RepeatRule } from '../model.ts';
import { nthOf } from './calendar-phrase.ts';

type Day = Temporal.PlainDate;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** Any n-th day of a month that exists at all comes round within this many months. */
const MOST_MONTHS = 120;

/** The first day named by the rule, from `today` on, today included; null when it names none. */
export function firstDay(rule: RepeatRule, today: Day): Day | null {
  const { metadata, unit } = rule;
  if (unit === 'weeks' && metadata !== null && 'weekdays' in metadata) {
    const offsets = metadata.weekdays.map((name) => (WEEKDAYS.indexOf(name) + 1 - today.dayOfWeek + 7) % 7);
    return today.add({ days: Math.min(...offsets) });
  }
  if (unit === 'months' && metadata !== null && 'monthDays' in metadata) {
    const days = metadata.monthDays.map((day) => (day === 'last day' ? 31 : day));
    return firstOfMonths(today, (month) =>
      days.map((day) => month.with({ day: Math.min(day, month.daysInMonth) })),
    );
  }
  return unit.startsWith('nth-') ? firstOfMonths(today, (month) => nthDaysOf(rule, month)) : null;
}

function firstOfMonths(today: Day, daysOf: (month: Day) => readonly Day[]): Day | null {
  for (let offset = 0; offset < MOST_MONTHS; offset += 1) {
    const month = today.with({ day: 1 }).add({ months: offset });
    const ahead = daysOf(month).filter((day) => Temporal.PlainDate.compare(day, today) >= 0);
    const [first] = ahead.toSorted((a, b) => Temporal.PlainDate.compare(a, b));
    if (first) return first;
  }
  return null;
}

function nthDaysOf(rule: RepeatRule, month: Day): Day[] {
  const values = [rule.value, ...(rule.also ?? [])];
  if (rule.unit === 'nth-weekday') {
    const names = rule.metadata !== null && 'weekdays' in rule.metadata ? rule.metadata.weekdays : [];
    return names
      .flatMap((name) => values.map((value) => nthOf(month, WEEKDAYS.indexOf(name) + 1, value)))
      .filter((day) => day !== null);
  }
  const isMeant = (day: Day) => day.dayOfWeek <= 5 === (rule.unit === 'nth-business-day-of-month');
  const all = Array.from({ length: month.daysInMonth }, (_, index) => month.with({ day: index + 1 })).filter(
    isMeant,
  );
  return values.flatMap((value) => {
    const day = all.at(value > 0 ? value - 1 : value);
    return day ? [day] : [];
  });
}
