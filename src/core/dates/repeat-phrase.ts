// Reads repeats in words: "every 2 weeks on mon and thu", "every last business day", "every! 3 days", "daily at 9".
// Gives the rule and, if the words name it, the first date. Not here: evaluating a rule (core/repeat.ts) and putting
// one into words (words.ts).
import type { RepeatMetadata, RepeatRule, RepeatUnit, Weekday } from '../model.ts';
import { nextOccurrence } from '../repeat.ts';
import { isInstantWhen, type When } from '../when.ts';
import type { Moment } from './keep-time.ts';
import { ordinals } from './calendar-phrase.ts';
import { readDate } from './phrase.ts';
import { match, type Match, type PhraseContext, Reader } from './reader.ts';
import { firstDay } from './first-day.ts';
import type { SpanUnit, Vocabulary } from './vocabulary.ts';

/** One meaning of a repeat phrase: the rule, with a first date and a duration if the words give them. */
export interface RepeatReading {
  readonly rule: RepeatRule;
  /** Start of the series, if the words name a day or a time; null: the date of the task, or today. */
  readonly first: When | null;
  /**
   * The part of `first` that the words name and the rule cannot hold. It overrides the date of the task (seriesStart).
   */
  readonly says: 'first day' | 'day of year' | 'time of day' | null;
  /** Minutes, if the words give a duration: "every mon 9-10am". */
  readonly duration: number | null;
}

const weekdayNames: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WORKING: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const LONGEST_TEXT = 200;
const LARGEST_STEP = 10_000;

const STEPS: Readonly<Record<SpanUnit, { readonly unit: RepeatUnit; readonly times: number }>> = {
  minute: { unit: 'minutes', times: 1 },
  hour: { unit: 'hours', times: 1 },
  day: { unit: 'days', times: 1 },
  workday: { unit: 'weeks', times: 1 },
  week: { unit: 'weeks', times: 1 },
  month: { unit: 'months', times: 1 },
  quarter: { unit: 'months', times: 3 },
  year: { unit: 'years', times: 1 },
};

/** The parts of a rule before its defaults are added. */
interface Parts {
  readonly value: number;
  readonly also?: readonly number[];
  readonly unit: RepeatUnit;
  readonly metadata: RepeatMetadata | null;
  /** "on feb 29": the day of the year of the series. */
  readonly day?: string;
}

/** Reads the whole text as a repeat; empty when it is none. The likelier reading comes first. */
export function readRepeat(
  text: string,
  context: PhraseContext,
  options: { readonly vocabulary: Vocabulary; readonly steps?: { count: number } },
): readonly RepeatReading[] {
  if (text.length > LONGEST_TEXT) return [];
  const { vocabulary } = options;
  const reader = new Reader(text, vocabulary, context);
  reader.startAt(0, reader.tokens.length);
  const readings = openings(reader).flatMap(({ value: from, end }) =>
    parts(reader, end).flatMap((found) => finish(reader, found, from)),
  );
  if (options.steps) options.steps.count += reader.steps;
  const seen = new Map(readings.map((reading) => [JSON.stringify(reading), reading]));
  return [...seen.values()].slice(0, 4);
}

/** Possible ends of a repeat that starts at a token, before any time or first day; the farthest first. */
export function repeatEnds(reader: Reader, at: number): readonly number[] {
  const isEvery = reader.is(at, 'every');
  if (!isEvery && !reader.vocabulary.rhythms.has(reader.word(at)) && !isWeekdays(reader, at)) return [];
  const from = isEvery ? (reader.is(at + 1, 'always') ? at + 2 : at + 1) : at;
  return [...new Set(parts(reader, from).map(({ end }) => end))].toSorted((a, b) => b - a);
}

type From = 'due date' | 'completion';

/** "every", "every!", "after", or nothing before "daily". */
function openings(reader: Reader): Match<From>[] {
  if (reader.is(0, 'every')) {
    const isAfter = reader.is(1, 'always');
    return [match(isAfter ? 'completion' : 'due date', isAfter ? 2 : 1)];
  }
  if (reader.is(0, 'after')) return [match('completion', 1)];
  return reader.vocabulary.rhythms.has(reader.word(0)) || isWeekdays(reader, 0) ? [match('due date', 0)] : [];
}

/** "Sundays", and "mon wed fri": every one of them. */
export function isWeekdays(reader: Reader, at: number): boolean {
  const { tokens, vocabulary } = reader;
  const word = tokens[at]?.text ?? '';
  if (vocabulary.weekdays.has(word)) return isWeekday(reader, tokens[afterJoin(reader, at + 1)]?.text);
  return word.endsWith('days') && isWeekday(reader, word);
}

