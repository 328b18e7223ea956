// Finds the searched words in a title; the comparison ignores case and accents.
import { fold } from '#core/search/fold.ts';

export type Ranges = readonly (readonly [start: number, end: number])[];

export const noRanges: Ranges = [];

/** Ranges of the title in UTF-16 units, in order, not overlapping. */
export function rangesOf(title: string, words: readonly string[]): Ranges {
  const folded = fold(title);
  const found: [number, number][] = [];
  for (const word of words) {
    if (word === '') continue;
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  }
  if (found.length === 0) return noRanges;
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: [number, number][] = [];
  for (const range of found) {
    const last = joined.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push(range);
  }
  if (folded.length === title.length) return joined;
  const places = placesOf(title);
  return joined.map(([start, end]) => [places[start] ?? 0, places[end] ?? title.length]);
}

/** The offset in the title for every offset in the folded title. */
function placesOf(title: string): readonly number[] {
  const places: number[] = [];
  let at = 0;
  for (const point of title) {
    for (let left = fold(point).length; left > 0; left -= 1) places.push(at);
    at += point.length;
  }
  places.push(at);
  return places;
}
