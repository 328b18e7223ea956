// Times of day in words: "5pm", "17:00", "noon", "at 5", "in the morning", "9-10am" (which is also a length).
import { match, type Match, type Reader, type Strength } from './reader.ts';
import { spokenClocks } from './spoken-time.ts';
import type { PartOfDay } from './vocabulary.ts';

const DAY = 24 * 60;

export interface TimeOfDay {
  /** Minutes after midnight; 1440 is the midnight that ends the day. */
  readonly minutes: number;
  /** Length of a range, minutes. */
  readonly length: number | null;
}

/** A time by the clock as it was said; which half of the day is open until `half` or a companion tells. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
  /** "5": may be anything. */
  readonly isBare: boolean;
  /** "05:30" and "17:00" mean what they say. */
  readonly isExact: boolean;
  /** "5 o'clock": nobody says so of the 24-hour clock. */
  readonly isSpoken?: boolean;
}

function clocks(reader: Reader, at: number): Match<Clock>[] {
  const plain = plainClocks(reader, at);
  return reader.isWhole ? [...plain, ...spokenClocks(reader, at)] : plain;
}

/** "5", "5pm", "5:30", "5.30pm", "17:00", "noon". */
function plainClocks(reader: Reader, at: number): Match<Clock>[] {
  const word = reader.vocabulary.hours.get(reader.word(at));
  if (word !== undefined) {
    const named = { minute: 0, half: null, isBare: false, isExact: true };
    // A day has two midnights; usually the one at its end is meant.
    const hours = word === 24 ? [24, 0] : [word];
    return hours.map((hour, rank) => match({ ...named, hour }, at + 1, rank));
  }
  const hour = reader.number(at, { least: 1, most: 2 });
  if (hour === null || hour > 24) return [];
  const found: Match<Clock>[] = [];
  const isExact = hour > 12 || hour === 0 || reader.token(at).text.length === 2;
  const colon = reader.isSign(at + 1, ':');
  const minute =
    (colon || reader.isSign(at + 1, '.')) && reader.isGlued(at + 1) && reader.isGlued(at + 2)
      ? reader.number(at + 2, { least: 2, most: 2 })
      : null;
  const after = minute === null ? at + 1 : at + 3;
  const half = reader.vocabulary.halves.get(reader.word(after)) ?? null;
  // A lone "a" or "p" belongs to the number only directly after it.
  const isHalf = half !== null && (reader.word(after).length > 1 || reader.isGlued(after));
  if (isHalf && hour >= 1 && hour <= 12 && (minute ?? 0) < 60)
    found.push(match({ hour, minute: minute ?? 0, half, isBare: false, isExact: true }, after + 1));
  if (minute !== null && minute < 60 && colon && (hour < 24 || minute === 0))
    found.push(match({ hour, minute, half: null, isBare: false, isExact }, after));
  if (minute === null && reader.is(after, 'oclock'))
    found.push(match({ hour, minute: 0, half: null, isBare: false, isExact, isSpoken: true }, after + 1));
  if (minute === null) found.push(match({ hour, minute: 0, half: null, isBare: true, isExact }, at + 1));
  return found;
}

