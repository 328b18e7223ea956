// Reads the markup that React has drawn, for what is made from it: the markdown twins, the check of the links, the size of
// things. Regular markup only; it is no browser.

export interface HtmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly HtmlNode[];
}
export type HtmlNode = HtmlElement | string;

const VOID = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'source', 'track', 'wbr']);
const RAW = new Set(['script', 'style']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

export function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([a-z][\w:-]*)(?:="([^"]*)")?/gi))
    found[name.toLowerCase()] = decode(value);
  return found;
}

/** The nodes of a piece of markup. */
export function readHtml(html: string): readonly HtmlNode[] {
  interface Open {
    readonly tag: string;
    readonly attributes: Record<string, string>;
    readonly children: HtmlNode[];
  }
  const root: Open = { tag: '', attributes: {}, children: [] };
  const stack: Open[] = [root];
  const top = () => stack.at(-1) ?? root;
  const pattern =
    /<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*(\/?)>/gi;
  let at = 0;
  const textUpTo = (end: number) => {
    if (end > at) top().children.push(RAW.has(top().tag) ? html.slice(at, end) : decode(html.slice(at, end)));
  };
  for (const match of html.matchAll(pattern)) {
    const [whole, slash, rawTag, attributes = '', closed] = match;
    const tag = rawTag?.toLowerCase();
    if (RAW.has(top().tag) && !(slash && tag === top().tag)) continue;
    textUpTo(match.index);
    at = match.index + whole.length;
    if (tag === undefined) continue;
    if (slash) {
      const open = stack.findLastIndex((each) => each.tag === tag);
      if (open > 0) stack.length = open;
      continue;
    }
    const element: Open = { tag, attributes: attributesOf(attributes), children: [] };
    top().children.push(element);
    if (!VOID.has(tag) && !closed) stack.push(element);
  }
  textUpTo(html.length);
  return root.children;
}

/** Every element below these nodes, in the order of the document. */
export function* elementsOf(nodes: readonly HtmlNode[]): Generator<HtmlElement> {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    yield node;
    yield* elementsOf(node.children);
  }
}

export function textOf(node: HtmlNode): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
