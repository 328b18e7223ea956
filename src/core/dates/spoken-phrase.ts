// Days as they are said aloud: "monday week", "a week on tuesday", "the friday after next", "early march", "eod friday".
// Read only where the whole text is a date. The plain ones are in relative-phrase.ts.
import { monthDays, years, yearless } from './calendar-phrase.ts';
import { match, type Match, type Reader } from './reader.ts';
import { days as relativeDays, namedDays, periodDays, plainDays, weekdays } from './relative-phrase.ts';
import { shiftDay, type Span, spans } from './span-phrase.ts';

type Day = Temporal.PlainDate;

/** All readings that start at token `at` as a day. */
export function days(reader: Reader, at: number): Match<Day>[] {
  const plain = relativeDays(reader, at);
  return reader.isWhole ? [...plain, ...spokenDays(reader, at)] : plain;
}

function spokenDays(reader: Reader, at: number): Match<Day>[] {
  const from = reader.skip(at, 'the');
  return [
    ...afterNext(reader, from),
    ...weekdaysAway(reader, at),
    ...weeksFrom(reader, at),
    ...nextBusinessDay(reader, from),
    ...partsOfMonth(reader, from),
    ...wholeMonths(reader, at),
    ...dayEnds(reader, from),
    ...besideDay(reader, from),
  ];
}

/** "friday after next", "week after next": one more than the next. */
function afterNext(reader: Reader, at: number): Match<Day>[] {
  if (!reader.is(at + 1, 'after') || !reader.is(at + 2, 'next')) return [];
  const weekday = reader.vocabulary.weekdays.get(reader.word(at));
  const end = at + 3;
  if (weekday === undefined)
    return periodDays(reader, reader.vocabulary.periods.get(reader.word(at)), { offset: 2, end });
  return weekdays(reader, at, 'next').map(({ value, rank }) => match(value.add({ days: 7 }), end, rank));
}

/** "two fridays from now", "in 3 mondays". */
function weekdaysAway(reader: Reader, at: number): Match<Day>[] {
  const isIn = reader.is(at, 'in');
  const countAt = isIn ? at + 1 : at;
  const count =
    reader.number(countAt, { least: 1, most: 2 }) ?? reader.vocabulary.numbers.get(reader.word(countAt));
  if (count === undefined || count < 1) return [];
  const word = reader.word(countAt + 1);
  const { weekdays: names } = reader.vocabulary;
  const weekday = names.get(word) ?? names.get(word.replace(/s$/, ''));
  const isFrom = reader.is(countAt + 2, 'from') && reader.is(countAt + 3, 'now');
  if (weekday === undefined || isIn === isFrom) return [];
  const { today } = reader;
  const ahead = today.add({ days: ((weekday - today.dayOfWeek + 6) % 7) + 1 });
  return [match(ahead.add({ days: 7 * (count - 1) }), isIn ? countAt + 2 : countAt + 4)];
}

/** "a week on tuesday", "3 weeks tomorrow", "monday week", "tuesday fortnight", and "fortnight" alone. */
function weeksFrom(reader: Reader, at: number): Match<Day>[] {
  const found: Match<Day>[] = [];
  const [unit] = reader.vocabulary.units.get(reader.word(at)) ?? [];
  // A "fortnight" holds its number already.
  if (unit && unit.times > 1)
    found.push(...shifted(reader.today, { unit: unit.unit, count: unit.times }, at + 1));
  for (const { value, end } of spans(reader, at)) {
    if (value.unit !== 'week') continue;
    for (const day of pointedDays(reader, reader.skip(end, 'on')))
      found.push(...shifted(day.value, value, day.end, day.rank));
  }
  for (const day of pointedDays(reader, at)) {
    const [after] = reader.vocabulary.units.get(reader.word(day.end)) ?? [];
    if (after?.unit === 'week')
      found.push(...shifted(day.value, { unit: 'week', count: after.times }, day.end + 1, day.rank));
  }
  return found;
}

function shifted(day: Day, span: Span, end: number, rank = 0): Match<Day>[] {
  const to = shiftDay(day, span);
  return to ? [match(to, end, rank)] : [];
}

