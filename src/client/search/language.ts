// Lazy part of the search language. Until it is loaded, a query is read as words.
import { lazyPart } from '../loading/lazy-part.ts';

/** Queries with operators, smart lists, and highlighting. Loaded with the rest. */
export const languagePart = lazyPart('The search language', () => import('./language-exports.ts'));

/** Whether a query consists of words only, none of them a label as in a title. */
export function isPlain(query: string): boolean {
  return !/["“”():|!&-]|(?<!\S)#|\b(?:OR|AND|NOT)\b/u.test(query);
}
