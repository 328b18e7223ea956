// Writes elements as HTML. Every text and every attribute is escaped: nothing that people write is ever markup.
import type { Drawn } from '#core/markdown/drawn.ts';

const VOID: ReadonlySet<string> = new Set(['hr', 'input', 'wbr']);

/** A text as it stands in HTML, in an attribute or outside. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Elements as HTML. */
export function htmlOf(parts: readonly Drawn[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return escaped(part);
      const { name, attributes, inside } = part;
      const said = Object.entries(attributes).flatMap(([key, value]) =>
        value === undefined ? [] : [` ${key}="${escaped(value)}"`],
      );
      // What follows at once after this tag as a line end is left out by browsers.
      const first = name === 'pre' ? '\n' : '';
      const open = `<${name}${said.join('')}>${first}`;
      return VOID.has(name) ? open : `${open}${htmlOf(inside)}</${name}>`;
    })
    .join('');
}
