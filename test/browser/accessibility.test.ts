// What assistive technology meets: no violation that axe knows of, in the app's main states and both themes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { loadAxe, violations } from './axe.ts';
import { addTasks, command, launch, openApp, serve } from './harness.ts';

/** Each state starts where the one before it ended. */
const STATES: readonly { readonly name: string; readonly reach: (page: Page) => Promise<unknown> }[] = [
  { name: 'empty', reach: async () => undefined },
  {
    name: 'tasks',
    async reach(page) {
      await addTasks(page, ['Read the manual', 'Write the reply', 'Post it']);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowUp');
    },
  },
  {
    name: 'several selected',
    async reach(page) {
      await page.keyboard.press('Shift+ArrowUp');
    },
  },
  {
    name: 'editing',
    async reach(page) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'notes',
    async reach(page) {
      await page.keyboard.press('Shift+Enter');
      await page.locator('#notes-text').waitFor();
    },
  },
  {
    name: 'search',
    async reach(page) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await page.keyboard.type('re');
      await page.locator('[data-row]').first().waitFor();
    },
  },
  {
    name: 'palette',
    async reach(page) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'keys',
    async reach(page) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    },
  },
  {
    name: 'history',
    async reach(page) {
      await page.keyboard.press('Escape');
      await command(page, 'Show history of everything');
      await page.locator('[data-ph=history-chosen]').waitFor();
    },
  },
  {
    name: 'creating an account',
    async reach(page) {
      await page.keyboard.press('Escape');
      await command(page, 'Create an account');
      await page.locator('dialog input[name=email]').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('dialog [role=alert]').waitFor();
    },
  },
];

describe('accessibility', () => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing, ${colorScheme}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, must(browser, 'launched'), server.url, { colorScheme });
      await loadAxe(page);
      for (const { name, reach } of STATES) {
        await reach(page);
        assert.deepEqual(await violations(page), [], name);
      }
    });
  }

  test('axe finds nothing on a phone, and targets are large', async (t) => {
    const server = await serve(t);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await openApp(t, must(browser, 'launched'), server.url, phone);
    await loadAxe(page);
    await addTasks(page, ['Buy stamps', 'Weigh the parcel']);
    assert.deepEqual(await violations(page), []);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button')]
        .filter((button) => button.checkVisibility())
        .map((button) => ({
          name: button.ariaLabel ?? button.innerText,
          box: button.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width < 44 || box.height < 44)
        .map(({ name, box }) => `${name}: ${box.width}×${box.height}`),
    );
    assert.deepEqual(small, []);
  });
});
