// Finds dates inside a title: when it is due, when it starts, until when it is snoozed. A phrase counts only where its place
// and its neighbors say that it tells when; what is left out costs a key, what is taken wrongly costs trust.
import { isDayWhen, isInstantWhen, type When } from '../when.ts';
import { atTimeOf } from '../dates/keep-time.ts';
import { days } from '../dates/relative-phrase.ts';
import { holidays } from '../dates/holiday-phrase.ts';
import { distinct, type Phrase, phrases, type Reading } from '../dates/phrase.ts';
import type { Match, PhraseContext, Strength } from '../dates/reader.ts';
import { factsOf, type PhraseFacts } from './facts.ts';
import { type Range, TitleLine } from './line.ts';
import type { DateKind, Lead } from './words.ts';
import type { Vocabulary } from '../dates/vocabulary.ts';

export interface Found extends Range {
  readonly readings: readonly Reading[];
}

export interface FoundDate extends Found {
  readonly kind: DateKind;
  /** A time of day without a day. */
  readonly isTime: boolean;
  /** One of several days, which none of them is due on. */
  readonly isListed?: true;
}

/** A phrase in its place. */
interface Candidate {
  /** Token of the lead, or of the phrase without one. */
  readonly start: number;
  readonly from: number;
  readonly end: number;
  readonly lead: Lead | null;
  readonly strength: Strength;
  readonly facts: PhraseFacts;
}

interface Sure {
  /** Null: a date that has passed. */
  readonly found: FoundDate | null;
  /** Index of the token behind it. */
  readonly end: number;
}

/** Nobody plans farther ahead in a title. */
const MOST_YEARS = 30;

/**
 * The last phrase in a text that surely says when a task is due, or null. Never part of a word, never inside quotation
 * marks.
 */
export function findDate(
  text: string,
  context: PhraseContext,
  options: { readonly vocabulary: Vocabulary; readonly steps?: { count: number } },
): Found | null {
  const line = new TitleLine(text, context, options.vocabulary);
  const found = findDates(line).findLast(({ kind }) => kind === 'due');
  if (options.steps) options.steps.count += line.reader.steps;
  return found ?? null;
}

/** All phrases that surely say when, in the order of the text. */
export function findDates(line: TitleLine): readonly FoundDate[] {
  const found: FoundDate[] = [];
  if (isQuestion(line)) return found;
  const starts = startsOf(line.reader.vocabulary);
  for (let at = 0; at < line.length; at += 1) {
    if (line.isClosed(at) || !mayStart(line, at, starts) || line.isTied(at)) continue;
    const past = nameEnd(line, at);
    if (past !== null) {
      at = past - 1;
      continue;
    }
    const sure = dateAt(line, at);
    if (sure === null) continue;
    if (sure.found !== null) found.push(sure.found);
    at = sure.end - 1;
  }
  return inTheEvening(line, onFirstDay(line, withoutLists(line, found)));
}

const hourOf = (when: When | null): number =>
  when !== null && isInstantWhen(when)
    ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).hour
    : Number.NaN;

/** "Dinner at 8" is in the evening, where nothing says otherwise. */
function inTheEvening({ reader, words }: TitleLine, found: readonly FoundDate[]): readonly FoundDate[] {
  const { weekdays, namedDays } = reader.vocabulary;
  // Not of what is sold or planned for it: "concert tickets on sale at 10".
  const isIt = (text: string, at: number) => {
    if (!words.eveningThings.has(text)) return false;
    const next = reader.tokens[at + 1];
    if (next === undefined || next.kind === 'number') return true;
    return (
      /^(?:at|with|w|for|on|night)?$/.test(next.text) || weekdays.has(next.text) || namedDays.has(next.text)
    );
  };
  if (found.length === 0 || !reader.tokens.some(({ text }, at) => isIt(text, at))) return found;
  return found.map((each) => {
    const [first, ...others] = each.readings;
    const hour = hourOf(first?.when ?? null);
    if (first === undefined || !(hour >= 5 && hour < 12)) return each;
    const later = others.find((other) => hourOf(other.when) === hour + 12);
    return later ? { ...each, readings: [later, first] } : each;
  });
}