const isWeekday = ({ vocabulary: { weekdays } }: Reader, word = ''): boolean =>
  weekdays.has(word) || weekdays.has(word.replace(/s$/, ''));

/** Behind what stands between days: "mon, wed & fri", "mon/wed". */
const afterJoin = ({ tokens, vocabulary }: Reader, at: number): number =>
  vocabulary.is.and.has(tokens[at]?.text ?? '') || /^[,/]$/.test(tokens[at]?.text ?? '') ? at + 1 : at;

function parts(reader: Reader, at: number): Match<Parts>[] {
  return [
    ...everyPart(reader, at),
    ...rhythms(reader, at),
    ...nthDays(reader, at),
    ...weekdayLists(reader, at),
    ...steps(reader, at),
    ...daysOfMonth(reader, at, 1),
    ...daysOfYear(reader, at, 1),
  ];
}

/** "daily", "weekly on mon". */
function rhythms(reader: Reader, at: number): Match<Parts>[] {
  const rhythm = reader.vocabulary.rhythms.get(reader.word(at));
  const bang = reader.is(at + 1, 'always') ? 1 : 0;
  return rhythm === undefined ? [] : stepped(reader, rhythm.times, { unit: rhythm.unit, end: at + 1 + bang });
}

/** "evening", "night": every day; the word itself is read as the time of it. */
function everyPart(reader: Reader, at: number): Match<Parts>[] {
  if (!reader.vocabulary.partsOfDay.has(reader.word(at)) || !reader.is(at - 1, 'every')) return [];
  return [match({ value: 1, unit: 'days', metadata: null }, at)];
}

/** "day", "2 weeks on mon thu", "other month on the 15th", "90 minutes". */
function steps(reader: Reader, at: number): Match<Parts>[] {
  const isOther = reader.is(at, 'other');
  const number = reader.number(at, { least: 1, most: 5 }) ?? reader.vocabulary.numbers.get(reader.word(at));
  const count = isOther ? 2 : (number ?? 1);
  const unitAt = isOther || number !== undefined ? at + 1 : at;
  const meanings = reader.vocabulary.units.get(reader.word(unitAt)) ?? [];
  if (count < 1) return [];
  return meanings.flatMap(({ unit, times }) => {
    const isWorking = unit === 'workday';
    if (isWorking && count !== 1) return [];
    return stepped(reader, count * times, { unit, end: unitAt + 1 });
  });
}

function stepped(
  reader: Reader,
  count: number,
  { unit, end }: { readonly unit: SpanUnit; readonly end: number },
): Match<Parts>[] {
  const step = STEPS[unit];
  const value = count * step.times;
  if (value > LARGEST_STEP) return [];
  if (unit === 'workday') return [match({ value, unit: 'weeks', metadata: { weekdays: WORKING } }, end)];
  const plain = match<Parts>({ value, unit: step.unit, metadata: null }, end);
  const on = reader.skip(end, 'on');
  if (step.unit === 'weeks') return [plain, ...weekdaysAt(reader, on, value)];
  if (step.unit === 'months') {
    const nth = value === 1 ? nthDays(reader, on) : [];
    return [plain, ...nth, ...daysOfMonth(reader, on, value)];
  }
  if (step.unit === 'years') return [plain, ...daysOfYear(reader, on, value)];
  return [plain];
}

/** "mon wed fri", "other tuesday", "weekend". */
function weekdayLists(reader: Reader, at: number): Match<Parts>[] {
  const isOther = reader.is(at, 'other');
  const from = isOther ? at + 1 : at;
  if (reader.vocabulary.periods.get(reader.word(from)) === 'weekend') {
    const value = isOther ? 2 : 1;
    return [match({ value, unit: 'weeks', metadata: { weekdays: ['Sat', 'Sun'] } }, from + 1)];
  }
  return weekdaysAt(reader, from, isOther ? 2 : 1);
}

function weekdaysAt(reader: Reader, at: number, value: number): Match<Parts>[] {
  const { days, end } = weekdayNumbers(reader, at);
  if (days.length === 0) return [];
  const weekdays = weekdayNames.filter((_, index) => days.includes(index + 1));
  return [match({ value, unit: 'weeks', metadata: { weekdays } }, end)];
}

function weekdayNumbers(
  reader: Reader,
  at: number,
): { readonly days: readonly number[]; readonly end: number } {
  const days: number[] = [];
  let end = at;
  for (let next = at; ; next = reader.skip(reader.isSign(end, '/') ? end + 1 : end, 'and', 'on')) {
    // "mondays" means "monday".
    const word = reader.word(next);
    const day =
      reader.vocabulary.weekdays.get(word) ?? reader.vocabulary.weekdays.get(word.replace(/s$/, ''));
    if (day === undefined) return { days, end };
    days.push(day);
    end = next + 1;
  }
}

