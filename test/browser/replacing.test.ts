// Find and replace by keys alone, on a desktop and on a phone; and an expression without an end, which the app outlives.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, expectEventually, expectOutline, openApp, serve, withBrowser } from './harness.ts';

const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

/** What the browser writes of a script that it could not fetch. */
const NETWORK = /ERR_FAILED/;

const status = (page: Page) => page.locator('#replace-status').innerText();

describe('find and replace', () => {
  const browser = withBrowser();

  test('[REPLACE-3] an expression that has to wait for its turn is not one without an end', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      before: () => {
        // As on a machine that has no time for the worker until later.
        const post: (this: Worker, job: unknown) => void = Reflect.get(Worker.prototype, 'postMessage');
        Worker.prototype.postMessage = function later(this: Worker, job: unknown) {
          setTimeout(() => post.call(this, job), 1_500);
        };
      },
    });
    await addTasks(page, ['Doe, Jane']);
    await page.keyboard.press('Control+Shift+F');
    await page.getByLabel('Find in titles').waitFor();
    await page.keyboard.type(String.raw`^(\w+), (\w+)$`);
    await page.getByRole('checkbox', { name: 'Regular expression' }).press('Space');
    await page.getByLabel('Replace with').fill('$2 $1');
    await expectEventually(() => status(page), '1 title would change.');
  });

  test('[REPLACE-3] a worker whose script could not be had is made anew for what is typed next', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { expected: NETWORK });
    await addTasks(page, ['Doe, Jane']);
    let cuts = 0;
    const script = /\/expression-worker-[^/]+\.js$/;
    await page.context().route(script, (route) => {
      cuts += 1;
      return route.abort();
    });
    await page.keyboard.press('Control+Shift+F');
    await page.getByLabel('Find in titles').waitFor();
    await page.keyboard.type('Jan');
    await page.getByRole('checkbox', { name: 'Regular expression' }).press('Space');
    await page.getByText('Can’t use expressions now').waitFor();
    assert.ok(cuts > 0);
    await page.context().unroute(script);
    await page.getByLabel('Find in titles').fill('Jan.');
    await expectEventually(() => status(page), '1 title would change.');
  });

  test('[REPLACE-4] Enter leads from field to field, through the titles, to the button, whose key is shown', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Buy milk', 'Milk the cow']);
    await page.keyboard.press('Control+Shift+F');
    await page.getByLabel('Find in titles').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.id.replace(/-[-0-9a-f]{36}$/, ''));
    await page.keyboard.type('milk');
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'replace-replacement');
    await page.keyboard.type('oat');
    await expectEventually(() => status(page), '2 titles would change.');
    for (const next of ['replace-row', 'replace-row', 'replace-all']) {
      await page.keyboard.press('Enter');
      assert.equal(await focused(), next);
    }
    assert.match(await page.locator('#replace-all').innerText(), /Ctrl\s*\+?\s*↵/);
    await page.keyboard.press('Enter');
    await expectOutline(page, ['- Buy oat', '- oat the cow']);
  });

  for (const [name, colorScheme, before] of [
    ['by the browser', 'light', undefined],
    // As one that does not know how.
    ['by elements', 'dark', () => void Reflect.deleteProperty(CSS, 'highlights')],
  ] as const)
    test(`[REPLACE-4] what was found is marked ${name}, and read with the rest`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, {
        colorScheme,
        ...(before ? { before } : {}),
      });
      await addTasks(page, ['Buy milk and more milk', 'Milk the cow']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Shift+F');
      await page.getByLabel('Find in titles').fill('milk');
      await page.getByLabel('Replace with').fill('oat');
      await expectEventually(() => status(page), '2 titles would change.');
      const marked = () =>
        page.evaluate(() => {
          if (!('highlights' in CSS))
            return [...document.querySelectorAll('dialog mark')].map((mark) => mark.textContent);
          const ranges = [...(CSS.highlights.get('ph-found') ?? [])];
          return ranges.map(({ startContainer, startOffset, endOffset }) =>
            startContainer.textContent?.slice(startOffset, endOffset),
          );
        });
      await expectEventually(marked, ['milk', 'milk', 'Milk']);
      const added = () =>
        page.evaluate(() => {
          if (!('highlights' in CSS))
            return [...document.querySelectorAll('dialog ins')].map((mark) => mark.textContent);
          const ranges = [...(CSS.highlights.get('ph-put') ?? [])];
          return ranges.map(({ startContainer, startOffset, endOffset }) =>
            startContainer.textContent?.slice(startOffset, endOffset),
          );
        });
      await expectEventually(added, ['oat', 'oat', 'oat']);
      const row = page.locator('[data-ph=replace-row]').first();
      assert.equal(await row.locator('label').innerText(), 'Buy milk and more milk');
      await page.getByLabel('Find in titles').fill('cow');
      await expectEventually(marked, ['cow']);
      const shots = process.env.POSTHASTE_SHOTS;
      if (shots !== undefined) await page.screenshot({ path: `${shots}/replace-${colorScheme}.png` });
    });

  test('[REPLACE-4] Enter leads from what is looked for to what is put in its place, and on into the titles', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Send letters', 'Old letters']);
    await page.keyboard.press('Control+Shift+F');
    await page.getByLabel('Find in titles').waitFor();
    await page.keyboard.type('letters');
    await expectEventually(() => status(page), '2 titles would change.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('postcards');
    await page.getByText('Old postcards').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectEventually(() => status(page), '2 titles would change, 1 left out.');
    await page.keyboard.press('Control+Enter');
    await expectOutline(page, ['- Send postcards', '- Old letters']);
  });

  for (const { name, ...look } of SIZES) {
    test(`[REPLACE-3] [REPLACE-4] by keys, with an expression that never ends: ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, look);
      await addTasks(page, ['Doe, Jane', 'Roe, Richard', `${'a'.repeat(60)}!`]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Shift+F');
      await page.getByLabel('Find in titles').waitFor();
      await page.keyboard.type('(a+)+$');
      await page.getByRole('checkbox', { name: 'Regular expression' }).press('Space');
      // While it runs, keys are answered: on the page itself it would never end, and take this key with it.
      await page.getByLabel('Replace with').focus();
      await page.keyboard.type('b');
      assert.equal(await page.getByLabel('Replace with').inputValue(), 'b');
      await page.getByText('This expression takes too long').waitFor();
      await page.getByRole('button', { name: 'Find plain text' }).waitFor();
      await page.getByLabel('Find in titles').fill(String.raw`^(\w+), (\w+)$`);
      await page.getByLabel('Replace with').fill('$2 $1');
      await expectEventually(() => status(page), '2 titles would change.');
      await loadAxe(page);
      assert.deepEqual(await violations(page), []);
      const shots = process.env.POSTHASTE_SHOTS;
      if (shots !== undefined) await page.screenshot({ path: `${shots}/replace-${name}.png` });
      // Down to the first title, which is left out, and all others at once.
      await page.getByLabel('Replace with').press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await expectEventually(() => status(page), '2 titles would change, 1 left out.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Replaced in 1 title.').first().waitFor();
      await expectOutline(page, ['- Jane Doe', '- Roe, Richard', `- ${'a'.repeat(60)}!`]);
      await page.keyboard.press('Control+z');
      await expectOutline(page, ['- Doe, Jane', '- Roe, Richard', `- ${'a'.repeat(60)}!`]);
    });
  }
});