/** "Sunday brunch at 11": a time alone is on the day that the title begins with, which stays its name. */
function onFirstDay(line: TitleLine, found: readonly FoundDate[]): readonly FoundDate[] {
  const { reader } = line;
  const [only, ...more] = found;
  // "Monday: send slides 10am".
  const [last] = more;
  const said = only?.readings[0]?.when;
  if (only?.kind === 'due' && last?.isTime === true && more.length === 1 && said && isDayWhen(said))
    return [{ ...last, isTime: false, readings: onDay(last.readings, said.on) }];
  const at = reader.tokens[0]?.text === 'on' ? 1 : 0;
  const { weekdays } = reader.vocabulary;
  const isNamed = weekdays.has(line.word(at)) && !line.isClosed(at) && !line.isCutBefore(at + 1);
  if (!isNamed || only?.isTime !== true || more.length > 0 || line.word(at + 1) === 'the') return found;
  line.lookFrom(at);
  // "Wed 2/12" is that Wednesday.
  const [day] = days(reader, at).toSorted((a, b) => b.end - a.end);
  if (day === undefined || reader.tokens[day.end]?.kind === 'number') return found;
  return [{ ...only, isTime: false, readings: onDay(only.readings, day.value.toString()) }];
}

const onDay = (readings: readonly Reading[], day: string): readonly Reading[] =>
  readings.map((reading) =>
    reading.when === null ? reading : { ...reading, when: atTimeOf(reading.when, day) },
  );

/** Several dates with nothing but a comma or an "and" between them are a list of days: "Tue 8-12, Thu 14-18". */
function withoutLists({ reader, words }: TitleLine, found: readonly FoundDate[]): readonly FoundDate[] {
  const joined = (one: FoundDate | undefined, other: FoundDate | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.kind === other.kind &&
    words.joins.has(reader.text.slice(one.end, other.start).trim());
  return found.filter(
    (each, at) => each.isListed !== true && !joined(found[at - 1], each) && !joined(each, found[at + 1]),
  );
}

/** Whether a date or its lead may start with the token: most words are none of either. */
function mayStart({ reader, words }: TitleLine, at: number, starts: ReadonlySet<string>): boolean {
  const { tokens, vocabulary } = reader;
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.kind !== 'word') return token.kind === 'number' || token.text === '@';
  if (!starts.has(token.text)) return false;
  const isThe = vocabulary.is.the.has(token.text);
  const isNumber = vocabulary.numbers.has(token.text);
  if (words.leads.has(token.text) || !(isThe || isNumber)) return true;
  // "The" and "a" start a date before few words.
  const next = tokens[at + 1];
  if (next === undefined || next.kind !== 'word') return next?.kind === 'number';
  if (isThe) return starts.has(next.text);
  const { units, weekdays, roughNumbers, halves, periods, is } = vocabulary;
  if ([units, roughNumbers, halves, periods].some((map) => map.has(next.text))) return true;
  if ([is.minutesPast, is.minutesTo, is.business, is.oclock].some((all) => all.has(next.text))) return true;
  return weekdays.has(next.text.replace(/s$/, ''));
}

const known = new WeakMap<Vocabulary, ReadonlySet<string>>();

/** The words that a date in a title may start with. */
function startsOf(vocabulary: Vocabulary): ReadonlySet<string> {
  const made = known.get(vocabulary);
  if (made) return made;
  const { weekdays, months, namedDays, periodEnds, partsOfMonth, hours, numbers, ordinals, title, is } =
    vocabulary;
  const firsts = [...vocabulary.holidays.keys()].map((name) => name.split(' ', 1)[0] ?? '');
  const starts = new Set<string>([
    ...[weekdays, months, namedDays, periodEnds, partsOfMonth, hours, numbers, ordinals].flatMap((map) => [
      ...map.keys(),
    ]),
    ...[is.this, is.next, is.coming, is.last, is.in, is.tonight, is.at, is.the, is.end, is.half].flatMap(
      (all) => [...all],
    ),
    ...[is.between, is.closing, is.later].flatMap((all) => [...all]),
    ...vocabulary.periods.keys(),
    ...title.leads.keys(),
    ...title.names.keys(),
    ...firsts,
  ]);
  starts.delete('of');
  known.set(vocabulary, starts);
  return starts;
}

