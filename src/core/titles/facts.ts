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
  /** "next week", "this month". */
  readonly isPeriod: boolean;
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

/** The facts of the tokens up to `end`. `first`: the likeliest reading. */
export function factsOf(
  line: TitleLine,
  { from, end, first }: { readonly from: number; readonly end: number; readonly first: Reading },
): PhraseFacts {
  const { reader } = line;
  const { vocabulary, tokens } = reader;
  line.lookFrom(from);
  const all = tokens.slice(from, end);
  const has = (is: (text: string, at: number) => boolean) => all.some(({ text }, at) => is(text, at));
  const isNumber = (at: number) => all[at]?.kind === 'number';
  const weekday = has(
    (text) => vocabulary.weekdays.has(text) || vocabulary.weekdays.has(text.replace(/s$/, '')),
  );
  const month = has((text) => vocabulary.months.has(text));
  const isNamed = has((text) => vocabulary.namedDays.has(text)) || reader.is(from, 'tonight');
  const period = has((text) => vocabulary.periods.has(text) || vocabulary.periodEnds.has(text));
  const isHoliday =
    holidays(reader, from).length > 0 || (reader.is(from, 'the') && holidays(reader, from + 1).length > 0);
  const isSlashed = has(
    (text, at) => /^[/.-]$/.test(text) && isNumber(at - 1) && isNumber(at + 1) && text !== '-',
  );
  const isIso = has(
    (text, at) => isNumber(at) && text.length === 4 && /^[-/]$/.test(all[at + 1]?.text ?? ''),
  );
  const isColon = has((text, at) => text === ':' && isNumber(at - 1) && isNumber(at + 1));
  const isHalf = has((text, at) => vocabulary.halves.has(text) && text.length > 1 && at > 0);
  const isPointedTime = has((text, at) => text === '.' && isNumber(at - 1) && isNumber(at + 1)) && isHalf;
  const isSpoken = has(
    (text) => vocabulary.is.minutesPast.has(text) || text === 'to' || vocabulary.is.oclock.has(text),
  );
  const isHours = has((text, at) => vocabulary.is.clockHour.has(text) && isNumber(at - 1));
  const isIn = reader.is(from, 'in');
  const isFrom = reader.is(from, 'from') || reader.is(from, 'between');
  const ordinal = has((text, at) => vocabulary.ordinalSuffixes.has(text) && isNumber(at - 1));
  const isMoment = first.when !== null && isInstantWhen(first.when);
  const isThis = reader.is(from, 'this') || reader.is(from, 'later');
  const isDay =
    weekday || month || isNamed || period || isHoliday || isIso || ordinal || (isSlashed && !isPointedTime);
  const isTime = isMoment && !isDay && !isIn && !isThis;
  const number = all.some(({ kind }) => kind === 'number');
  const isPart = has((text) => vocabulary.partsOfDay.has(text));
  const isClock = isColon || isHalf || isHours;
  const isDayOfMonth = (month && number) || isIso || isSlashed;
  const isPair = isSlashed && !month && !isIso && all.filter(({ kind }) => kind === 'number').length === 2;
  return {
    ownLead: reader.is(from, 'at') ? 'at' : isIn ? 'in' : isFrom ? 'from' : null,
    startsWithNumber: all[0]?.kind === 'number',
    isTime,
    isClock: isClock || (isTime && isSpoken),
    isHalf,
    isHours:
      all[0]?.kind === 'number' &&
      vocabulary.is.clockHour.has(all[1]?.text ?? '') &&
      (all[0]?.value ?? 0) <= 12,
    isSpoken: isSpoken && !isColon && !isHalf,
    isRound: !all.some(
      ({ text, value }, at) => all[at - 1]?.text === ':' && (text.length !== 2 || value % 5 !== 0),
    ),
    isNamed,
    isWeekdays: weekday && !month && !number,
    isMonth: month,
    isDayOfMonth,
    isOrdinal: ordinal,
    isPeriod: period && !weekday,
    isPointed: isSlashed && !month && !isMoment,
    isHoliday,
    isOccasion:
      isHoliday ||
      reader.is(from, 'end') ||
      reader.is(from + 1, 'end') ||
      vocabulary.periods.get(all[all[0]?.text === 'the' ? 1 : 0]?.text ?? '') === 'weekend',
    isPartOnly: isPart && !isDay && !number && !isThis && reader.is(from, 'at') !== true,
    isRange: first.start !== undefined,
    isFirm:
      (isDayOfMonth && !isPair && !(ordinal && has((text) => text === 'of'))) ||
      (isMoment && (weekday || isNamed) && isClock) ||
      (isIn && number) ||
      (weekday && (isThis || reader.is(from, 'next') || reader.is(from, 'coming'))),
  };
}
