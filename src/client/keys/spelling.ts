// Spells a pressed stroke so that it means the same on another kind of keyboard.
import { parseKeys, type Stroke } from './stroke.ts';

export const MOST_STROKES = 4;
const SPELLED = /^(?:(?:Mod|Ctrl|Alt|Shift|Meta)\+)*(?:[^\s+]|\+|[A-Z][A-Za-z]+\d{0,2}|F\d{1,2})$/i;

/** `⌘K` pressed on an Apple keyboard is written `Mod+k`, as is `Ctrl+K` elsewhere. */
export function spelledOf(strokes: readonly Stroke[], apple: boolean): string {
  const main = apple ? 'Meta' : 'Ctrl';
  return strokes
    .map((stroke) => {
      const at = stroke.lastIndexOf('+', stroke.length - 2);
      const modifiers = at < 0 ? [] : stroke.slice(0, at).split('+');
      const name = at < 0 ? stroke : stroke.slice(at + 1);
      const others = modifiers.filter((modifier) => modifier !== main);
      return [...(modifiers.includes(main) ? ['Mod'] : []), ...others, name].join('+');
    })
    .join(' ');
}

/** Whether a text spells keys. */
export function isSpelled(text: string): boolean {
  const parts = text.split(' ');
  return (
    parts.length <= MOST_STROKES &&
    parts.every((part) => SPELLED.test(part)) &&
    parseKeys(text, true).length > 0
  );
}