/** The end of a name that only sounds like a date ("Friday the 13th", "Black Friday"), or null. */
function nameEnd(line: TitleLine, at: number): number | null {
  const { reader, words } = line;
  for (const name of words.names.get(reader.tokens[at]?.text ?? '') ?? [])
    if (name.every((word, index) => reader.tokens[at + index]?.text === wordOrNumber(word))) {
      // "7-11 dec" are days.
      if (reader.vocabulary.months.has(line.word(at + name.length))) return null;
      const end = at + name.length;
      return reader.tokens[end]?.kind === 'number' && reader.tokens[end]?.glued === true
        ? null
        : suffixEnd(line, end);
    }
  if (words.leads.has(line.word(at))) return null;
  line.lookFrom(at);
  const [holiday] = holidays(reader, at);
  if (holiday === undefined || reader.is(at, 'next') || reader.is(at, 'this')) return null;
  return holiday.end;
}

const wordOrNumber = (word: string) => word.replace(/(?<=\d)\D+$/, '');

/** The suffix of an ordinal belongs to it: "13th" is two tokens. */
function suffixEnd({ reader }: TitleLine, end: number): number {
  return reader.vocabulary.ordinalSuffixes.has(reader.tokens[end]?.text ?? '') ? end + 1 : end;
}

/** "@next monday", "@5pm". */
const AT_SIGN: Lead = { words: ['@'], kind: 'due', takes: 'any' };

function dateAt(line: TitleLine, at: number): Sure | null {
  if (line.reader.tokens[at]?.text === '@') {
    const sure = surest(line, { start: at, from: at + 1, lead: AT_SIGN });
    if (sure !== null) return sure;
  }
  for (const lead of line.words.leads.get(line.word(at)) ?? []) {
    const end = at + lead.words.length;
    if (!lead.words.every((word, index) => line.word(at + index) === word)) continue;
    if (end >= line.length || line.isClosed(end) || isNoun(line, at, lead)) continue;
    const sure = surest(line, { start: at, from: end, lead });
    if (sure !== null) return isOfOther(line, at, lead) ? { found: null, end: sure.end } : sure;
  }
  // "On" and "by" alone lead nothing else.
  line.lookFrom(at);
  if (line.reader.is(at, 'on') || line.reader.is(at, 'by')) return null;
  return surest(line, { start: at, from: at, lead: null });
}

/** "The till", "a fresh start" and "project deadline" lead nothing. */
function isNoun(line: TitleLine, at: number, lead: Lead): boolean {
  const [word = ''] = lead.words;
  if (word === 'deadline') return line.word(at - 1) !== '';
  if (lead.kind === 'due' && word !== 'due') return false;
  if (line.isFirst(at) && line.words.nounLeads.has(word)) return true;
  return line.words.determiners.has(line.word(at - 1));
}

/** "Open until friday", "the week starts on monday" and "born on 4 july" say something of a thing. */
function isOfOther(line: TitleLine, at: number, lead: Lead): boolean {
  const before = line.word(at - 1);
  const [word = ''] = lead.words;
  const { happened, statements, calendarThings, lasting, begins, snoozes } = line.words;
  const { weekdays, units } = line.reader.vocabulary;
  // "The tuesday before thanksgiving" is on neither.
  if (word === 'before' && (weekdays.has(before) || units.has(before))) return true;
  if (happened.has(before) || statements.has(before) || begins.has(before)) return true;
  if (lead.kind === 'start') return begins.has(word) && calendarThings.has(before);
  return lead.kind === 'snooze' && !snoozes.has(word) && lasting.has(before);
}

