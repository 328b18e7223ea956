// Reads dates in words: a whole text (pickers), or the phrase that starts at a word. Gives every reading, the most literal
// first; a text that is understood only in part has none. Not here: finding dates inside a title (core/titles/dates.ts), repeats
// in words (repeat-phrase.ts), and putting them into words (words.ts).
import { isDayWhen, isInstantWhen, type When } from '../when.ts';
import { plainContext } from './plain-context.ts';
import { match, type Match, type PhraseContext, Reader, type Strength } from './reader.ts';
import { dayRanges } from './range-phrase.ts';
import { days } from './spoken-phrase.ts';
import { durations, shiftDay, spans } from './span-phrase.ts';
import {
  biased,
  halfOfDay,
  hourAtEnd,
  pointedTime,
  openRanges,
  times,
  type TimeOfDay,
} from './time-phrase.ts';
import type { PartOfDay, Vocabulary } from './vocabulary.ts';

/** One meaning of a phrase: a date, with a duration if the phrase gives one ("9-10am"). */
export interface Reading {
  /** Null when the text says "none". Of a range of days the last one. */
  readonly when: When | null;
  /** The first day of a range of days: "3-10 dec". */
  readonly start?: When;
  /** Minutes, if the phrase gives a duration. */
  readonly duration: number | null;
  /** A word of it was misspelled (guess.ts): what is meant has to be confirmed. */
  readonly isGuess?: true;
}

/** Nobody looks at more. */
const MOST_READINGS = 6;
/** Nobody writes a date so long. */
const LONGEST_TEXT = 200;

type Day = Temporal.PlainDate;

/**
 * Reads the whole text as a date; empty when it is none. `isPlain`: only phrases that are found in titles too. Adds the
 * work done to `steps.count`.
 */
export function readDate(
  text: string,
  context: PhraseContext,
  options: {
    readonly vocabulary: Vocabulary;
    readonly steps?: { count: number };
    readonly isPlain?: boolean;
  },
): readonly Reading[] {
  if (text.length > LONGEST_TEXT) return [];
  const { vocabulary, steps, isPlain = false } = options;
  if (vocabulary.none.includes(text.trim().toLowerCase())) return [{ when: null, duration: null }];
  const reader = new Reader(text, vocabulary, context);
  reader.startAt(0);
  let found = wholePhrases(reader);
  // What is plain is plain, except that "14h" is a time as well as a length.
  if (!isPlain && (found.length === 0 || reader.tokens.some((_, at) => reader.is(at, 'clockHour')))) {
    reader.isWhole = true;
    found = wholePhrases(reader);
  }
  if (steps) steps.count += reader.steps;
  return distinct(found);
}

function wholePhrases(reader: Reader): Match<Phrase>[] {
  return phrases(reader, 0).filter(({ end }) => end === reader.tokens.length);
}

/** Reads the whole text as a duration in minutes: "45m", "1h30", "an hour and a half"; null when it is none. */
export function readDuration(text: string, options: { readonly vocabulary: Vocabulary }): number | null {
  if (text.length > LONGEST_TEXT) return null;
  const reader = new Reader(text, options.vocabulary, nowhere);
  reader.startAt(0);
  reader.isWhole = true;
  const from = reader.skip(0, 'for');
  const bare = reader.tokens.length === from + 1 ? reader.number(from, { least: 1, most: 5 }) : null;
  if (bare !== null && bare > 0) return bare;
  const whole = durations(reader, from).filter(({ end }) => end === reader.tokens.length);
  return whole[0]?.value ?? null;
}

/** Durations depend on no moment. */
const nowhere = plainContext(0, 'UTC');

/** Possible ends of a date that starts at a token, the farthest first. */
export function phraseEnds(reader: Reader, at: number): readonly number[] {
  return [...new Set(phrases(reader, at).map(({ end }) => end))].toSorted((a, b) => b - a);
}

/** A phrase before it becomes a reading. */
export interface Phrase {
  readonly when: When;
  readonly start?: When;
  /** Minutes. */
  readonly duration: number | null;
  readonly isNow?: boolean;
}

/** All readings that start at a token, of any length. */
export function phrases(reader: Reader, start: number): Match<Phrase>[] {
  const at = reader.skip(start, 'on', 'by');
  const isLed = at > start;
  const found = [
    ...dayFirst(reader, at, isLed),
    ...timeFirst(reader, at),
    ...timeDayPart(reader, at),
    ...tonight(reader, at),
    ...laterToday(reader, at),
    ...ranges(reader, at),
    ...exactSpans(reader, at),
    ...shifts(reader, at),
  ];
  if (reader.is(at, 'now'))
    found.push(match({ when: instant(reader, reader.now), duration: null, isNow: true }, at + 1));
  return found.flatMap((phrase) => [phrase, ...withLength(reader, phrase)]);
}

