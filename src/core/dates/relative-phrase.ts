// Days relative to now: "tomorrow", "fri", "next week", "end of the month", "in 3 days", "2 weeks from tomorrow".
import { calendarDays } from './calendar-phrase.ts';
import { holidays } from './holiday-phrase.ts';
import { match, type Match, type Reader } from './reader.ts';
import { shiftDay, spans, type Span } from './span-phrase.ts';
import type { Period } from './vocabulary.ts';

type Day = Temporal.PlainDate;

/** "today", "tomorrow", "day after tomorrow". */
export function namedDays(reader: Reader, at: number): Match<Day>[] {
  const { namedDays: names, everyday, periods } = reader.vocabulary;
  const offset = names.get(reader.word(at));
  if (offset !== undefined) {
    const strength = everyday.has(reader.word(at)) ? 'weak' : 'strong';
    return [match(reader.today.add({ days: offset }), at + 1, 0, strength)];
  }
  const from = reader.skip(at, 'the');
  if (periods.get(reader.word(from)) !== 'day') return [];
  const sign = reader.is(from + 1, 'after') ? 1 : reader.is(from + 1, 'before') ? -1 : 0;
  const beside = names.get(reader.word(from + 2));
  if (sign === 0 || beside === undefined) return [];
  return [match(reader.today.add({ days: beside + sign }), from + 3)];
}

function weekStartOf(reader: Reader, day: Day): Day {
  return day.subtract({ days: (day.dayOfWeek - reader.context.weekStart + 7) % 7 });
}

type Side = 'this' | 'next' | 'coming' | 'last';

/** "fri", "this fri", "next fri", "last fri", "coming fri", "fri next week". `as`: what is said elsewhere. */
export function weekdays(reader: Reader, at: number, as?: Side): Match<Day>[] {
  const before = (['this', 'next', 'coming', 'last'] as const).find((keyword) => reader.is(at, keyword));
  const said = as ?? before;
  const nameAt = before === undefined ? at : at + 1;
  const name = reader.word(nameAt);
  const weekday = reader.vocabulary.weekdays.get(name);
  if (weekday === undefined) return [];
  const end = nameAt + 1;
  const { today } = reader;
  const ahead = today.add({ days: (weekday - today.dayOfWeek + 7) % 7 });
  const strictlyAhead = ahead.equals(today) ? ahead.add({ days: 7 }) : ahead;
  const behind = strictlyAhead.subtract({ days: 7 });
  const strictlyBehind = behind.equals(today) ? behind.subtract({ days: 7 }) : behind;
  switch (said) {
    case 'coming':
      return [match(strictlyAhead, end)];
    case 'this': {
      const inWeek = weekStartOf(reader, today).add({
        days: (weekday - reader.context.weekStart + 7) % 7,
      });
      return [match(ahead, end), match(inWeek, end, 1)];
    }
    case 'next': {
      const inNextWeek = weekStartOf(reader, today).add({
        days: 7 + ((weekday - reader.context.weekStart + 7) % 7),
      });
      const other = strictlyAhead.equals(inNextWeek) ? inNextWeek.add({ days: 7 }) : strictlyAhead;
      return [match(inNextWeek, end), match(other, end, 1)];
    }
    case 'last': {
      const isAt = Temporal.PlainDate.compare(strictlyBehind, weekStartOf(reader, today)) < 0;
      const before = strictlyBehind.subtract({ days: 7 });
      return [match(strictlyBehind, end), ...(isAt ? [] : [match(before, end, 1)])];
    }
    default: {
      const inWeek = weekdayOfWeek(reader, end, weekday);
      const strength = reader.vocabulary.everyday.has(name) ? 'weak' : 'strong';
      if (reader.context.prefers === 'past')
        return [...inWeek, match(ahead.equals(today) ? today : behind, end)];
      const isToday = ahead.equals(today);
      const readings = [match(strictlyAhead, end, 0, strength)];
      if (isToday) readings.push(match(today, end, 1, strength));
      return [...inWeek, ...readings];
    }
  }
}

/** The "next week" after a weekday: "fri next week". */
function weekdayOfWeek(reader: Reader, at: number, weekday: number): Match<Day>[] {
  const weeks = reader.is(at, 'next') ? 1 : reader.is(at, 'last') ? -1 : reader.is(at, 'this') ? 0 : null;
  if (weeks === null || reader.vocabulary.periods.get(reader.word(at + 1)) !== 'week') return [];
  const monday = weekStartOf(reader, reader.today).add({ days: 7 * weeks });
  return [match(monday.add({ days: (weekday - reader.context.weekStart + 7) % 7 }), at + 2)];
}

