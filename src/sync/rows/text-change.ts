// Differences between two texts as pieces to replace, and how a position in a text moves when the text changes. Offsets
// count UTF-16 units and never split a character. Differences in several pieces are text-diff.ts.

/** Replaces `remove` units at `at` of the old text with `insert`. */
export interface Splice {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function splitsCharacter(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

const isSpace = (unit: string | undefined): boolean => unit === undefined || unit === ' ' || unit === '\n';

/**
 * A pure insertion or deletion may fit several positions ("two " or "wo t" of "two three"): a whole word is what people
 * mean, and what merges well with edits of others beside it.
 */
function wordwise(from: string, splice: Splice): Splice {
  const { at, remove, insert } = splice;
  if (remove > 0 && insert !== '') return splice;
  const piece = remove > 0 ? from.slice(at, at + remove) : insert;
  let start = at;
  const lastAt = (slid: number) =>
    piece[(((piece.length - 1 - slid) % piece.length) + piece.length) % piece.length];
  while (!isSpace(from[start - 1]) && from[start - 1] === lastAt(at - start)) start -= 1;
  if (start === at || !isSpace(from[start - 1])) return splice;
  const turn = (at - start) % piece.length;
  const turned = piece.slice(piece.length - turn) + piece.slice(0, piece.length - turn);
  return { at: start, remove, insert: remove > 0 ? '' : turned };
}

/** The one piece in which two texts differ; null when they are equal. */
export function spliceOf(from: string, to: string): Splice | null {
  if (from === to) return null;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start += 1;
  if (splitsCharacter(from, start) || splitsCharacter(to, start)) start -= 1;
  let end = 0;
  while (
    end < shorter - start &&
    from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)
  )
    end += 1;
  if (splitsCharacter(from, from.length - end) || splitsCharacter(to, to.length - end)) end -= 1;
  const insert = to.slice(start, to.length - end);
  return wordwise(from, { at: start, remove: from.length - end - start, insert });
}

/** The text after the splices, which are ascending, disjoint, and in offsets of the old text. */
export function withSplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let done = 0;
  for (const { at, remove, insert } of splices) {
    result += text.slice(done, at) + insert;
    done = at + remove;
  }
  return result + text.slice(done);
}

/**
 * The position after the splices (ascending, not overlapping) of a position before them. An insertion exactly there
 * goes behind it, or with `isAfter` before it.
 */
export function placeAfter(splices: readonly Splice[], place: number, isAfter = false): number {
  let shift = 0;
  for (const { at, remove, insert } of splices) {
    if (at > place || (at === place && remove === 0 && !isAfter)) break;
    if (at + remove > place) return at + shift + (isAfter ? insert.length : 0);
    shift += insert.length - remove;
  }
  return place + shift;
}

/** Applies the change from `from` to `to` to `onto`, another successor of `from`: no insertion of either is lost. */
export function carryOver(from: string, to: string, onto: string): string {
  if (from === onto) return to;
  const typed = spliceOf(from, to);
  const other = spliceOf(from, onto);
  if (typed === null || other === null) return typed === null ? onto : to;
  const start = placeAfter([other], typed.at, true);
  // The other's insertions inside a piece removed here stay.
  const end = Math.max(start, placeAfter([other], typed.at + typed.remove));
  const isAcross = typed.at <= other.at && typed.at + typed.remove >= other.at + other.remove;
  if (!isAcross) return onto.slice(0, start) + typed.insert + onto.slice(end);
  const head = onto.slice(0, typed.at) + typed.insert;
  return head + other.insert + onto.slice(typed.at + typed.remove + other.insert.length - other.remove);
}