/** "… for 45m". */
function withLength(reader: Reader, phrase: Match<Phrase>): Match<Phrase>[] {
  if (!reader.is(phrase.end, 'for') || phrase.value.duration !== null) return [];
  return durations(reader, phrase.end + 1).map(({ value, end, rank }) =>
    match({ ...phrase.value, duration: value }, end, phrase.rank + rank, phrase.strength),
  );
}

function dayFirst(reader: Reader, at: number, isLed: boolean): Match<Phrase>[] {
  return days(reader, at).flatMap((day) => {
    const strength: Strength = isLed && day.strength === 'weak' ? 'strong' : day.strength;
    const alone = match({ when: { on: day.value.toString() }, duration: null }, day.end, day.rank, strength);
    // "Tomorrow eod" is tomorrow.
    const isClosing =
      day.strength !== 'bare' && reader.vocabulary.periodEnds.get(reader.word(day.end)) === 'day';
    const closing = isClosing ? [match(alone.value, day.end + 1, day.rank)] : [];
    const timeAt = reader.skip(day.end, 'on', 'notAfter');
    const open = day.strength === 'bare' ? [] : openRanges(reader, timeAt);
    const isNamed = reader.vocabulary.namedDays.has(reader.word(day.end - 1));
    const short = [
      ...(isNamed || isOneDay(reader, day) ? hourAtEnd(reader, day.end) : []),
      ...(day.strength === 'bare' ? [] : halfOfDay(reader, day.end)),
      ...(hasMonth(reader, at, day.end) ? pointedTime(reader, timeAt) : []),
    ];
    const timed = [...times(reader, timeAt), ...open, ...short].map((time) =>
      // "7 in the evening" more likely means seven o'clock than the 7th.
      match<Phrase>(
        timedOn(reader, day.value, time.value),
        time.end,
        day.rank + time.rank + (day.strength === 'bare' ? 1 : 0),
      ),
    );
    return [alone, ...closing, ...timed];
  });
}

/** "Friday 6", where no 6th ahead in this month or the next is a Friday, can only be an hour. */
function isOneDay(reader: Reader, { value, end }: Match<Temporal.PlainDate>): boolean {
  const number = reader.number(end, { least: 1, most: 2 });
  if (number === null || number < 1 || !reader.vocabulary.weekdays.has(reader.word(end - 1))) return false;
  return [0, 1].every((months) => {
    const month = reader.today.with({ day: 1 }).add({ months });
    if (number > month.daysInMonth || (months === 0 && number < reader.today.day)) return true;
    return month.with({ day: number }).dayOfWeek !== value.dayOfWeek;
  });
}

/** "3rd December" names its month, so that a number behind it is another one. */
const hasMonth = ({ tokens, vocabulary }: Reader, at: number, end: number): boolean =>
  tokens.slice(at, end).some(({ text }) => vocabulary.months.has(text));

function timeFirst(reader: Reader, at: number): Match<Phrase>[] {
  const { weekdays, namedDays } = reader.vocabulary;
  const open = openRanges(reader, at).flatMap((time) => {
    // In "3-10 dec" they are days.
    const word = reader.word(reader.skip(time.end, 'on'));
    return weekdays.has(word) || namedDays.has(word) ? dayBehind(reader, time) : [];
  });
  const closed = times(reader, at).flatMap((time) => {
    const found = dayBehind(reader, time);
    if (reader.is(time.end, 'tonight')) {
      found.push(match(timedOn(reader, reader.today, ofTonight(time.value)), time.end + 1, time.rank));
    }
    if (reader.is(at, 'this') || time.strength === 'bare') return found;
    return [...found, match(nextTime(reader, time.value), time.end, time.rank, time.strength)];
  });
  return [...closed, ...open];
}

/** "At 6:45 tonight" is in the evening, whatever else 6:45 may mean. */
const ofTonight = (time: TimeOfDay): TimeOfDay =>
  time.minutes >= 240 && time.minutes <= 720 ? { ...time, minutes: time.minutes + 720 } : time;

/** "5pm tomorrow". */
function dayBehind(reader: Reader, time: Match<TimeOfDay>): Match<Phrase>[] {
  return days(reader, reader.skip(time.end, 'on')).flatMap((day) =>
    day.strength === 'bare'
      ? []
      : [match(timedOn(reader, day.value, time.value), day.end, day.rank + time.rank)],
  );
}

/** Minutes of the day that a part of it may mean, where a person says both. */
const FITS: Readonly<Record<PartOfDay, (minutes: number) => boolean>> = {
  morning: (minutes) => minutes < 720,
  afternoon: (minutes) => minutes >= 720,
  evening: (minutes) => minutes >= 900,
  night: (minutes) => minutes >= 1080,
};
const PARTS = Object.keys(FITS) as readonly PartOfDay[];

