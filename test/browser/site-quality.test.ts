// What no visitor should ever have to notice about the public site, in a real browser: nothing in the console, nothing that the
// policy stops, markup that the browser takes as it is written, pages kept for the way back, little to fetch, and paper.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readConfig } from '#server/config.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { elementsOf, readHtml } from '../../scripts/site/html.ts';
import { endWith, expectEventually, launch, STEP_MS } from './harness.ts';
import { scripted } from './site-world.ts';

const SITE = join(import.meta.dirname, '../../dist/site');
const KB = 1_024;
const LANES = 2;

interface SpeculationRules {
  readonly prefetch: readonly [{ readonly where: unknown; readonly eagerness: string }];
}

describe('the quality of the public site', () => {
  let browser: Browser;
  let server: RunningServer;
  let paths: readonly string[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-site-quality-'));
  before(async () => {
    // Playwright switches off what keeps pages for the way back.
    browser = await launch({ isWhole: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
    const read = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
    assert.ok(read.ok);
    server = await startServer(read.value, { siteFolder: SITE });
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    await server.services.desk.promoCodes.create('GOOD', 'A partner', terms);
    const { pages } = JSON.parse(await readFile(join(SITE, 'site.json'), 'utf8')) as { pages: object };
    paths = Object.keys(pages).filter((path) => path !== '/404' && path !== '/partner');
  });
  after(async () => {
    try {
      await browser.close();
    } finally {
      await server.close();
    }
    rmSync(dataDir, { recursive: true });
  });

  async function open(t: TestContext, options: BrowserContextOptions = {}, from = browser): Promise<Page> {
    const context = await from.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options });
    endWith(t, () => context.close(), true);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    return page;
  }

  test('leaves the console empty and the policy unbroken on every page', async (t) => {
    // Playwright may miss that a page has loaded where the one before is kept for the way back: dozens in a row go without.
    const plain = await launch({ isWhole: true });
    endWith(t, () => plain.close());
    const left = paths.map((path) => (path === '/a' ? '/a/GOOD' : path));
    const found: string[] = [];
    async function work(): Promise<void> {
      const page = await open(t, { extraHTTPHeaders: { 'sec-gpc': '1' } }, plain);
      page.on('console', (message) => found.push(`${page.url()}: ${message.text()}`));
      page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`));
      page.on('response', (response) => {
        if (response.status() >= 400) found.push(`${response.url()}: ${response.status()}`);
      });
      await page.exposeFunction('reportViolation', (what: string) => found.push(`${page.url()}: ${what}`));
      await page.addInitScript(() => {
        const { reportViolation } = globalThis as unknown as { reportViolation: (what: string) => void };
        addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective));
      });
      for (let path = left.shift(); path !== undefined; path = left.shift()) {
        const script = page.waitForResponse('**/assets/page-*.js');
        await page.goto(path);
        await script;
      }
    }
    await Promise.all(Array.from({ length: LANES }, work));
    assert.deepEqual(found, []);
  });

  test('is taken by the browser as it is written: it mends nothing', async (t) => {
    const page = await open(t);
    await page.goto('/pricing');
    for (const path of paths) {
      const html = await (await fetch(server.url + (path === '/a' ? '/a/GOOD' : path))).text();
      const written = [...elementsOf(readHtml(html))].map(({ tag }) => tag);
      const taken = await page.evaluate(
        async (address) => {
          const request = new XMLHttpRequest();
          request.responseType = 'document';
          request.open('GET', address);
          const loaded = new Promise((resolve) => request.addEventListener('load', resolve));
          request.send();
          await loaded;
          const all = request.responseXML?.querySelectorAll('*') ?? [];
          return [...all].map(({ localName }) => localName.toLowerCase());
        },
        path === '/a' ? '/a/GOOD' : path,
      );
      assert.deepEqual(taken, written, path);
    }
  });

  test('keeps a page for the way back, as it was', async (t) => {
    const page = await open(t);
    await page.goto('/pricing');
    // A page that is still being fetched is not kept.
    await scripted(page);
    await page.evaluate(() => Object.assign(globalThis, { isKept: true }));
    await page.locator('.bar-links a[href="/guides"]').click();
    await page.waitForURL('/guides');
    await page.evaluate(() => history.back());
    await expectEventually(
      () => page.evaluate(() => [location.pathname, 'isKept' in globalThis]).catch(() => null),
      ['/pricing', true],
    );
  });

  test('fetches ahead what a visitor points at, and nothing that acts or holds a secret', async (t) => {
    const page = await open(t);
    const answer = await page.goto('/');
    assert.equal(answer?.headers()['speculation-rules'], '"/speculation-rules.json"');
    const rules = (await (await fetch(`${server.url}/speculation-rules.json`)).json()) as SpeculationRules;
    assert.equal(rules.prefetch[0].eagerness, 'moderate');
    const text = JSON.stringify(rules.prefetch[0].where);
    for (const path of ['/app*', '/a/*', '/invite*', '/reset-password*', '/confirm*', '/purchase', '/*.zip'])
      assert.ok(text.includes(`"${path}"`), path);
  });

  test('asks for little before somebody scrolls', async (t) => {
    for (const viewport of [
      { width: 1_440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const page = await open(t, { viewport });
      await page.goto('/', { waitUntil: 'networkidle' });
      const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
          (sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize,
          0,
        ),
      );
      assert.ok(bytes > 10 * KB && bytes <= 180 * KB, `${bytes} bytes at ${viewport.width}`);
    }
  });

  /** The sheets of paper, and the words on them, with the colours of the night chosen. */
  async function print(page: Page, path: string, format: 'A4' | 'Letter') {
    await page.goto(path);
    const pdf = (await page.pdf({ format })).toString('latin1');
    await page.emulateMedia({ media: 'print' });
    const seen = await page.evaluate(() => ({
      background: getComputedStyle(document.documentElement).backgroundColor,
      text: getComputedStyle(document.querySelector('h1') ?? document.body).color,
      words: document.body.innerText,
    }));
    return { ...seen, sheets: pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0 };
  }

  test('prints guides and keys, black on white, with nothing around them', async (t) => {
    const page = await open(t, { colorScheme: 'dark' });
    await page.addInitScript(() => localStorage.setItem('posthaste.preference.theme', 'dark'));
    const isDark = ([red = 255, green = 255, blue = 255]: readonly number[]) => red + green + blue < 150;
    for (const [path, title, least, most] of [
      ['/guides/labels', 'Labels', 1, 3],
      ['/guides/hotkeys/cheat-sheet', 'Keyboard cheat sheet', 2, 2],
      ['/all-guides', 'All guides', 31, 180],
    ] as const)
      for (const format of ['A4', 'Letter'] as const) {
        const { background, text, words, sheets } = await print(page, path, format);
        assert.equal(background, 'rgb(255, 255, 255)', path);
        assert.ok(isDark([...text.matchAll(/\d+/g)].map(Number)), `${path}: ${text}`);
        assert.ok(sheets >= least && sheets <= most, `${path}: ${sheets} sheets of ${format}`);
        assert.match(words, new RegExp(`^(?:Guides / [^\n]+\n+)?${title}\n`), path);
        for (const around of ['Skip to content', 'Open app', 'Every task, one key away', 'On this page'])
          assert.ok(!words.includes(around), `${path}: ${around}`);
      }
  });
});
