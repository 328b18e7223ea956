// Whether a setting is meant by what was typed: every word of it stands somewhere among the setting's own words.
import { fold } from '#core/search/fold.ts';

export function loosely(query: string): (texts: readonly string[]) => boolean {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (texts) => {
    const all = fold(texts.join('\n'));
    return words.every((word) => all.includes(word));
  };
}
