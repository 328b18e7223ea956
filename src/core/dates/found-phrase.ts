// Finds repeats and durations inside a text, as whole words; quick entry uses it beside findDate (phrase.ts). A phrase
// counts only if prose would hardly contain it by chance.
import { isCutBefore, isTied, phraseEnds, quotedPlaces } from './phrase.ts';
import { type PhraseContext, Reader } from './reader.ts';
import { readRepeat, repeatEnds, type RepeatReading } from './repeat-phrase.ts';
import { durations } from './span-phrase.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Options {
  readonly vocabulary: Vocabulary;
  readonly steps?: { count: number };
}

interface Range {
  /** Offsets in the text, UTF-16. */
  readonly start: number;
  readonly end: number;
}

export interface FoundRepeat extends Range {
  readonly readings: readonly RepeatReading[];
}

export interface FoundDuration extends Range {
  readonly minutes: number;
}

/**
 * The last repeat in a text, or null: "every friday at 9", "every! 3 days". A single word ("daily") counts only at the
 * end and in lower case, since it names things too ("Daily standup").
 */
export function findRepeat(text: string, context: PhraseContext, options: Options): FoundRepeat | null {
  const reader = new Reader(text, options.vocabulary, { ...context, current: null });
  const quoted = quotedPlaces(reader);
  let openings = 0;
  for (let at = reader.tokens.length - 1; at >= 0 && openings < MOST_OPENINGS; at -= 1) {
    if (quoted.has(at) || isTied(reader, at)) continue;
    reader.startAt(at);
    if (!reader.is(at, 'every') && !reader.vocabulary.rhythms.has(reader.word(at))) continue;
    openings += 1;
    const found = longestFrom(reader, at, context, options);
    if (found !== null) return counted(reader, options, found);
  }
  return counted(reader, options, null);
}

function counted<T>(reader: Reader, { steps }: Options, found: T): T {
  if (steps) steps.count += reader.steps;
  return found;
}

/** How many openings are tried; nobody writes several repeats in one text. */
const MOST_OPENINGS = 4;

function longestFrom(
  reader: Reader,
  at: number,
  context: PhraseContext,
  options: Options,
): FoundRepeat | null {
  const { tokens, text } = reader;
  const start = tokens[at]?.start ?? 0;
  reader.startAt(at);
  for (const bare of repeatEnds(reader, at)) {
    for (const end of [...tailEnds(reader, bare), bare]) {
      const last = tokens[end - 1];
      if (last === undefined || isCutBefore(reader, end)) continue;
      const phrase = text.slice(start, last.end);
      const isWord = end === at + 1;
      if (isWord && (at === 0 || end < tokens.length || phrase !== phrase.toLowerCase())) continue;
      const readings = readRepeat(phrase, context, options);
      if (readings.length > 0) return { start, end: last.end, readings };
    }
  }
  return null;
}

/** Possible ends of "at 9", "starting nov 27" or "after completion" after a repeat, the farthest first. */
function tailEnds(reader: Reader, at: number): readonly number[] {
  if (reader.is(at, 'after') || (reader.is(at, 'from') && reader.is(at + 1, 'completion'))) return [at + 2];
  return reader.mayBegin(at) ? phraseEnds(reader, reader.is(at, 'starting') ? at + 1 : at) : [];
}

/** The last duration that follows "for", or null: "for 45m", "for an hour and a half". */
export function findDuration(text: string, context: PhraseContext, options: Options): FoundDuration | null {
  const reader = new Reader(text, options.vocabulary, { ...context, current: null });
  const quoted = quotedPlaces(reader);
  let found: FoundDuration | null = null;
  for (let at = 0; at < reader.tokens.length; at += 1) {
    reader.startAt(at);
    if (quoted.has(at) || isTied(reader, at) || !reader.is(at, 'for')) continue;
    // "for 1:30" may be a time of day.
    const lengths = durations(reader, at + 1).filter(
      ({ end, rank }) => rank === 0 && !reader.isSign(at + 2, ':') && !isCutBefore(reader, end),
    );
    const [longest] = lengths.toSorted((a, b) => b.end - a.end);
    const first = reader.tokens[at];
    const last = longest && reader.tokens[longest.end - 1];
    if (longest && first && last) found = { start: first.start, end: last.end, minutes: longest.value };
  }
  return counted(reader, options, found);
}