/** "this weekend", "next week", "last month", "next week friday". */
function periods(reader: Reader, at: number): Match<Day>[] {
  const said = (['this', 'next', 'coming', 'last'] as const).find((keyword) => reader.is(at, keyword));
  const nameAt = said === undefined ? at : at + 1;
  const period = reader.vocabulary.periods.get(reader.word(nameAt));
  if (period === undefined) return [];
  const end = nameAt + 1;
  if (period === 'weekend') return weekends(reader, said ?? 'this', { end, isNamed: said !== undefined });
  if (said === undefined || period === 'day') return [];
  if (said === 'this') {
    const last = endOf(reader, period, 0);
    return period === 'week' ? weekEnds(reader, last, end) : [match(last, end)];
  }
  const offset = said === 'last' ? -1 : 1;
  const readings = periodDays(reader, period, { offset, end });
  if (period !== 'week') return readings;
  const first = startOf(reader, period, offset);
  const dayAt = reader.skip(end, 'on');
  const weekday = reader.vocabulary.weekdays.get(reader.word(dayAt));
  if (weekday !== undefined)
    readings.push(match(first.add({ days: (weekday - reader.context.weekStart + 7) % 7 }), dayAt + 1));
  return readings;
}

/**
 * The first day of a period that many periods from now, and the day as far away. A week that begins on a weekend is
 * meant from its Monday.
 */
export function periodDays(
  reader: Reader,
  period: Period | undefined,
  { offset, end }: { readonly offset: number; readonly end: number },
): Match<Day>[] {
  if (period === undefined || period === 'day') return [];
  if (period === 'weekend')
    return weekends(reader, 'next', { end, isNamed: true }).map(({ value, rank }) =>
      match(value.add({ days: 7 * (offset - 1) }), end, rank),
    );
  const start = startOf(reader, period, offset);
  const first = period === 'week' ? start.add({ days: (8 - start.dayOfWeek) % 7 }) : start;
  const same = shiftDay(reader.today, { count: offset, unit: period });
  const isSameFirst = period === 'week' && reader.context.nextWeek === 'same weekday';
  const readings = [match(first, end, isSameFirst ? 1 : 0)];
  if (same) readings.push(match(same, end, isSameFirst ? 0 : 1));
  return readings;
}

function weekends(
  reader: Reader,
  said: Side,
  { end, isNamed }: { readonly end: number; readonly isNamed: boolean },
): Match<Day>[] {
  const { today } = reader;
  const strength = isNamed ? 'strong' : 'weak';
  const saturday = today.add({ days: (6 - today.dayOfWeek + 7) % 7 });
  if (said === 'last') return [match(saturday.subtract({ days: 7 }), end)];
  if (said === 'next') return [match(saturday.add({ days: 7 }), end), match(saturday, end, 1)];
  if (today.dayOfWeek === 7 && said === 'this')
    return [match(today, end, 0, strength), match(saturday, end, 1, strength)];
  return [match(saturday, end, 0, strength)];
}

function startOf(reader: Reader, period: Exclude<Period, 'weekend'>, offset: number): Day {
  const { today } = reader;
  switch (period) {
    case 'day':
      return today.add({ days: offset });
    case 'week':
      return weekStartOf(reader, today).add({ days: 7 * offset });
    case 'month':
      return today.with({ day: 1 }).add({ months: offset });
    case 'quarter':
      return today.with({ day: 1, month: today.month - ((today.month - 1) % 3) }).add({ months: 3 * offset });
    case 'year':
      return today.with({ day: 1, month: 1 }).add({ years: offset });
  }
}

function endOf(reader: Reader, period: Exclude<Period, 'weekend'>, offset: number): Day {
  return startOf(reader, period, offset + 1).subtract({ days: 1 });
}

/** The end of a week is Friday for most people and its last day for some; after Friday, only the last day. */
function weekEnds(reader: Reader, last: Day, end: number): Match<Day>[] {
  const friday = last.subtract({ days: (last.dayOfWeek - 5 + 7) % 7 });
  if (Temporal.PlainDate.compare(friday, reader.today) < 0) return [match(last, end)];
  return [match(friday, end), match(last, end, 1)];
}

