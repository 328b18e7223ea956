// Finds the tokens of a line besides its title: due date, repeat, duration, labels (#) and list (@). Pure; a lazy part,
// because it uses the grammar of dates. Their values are in values.ts.
import { findDuration, findRepeat } from '#core/dates/found-phrase.ts';
import { findDate, type Reading } from '#core/dates/phrase.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import type { RepeatReading } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { Id } from '#core/ids.ts';

interface Place {
  /** Offsets in the text, UTF-16. */
  readonly start: number;
  readonly end: number;
  /** The words as typed. */
  readonly text: string;
}

/** A part of the line that sets a field of the task, with its place in the text. */
export type Token = Place &
  (
    | { readonly kind: 'due'; readonly reading: Reading }
    | { readonly kind: 'repeat'; readonly reading: RepeatReading }
    | { readonly kind: 'duration'; readonly minutes: number }
    | { readonly kind: 'label' | 'list'; readonly id: Id; readonly name: string }
  );

export interface Named {
  readonly id: Id;
  readonly name: string;
}

/** Names that may be used in a line. */
export interface Names {
  readonly labels: readonly Named[];
  readonly lists: readonly Named[];
}

/** Only the end of a long line is read: a key must not wait. */
const LOOKED_AT = 120;
/** Every token, in the order of the text. None inside a word or inside quotation marks. */
export function readTokens(
  text: string,
  context: PhraseContext,
  { names, steps }: { readonly names: () => Names; readonly steps?: { count: number } },
): readonly Token[] {
  const from = beginning(text);
  const end = text.slice(from);
  const tokens = readAll(end, context, {
    named: /[#@]/.test(end) ? readNames(end, names()) : [],
    options: { vocabulary: english, ...(steps ? { steps } : {}) },
  });
  if (from === 0) return tokens;
  return tokens.map((token) => ({ ...token, start: token.start + from, end: token.end + from }));
}

/** Where reading begins: after a space, and outside quotation marks. */
function beginning(text: string): number {
  if (text.length <= LOOKED_AT) return 0;
  const space = text.indexOf(' ', text.length - LOOKED_AT);
  if (space < 0) return text.length;
  if (!isQuoted(text, space)) return space + 1;
  const closing = text.slice(space).search(/["“”«»]/);
  return space + closing + 1;
}

interface Looking {
  readonly named: readonly Token[];
  readonly options: Parameters<typeof findRepeat>[2];
}

function readAll(text: string, context: PhraseContext, { named, options }: Looking): readonly Token[] {
  let rest = masked(text, named);
  const tokens: Token[] = [...named];
  const take = <T extends { readonly start: number; readonly end: number }>(
    found: T | null,
    make: (found: T, place: Place) => Token | null,
  ) => {
    const place = found && { start: found.start, end: found.end, text: text.slice(found.start, found.end) };
    const token = found && place && make(found, place);
    if (!token) return;
    tokens.push(token);
    rest = masked(rest, [token]);
  };
  take(findRepeat(rest, context, options), ({ readings: [reading] }, place) =>
    reading ? { ...place, kind: 'repeat', reading } : null,
  );
  take(findDate(rest, context, options), ({ readings: [reading] }, place) =>
    reading ? { ...place, kind: 'due', reading } : null,
  );
  take(findDuration(rest, context, options), ({ minutes }, place) => ({
    ...place,
    kind: 'duration',
    minutes,
  }));
  return tokens.toSorted((a, b) => a.start - b.start);
}

/** The text with placeholders for taken ranges, so that nothing is read across them and offsets stay. */
function masked(text: string, taken: readonly Place[]): string {
  let rest = text;
  for (const { start, end } of taken) rest = rest.slice(0, start) + '|'.repeat(end - start) + rest.slice(end);
  return rest;
}

const SIGN = /(?<![^\s(])([#@])("?)(?=\S)/g;

function readNames(text: string, names: Names): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(SIGN)) {
    const [whole, sign, quote] = match;
    const start = match.index;
    if (isQuoted(text, start)) continue;
    const kind = sign === '#' ? 'label' : 'list';
    const from = start + whole.length;
    const named = longestName(text, from, sign === '#' ? names.labels : names.lists, quote === '"');
    if (named === null) continue;
    const end = from + named.name.length + (quote === '"' ? 1 : 0);
    found.push({ kind, start, end, text: text.slice(start, end), id: named.id, name: named.name });
  }
  return found;
}

function isQuoted(text: string, at: number): boolean {
  const marks = text.slice(0, at).match(/["“”«»]/g)?.length ?? 0;
  return marks % 2 === 1 && /["“”«»]/.test(text.slice(at));
}

/** Names may have several words: finds the longest that matches as a whole. */
function longestName(text: string, from: number, all: readonly Named[], isClosed: boolean): Named | null {
  let best: Named | null = null;
  for (const named of all) {
    const { name } = named;
    if (name === '' || (best !== null && name.length <= best.name.length)) continue;
    if (text.slice(from, from + name.length).toLowerCase() !== name.toLowerCase()) continue;
    const after = text.charAt(from + name.length);
    const isWhole = isClosed ? after === '"' : !/[\p{L}\p{N}_]/u.test(after);
    if (isWhole) best = named;
  }
  return best;
}

export interface Completion extends Named {
  readonly kind: 'label' | 'list';
  /** Start (with the sign) and end of the name begun. */
  readonly start: number;
  readonly end: number;
}

const BEGUN = /(?<![^\s(])([#@])("?)([^"#@]*)$/;
const COMPLETIONS = 4;

/** Completions of the name before the caret. */
export function completions(text: string, caret: number, names: () => Names): readonly Completion[] {
  const match = BEGUN.exec(text.slice(0, caret));
  if (!match || isQuoted(text, match.index)) return [];
  const [, sign, , begun = ''] = match;
  const wanted = begun.toLowerCase();
  const kind = sign === '#' ? 'label' : 'list';
  const all = kind === 'label' ? names().labels : names().lists;
  return all
    .filter(({ name }) => name.length > wanted.length && name.toLowerCase().startsWith(wanted))
    .slice(0, COMPLETIONS)
    .map((named) => ({ ...named, kind, start: match.index, end: caret }));
}
