// Times of day as they are said aloud or written elsewhere: "half past 5", "ten to six", "five o'clock", "14h30", "at
// 1730". Read only where the whole text is a date. The plain ones are in time-phrase.ts.
import { match, type Match, type Reader } from './reader.ts';
import type { Clock } from './time-phrase.ts';

/** The parts of a clock time that are not its hour. */
const PLAIN = { minute: 0, half: null, isBare: false, isExact: false } as const;

/** All readings that start at token `at`. */
export function spokenClocks(reader: Reader, at: number): Match<Clock>[] {
  return [
    ...besideHour(reader, at),
    ...hourWords(reader, at),
    ...writtenHours(reader, at),
    ...digits(reader, at),
    ...pointed(reader, at),
  ];
}

function hourWord(reader: Reader, at: number): number | null {
  const word = reader.word(at);
  const hour = reader.vocabulary.numbers.get(word);
  // "A" counts, but is no hour.
  return hour !== undefined && hour <= 12 && word.length > 2 ? hour : null;
}

/** "five", "five pm", "five o'clock". */
function hourWords(reader: Reader, at: number): Match<Clock>[] {
  const hour = hourWord(reader, at);
  if (hour === null) return [];
  const half = reader.vocabulary.halves.get(reader.word(at + 1)) ?? null;
  if (half !== null && reader.word(at + 1).length > 1)
    return [match({ ...PLAIN, hour, half, isExact: true }, at + 2)];
  if (reader.is(at + 1, 'oclock')) return [match({ ...PLAIN, hour, isSpoken: true }, at + 2)];
  return [match({ ...PLAIN, hour, isBare: true }, at + 1)];
}

/** "half past 5", "a quarter to six", "twenty past 4", "ten to midnight". */
function besideHour(reader: Reader, at: number): Match<Clock>[] {
  const { numbers, periods, units, hours, halves } = reader.vocabulary;
  const from = numbers.get(reader.word(at)) === 1 ? at + 1 : at;
  const isQuarter = periods.get(reader.word(from)) === 'quarter';
  const isHalf = reader.is(from, 'half');
  const digit = reader.number(from, { least: 1, most: 2 });
  const minutes = isQuarter ? 15 : isHalf ? 30 : (digit ?? numbers.get(reader.word(from)) ?? 0);
  if (minutes < 1 || minutes > 30) return [];
  const isNamed = units.get(reader.word(from + 1))?.[0]?.unit === 'minute';
  const sideAt = isNamed ? from + 2 : from + 1;
  const isPast = reader.is(sideAt, 'minutesPast');
  // "5 to 6" are hours, "five to six" is a time.
  if (!isPast && (isHalf || (digit !== null && !isNamed) || !reader.is(sideAt, 'minutesTo'))) return [];
  const shift = isPast ? 0 : 1;
  const minute = isPast ? minutes : 60 - minutes;
  const named = hours.get(reader.word(sideAt + 1));
  if (named !== undefined)
    return [match({ ...PLAIN, hour: named - shift, minute, isExact: true }, sideAt + 2)];
  const hour = hourWord(reader, sideAt + 1) ?? reader.number(sideAt + 1, { least: 1, most: 2 });
  if (hour === null || hour < 1 || hour > 12) return [];
  const half = halves.get(reader.word(sideAt + 2)) ?? null;
  const before = hour - shift;
  if (half === null)
    return [match({ ...PLAIN, hour: before === 0 ? 12 : before, minute, isSpoken: true }, sideAt + 2)];
  // "Ten to twelve pm" is in the morning; nobody says so and means the night.
  const of24 = (hour % 12) + (half === 'pm' ? 12 : 0) - shift;
  return [match({ ...PLAIN, hour: (of24 + 24) % 24, minute, isExact: true }, sideAt + 3)];
}

const FIRST_WRITTEN_HOUR = 6;

/** "14h", "14h30": beside a date or behind "at" a time; alone a length first. */
function writtenHours(reader: Reader, at: number): Match<Clock>[] {
  const hour = reader.number(at, { least: 1, most: 2 });
  if (hour === null || hour > 24 || !reader.isGlued(at + 1) || !reader.is(at + 1, 'clockHour')) return [];
  // "3 days 4h" is a length.
  if (at > 0 && reader.vocabulary.units.has(reader.word(at - 1))) return [];
  const minute = reader.isGlued(at + 2) ? reader.number(at + 2, { least: 2, most: 2 }) : null;
  if (minute !== null && (minute >= 60 || hour === 24)) return [];
  // "Friday 2h" lasts two hours: nobody plans the small hours like that.
  if (hour < FIRST_WRITTEN_HOUR && minute === null && at > 0 && !reader.is(at - 1, 'at')) return [];
  const isAlone = at === 0 && reader.token(at).text.length === 1;
  const clock = { ...PLAIN, hour, minute: minute ?? 0, isBare: isAlone, isExact: true };
  return [match(clock, minute === null ? at + 2 : at + 3, 1)];
}

/** "at 10.30", where nothing else could be meant. */
function pointed(reader: Reader, at: number): Match<Clock>[] {
  if (at === 0 || !reader.is(at - 1, 'at') || !reader.isSign(at + 1, '.')) return [];
  const hour = reader.number(at, { least: 1, most: 2 });
  const minute =
    reader.isGlued(at + 1) && reader.isGlued(at + 2) ? reader.number(at + 2, { least: 2, most: 2 }) : null;
  if (hour === null || hour > 23 || minute === null || minute > 59) return [];
  return [
    match({ ...PLAIN, hour, minute, isExact: hour > 12 || reader.token(at).text.length === 2 }, at + 3),
  ];
}

/** "at 1730", "at 930", "930pm". */
function digits(reader: Reader, at: number): Match<Clock>[] {
  const number = reader.number(at, { least: 3, most: 4 });
  if (number === null) return [];
  const [hour, minute] = [Math.floor(number / 100), number % 100];
  if (hour > 23 || minute > 59) return [];
  const half = reader.vocabulary.halves.get(reader.word(at + 1)) ?? null;
  const isHalf = half !== null && reader.word(at + 1).length > 1 && hour >= 1 && hour <= 12;
  if (isHalf) return [match({ hour, minute, half, isBare: false, isExact: true }, at + 2)];
  const isExact = hour > 12 || hour === 0 || reader.token(at).text.length === 4;
  return [match({ hour, minute, half: null, isBare: true, isExact }, at + 1)];
}