/** The longest sure phrase there. A date that has passed is none, nor is a part of it. */
function surest(line: TitleLine, place: Pick<Candidate, 'start' | 'from' | 'lead'>): Sure | null {
  const { reader } = line;
  const { start, from, lead } = place;
  if (lead !== null && !mayFollow(line, from)) return null;
  line.lookFrom(from);
  reader.isWhole = lead !== null || mayBeSpoken(line, from);
  const all = phrases(reader, from);
  reader.isWhole = false;
  const ends = [...new Set(all.map(({ end }) => end))].toSorted((a, b) => b - a);
  for (const end of ends) {
    const here = all.filter((phrase) => phrase.end === end && phrase.value.isNow !== true);
    const [first] = distinct(here);
    if (first === undefined) continue;
    if (!isAhead(line, first.when)) {
      const isWhole = !ends.some((more) => more > end);
      if (isWhole && here.some(({ strength }) => strength !== 'bare')) return { found: null, end };
      continue;
    }
    const facts = factsOf(line, { from, end, first });
    const strength = strongest(here);
    const tail = lead?.takes === 'open' ? onwardEnd(line, start, end) : closedEnd(line, end);
    if (tail === null) continue;
    const candidate: Candidate = { start, from, end: tail, lead, strength, facts };
    if (line.isCutBefore(tail)) continue;
    const kind = lead?.kind ?? 'due';
    const { isTime } = facts;
    const found = { ...line.range(start, tail), kind, isTime, readings: distinct(here) };
    if (strength !== 'bare' && facts.isMoment && isListed(line, candidate))
      return { found: { ...found, isListed: true }, end: tail };
    if (isSure(line, candidate)) return { found, end: tail };
  }
  return null;
}

/** Whether a date may start with the token right behind a lead: an hour in words too ("at five"). */
function mayFollow(line: TitleLine, at: number): boolean {
  const { vocabulary } = line.reader;
  const word = line.word(at);
  return (
    mayStart(line, at, startsOf(vocabulary)) ||
    vocabulary.partsOfMonth.has(word) ||
    vocabulary.numbers.has(word)
  );
}

/** Without a lead, only what starts like a date is read as it is spoken: "3 dec 14h", "half past 5", "monday week". */
function mayBeSpoken(line: TitleLine, at: number): boolean {
  const { reader } = line;
  const word = line.word(at);
  if (word === '') return reader.tokens[at]?.kind === 'number';
  const { weekdays, months, periods, periodEnds, partsOfMonth, numbers, ordinals, namedDays } =
    reader.vocabulary;
  if (months.has(word) || weekdays.has(word) || namedDays.has(word) || periodEnds.has(word)) return true;
  if (numbers.has(word) || ordinals.has(word) || periods.has(word) || partsOfMonth.has(word)) return true;
  const keywords = [
    'next',
    'coming',
    'half',
    'closing',
    'in',
    'at',
    'from',
    'between',
    'the',
    'end',
    'later',
  ] as const;
  return keywords.some((keyword) => reader.is(at, keyword));
}

const ORDER: readonly Strength[] = ['strong', 'weak', 'bare'];

function strongest(all: readonly Match<Phrase>[]): Strength {
  return ORDER.find((each) => all.some(({ strength }) => strength === each)) ?? 'bare';
}

/** The end of "by tuesday at the latest". */
function closedEnd(line: TitleLine, end: number): number {
  const closer = line.words.closers.find((words) =>
    words.every((word, index) => line.word(end + index) === word),
  );
  return closer === undefined || line.isClosed(end) ? end : end + closer.length;
}

/** The end of "from monday on", or null. */
function onwardEnd(line: TitleLine, start: number, end: number): number | null {
  if (!line.words.onward.has(line.word(end))) return null;
  const behind = line.behind(end + 1);
  return behind === 'end' || behind === 'sign' || line.word(end) !== 'on' || line.isFirst(start)
    ? end + 1
    : null;
}

const MOST_MS = MOST_YEARS * 366 * 86_400_000;

function isAhead({ reader }: TitleLine, when: When | null): boolean {
  if (when === null) return false;
  const { now } = reader.context;
  if (isInstantWhen(when) && when.at >= now) return when.at - now < MOST_MS;
  const day = isInstantWhen(when)
    ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).toPlainDate()
    : Temporal.PlainDate.from((isDayWhen(when) ? when.on : when.local).slice(0, 10));
  const { today } = reader;
  return Temporal.PlainDate.compare(day, today) >= 0 && day.year <= today.year + MOST_YEARS;
}

