// What the page of a public list says about its link, the same for the server, which says it first, and for the page.
import { drawn, type Drawn } from '#core/markdown/drawn.ts';
import type { LinkMay } from './public-links.ts';

const DEEDS = [
  ['add', 'add tasks'],
  ['complete', 'complete tasks'],
  ['titles', 'edit titles'],
  ['notes', 'edit notes'],
] as const satisfies readonly (readonly [keyof LinkMay, string])[];

/** By hand: what browsers have for it takes a phone a fifth of a second to begin with. */
function listed(words: readonly string[]): string {
  const [first = '', second = ''] = words;
  if (words.length < 3) return second === '' ? first : `${first} and ${second}`;
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}

/** What a visitor can do here. */
export function aboutText(may: LinkMay): readonly Drawn[] {
  const deeds = DEEDS.flatMap(([name, words]) => (may[name] ? [words] : []));
  const can = deeds.length === 0 ? 'You can look at this list.' : `You can ${listed(deeds)}.`;
  const keys = drawn('span', { class: 'for-keys' }, [' Press ', drawn('kbd', {}, ['?']), ' for the keys.']);
  return [can, keys];
}
