// Parses a query. Never fails: anything that is not understood becomes a problem with its position, and then the query
// finds nothing. Adjacent words must all match; OR binds less, a minus sign or NOT more; parentheses group.
import type { ScalarName } from '../model.ts';
import { readScalar } from '../scalar-readers.ts';
import { scalarField } from '../task-fields.ts';
import { isDaysPhrase } from './days.ts';
import {
  nearest,
  operatorNamed,
  operators,
  possessionAliases,
  possessions,
  sortNames,
  traitAliases,
  traits,
  type Operator,
} from './operators.ts';
import { piecesOf, type Piece } from './pieces.ts';
import type {
  Comparison,
  DateField,
  DateTest,
  Directives,
  Expression,
  Possession,
  Problem,
  Query,
  Span,
  Term,
  Trait,
} from './query.ts';

/** Longer queries are cut off with a problem; nobody types them. */
const LONGEST_QUERY = 2_000;
const DEEPEST = 50;

/** Parses any text. Adds the work done to `steps.count`: characters and pieces looked at, and words of dates read. */
export function parseQuery(text: string, steps: { count: number } = { count: 0 }): Query {
  const parser = new Parser(text.slice(0, LONGEST_QUERY), steps);
  return parser.read(text.length > LONGEST_QUERY);
}

class Parser {
  readonly #pieces: readonly Piece[];
  readonly #steps: { count: number };
  readonly #problems: Problem[] = [];
  #directives: Directives = { sort: null, limit: null, nested: null, duplicates: null };
  #at = 0;
  #depth = 0;

  constructor(text: string, steps: { count: number }) {
    this.#steps = steps;
    this.#pieces = piecesOf(text, steps);
  }

  read(isCut: boolean): Query {
    const parts: Expression[] = [];
    while (this.#at < this.#pieces.length) {
      const expression = this.#either();
      if (expression) parts.push(expression);
      const left = this.#pieces[this.#at];
      // Only a closing parenthesis without an opening one gets here.
      if (left) {
        this.#problem(left, 'This parenthesis is never opened.', '');
        this.#at += 1;
      }
    }
    const last = this.#pieces.at(-1);
    if (isCut && last) this.#problem(last, `Queries can have up to ${LONGEST_QUERY} characters.`, null);
    const expression = joined('and', parts);
    this.#mustAskSomething(expression);
    const isUnderstood = this.#problems.length === 0;
    return {
      expression: isUnderstood ? expression : { type: 'none' },
      directives: this.#directives,
      problems: this.#problems,
    };
  }

  /** Signs alone ("AND", "()") do not select all tasks; directives alone do. */
  #mustAskSomething(expression: Expression): void {
    const [first] = this.#pieces;
    const last = this.#pieces.at(-1);
    if (expression.type !== 'all' || !first || !last || this.#problems.length > 0) return;
    if (Object.values(this.#directives).some((directive) => directive !== null)) return;
    this.#problem({ start: first.start, end: last.end }, 'There’s nothing to search for in this.', null);
  }

  #problem(where: Span, message: string, hint: string | null): void {
    this.#problems.push({ start: where.start, end: where.end, message, hint });
  }

  #isWord(text: string): boolean {
    this.#steps.count += 1;
    const piece = this.#pieces[this.#at];
    return piece?.kind === 'word' && piece.operator === null && !piece.isQuoted && piece.text === text;
  }

  #either(): Expression | null {
    const parts: Expression[] = [];
    const first = this.#all();
    if (first) parts.push(first);
    while (this.#isWord('OR') || this.#isWord('|')) {
      const or = this.#pieces[this.#at] as Piece;
      this.#at += 1;
      const next = this.#all();
      if (next) parts.push(next);
      else if (this.#pieces[this.#at] === undefined && this.#pieces.at(-1) === or)
        this.#problem(or, 'Something is missing after OR.', null);
    }
    return parts.length === 0 ? null : joined('or', parts);
  }

