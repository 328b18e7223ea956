// Find and replace in one title: what a pattern means, where it is found, and what the title becomes. What the pattern of a
// person costs is up to the pattern: expressions are run where they can be stopped.

export interface ReplacePattern {
  readonly find: string;
  readonly replacement: string;
  /** `find` is an expression, and `$1`, `$<name>` and `$&` in the replacement stand for what it found. */
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  /** Only where no letter, digit or underscore stands on either side. */
  readonly wholeWords: boolean;
}

export interface Replaced {
  readonly text: string;
  /** Where it was found, UTF-16, in order and apart from each other; an empty one is a place between characters. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** A text says why the expression cannot be read. */
export function patternOf({ find, isRegex, matchCase, wholeWords }: ReplacePattern): RegExp | string {
  const source = isRegex ? find : find.replaceAll(SPECIAL, String.raw`\$&`);
  const bounded = wholeWords
    ? String.raw`(?<![\p{L}\p{M}\p{N}_])(?:${source})(?![\p{L}\p{M}\p{N}_])`
    : source;
  try {
    // By itself first: an expression that only fits together with what is put around it is none.
    new RegExp(source, 'u');
    return new RegExp(bounded, matchCase ? 'gu' : 'giu');
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const reason = said.slice(said.lastIndexOf(': ') + 2);
    return `This expression cannot be read: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`;
  }
}

/** Null where nothing is found. */
export function replaceIn(
  title: string,
  pattern: RegExp,
  { replacement, isRegex }: ReplacePattern,
): Replaced | null {
  const ranges: (readonly [number, number])[] = [];
  for (const match of title.matchAll(pattern)) ranges.push([match.index, match.index + match[0].length]);
  if (ranges.length === 0) return null;
  const text = isRegex ? title.replace(pattern, replacement) : title.replace(pattern, () => replacement);
  return { text, ranges };
}
