// What the page of a public list says and offers besides its tasks, the same for the server, which says it first, and for the page.
import { drawn, type Drawn } from '#core/markdown/drawn.ts';
import type { LinkMay } from '../public-links.ts';

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

const LONGEST_NICK = 40;

/** What a visitor adds with, and what they call themselves (`hasName`); empty where nothing can be changed. */
export function visitorBar(may: LinkMay, hasName = true): readonly Drawn[] {
  if (!hasName && !may.add) return [];
  if (!DEEDS.some(([name]) => may[name])) return [];
  const adding = drawn('button', { type: 'button', class: 'add' }, ['+ Add something']);
  const nick = drawn('input', {
    type: 'text',
    maxlength: String(LONGEST_NICK),
    autocomplete: 'nickname',
  });
  const name = drawn('label', { class: 'nick' }, ['Your name, if you like ', nick]);
  return [drawn('div', { class: 'visitor' }, [...(may.add ? [adding] : []), ...(hasName ? [name] : [])])];
}
