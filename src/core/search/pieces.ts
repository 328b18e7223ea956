// Cuts a query into pieces with their positions: parentheses, minus signs, words and quoted phrases, with the operator
// before a colon split off. Linear, and never fails: an unclosed quotation mark closes at the end.

/** A token of a query. */
export interface Piece {
  readonly kind: 'open' | 'close' | 'minus' | 'word';
  /** Lower-case text before the first colon, or null. */
  readonly operator: string | null;
  /** The rest, without quotation marks. */
  readonly text: string;
  /** The text was in quotation marks: it is taken literally. */
  readonly isQuoted: boolean;
  /** Offsets in the query, UTF-16. */
  readonly start: number;
  readonly end: number;
  /** Where the value begins, after the colon. */
  readonly valueStart: number;
}

const SPACE = /\s/u;
const OPERATOR = /^[a-z][a-z-]*$/i;

/** The pieces of a query, in order. Adds the work done to `steps.count`. */
export function piecesOf(query: string, steps?: { count: number }): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < query.length) {
    const start = at;
    const char = query[at] ?? '';
    if (SPACE.test(char)) at += 1;
    else if (char === '(' || char === ')') {
      pieces.push(sign(char === '(' ? 'open' : 'close', at));
      at += 1;
    } else if (char === '-' && isMinus(query, at)) {
      pieces.push(sign('minus', at));
      at += 1;
    } else {
      const piece = wordAt(query, at);
      pieces.push(piece);
      at = piece.end;
    }
    if (steps) steps.count += at - start;
  }
  return pieces;
}

function sign(kind: Piece['kind'], at: number): Piece {
  return { kind, operator: null, text: '', isQuoted: false, start: at, end: at + 1, valueStart: at + 1 };
}

/** A minus excludes when something follows it and it is not inside a word ("re-read"). */
function isMinus(query: string, at: number): boolean {
  const next = query[at + 1];
  return next !== undefined && !SPACE.test(next) && next !== ')' && next !== '-';
}

function wordAt(query: string, start: number): Piece {
  let text = '';
  let operator: string | null = null;
  let valueStart = start;
  let isQuoted = false;
  let at = start;
  while (at < query.length) {
    const char = query[at] ?? '';
    if (SPACE.test(char) || char === ')' || (char === '(' && text !== '')) break;
    if (char === '(') break;
    if (isQuote(char)) {
      const phrase = quotedAt(query, at);
      text += phrase.text;
      at = phrase.end;
      isQuoted = true;
      continue;
    }
    if (char === ':' && operator === null && !isQuoted && OPERATOR.test(text)) {
      operator = text.toLowerCase();
      text = '';
      valueStart = at + 1;
    } else text += char;
    at += 1;
  }
  return { kind: 'word', operator, text, isQuoted, start, end: at, valueStart };
}

function isQuote(char: string): boolean {
  return char === '"' || char === '“' || char === '”';
}

/** A phrase in quotation marks; a backslash keeps the next character as it is. */
function quotedAt(query: string, start: number): { readonly text: string; readonly end: number } {
  let text = '';
  let at = start + 1;
  while (at < query.length && !isQuote(query[at] ?? '')) {
    if (query[at] === '\\' && at + 1 < query.length) at += 1;
    text += query[at] ?? '';
    at += 1;
  }
  return { text, end: Math.min(at + 1, query.length) };
}

/** A value written so that it reads back the same, in quotation marks if it needs them. */
export function quoted(text: string): string {
  const isPlain =
    text !== '' && !/[\s()"“”:\\]/u.test(text) && !/^[-#]/.test(text) && !/^(?:OR|AND|NOT)$/.test(text);
  return isPlain ? text : `"${text.replaceAll(/["“”\\]/g, String.raw`\$&`)}"`;
}
