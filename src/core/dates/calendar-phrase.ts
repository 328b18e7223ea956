// Days named by the calendar: "15th", "27 nov", "nov 27 2027", "27/11", "2026-11-27", "first monday of december".
import { match, type Match, type Reader, type Strength } from './reader.ts';

type Day = Temporal.PlainDate;

interface RankedDay {
  readonly day: Day;
  readonly rank: number;
}

/** That day, or null when the month has none such. */
export function dayOf(year: number, month: number, day: number): Day | null {
  if (month < 1 || month > 12 || day < 1 || year < 1900 || year > 9999) return null;
  const first = new Temporal.PlainDate(year, month, 1);
  return day <= first.daysInMonth ? first.with({ day }) : null;
}

/** "27", "27th". */
export function dayNumbers(reader: Reader, at: number): Match<number>[] {
  const day = reader.number(at, { least: 1, most: 2 });
  if (day === null || day < 1 || day > 31) return [];
  const isOrdinal = reader.isGlued(at + 1) && reader.vocabulary.ordinalSuffixes.has(reader.word(at + 1));
  return [match(day, isOrdinal ? at + 2 : at + 1, 0, isOrdinal ? 'weak' : 'bare')];
}

/** The year that may follow a day or a month. */
export function years(reader: Reader, at: number): Match<number>[] {
  const from = reader.word(at) === ',' ? at + 1 : at;
  const year = reader.number(from, { least: 4, most: 4 });
  // The 1700 of "27 nov 1700" is neither a time of day nor a year in range.
  return year === null || year < 1900 ? [] : [match(year, from + 1)];
}

/** The day in the year of the moment `at`, even if it has passed. */
function ofYear(
  { now }: Reader,
  at: number,
  { month, day }: { readonly month: number; readonly day: number },
): RankedDay[] {
  const { year } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(now.timeZoneId);
  const found = dayOf(year, month, day);
  return found === null ? [] : [{ day: found, rank: 0 }];
}

/** A day and month without a year: the next such day (or the previous one when looking back). Today counts. */
export function yearless(reader: Reader, month: number, day: number): RankedDay[] {
  const { context } = reader;
  if (context.writtenAt !== undefined) return ofYear(reader, context.writtenAt, { month, day });
  return nextInYears(reader, (year) => dayOf(year, month, day));
}

/** As `yearless`, for a day that each year has, or not, by some rule. */
export function nextInYears({ today, context }: Reader, inYear: (year: number) => Day | null): RankedDay[] {
  const step = context.prefers === 'past' ? -1 : 1;
  const found: RankedDay[] = [];
  // The 29th of February comes within eight years.
  for (let offset = 0; offset <= 8 && found.length === 0; offset += 1) {
    const candidate = inYear(today.year + step * offset);
    if (candidate !== null && Temporal.PlainDate.compare(candidate, today) * step >= 0)
      found.push({ day: candidate, rank: 0 });
  }
  const thisYear = inYear(today.year);
  const [first] = found;
  if (first && thisYear && !thisYear.equals(first.day)) found.push({ day: thisYear, rank: 4 });
  return found;
}

/** "27 nov", "27th of november 2027", "nov 27", "november 27th, 2027", "nov 2027". */
export function monthDays(reader: Reader, at: number): Match<Day>[] {
  const found: Match<Day>[] = [];
  const start = reader.skip(at, 'the');
  for (const day of dayNumbers(reader, start)) {
    const monthAt = reader.is(day.end, 'of')
      ? day.end + 1
      : reader.isSign(day.end, '.')
        ? day.end + 1
        : day.end;
    const month = reader.vocabulary.months.get(reader.word(monthAt));
    if (month !== undefined) found.push(...ofMonth(reader, { month, day: day.value }, monthAt + 1));
  }
  const month = reader.vocabulary.months.get(reader.word(start));
  if (month === undefined) return found;
  const dayAt = reader.skip(reader.isSign(start + 1, '.') ? start + 2 : start + 1, 'the');
  for (const day of dayNumbers(reader, dayAt)) {
    if (!isClock(reader, day.end)) found.push(...ofMonth(reader, { month, day: day.value }, day.end));
  }
  for (const year of years(reader, start + 1)) {
    const first = dayOf(year.value, month, 1);
    if (first) found.push(match(first, year.end));
  }
  return found;
}