  #all(): Expression | null {
    const parts: Expression[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at];
      if (!piece || piece.kind === 'close' || this.#isWord('OR') || this.#isWord('|')) break;
      if (this.#isWord('AND') || this.#isWord('&')) {
        this.#at += 1;
        continue;
      }
      const part = this.#one();
      if (part) parts.push(part);
    }
    return parts.length === 0 ? null : joined('and', parts);
  }

  #one(): Expression | null {
    const piece = this.#pieces[this.#at] as Piece;
    this.#at += 1;
    this.#steps.count += 1;
    if (piece.kind === 'minus' || (piece.kind === 'word' && isNot(piece))) return this.#negated(piece);
    if (piece.kind === 'open') return this.#group(piece);
    return this.#term(piece);
  }

  #negated(sign: Piece): Expression | null {
    const piece = this.#pieces[this.#at];
    if (!piece || piece.kind === 'close') {
      this.#problem(sign, 'Something is missing after this.', null);
      return null;
    }
    if (this.#depth >= DEEPEST) return this.#tooDeep(piece);
    this.#depth += 1;
    const part = this.#one();
    this.#depth -= 1;
    if (!part) return null;
    return part.type === 'not' ? part.part : { type: 'not', part };
  }

  #group(open: Piece): Expression | null {
    if (this.#depth >= DEEPEST) return this.#tooDeep(open);
    this.#depth += 1;
    const inner = this.#either();
    this.#depth -= 1;
    if (this.#pieces[this.#at]?.kind === 'close') this.#at += 1;
    else this.#problem(open, 'This parenthesis is never closed.', null);
    return inner;
  }

  #tooDeep(piece: Piece): null {
    this.#problem(piece, `Parentheses can nest ${DEEPEST} deep.`, null);
    this.#at = this.#pieces.length;
    return null;
  }

  #term(piece: Piece): Expression | null {
    const span = { start: piece.start, end: piece.end };
    const { operator: name } = piece;
    if (name === null) {
      if (piece.text.trim() === '') return null;
      const label = piece.isQuoted ? undefined : LABEL.exec(piece.text)?.[1];
      if (label === undefined) return word(piece.text, span);
      const labeled: Expression = { type: 'term', term: { type: 'label', name: label }, span };
      return joined('or', [labeled, word(piece.text, span)]);
    }
    const operator = operatorNamed(name);
    if (!operator) {
      // "http://…" and "12:30" are words that happen to have a colon.
      if (piece.text.startsWith('//')) return word(`${name}:${piece.text}`, span);
      // So are words before a colon with nothing right behind it: "Email: Bob".
      if (piece.text === '' && !piece.isQuoted) return word(`${name}:`, span);
      const near = nearest(
        name,
        operators.map((each) => each.name),
      );
      this.#problem(
        { start: piece.start, end: piece.valueStart },
        `There’s no operator “${name}:”.`,
        near === null ? null : `${near}:`,
      );
      return null;
    }
    if (piece.text.trim() === '') {
      this.#problem(span, `Type a value after “${name}:”, for example ${operator.example}.`, null);
      return null;
    }
    const term = this.#value(operator, piece);
    if (term === null) return null;
    return term.type === 'not' || term.type === 'all' ? term : { ...term, span };
  }

  /** The term of an operator and its value; null when it is a directive or was not understood. */
  #value(operator: Operator, piece: Piece): Unplaced | null {
    const text = piece.text.trim();
    switch (operator.kind) {
      case 'place':
        return termOf({ type: 'place', kind: operator.name as 'in' | 'list' | 'folder', name: text });
      case 'label':
        return this.#label(piece, text);
      case 'person':
        return this.#person(piece, text);
      case 'group':
        return termOf({ type: 'group', name: text });
      case 'text':
        return termOf({ type: 'text', field: operator.name as 'title' | 'notes', text });
      case 'is':
        return this.#chosen(piece, traits, traitAliases, (trait: Trait) => ({ type: 'is', trait }));
      case 'has':
        return this.#chosen(piece, possessions, possessionAliases, (what: Possession) => ({
          type: 'has',
          what,
        }));
      case 'date':
        return this.#date(operator.name as DateField, piece);
      case 'scalar':
        return this.#scalar(operator.name as ScalarName, piece);
      case 'meta':
        return this.#meta(piece, text);
      default:
        this.#direct(operator, piece);
        return null;
    }
  }

  #label(piece: Piece, name: string): Unplaced {
    const has = { type: 'term', term: { type: 'has', what: 'label' }, span: piece } as const;
    if (!piece.isQuoted && name.toLowerCase() === 'any') return has;
    if (!piece.isQuoted && name.toLowerCase() === 'none')
      return { type: 'not', part: { ...has, span: { start: piece.start, end: piece.end } } };
    return termOf({ type: 'label', name });
  }

  #person(piece: Piece, name: string): Unplaced {
    const has = { type: 'term', term: { type: 'has', what: 'assignee' }, span: piece } as const;
    if (!piece.isQuoted && ['any', 'anyone', 'anybody'].includes(name.toLowerCase())) return has;
    if (!piece.isQuoted && ['none', 'nobody', 'noone'].includes(name.toLowerCase()))
      return { type: 'not', part: { ...has, span: { start: piece.start, end: piece.end } } };
    return termOf({ type: 'person', name });
  }

  #chosen<T extends string>(
    piece: Piece,
    known: Readonly<Record<T, string>>,
    aliases: Readonly<Record<string, T>>,
    make: (value: T) => Term,
  ): Unplaced | null {
    const text = piece.text.trim().toLowerCase();
    if (Object.hasOwn(known, text)) return termOf(make(text as T));
    if (Object.hasOwn(aliases, text)) return termOf(make(aliases[text] as T));
    const near = nearest(text, [...Object.keys(known), ...Object.keys(aliases)]);
    this.#problem(
      { start: piece.valueStart, end: piece.end },
      `“${piece.operator ?? ''}:” doesn’t know “${text}”.`,
      near,
    );
    return null;
  }

  #meta(piece: Piece, text: string): Unplaced | null {
    const term = metaOf(text);
    if (term === null)
      this.#problem({ start: piece.valueStart, end: piece.end }, 'Type a key before the “=”.', null);
    return term;
  }

  #date(field: DateField, piece: Piece): Unplaced | null {
    const test = dateTest(piece.text.trim(), this.#steps);
    if (test !== null) return termOf({ type: 'date', field, test });
    const where = { start: piece.valueStart, end: piece.end };
    this.#problem(where, `“${piece.text.trim()}” isn’t a date.`, 'today');
    return null;
  }

  #scalar(field: ScalarName, piece: Piece): Unplaced | null {
    const text = piece.text.trim();
    const has = { type: 'term', term: { type: 'has', what: field }, span: piece } as const;
    if (text.toLowerCase() === 'any') return has;
    if (text.toLowerCase() === 'none') return { type: 'not', part: has };
    const { comparison, rest } = compared(text);
    const known = scalarField(field);
    const value = readScalar(field, rest) ?? readScalar(field, spaced(rest));
    if (value !== null) return termOf({ type: 'scalar', field, comparison, value });
    this.#problem({ start: piece.valueStart, end: piece.end }, `“${rest}” ${known.misread}.`, known.hint);
    return null;
  }

  #direct(operator: Operator, piece: Piece): void {
    const text = piece.text.trim().toLowerCase();
    const where = { start: piece.valueStart, end: piece.end };
    if (operator.kind === 'limit') {
      const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
      if (limit > 0) this.#directives = { ...this.#directives, limit };
      else this.#problem(where, 'A limit is a number from 1 up.', '10');
    } else if (operator.kind === 'sort') {
      const [, name = '', order] = /^(.*?)(?:[-:](asc|desc))?$/.exec(text) ?? [];
      const field = Object.hasOwn(sortNames, name) ? sortNames[name] : undefined;
      if (field)
        this.#directives = { ...this.#directives, sort: { field, order: order === 'desc' ? 'desc' : 'asc' } };
      else this.#problem(where, `You can’t sort by “${name}”.`, nearest(name, Object.keys(sortNames)));
    } else {
      const isOn = operator.name === 'enable';
      if (text === 'nested') this.#directives = { ...this.#directives, nested: isOn };
      else if (text === 'duplicates') this.#directives = { ...this.#directives, duplicates: isOn };
      else
        this.#problem(
          where,
          `You can only switch nested and duplicates.`,
          nearest(text, ['nested', 'duplicates']),
        );
    }
  }
}

