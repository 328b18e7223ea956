// Matches a query against a setting: every word must occur somewhere in the setting's texts.
import { fold } from '#core/search/fold.ts';

/** Prepares a query once for many settings; ignores case and accents. */
export function loosely(query: string): (texts: readonly string[]) => boolean {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (texts) => {
    const all = fold(texts.join('\n'));
    return words.every((word) => all.includes(word));
  };
}
