// Reads the little HTML that outliners put into titles and notes: its words and its addresses. Other tags are text.

export interface Marked {
  /** Without any markup. */
  readonly words: string;
  /** As Markdown: links keep their addresses. */
  readonly linked: string;
  /** Each once. */
  readonly addresses: readonly string[];
}

const SIGNS = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /&(lt|gt|amp|quot|apos|nbsp);/g;
const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^<>]{0,4000})>/gi;
const KNOWN: ReadonlySet<string> = new Set(
  `a abbr b big blockquote br code del div em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark mention ol p pre s small span
  strike strong sub sup time tt u ul`.split(/\s+/),
);
const ADDRESS = /(?:^|\s)(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;
const USABLE = /^(?:https?|mailto|tel):[^\s<>()]+$/i;

const unescaped = (text: string) =>
  text.replaceAll(ENTITY, (whole, name: keyof typeof SIGNS) => SIGNS[name] ?? whole);

function addressIn(attributes: string): string | null {
  const [, double, single, bare] = ADDRESS.exec(attributes) ?? [];
  const address = unescaped(double ?? single ?? bare ?? '').trim();
  return USABLE.test(address) ? address : null;
}

function linkTo(words: string, address: string): string {
  if (words === '' || words === address) return address;
  return `[${words.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${address})`;
}

const ALONE: ReadonlySet<string> = new Set(['br', 'hr', 'img']);

/**
 * The tags that are markup: known ones that stand alone or have their other half. What nobody closes was written as a word:
 * "a <div> and a <b>".
 */
function tagsIn(text: string): readonly RegExpExecArray[] {
  const found = [...text.matchAll(TAG)].filter(([, , name = '']) => KNOWN.has(name.toLowerCase()));
  const markup = new Set<RegExpExecArray>();
  const open = new Map<string, RegExpExecArray[]>();
  for (const tag of found) {
    const name = (tag[2] ?? '').toLowerCase();
    if (ALONE.has(name)) {
      if (name !== 'img' || addressIn(tag[3] ?? '') !== null) markup.add(tag);
    } else if (tag[1] === '') {
      const same = open.get(name);
      if (same) same.push(tag);
      else open.set(name, [tag]);
    } else {
      const first = open.get(name)?.pop();
      if (first !== undefined) markup.add(first).add(tag);
    }
  }
  return found.filter((tag) => markup.has(tag));
}

/** Reads a title or a note. Linear in the text. */
export function readMarkup(text: string): Marked {
  if (!text.includes('<') && !text.includes('&')) return { words: text, linked: text, addresses: [] };
  const words: string[] = [];
  const linked: string[] = [];
  const addresses = new Set<string>();
  /** The open link: its address, and the start of its words in both outputs. */
  let link: { readonly address: string; readonly from: number; readonly linkedFrom: number } | null = null;
  const add = (part: string) => {
    words.push(part);
    linked.push(part);
  };
  const close = () => {
    if (link === null) return;
    linked.splice(link.linkedFrom, linked.length, linkTo(words.slice(link.from).join(''), link.address));
    link = null;
  };
  let at = 0;
  for (const tag of tagsIn(text)) {
    const [whole, slash, name = '', attributes = ''] = tag;
    add(unescaped(text.slice(at, tag.index)));
    at = tag.index + whole.length;
    const kind = name.toLowerCase();
    if (kind === 'br') add('\n');
    if (kind === 'a') close();
    const address = slash === '' && (kind === 'a' || kind === 'img') ? addressIn(attributes) : null;
    if (address === null) continue;
    addresses.add(address);
    if (kind === 'a') link = { address, from: words.length, linkedFrom: linked.length };
    else if (link === null) linked.push(address);
  }
  add(unescaped(text.slice(at)));
  close();
  // Tags alone are what somebody wrote about: "<br>".
  if (words.join('').trim() === '' && addresses.size === 0)
    return { words: text, linked: text, addresses: [] };
  return { words: words.join(''), linked: linked.join(''), addresses: [...addresses] };
}
