// Finds repeats inside a title, as whole words. A phrase counts only if prose would hardly contain it by chance.
import { phraseEnds } from '../dates/phrase.ts';
import type { PhraseContext, Reader } from '../dates/reader.ts';
import { isWeekdays, readRepeat, repeatEnds, type RepeatReading } from '../dates/repeat-phrase.ts';
import { type Range, TitleLine } from './line.ts';
import type { Vocabulary } from '../dates/vocabulary.ts';

export interface FoundRepeat extends Range {
  /** None: the words stay, and nothing else is read in them. */
  readonly readings: readonly RepeatReading[];
  /** What ends it, "until october": no rule holds an end, so the words stay, and nothing else is read in them. */
  readonly ends?: Range;
}

const COUNT = String.raw`(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve)`;
const UNTIL = String.raw`(?:until|till|til|ending|through|up to)`;
const DAY = String.raw`(?:the )?(?:\d|next|end|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|tomorrow|christmas|easter)`;
const END_BEHIND = new RegExp(
  String.raw`^\s*,?\s*(?:${UNTIL} ${DAY}.*|for ${COUNT} (?:days?|weeks?|months?|years?)\b|(?:for )?${COUNT} ?(?:times|x|×)(?![\p{L}\p{N}]))`,
  'iu',
);
const END_BEFORE = new RegExp(String.raw`\b${UNTIL} ${DAY}[^,]*$`, 'i');

/** Behind a time: "every day at 7am and 6pm". */
const MORE_TIMES = /^\s*(?:,|and\b|&)\s*(?:at )?\d{1,2}(?::\d\d)?(?: ?[ap]m?)?(?![\p{L}\p{N}])/iu;