/** "eom", "end of next month", "end of november", "start of the week". */
function ends(reader: Reader, at: number): Match<Day>[] {
  const short = reader.vocabulary.periodEnds.get(reader.word(at));
  if (short !== undefined && short !== 'weekend') {
    const last = endOf(reader, short, 0);
    return short === 'week' ? weekEnds(reader, last, at + 1) : [match(last, at + 1)];
  }
  const from = reader.skip(at, 'the');
  const isEnd = reader.is(from, 'end');
  const isLastDay =
    reader.vocabulary.ordinals.get(reader.word(from)) !== undefined &&
    reader.vocabulary.periods.get(reader.word(from + 1)) === 'day';
  if (!isEnd && !reader.is(from, 'start') && !isLastDay) return [];
  const nth = isLastDay ? reader.vocabulary.ordinals.get(reader.word(from)) : isEnd ? -1 : 1;
  const after = isLastDay ? from + 2 : from + 1;
  if ((nth !== -1 && nth !== 1) || !reader.is(after, 'of')) return [];
  return boundary(reader, reader.skip(after + 1, 'the'), nth);
}

function boundary(reader: Reader, at: number, side: 1 | -1): Match<Day>[] {
  const month = reader.vocabulary.months.get(reader.word(at));
  if (month !== undefined) {
    return calendarMonth(reader, at, month).map(({ value, end }) =>
      match(side === 1 ? value : value.with({ day: value.daysInMonth }), end),
    );
  }
  const offset = reader.is(at, 'next') ? 1 : reader.is(at, 'last') ? -1 : 0;
  const nameAt = offset !== 0 || reader.is(at, 'this') ? at + 1 : at;
  const period = reader.vocabulary.periods.get(reader.word(nameAt));
  if (period === undefined || period === 'weekend') return [];
  const end = nameAt + 1;
  if (side === 1) {
    const first = startOf(reader, period, offset);
    return [match(first, end)];
  }
  const last = endOf(reader, period, offset);
  if (period !== 'week') return [match(last, end)];
  return offset === 0 ? weekEnds(reader, last, end) : [match(last, end)];
}

/** The first day of a named month: of the given year, or of the next such month that is not over. */
function calendarMonth(reader: Reader, at: number, month: number): Match<Day>[] {
  const year = reader.number(at + 1, { least: 4, most: 4 });
  const first = reader.today.with({ day: 1, month });
  if (year !== null && year >= 1900) return [match(first.with({ year }), at + 2)];
  const isOver = month < reader.today.month;
  return [match(isOver ? first.add({ years: 1 }) : first, at + 1)];
}

/** "in 3 days", "3 days", "3 days ago", "two weeks from tomorrow", "a week before dec 24". */
function distances(reader: Reader, at: number): Match<Day>[] {
  const isIn = reader.is(at, 'in');
  return spans(reader, isIn ? at + 1 : at).flatMap(({ value, end, rank }) => {
    const found: Match<Day>[] = [];
    const take = (span: Span, from: Day, to: number, strength: 'strong' | 'bare' = 'strong') => {
      const day = shiftDay(from, span);
      if (day) found.push(match(day, to, rank, strength));
    };
    if (reader.is(end, 'ago')) take(back(value), reader.today, end + 1);
    else if (isIn) take(value, reader.today, end);
    else take(value, reader.today, end, 'bare');
    const sign = reader.is(end, 'from') || reader.is(end, 'after') ? 1 : reader.is(end, 'before') ? -1 : 0;
    if (sign === 0 || isIn) return found;
    if (reader.is(end + 1, 'now')) take(value, reader.today, end + 2);
    for (const beside of plainDays(reader, end + 1))
      take(sign === 1 ? value : back(value), beside.value, beside.end);
    return found;
  });
}

function back({ count, unit }: Span): Span {
  return { count: -count, unit };
}

/** Days that stand for themselves, without a distance. */
export function plainDays(reader: Reader, at: number): Match<Day>[] {
  return [
    ...(reader.isWhole ? holidays(reader, at) : []),
    ...namedDays(reader, at),
    ...weekdays(reader, at),
    ...periods(reader, at),
    ...ends(reader, at),
    ...calendarDays(reader, at),
  ];
}

/** All readings that start at token `at` as a day. */
export function days(reader: Reader, at: number): Match<Day>[] {
  return [...plainDays(reader, at), ...weekdayWithDate(reader, at), ...distances(reader, at)];
}

/** "fri 27 nov": both must agree. */
export function weekdayWithDate(reader: Reader, at: number): Match<Day>[] {
  const weekday = reader.vocabulary.weekdays.get(reader.word(at));
  if (weekday === undefined) return [];
  const from = reader.skip(at + 1, 'the');
  return calendarDays(reader, from).filter(({ value }) => value.dayOfWeek === weekday);
}
