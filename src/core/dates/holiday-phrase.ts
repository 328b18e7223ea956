// Holidays by name: "christmas", "easter monday 2027", "next thanksgiving". Read only where the whole text is a date.
import { dayOf, nextInYears, nthOf, years } from './calendar-phrase.ts';
import { match, type Match, type Reader } from './reader.ts';
import type { Holiday, Vocabulary } from './vocabulary.ts';

type Day = Temporal.PlainDate;

interface Name {
  /** After the first one. */
  readonly words: readonly string[];
  readonly holiday: Holiday;
}

const known = new WeakMap<Vocabulary, ReadonlyMap<string, readonly Name[]>>();

/** The names by their first word, the longest first. */
function namesOf(vocabulary: Vocabulary): ReadonlyMap<string, readonly Name[]> {
  const made = known.get(vocabulary);
  if (made) return made;
  const names = new Map<string, Name[]>();
  for (const [name, holiday] of vocabulary.holidays) {
    const [first = '', ...words] = name.split(/[ ]|(?=\.)/);
    names.set(first, [...(names.get(first) ?? []), { words, holiday }]);
  }
  for (const all of names.values()) all.sort((a, b) => b.words.length - a.words.length);
  known.set(vocabulary, names);
  return names;
}

function bare(word: string): string {
  return word.includes("'") ? word.replaceAll("'", '') : word;
}

/** Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return new Temporal.PlainDate(year, Math.floor(days / 31), (days % 31) + 1);
}

function dayInYear(holiday: Holiday, year: number): Day | null {
  if ('easter' in holiday) return easterOf(year).add({ days: holiday.easter });
  const { month } = holiday;
  if ('day' in holiday) return dayOf(year, month, holiday.day);
  const day = nthOf(new Temporal.PlainDate(year, month, 1), holiday.weekday, holiday.nth);
  return day && day.add({ days: holiday.plus ?? 0 });
}

/** The holiday with the longest name at a token, and where it ends. */
function named(reader: Reader, at: number): { readonly holiday: Holiday; readonly end: number } | null {
  const word = reader.word(at);
  const names = word === '' ? undefined : namesOf(reader.vocabulary).get(bare(word));
  const name = names?.find(({ words }) =>
    words.every((each, index) => bare(reader.word(at + 1 + index)) === each),
  );
  return name ? { holiday: name.holiday, end: at + 1 + name.words.length } : null;
}

/** All readings that start at token `at` as a holiday: the next one, this year's, or that of a year said behind it. */
export function holidays(reader: Reader, at: number): Match<Day>[] {
  const said = (['this', 'coming', 'next', 'last'] as const).find((keyword) => reader.is(at, keyword));
  const found = named(reader, said === undefined ? at : at + 1);
  if (found === null) return [];
  const { holiday, end } = found;
  const inYear = (year: number) => dayInYear(holiday, year);
  if (said === undefined) {
    const coming = nextInYears(reader, inYear).map(({ day, rank }) => match(day, end, rank));
    const dated = years(reader, end).flatMap((year) => {
      const day = inYear(year.value);
      return day ? [match(day, year.end)] : [];
    });
    return [...coming, ...dated];
  }
  const step = said === 'last' ? -1 : 1;
  const { year } = reader.today;
  const side = [year - 1, year, year + 1, year + 2]
    .flatMap((each) => inYear(each) ?? [])
    .filter((day) => Temporal.PlainDate.compare(day, reader.today) * step > 0);
  const [first, second] = step === 1 ? side : side.toReversed();
  if (!first) return [];
  return [match(first, end), ...(said === 'next' && second ? [match(second, end, 1)] : [])];
}
