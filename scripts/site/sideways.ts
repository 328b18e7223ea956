// Looks for pages that can be scrolled sideways: every page of the built site in frames of many widths, with the usual size of text
// and with twice that, as it is on a Mac and elsewhere. Asks no server: the files come from dist/site, filled with a sample.
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { newsHtml, type Release, releasesHtml } from '#server/site/releases.ts';
import { resolveConditions, siteConditions } from '#wire/site-conditions.ts';
import { findBrowser } from '../browser.ts';
import { ROOT } from '../files.ts';

const FOLDER = join(ROOT, 'dist/site');
const ORIGIN = 'http://site.test';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const LANES = 2;
/** The usual size of text in browsers, in px. */
const TEXT_PX = 16;

export interface Sweep {
  readonly widths: readonly number[];
  /** As factors of the usual size of text. */
  readonly textSizes: readonly number[];
  /** Absent: all. */
  readonly paths?: readonly string[];
}

export const everyWidth: readonly number[] = Array.from({ length: 81 }, (_, index) => 320 + 20 * index);

const sample: Release = {
  id: '00000000-0000-7000-8000-000000000000' as Release['id'],
  version: '12.34.56-beta.7',
  notes_markdown: '',
  notes_html: '<h3>New</h3><ul><li>Do <code>what_is_written_in_one_very_long_word</code> at once.</li></ul>',
  made_generally_available_at: 0,
  created_at: 0,
  updated_at: 0,
};

interface PageFile {
  readonly path: string;
  readonly file: string;
}

function pageFiles(): readonly PageFile[] {
  const { pages } = JSON.parse(readFileSync(join(FOLDER, 'site.json'), 'utf8')) as {
    readonly pages: Readonly<
      Record<string, { readonly file: string; readonly outcomes: Readonly<Record<string, string>> }>
    >;
  };
  return Object.entries(pages).flatMap(([path, { file, outcomes }]) => [
    { path, file },
    ...Object.entries(outcomes).map(([outcome, each]) => ({
      path: `${path}?outcome=${outcome}`,
      file: each,
    })),
  ]);
}

const hasConditions = (file: string) => readFileSync(join(FOLDER, file), 'utf8').includes('%IF ');

/** As a server with everything set would send it, and as one with nothing set. */
function filled(file: string, isAllSet: boolean): string {
  return resolveConditions(
    readFileSync(join(FOLDER, file), 'utf8'),
    new Set<string>(isAllSet ? siteConditions : []),
  )
    .replaceAll('%ORIGIN%', ORIGIN)
    .replace('<span data-fill="releases"></span>', releasesHtml([sample]))
    .replace('<span data-fill="news"></span>', newsHtml([sample, sample, sample]));
}

async function serve(page: Page, files: readonly PageFile[]): Promise<void> {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const isAllSet = searchParams.get('set') === 'all';
    if (pathname === '/frame') return route.fulfill({ contentType: 'text/html', body: '<body></body>' });
    const outcome = searchParams.get('outcome');
    const file = byPath.get(outcome === null ? pathname : `${pathname}?outcome=${outcome}`);
    if (file) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: filled(file, isAllSet) });
    const path = join(FOLDER, 'files', pathname);
    if (!existsSync(path)) return route.fulfill({ status: 404, body: '' });
    const contentType = TYPES[extname(path)] ?? 'application/octet-stream';
    return route.fulfill({ contentType, body: readFileSync(path) });
  });
}

/** Runs in the browser: how much wider than its frame a page is, by width, and what sticks out. */
async function measure({
  address,
  widths,
}: {
  readonly address: string;
  readonly widths: readonly number[];
}) {
  const frame =
    document.querySelector('iframe') ?? document.body.appendChild(document.createElement('iframe'));
  frame.style.cssText = 'border: 0; height: 900px; width: 1000px';
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve, { once: true });
    frame.src = address;
  });
  const inside = frame.contentDocument;
  const root = inside?.documentElement;
  if (!inside || !root) throw new Error(`${address} could not be opened`);
  // What is laid out only when it comes near is laid out, and cuts nothing off.
  const whole = inside.createElement('style');
  whole.textContent = '* { content-visibility: visible !important }';
  inside.head.append(whole);
  const found: string[] = [];
  for (const os of ['other', 'mac']) {
    root.dataset['os'] = os;
    for (const width of widths) {
      frame.style.width = `${width}px`;
      const over = root.scrollWidth - width;
      if (over <= 0) continue;
      const isHeld = (each: Element) => each.parentElement?.closest('.table, pre, .carousel-slides') !== null;
      const widest = [...inside.body.querySelectorAll('*')]
        .filter((each) => each.getBoundingClientRect().right > width + 0.5 && !isHeld(each))
        .map((each) => `${each.localName}.${each.getAttribute('class') ?? ''}`);
      found.push(`${width} px (${os}): +${over}, ${widest.slice(0, 4).join(', ')}`);
    }
  }
  return found;
}

async function withText(browser: Browser, sweep: Sweep, textSize: number): Promise<readonly string[]> {
  const files = pageFiles();
  const left = files.filter(({ path }) => sweep.paths?.includes(path) ?? true);
  const found: string[] = [];
  async function work(): Promise<void> {
    const page = await browser.newPage({
      reducedMotion: 'reduce',
      viewport: { width: 1_960, height: 1_000 },
    });
    const session = await page.context().newCDPSession(page);
    const standard = TEXT_PX * textSize;
    await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
    await serve(page, files);
    await page.goto(`${ORIGIN}/frame`);
    for (let next = left.shift(); next !== undefined; next = left.shift())
      for (const set of hasConditions(next.file) ? ['all', 'none'] : ['none']) {
        const mark = next.path.includes('?') ? '&' : '?';
        const address = `${next.path}${mark}set=${set}`;
        const wide = await page.evaluate(measure, { address, widths: sweep.widths });
        found.push(...wide.map((what) => `${address}, text × ${textSize}, ${what}`));
      }
    await page.close();
  }
  await Promise.all(Array.from({ length: LANES }, work));
  return found;
}

/** One line for each page, width and size of text at which a page is wider than its window. */
export async function findSideways(sweep: Sweep): Promise<readonly string[]> {
  const chosen = findBrowser();
  if (chosen.type === 'missing') throw new Error(chosen.reason);
  const browser = await chromium.launch({ executablePath: chosen.path, chromiumSandbox: false });
  try {
    const found: string[] = [];
    for (const textSize of sweep.textSizes) found.push(...(await withText(browser, sweep, textSize)));
    return found;
  } finally {
    await browser.close();
  }
}