function ofMonth(
  reader: Reader,
  { month, day }: { readonly month: number; readonly day: number },
  end: number,
): Match<Day>[] {
  const dated = years(reader, end).flatMap((year) => {
    const exact = dayOf(year.value, month, day);
    return exact ? [match(exact, year.end)] : [];
  });
  return [...dated, ...yearless(reader, month, day).map((found) => match(found.day, end, found.rank))];
}

/** "november": the first day of the next November. Alone it is rarely meant as a date. */
function months(reader: Reader, at: number): Match<Day>[] {
  const month = reader.vocabulary.months.get(reader.word(at));
  if (month === undefined) return [];
  return yearless(reader, month, 1)
    .slice(0, 1)
    .map(({ day }) => match(day, at + 1, 2, 'bare'));
}

/** "15", "15th", "the 15th": the next such day, skipping months that are too short. */
function loneDays(reader: Reader, at: number): Match<Day>[] {
  const start = reader.skip(at, 'the');
  return dayNumbers(reader, start).flatMap(({ value, end, strength }) => {
    const next = reader.word(end);
    const isMore = next === ':' || next === '/' || (next === '.' && reader.isGlued(end + 1));
    const isOther = reader.isGlued(end) && reader.token(end).kind === 'word';
    if (isMore || isOther) return [];
    const { today, context } = reader;
    const step = context.prefers === 'past' ? -1 : 1;
    const found: Match<Day>[] = [];
    const isToday = value === today.day;
    if (isToday) found.push(match(today, end, step === 1 ? 1 : 0, strength));
    for (let offset = 0; offset <= 3; offset += 1) {
      const month = today.with({ day: 1 }).add({ months: step * offset });
      const day = dayOf(month.year, month.month, value);
      if (day === null || Temporal.PlainDate.compare(day, today) * step <= 0) continue;
      found.push(match(day, end, isToday && step === -1 ? 1 : 0, strength));
      break;
    }
    return found;
  });
}

/**
 * "27/11", "3/4/2027", "27.11.", "27-11-2026": the locale decides the order; if both orders are possible, both are
 * given.
 */
function slashed(reader: Reader, at: number): Match<Day>[] {
  const first = reader.number(at, { least: 1, most: 2 });
  const sign = reader.word(at + 1);
  const second = reader.number(at + 2, { least: 1, most: 2 });
  if (first === null || second === null || !['/', '.', '-'].includes(sign)) return [];
  if (!reader.isGlued(at + 1) || !reader.isGlued(at + 2)) return [];
  const hasThird = reader.isSign(at + 3, sign) && reader.isGlued(at + 3) && reader.isGlued(at + 4);
  const third = hasThird ? reader.number(at + 4, { least: 2, most: 4 }) : null;
  if (sign === '-' && third === null) return [];
  // Dates written with points have the day first everywhere.
  const orders = sign === '.' ? ['dmy'] : reader.context.order === 'dmy' ? ['dmy', 'mdy'] : ['mdy', 'dmy'];
  const isTrailing = sign === '.' && reader.isSign(at + 3, '.') && reader.isGlued(at + 3);
  const end = third !== null ? at + 5 : isTrailing ? at + 4 : at + 3;
  // "5.30" could as well be a time or a number.
  const strength: Strength = sign === '.' && third === null && !isTrailing ? 'bare' : 'strong';
  return orders.flatMap((order, rank) => {
    const [day, month] = order === 'dmy' ? [first, second] : [second, first];
    if (third === null)
      return yearless(reader, month, day).map((found) => match(found.day, end, rank + found.rank, strength));
    const exact = dayOf(third < 100 ? 2000 + third : third, month, day);
    return exact ? [match(exact, end, rank)] : [];
  });
}

/** "2026-11-27" and "2026/11/27". */
function iso(reader: Reader, at: number): Match<Day>[] {
  const year = reader.number(at, { least: 4, most: 4 });
  const sign = reader.word(at + 1);
  const month = reader.number(at + 2, { least: 1, most: 2 });
  const day = reader.number(at + 4, { least: 1, most: 2 });
  if (year === null || month === null || day === null || (sign !== '-' && sign !== '/')) return [];
  if (!reader.isSign(at + 3, sign) || ![1, 2, 3, 4].every((offset) => reader.isGlued(at + offset))) return [];
  const exact = dayOf(year, month, day);
  if (exact === null) return [];
  // In "2026-11-27T17:00" the T belongs to neither side.
  const isJoined = reader.word(at + 5) === 't' && reader.isGlued(at + 5) && reader.isGlued(at + 6);
  return [match(exact, isJoined ? at + 6 : at + 5)];
}

