// What the built site may weigh, as it travels: compressed by gzip, which every server speaks.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { elementsOf, type HtmlElement, type HtmlNode, readHtml, textOf } from './html.ts';

const KB = 1_024;
const PACKED = new Set(['.webp', '.avif', '.png', '.woff2', '.mp4', '.webm']);

export interface Budget {
  readonly name: string;
  readonly bytes: number;
  readonly most: number;
}

const weightOf = (content: Buffer) => gzipSync(content, { level: 9 }).length;

function fileWeight(folder: string, address: string): number {
  const path = join(folder, 'files', address);
  const content = readFileSync(path);
  return PACKED.has(extname(path)) ? content.length : weightOf(content);
}

/** What is shown on a phone alone, and on everything wider: what is not shown is not asked for. */
const FORMS = { phone: 'for-fingers', computer: 'for-keys' } as const;
type Form = keyof typeof FORMS;

/** Without those far below (carousel, and the film after it), which no window is tall enough for, of each pair of pictures the one that is shown, and of the recordings of keys the first. */
function* nearElements(nodes: readonly HtmlNode[], form: Form): Generator<HtmlElement> {
  const other = FORMS[form === 'phone' ? 'computer' : 'phone'];
  let stages = 0;
  for (const node of nodes) {
    if (typeof node === 'string' || 'data-carousel' in node.attributes) continue;
    const classes = (node.attributes['class'] ?? '').split(' ');
    if (['in-dark', 'together', other].some((name) => classes.includes(name))) continue;
    if ('data-moment' in node.attributes && (stages += 1) > 1) continue;
    yield node;
    yield* nearElements(node.children, form);
  }
}

/** What the front page asks for before anybody scrolls. Pictures that wait for being near count: browsers call half a page near. */
function landingFiles(html: string, form: Form): readonly string[] {
  const asked = [...nearElements(readHtml(html), form)].flatMap(({ tag, attributes }) => {
    const { src, href, poster, rel = '' } = attributes;
    if (tag === 'script') return [src, ...(attributes['data-page']?.split(' ') ?? [])];
    if (tag === 'link') return /stylesheet|^icon|preload/.test(rel) ? [href] : [];
    if (tag === 'video') return [poster];
    return tag === 'img' || tag === 'track' ? [src] : [];
  });
  return [...new Set(asked.filter((address) => address !== undefined))];
}

function budgetsOf(folder: string): readonly Budget[] {
  const assets = readdirSync(join(folder, 'files/assets'));
  const sum = (pattern: RegExp) =>
    assets
      .filter((name) => pattern.test(name))
      .reduce((total, name) => total + fileWeight(folder, `assets/${name}`), 0);
  const html = readFileSync(join(folder, 'pages/index.html'), 'utf8');
  const inside = (wanted: string) =>
    [...elementsOf(readHtml(html))]
      .filter(({ tag, attributes }) => tag === wanted && attributes['type'] === undefined)
      .map(textOf)
      .join('');
  const landing = (form: Form) =>
    ['speculation-rules.json', ...landingFiles(html, form)]
      .filter((address) => existsSync(join(folder, 'files', address)))
      .reduce((total, address) => total + fileWeight(folder, address), weightOf(Buffer.from(html)));
  const script =
    weighed(inside('script')) +
    sum(/^(?!island|guide-finder|public-list|drawn-note|sealed|note-merge).*\.js$/);
  return [
    // With the helper of lazy imports, a file of its own since the page of a public list brings its reader of notes by it.
    { name: 'script of a page', bytes: script, most: 12.5 * KB },
    { name: 'script where React takes over', bytes: script + sum(/^island.*\.js$/), most: 90 * KB },
    { name: 'style, which stands in each page', bytes: weighed(inside('style')), most: 14 * KB },
    { name: 'fonts', bytes: sum(/\.woff2?$/), most: 28 * KB },
    { name: 'script of a public list', bytes: sum(/^(?:public-list|drawn-note).*\.js$/), most: 60 * KB },
    // What opens and seals, and what merges notes of two people once they meet.
    {
      name: 'script of an encrypted public list, besides',
      bytes: sum(/^(?:sealed|note-merge).*\.js$/),
      most: 64 * KB,
    },
    { name: 'front page before scrolling', bytes: landing('computer'), most: 180 * KB },
    { name: 'front page before scrolling, on a phone', bytes: landing('phone'), most: 180 * KB },
  ];
}

const weighed = (text: string) => (text === '' ? 0 : weightOf(Buffer.from(text)));
const kilobytes = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;

export function budgetReport(folder: string): {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
} {
  const budgets = budgetsOf(folder);
  const search = readdirSync(join(folder, 'files/assets')).find((name) => name.startsWith('guide-finder'));
  const later = ['guide-index.json', ...(search ? [`assets/${search}`] : [])].reduce(
    (total, address) => total + fileWeight(folder, address),
    0,
  );
  return {
    lines: [
      ...budgets.map(({ name, bytes, most }) => `${name}: ${kilobytes(bytes)} of ${kilobytes(most)}`),
      `on the first search: ${kilobytes(later)}`,
    ],
    problems: budgets
      .filter(({ bytes, most }) => bytes > most)
      .map(
        ({ name, bytes, most }) => `${name} is over its budget: ${kilobytes(bytes)} of ${kilobytes(most)}`,
      ),
  };
}
