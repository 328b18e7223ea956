// Spans of time in words: "3 days", "2w", "1h30", "an hour and a half", "90 min". Days and months are kept apart from
// hours and minutes, because a day is not always 24 hours.
import { match, type Match, type Reader } from './reader.ts';
import type { SpanUnit } from './vocabulary.ts';

export interface Span {
  readonly count: number;
  readonly unit: SpanUnit;
}

const MOST_UNITS = 10_000;
const MINUTES: Readonly<Partial<Record<SpanUnit, number>>> = { minute: 1, hour: 60 };

/** "3", "three", "a", "a couple of", "1.5", "half a". */
function counts(reader: Reader, at: number): Match<number>[] {
  const whole = reader.number(at, { least: 1, most: 5 });
  if (whole !== null) {
    const point = reader.isSign(at + 1, '.') || reader.isSign(at + 1, ',');
    const part =
      point && reader.isGlued(at + 1) && reader.isGlued(at + 2)
        ? reader.number(at + 2, { least: 1, most: 2 })
        : null;
    if (part !== null) return [match(whole + part / 10 ** reader.token(at + 2).text.length, at + 3)];
    return [match(whole, at + 1)];
  }
  if (reader.is(at, 'half')) {
    const next = reader.vocabulary.numbers.get(reader.word(at + 1)) === 1 ? at + 2 : at + 1;
    return [match(0.5, next)];
  }
  const { numbers, roughNumbers } = reader.vocabulary;
  const number = numbers.get(reader.word(at));
  const roughAt = number === 1 ? at + 1 : at;
  const rough = roughNumbers.get(reader.word(roughAt));
  // In a title, "a few minutes" is no length.
  if (rough !== undefined && (rough === 2 || reader.isWhole))
    return [match(rough, reader.is(roughAt + 1, 'of') ? roughAt + 2 : roughAt + 1)];
  if (number === undefined) return [];
  return [match(number, at + 1), ...compound(reader, at, number)];
}

/** "twenty five", "twenty-five". */
function compound(reader: Reader, at: number, tens: number): Match<number>[] {
  if (tens < 20 || !reader.isWhole) return [];
  const next = reader.isSign(at + 1, '-') ? at + 2 : at + 1;
  const ones = reader.vocabulary.numbers.get(reader.word(next));
  return ones === undefined || ones > 9 ? [] : [match(tens + ones, next + 1)];
}

/** A count and a unit, once for every meaning of the unit. */
export function spans(reader: Reader, at: number): Match<Span>[] {
  return counts(reader, at).flatMap(({ value, end }) => {
    const isBusiness =
      reader.is(end, 'business') && reader.vocabulary.periods.get(reader.word(end + 1)) === 'day';
    const isBusinessDays = reader.is(end, 'business') && /^days?$/.test(reader.word(end + 1));
    if (isBusiness || isBusinessDays) return take({ count: value, unit: 'workday' }, end + 2);
    const meanings = reader.vocabulary.units.get(reader.word(end)) ?? [];
    return meanings.flatMap(({ unit, times }, rank) => take({ count: value * times, unit }, end + 1, rank));
  });
}

function take(span: Span, end: number, rank = 0): Match<Span>[] {
  const isExact = MINUTES[span.unit] !== undefined;
  // "1.5 hours" is a number of minutes, "1.5 days" is no number of days.
  if (!isExact && !Number.isInteger(span.count)) return [];
  return span.count <= MOST_UNITS ? [match(span, end, rank)] : [];
}

/** Whole minutes of hours and minutes together: "1h30", "2 hours 15 min", "an hour and a half", "1:30", "45". */
export function durations(reader: Reader, at: number): Match<number>[] {
  const found: Match<number>[] = [];
  const clock = reader.number(at, { least: 1, most: 2 });
  const minutes = reader.isSign(at + 1, ':') ? reader.number(at + 2, { least: 2, most: 2 }) : null;
  if (clock !== null && minutes !== null && minutes < 60) found.push(match(clock * 60 + minutes, at + 3));
  for (const first of spans(reader, at)) {
    const factor = MINUTES[first.value.unit];
    if (factor === undefined) {
      // A working day is not 24 hours: for "2 days" of work, the hours must be given.
      continue;
    }
    const total = Math.round(first.value.count * factor);
    found.push(match(total, first.end, first.rank));
    if (first.value.unit === 'hour') found.push(...withRest(reader, total, first));
  }
  return found.filter(({ value }) => value > 0);
}

/** The rest after whole hours: "30", "30m", "and a half". */
function withRest(reader: Reader, total: number, hours: Match<Span>): Match<number>[] {
  const at = reader.is(hours.end, 'and') ? hours.end + 1 : hours.end;
  const glued = reader.isGlued(hours.end) ? reader.number(hours.end, { least: 2, most: 2 }) : null;
  if (glued !== null && glued < 60) {
    const isNamed = reader.vocabulary.units.get(reader.word(hours.end + 1))?.[0]?.unit === 'minute';
    return [match(total + glued, hours.end + (isNamed ? 2 : 1))];
  }
  if (at > hours.end) {
    const half = reader.vocabulary.numbers.get(reader.word(at)) === 1 ? at + 1 : at;
    if (reader.is(half, 'half')) return [match(total + 30, half + 1)];
  }
  return spans(reader, at)
    .filter(({ value, rank }) => value.unit === 'minute' && rank === 0)
    .map(({ value, end }) => match(total + Math.round(value.count), end));
}

/** The day that many days, weeks or months away; null for hours and minutes, which move no day. */
export function shiftDay(day: Temporal.PlainDate, { count, unit }: Span): Temporal.PlainDate | null {
  if (unit === 'workday') return shiftWorkdays(day, count);
  if (unit === 'quarter') return day.add({ months: 3 * count });
  if (unit === 'minute' || unit === 'hour') return null;
  return day.add({ [`${unit}s`]: count });
}

function shiftWorkdays(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  const step = count < 0 ? -1 : 1;
  const weeks = Math.trunc(Math.abs(count) / 5);
  let left = Math.abs(count) % 5;
  // Whole weeks keep the weekday; from a weekend they count from the working day before (or after, backwards).
  let at = day;
  while (at.dayOfWeek > 5) at = at.subtract({ days: step });
  at = at.add({ days: step * 7 * weeks });
  while (left > 0) {
    at = at.add({ days: step });
    if (at.dayOfWeek <= 5) left -= 1;
  }
  return at;
}