const MONTH_NAME = String.raw`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
/** "Every Jan 15, Apr 15 and Jul 15". */
const MORE_DAYS = new RegExp(String.raw`^\s*(?:,|and\b|&)\s*(?:on )?${MONTH_NAME} \d`, 'i');

const ONCE =
  /\bonce (?:an?|per|each|every)(?= (?:(?:\d|other|two|three|four|five|six) ?)?(?:hour|day|weekday|week|fortnight|month|quarter|year)s?\b(?! (?:is|was|are|would|should)\b))/giu;

/** "Once a week", "once every two months" as "every week", with every letter behind it in its place. */
export const asEvery = (text: string): string =>
  text.replaceAll(ONCE, (words) => 'every'.padEnd(words.length));

/** A second time of day behind a repeat, or a second day of the year: no rule holds two. */
const hasMore = (text: string, { start, end }: Range): boolean =>
  MORE_DAYS.test(text.slice(end)) || (MORE_TIMES.test(text.slice(end)) && /\d/.test(text.slice(start, end)));

/** What ends a repeat: "every 6 months until 2028", "every day 5 times". */
function endOf(text: string, { start, end }: Range): Range | null {
  const behind = END_BEHIND.exec(text.slice(end));
  if (behind) return { start: end, end: end + behind[0].length };
  const before = END_BEFORE.exec(text.slice(0, start));
  return before ? { start: before.index, end: start } : null;
}

/**
 * The last repeat in a text, or null: "every friday at 9", "every! 3 days". A single word ("daily") counts only at the
 * end and in lower case, since it names things too ("Daily standup").
 */
export function findRepeat(
  text: string,
  context: PhraseContext,
  options: { readonly vocabulary: Vocabulary; readonly steps?: { count: number } },
): FoundRepeat | null {
  const line = new TitleLine(text, context, options.vocabulary);
  const found = findRepeatIn(line, options.steps);
  if (options.steps) options.steps.count += line.reader.steps;
  return found;
}

/** As `findRepeat`, in a line that is read for other things too. */
export function findRepeatIn(line: TitleLine, steps?: { count: number }): FoundRepeat | null {
  const { reader } = line;
  const { every } = reader.vocabulary.is;
  let openings = 0;
  for (let at = reader.tokens.length - 1; at >= 0 && openings < MOST_OPENINGS; at -= 1) {
    const word = line.word(at);
    const areDays = isWeekdays(reader, at);
    if (!every.has(word) && !reader.vocabulary.rhythms.has(word) && !areDays) continue;
    // "Mon, wed and fri": from the first one on, or from the "every" before it. "Next mon and tue" are two days.
    if (areDays && (isWeekdays(reader, at - 1) || isWeekdays(reader, at - 2) || isLed(line, at - 1)))
      continue;
    if (line.isClosed(at) || line.isTied(at)) continue;
    // Where “… of every …” is not read, nothing else is, which would be another day.
    if (every.has(word) && (line.word(at - 1) === 'of' || isDayEveryMonth(reader, at)))
      return ofEveryMonth(line, at, steps) ?? { start: 0, end: reader.text.length, readings: [] };
    openings += 1;
    const found = longestFrom(line, at, steps);
    if (found !== null) return found;
  }
  return null;
}

/** "Every", "this" and "next" belong to the days behind them. */
function isLed({ reader }: TitleLine, at: number): boolean {
  const { every, this: these, next, coming, last } = reader.vocabulary.is;
  return [every, these, next, coming, last].some((words) => words.has(reader.tokens[at]?.text ?? ''));
}

const NTH = String.raw`\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|last`;
const NTH_DAY = String.raw`(?:business |work ?|week)?day|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?`;
const OF_MONTH = new RegExp(String.raw`(?:\bon )?(?:\bthe )?\b(${NTH})( (?:${NTH_DAY}))?\s+$`, 'i');
const NTH_BEFORE = new RegExp(
  String.raw`(?<!${MONTH_NAME} )\b(?:\d{1,2}(?:st|nd|rd|th)|(?:${NTH}) (?:${NTH_DAY}))\s+$`,
  'i',
);
const MONTH = /^\w+ month(?![\p{L}\p{N}])/u;
const ALONE: Readonly<Record<string, string>> = {
  first: '1st',
  second: '2nd',
  third: '3rd',
  fourth: '4th',
  last: 'last day',
};

/** "15th every month", "2nd friday each month". In "dec 22nd every year" the day is a date. */
const isDayEveryMonth = ({ text, tokens }: Reader, at: number): boolean =>
  MONTH.test(text.slice(tokens[at]?.start)) && NTH_BEFORE.test(text.slice(0, tokens[at]?.start));

/** "On the 15th of every month", "the last friday of each month at 9": as "every month on the …". */
function ofEveryMonth(line: TitleLine, at: number, steps?: { count: number }): FoundRepeat | null {
  const { text, tokens, context, vocabulary } = line.reader;
  const of = tokens[line.word(at - 1) === 'of' ? at - 1 : at]?.start ?? 0;
  const from = tokens[at]?.start ?? 0;
  const day = OF_MONTH.exec(text.slice(0, of));
  const month = MONTH.exec(text.slice(from));
  if (day === null || month === null) return null;
  const [, nth = '', kind = ''] = day;
  const phrase = `every month on the ${kind === '' ? (ALONE[nth.toLowerCase()] ?? nth) : nth + kind}`;
  const end = from + month[0].length;
  for (const rest of [text.slice(end), '']) {
    const readings = readRepeat(phrase + rest, context, { vocabulary, ...(steps ? { steps } : {}) });
    if (readings.length > 0) return { start: day.index, end: end + rest.length, readings };
  }
  return null;
}

/** How many openings are tried; nobody writes several repeats in one text. */
const MOST_OPENINGS = 4;

function longestFrom(line: TitleLine, at: number, steps?: { count: number }): FoundRepeat | null {
  const { reader } = line;
  const { vocabulary, context, text } = reader;
  line.lookFrom(at);
  for (const bare of repeatEnds(reader, at)) {
    for (const end of [...tailEnds(reader, bare), bare]) {
      line.lookFrom(at);
      const last = reader.tokens[end - 1];
      if (last === undefined || line.isCutBefore(end) || !isFree(line, at, end)) continue;
      const range = line.range(at, end);
      const phrase = text.slice(range.start, range.end);
      // "Taco Tuesdays" is a name, and "mon and tue" may be two days; "Sundays at 4" and "mon wed 7am" say when.
      if (isWeekdays(reader, at) && end === bare) continue;
      if (end === at + 1 && (at === 0 || !isAlone(line, end) || phrase !== phrase.toLowerCase())) continue;
      const readings = readRepeat(phrase, context, { vocabulary, ...(steps ? { steps } : {}) });
      if (readings.length === 0) continue;
      if (hasMore(text, range)) return { start: range.start, end: text.length, readings: [] };
      const ends = endOf(text, range);
      return ends === null ? { ...range, readings } : { ...range, readings, ends };
    }
  }
  return null;
}

/** A single word stands at the end, or before something else that leaves the title. */
function isAlone(line: TitleLine, end: number): boolean {
  const behind = line.behind(end);
  return (
    behind === 'end' ||
    behind === 'sign' ||
    (behind === 'joint' && line.reader.tokens[end]?.kind === 'number')
  );
}

/** At the beginning a repeat says when; elsewhere it may belong to what stands behind it ("fed every 3 hours vs"). */
function isFree(line: TitleLine, at: number, end: number): boolean {
  const { weekdays, partsOfDay } = line.reader.vocabulary;
  const more = line.word(end + 1);
  if (line.words.joins.has(line.word(end)) && (weekdays.has(more) || partsOfDay.has(more))) return false;
  if (line.isFirst(at)) return true;
  const before = line.word(at - 1);
  if (line.words.relations.has(before) || line.words.howOften.has(before)) return false;
  return line.behind(end) !== 'thing' && !line.words.compares.has(line.word(end));
}

/** Possible ends of "at 9", "starting nov 27" or "after completion" after a repeat, the farthest first. */
function tailEnds(reader: Reader, at: number): readonly number[] {
  if (reader.is(at, 'after') || (reader.is(at, 'from') && reader.is(at + 1, 'completion'))) return [at + 2];
  if (!reader.mayBegin(at)) return [];
  reader.isWhole = true;
  const isStarting = reader.is(at, 'starting');
  const ends = phraseEnds(reader, isStarting ? at + 1 : at);
  reader.isWhole = false;
  // In "every hour from 9 to 5" no day is said.
  const isNumber = isStarting && reader.tokens[at + 1]?.kind === 'number';
  return isNumber ? ends.filter((end) => end > at + 2) : ends;
}