function minutesOf({ hour, minute, half }: Clock): number {
  if (half === null) return hour * 60 + minute;
  return ((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute;
}

/** The readings of one clock time. Without am or pm, the likelier half comes first. */
function readingsOf(clock: Clock, reader: Reader, bias: 'am' | 'pm' | null): number[] {
  const literal = minutesOf(clock);
  if (clock.half !== null || clock.isExact || clock.hour > 12) return [literal];
  const morning = minutesOf({ ...clock, half: 'am' });
  const afternoon = minutesOf({ ...clock, half: 'pm' });
  if (bias !== null) return [bias === 'am' ? morning : afternoon];
  const isTitle = reader.context.prefersAfternoon === true;
  if (!clock.isBare && clock.isSpoken !== true && (isTitle || !reader.context.hour12))
    return (isTitle && clock.hour <= 5 ? [afternoon, literal] : [literal, afternoon]).filter(isFirst);
  // Nobody means five in the morning without saying so.
  const isLikelyAfternoon = clock.hour <= 7 || clock.hour === 12;
  return isLikelyAfternoon ? [afternoon, morning] : [morning, afternoon];
}

function isFirst(value: number, at: number, values: readonly number[]): boolean {
  return values.indexOf(value) === at;
}

function partBias(part: PartOfDay): 'am' | 'pm' {
  return part === 'morning' ? 'am' : 'pm';
}

function clockStrength(clock: Clock, isAnchored: boolean): Strength {
  if (clock.isBare) return isAnchored ? 'weak' : 'bare';
  return 'strong';
}

/** One clock time or a range of two. `isAnchored`: "at" precedes it, so a bare number is an hour. */
function clockTimes(
  reader: Reader,
  at: number,
  options: { readonly isAnchored: boolean; readonly bias: 'am' | 'pm' | null },
): Match<TimeOfDay>[] {
  return clocks(reader, at).flatMap((first) => {
    const ranges = rangesFrom(reader, first);
    const strength = clockStrength(first.value, options.isAnchored);
    if (first.value.isBare && !options.isAnchored && options.bias === null) return ranges;
    const alone = readingsOf(first.value, reader, options.bias).map((minutes, rank) =>
      match({ minutes, length: null }, first.end, first.rank + rank, strength),
    );
    return [...ranges, ...alone];
  });
}

/** "9-10am", "9am to 10:30", "17:00–18:30". */
function rangesFrom(reader: Reader, first: Match<Clock>): Match<TimeOfDay>[] {
  // "Ten to midnight" is a time.
  const isWord = first.value.isBare && reader.word(first.end - 1) !== '';
  return reader.is(first.end, 'to') && !isWord ? rangesBetween(reader, first) : [];
}

/** The range to the clock time behind the word that follows the first one. */
function rangesBetween(reader: Reader, first: Match<Clock>): Match<TimeOfDay>[] {
  return clocks(reader, first.end + 1).flatMap(({ value, end }) => {
    if (first.value.isBare && value.isBare) return [];
    // "4:30-6" says no half of the day on either side.
    const isOpen = [first.value, value].every(
      (side) => side.half === null && !side.isExact && side.hour <= 12,
    );
    if (isOpen) return likelyRanges(reader, first.value, { value, end });
    const from = sameHalf(first.value, value);
    const to = value.half === null && from.half !== null && value.hour <= 12 ? laterHalf(from, value) : value;
    const start = minutesOf(from);
    const length = (minutesOf(to) - start + DAY) % DAY;
    return length === 0 ? [] : [match({ minutes: start, length }, end)];
  });
}

/** "9-10am" begins in the morning, "11-1pm" too. */
function sameHalf(from: Clock, to: Clock): Clock {
  if (from.half !== null || to.half === null || from.hour > 12) return from;
  const same = { ...from, half: to.half };
  if (minutesOf(same) < minutesOf(to)) return same;
  return { ...from, half: to.half === 'pm' ? 'am' : 'pm' };
}

/** "from 3 to 4pm", "between 3 and 4": beside these words, plain numbers are hours. */
function ledRanges(reader: Reader, at: number): Match<TimeOfDay>[] {
  const isBetween = reader.is(at, 'between');
  if (!isBetween && !reader.is(at, 'from')) return [];
  return clocks(reader, at + 1).flatMap((first) => {
    if (!reader.is(first.end, isBetween ? 'and' : 'to')) return [];
    const ranges = clocks(reader, first.end + 1).flatMap((second) => openRange(reader, first.value, second));
    return [...ranges, ...rangesBetween(reader, first)];
  });
}

/** "9-11" beside a day: the numbers are hours. */
export function openRanges(reader: Reader, at: number): Match<TimeOfDay>[] {
  if (!reader.isWhole || reader.number(at, { least: 1, most: 2 }) === null) return [];
  return clocks(reader, at).flatMap((first) =>
    first.value.isBare && reader.is(first.end, 'to')
      ? clocks(reader, first.end + 1).flatMap((second) => openRange(reader, first.value, second))
      : [],
  );
}

function openRange(reader: Reader, first: Clock, second: Match<Clock>): Match<TimeOfDay>[] {
  return first.isBare && second.value.isBare ? likelyRanges(reader, first, second) : [];
}

/** Neither side says its half of the day: the likelier one for the first, and the next such hour for the second. */
function likelyRanges(
  reader: Reader,
  first: Clock,
  { value, end }: Pick<Match<Clock>, 'value' | 'end'>,
): Match<TimeOfDay>[] {
  const halves = value.hour > 12 ? [null] : (['am', 'pm'] as const);
  const ends = halves.map((half) => minutesOf({ ...value, half }));
  return readingsOf(first, reader, null).map((start, rank) => {
    const length = Math.min(...ends.map((minutes) => (minutes - start + DAY - 1) % DAY)) + 1;
    return match({ minutes: start, length }, end, rank);
  });
}

function laterHalf(from: Clock, to: Clock): Clock {
  const same = { ...to, half: from.half };
  if (minutesOf(same) > minutesOf(from)) return same;
  return { ...to, half: from.half === 'am' ? 'pm' : 'am' };
}

/** "first thing", "first thing in the morning". */
function firstThing(reader: Reader, at: number): Match<TimeOfDay>[] {
  if (reader.vocabulary.ordinals.get(reader.word(at)) !== 1 || !reader.is(at + 1, 'thing')) return [];
  const partAt = reader.skip(at + 2, 'in', 'the');
  const isSaid = reader.vocabulary.partsOfDay.get(reader.word(partAt)) === 'morning';
  const minutes = reader.context.hours.morning * 60;
  return [match({ minutes, length: null }, isSaid ? partAt + 1 : at + 2, 0, 'weak')];
}

/** "morning", "in the evening", "evening at 7". */
function partTimes(reader: Reader, at: number): Match<TimeOfDay>[] {
  const from = reader.skip(at, 'in', 'the', 'at');
  const part = reader.vocabulary.partsOfDay.get(reader.word(from));
  if (part === undefined) return [];
  const alone = match({ minutes: reader.context.hours[part] * 60, length: null }, from + 1, 0, 'weak');
  return [alone, ...biased(reader, from + 1, part)];
}

/** A clock time after a part of the day: "evening at 7". */
export function biased(reader: Reader, at: number, part: PartOfDay): Match<TimeOfDay>[] {
  return clockTimes(reader, reader.skip(at, 'at'), { isAnchored: true, bias: partBias(part) }).map(
    (time) => ({
      ...time,
      value: { ...time.value, minutes: within(part, time.value.minutes) },
    }),
  );
}

/** "Am" and "pm" behind a day: its morning, its afternoon. */
export function halfOfDay(reader: Reader, at: number): Match<TimeOfDay>[] {
  const word = reader.word(at);
  const half = word.length > 1 ? reader.vocabulary.halves.get(word) : undefined;
  if (half === undefined) return [];
  const minutes = reader.context.hours[half === 'am' ? 'morning' : 'afternoon'] * 60;
  return [match({ minutes, length: null }, at + 1)];
}

/** "10.40", where it can be no day of a month. */
export function pointedTime(reader: Reader, at: number): Match<TimeOfDay>[] {
  const from = reader.skip(at, 'at');
  const [hour, minute] = [
    reader.number(from, { least: 1, most: 2 }),
    reader.number(from + 2, { least: 2, most: 2 }),
  ];
  const isOne = reader.isSign(from + 1, '.') && reader.isGlued(from + 1) && reader.isGlued(from + 2);
  if (!isOne || hour === null || minute === null || hour > 23 || minute > 59) return [];
  const clock: Clock = { hour, minute, half: null, isBare: false, isExact: hour > 12 || hour === 0 };
  return readingsOf(clock, reader, null).map((minutes, rank) =>
    match({ minutes, length: null }, from + 3, rank),
  );
}

/** Ten, eleven and twelve of an evening or a night, which look as exact as 10:00: "tonight at 10". */
export function within(part: PartOfDay, minutes: number): number {
  const isLate = part === 'evening' || part === 'night';
  return isLate && minutes >= 600 && minutes <= 720 ? minutes + 720 : minutes;
}

/** An hour right behind a day, "tomorrow 6", where the text ends. */
export function hourAtEnd(reader: Reader, at: number): Match<TimeOfDay>[] {
  const hour = reader.number(at, { least: 1, most: 2 });
  if (hour === null || hour < 1 || hour > 12 || at + 1 !== reader.tokens.length) return [];
  return clockTimes(reader, at, { isAnchored: true, bias: null });
}

/** "7 in the evening". */
function clockThenPart(reader: Reader, at: number): Match<TimeOfDay>[] {
  return clocks(reader, at).flatMap(({ value, end }) => {
    if (!reader.is(end, 'in') && !reader.is(end, 'at')) return [];
    const from = reader.skip(end, 'in', 'the', 'at');
    const part = reader.vocabulary.partsOfDay.get(reader.word(from));
    if (part === undefined) return [];
    return readingsOf(value, reader, partBias(part)).map((minutes, rank) =>
      match({ minutes: within(part, minutes), length: null }, from + 1, rank),
    );
  });
}

/** All readings that start at token `at` as a time of day, with or without "at". */
export function times(reader: Reader, at: number): Match<TimeOfDay>[] {
  const from = reader.skip(at, 'at');
  const anchored = from > at && !reader.isSign(from - 1, ',');
  return [
    ...clockTimes(reader, from, { isAnchored: anchored, bias: null }),
    ...clockThenPart(reader, from),
    ...partTimes(reader, at),
    ...(reader.isWhole ? [...ledRanges(reader, at), ...firstThing(reader, from)] : []),
  ];
}
