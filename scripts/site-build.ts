// Builds the public site into dist/site, when its inputs changed since the last build: scripts and styles, every page drawn
// once, its markdown twin, the pictures for shared links, and the lists that machines read. The new build replaces the old
// one in one rename.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesUnder, hashFiles, ROOT } from './files.ts';
import type { Assets } from './site/document.ts';
import { documentOf, twinPath } from './site/document.ts';
import { commandKeys, generatedTables, keyGroups } from './site/key-data.ts';
import { type Listed, llmsText, robots, securityText, sitemap, speculationRules } from './site/lists.ts';
import { hashed, mediaOf, picturesOf, transcriptOf } from './site/media.ts';
import { openPictures, PICTURE_SIZE } from './site/pictures.ts';
import { pressKit } from './site/press-kit.ts';
import { markdownTwin } from './site/twin.ts';

const OUTPUT = join(ROOT, 'dist/site');
const STAMP = join(ROOT, 'dist/site.inputs');
const INPUTS = [
  'src/site',
  'src/core',
  'src/sync',
  'src/client',
  'src/web/styles/tokens.css',
  'src/web/public/icons',
  'src/web/public/favicon.ico',
  'scripts/site',
  'scripts/site-build.ts',
  'config/site.vite.config.ts',
  'config/preload-helper.ts',
  'docs/rules/dates.md',
  'docs/api.md',
  'docs/themes.md',
  'src/wire',
  'docs/images',
  'bench/README.md',
  'bench/peers.md',
  'CHANGELOG.md',
  'package-lock.json',
];
const CONFIG = join(ROOT, 'config/site.vite.config.ts');

export type SiteBuild = 'current' | 'built';

/** What the server needs to know of the site: dist/site/site.json. */
export interface SiteTable {
  readonly pages: Readonly<
    Record<
      string,
      {
        readonly file: string;
        readonly isSecret: boolean;
        readonly outcomes: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly guides: readonly string[];
  readonly redirects: Readonly<Record<string, string>>;
  /** Style sheet and script that stand in each page. */
  readonly inline: { readonly style: string; readonly script: string };
  /** What the page of a public link is made with. */
  readonly publicList: {
    readonly script: string;
    /** What the script imports: asked for with it, not after it has come. */
    readonly imports: readonly string[];
    /** The script that stands in the page itself. */
    readonly start: string;
    readonly fonts: readonly string[];
    /** The style sheet, which stands in the page, too. */
    readonly style: string;
  };
}

interface DrawnPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly markup: string;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly isIndexed: boolean;
  readonly isSecret: boolean;
  readonly isAlive: boolean;
  readonly structured?: readonly Readonly<Record<string, unknown>>[];
}

export interface GuideFact {
  readonly id: string;
  readonly title: string;
  readonly status: 'built' | 'planned';
}

interface DrawnSite {
  readonly pages: readonly DrawnPage[];
  readonly searchIndex: string;
  readonly guides: readonly GuideFact[];
  readonly legacyGuides: Readonly<Record<string, string>>;
}

const nameOf = (file: string) => basename(file, '.md');

function textsOf(): Readonly<Record<string, string>> {
  const files = filesUnder('src/site/guides', 'src/site/texts').filter((file) => file.endsWith('.md'));
  return Object.fromEntries(files.map((file) => [nameOf(file), readFileSync(join(ROOT, file), 'utf8')]));
}

/** The program that draws the pages, bundled and loaded. */
async function loadPrerender(work: string): Promise<{ drawSite: (world: unknown) => DrawnSite }> {
  const { build } = await import('vite');
  await build({
    configFile: CONFIG,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: work,
      manifest: false,
      rolldownOptions: {
        input: { prerender: join(ROOT, 'src/site/prerender.tsx') },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return (await import(join(work, 'prerender.mjs'))) as { drawSite: (world: unknown) => DrawnSite };
}

interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  /** Entries that it imports. */
  readonly imports?: readonly string[];
}

/** A script for before the first paint: a module would come too late. */
async function classicScript(entry: string): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: join(ROOT, entry), output: { format: 'iife' } },
    },
  });
  const [chunk] = 'output' in built ? built.output : [];
  if (!chunk) throw new Error(`The bundler made no script of ${entry}.`);
  return chunk.code;
}

/** A script that stands in a page itself. */
async function inlineScript(source: string): Promise<string> {
  const code = (await classicScript(source)).trim();
  if (/<[/!]/.test(code)) throw new Error(`${source} would end the element that it stands in.`);
  return code;
}