/** Names that sound like dates: "Meet April at 10", "check in on Jan", "Dinner at Eight". */
function isName(line: TitleLine, { from, end, facts, lead }: Candidate): boolean {
  const { tokens, vocabulary } = line.reader;
  // Tom is a person, tom is tomorrow.
  for (let at = from; at < end; at += 1) if (line.word(at) === 'tom' && !line.isLower(at)) return true;
  const isNumberName = vocabulary.numbers.has(line.word(from + 1)) && !line.isLower(from + 1);
  if (facts.ownLead === 'at' && isNumberName && line.isLower(from)) return true;
  if (!facts.isMonth) return false;
  const phrase = tokens.slice(from, end);
  const month = phrase.findIndex(({ text }) => vocabulary.months.has(text));
  const at = month < 0 ? -1 : phrase.findIndex(({ text }, index) => index > month && text === 'at');
  const day = phrase.slice(0, at < 0 ? undefined : at).some(({ kind }) => kind === 'number');
  return !day && (at >= 0 || lead?.words[0] === 'on') && facts.ownLead !== 'in';
}

function isSure(line: TitleLine, candidate: Candidate): boolean {
  if (isListed(line, candidate) || isName(line, candidate)) return false;
  return candidate.lead === null ? isSureAlone(line, candidate) : isSureLed(line, candidate, candidate.lead);
}

/** One of several days: "mon, tue", "mon wed fri", "monday and friday", "today or tomorrow", "at 10, 12 and 3". */
function isListed(line: TitleLine, { start, end, facts }: Candidate): boolean {
  const { tokens, vocabulary } = line.reader;
  const { weekdays, months, namedDays } = vocabulary;
  const isNumber = facts.isTime || facts.isOrdinal;
  const isDay = (at: number) => {
    const word = line.word(at);
    return weekdays.has(word) || months.has(word) || (isNumber && tokens[at]?.kind === 'number');
  };
  const isWeekday = (at: number) => weekdays.has(line.word(at));
  if (isWeekday(start) && (isWeekday(start - 1) || isWeekday(start + 1))) return true;
  // "Mon/wed/fri".
  const isSlash = (at: number) => tokens[at]?.text === '/';
  if (
    isWeekday(start) &&
    ((isSlash(start - 1) && isWeekday(start - 2)) || (isSlash(start + 1) && isWeekday(start + 2)))
  )
    return true;
  const joins = (at: number) => line.words.joins.has(tokens[at]?.text ?? '');
  if (joins(end) && (isDay(end + 1) || namedDays.has(line.word(end + 1)))) return true;
  // "Or tuesday 11am" is another choice, wherever the first one stands.
  if (line.word(start - 1) === 'or') return true;
  if (line.word(end) === 'or' && line.reader.is(end + 1, 'next')) return true;
  return joins(start - 1) && (isDay(start - 2) || namedDays.has(line.word(start - 2)));
}

/** "Read 1/2 of the book", "get 10/10 on the quiz", where "dentist 12/3 on Main Street" is a day. */
function isShare({ reader: { tokens } }: TitleLine, start: number, end: number): boolean {
  const [part, whole] = tokens.slice(start, end).filter(({ kind }) => kind === 'number');
  const { text = '' } = tokens[end] ?? {};
  return (
    text === 'of' || (text === 'on' && part !== undefined && whole !== undefined && part.value <= whole.value)
  );
}

/** Whether what stands behind says that the phrase does not belong to it. */
function isFree(line: TitleLine, { start, end, facts }: Candidate): boolean {
  if (facts.isPair && isShare(line, start, end)) return false;
  if (line.isHeading(start, end)) return true;
  // "In 24h before the flight" counts from something else.
  if (facts.ownLead === 'in' && line.words.counts.has(line.word(end))) return false;
  const next = line.word(end);
  if (facts.isWeekdays && next === 'before' && isDayAt(line, end + 1)) return false;
  // "Tomorrow is the last day" tells something about tomorrow, "friday off" is a day off.
  if (line.words.statements.has(next) || (next === 'off' && facts.ownLead === null)) return false;
  if (line.behind(end) !== 'thing') return true;
  if (!line.isFirst(start)) return false;
  if (line.isVerb(end)) return true;
  // "Sept 2027 trip planning" is a name.
  const { tokens } = line.reader;
  if (facts.isMonth && tokens.slice(start, end).every(({ kind, value }) => kind !== 'number' || value > 31))
    return false;
  return (facts.isFirm || facts.isNamed) && next !== '' && line.isLower(end);
}

