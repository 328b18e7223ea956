// Guesses at what a misspelled day or month means: "tomorow", "wendesday", "febuary". Only pickers offer them, last and
// marked as guesses; no title and no search is read by them.
import { readDate, type Reading } from './phrase.ts';
import type { PhraseContext } from './reader.ts';
import { tokensOf } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Shorter names are too close to other words. */
const SHORTEST_NAME = 5;
const SHORTEST_WORD = 4;
/** Nobody writes a date with more words. */
const MOST_WORDS = 16;

/**
 * The text with each misspelled name of a day or a month put right; null when there is none. One letter may be wrong,
 * missing, swapped with the next or too much, and a doubled letter single or the other way round.
 */
export function corrected(text: string, { weekdays, months, namedDays }: Vocabulary): string | null {
  const tokens = tokensOf(text);
  if (tokens.length > MOST_WORDS) return null;
  const names = [...namedDays.keys(), ...weekdays.keys(), ...months.keys()].filter(
    (name) => name.length >= SHORTEST_NAME,
  );
  let right = '';
  let end = 0;
  for (const token of tokens) {
    if (token.kind !== 'word' || token.text.length < SHORTEST_WORD || names.includes(token.text)) continue;
    const name = names.find((each) => isClose(single(token.text), single(each)));
    if (name === undefined) continue;
    right += text.slice(end, token.start) + name;
    ({ end } = token);
  }
  return end === 0 ? null : right + text.slice(end);
}

/** The dates that a text means once its misspelled names are put right, with the words that were read. */
export function guessDate(
  text: string,
  context: PhraseContext,
  options: { readonly vocabulary: Vocabulary },
): { readonly words: string; readonly readings: readonly Reading[] } | null {
  const words = corrected(text.trim(), options.vocabulary);
  const readings = words === null ? [] : readDate(words, context, options);
  if (words === null || readings.length === 0) return null;
  return { words, readings: readings.map((reading) => ({ ...reading, isGuess: true })) };
}

/** Without letters said twice. */
function single(word: string): string {
  return word.replaceAll(/(.)\1+/gu, '$1');
}

/** Whether one letter more, less, other or swapped makes one word the other. */
function isClose(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a.charAt(start) === b.charAt(start)) start += 1;
  let back = 0;
  const most = Math.min(a.length, b.length) - start;
  while (back < most && a.charAt(a.length - 1 - back) === b.charAt(b.length - 1 - back)) back += 1;
  const [left, right] = [a.slice(start, a.length - back), b.slice(start, b.length - back)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === `${right.charAt(1)}${right.charAt(0)}`;
}
