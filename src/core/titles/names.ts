// Names in a title: #labels and @lists that exist, and their completion while they are typed. Elsewhere the signs are the other
// way round: a name that only the other kind has is one of that kind.
import type { Id } from '../ids.ts';
import type { Range } from './line.ts';

/** A label or a list. */
export interface Named {
  readonly id: Id;
  readonly name: string;
  /** There is no such label yet: it is made with the task. */
  readonly isNew?: true;
}

/** Names that may be used in a line. */
export interface Names {
  readonly labels: readonly Named[];
  readonly lists: readonly Named[];
}

export interface FoundName extends Named, Range {
  readonly kind: 'label' | 'list';
  /** The words as typed. */
  readonly text: string;
}

const SIGN = /(?<![^\s(])([#@])("?)(?=\S)/g;

type Kind = FoundName['kind'];
type KindNames = readonly [Kind, readonly Named[]];

/** Each kind with its names; first the kind of the sign. */
function kindsOf(sign: string | undefined, { labels, lists }: Names): readonly [KindNames, KindNames] {
  return sign === '#'
    ? [
        ['label', labels],
        ['list', lists],
      ]
    : [
        ['list', lists],
        ['label', labels],
      ];
}

/** Every name in the text that exists, outside of quotation marks. */
export function namesIn(text: string, names: Names): readonly FoundName[] {
  const found: FoundName[] = [];
  for (const match of text.matchAll(SIGN)) {
    const [whole, sign, quote] = match;
    const start = match.index;
    if (isQuoted(text, start)) continue;
    const from = start + whole.length;
    for (const [kind, all] of kindsOf(sign, names)) {
      const named = longestName(text, from, all, quote === '"');
      if (named === null) continue;
      const end = from + named.name.length + (quote === '"' ? 1 : 0);
      found.push({ kind, start, end, text: text.slice(start, end), ...named });
      break;
    }
  }
  return found;
}

/** Whether a place lies inside quotation marks. */
export function isQuoted(text: string, at: number): boolean {
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

/** A name that was begun, and the one that is offered. `start` (with the sign) and `end` are those of the name begun. */
export interface Completion extends Range {
  readonly kind: 'label' | 'list';
  readonly name: string;
  /** There is no such label or list yet: it would be made. */
  readonly isNew: boolean;
}

/** As it is typed: "#Errands", "@Home". */
export const signed = ({ kind, name }: Pick<Completion, 'kind' | 'name'>): string =>
  `${kind === 'label' ? '#' : '@'}${name}`;

const BEGUN = /(?<![^\s(])([#@])("?)([^"#@]*)$/;
const COMPLETIONS = 4;
/** One letter or a number may be anything ("#1"). */
const NEW_NAME = /^\p{L}[\p{L}\p{N}_-]+$/u;

/**
 * Completions of the name before the caret: those of the kind of its sign; if none exists, those of the other kind; behind
 * them, one word as the name of a new label or list.
 */
export function completions(text: string, caret: number, names: () => Names): readonly Completion[] {
  const match = BEGUN.exec(text.slice(0, caret));
  if (!match || isQuoted(text, match.index)) return [];
  const [, sign, , begun = ''] = match;
  const wanted = begun.toLowerCase();
  const offer = (kind: Kind, name: string, isNew = false): Completion => ({
    kind,
    name,
    isNew,
    start: match.index,
    end: caret,
  });
  const kinds = kindsOf(sign, names());
  const beginning = kinds.map(([kind, all]) =>
    all
      .filter(({ name }) => name.length > wanted.length && name.toLowerCase().startsWith(wanted))
      .slice(0, COMPLETIONS)
      .map(({ name }) => offer(kind, name)),
  );
  const known = beginning.find((found) => found.length > 0) ?? [];
  const isNew =
    NEW_NAME.test(begun) && kinds.every(([, all]) => all.every(({ name }) => name.toLowerCase() !== wanted));
  // Where nothing goes on from it, a label is made without being asked for.
  const isAsked = sign === '@' || known.length > 0;
  return isNew && isAsked ? [...known, offer(kinds[0][0], begun, true)] : known;
}

/**
 * Words behind a # that are the name of no label and no list, nor begin one while they are typed, at the end: labels that a
 * title makes. Numbers and single letters are something else.
 */
export function newLabelsIn(text: string, names: Names): readonly string[] {
  const found: string[] = [];
  for (const { index, 0: whole, 1: sign, 2: name = '' } of text.matchAll(NAME_LIKE)) {
    if (sign !== '#' || !NEW_NAME.test(name) || isQuoted(text, index)) continue;
    const all = [...names.labels, ...names.lists];
    if (longestName(text, index + 1, all, false) !== null) continue;
    const isBegun = index + whole.length === text.length;
    const mayGrow = isBegun && all.some((named) => named.name.toLowerCase().startsWith(name.toLowerCase()));
    if (!mayGrow) found.push(name);
  }
  return found;
}

/** A word that looks like a label or a list. */
export type UnknownName = Pick<Completion, 'kind' | 'name'>;

/** Numbers are something else ("#12"). */
const NAME_LIKE = /(?<![^\s(])([#@])(\p{L}[\p{L}\p{N}_-]*)/gu;

/** The first such word outside of quotation marks that is the name of none. Null: there is none. */
export function unknownName(text: string, names: () => Names): UnknownName | null {
  for (const { index, 1: sign, 2: name = '' } of text.matchAll(NAME_LIKE)) {
    if (isQuoted(text, index)) continue;
    const kinds = kindsOf(sign, names());
    if (kinds.every(([, all]) => longestName(text, index + 1, all, false) === null))
      return { kind: sign === '#' ? 'label' : 'list', name };
  }
  return null;
}
