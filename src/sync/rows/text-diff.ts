// Differences between two texts, piece by piece: finer than the single piece of text-change.ts, at a bounded cost.
import { diffCleanupSemantic, diffMain } from 'diff-match-patch-es';
import { spliceOf, type Splice } from './text-change.ts';

/**
 * Limits of the product of both lengths, up to which texts are compared by lines and by characters. Late edits are
 * compared while others wait: characters, which differ more often than lines, must cost less.
 */
const MOST_LINES_COMPARED = 16_000_000;
const MOST_COMPARED = 1_000_000;
/** Number of different parts that fit into the units below the surrogates. */
const MOST_PARTS = 0xd7ff;

/** Every part (a character, a line) as one unit, so that none is split; null when there are too many different ones. */
function encoded(
  from: readonly string[],
  to: readonly string[],
): { readonly from: string; readonly to: string; readonly parts: readonly string[] } | null {
  const parts: string[] = [];
  const codes = new Map<string, string>();
  const encode = (all: readonly string[]): string => {
    const units: string[] = [];
    for (const part of all) {
      let code = codes.get(part);
      if (code === undefined) {
        codes.set(part, (code = String.fromCharCode(parts.length)));
        parts.push(part);
      }
      units.push(code);
    }
    return units.join('');
  };
  const both = { from: encode(from), to: encode(to), parts };
  return parts.length > MOST_PARTS ? null : both;
}

const characters = (text: string): string[] => [...text];
const lines = (text: string): string[] => text.split(/(?<=\n)/);
/** Each with the space before it. */
const words = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? [];

/** Adds a splice, joined with the last one if they touch. */
export function addSplice(splices: Splice[], { at, remove, insert }: Splice): void {
  const last = splices.at(-1);
  if (last === undefined || last.at + last.remove !== at) splices.push({ at, remove, insert });
  else
    splices[splices.length - 1] = {
      at: last.at,
      remove: last.remove + remove,
      insert: last.insert + insert,
    };
}

/** Refines a replaced piece by the parts of its text; null when that is too much work. */
function refined(from: string, { at: start, insert: to }: Splice, split: (text: string) => string[]) {
  const [before, after] = [split(from), split(to)];
  const most = split === lines ? MOST_LINES_COMPARED : MOST_COMPARED;
  const codes = before.length * after.length <= most ? encoded(before, after) : null;
  if (codes === null) return null;
  const diffs = diffMain(codes.from, codes.to, { diffTimeout: 0 }, false);
  if (split === characters) diffCleanupSemantic(diffs);
  const splices: Splice[] = [];
  let at = start;
  for (const [kind, units] of diffs) {
    let piece = '';
    for (let index = 0; index < units.length; index += 1) piece += codes.parts[units.charCodeAt(index)] ?? '';
    if (kind !== 0)
      addSplice(splices, { at, remove: kind < 0 ? piece.length : 0, insert: kind < 0 ? '' : piece });
    if (kind <= 0) at += piece.length;
  }
  return splices;
}

/** As `splicesOf`, in whole words: two that begin alike are two words. */
export function wordSplicesOf(from: string, to: string): readonly Splice[] {
  const whole = { at: 0, remove: from.length, insert: to };
  if (from === '' || to === '') return from === to ? [] : [whole];
  return refined(from, whole, words) ?? [whole];
}

/** The differences between two texts, piece by piece, ascending. The same for the same texts on every machine. */
export function splicesOf(from: string, to: string): readonly Splice[] {
  const whole = spliceOf(from, to);
  if (whole === null) return [];
  const finer = (splice: Splice, split: typeof lines): readonly Splice[] => {
    if (splice.remove === 0 || splice.insert === '') return [splice];
    return refined(from.slice(splice.at, splice.at + splice.remove), splice, split) ?? [splice];
  };
  if (whole.remove * whole.insert.length <= MOST_COMPARED) return finer(whole, characters);
  return finer(whole, lines).flatMap((splice) =>
    splice.remove * splice.insert.length <= MOST_COMPARED ? finer(splice, characters) : [splice],
  );
}
