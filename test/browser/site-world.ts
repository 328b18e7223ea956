// A server with the built site for the journeys through it: a promo code, a release, and pages whose errors fail the test.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { must } from '#core/assert.ts';
import { readConfig } from '#server/config.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { endWith, shareBrowser, STEP_MS, watchProblems } from './harness.ts';

export const SITE = join(import.meta.dirname, '../../dist/site');

/** What a call can meet besides a good answer. */
export const FAILURES = {
  'an error of the server': (route: Route) => route.fulfill({ status: 500, json: { success: false } }),
  'no JSON': (route: Route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"name":' }),
  'another shape': (route: Route) =>
    route.fulfill({ status: 200, json: { name: 7, list_name: null, app_releases: {} } }),
  'a cut connection': (route: Route) => route.abort('connectionreset'),
} as const;

export interface Site {
  readonly url: string;
  readonly server: RunningServer;
  readonly browser: Browser;
  /** What lies in the outbox, the oldest first, as text. */
  readonly letters: () => readonly string[];
  /** A visitor of their own; `path` is opened unless it is empty. */
  visit(t: TestContext, path: string, options?: BrowserContextOptions): Promise<Page>;
}

function lettersIn(outbox: string): readonly string[] {
  if (!existsSync(outbox)) return [];
  const files = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  return files.toSorted().map((name) => {
    const text = readFileSync(join(outbox, name), 'utf8');
    // Elsewhere a secret may well begin as an escape does.
    if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(text)) return text;
    return text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  });
}

/** The secret of the link in a letter. */
export const tokenIn = (letter: string) => /[?&]token=([\w-]+)/.exec(letter)?.[1] ?? '';

/** For the body of a `describe`: starts before its tests, ends after them. */
export function withSite(environment: Readonly<Record<string, string>> = {}): () => Site {
  let site: Site | undefined;
  const opened: { close(): Promise<unknown> }[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-site-'));
  before(async () => {
    const [browser, giveBack] = await shareBrowser();
    opened.push({ close: async () => giveBack() });
    const usual = { PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
    const read = readConfig({ ...usual, ...environment });
    assert.ok(read.ok);
    const server = await startServer(read.value, { siteFolder: SITE });
    opened.push(server);
    const { promoCodes, releases } = server.services.desk;
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    await promoCodes.create('GOOD', 'Mark <img src=x onerror=alert(1)> & Co', terms);
    await releases.write('1.0.0', '- The **first** one.');
    await releases.publish('1.0.0', Date.parse('2026-10-01'));
    const { url } = server;
    site = {
      url,
      server,
      browser,
      letters: () => lettersIn(join(dataDir, 'outbox')),
      async visit(t, path, options = {}) {
        const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
        // Requests are watched from the beginning: where that is turned on between two of them, the next may slip through
        // to the server.
        await context.route('**/never-asked-for', (route) => route.continue());
        const page = await context.newPage();
        page.setDefaultTimeout(STEP_MS);
        const problems = watchProblems(page);
        const close = async () => {
          const found = [...problems];
          await context.close();
          assert.deepEqual(found, [], 'the browser reported errors');
        };
        endWith(t, close, true);
        if (path === '') return page;
        await page.goto(url + path);
        if (options.javaScriptEnabled !== false) await scripted(page);
        return page;
      },
    };
  });
  after(async () => {
    const closed = await Promise.allSettled(opened.map((each) => each.close()));
    rmSync(dataDir, { recursive: true });
    assert.deepEqual(
      closed.filter(({ status }) => status === 'rejected'),
      [],
    );
  });
  return () => must(site, 'started before the tests');
}

/** What a text reads like at first sight of it. */
export const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText();

/** Until the scripts of the page are there, its forms are sent as they are without them. */
export const scripted = (page: Page) => page.locator('html[data-script=whole]').waitFor();

/** React marks what it has taken over. */
export const alive = (page: Page) =>
  page.waitForFunction(() => Object.keys(document.querySelector('#island') ?? {}).length > 0);

export const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
