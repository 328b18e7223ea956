// Makes rules of repeats out of RRULE (RFC 5545), as calendars, TickTick and OmniFocus write them. What a rule cannot hold
// is named, so that nothing is dropped without a word.
import type { RepeatRule, Weekday } from '../../model.ts';
import { wordTable } from '../word-table.ts';

/** A rule, and what of the RRULE it leaves out. */
export interface Recurrence {
  readonly rule: RepeatRule;
  /** Names of parts, such as UNTIL; empty: nothing is left out. */
  readonly lost: readonly string[];
}

const UNITS = {
  MINUTELY: 'minutes',
  HOURLY: 'hours',
  DAILY: 'days',
  WEEKLY: 'weeks',
  MONTHLY: 'months',
  YEARLY: 'years',
} as const;
const DAYS: Readonly<Record<string, Weekday>> = wordTable({
  SU: 'Sun',
  MO: 'Mon',
  TU: 'Tue',
  WE: 'Wed',
  TH: 'Thu',
  FR: 'Fri',
  SA: 'Sat',
});
const LOST = ['UNTIL', 'COUNT', 'BYHOUR', 'BYMINUTE', 'BYWEEKNO', 'BYYEARDAY', 'EXDATE', 'RDATE'];
const IGNORED = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'BYSETPOS',
  'WKST',
  'BYSECOND',
]);
const LONGEST = 2_000;

type Part = Pick<RepeatRule, 'value' | 'also' | 'unit' | 'metadata'>;
type Values = ReadonlyMap<string, string>;

const isUnit = (name: string): name is keyof typeof UNITS => Object.hasOwn(UNITS, name);

function partsOf(text: string): Values | null {
  const body = text
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '');
  if (body.length > LONGEST || !/^[A-Z-]+=/i.test(body)) return null;
  return new Map(
    body.split(';').map((part): [string, string] => {
      const at = part.indexOf('=');
      return at < 0
        ? [part.toUpperCase(), '']
        : [part.slice(0, at).toUpperCase(), part.slice(at + 1).toUpperCase()];
    }),
  );
}

/** "2TU", "-1FR", "MO": the place (0: none) and the day. */
function bydays(text: string): readonly { readonly place: number; readonly day: Weekday }[] | null {
  const found = text.split(',').map((one) => {
    const [, place = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(one.trim()) ?? [];
    const day = DAYS[name];
    return day === undefined ? null : { place: Number(place), day };
  });
  return found.every((one) => one !== null) ? found : null;
}

const isPlace = (place: number) => place === -1 || (place >= 1 && place <= 5);
const sameDays = (days: readonly Weekday[], names: string) => [...days].toSorted().join() === names;

/** The nth weekday, working day or weekend day of a month. */
function nthOf(values: Values, byday: string): Part | null {
  const days = bydays(byday);
  if (days === null || (values.get('INTERVAL') ?? '1') !== '1') return null;
  const positions = values.get('BYSETPOS')?.split(',').map(Number);
  const places = positions ?? days.map(({ place }) => place);
  const [value = 0, ...also] = places;
  const more = also.length === 0 ? {} : { also };
  if (positions) {
    const names = days.map(({ day }) => day);
    const areHeld = positions.every(
      (place) => Number.isInteger(place) && place >= -1 && place !== 0 && place <= 23,
    );
    if (!areHeld || days.some(({ place }) => place !== 0)) return null;
    if (sameDays(names, 'Fri,Mon,Thu,Tue,Wed'))
      return { value, ...more, unit: 'nth-business-day-of-month', metadata: null };
    if (sameDays(names, 'Sat,Sun'))
      return { value, ...more, unit: 'nth-weekend-day-of-month', metadata: null };
    const [only] = names;
    return names.length === 1 && only !== undefined && positions.every(isPlace)
      ? { value, ...more, unit: 'nth-weekday', metadata: { weekdays: [only] } }
      : null;
  }
  const [first] = days;
  if (!first || !places.every(isPlace) || days.some(({ day }) => day !== first.day)) return null;
  return { value, ...more, unit: 'nth-weekday', metadata: { weekdays: [first.day] } };
}

function monthly(values: Values, every: number): Part | null {
  const [byday, bymonthday] = [values.get('BYDAY'), values.get('BYMONTHDAY')];
  if (byday !== undefined) return bymonthday === undefined ? nthOf(values, byday) : null;
  if (values.has('BYSETPOS')) return null;
  if (bymonthday === undefined) return { value: every, unit: 'months', metadata: null };
  const days = bymonthday.split(',').map(Number);
  if (!days.every((day) => day === -1 || (Number.isInteger(day) && day >= 1 && day <= 31))) return null;
  const monthDays = days.map((day) => (day === -1 ? ('last day' as const) : day));
  return { value: every, unit: 'months', metadata: { monthDays } };
}

function partOf(values: Values, every: number): Part | null {
  const name = values.get('FREQ') ?? '';
  if (!isUnit(name)) return null;
  const unit = UNITS[name];
  const has = (...names: readonly string[]) => names.some((one) => values.has(one));
  if (unit === 'months') return has('BYMONTH') ? null : monthly(values, every);
  if (unit === 'years') {
    const isOne =
      !(values.get('BYMONTH') ?? '').includes(',') && !(values.get('BYMONTHDAY') ?? '').includes(',');
    return isOne && !has('BYDAY', 'BYSETPOS') ? { value: every, unit, metadata: null } : null;
  }
  if (has('BYMONTHDAY', 'BYMONTH', 'BYSETPOS')) return null;
  const byday = values.get('BYDAY');
  if (byday === undefined) return { value: every, unit, metadata: null };
  const days = bydays(byday);
  if (days === null || days.some(({ place }) => place !== 0)) return null;
  const weekdays = [...new Set(days.map(({ day }) => day))];
  if (unit === 'weeks') return { value: every, unit, metadata: { weekdays } };
  return unit === 'days' && every === 1 ? { value: 1, unit: 'weeks', metadata: { weekdays } } : null;
}

/** The rule of an RRULE; null when it has none here. */
export function readRecurrence(text: string, from: RepeatRule['from'] = 'due date'): Recurrence | null {
  const values = partsOf(text);
  if (values === null) return null;
  const every = Number(values.get('INTERVAL') ?? '1');
  if (!Number.isInteger(every) || every < 1 || every > 10_000) return null;
  const part = partOf(values, every);
  if (part === null) return null;
  const lost = [...values.keys()].filter((name) => LOST.includes(name) || !IGNORED.has(name));
  if ((values.get('WKST') ?? 'MO') !== 'MO' && part.unit === 'weeks' && every > 1) lost.push('WKST');
  return { rule: { ...part, from, missed: 'skip', anchorDay: null }, lost };
}

const SPAN = /^([+-])?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/i;

/** A span of RFC 5545 in minutes, negative before; null: it is none. */
export function spanMinutes(text: string): number | null {
  const [whole, sign, ...parts] = SPAN.exec(text.trim()) ?? [];
  if (whole === undefined || !/\d/.test(whole)) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  const total = weeks * 10_080 + days * 1_440 + hours * 60 + minutes + Math.round(seconds / 60);
  return total === 0 ? 0 : sign === '-' ? -total : total;
}
