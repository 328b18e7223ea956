// Find and replace in one title: compiles a pattern, finds its matches and makes the new title. A person's expression
// may take any time, so expressions run where they can be stopped.
import { failed, ok, type Result } from './result.ts';

/** A search and its replacement, as a person enters them. */
export interface ReplacePattern {
  readonly find: string;
  readonly replacement: string;
  /** `find` is a regular expression, and `$1`, `$<name>` and `$&` in the replacement stand for its matches. */
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  /** Only matches without a letter, digit or underscore on either side. */
  readonly wholeWords: boolean;
}

/** A title after replacing, with the changed ranges of both titles. */
export interface Replaced {
  readonly text: string;
  /** Matches in the old title, in order and disjoint; an empty one is a place between characters. */
  readonly ranges: readonly Range[];
  /** The replacements in `text`, in the same order. */
  readonly put: readonly Range[];
}

/** Offsets in UTF-16 units; `end` is exclusive. */
export type Range = readonly [start: number, end: number];

/** Characters that no title contains, put around each replacement. */
const BEGIN = '\u0001';
const END = '\u0002';

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Compiles a pattern; the problem says why the expression cannot be read. */
export function patternOf({ find, isRegex, matchCase, wholeWords }: ReplacePattern): Result<RegExp, string> {
  const source = isRegex ? find : find.replaceAll(SPECIAL, String.raw`\$&`);
  const bounded = wholeWords
    ? String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${source})(?![\p{L}\p{M}\p{N}_])`
    : source;
  try {
    // Alone first: an expression that is valid only together with the text around it is invalid.
    new RegExp(source, 'u');
    return ok(new RegExp(bounded, matchCase ? 'gu' : 'giu'));
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const reason = said.slice(said.lastIndexOf(': ') + 2);
    return failed(`Can’t read this expression: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`);
  }
}

/** Replaces all matches in a title; null when there are none. */
export function replaceIn(
  title: string,
  pattern: RegExp,
  { replacement, isRegex }: ReplacePattern,
): Replaced | null {
  const ranges: (readonly [number, number])[] = [];
  for (const match of title.matchAll(pattern)) ranges.push([match.index, match.index + match[0].length]);
  if (ranges.length === 0) return null;
  const bounded = `${BEGIN}${replacement.replaceAll(BEGIN, '').replaceAll(END, '')}${END}`;
  const marked = isRegex ? title.replace(pattern, bounded) : title.replace(pattern, () => bounded);
  return { ...unmarked(marked), ranges };
}

function unmarked(marked: string): Pick<Replaced, 'text' | 'put'> {
  const [head = '', ...pieces] = marked.split(BEGIN);
  const put: Range[] = [];
  let text = head;
  for (const piece of pieces) {
    const end = piece.indexOf(END);
    put.push([text.length, text.length + end]);
    text += piece.slice(0, end) + piece.slice(end + 1);
  }
  return { text, put };
}
