// Looks through the built site: does every link lead somewhere, is every page within its budget, has every page what it must
// have. Reads dist/site only; it asks no server.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConditions, siteConditions } from '#wire/site-conditions.ts';
import { ROOT } from '../files.ts';
import { budgetReport } from './budgets.ts';
import { elementsOf, type HtmlElement, readHtml, textOf } from './html.ts';
import { markupFaults } from './markup-rules.ts';

const FOLDER = join(ROOT, 'dist/site');
const LONGEST = { title: 60, description: 155 } as const;

/** Addresses that the server answers and the build does not. */
const SERVER_OWN = [/^\/app(?:$|[/?])/, /^\/changelog\.atom$/, /^\/openapi\.json$/, /^\/api\//];

interface Table {
  readonly pages: Readonly<
    Record<string, { readonly file: string; readonly outcomes: Readonly<Record<string, string>> }>
  >;
  readonly redirects: Readonly<Record<string, string>>;
}

interface Guide {
  readonly id: string;
  readonly status: 'built' | 'planned';
}

export interface PageReport {
  readonly path: string;
  /** What is wrong with its markup. */
  readonly faults: readonly string[];
  readonly elements: readonly HtmlElement[];
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

export interface SiteReport {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
  /** With everything set. */
  readonly pages: readonly PageReport[];
  /** The same with nothing set. */
  readonly bare: readonly PageReport[];
}

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');

/** Pages are looked at as a server with everything set shows them, and as one with nothing set. */
type Setting = 'everything set' | 'nothing set';
const HOLDING: Readonly<Record<Setting, ReadonlySet<string>>> = {
  'everything set': new Set(siteConditions),
  'nothing set': new Set(),
};

function pageOf(path: string, file: string, setting: Setting): PageReport {
  const nodes = readHtml(resolveConditions(read(file), HOLDING[setting]));
  const elements = [...elementsOf(nodes)];
  return {
    path,
    faults: markupFaults(nodes),
    elements,
    ids: new Set(elements.flatMap(({ attributes }) => attributes['id'] ?? [])),
    links: elements.flatMap(({ tag, attributes }) => (tag === 'a' ? (attributes['href'] ?? []) : [])),
  };
}

function leadsSomewhere(target: string, pages: ReadonlyMap<string, PageReport>, from: PageReport): boolean {
  const [address = '', anchor = ''] = target.split('#');
  const [path = ''] = address.split('?');
  const page = path === '' ? from : pages.get(path);
  if (page) return anchor === '' || page.ids.has(anchor);
  return isServerOwn(path) || existsSync(join(FOLDER, 'files', path));
}

const isServerOwn = (path: string) => SERVER_OWN.some((own) => own.test(path));
const isInside = (link: string) => link.startsWith('/') || link.startsWith('#');
const isKnownOutside = (link: string) => /^(?:https:\/\/|mailto:|web\+posthaste:)/.test(link);

/** Of `all`, the outcomes of forms too; `pages` are what can be led to. */
function deadLinks(all: readonly PageReport[], pages: ReadonlyMap<string, PageReport>): readonly string[] {
  return all.flatMap((page) =>
    page.links
      .filter((link) => (isInside(link) ? !leadsSomewhere(link, pages, page) : !isKnownOutside(link)))
      .map((link) => `${page.path} links to ${link}, which is not there`),
  );
}

const RESOURCES = ['src', 'srcset', 'poster', 'data-poster', 'data-film', 'data-film-dark'];

/** What a page draws, plays or names beside its links: scripts, styles, pictures, films, its picture for shared links. */
function resourcesOf({ elements }: PageReport): readonly string[] {
  return elements.flatMap(({ tag, attributes }) => [
    ...RESOURCES.flatMap((name) => attributes[name] ?? []),
    ...(tag === 'link' && attributes['rel'] !== 'canonical' ? [attributes['href'] ?? ''] : []),
    ...(attributes['property'] === 'og:image' ? [attributes['content'] ?? ''] : []),
  ]);
}

function missingResources(all: readonly PageReport[]): readonly string[] {
  return all.flatMap((page) =>
    resourcesOf(page)
      .map((address) => address.replace('%ORIGIN%', ''))
      .filter((address) =>
        address.startsWith('#')
          ? !page.ids.has(address.slice(1))
          : !existsSync(join(FOLDER, 'files', address)) && !isServerOwn(address),
      )
      .map((address) => `${page.path} needs ${address}, which is not there`),
  );
}

/** What the site promises of its links, wherever they stand. */
function wrongLinks({ path, elements }: PageReport): readonly string[] {
  const links = elements.filter(({ tag }) => tag === 'a').map(({ attributes }) => attributes);
  return [
    ...links
      .filter(({ href, target }) => href === '/app/' && target !== '_blank')
      .map(() => `${path} leads to the web app without a tab of its own`),
    ...links
      .filter((attributes) => attributes['href'] === '/download' && !('data-download' in attributes))
      .map(() => `${path} has a download that is not counted`),
  ];
}

function linkLines(pages: readonly PageReport[]): readonly string[] {
  const links = pages.flatMap((page) => page.links);
  const inside = links.filter(isInside);
  const anchors = inside.filter((link) => link.includes('#'));
  const places = new Set(inside.map((link) => link.split(/[#?]/)[0]));
  const resources = new Set(pages.flatMap(resourcesOf));
  return [
    `links: ${inside.length} inside the site to ${places.size} addresses, ${anchors.length} of them to anchors; ${links.length - inside.length} outside`,
    `files that pages need: ${resources.size}`,
  ];
}

/** Pages that nobody can come to by following links from the front page. */
function orphans(pages: ReadonlyMap<string, PageReport>): readonly string[] {
  const seen = new Set<string>();
  const waiting = ['/'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const page = pages.get(path);
    if (!page || seen.has(path)) continue;
    seen.add(path);
    waiting.push(...page.links.filter(isInside).map((link) => (link.split(/[#?]/)[0] ?? '') || page.path));
  }
  return [...pages.values()]
    .filter(({ path, elements }) => !seen.has(path) && !isHidden(elements))
    .map(({ path }) => `${path} is linked from nowhere`);
}

const metaOf = (elements: readonly HtmlElement[], name: string) =>
  elements.find(({ tag, attributes }) => tag === 'meta' && attributes['name'] === name)?.attributes[
    'content'
  ];

const isHidden = (elements: readonly HtmlElement[]) => (metaOf(elements, 'robots') ?? '').includes('noindex');

function pageProblems({ path, elements, faults }: PageReport): readonly string[] {
  const problems = faults.map((fault) => `${path}: ${fault}`);
  const count = (tag: string) => elements.filter((element) => element.tag === tag).length;
  const title = textOf(elements.find(({ tag }) => tag === 'title') ?? '');
  const description = metaOf(elements, 'description') ?? '';
  if (count('h1') !== 1) problems.push(`${path} has ${count('h1')} first headings`);
  for (const landmark of ['main', 'header', 'footer'])
    if (count(landmark) !== 1) problems.push(`${path} has ${count(landmark)} of ${landmark}`);
  if (title === '' || title.length > LONGEST.title)
    problems.push(`${path}: the title has ${title.length} letters`);
  if (description === '' || description.length > LONGEST.description)
    problems.push(`${path}: the description has ${description.length} letters`);
  // What these pages say is in the rest of their address: a link that is shared has to keep it. What is not there has none.
  const isAlive = elements.some(({ attributes }) => attributes['data-island'] !== undefined);
  const own = elements.filter(
    ({ attributes: { rel, property } }) => rel === 'canonical' || property === 'og:url',
  );
  if (own.length !== (isAlive || path === '/404' || path === '/partner' ? 0 : 2))
    problems.push(`${path} names its own address ${own.length} times`);
  const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
  const doubled = ids.filter((id, at) => ids.indexOf(id) < at);
  if (doubled.length > 0) problems.push(`${path} has ids twice: ${doubled.join(', ')}`);
  const inline = elements.filter(
    ({ tag, attributes, children }) =>
      (tag === 'script' &&
        attributes['data-page'] === undefined &&
        attributes['type'] !== 'application/ld+json' &&
        children.length > 0) ||
      Object.keys(attributes).some((name) => name === 'style' || name.startsWith('on')),
  );
  if (inline.length > 0) problems.push(`${path} has script or style inside the page`);
  // The server allows the site's own, once.
  const heads = elements.filter(({ attributes }) => attributes['data-page'] !== undefined).length;
  if (heads !== 1 || count('style') !== 1)
    problems.push(`${path} has ${heads} scripts and ${count('style')} style sheets of the site inside`);
  return problems;
}

/** A page with such a listener is not kept for the way back. That of a public list has one only while something is not saved. */
function unloadListeners(): readonly string[] {
  return readdirSync(join(FOLDER, 'files/assets'))
    .filter((name) => name.endsWith('.js') && !name.startsWith('public-list'))
    .filter((name) => /unload\b/.test(read(`files/assets/${name}`)))
    .map((name) => `${name} listens to unload`);
}

function doubledTitles(pages: readonly PageReport[]): readonly string[] {
  const titles = pages.map(({ elements }) => textOf(elements.find(({ tag }) => tag === 'title') ?? ''));
  return titles
    .filter((title, at) => titles.indexOf(title) < at)
    .map((title) => `two pages are called “${title}”`);
}

function guideLines(guides: readonly Guide[]): readonly string[] {
  const planned = guides.filter(({ status }) => status === 'planned').map(({ id }) => id);
  const unwritten = guides
    .filter(({ id }) => !existsSync(join(ROOT, `src/site/guides/${id}.md`)))
    .map(({ id }) => id);
  return [
    `guides: ${guides.length}, ${guides.length - unwritten.length} written`,
    `planned (${planned.length}): ${planned.join(', ')}`,
    `not written yet (${unwritten.length}): ${unwritten.join(', ')}`,
  ];
}

export function inspectSite(): SiteReport {
  const table = JSON.parse(read('site.json')) as Table;
  const guides = JSON.parse(read('guides.json')) as readonly Guide[];
  const pagesWith = (setting: Setting) =>
    Object.entries(table.pages).map(([path, { file }]) => pageOf(path, file, setting));
  const outcomesWith = (setting: Setting) =>
    Object.entries(table.pages).flatMap(([path, page]) =>
      Object.entries(page.outcomes).map(([outcome, file]) => ({
        ...pageOf(path, file, setting),
        path: `${path}?outcome=${outcome}`,
      })),
    );
  const pages = pagesWith('everything set');
  const bare = pagesWith('nothing set');
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const all = [...pages, ...outcomesWith('everything set'), ...bare, ...outcomesWith('nothing set')];
  const { lines, problems } = budgetReport(FOLDER);
  return {
    lines: [
      ...pages.map(({ path, elements }) => `${path}${isHidden(elements) ? '  (not indexed)' : ''}`),
      ...Object.entries(table.redirects).map(([from, to]) => `${from} → ${to}`),
      ...linkLines(pages),
      ...lines,
      ...guideLines(guides),
    ],
    problems: [
      ...problems,
      // What is wrong in both is said once.
      ...new Set([
        ...deadLinks(all, byPath),
        ...missingResources(all),
        ...orphans(byPath),
        ...orphans(new Map(bare.map((page) => [page.path, page]))),
        ...all.flatMap(pageProblems),
        ...all.flatMap(wrongLinks),
      ]),
      ...doubledTitles(pages),
      ...unloadListeners(),
    ],
    pages,
    bare,
  };
}