/** "first monday", "2nd and last friday of the month", "last business day", "first weekend day". */
function nthDays(reader: Reader, at: number): Match<Parts>[] {
  const { values, end } = ordinalList(reader, reader.skip(at, 'the'));
  const [value, ...more] = values;
  if (value === undefined) return [];
  const also = more.length > 0 ? { also: more } : {};
  const found: Match<Parts>[] = [];
  const isDay = (place: number) => /^days?$/.test(reader.word(place));
  if (reader.is(end, 'business') && isDay(end + 1))
    found.push(match({ value, ...also, unit: 'nth-business-day-of-month', metadata: null }, end + 2));
  else if (reader.is(end, 'weekday'))
    found.push(match({ value, ...also, unit: 'nth-business-day-of-month', metadata: null }, end + 1));
  else if (reader.vocabulary.periods.get(reader.word(end)) === 'weekend' && isDay(end + 1))
    found.push(match({ value, ...also, unit: 'nth-weekend-day-of-month', metadata: null }, end + 2));
  else if (values.every((nth) => nth >= -1 && nth <= 5)) {
    const { days, end: after } = weekdayNumbers(reader, end);
    const weekdays = weekdayNames.filter((_, index) => days.includes(index + 1));
    if (weekdays.length > 0)
      found.push(match({ value, ...also, unit: 'nth-weekday', metadata: { weekdays } }, after));
  }
  return found.map((each) => ({ ...each, end: afterOfMonth(reader, each.end) }));
}

function ordinalList(
  reader: Reader,
  at: number,
): { readonly values: readonly number[]; readonly end: number } {
  const values: number[] = [];
  let end = at;
  for (let next = at; ; next = reader.skip(end, 'and', 'the')) {
    const [found] = ordinals(reader, next);
    if (!found || found.value > 31) return { values, end };
    values.push(found.value);
    end = found.end;
  }
}

/** "… of the month", "… of each month" add nothing. */
function afterOfMonth(reader: Reader, at: number): number {
  if (!reader.is(at, 'of')) return at;
  const from = reader.skip(at + 1, 'the', 'every');
  return reader.vocabulary.periods.get(reader.word(from)) === 'month' ? from + 1 : at;
}

/** "15th", "the 1st and 15th", "the last day". */
function daysOfMonth(reader: Reader, at: number, value: number): Match<Parts>[] {
  const monthDays: (number | 'last day')[] = [];
  let end = at;
  for (let next = reader.skip(at, 'the'); ; next = reader.skip(end, 'and', 'the')) {
    const [nth] = ordinals(reader, next);
    const isLastDay = nth?.value === -1 && /^days?$/.test(reader.word(nth.end));
    const number = reader.number(next, { least: 1, most: 2 });
    if (isLastDay) monthDays.push('last day');
    else if (nth && nth.value >= 1 && nth.value <= 31 && reader.token(next).kind === 'number')
      monthDays.push(nth.value);
    // "on 1, 15": plain numbers count only after a day of the month.
    else if (monthDays.length > 0 && number !== null && number >= 1 && number <= 31) monthDays.push(number);
    else break;
    end = isLastDay ? (nth?.end ?? next) + 1 : (nth?.end ?? next + 1);
  }
  if (monthDays.length === 0) return [];
  const inOrder = [...new Set(monthDays)].toSorted((a, b) => numeric(a) - numeric(b));
  return [match({ value, unit: 'months', metadata: { monthDays: inOrder } }, afterOfMonth(reader, end))];
}

function numeric(day: number | 'last day'): number {
  return day === 'last day' ? 32 : day;
}

/** "feb 29", "27 nov": a yearly series on that day. */
function daysOfYear(reader: Reader, at: number, value: number): Match<Parts>[] {
  const from = reader.skip(at, 'on');
  const first = reader.token(from);
  if (isLimit(reader, from)) return [];
  const found: Match<Parts>[] = [];
  for (const end of [from + 2, from + 3, from + 4]) {
    const last = reader.token(end - 1);
    if (last.text === '') break;
    const text = reader.text.slice(first.start, last.end);
    const hasMonth = [from, from + 1, from + 2, from + 3].some(
      (place) => place < end && reader.vocabulary.months.has(reader.word(place)),
    );
    // "fri mar 5" is a Friday in one year only.
    if (reader.vocabulary.weekdays.has(last.text) || reader.vocabulary.weekdays.has(first.text)) continue;
    const options = { vocabulary: reader.vocabulary, isPlain: true };
    const [reading] = hasMonth ? readDate(text, reader.context, options) : [];
    if (reading?.when && 'on' in reading.when && !/\d{4}/.test(text))
      found.push(match({ value, unit: 'years', metadata: null, day: reading.when.on }, end));
  }
  return found;
}

