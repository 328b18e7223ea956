// A title as the rules see it: its tokens, which of them are closed (quoted, or taken by something else), and what stands
// before and behind a phrase. The rules themselves are in dates.ts, repeats.ts and lengths.ts.
import { durations } from '../dates/span-phrase.ts';
import { type PhraseContext, Reader } from '../dates/reader.ts';
import type { TitleWords } from './words.ts';
import type { Vocabulary } from '../dates/vocabulary.ts';

/** A part of a text: offsets, UTF-16. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Longest phrase, in tokens. */
const LONGEST = 16;

/** What stands behind a phrase: nothing, a sign, a word that goes on with the sentence, or a thing it may belong to. */
export type Behind = 'end' | 'sign' | 'joint' | 'thing';

export class TitleLine {
  readonly reader: Reader;
  readonly words: TitleWords;
  readonly #closed: Uint8Array;

  /** `taken`: ranges that something else means already. */
  constructor(text: string, context: PhraseContext, vocabulary: Vocabulary) {
    // Nobody means five in the morning without saying so.
    this.reader = new Reader(text, vocabulary, { ...context, current: null, prefersAfternoon: true });
    this.words = vocabulary.title;
    this.#closed = new Uint8Array(this.reader.tokens.length);
    for (const at of quotedPlaces(this.reader)) this.#closed[at] = 1;
  }

  get length(): number {
    return this.reader.tokens.length;
  }

  isClosed(at: number): boolean {
    return this.#closed[at] === 1;
  }

  /** Nothing else is read in these tokens, nor across them. */
  close({ start, end }: Range): void {
    for (const [at, token] of this.reader.tokens.entries())
      if (token.start < end && token.end > start) this.#closed[at] = 1;
  }

  /** Lets the reader see the phrase that may start at a token, up to what is closed. */
  lookFrom(at: number): void {
    let longest = 1;
    while (longest < LONGEST && at + longest < this.length && !this.isClosed(at + longest)) longest += 1;
    this.reader.startAt(at, longest);
  }

  /** The word at a token, in lower case; empty for numbers and signs. */
  word(at: number): string {
    const token = this.reader.tokens[at];
    return token?.kind === 'word' ? token.text : '';
  }

  range(from: number, end: number): Range {
    const { tokens } = this.reader;
    return { start: tokens[from]?.start ?? 0, end: tokens[end - 1]?.end ?? 0 };
  }

  isLower(at: number): boolean {
    const token = this.reader.tokens[at];
    return token !== undefined && this.reader.text.slice(token.start, token.end) === token.text;
  }

  /** Only signs stand before it. */
  isFirst(at: number): boolean {
    const { tokens } = this.reader;
    for (let before = at - 1; before >= 0; before -= 1)
      if (tokens[before]?.kind !== 'sign' || this.isClosed(before)) return false;
    return true;
  }

  /** Whether the token is part of a word, or of words joined by a sign: "re-tomorrow", "#today", "a/b". */
  isTied(at: number): boolean {
    return isTied(this.reader, at);
  }

  /** Whether the text behind a phrase changes its last word: "friday_list", "monday.com", "Mon–Fri". */
  isCutBefore(end: number): boolean {
    const { tokens } = this.reader;
    const next = tokens[end];
    if (next?.glued !== true || this.isClosed(end)) return false;
    if (next.kind !== 'sign') return true;
    const isGoingOn = tokens[end + 1]?.glued === true;
    return /[-/@_–+\\]/.test(next.text) || (/[.:#]/.test(next.text) && isGoingOn);
  }

  behind(end: number): Behind {
    const { tokens } = this.reader;
    const next = tokens[end];
    if (next === undefined) return 'end';
    if (this.isClosed(end)) return /["“”«»]/.test(next.text) ? 'joint' : 'sign';
    if (next.kind === 'word') {
      // "… 9-11 room 12" goes on with a place.
      const isPlace = this.words.numberedThings.has(next.text) && tokens[end + 1]?.kind === 'number';
      return isPlace || this.words.joints.has(next.text) ? 'joint' : 'thing';
    }
    if (next.kind === 'sign') {
      const isBound = next.glued && !/[.,;!?)\]…]/.test(next.text);
      return isBound || /[:/&+*=%'’]/.test(next.text) ? 'thing' : 'sign';
    }
    this.lookFrom(end);
    return durations(this.reader, end).length > 0 ? 'joint' : 'thing';
  }

  /** A colon behind the first words ends them: "Tomorrow: call Ann". */
  isHeading(from: number, end: number): boolean {
    return this.reader.tokens[end]?.text === ':' && this.isFirst(from);
  }

  /** Whether the word tells somebody to do something. */
  isVerb(at: number): boolean {
    const word = this.word(at);
    if (this.words.verbs.has(word)) return true;
    if (!this.words.nounVerbs.has(word)) return false;
    const next = this.reader.tokens[at + 1];
    if (next === undefined) return false;
    const isName = next.kind === 'word' && !this.isLower(at + 1) && this.isLower(at);
    return isName || next.kind === 'number' || this.words.joints.has(next.text) || /['’]s$/.test(next.text);
  }
}

/** Whether the token is part of a word, or of words joined by a sign: "re-tomorrow", "#today", "a/b". */
function isTied(reader: Reader, at: number): boolean {
  const before = reader.tokens[at - 1];
  if (reader.tokens[at]?.glued !== true || before === undefined) return false;
  return before.kind !== 'sign' || /[-#/@.+\\_–]/.test(before.text);
}

const SINGLE = /^['‘’]$/;
const DOUBLE = /["“”«»]/;

/** A single quotation mark and no apostrophe begins there: it touches what it holds, and nothing else. */
const opensQuote = ({ tokens }: Reader, at: number): boolean =>
  tokens[at]?.glued !== true && tokens[at + 1]?.glued === true;

const closesQuote = ({ tokens }: Reader, at: number): boolean =>
  tokens[at]?.glued === true && (tokens[at + 1]?.glued !== true || tokens[at + 1]?.kind === 'sign');

/** Indexes of the tokens inside quotation marks, and of the marks. */
function quotedPlaces(reader: Reader): ReadonlySet<number> {
  const places = new Set<number>();
  const { tokens } = reader;
  const lastSingle = tokens.findLastIndex(({ text }, at) => SINGLE.test(text) && closesQuote(reader, at));
  let from: number | null = null;
  let isSingle = false;
  for (const [at, { text }] of tokens.entries()) {
    const single = SINGLE.test(text);
    if (!single && !DOUBLE.test(text)) continue;
    if (from === null) {
      if (single && (at + 1 >= lastSingle || !opensQuote(reader, at))) continue;
      from = at;
      isSingle = single;
    } else if (single === isSingle && (!single || closesQuote(reader, at))) {
      for (let inside = from; inside <= at; inside += 1) places.add(inside);
      from = null;
    }
  }
  return places;
}