/** A holiday or a month begins there: "tuesday before thanksgiving" is no tuesday that is said. */
function isDayAt({ reader }: TitleLine, at: number): boolean {
  return reader.vocabulary.months.has(reader.tokens[at]?.text ?? '') || holidays(reader, at).length > 0;
}

/** A question about days sets none: "Is the shop open on sunday?" */
function isQuestion(line: TitleLine): boolean {
  const { tokens } = line.reader;
  return tokens.at(-1)?.text === '?' && line.words.questions.has(tokens[0]?.text ?? '');
}

function endsThere(line: TitleLine, { start, end }: Candidate): boolean {
  const behind = line.behind(end);
  return behind === 'end' || behind === 'sign' || line.isHeading(start, end);
}

function isSureLed(line: TitleLine, candidate: Candidate, lead: Lead): boolean {
  const { from, facts, strength } = candidate;
  const isSnooze = line.words.snoozes.has(lead.words[0] ?? '');
  if (facts.isHoliday && line.reader.tokens.at(-1)?.text === '?') return false;
  switch (lead.takes) {
    case 'day':
      if (facts.isTime || facts.isNamed || facts.ownLead !== null) return false;
      break;
    case 'occasion':
      if (!facts.isOccasion) return false;
      break;
    case 'aim':
      if (
        strength === 'bare' ||
        facts.isTime ||
        facts.isHours ||
        facts.isPeriod ||
        facts.isHoliday ||
        facts.ownLead !== null
      )
        return false;
      if (!endsThere(line, candidate)) return false;
      break;
    case 'part':
      return facts.isPartOfMonth && isFree(line, candidate);
    case 'open':
    case 'any':
      if (facts.isTime && !facts.isClock && strength !== 'strong') return false;
      if (facts.isTime && lead.kind !== 'due' && !isSnooze) return false;
  }
  if (strength === 'bare' && !(isSnooze || (facts.isMonth && line.word(from) !== '') || facts.isPointed))
    return false;
  if (strength === 'bare' || facts.isPartOnly) return endsThere(line, candidate) && !facts.isPartOnly;
  return (
    isFree(line, candidate) ||
    (facts.isFirm && !facts.isOrdinal && lead.kind === 'due' && lead.takes !== 'aim')
  );
}

function isSureAlone(line: TitleLine, candidate: Candidate): boolean {
  const { start, facts, strength } = candidate;
  if (strength === 'bare' || isOfThing(line, candidate)) return false;
  if (facts.isPartOfMonth) return endsThere(line, candidate) && !line.isFirst(start);
  if (facts.isPartOnly) return facts.ownLead === 'in' && endsThere(line, candidate);
  if (facts.isHours || (facts.isTime && !isSureTime(line, candidate))) return false;
  if (facts.isRange && facts.isWeekdays && facts.ownLead === null && !endsThere(line, candidate))
    return false;
  if (facts.ownLead === 'at' && isHeat(line, candidate)) return false;
  if (facts.ownLead === 'at') return isFree(line, candidate) || facts.isClock;
  if (strength === 'strong') return isFree(line, candidate);
  if (line.isFirst(start) && line.isHeading(start, candidate.end)) return true;
  if (line.isFirst(start) && line.words.verbs.has(line.word(candidate.end))) return !facts.isOrdinal;
  if (facts.isOrdinal) return isSettled(line, candidate);
  return isBeforeDaily(line, candidate.end) || (line.isLower(start) && endsThere(line, candidate));
}

/** "Pay rent 1st": what is paid, renewed or fetched is so on a day. */
function isSettled(line: TitleLine, candidate: Candidate): boolean {
  const { start } = candidate;
  return line.words.settlingVerbs.has(line.word(0)) && start > 1 && endsThere(line, candidate);
}

/** "Mon after work", "wed before school". */
function isBeforeDaily({ words, reader }: TitleLine, end: number): boolean {
  const { text = '' } = reader.tokens[end] ?? {};
  return words.counts.has(text) && words.dailyThings.has(reader.tokens[end + 1]?.text ?? '');
}