/** "at 5:30 tomorrow morning", "9 friday night", "at 2:30 this afternoon": the part of the day says which half of it is meant. */
function timeDayPart(reader: Reader, at: number): Match<Phrase>[] {
  if (!reader.is(at, 'at') && reader.token(at).kind !== 'number') return [];
  return PARTS.flatMap((part) =>
    biased(reader, at, part).flatMap((time) =>
      FITS[part](time.value.minutes)
        ? [...days(reader, reader.skip(time.end, 'on')), ...thisDay(reader, time.end)].flatMap((day) =>
            day.strength !== 'bare' && reader.vocabulary.partsOfDay.get(reader.word(day.end)) === part
              ? [match(timedOn(reader, day.value, time.value), day.end + 1, day.rank + time.rank)]
              : [],
          )
        : [],
    ),
  );
}

/** "This", before a part of today. */
const thisDay = (reader: Reader, at: number): Match<Temporal.PlainDate>[] =>
  reader.is(at, 'this') ? [match(reader.today, at + 1)] : [];

/** "tonight", "this evening", "tonight at 9". */
function tonight(reader: Reader, at: number): Match<Phrase>[] {
  const isTonight = reader.is(at, 'tonight');
  const part = isTonight ? 'night' : reader.vocabulary.partsOfDay.get(reader.word(at + 1));
  if (part === undefined || (!isTonight && !reader.is(at, 'this'))) return [];
  const end = isTonight ? at + 1 : at + 2;
  return [
    match(partOfToday(reader, part), end),
    ...biased(reader, end, part).map((time) =>
      match(timedOn(reader, reader.today, time.value), time.end, time.rank),
    ),
  ];
}

/** The hour of a part of today; when an evening or a night has passed, a time that is still ahead. */
function partOfToday(reader: Reader, part: PartOfDay): Phrase {
  const { context, today } = reader;
  const hour = { minutes: context.hours[part] * 60, length: null };
  const said = timedOn(reader, today, hour);
  const isAhead = 'at' in said.when && said.when.at > context.now;
  const isEvening = part === 'evening' || part === 'night';
  if (isAhead || !isEvening || context.prefers === 'past' || context.pastEvening === 'stays') return said;
  const soon = context.pastEvening === 'tomorrow' ? null : stillToday(reader, { hours: 1, stepMinutes: 15 });
  return soon === null ? timedOn(reader, today.add({ days: 1 }), hour) : { when: soon, duration: null };
}

/** So many hours from now, rounded up, unless that is tomorrow already. */
function stillToday(
  { context, now, today }: Reader,
  { hours, stepMinutes }: { readonly hours: number; readonly stepMinutes: number },
): When | null {
  const later = now
    .add({ hours })
    .round({ smallestUnit: 'minute', roundingIncrement: stepMinutes, roundingMode: 'ceil' });
  const day = later.subtract({ hours: context.dayStart }).toPlainDate();
  return day.equals(today) ? { at: later.epochMilliseconds, zone: context.zone } : null;
}

/** "later today": in three hours; late in the day, in one. */
function laterToday(reader: Reader, at: number): Match<Phrase>[] {
  if (!reader.isWhole || !reader.is(at, 'later')) return [];
  if (reader.vocabulary.namedDays.get(reader.word(at + 1)) !== 0) return [];
  const when =
    stillToday(reader, { hours: 3, stepMinutes: 30 }) ?? stillToday(reader, { hours: 1, stepMinutes: 15 });
  return when === null ? [] : [match({ when, duration: null }, at + 2)];
}

/** "3-10 dec": due on the last day, from the first one on. */
function ranges(reader: Reader, at: number): Match<Phrase>[] {
  return dayRanges(reader, at).map(({ value, end, rank }) =>
    match(
      { when: { on: value.last.toString() }, start: { on: value.first.toString() }, duration: null },
      end,
      rank,
    ),
  );
}

/** "in 4h", "90 min", "2 hours ago". */
function exactSpans(reader: Reader, at: number): Match<Phrase>[] {
  const isIn = reader.is(at, 'in');
  return durations(reader, isIn ? at + 1 : at).flatMap(({ value, end, rank }) => {
    // "1:30" is a time of day, not a wait.
    if (reader.isSign(at + (isIn ? 2 : 1), ':')) return [];
    const isAgo = reader.is(end, 'ago');
    const isFrom = reader.is(end, 'from') && reader.is(end + 1, 'now');
    const when = instant(reader, reader.now.add({ minutes: isAgo ? -value : value }));
    const strength: Strength = isIn || isAgo || isFrom ? 'strong' : 'bare';
    return [match({ when, duration: null }, isAgo ? end + 1 : isFrom ? end + 2 : end, rank, strength)];
  });
}