type Manifest = Readonly<Record<string, ManifestEntry>>;

/** Addresses of the script of an entry and of all that it imports, directly or not, itself first. */
function scriptsOf(entry: ManifestEntry, manifest: Manifest): readonly [string, ...string[]] {
  const found = new Set<ManifestEntry>([entry]);
  for (const { imports = [] } of found)
    for (const each of imports) {
      const imported = manifest[each];
      if (imported) found.add(imported);
    }
  const [, ...others] = found;
  return [`/${entry.file}`, ...others.map(({ file }) => `/${file}`)];
}

async function publicListOf(
  folder: string,
  entry: ManifestEntry,
  manifest: Manifest,
): Promise<SiteTable['publicList']> {
  const { style, fonts } = filesOf(folder, entry);
  const [script, ...imports] = scriptsOf(entry, manifest);
  const start = await inlineScript('src/site/start/public-list.ts');
  return { script, imports, start, fonts, style };
}

/** Addresses of the fonts of an entry, and its style sheet. */
function filesOf(folder: string, { css = [], assets = [] }: ManifestEntry) {
  const style = css.map((each) => readFileSync(join(folder, 'files', each), 'utf8').trim()).join('');
  if (/<[/!]/.test(style)) throw new Error('A style sheet would end the element that it stands in.');
  const fonts = assets.filter((each) => each.endsWith('.woff2')).map((each) => `/${each}`);
  return { style, fonts };
}

