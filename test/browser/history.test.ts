// The browser's Back and Forward: from place to place, together with the app's own keys, and also after a reload.
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { addTasks, expectEventually, launch, openApp, ready, serve } from './harness.ts';

const placeIs = (page: Page, name: string) => expectEventually(() => page.locator('h1').innerText(), name);

async function go(page: Page, key: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
}

describe('history', () => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  test('Back and Forward lead through the places', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, must(browser, 'launched'), server.url);
    await addTasks(page, ['Walk']);
    await page.keyboard.press('z');
    await placeIs(page, 'Walk');
    await go(page, 'x');
    await placeIs(page, 'Trash');
    await page.goBack();
    await placeIs(page, 'Walk');
    await page.goBack();
    await placeIs(page, 'Inbox');
    await page.goForward();
    await placeIs(page, 'Walk');
    await page.keyboard.press('[');
    await placeIs(page, 'Inbox');
    await page.goForward();
    await placeIs(page, 'Walk');
    await page.goForward();
    await placeIs(page, 'Trash');
    await page.reload();
    await ready(page);
    await placeIs(page, 'Trash');
    await page.goBack();
    await page.goBack();
    await placeIs(page, 'Inbox');
  });
});