/** "+1d", "-2w", "+5": counted from the current value, else from today. */
function shifts(reader: Reader, at: number): Match<Phrase>[] {
  const sign = reader.isSign(at, '+') ? 1 : reader.isSign(at, '-') || reader.isSign(at, '−') ? -1 : 0;
  if (sign === 0) return [];
  const { current } = reader.context;
  const bare = reader.number(at + 1, { least: 1, most: 4 });
  const found: Match<Phrase>[] = [];
  const take = (
    value: { count: number; unit: Parameters<typeof shiftDay>[1]['unit'] },
    end: number,
    rank = 0,
  ) => {
    const when = shifted(reader, current, { count: sign * value.count, unit: value.unit });
    if (when) found.push(match({ when, duration: null }, end, rank));
  };
  if (bare !== null) take({ count: bare, unit: 'day' }, at + 2);
  for (const span of spans(reader, at + 1)) take(span.value, span.end, span.rank);
  return found;
}

function shifted(reader: Reader, current: When | null, span: Parameters<typeof shiftDay>[1]): When | null {
  if (span.unit === 'minute' || span.unit === 'hour') {
    const minutes = Math.round(span.count * (span.unit === 'hour' ? 60 : 1));
    if (current !== null && isInstantWhen(current)) return { ...current, at: current.at + minutes * 60_000 };
    return instant(reader, reader.now.add({ minutes }));
  }
  if (current === null || isDayWhen(current)) {
    const day = shiftDay(current === null ? reader.today : Temporal.PlainDate.from(current.on), span);
    return day && { on: day.toString() };
  }
  if (!isInstantWhen(current)) {
    const day = shiftDay(Temporal.PlainDate.from(current.local.slice(0, 10)), span);
    return day && { local: `${day.toString()}${current.local.slice(10)}` };
  }
  const held = Temporal.Instant.fromEpochMilliseconds(current.at).toZonedDateTimeISO(current.zone);
  const day = shiftDay(held.toPlainDate(), span);
  if (day === null) return null;
  const moved = day.toZonedDateTime({ timeZone: current.zone, plainTime: held.toPlainTime() });
  return { at: moved.epochMilliseconds, zone: current.zone };
}

function timedOn(reader: Reader, day: Day, { minutes, length }: TimeOfDay): Phrase {
  const date = minutes >= 1440 ? day.add({ days: 1 }) : day;
  const plainTime = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 });
  const moment = date.toZonedDateTime({ timeZone: reader.context.zone, plainTime });
  return { when: { at: moment.epochMilliseconds, zone: reader.context.zone }, duration: length };
}

/** The next such time: today if it is still ahead, else tomorrow. Looking back, the previous one. */
function nextTime(reader: Reader, time: TimeOfDay): Phrase {
  const calendar = reader.now.toPlainDate();
  const today = timedOn(reader, calendar, time);
  const isAhead = 'at' in today.when && today.when.at > reader.context.now;
  if (reader.context.prefers === 'past')
    return isAhead ? timedOn(reader, calendar.subtract({ days: 1 }), time) : today;
  return isAhead ? today : timedOn(reader, calendar.add({ days: 1 }), time);
}

function instant(reader: Reader, moment: Temporal.ZonedDateTime): When {
  const at = moment.round({ smallestUnit: 'minute', roundingMode: 'floor' }).epochMilliseconds;
  return { at, zone: reader.context.zone };
}

/** The readings by rank, without duplicates or years out of range. */
export function distinct(matches: readonly Match<Phrase>[]): Reading[] {
  const readings = new Map<string, Reading>();
  const best = Math.min(...matches.map(({ strength }) => STRENGTHS.indexOf(strength)));
  const inOrder = matches
    .filter(({ strength }) => best < 2 || STRENGTHS.indexOf(strength) === best)
    .toSorted((a, b) => a.rank - b.rank);
  for (const { value } of inOrder) {
    const { when, start, duration } = value;
    if (!isInReach(when)) continue;
    const key = JSON.stringify([when, duration, start]);
    if (!readings.has(key)) readings.set(key, { when, duration, ...(start ? { start } : {}) });
    if (readings.size === MOST_READINGS) break;
  }
  return [...readings.values()];
}

const STRENGTHS: readonly Strength[] = ['strong', 'weak', 'bare'];
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

function isInReach(when: When): boolean {
  if (isInstantWhen(when)) return when.at >= FIRST_MS && when.at <= LAST_MS;
  const year = Number((isDayWhen(when) ? when.on : when.local).slice(0, 4));
  return year >= 1900 && year <= 9999;
}
