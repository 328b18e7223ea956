// Extracts the text of an HTML mail. Reads only tags: nothing is run, fetched or kept as markup, so the worst result is odd
// text. Takes time proportional to the length, for any content.

const BLOCKS = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
/** An empty line before and after. */
const PARAGRAPHS = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'ul',
  'ol',
  'table',
  'pre',
]);
/** Elements whose content is not for reading. */
const UNREAD = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'iframe',
  'object',
  'svg',
]);
const LONGEST_TAG = 8_192;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  zwj: '',
  shy: '',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  deg: '°',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ntilde: 'ñ',
};

function entity(whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMED[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isText = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isText ? String.fromCodePoint(code) : '';
}

const decodeEntities = (text: string) =>
  text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8}\d{0,2});/gi, entity);

/** Remembers from where a text no longer occurs, so that it is searched for only once. */
class Finder {
  readonly #text: string;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  from(mark: string, at: number): number {
    if (this.#missing.has(mark)) return -1;
    const found = this.#text.indexOf(mark, at);
    if (found < 0) this.#missing.add(mark);
    return found;
  }
}

/** The end of the tag that begins at `at`: the first `>` outside quotes. */
function endOfTag(html: string, at: number, find: Finder): number {
  if (find.from('>', at) < 0) return -1;
  const limit = Math.min(html.length, at + LONGEST_TAG);
  let quote = '';
  for (let here = at; here < limit; here += 1) {
    const sign = html[here] ?? '';
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '>') return here;
    else if ((sign === '"' || sign === "'") && /=\s*$/.test(html.slice(Math.max(at, here - 4), here)))
      quote = sign;
  }
  return find.from('>', at);
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
}

class Writer {
  readonly #lines: string[] = [];
  /** The current line in pieces: joined once, so that a long line costs no more than short ones. */
  #pieces: string[] = [];
  #isBlank = true;
  #endsInSpace = true;
  #isPre = 0;

  text(text: string): void {
    if (this.#isPre > 0) {
      const [first = '', ...rest] = text.split('\n');
      this.sign(first);
      for (const line of rest) {
        this.lineEnd();
        this.sign(line);
      }
      return;
    }
    const plain = text.replaceAll(/[\s\u00a0]+/g, ' ');
    this.sign(this.#endsInSpace && plain.startsWith(' ') ? plain.slice(1) : plain);
  }

  /** Verbatim, without collapsing spaces. */
  sign(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#endsInSpace = text.endsWith(' ');
    if (text.trim() !== '') this.#isBlank = false;
  }

  lineEnd(): void {
    this.#lines.push(this.#pieces.join('').trimEnd());
    this.#begin();
  }

  /** The next text starts on a new line. */
  block(isParagraph: boolean): void {
    if (this.#isBlank) this.#begin();
    else this.lineEnd();
    if (isParagraph && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
  }

  pre(by: 1 | -1): void {
    this.#isPre = Math.max(0, this.#isPre + by);
  }

  get result(): string {
    this.lineEnd();
    return this.#lines
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  #begin(): void {
    this.#pieces = [];
    this.#isBlank = true;
    this.#endsInSpace = true;
  }
}

/** Addresses that are useful in a note. */
const isLink = (address: string) => /^(https?:\/\/|mailto:|tel:)/i.test(address) && !/\s/.test(address);

class Reading {
  readonly #html: string;
  readonly #find: Finder;
  readonly #out = new Writer();
  #link: { readonly address: string; text: string } | null = null;

  constructor(html: string) {
    this.#html = html;
    this.#find = new Finder(html);
  }

  read(): string {
    const html = this.#html;
    let at = 0;
    while (at < html.length) {
      const open = this.#find.from('<', at);
      if (open < 0) {
        this.#text(html.slice(at));
        break;
      }
      this.#text(html.slice(at, open));
      at = this.#markup(open);
    }
    return this.#out.result;
  }

  #text(text: string): void {
    if (text === '') return;
    const plain = decodeEntities(text);
    if (this.#link) this.#link.text += plain;
    this.#out.text(plain);
  }

  /** Returns where the text continues. */
  #markup(at: number): number {
    const html = this.#html;
    if (html.startsWith('<!--', at)) {
      const end = this.#find.from('-->', at + 4);
      return end < 0 ? this.#after(at) : end + 3;
    }
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(at, at + 20))?.[1]?.toLowerCase();
    if (name === undefined) {
      if (html[at + 1] === '!' || html[at + 1] === '?') return this.#after(at);
      // A lone sign, as in "a < b".
      this.#text('<');
      return at + 1;
    }
    const end = endOfTag(html, at, this.#find);
    if (end < 0) {
      this.#text('<');
      return at + 1;
    }
    const isEnd = html[at + 1] === '/';
    if (!isEnd && UNREAD.has(name)) return this.#skip(name, end + 1);
    this.#tag(name, isEnd, html.slice(at, Math.min(end + 1, at + LONGEST_TAG)));
    return end + 1;
  }

  #after(at: number): number {
    const end = this.#find.from('>', at);
    return end < 0 ? this.#html.length : end + 1;
  }

  #skip(name: string, from: number): number {
    for (const spelling of [`</${name}`, `</${name.toUpperCase()}`]) {
      const end = this.#find.from(spelling, from);
      if (end >= 0) return this.#after(end);
    }
    // Never closed: the rest is read, since too much is better than too little.
    return from;
  }

  #tag(name: string, isEnd: boolean, tag: string): void {
    const out = this.#out;
    if (name === 'a') this.#anchor(isEnd, tag);
    else if (name === 'br') out.lineEnd();
    else if (name === 'img' && !isEnd) this.#text(attribute(tag, 'alt'));
    else if ((name === 'td' || name === 'th') && isEnd) out.text(' ');
    else if (BLOCKS.has(name)) {
      out.block(PARAGRAPHS.has(name));
      if (name === 'pre') out.pre(isEnd ? -1 : 1);
      if (isEnd) return;
      if (name === 'li') out.sign('- ');
      if (name === 'hr') {
        out.sign('---');
        out.lineEnd();
      }
    }
  }

  #anchor(isEnd: boolean, tag: string): void {
    const link = this.#link;
    this.#link = null;
    if (link && isLink(link.address)) {
      const text = link.text.trim();
      const bare = link.address.replace(/^mailto:|^tel:/i, '');
      if (text !== link.address && text !== bare) this.#out.text(text === '' ? bare : ` (${bare})`);
    }
    if (!isEnd) this.#link = { address: attribute(tag, 'href'), text: '' };
  }
}

export function textOfHtml(html: string): string {
  return new Reading(html).read();
}