type Unplaced =
  | { readonly type: 'term'; readonly term: Term }
  | { readonly type: 'not'; readonly part: Expression }
  | { readonly type: 'all' };

function termOf(term: Term): Unplaced {
  return { type: 'term', term };
}

function word(text: string, span: Span): Expression {
  return { type: 'term', term: { type: 'text', field: 'any', text }, span };
}

/** As a label is written in a title: "#bills". "#12" is a number. */
const LABEL = /^#(\p{L}[\p{L}\p{N}_-]*)$/u;

function isNot({ operator, isQuoted, text }: Piece): boolean {
  return operator === null && !isQuoted && (text === 'NOT' || text === '!');
}

function joined(type: 'and' | 'or', parts: readonly Expression[]): Expression {
  const flat = parts.flatMap((part) => (part.type === type ? part.parts : [part]));
  const [only] = flat;
  if (only === undefined) return { type: 'all' };
  return flat.length === 1 ? only : { type, parts: flat };
}

function metaOf(text: string): Unplaced | null {
  const at = text.indexOf('=');
  const key = (at < 0 ? text : text.slice(0, at)).trim();
  return key === '' ? null : termOf({ type: 'meta', key, value: at < 0 ? null : text.slice(at + 1).trim() });
}

function compared(text: string): { readonly comparison: Comparison; readonly rest: string } {
  const [, sign = '', rest = ''] = /^(<=|>=|≤|≥|<|>|=)?\s*(.*)$/su.exec(text) ?? [];
  const comparison = sign === '≤' ? '<=' : sign === '≥' ? '>=' : sign === '' ? '=' : (sign as Comparison);
  return { comparison, rest };
}