/** "first monday of december", "2nd tue of next month", "last friday of march 2027", "first monday". */
function nthWeekdays(reader: Reader, at: number): Match<Day>[] {
  const start = reader.skip(at, 'the');
  return ordinals(reader, start).flatMap((nth) => {
    const weekday = reader.vocabulary.weekdays.get(reader.word(nth.end));
    if (weekday === undefined) return [];
    const after = nth.end + 1;
    const named = reader.is(after, 'of') ? monthsOf(reader, after + 1) : [];
    const found = named.flatMap(({ value, end }) => {
      const dates = value.map((month) => nthOf(month, weekday, nth.value));
      const date = dates.find((day) => day && Temporal.PlainDate.compare(day, reader.today) >= 0) ?? dates[0];
      return date ? [match(date, end)] : [];
    });
    if (found.length > 0 || nth.value === -1) return found;
    const first = reader.today.with({ day: 1 });
    const coming = [0, 1, 2, 3].map((offset) => nthOf(first.add({ months: offset }), weekday, nth.value));
    const next = coming.find((day) => day && Temporal.PlainDate.compare(day, reader.today) >= 0);
    return next ? [match(next, after, 0, 'weak')] : [];
  });
}

/** "first", "2nd", "last". */
export function ordinals(reader: Reader, at: number): Match<number>[] {
  const word = reader.vocabulary.ordinals.get(reader.word(at));
  if (word !== undefined) return [match(word, at + 1)];
  const number = reader.number(at, { least: 1, most: 2 });
  const isOrdinal = reader.isGlued(at + 1) && reader.vocabulary.ordinalSuffixes.has(reader.word(at + 1));
  return number !== null && isOrdinal ? [match(number, at + 2)] : [];
}

/** First days of the months that a name may mean, the likelier one first. */
function monthsOf(reader: Reader, at: number): Match<readonly Day[]>[] {
  const from = reader.skip(at, 'the');
  const first = reader.today.with({ day: 1 });
  const month = reader.vocabulary.months.get(reader.word(from));
  if (month !== undefined) {
    const [year] = years(reader, from + 1);
    if (year) return [match([first.with({ year: year.value, month })], year.end)];
    return [match([first.with({ month }), first.with({ month }).add({ years: 1 })], from + 1)];
  }
  const isMonth = (place: number) => reader.vocabulary.periods.get(reader.word(place)) === 'month';
  if (reader.is(from, 'next') && isMonth(from + 1)) return [match([first.add({ months: 1 })], from + 2)];
  if (reader.is(from, 'this') && isMonth(from + 1)) return [match([first], from + 2)];
  if (isMonth(from)) return [match([first, first.add({ months: 1 })], from + 1)];
  return [];
}

/** The n-th such weekday of a month (−1: the last), or null when the month has none. */
export function nthOf(month: Day, weekday: number, nth: number): Day | null {
  const first = month.with({ day: 1 });
  const firstSuch = first.add({ days: (weekday - first.dayOfWeek + 7) % 7 });
  if (nth === -1) {
    const fifth = firstSuch.add({ days: 28 });
    return fifth.month === first.month ? fifth : firstSuch.add({ days: 21 });
  }
  const day = firstSuch.add({ days: 7 * (nth - 1) });
  return nth >= 1 && nth <= 5 && day.month === first.month ? day : null;
}

/** All readings that start at token `at` as a day of the calendar. */
export function calendarDays(reader: Reader, at: number): Match<Day>[] {
  return [
    ...iso(reader, at),
    ...slashed(reader, at),
    ...monthDays(reader, at),
    ...nthWeekdays(reader, at),
    ...loneDays(reader, at),
    ...months(reader, at),
  ];
}

/** Minutes follow: "5:30". A colon alone ends what is said: "Dec 5: call Ann". */
function isClock(reader: Reader, at: number): boolean {
  return reader.isSign(at, ':') && reader.tokens[at + 1]?.kind === 'number';
}
