// Release notes arrive as HTML. They are read here with a list of what is allowed; everything else becomes
// plain text or is dropped. The browser's own parser never sees them.

const ELEMENTS: ReadonlySet<string> = new Set([
  'p',
  'ul',
  'ol',
  'li',
  'h3',
  'h4',
  'strong',
  'em',
  'code',
  'pre',
  'br',
  'a',
]);
/** What is inside these is no text either. */
const SWALLOWED = /<(script|style|iframe|object|template|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

const decode = (text: string) =>
  text.replaceAll(/&(#39|[a-z]+);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

function safeAddress(attributes: string): string | null {
  const found = decode(/\bhref\s*=\s*"([^"]*)"/i.exec(attributes)?.[1] ?? '');
  return /^(?:https:\/\/|\/(?!\/)|#)/.test(found) ? found : null;
}

export function drawNotes(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const open: (DocumentFragment | Element)[] = [fragment];
  const top = () => open.at(-1) ?? fragment;
  const clean = html.replaceAll(SWALLOWED, '').replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const [token] of clean.matchAll(/<\/?[a-z][^>]*>|[^<]+|</gi)) {
    const [, slash, rawName = '', attributes = ''] = /^<(\/?)([a-z][a-z0-9]*)([^>]*)>$/i.exec(token) ?? [];
    const name = rawName.toLowerCase();
    if (rawName === '') {
      top().append(decode(token));
      continue;
    }
    if (!ELEMENTS.has(name)) continue;
    if (slash === '/') {
      const at = open.findLastIndex((node) => node.nodeName.toLowerCase() === name);
      if (at > 0) open.length = at;
      continue;
    }
    const element = document.createElement(name);
    const address = name === 'a' ? safeAddress(attributes) : null;
    if (address !== null) element.setAttribute('href', address);
    top().append(element);
    if (name !== 'br') open.push(element);
  }
  return fragment;
}
