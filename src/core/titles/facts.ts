// What a phrase inside a title is made of: whether it names a day, a month or only a time. dates.ts decides by it.
import { isInstantWhen } from '../when.ts';
import type { Reading } from '../dates/phrase.ts';
import { holidays } from '../dates/holiday-phrase.ts';
import type { TitleLine } from './line.ts';

/** What a phrase is made of. */
export interface PhraseFacts {
  /** It starts with its own "at", "in", "from" or "between". */
  readonly ownLead: 'at' | 'in' | 'from' | null;
  readonly startsWithNumber: boolean;
  /** With a time of day. */
  readonly isMoment: boolean;
  /** A time without a day. */
  readonly isTime: boolean;
  /** A time of day stands in it that is surely one: "17:00", "5pm". */
  readonly isClock: boolean;
  /** With am or pm. */
  readonly isHalf: boolean;
  /** It starts with a number before "h", which is a length first: "2h". */
  readonly isHours: boolean;
  /** "half past 5". */
  readonly isSpoken: boolean;
  /** Its minutes are a multiple of five. */
  readonly isRound: boolean;
  /** Today, tomorrow, tonight. */
  readonly isNamed: boolean;
  /** Of weekdays and their times only. */
  readonly isWeekdays: boolean;
  readonly isMonth: boolean;
  readonly isDayOfMonth: boolean;
  /** "the 3rd", "4th of July". */
  readonly isOrdinal: boolean;
  /** "3/4": a day and a month, or a fraction. */
  readonly isPair: boolean;
  /** "next week", "this month". */
  readonly isPeriod: boolean;
  /** "late february" */
  readonly isPartOfMonth: boolean;
  /** "3.12" */
  readonly isPointed: boolean;
  readonly isHoliday: boolean;
  /** The weekend or a holiday. */
  readonly isOccasion: boolean;
  /** Only a part of the day: "in the morning". */
  readonly isPartOnly: boolean;
  /** A range of days. */
  readonly isRange: boolean;
  /** It hardly ever belongs to the thing behind it: a day of the calendar, a day with a time, a distance. */
  readonly isFirm: boolean;
}

/** What stands in the words of a phrase, each by itself. */
function wordsIn({ reader: { vocabulary, tokens } }: TitleLine, from: number, end: number) {
  const all = tokens.slice(from, end);
  const has = (is: (text: string, at: number) => boolean) => all.some(({ text }, at) => is(text, at));
  const isNumber = (at: number) => all[at]?.kind === 'number';
  const isBetween = (at: number) => isNumber(at - 1) && isNumber(at + 1);
  const { weekdays, months, namedDays, periods, periodEnds, halves, is } = vocabulary;
  return {
    all,
    numbers: all.filter(({ kind }) => kind === 'number').length,
    weekday: has((text) => weekdays.has(text) || weekdays.has(text.replace(/s$/, ''))),
    month: has((text) => months.has(text)),
    named: has((text) => namedDays.has(text)),
    period: has((text) => periods.has(text) || periodEnds.has(text)),
    slash: has((text, at) => text === '/' && isBetween(at)),
    point: has((text, at) => text === '.' && isBetween(at)),
    colon: has((text, at) => text === ':' && isBetween(at)),
    iso: has((text, at) => isNumber(at) && text.length === 4 && /^[-/]$/.test(all[at + 1]?.text ?? '')),
    half: has((text, at) => halves.has(text) && text.length > 1 && at > 0),
    spoken: has((text) => is.minutesPast.has(text) || text === 'to' || is.oclock.has(text)),
    hours: has((text, at) => is.clockHour.has(text) && isNumber(at - 1)),
    ordinal: has((text, at) => vocabulary.ordinalSuffixes.has(text) && isNumber(at - 1)),
    of: has((text) => text === 'of'),
    part: has((text) => vocabulary.partsOfDay.has(text)),
    odd: has((text, at) => all[at - 1]?.text === ':' && (text.length !== 2 || Number(text) % 5 !== 0)),
  };
}

/** The facts of the tokens up to `end`. `first`: the likeliest reading. */
export function factsOf(
  line: TitleLine,
  { from, end, first }: { readonly from: number; readonly end: number; readonly first: Reading },
): PhraseFacts {
  const { reader } = line;
  const { vocabulary } = reader;
  line.lookFrom(from);
  const words = wordsIn(line, from, end);
  const { all, weekday, month, period, ordinal } = words;
  const isNamed = words.named || reader.is(from, 'tonight');
  const isHoliday =
    holidays(reader, from).length > 0 || (reader.is(from, 'the') && holidays(reader, from + 1).length > 0);
  const isSlashed = words.slash || (words.point && !words.half);
  const isIn = reader.is(from, 'in');
  const isFrom = reader.is(from, 'from') || reader.is(from, 'between');
  const isMoment = first.when !== null && isInstantWhen(first.when);
  const isThis = reader.is(from, 'this') || reader.is(from, 'later');
  const isNext = reader.is(from, 'next') || reader.is(from, 'coming');
  const isDay = weekday || month || isNamed || period || isHoliday || words.iso || ordinal || isSlashed;
  const isTime = isMoment && !isDay && !isIn && !isThis;
  const isClock = words.colon || words.half || words.hours;
  const isDayOfMonth = (month && words.numbers > 0) || words.iso || isSlashed;
  const isPair = isSlashed && !month && !words.iso && words.numbers === 2;
  const [one, two] = all;
  return {
    ownLead: reader.is(from, 'at') ? 'at' : isIn ? 'in' : isFrom ? 'from' : null,
    startsWithNumber: one?.kind === 'number',
    isMoment,
    isTime,
    isClock: isClock || (isTime && words.spoken),
    isHalf: words.half,
    isHours: one !== undefined && one.value <= 12 && vocabulary.is.clockHour.has(two?.text ?? ''),
    isSpoken: words.spoken && !words.colon && !words.half,
    isRound: !words.odd,
    isNamed,
    isWeekdays: weekday && !month && words.numbers === 0,
    isMonth: month,
    isDayOfMonth,
    isOrdinal: ordinal,
    isPair,
    isPeriod: period && !weekday,
    isPartOfMonth: month && vocabulary.partsOfMonth.has(one?.text ?? ''),
    isPointed: isSlashed && !month && !isMoment,
    isHoliday,
    isOccasion:
      isHoliday ||
      reader.is(from, 'end') ||
      reader.is(from + 1, 'end') ||
      vocabulary.periods.get((one?.text === 'the' ? two : one)?.text ?? '') === 'weekend',
    isPartOnly: words.part && !isDay && words.numbers === 0 && !isThis && !reader.is(from, 'at'),
    isRange: first.start !== undefined,
    isFirm:
      (isDayOfMonth && !isPair && !(ordinal && words.of)) ||
      (isMoment && (weekday || isNamed) && isClock) ||
      (isIn && words.numbers > 0) ||
      (weekday && (isThis || isNext)),
  };
}
