// Ranges of days: "3-10 dec", "from dec 3 until dec 10", "mon to fri". Ranges of hours are in time-phrase.ts.
import { dayNumbers, monthDays } from './calendar-phrase.ts';
import { match, type Match, type Reader } from './reader.ts';
import { plainDays, weekdayWithDate } from './relative-phrase.ts';
import { days } from './spoken-phrase.ts';

type Day = Temporal.PlainDate;

/** Its first and last day. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

/** All readings that start at token `at` as a range of days. */
export function dayRanges(reader: Reader, at: number): Match<DayRange>[] {
  if (!reader.isWhole) return [];
  const isBetween = reader.is(at, 'between');
  const from = isBetween || reader.is(at, 'from') ? at + 1 : at;
  const isJoint = (place: number) =>
    (reader.is(place, 'to') && !isHyphen(reader, place)) ||
    reader.is(place, 'through') ||
    (isBetween && reader.is(place, 'and'));
  // Most phrases have none, and days are not read for nothing.
  if (!reader.sees(isJoint, from)) return [];
  return [...ofOneMonth(reader, from, isJoint), ...ofTwoDays(reader, from, isJoint)];
}

/** A hyphen makes one word of two, as in searches ("easter-monday"), unless it stands between numbers or weekdays. */
function isHyphen(reader: Reader, at: number): boolean {
  if (!reader.isSign(at, '-') || !reader.isGlued(at) || !reader.isGlued(at + 1)) return false;
  const sides = [at - 1, at + 1];
  const { weekdays } = reader.vocabulary;
  return (
    !sides.some((side) => reader.word(side) === '') && !sides.every((side) => weekdays.has(reader.word(side)))
  );
}

/** "3-10 dec": the first day lacks its month. */
function ofOneMonth(reader: Reader, at: number, isJoint: (place: number) => boolean): Match<DayRange>[] {
  return dayNumbers(reader, reader.skip(at, 'the')).flatMap(({ value: number, end: joint }) => {
    if (!isJoint(joint)) return [];
    return monthDays(reader, joint + 1).flatMap(({ value: last, end, rank }) =>
      number < last.day ? [match({ first: last.with({ day: number }), last }, end, rank)] : [],
    );
  });
}

/** What may end a range: a day that stands for itself. */
function lastDays(reader: Reader, at: number): Match<Day>[] {
  return [...plainDays(reader, at), ...weekdayWithDate(reader, at)];
}

function ofTwoDays(reader: Reader, at: number, isJoint: (place: number) => boolean): Match<DayRange>[] {
  const lasts = new Map<number, readonly Match<Day>[]>();
  const lastsAt = (place: number) => {
    const known = lasts.get(place) ?? lastDays(reader, place);
    lasts.set(place, known);
    return known;
  };
  return days(reader, at).flatMap(({ value: first, end: joint, rank, strength }) => {
    // "3-10" is a date, or nothing.
    if (!isJoint(joint) || strength === 'bare') return [];
    const said = lastsAt(joint + 1);
    const ends = new Set(said.map(({ end }) => end));
    return [...ends].flatMap((end) => {
      // "fri to mon": the monday after that friday.
      const seen = () => reader.saidOn(first, () => lastDays(reader, joint + 1));
      const last = soonest(first, said, end) ?? soonest(first, seen(), end);
      if (last === null) return [];
      return [match({ first: besideYear(reader, at, { first, last }), last }, end, rank)];
    });
  });
}

/** The first day of those that end there which comes after another. */
function soonest(after: Day, all: readonly Match<Day>[], at: number): Day | null {
  const [first] = all
    .filter(({ value, end }) => end === at && Temporal.PlainDate.compare(value, after) > 0)
    .map(({ value }) => value)
    .toSorted((a, b) => Temporal.PlainDate.compare(a, b));
  return first ?? null;
}

/** In "dec 3 to dec 10 2028" the year is that of both. */
function besideYear(reader: Reader, at: number, { first, last }: DayRange): Day {
  const years = first.until(last, { largestUnit: 'years' }).years;
  const isSaid = [0, 1, 2, 3, 4].some(
    (more) => reader.number(at + more, { least: 4, most: 4 }) === first.year,
  );
  return years === 0 || isSaid ? first : first.add({ years });
}
