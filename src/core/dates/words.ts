// Puts repeats into words that the grammar reads back to the same rule. Durations are in duration-words.ts.
import type { RepeatRule } from '../model.ts';

const UNITS: Readonly<Partial<Record<RepeatRule['unit'], string>>> = {
  minutes: 'minute',
  hours: 'hour',
  days: 'day',
  weeks: 'week',
  months: 'month',
  years: 'year',
};
const WORKING = 'Mon Tue Wed Thu Fri';
const LONG_NAMES: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** "1st", "22nd", "last". */
function ordinalWord(value: number): string {
  if (value < 0) return 'last';
  const suffix =
    value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${suffix}`;
}

/**
 * The rule in words: "every 2 weeks on Mon and Thu", "every 3 days after completion", "every last business day of the
 * month".
 */
export function sayRepeat(rule: RepeatRule): string {
  return rule.from === 'completion' ? `${sayRhythm(rule)} after completion` : sayRhythm(rule);
}

function sayRhythm(rule: RepeatRule): string {
  const { metadata } = rule;
  const weekdays = metadata !== null && 'weekdays' in metadata ? metadata.weekdays : [];
  const nths = listed([rule.value, ...(rule.also ?? [])].map(ordinalWord));
  if (rule.unit === 'nth-business-day-of-month') return `every ${nths} business day of the month`;
  if (rule.unit === 'nth-weekend-day-of-month') return `every ${nths} weekend day of the month`;
  if (rule.unit === 'nth-weekday') {
    const days = listed(weekdays.map((day) => LONG_NAMES[day] ?? day));
    return `every ${nths} ${days} of the month`;
  }
  const unit = UNITS[rule.unit] ?? rule.unit;
  const step = rule.value === 1 ? unit : `${rule.value} ${unit}s`;
  if (rule.unit === 'weeks' && weekdays.length > 0) {
    if (rule.value === 1 && weekdays.join(' ') === WORKING) return `every weekday`;
    if (rule.value === 1) return `every ${listed(weekdays.map((day) => LONG_NAMES[day] ?? day))}`;
    return `every ${step} on ${listed(weekdays)}`;
  }
  if (rule.unit === 'months' && metadata !== null && 'monthDays' in metadata) {
    const days = metadata.monthDays.map((day) => (day === 'last day' ? day : ordinalWord(day)));
    return `every ${step} on the ${listed(days)}`;
  }
  return `every ${step}`;
}
