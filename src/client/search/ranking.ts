// How well a query matches a title and its aliases: tiers first, so that a better kind of match always wins, and the
// matching ranges of the title. Callers (palette/) add usage and context.
import { fold } from '#core/search/fold.ts';

export interface Candidate {
  readonly title: string;
  readonly aliases: readonly string[];
  /** The person's own aliases for it. */
  readonly own?: readonly string[];
  /** Names of its ancestors, outermost first. */
  readonly path?: readonly string[];
}

/** A candidate prepared once for many queries. */
export interface Prepared {
  /** Folded, without the ellipsis of commands that ask for something. */
  readonly title: string;
  readonly words: readonly Word[];
  readonly initials: string;
  readonly aliases: readonly string[];
  readonly own: readonly string[];
  /** The words of each name above it. */
  readonly path: readonly (readonly Word[])[];
  /** Offsets in the folded title are valid in the original one. */
  readonly isAligned: boolean;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

/** Offsets in a title, [start, end). */
export type Range = readonly [start: number, end: number];

/** A match: its score, and the ranges to highlight. */
export interface Rank {
  readonly score: number;
  /** Ranges of the title, in order, not overlapping. */
  readonly matches: readonly Range[];
}

interface Hit {
  readonly score: number;
  readonly ranges: readonly Range[];
}

const WORD = /[\p{L}\p{N}]+/gu;
const none: readonly never[] = [];

const wordsOf = (folded: string): readonly Word[] =>
  [...folded.matchAll(WORD)].map((match) => ({ text: match[0], start: match.index }));

/** Folds and splits a candidate once, for many queries. */
export function prepare({ title: written, aliases, own = none, path = none }: Candidate): Prepared {
  const folded = fold(written);
  const title = folded.replace(/…$/, '');
  const words = wordsOf(title);
  const initials = words.map(({ text }) => text[0] ?? '').join('');
  return {
    title,
    words,
    initials,
    aliases: aliases.map(fold),
    own: own.map(fold),
    path: path.map((name) => wordsOf(fold(name))),
    isAligned: folded.length === written.length,
  };
}

/** Null if some word of the query does not match. An empty query matches everything with 0. */
export function rank(query: string, candidate: Prepared): Rank | null {
  return rankFolded(foldQuery(query), candidate);
}

/** A query prepared once for many candidates. */
export interface FoldedQuery {
  readonly text: string;
  readonly tokens: readonly string[];
  /** Ancestor names and the final name: "work/inv". Empty: the query is no path. */
  readonly steps: readonly string[];
}

/** Folds and splits a query once, for many candidates. */
export function foldQuery(query: string): FoldedQuery {
  const text = fold(query).trim();
  const steps = text.includes('/') ? text.split('/').map((step) => step.trim()) : [];
  return {
    text,
    tokens: text.split(/\s+/).filter((token) => token !== ''),
    steps: steps.length > 1 && steps.every((step) => step !== '') ? steps : [],
  };
}

/** Scores a prepared candidate; null if the query does not match. Higher is better. */
export function rankFolded(query: FoldedQuery, candidate: Prepared): Rank | null {
  if (query.tokens.length === 0) return { score: 0, matches: [] };
  const hit =
    wholeHit(query, candidate) ??
    better(aliasWholeHit(query, candidate), tokensHit(query.tokens, candidate)) ??
    pathHit(query, candidate);
  if (hit === null) return null;
  const score = hit.score - Math.min(20, candidate.title.length / 4);
  return { score, matches: candidate.isAligned ? join(hit.ranges) : [] };
}

/** A query of several words that is, or begins, the title. */
function wholeHit({ text, tokens }: FoldedQuery, { title, own }: Prepared): Hit | null {
  if (own.includes(text)) return { score: 1000, ranges: [] };
  if (tokens.length < 2 || !title.startsWith(text)) return null;
  return { score: title === text ? 1000 : 820, ranges: [[0, text.length]] };
}

function aliasWholeHit({ text, tokens }: FoldedQuery, { aliases }: Prepared): Hit | null {
  return tokens.length > 1 && aliases.includes(text) ? { score: 580, ranges: [] } : null;
}

const better = (a: Hit | null, b: Hit | null): Hit | null =>
  a !== null && (b?.score ?? 0) < a.score ? a : b;

function tokensHit(tokens: readonly string[], candidate: Prepared): Hit | null {
  const [first = ''] = tokens;
  if (tokens.length === 1) return hitOf(first, candidate);
  const ranges: Range[] = [];
  let weakest = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const token of tokens) {
    const hit = hitOf(token, candidate);
    if (hit === null) return null;
    weakest = Math.min(weakest, hit.score);
    sum += hit.score;
    ranges.push(...hit.ranges);
  }
  return { score: (weakest + sum / tokens.length) / 2 - 10, ranges };
}

/** "work/inv": ancestors in order, each by the prefix of a word, and the last step by the title alone. */
function pathHit({ steps }: FoldedQuery, candidate: Prepared): Hit | null {
  const last = steps.at(-1);
  if (last === undefined || candidate.path.length === 0) return null;
  let above = 0;
  for (const step of steps.slice(0, -1)) {
    while (above < candidate.path.length && !holds(candidate.path[above], step)) above += 1;
    if (above === candidate.path.length) return null;
    above += 1;
  }
  const hit = tokensHit(last.split(/\s+/), { ...candidate, path: none });
  return hit && { ...hit, score: hit.score - 10 };
}

