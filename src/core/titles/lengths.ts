// Finds how long a task takes inside its title: "for 45m", "2h", "~45min", "(20 min)". A length without "for" counts only
// where nothing follows that it could measure ("30 min workout video").
import { durations } from '../dates/span-phrase.ts';
import type { Match, PhraseContext } from '../dates/reader.ts';
import { type Range, TitleLine } from './line.ts';
import type { Vocabulary } from '../dates/vocabulary.ts';

export interface FoundDuration extends Range {
  readonly minutes: number;
}

/** Longer than a day of work, it is a property of something. */
const MOST_MINUTES = 12 * 60;

/** The last length of a text, or null. */
export function findDuration(
  text: string,
  context: PhraseContext,
  options: { readonly vocabulary: Vocabulary; readonly steps?: { count: number } },
): FoundDuration | null {
  const line = new TitleLine(text, context, options.vocabulary);
  const found = findLength(line);
  if (options.steps) options.steps.count += line.reader.steps;
  return found;
}

/** The last length of a line, or null; one that is led by "for" comes first. */
export function findLength(line: TitleLine): FoundDuration | null {
  let led: FoundDuration | null = null;
  let alone: FoundDuration | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const token = line.reader.tokens[at];
    if (token === undefined || line.isClosed(at) || line.isTied(at)) continue;
    const isFor = line.reader.vocabulary.is.for.has(token.text);
    const isHalf = line.reader.vocabulary.is.half.has(token.text);
    if (!isFor && !isHalf && token.kind !== 'number') continue;
    const length = lengthAt(line, isFor ? at + 1 : at);
    if (length === null) continue;
    const range = { ...line.range(at, length.end), minutes: length.value };
    if (isFor) led = range;
    else if (isSure(line, at, length)) alone = withSign(line, at, range);
    at = length.end - 1;
  }
  return led ?? alone;
}

function lengthAt(line: TitleLine, at: number): Match<number> | null {
  const { reader } = line;
  line.lookFrom(at);
  // "2 hours of footage" measures something else.
  const [longest] = durations(reader, at)
    // "1:30" may be a time of day.
    .filter(
      ({ end, rank }) =>
        rank === 0 && !reader.isSign(at + 1, ':') && line.word(end) !== 'of' && !line.isCutBefore(end),
    )
    .toSorted((a, b) => b.end - a.end);
  return longest ?? null;
}

const ABOUT = /^[~≈]$/;

function isSure(line: TitleLine, at: number, { value, end }: Match<number>): boolean {
  const { tokens } = line.reader;
  if (value > MOST_MINUTES) return false;
  const behind = line.behind(end);
  const before = tokens[at - 1];
  const isEnd = behind === 'end' || behind === 'sign' || line.isHeading(at, end);
  if (before === undefined || line.isClosed(at - 1)) return isEnd;
  if (ABOUT.test(before.text)) return behind !== 'thing';
  if (before.text === '(') return tokens[end]?.text === ')';
  if (!isEnd || !(before.kind === 'word' || /^[,)–:-]$/.test(before.text))) return false;
  const { relations, determiners, lastingVerbs, joints, particles } = line.words;
  const { text } = before;
  for (let back = 1; back <= 4; back += 1) if (lastingVerbs.has(line.word(at - back))) return false;
  return !relations.has(text) && !determiners.has(text) && !(joints.has(text) && !particles.has(text));
}

/** The sign before belongs to it: "~45min". */
function withSign(line: TitleLine, at: number, found: FoundDuration): FoundDuration {
  const before = line.reader.tokens[at - 1];
  return before !== undefined && ABOUT.test(before.text) ? { ...found, start: before.start } : found;
}
