// Whoever goes through the site by keys is never put back to its beginning: what has the focus is not taken away from under
// it, and what takes its place takes the focus.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { alive, scripted, shows, withSite } from './site-world.ts';

/** What has the focus, in a word. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: it } = document;
    return it === null || it === document.body ? 'nothing' : (it.textContent ?? '').trim() || it.id;
  });

/** Answers wait for the test, and are then what the server says, or an error. */
async function holdAnswer(page: Page, call: string, status?: number): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(call, async (route) => {
    await promise;
    await (status === undefined ? route.continue() : route.fulfill({ status, json: {} }));
  });
  return resolve;
}

describe('the focus on the site', () => {
  const site = withSite();

  test('stays in the changelog while it is brought up to date, and so does what is marked', async (t) => {
    const page = await site().visit(t, '', { timezoneId: 'America/Los_Angeles' });
    await site().server.services.desk.releases.publish('1.0.0', Date.parse('2026-10-01'));
    const answer = await holdAnswer(page, '**/api/app_releases');
    await page.goto(`${site().url}/changelog`);
    await scripted(page);
    const link = page.locator('#v1-0-0 a').first();
    await link.focus();
    // Not in the page that the server has sent.
    await site().server.services.desk.releases.write('2.0.0', '- The second one.');
    await site().server.services.desk.releases.publish('2.0.0', Date.parse('2026-11-01'));
    answer();
    await expectEventually(
      () => page.locator('[data-releases] h2').allInnerTexts(),
      ['2.0.0\nNovember 1, 2026', '1.0.0\nOctober 1, 2026'],
    );
    assert.equal(await focused(page), '1.0.0');
  });

  test('stays on a sample of code that gets its button later', async (t) => {
    const page = await site().visit(t, '');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/assets/page-*.js', (route) => promise.then(() => route.continue()));
    await page.goto(`${site().url}/guides/api`, { waitUntil: 'domcontentloaded' });
    await page.locator('.prose pre').first().focus();
    resolve();
    await scripted(page);
    assert.match(await focused(page), /^curl/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Copy');
  });

  test('goes to what stands in the place of an invitation that cannot be shown', async (t) => {
    const page = await site().visit(t, '');
    const answer = await holdAnswer(page, '**/api/affiliate_promo_codes/*', 500);
    await page.goto(`${site().url}/a/GOOD`);
    await alive(page);
    await page.getByText('Learn more').focus();
    answer();
    await shows(page, 'Something went wrong');
    await expectEventually(async () => (await focused(page)).includes('Try refreshing the page'), true);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'contact us');
  });

  test('goes to what is said once the new password is set', async (t) => {
    const page = await site().visit(t, '');
    await page.route('**/api/sessions/reset_password', (route) => route.fulfill({ json: { success: true } }));
    await page.goto(`${site().url}/reset-password?token=abc`);
    await alive(page);
    await page.locator('#new_password').fill('violet anchor');
    await page.locator('#again').fill('violet anchor');
    await page.keyboard.press('Enter');
    await expectEventually(async () => (await focused(page)).startsWith('You have a new password'), true);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Sign in');
  });

  test('goes to the button of the film once that is closed, also when the address opened it', async (t) => {
    const page = await site().visit(t, '/?demo');
    await page.locator('dialog[open] [data-close]:focus').waitFor();
    await page.keyboard.press('Escape');
    await expectEventually(() => focused(page), 'Watch the film 2:40');
    await page.keyboard.press('Enter');
    await page.locator('dialog[open] [data-close]:focus').waitFor();
    await page.locator('dialog[open] [data-close]').press('Enter');
    await expectEventually(() => focused(page), 'Watch the film 2:40');
  });

  test('goes down a narrow guide as it is read, past its folded contents', async (t) => {
    const page = await site().visit(t, '/guides/labels', { viewport: { width: 768, height: 1_024 } });
    const main = page.locator('.guide-layout :is(a, button, summary, [tabindex]):visible');
    const stops: number[] = [];
    await page.locator('.crumbs a').focus();
    while (await page.evaluate(() => document.activeElement?.closest('main') !== null)) {
      stops.push(
        await page.evaluate(() => (document.activeElement?.getBoundingClientRect().top ?? 0) + scrollY),
      );
      await page.keyboard.press('Tab');
    }
    assert.ok(stops.length > 10 && stops.length <= (await main.count()));
    const room = 60;
    assert.deepEqual(
      stops.filter((y, index) => y < (stops[index - 1] ?? 0) - room),
      [],
      'no step leads up the page',
    );
  });

  test('opens the contents of a narrow guide by a key, goes where they lead, and keeps them in reach below the bar', async (t) => {
    const page = await site().visit(t, '/guides/snoozing', { viewport: { width: 390, height: 844 } });
    const fold = page.locator('.toc-fold');
    const top = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    const bottom = (selector: string) =>
      page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
    assert.equal(await fold.getByRole('link').first().isVisible(), false);
    await fold.locator('summary').press('Enter');
    await fold.getByRole('link').last().press('Enter');
    await expectEventually(() => fold.locator('details[open]').count(), 0);
    const heading = `h2${new URL(page.url()).hash}`;
    assert.ok((await page.evaluate(() => scrollY)) > 800);
    await expectEventually(async () => (await top(heading)) >= (await bottom('.toc-fold')), true);
    assert.ok((await top(heading)) < 300 && (await top('.toc-fold')) >= 0);
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, -300);
    await expectEventually(async () => (await top('.toc-fold')) >= (await bottom('.bar')), true);
    assert.ok((await bottom('.bar')) > 50, 'the bar is there');
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.deepEqual(
      [
        await fold.isVisible(),
        await page.locator('.toc').isVisible(),
        await page.locator('.guide-nav').isVisible(),
      ],
      [false, true, true],
    );
  });

  test('is told beside a guide which section is being read, from its beginning on', async (t) => {
    const page = await site().visit(t, '/guides/snoozing', { viewport: { width: 1_440, height: 900 } });
    const links = page.locator('.toc a');
    const current = () => page.locator('.toc [aria-current=location]').allInnerTexts();
    const titles = await links.allInnerTexts();
    await expectEventually(current, titles.slice(0, 1));
    await links.nth(2).press('Enter');
    await expectEventually(current, titles.slice(2, 3));
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expectEventually(current, titles.slice(0, 1));
  });

  test('finds beside a guide where it stands, and opens the rest by a key', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await site().visit(t, '/guides/affiliates', {
        viewport: { width: 1_280, height: 720 },
        javaScriptEnabled,
      });
      await page.locator('.guide-nav [aria-current=page]').waitFor();
      assert.equal(await page.locator('.guide-nav a:visible').allInnerTexts().then(String), 'Affiliates');
      assert.ok(
        await page.locator('.guide-nav [aria-current]').evaluate((it) => {
          const { top, bottom } = it.getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        }),
      );
      await page.locator('.guide-nav summary', { hasText: 'The basics' }).press('Enter');
      await page.locator('.guide-nav').getByRole('link', { name: 'Hotkeys' }).waitFor();
    }
  });

  describe('in the search of the guides on a phone', () => {
    const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

    /** More results than there is room for. */
    async function search(t: TestContext): Promise<Page> {
      const page = await site().visit(t, '/guides', PHONE);
      await page.locator('#guide-query').fill('repeating task');
      const list = page.locator('#guide-results');
      await list.locator('[role=option]').nth(7).waitFor();
      assert.ok(await list.evaluate((it) => it.scrollHeight > it.clientHeight), 'it can be scrolled');
      return page;
    }

    test('goes on from the field to the page, past a list that can be scrolled', async (t) => {
      const page = await search(t);
      await page.locator('#guide-query').press('Tab');
      assert.match(await focused(page), /^Command palette/);
    });

    test('stays in the field while a finger scrolls the list, and a tap leads to the result', async (t) => {
      const page = await search(t);
      const list = page.locator('#guide-results');
      const box = await list.boundingBox();
      assert.ok(box);
      const input = await page.context().newCDPSession(page);
      const x = box.x + box.width / 2;
      const points = [160, 120, 70, 20].map((below) => ({ x, y: box.y + below }));
      for (const [index, point] of points.entries())
        await input.send('Input.dispatchTouchEvent', {
          type: index === 0 ? 'touchStart' : 'touchMove',
          touchPoints: [point],
        });
      await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await expectEventually(() => list.evaluate((it) => it.scrollTop > 0), true);
      assert.equal(new URL(page.url()).pathname, '/guides');
      assert.equal(await focused(page), 'guide-query');
      await list.locator('[role=option]').last().tap();
      await page.waitForURL('**/guides/*');
    });
  });
});