const holds = (words: readonly Word[] | undefined, step: string): boolean =>
  step.split(/\s+/).every((token) => words?.some(({ text }) => text.startsWith(token)));

function hitOf(token: string, candidate: Prepared): Hit | null {
  const found = titleHit(token, candidate);
  if (found) return found;
  let best = wordHit(token, candidate);
  for (const other of [
    aliasHit(token, candidate),
    initialsHit(token, candidate),
    pathWordHit(token, candidate),
  ])
    if (other !== null && (best === null || other.score > best.score)) best = other;
  return best ?? substringHit(token, candidate) ?? runsHit(token, candidate) ?? typoHit(token, candidate);
}

function titleHit(token: string, { title }: Prepared): Hit | null {
  if (!title.startsWith(token)) return null;
  return { score: title === token ? 1000 : 800, ranges: [[0, token.length]] };
}

function wordHit(token: string, { words }: Prepared): Hit | null {
  let score = 0;
  let from = 0;
  words.forEach(({ text, start }, at) => {
    if (!text.startsWith(token)) return;
    const worth = 600 + (at === 0 ? 60 : 0) + (text === token ? 30 : 0) - 4 * at;
    if (worth <= score) return;
    score = worth;
    from = start;
  });
  return score === 0 ? null : { score, ranges: [[from, from + token.length]] };
}

function aliasHit(token: string, { aliases, own }: Prepared): Hit | null {
  let score = own.some((name) => name.startsWith(token)) ? 700 : 0;
  for (const alias of aliases) {
    if (score >= 580) break;
    const closed = alias.includes(' ') ? alias.replaceAll(' ', '') : alias;
    if (alias === token || closed === token) score = 580;
    else if (alias.startsWith(token) || closed.startsWith(token)) score = Math.max(score, 480);
    else if (alias.includes(` ${token}`)) score = Math.max(score, 440);
  }
  return score === 0 ? null : { score, ranges: [] };
}

function initialsHit(token: string, { initials, words }: Prepared): Hit | null {
  const at = token.length < 2 ? -1 : initials.indexOf(token);
  if (at < 0) return null;
  const ranges = words.slice(at, at + token.length).map(({ start }): Range => [start, start + 1]);
  return { score: at === 0 ? 540 : 500, ranges };
}

/** A match in the names of ancestors, weaker than one in its own. */
function pathWordHit(token: string, { path }: Prepared): Hit | null {
  return path.some((words) => words.some(({ text }) => text.startsWith(token)))
    ? { score: 420, ranges: [] }
    : null;
}

function substringHit(token: string, { title }: Prepared): Hit | null {
  const at = title.indexOf(token);
  return at < 0 ? null : { score: 400, ranges: [[at, at + token.length]] };
}

/** Limit of the search: people abbreviate at most this many words. */
const MOST_RUNS = 4;
const MOST_WORDS = 10;

/** "setdue": as few pieces as possible, each the prefix of a word, in order. */
function runsHit(token: string, { words }: Prepared): Hit | null {
  const ranges = runsFrom(token, words.slice(0, MOST_WORDS), { from: 0, most: MOST_RUNS });
  return ranges && { score: 300 - 20 * (ranges.length - 1), ranges };
}

function runsFrom(
  token: string,
  words: readonly Word[],
  { from, most }: { readonly from: number; readonly most: number },
): readonly Range[] | null {
  let best: readonly Range[] | null = null;
  if (most === 0) return null;
  for (let at = from; at < words.length; at += 1) {
    const { text, start } = words[at] as Word;
    let length = 0;
    while (length < text.length && length < token.length && text[length] === token[length]) length += 1;
    // The longest piece may be wrong: "startask" is the "star" of "start" and "task".
    for (; length > 0; length -= 1) {
      const range: Range = [start, start + length];
      const rest =
        length === token.length ? [] : runsFrom(token.slice(length), words, { from: at + 1, most: most - 1 });
      if (rest !== null && (best === null || rest.length + 1 < best.length)) best = [range, ...rest];
      if (best?.length === 1) return best;
    }
  }
  return best;
}

/** One letter wrong, missing, too many or swapped at the beginning of a word. */
function typoHit(token: string, { words }: Prepared): Hit | null {
  if (token.length < 4) return null;
  const word = words.find(({ text }) => isNearPrefix(token, text));
  return word
    ? { score: 180, ranges: [[word.start, word.start + Math.min(token.length, word.text.length)]] }
    : null;
}

function isNearPrefix(token: string, word: string): boolean {
  let at = 0;
  while (at < token.length && token[at] === word[at]) at += 1;
  const rest = token.slice(at);
  const other = word.slice(at);
  const swapped = (rest[1] ?? '') + (rest[0] ?? '') + rest.slice(2);
  return (
    other.startsWith(rest.slice(1)) ||
    (other.length > 0 && other.slice(1).startsWith(rest)) ||
    (other.length > 0 && other.slice(1).startsWith(rest.slice(1))) ||
    (rest.length > 1 && other.startsWith(swapped))
  );
}

function join(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
