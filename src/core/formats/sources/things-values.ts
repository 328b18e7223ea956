// The values of Things: packed dates and times of its newer databases, seconds of its older ones, and the rules of repeats.
import type { RepeatRule, Weekday } from '../../model.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { dayAt, dayOf } from '../import/dates.ts';
import { readPlist } from '../import/plist.ts';
import { numberIn, recordsIn } from '../import/records.ts';

/** Larger numbers are seconds since 1970, smaller ones packed: the greatest packed day is in the year 4001. */
const LARGEST_PACKED = 300_000_000;
/** "None" and "some day far away". */
const FIRST_YEAR = 1;
const LAST_YEAR = 4001;

/** A calendar day; null for none, `distant` for the sign that there is a date at all. */
export function thingsDay(value: number | null): string | null {
  if (value === null || value <= 0) return null;
  if (value >= 64_000_000_000) return 'distant';
  if (value > LARGEST_PACKED) return dayAt(value * 1_000, 'UTC');
  const packed = Math.trunc(value);
  const [year, month, day] = [packed >> 16, (packed >> 12) & 15, (packed >> 7) & 31];
  if (year === FIRST_YEAR) return null;
  if (year >= LAST_YEAR) return 'distant';
  const two = (part: number) => String(part).padStart(2, '0');
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return dayOf(text) === null ? null : text;
}

/** A time of day, `12:34`: packed, or in seconds after midnight. */
export function thingsTime(value: number | null, isOld: boolean): string | null {
  if (value === null || value < 0) return null;
  const whole = Math.trunc(value);
  const [hour, minute] = isOld
    ? [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
    : [(whole >> 26) & 31, (whole >> 20) & 63];
  if (hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Notes of old versions are XML. */
export function thingsNotes(text: string): string {
  const [, inner] = /^\s*<note\b[^>]*>([\s\S]*)<\/note>\s*$/.exec(text) ?? [];
  if (inner === undefined) return text;
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return inner.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7}));/g,
    (whole, name?: string, code?: string) => {
      if (name !== undefined) return signs[name] ?? whole;
      const point = Number(code);
      return point > 0 && point < 0xd800 ? String.fromCodePoint(point) : whole;
    },
  );
}

const DAYS: readonly Weekday[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const UNITS: ReadonlyMap<number, 'days' | 'weeks' | 'months' | 'years'> = new Map([
  [16, 'days'],
  [256, 'weeks'],
  [8, 'months'],
  [4, 'years'],
]);

/** A rule of Things. */
export interface ThingsRule {
  /** Null: it cannot be held. */
  readonly rule: RepeatRule | null;
  /** It ends on a day, or after some times. */
  readonly end: string | null;
  /** Days by which the start is before the deadline. */
  readonly lead: number;
  /** In digits, for notes. */
  readonly words: string;
}

type Part = Pick<RepeatRule, 'value' | 'also' | 'unit' | 'metadata'>;

function monthPart(of: readonly JsonRecord[], every: number): Part | null {
  const isWeekday = (one: JsonRecord) => numberIn(one, 'wd') !== null;
  if (of.some(isWeekday)) {
    const weekday = DAYS[numberIn(of[0] ?? {}, 'wd') ?? -1];
    const isOne = of.every((one) => numberIn(one, 'wd') === numberIn(of[0] ?? {}, 'wd'));
    const places = of.map((one) => numberIn(one, 'wdo') ?? 0);
    const [value = 0, ...also] = places;
    const areHeld = places.every((place) => place === -1 || (place >= 1 && place <= 5));
    if (every !== 1 || weekday === undefined || !isOne || !areHeld) return null;
    const more = also.length === 0 ? {} : { also };
    return { value, ...more, unit: 'nth-weekday', metadata: { weekdays: [weekday] } };
  }
  const days = of.flatMap((one) => numberIn(one, 'dy') ?? []);
  if (days.length === 0) return { value: every, unit: 'months', metadata: null };
  if (days.some((day) => day < -1 || day > 30)) return null;
  const monthDays = days.map((day) => (day === -1 ? ('last day' as const) : day + 1));
  return { value: every, unit: 'months', metadata: { monthDays } };
}

function partOf(
  unit: 'days' | 'weeks' | 'months' | 'years',
  of: readonly JsonRecord[],
  every: number,
): Part | null {
  if (unit === 'days') return { value: every, unit, metadata: null };
  if (unit === 'months') return monthPart(of, every);
  if (unit === 'years') {
    const isOneDay = of.length <= 1 && of.every((one) => numberIn(one, 'wd') === null);
    return isOneDay ? { value: every, unit, metadata: null } : null;
  }
  const weekdays = of.flatMap((one) => DAYS[numberIn(one, 'wd') ?? -1] ?? []);
  return { value: every, unit, metadata: weekdays.length === 0 ? null : { weekdays } };
}

/** The rule of a repeating to-do; null: it is damaged. */
export function readThingsRule(source: string | Uint8Array): ThingsRule | null {
  const plist = readPlist(source);
  if (plist === null || !isRecord(plist)) return null;
  const every = numberIn(plist, 'fa') ?? 1;
  const unit = UNITS.get(numberIn(plist, 'fu') ?? 0);
  const of = recordsIn(plist, 'of');
  const isHeld = unit !== undefined && Number.isInteger(every) && every >= 1 && every <= 10_000;
  const part = isHeld ? partOf(unit, of, every) : null;
  const from = numberIn(plist, 'tp') === 1 ? ('completion' as const) : ('due date' as const);
  const last = thingsDay(numberIn(plist, 'ed'));
  const times = numberIn(plist, 'rc') ?? 0;
  const end = times > 0 ? `${times} times` : last === null || last === 'distant' ? null : `until ${last}`;
  return {
    rule: part === null ? null : { ...part, from, missed: 'skip', anchorDay: null },
    end,
    lead: Math.max(0, -(numberIn(plist, 'ts') ?? 0)),
    words: `every ${every} ${unit ?? 'unknown unit'} ${JSON.stringify(of)}${end === null ? '' : ` ${end}`}`,
  };
}
