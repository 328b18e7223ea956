// How a page of the public site begins in a real browser: its text is seen before any script or style sheet is asked for,
// and what is pressed until the script arrives is not lost.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { expectEventually, serveElsewhere } from './harness.ts';
import { shiftsOf, watchShifts } from './layout-shifts.ts';
import { withSite } from './site-world.ts';

/** Short and long, in many words and in one, up to where they are set smaller and beyond. */
const NAMES = [
  'Ann',
  'Mark Example & Co',
  'Mary Wilhelmina Mumm Inc',
  'W'.repeat(24),
  'A name of some length, and then some more of it',
  'W'.repeat(60),
];

const PAGE_SCRIPT = '**/assets/page-*.js';

const PAUSE_MS = 150;

/** The site behind a network that pauses after each of these words of a page. */
function serveInPieces(t: TestContext, site: string, words: RegExp): Promise<string> {
  return serveElsewhere(t, (request, response) => {
    const send = async () => {
      const answer = await fetch(site + (request.url ?? ''));
      const type = answer.headers.get('content-type') ?? '';
      response.writeHead(answer.status, { 'content-type': type });
      if (!type.startsWith('text/html')) return response.end(await answer.bytes());
      for (const piece of (await answer.text()).split(words)) {
        response.write(piece);
        await setTimeout(PAUSE_MS);
      }
      return response.end();
    };
    void send();
  });
}

describe('a page of the site, at its beginning', () => {
  const site = withSite();
  const open = (t: TestContext) => site().visit(t, '', { baseURL: site().url });

  /** The page without its script, until it is let through. */
  async function openSlowly(t: TestContext, path: string): Promise<{ page: Page; arrive: () => void }> {
    const page = await open(t);
    const { promise, resolve: arrive } = Promise.withResolvers<void>();
    await page.route(PAGE_SCRIPT, async (route) => {
      await promise;
      await route.continue();
    });
    const asked = page.waitForRequest(PAGE_SCRIPT);
    await page.goto(path);
    await asked;
    return { page, arrive };
  }

  test('is seen before its script is asked for', async (t) => {
    const page = await open(t);
    for (const path of ['/', '/pricing', '/guides', '/guides/hotkeys', '/changelog', '/a/GOOD', '/invite']) {
      await page.goto(path);
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      // It stands among the resources of the page once it is there.
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => /\/page-[^/]*\.js$/.test(name)),
      );
      const asked = await page.evaluate(() => {
        const [painted] = performance.getEntriesByName('first-contentful-paint');
        return performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\.(?:js|css)$/.test(name))
          .map(({ name, startTime }) => ({
            name: name.slice(name.lastIndexOf('/') + 1).replace(/-.*\./, '.'),
            isBefore: startTime < (painted?.startTime ?? 0),
          }));
      });
      const named = (isBefore: boolean) =>
        asked.filter((each) => each.isBefore === isBefore).map(({ name }) => name);
      assert.deepEqual(named(true), [], path);
    }
  });

  test('shows its bar as a whole', async (t) => {
    const url = await serveInPieces(
      t,
      site().url,
      /(?<=class="wordmark">|href="\/pricing">|class="bar-download)/,
    );
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 1_350, height: 940 },
    ]) {
      const page = await site().visit(t, '', { baseURL: url, viewport });
      await page.addInitScript(watchShifts);
      await page.goto('/newsletter');
      assert.deepEqual(await shiftsOf(page), []);
      assert.ok(await page.locator('#bar').isVisible());
    }
  });

  test('does not move when the details of an invitation arrive', async (t) => {
    const page = await open(t);
    await page.addInitScript(watchShifts);
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 412, height: 823 },
      { width: 768, height: 1_024 },
      { width: 1_350, height: 940 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto('/a/GOOD');
      await page.getByText('Steps to get your 25% discount').waitFor();
      assert.deepEqual(await shiftsOf(page), []);
      for (const name of NAMES) {
        await page.route('**/api/affiliate_promo_codes/*', (route) =>
          route.fulfill({ json: { name, discount_percentage: 25, discount_num_months: 12 } }),
        );
        await page.goto('/a/GOOD');
        await page.getByText('Steps to get your 25% discount').waitFor();
        assert.deepEqual(await shiftsOf(page), [], `${name} at ${viewport.width}`);
        await page.unroute('**/api/affiliate_promo_codes/*');
      }
      await page.goto('/invite');
      await page.getByText('Invalid invitation link').waitFor();
      assert.deepEqual(await shiftsOf(page), []);
    }
  });

  test('keeps the keys of the demonstration until they can be answered', async (t) => {
    const { page, arrive } = await openSlowly(t, '/');
    await page.locator('.demo-rows').focus();
    const scrolled = await page.evaluate(() => scrollY);
    for (const key of ['j', 'Space', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.type('Buy stamps');
    await page.keyboard.press('Escape');
    const rows = page.locator('.demo-row');
    assert.equal(await rows.count(), 8);
    arrive();
    await expectEventually(() => rows.count(), 9);
    await expectEventually(() => rows.nth(4).innerText(), 'Buy stamps');
    assert.match((await rows.nth(3).getAttribute('class')) ?? '', /done/);
    assert.equal(await page.evaluate(() => scrollY), scrolled);
    await page.keyboard.press('k');
    await expectEventually(() => rows.nth(3).getAttribute('aria-selected'), 'true');
  });

  test('keeps a press on the demonstration, and never holds the focus', async (t) => {
    const { page, arrive } = await openSlowly(t, '/');
    await page.locator('.demo-row').nth(1).locator('.demo-box').click();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.demo-rows')), null);
    arrive();
    const row = page.locator('.demo-row').nth(1);
    await expectEventually(() => row.getAttribute('aria-selected'), 'true');
  });

  test('leaves all keys to the browser when its script does not come', async (t) => {
    const page = await open(t);
    await page.route(PAGE_SCRIPT, (route: Route) => route.abort('connectionreset'));
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/');
    await failed;
    await page.locator('.demo-rows').focus();
    const isLeft = () =>
      page.evaluate(() => {
        const key = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true });
        return document.activeElement?.dispatchEvent(key);
      });
    await expectEventually(isLeft, true);
  });

  test('searches the guides for what was typed too early', async (t) => {
    const { page, arrive } = await openSlowly(t, '/guides');
    await page.keyboard.press('/');
    await page.keyboard.type('chord');
    await page.keyboard.press('Enter');
    arrive();
    await page.waitForURL('/guides/hotkeys#chords');
  });

  test('turns to the neighbouring guide without waiting', async (t) => {
    const { page, arrive } = await openSlowly(t, '/guides/command-palette');
    await page.keyboard.press(']');
    await page.waitForURL('/guides/hotkeys');
    await page.keyboard.press('[');
    await page.waitForURL('/guides/command-palette');
    arrive();
  });

  test('says without scripts what an invitation needs, in one sentence, and waits for nothing', async (t) => {
    const page = await site().visit(t, '/a/GOOD', {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    assert.equal(await page.locator('.notice > *').count(), 1);
    for (const path of ['/a/GOOD', '/invite?token=x']) {
      await page.goto(site().url + path);
      assert.equal(await page.getByText('Loading details...').isVisible(), false, path);
      assert.equal(await page.locator('.notice').isVisible(), true, path);
    }
  });
});