/** Reads the end of the phrase: a time of day, "starting …", "after completion". The whole text must be used up. */
function finish(reader: Reader, found: Match<Parts>, from: From): RepeatReading[] {
  const { day, ...rest } = found.value;
  let end = found.end;
  let counts = from;
  const isAfter = reader.is(end, 'after') || (reader.is(end, 'from') && reader.is(end + 1, 'completion'));
  if (isAfter && reader.is(end + 1, 'completion')) {
    counts = 'completion';
    end += 2;
  }
  // A fixed day cannot count from completion.
  if (counts === 'completion' && day !== undefined) return [];
  const rule: RepeatRule = { ...rest, from: counts, missed: 'skip', anchorDay: anchorOf(day) };
  const start = day ?? firstDay(rule, reader.today)?.toString() ?? null;
  const ofYear = day === undefined ? null : 'day of year';
  if (end >= reader.tokens.length)
    return [{ rule, first: start === null ? null : { on: start }, says: ofYear, duration: null }];
  // Two first days cannot both count.
  if (ofYear !== null && reader.is(end, 'starting')) return [];
  const says = ofYear ?? (reader.is(end, 'starting') ? 'first day' : 'time of day');
  return tail(reader, end, start).map((said) => ({
    rule,
    ...said,
    says,
    first: said.first === null ? null : seriesAhead(rule, said.first, reader.context),
  }));
}

/** A time earlier today is not meant: the series starts with the next occurrence. */
export function seriesAhead(rule: RepeatRule, first: When, { now, zone }: Moment): When {
  if (!isInstantWhen(first) || first.at > now) return first;
  const dayOf = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  if (!dayOf(first.at).equals(dayOf(now))) return first;
  return nextOccurrence({ ...rule, from: 'due date' }, { due: first, start: null }, now, zone)?.due ?? first;
}

function anchorOf(day: string | undefined): number | null {
  return day !== undefined && day.endsWith('-02-29') ? 29 : null;
}

/** "until" and "before" limit a date, but end a repeat, and no rule holds an end. "By" counts as "at". */
function isLimit(reader: Reader, at: number): boolean {
  return reader.is(at, 'by') && reader.word(at) !== 'by';
}

type Tail = Pick<RepeatReading, 'first' | 'duration'>;

/** The rest of the text: "at 9", "starting nov 27 at 9", "from tomorrow", "9-10am". */
function tail(reader: Reader, at: number, start: string | null): Tail[] {
  const { vocabulary, context } = reader;
  const isStarting = reader.is(at, 'starting');
  const from = reader.token(isStarting ? at + 1 : at);
  const text = reader.text.slice(from.start);
  if (text === '' || isLimit(reader, isStarting ? at + 1 : at)) return [];
  // A range of days is no first day.
  const read = (phrase: string) =>
    readDate(phrase, context, { vocabulary })
      .filter(({ start: isRange }) => isRange === undefined)
      .map(({ when, duration }) => ({ first: when, duration }));
  if (isStarting) return read(text).filter(({ first }) => first !== null);
  // A time of day applies to the first day of the series; if it has passed, the series starts tomorrow.
  const isTime = read(text).some(({ first }) => first !== null && 'at' in first);
  if (!isTime) return [];
  return read(`${start ?? reader.today.toString()} ${text}`).flatMap((said, index) => {
    const { first } = said;
    const isPast = start === null && first !== null && 'at' in first && first.at <= context.now;
    const coming = isPast ? read(`${reader.today.add({ days: 1 }).toString()} ${text}`)[index] : said;
    return coming && coming.first !== null ? [onItsDay(reader, coming, start)] : [];
  });
}

/** "Every sunday at midnight" is on Sundays: midnight by itself ends the day before. */
function onItsDay({ context }: Reader, said: Tail, start: string | null): Tail {
  const { first } = said;
  if (start === null || first === null || !('at' in first)) return said;
  const wall = Temporal.Instant.fromEpochMilliseconds(first.at).toZonedDateTimeISO(context.zone);
  const day = Temporal.PlainDate.from(start);
  if (wall.hour + wall.minute > 0 || !wall.toPlainDate().equals(day.add({ days: 1 }))) return said;
  return { ...said, first: { ...first, at: day.toZonedDateTime(context.zone).epochMilliseconds } };
}
