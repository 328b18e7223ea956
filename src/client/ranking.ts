// How well a query fits a title and its aliases: tiers first, so that a better kind of match always wins, and ranges of
// the title that matched. Usage and context are added by palette.ts.
import { fold } from '#core/search/fold.ts';

export interface Candidate {
  readonly title: string;
  readonly aliases: readonly string[];
}

/** A candidate prepared once for many queries. */
export interface Prepared {
  readonly title: string;
  readonly words: readonly Word[];
  readonly initials: string;
  readonly aliases: readonly string[];
}

interface Word {
  readonly text: string;
  readonly start: number;
}

export type Range = readonly [start: number, end: number];

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

export function prepare(candidate: Candidate): Prepared {
  const title = fold(candidate.title);
  const words = [...title.matchAll(WORD)].map((match) => ({ text: match[0], start: match.index }));
  const initials = words.map(({ text }) => text[0] ?? '').join('');
  return { title, words, initials, aliases: candidate.aliases.map(fold) };
}

/** Null when some word of the query does not match. An empty query matches everything with 0. */
export function rank(query: string, candidate: Prepared): Rank | null {
  const folded = fold(query).trim();
  const tokens = folded.split(/\s+/).filter((token) => token !== '');
  if (tokens.length === 0) return { score: 0, matches: [] };
  const penalty = Math.min(20, candidate.title.length / 4);
  if (tokens.length > 1 && candidate.title.startsWith(folded)) {
    const score = candidate.title === folded ? 1000 : 820;
    return { score: score - penalty, matches: [[0, folded.length]] };
  }
  const hits: Hit[] = [];
  for (const token of tokens) {
    const hit = hitOf(token, candidate);
    if (hit === null) return null;
    hits.push(hit);
  }
  const scores = hits.map(({ score }) => score);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const score = tokens.length === 1 ? mean : (Math.min(...scores) + mean) / 2 - 10;
  return { score: score - penalty, matches: join(hits.flatMap(({ ranges }) => ranges)) };
}

function hitOf(token: string, candidate: Prepared): Hit | null {
  const hits = [
    titleHit(token, candidate),
    wordHit(token, candidate),
    aliasHit(token, candidate),
    initialsHit(token, candidate),
    substringHit(token, candidate),
  ].filter((hit) => hit !== null);
  if (hits.length > 0) return hits.reduce((best, hit) => (hit.score > best.score ? hit : best));
  return runsHit(token, candidate) ?? typoHit(token, candidate);
}

function titleHit(token: string, { title }: Prepared): Hit | null {
  if (!title.startsWith(token)) return null;
  return { score: title === token ? 1000 : 800, ranges: [[0, token.length]] };
}

function wordHit(token: string, { words }: Prepared): Hit | null {
  const at = words.findIndex(({ text }) => text.startsWith(token));
  const word = words[at];
  if (!word) return null;
  const score = 600 + (at === 0 ? 60 : 0) + (word.text === token ? 30 : 0) - 4 * at;
  return { score, ranges: [[word.start, word.start + token.length]] };
}

function aliasHit(token: string, { aliases }: Prepared): Hit | null {
  let score = 0;
  for (const alias of aliases) {
    const closed = alias.replaceAll(' ', '');
    if (alias === token || closed === token) score = Math.max(score, 580);
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

function substringHit(token: string, { title }: Prepared): Hit | null {
  const at = title.indexOf(token);
  return at < 0 ? null : { score: 400, ranges: [[at, at + token.length]] };
}

/** "setdue": pieces that each begin a word, in order. */
function runsHit(token: string, { words }: Prepared): Hit | null {
  const ranges: Range[] = [];
  let at = 0;
  for (const { text, start } of words) {
    let length = 0;
    while (length < text.length && at + length < token.length && text[length] === token[at + length])
      length += 1;
    if (length > 0) ranges.push([start, start + length]);
    at += length;
    if (at === token.length) return { score: 300 - 20 * (ranges.length - 1), ranges };
  }
  return null;
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
