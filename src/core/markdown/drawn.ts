// Texts of people as elements of a document, as plain data: the server writes them as HTML, a page makes elements of them, and both
// come to the same. Names of elements and attributes are ours alone; whatever a text says stays text.
import { breakable } from './long-words.ts';

/** A text, or an element with what is in it. */
export type Drawn = string | DrawnElement;

/** An element. Attributes that are undefined are left out. */
export interface DrawnElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly inside: readonly Drawn[];
}

/** An element of a document. */
export const drawn = (
  name: string,
  attributes: DrawnElement['attributes'] = {},
  inside: readonly Drawn[] = [],
): DrawnElement => ({ name, attributes, inside });

/** A link to an address that may be opened, in a place that cannot reach back and that search engines do not follow. */
export const drawnLink = (address: string, inside: readonly Drawn[]): DrawnElement =>
  drawn('a', { href: address, rel: 'nofollow ugc noopener noreferrer', target: '_blank' }, inside);

/** A text with places where a very long word may break. */
export const drawnWords = (text: string): readonly Drawn[] =>
  breakable(text).flatMap((piece, at): readonly Drawn[] =>
    at === 0 ? [piece.text] : [drawn('wbr'), piece.text],
  );

const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`]+/gi;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

function safeAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return SCHEMES.has(url.protocol) ? url.href : null;
}

const ENDS: ReadonlySet<string> = new Set('.,;:!?)]');

/** Signs that end a sentence are not part of an address. From the end, so that many of them take no longer than few. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ENDS.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text that is no Markdown, such as a title, with its addresses as links. */
export function drawnText(text: string): readonly Drawn[] {
  const parts: Drawn[] = [];
  let at = 0;
  const until = (end: number) => {
    if (end > at) parts.push(...drawnWords(text.slice(at, end)));
  };
  for (const match of text.matchAll(ADDRESS)) {
    const written = withoutEnd(match[0]);
    const address = safeAddress(written);
    if (address === null) continue;
    until(match.index);
    parts.push(drawnLink(address, drawnWords(written)));
    at = match.index + written.length;
  }
  until(text.length);
  return parts;
}

const SIGNS = /[*_~`#>[\]\\]|:\/\/|@|www\.|^[ \t]*(?:[-+=]|\d+[.)])/m;

/** Whether a note may say anything in Markdown. Without its signs the text is all there is, and nothing has to be read. */
export const hasSigns = (text: string): boolean => SIGNS.test(text);