const JOINTS = /(\d{1,4}-\d{1,2}-\d{1,4})|(?<=\S)[-_]+(?=\S)/gu;

/**
 * Unquoted words have hyphens or underscores instead of spaces; "2026-11-27" is one word, "-2d" begins with a minus.
 */
function spaced(words: string): string {
  return words.replaceAll(JOINTS, (_, date: string | undefined) => date ?? ' ');
}

/**
 * The spelling of words for days that can be read: unchanged, as "2026-11", or with spaces, which come first where there
 * is no number: "mid-january". Null when they are no date.
 */
function daysPhrase(words: string, steps?: { count: number }): string | null {
  // Beside underscores a hyphen is a hyphen: "fri_9-10am".
  const all = [words, words.replaceAll('_', ' ').trim(), spaced(words)];
  const ways = new Set(/\d/.test(words) ? all : all.toReversed());
  return [...ways].find((said) => isDaysPhrase(said, steps)) ?? null;
}

/** "today", "<=fri", "mon..fri", "..tomorrow", "next-week", "none". Null when the words are no date. */
export function dateTest(text: string, steps?: { count: number }): DateTest | null {
  const lower = text.toLowerCase();
  if (lower === 'none' || lower === 'never') return { type: 'none' };
  if (lower === 'any') return { type: 'any' };
  const dots = text.indexOf('..');
  if (dots >= 0) {
    const sides = [text.slice(0, dots).trim(), text.slice(dots + 2).trim()];
    const [from = null, to = null] = sides.map((side) => (side === '' ? null : daysPhrase(side, steps)));
    const isKnown = sides.every((side, at) => side === '' || [from, to][at] !== null);
    return isKnown && (from ?? to) !== null ? { type: 'range', from, to } : null;
  }
  const { comparison, rest } = compared(text);
  if (/^(before|after|until|since)\b/i.test(rest)) return null;
  const words = daysPhrase(rest, steps);
  return words === null ? null : { type: 'compare', comparison, words };
}
