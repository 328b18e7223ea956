// Making elements. Markup is never read from a text: whatever people write stays text.
import type { Drawn } from '#core/markdown/drawn.ts';

type Attributes = Readonly<Record<string, string | boolean | number | undefined>>;

const SVG = 'http://www.w3.org/2000/svg';
const PICTURES: ReadonlySet<string> = new Set(['svg', 'circle']);

/** Sets attributes; those that are false or undefined are removed. */
export function setAttributes(made: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes))
    if (value === undefined || value === false) made.removeAttribute(key);
    else made.setAttribute(key, value === true ? '' : String(value));
}

/** An element with attributes; those that are false or undefined are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...inside);
  return made;
}

/** What was drawn as plain data, as nodes. */
export function nodesOf(parts: readonly Drawn[]): readonly (Node | string)[] {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    const { name, attributes, inside } = part;
    const made = PICTURES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
    setAttributes(made, attributes);
    made.append(...nodesOf(inside));
    return made;
  });
}
