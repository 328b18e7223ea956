// Cuts a phrase into words, numbers and signs with their positions in the text. Linear, and never fails: unknown
// characters are signs.

export interface Token {
  readonly kind: 'word' | 'number' | 'sign';
  /** Lower case. */
  readonly text: string;
  /** Of a number; whole or with a decimal part. */
  readonly value: number;
  /** Offsets in the text, UTF-16. */
  readonly start: number;
  readonly end: number;
  /** Nothing separates it from the previous token. */
  readonly glued: boolean;
}

// A word keeps an inner apostrophe ("o'clock"); "p.m." is one word.
const TOKEN = /([ap])\.m\.?(?![\p{L}\p{N}])|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\d+|[^\s\p{L}\p{N}]|\S/giu;

/** Longer numbers are not part of any date. */
const LONGEST_NUMBER = 8;

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let last = -1;
  for (const match of text.matchAll(TOKEN)) {
    const [found, half] = match;
    const start = match.index;
    const end = start + found.length;
    const digits = /^\d/.test(found);
    tokens.push({
      kind: digits && found.length <= LONGEST_NUMBER ? 'number' : /^\p{L}/u.test(found) ? 'word' : 'sign',
      text: half === undefined ? found.toLowerCase().replace('’', "'") : `${half.toLowerCase()}m`,
      value: digits && found.length <= LONGEST_NUMBER ? Number(found) : Number.NaN,
      start,
      end,
      glued: start === last,
    });
    last = end;
  }
  return tokens;
}
