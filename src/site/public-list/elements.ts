// Making elements, and texts with links in them. Markup is never read from a text: whatever people write stays text.

type Attributes = Readonly<Record<string, string | boolean | number | undefined>>;

/** An element with attributes; those that are false or undefined are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  made.append(...inside);
  return made;
}

const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`]+/gi;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

function linkTo(text: string): HTMLElement | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!SCHEMES.has(url.protocol)) return null;
  const rel = 'nofollow ugc noopener noreferrer';
  return element('a', { href: url.href, rel, target: '_blank' }, text);
}

/** A text with its addresses as links. */
export function withLinks(text: string): readonly (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    // Signs that end a sentence are not part of it.
    const address = match[0].replace(/[.,;:!?)\]]+$/, '');
    const link = linkTo(address);
    if (link === null) continue;
    parts.push(text.slice(at, match.index), link);
    at = match.index + address.length;
  }
  parts.push(text.slice(at));
  return parts;
}