/** "tuesday", "tomorrow". */
function pointedDays(reader: Reader, at: number): Match<Day>[] {
  const isDay = reader.vocabulary.weekdays.has(reader.word(at));
  return isDay ? weekdays(reader, at).filter(({ end }) => end === at + 1) : namedDays(reader, at);
}

/** "next business day", "next workday": the first one after today. */
function nextBusinessDay(reader: Reader, at: number): Match<Day>[] {
  if (!reader.is(at, 'next') && !reader.is(at, 'coming')) return [];
  const isTwoWords =
    reader.is(at + 1, 'business') && reader.vocabulary.periods.get(reader.word(at + 2)) === 'day';
  if (!isTwoWords && !reader.is(at + 1, 'weekday')) return [];
  return shifted(reader.today, { unit: 'workday', count: 1 }, isTwoWords ? at + 3 : at + 2);
}

/** "early march", "mid-january 2027", "late next month", "middle of the month". */
function partsOfMonth(reader: Reader, at: number): Match<Day>[] {
  const day = reader.vocabulary.partsOfMonth.get(reader.word(at));
  if (day === undefined) return [];
  let from = reader.isSign(at + 1, '-') ? at + 2 : at + 1;
  if (reader.is(from, 'of')) from = reader.skip(from + 1, 'the');
  const month = reader.vocabulary.months.get(reader.word(from));
  if (month !== undefined) {
    const dated = years(reader, from + 1).map(({ value, end }) =>
      match(new Temporal.PlainDate(value, month, day), end),
    );
    return [...dated, ...yearless(reader, month, day).map((found) => match(found.day, from + 1, found.rank))];
  }
  const said = (['this', 'next'] as const).find((keyword) => reader.is(from, keyword));
  const nameAt = said === undefined ? from : from + 1;
  if (reader.vocabulary.periods.get(reader.word(nameAt)) !== 'month') return [];
  const isNext = said === 'next' || (said === undefined && day < reader.today.day);
  return [match(reader.today.with({ day }).add({ months: isNext ? 1 : 0 }), nameAt + 1)];
}

/** "in march", "in march 2027", "next march": the first day of it. */
function wholeMonths(reader: Reader, at: number): Match<Day>[] {
  const isNext = reader.is(at, 'next') || reader.is(at, 'coming');
  if (!isNext && !reader.is(at, 'in')) return [];
  const month = reader.vocabulary.months.get(reader.word(at + 1));
  if (month === undefined) return [];
  const [first] = yearless(reader, month, 1);
  const dated = isNext ? [] : monthDays(reader, at + 1).filter(({ value }) => value.day === 1);
  return [...(first ? [match(first.day, at + 2)] : []), ...dated];
}

/** "eod friday", "cob tomorrow", "end of day friday", "close of business": the day. */
function dayEnds(reader: Reader, at: number): Match<Day>[] {
  const { periods, periodEnds } = reader.vocabulary;
  const isClosing = reader.is(at, 'closing');
  const isClose = reader.is(at, 'close') && reader.is(at + 1, 'of') && reader.is(at + 2, 'business');
  const dayAt = reader.is(at, 'end') && reader.is(at + 1, 'of') ? reader.skip(at + 2, 'the') : null;
  const isEnd = dayAt !== null && periods.get(reader.word(dayAt)) === 'day';
  if (!isClosing && !isClose && !isEnd && periodEnds.get(reader.word(at)) !== 'day') return [];
  const end = isClose ? at + 3 : isEnd ? dayAt + 1 : at + 1;
  const alone = isClosing || isClose ? [match(reader.today, end)] : [];
  return [...alone, ...plainDays(reader, reader.skip(end, 'on'))];
}

/** "day after christmas", "day before thanksgiving". */
function besideDay(reader: Reader, at: number): Match<Day>[] {
  if (reader.vocabulary.periods.get(reader.word(at)) !== 'day') return [];
  const side = reader.is(at + 1, 'after') ? 1 : reader.is(at + 1, 'before') ? -1 : 0;
  if (side === 0) return [];
  return plainDays(reader, at + 2).map(({ value, end, rank }) => match(value.add({ days: side }), end, rank));
}