/** Days by their letters: "m/w/f", "Tu/Th", "M-W-F". */
const DAY_LETTERS = /(?:^|\s)(?:m|tu?|w|th|r|f|sa?|su?)(?:[/-](?:m|tu?|w|th|r|f|sa?|su?))+\s+$/i;

/** "Roast at 425": three digits are a time where they are half past nine, and no oven is set to them. */
function isHeat({ reader }: TitleLine, { from }: Candidate): boolean {
  const { kind, text, value } = reader.tokens[from + 1] ?? { kind: 'sign', text: '', value: 0 };
  const half = reader.vocabulary.halves.get(reader.tokens[from + 2]?.text ?? '');
  if (kind !== 'number' || text.length !== 3 || half !== undefined) return false;
  return value < 505 || (value % 100) % 15 !== 0;
}

/** Whether the words before make it a part of a thing: "the Monday …", "notes from Monday", "room 3/4". */
function isOfThing(line: TitleLine, { start, facts }: Candidate): boolean {
  const { tokens } = line.reader;
  const before = tokens[start - 1];
  if (before === undefined || line.isClosed(start - 1)) return false;
  const { determiners, relations, numberedThings } = line.words;
  if (
    facts.ownLead === 'in' &&
    facts.isMonth &&
    !facts.isDayOfMonth &&
    (line.words.done.has(before.text) || /^..+ed$/.test(before.text))
  )
    return true;
  if (line.words.statements.has(before.text)) return true;
  if (facts.ownLead !== null) return false;
  // "Moved to 3pm thursday" said more, which was none.
  if (facts.isWeekdays && before.text.length > 1 && line.reader.vocabulary.halves.has(before.text))
    return true;
  // "Yoga m/w/f 6:30am".
  if (facts.isTime && DAY_LETTERS.test(line.reader.text.slice(0, tokens[start]?.start))) return true;
  // "Take the car in 8am": no time is in an hour.
  if (before.text === 'in' && facts.isHalf) return false;
  if (facts.isWeekdays && line.words.hours.has(before.text)) return true;
  // "3 day weekend".
  if (facts.isPeriod && line.reader.vocabulary.units.has(before.text)) return true;
  const { months } = line.reader.vocabulary;
  // "Flight 117 jan 20" is on a day: no month has 117 of them.
  if (before.kind === 'number')
    return facts.startsWithNumber || (months.has(line.word(start)) && before.value <= 31);
  if (facts.startsWithNumber && months.has(before.text)) return true;
  // Behind days that are not read a time is none either: "mon/wed/fri 6am".
  if (facts.isTime && line.reader.vocabulary.weekdays.has(before.text.replace(/s$/, ''))) return true;
  // What led nothing leads nothing: "the week starts on monday", "open until 8pm".
  if (before.text === 'on' && !facts.isNamed) return true;
  if (line.words.strictLeads.has(before.text) && !determiners.has(line.word(start - 2))) return true;
  if (determiners.has(before.text) || relations.has(before.text)) return true;
  const { next, last, coming } = line.reader.vocabulary.is;
  if (next.has(before.text) || last.has(before.text) || coming.has(before.text)) return true;
  if (facts.startsWithNumber && !facts.isMonth && line.words.measures.has(before.text)) return true;
  const isDayAndTime = facts.isClock && !facts.isTime;
  // "Pay invoice 2027-01-15": no invoice is numbered so.
  if (tokens[start]?.text.length === 4 && facts.isDayOfMonth) return false;
  // "Return the form 11/30": papers have numbers, but none with a slash.
  if (tokens[start + 1]?.text === '/' && line.words.papers.has(before.text)) return false;
  return facts.startsWithNumber && !facts.isMonth && !isDayAndTime && numberedThings.has(before.text);
}

/** Whether a time without a day is one: "5pm", "at 5", "17:30" at the end. */
function isSureTime(line: TitleLine, candidate: Candidate): boolean {
  const { facts, start } = candidate;
  if (facts.ownLead === 'at') return true;
  if (facts.isHalf) return true;
  if (!facts.isClock) return false;
  if (facts.isSpoken) return endsThere(line, candidate);
  return facts.isRound && (endsThere(line, candidate) || line.isFirst(start));
}
