// Translates repeats of calendars (RFC 5545, RRULE) into words that our grammar reads. A rule without such words stays
// as it is, so that the import reports it.
import { wordTable } from './word-table.ts';

const UNITS: Readonly<Record<string, string>> = wordTable({
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
});
const DAYS: Readonly<Record<string, string>> = wordTable({
  MO: 'mon',
  TU: 'tue',
  WE: 'wed',
  TH: 'thu',
  FR: 'fri',
  SA: 'sat',
  SU: 'sun',
});
const RULE = /^(?:RRULE:)?(FREQ=[A-Z]+(?:;[A-Z-]+=[^;\s]+)*);?$/i;
const KNOWN: ReadonlySet<string> = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'WKST']);

function nth(day: string): string | null {
  if (day === '-1') return 'last day';
  return /^(?:[1-9]|[12]\d|3[01])$/.test(day) ? day : null;
}

/** The words for a rule; null when there are none. */
function wordsOf(rule: ReadonlyMap<string, string>): string | null {
  const unit = UNITS[rule.get('FREQ') ?? ''];
  const count = rule.get('INTERVAL') ?? '1';
  if (unit === undefined || !/^[1-9]\d{0,3}$/.test(count)) return null;
  if ([...rule.keys()].some((name) => !KNOWN.has(name))) return null;
  const every = count === '1' ? `every ${unit}` : `every ${count} ${unit}s`;
  const [days, monthDays] = [rule.get('BYDAY'), rule.get('BYMONTHDAY')];
  if (days === undefined && monthDays === undefined) return every;
  if (unit === 'week' && days !== undefined && monthDays === undefined) {
    const names = days.split(',').map((day) => DAYS[day]);
    return names.includes(undefined) ? null : `${every} on ${names.join(', ')}`;
  }
  if (unit === 'month' && monthDays !== undefined && days === undefined) {
    const names = monthDays.split(',').map(nth);
    if (names.includes(null)) return null;
    return `${every} on the ${names.map((name) => (name === 'last day' ? name : `${name ?? ''}th`)).join(', ')}`;
  }
  const [, place, weekday = ''] = /^(-1|[1-5])([A-Z]{2})$/.exec(days ?? '') ?? [];
  const name = DAYS[weekday];
  if (unit !== 'month' || count !== '1' || monthDays !== undefined || name === undefined) return null;
  const which = { '-1': 'last', 1: 'first', 2: '2nd', 3: 'third', 4: 'fourth', 5: 'fifth' }[place ?? ''];
  return which === undefined ? null : `every ${which} ${name}`;
}

/** A rule in words; any other text unchanged. */
export function repeatWords(text: string): string {
  const [, body] = RULE.exec(text.trim()) ?? [];
  if (body === undefined) return text;
  const rule = new Map(
    body
      .toUpperCase()
      .split(';')
      .map((part): [string, string] => {
        const [name = '', value = ''] = part.split('=');
        return [name, value];
      }),
  );
  return wordsOf(rule) ?? text;
}