async function buildAssets(
  folder: string,
): Promise<{ readonly assets: Assets; readonly publicList: SiteTable['publicList'] }> {
  const { build } = await import('vite');
  await build({ configFile: CONFIG, logLevel: 'warn', build: { outDir: join(folder, 'files') } });
  const manifestPath = join(folder, 'files/.vite/manifest.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;
  rmSync(join(folder, 'files/.vite'), { recursive: true });
  const page = manifest['scripts/page.ts'];
  const island = manifest['islands/mount.tsx'];
  const publicList = manifest['public-list/main.ts'];
  if (!page || !island || !publicList)
    throw new Error('The bundler did not say what became of the site’s scripts.');
  const { style, fonts } = filesOf(folder, page);
  return {
    assets: {
      head: await inlineScript('src/site/scripts/head.ts'),
      page: scriptsOf(page, manifest),
      island: scriptsOf(island, manifest),
      style,
      fonts,
    },
    publicList: await publicListOf(folder, publicList, manifest),
  };
}

const changes = new Map<string, string | undefined>();

/** The last day on which a text was changed, as the history of the repository knows it; unknown without one. */
function lastChange(file: string): string | undefined {
  if (!changes.has(file)) changes.set(file, askedChange(file));
  return changes.get(file);
}

function askedChange(file: string): string | undefined {
  try {
    const day = execFileSync('git', ['log', '-1', '--format=%cs', '--', file], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim();
    return day === '' ? undefined : day;
  } catch {
    // No git, or no history: pages and sitemap leave the day out.
    return undefined;
  }
}

function write(folder: string, path: string, content: string | Uint8Array): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

const fileOf = (path: string, outcome?: string) =>
  `pages/${path === '/' ? 'index' : path.slice(1).replaceAll('/', '__')}${outcome ? `~${outcome}` : ''}.html`;

async function writePages(folder: string, site: DrawnSite, assets: Assets): Promise<SiteTable['pages']> {
  const pictures = await openPictures();
  if (typeof pictures !== 'function') console.log(`No pictures for shared links: ${pictures.missing}.`);
  const table: Record<string, SiteTable['pages'][string]> = {};
  for (const page of site.pages) {
    let picture: { src: string; width: number; height: number } = {
      src: '/icon.png',
      width: 512,
      height: 512,
    };
    if (typeof pictures === 'function') {
      const { title, description } = page;
      const png = await pictures({ title, description });
      const src = `assets/card-${hashed(png)}.png`;
      write(join(folder, 'files'), src, png);
      picture = { src: `/${src}`, ...PICTURE_SIZE };
    }
    const hasTwin = page.path !== '/404' && page.path !== '/partner';
    const draw = (markup: string) => documentOf({ ...page, markup, picture, hasTwin }, assets);
    const outcomes: Record<string, string> = {};
    write(folder, fileOf(page.path), draw(page.markup));
    for (const [outcome, markup] of Object.entries(page.outcomes)) {
      outcomes[outcome] = fileOf(page.path, outcome);
      write(folder, outcomes[outcome], draw(markup));
    }
    if (hasTwin) write(join(folder, 'files'), twinPath(page.path).slice(1), markdownTwin(page.markup));
    table[page.path] = { file: fileOf(page.path), isSecret: page.isSecret, outcomes };
  }
  return table;
}

function sourceOf(path: string): string {
  const name = path.split('/').at(-1) ?? '';
  const candidates = [`src/site/guides/${name}.md`, `src/site/texts/${name}.md`];
  return candidates.find((file) => existsSync(join(ROOT, file))) ?? 'src/site';
}

function writeLists(folder: string, site: DrawnSite): void {
  const files = join(folder, 'files');
  const listed: Listed[] = site.pages.map(({ path, title, description, isIndexed }) => ({
    path,
    title,
    description,
    isIndexed,
    changed: isIndexed ? lastChange(sourceOf(path)) : undefined,
  }));
  write(files, 'sitemap.xml', sitemap(listed));
  write(files, 'robots.txt', robots);
  write(files, 'llms.txt', llmsText(listed));
  write(files, '.well-known/security.txt', securityText);
  write(files, 'speculation-rules.json', speculationRules);
  write(files, 'guide-index.json', site.searchIndex);
  write(files, 'press-kit.zip', pressKit());
}

function copyIcons(folder: string): void {
  const icons = join(ROOT, 'src/web/public/icons');
  const files = join(folder, 'files');
  cpSync(join(icons, 'icon.svg'), join(files, 'icon.svg'));
  cpSync(join(icons, 'icon-512.png'), join(files, 'icon.png'));
  cpSync(join(icons, 'apple-touch-icon.png'), join(files, 'apple-touch-icon.png'));
  cpSync(join(icons, '../favicon.ico'), join(files, 'favicon.ico'));
}

function worldOf(folder: string): Readonly<Record<string, unknown>> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const texts = textsOf();
  return {
    texts,
    changedOn: Object.fromEntries(
      Object.keys(texts).flatMap((name) => {
        const day = lastChange(sourceOf(name));
        return day === undefined ? [] : [[name, day]];
      }),
    ),
    commands: commandKeys(),
    keyGroups: keyGroups(),
    tables: generatedTables(),
    pictures: picturesOf(folder),
    changes: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    version,
    media: mediaOf(folder),
    transcript: transcriptOf(),
    filmedOn: lastChange('src/site/media/overview.mp4') ?? null,
  };
}

async function buildInto(folder: string): Promise<DrawnSite> {
  const work = `${folder}.work`;
  try {
    const { assets, publicList } = await buildAssets(folder);
    const { drawSite } = await loadPrerender(work);
    const site = drawSite(worldOf(folder));
    const table: SiteTable = {
      pages: await writePages(folder, site, assets),
      guides: site.guides.map(({ id }) => id),
      redirects: Object.fromEntries(
        Object.entries(site.legacyGuides).map(([from, to]) => [`/guides/${from}`, `/guides/${to}`]),
      ),
      inline: { style: assets.style, script: assets.head },
      publicList,
    };
    write(folder, 'site.json', JSON.stringify(table));
    write(folder, 'guides.json', JSON.stringify(site.guides));
    writeLists(folder, site);
    copyIcons(folder);
    return site;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function sayPlanned({ guides }: DrawnSite): void {
  const planned = guides.filter(({ status }) => status === 'planned').map(({ id }) => id);
  if (planned.length > 0) console.log(`Guides marked as planned (${planned.length}): ${planned.join(', ')}.`);
}

/** Brings dist/site up to date. Rejects with what is wrong when a source does not build; the previous build stays in place. */
export async function buildSite(options: { readonly force?: boolean } = {}): Promise<SiteBuild> {
  const inputs = filesUnder(...INPUTS).filter((file) => !file.endsWith('.test.ts'));
  const hash = hashFiles(inputs);
  const isCurrent = existsSync(OUTPUT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;
  if (isCurrent && !options.force) return 'current';
  const fresh = join(ROOT, `dist/site.${process.pid}`);
  try {
    mkdirSync(fresh, { recursive: true });
    const site = await buildInto(fresh);
    rmSync(STAMP, { force: true });
    rmSync(OUTPUT, { recursive: true, force: true });
    renameSync(fresh, OUTPUT);
    writeFileSync(STAMP, hash);
    sayPlanned(site);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return 'built';
}
