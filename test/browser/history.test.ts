// The browser's Back and Forward: from place to place, together with the app's own keys, and also after a reload.
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTasks, expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

const placeIs = (page: Page, name: string) => expectEventually(() => page.locator('h1').innerText(), name);

async function go(page: Page, key: string): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
}

describe('history', () => {
  const browser = withBrowser();

  test('keys that lead through several places at once leave an entry for each', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Walk']);
    // Before the browser hears of the first one.
    await page.evaluate(() => {
      for (const key of ['z', 'g', 'x'])
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', {
            key,
            code: `Key${key.toUpperCase()}`,
            bubbles: true,
            cancelable: true,
          }),
        );
    });
    await placeIs(page, 'Trash');
    await page.waitForFunction(() => (history.state as { readonly place: string }).place === 'trash');
    await page.goBack();
    await placeIs(page, 'Walk');
    await page.goBack();
    await placeIs(page, 'Inbox');
  });

  test('Back and Forward lead through the places', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Walk']);
    const visit = () => page.evaluate(() => (history.state as { readonly visit: number }).visit);
    const first = await visit();
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
    // The browser goes along after the frame.
    await expectEventually(visit, first);
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
