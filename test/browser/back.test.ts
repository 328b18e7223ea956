// The browser's Back and Forward, on a phone above all: layers close one by one, places follow, and only then the app is left.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTasks, expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What is open above the list, and the place. Runs in the page. */
function openNow(): readonly string[] {
  const layers = [
    ['palette', document.querySelector('[data-ph=palette][data-open]')],
    ['dialog', document.querySelector('dialog[open]')],
    ['menu', document.querySelector('#add-menu:popover-open')],
    ['drawer', document.querySelector('nav[aria-label=Lists]')],
    ['selection', document.querySelector('[data-kind=selected]')],
  ] as const;
  const open = layers.flatMap(([name, element]) => (element ? [name] : []));
  return [document.querySelector('h1')?.innerText ?? '', ...open];
}

/** The history has come to what the app says: a Back pressed now is about what is seen. */
const shows = (page: Page, expected: readonly string[]) =>
  expectEventually(
    async () => ({
      open: await page.evaluate(openNow),
      layers: await page.evaluate(() => (history.state as { readonly layer: number }).layer),
    }),
    { open: expected, layers: expected.length - 1 },
  );

const lengthOf = (page: Page) => page.evaluate(() => history.length);
const main = (page: Page) => page.getByRole('navigation', { name: 'Main commands' });

describe('back and forward', () => {
  const browser = withBrowser();

  test('[TOUCH-10] layers over the first place close one by one, then the app is left', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['One']);
    await page.locator('[data-row]').tap();
    await shows(page, ['Inbox', 'dialog']);
    await page.goBack();
    await shows(page, ['Inbox']);
    // What was closed stays closed, and Forward may be pressed for ever.
    await page.goForward();
    await shows(page, ['Inbox']);
    await main(page).getByRole('button', { name: 'Browse' }).tap();
    await shows(page, ['Inbox', 'drawer']);
    await page.keyboard.press('Control+k');
    await shows(page, ['Inbox', 'palette', 'drawer']);
    await page.goBack();
    await shows(page, ['Inbox', 'drawer']);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.evaluate(() => document.getElementById('add-menu')?.showPopover());
    await shows(page, ['Inbox', 'menu']);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.keyboard.press('x');
    await shows(page, ['Inbox', 'selection']);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.goBack();
    await expectEventually(async () => page.url(), 'about:blank');
  });

  test('[TOUCH-10] what Escape closes costs no Back, and the history does not grow', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['One']);
    // From here on it is among the lists.
    await main(page).getByRole('button', { name: 'Today' }).tap();
    await shows(page, ['Today']);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.keyboard.press('Control+k');
    await shows(page, ['Inbox', 'palette']);
    const length = await lengthOf(page);
    await page.keyboard.press('Escape');
    await shows(page, ['Inbox']);
    for (let times = 0; times < 5; times += 1) {
      await page.keyboard.press('Control+k');
      await page.locator('#palette-input').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('#palette-input').waitFor({ state: 'hidden' });
    }
    // A place chosen in a layer takes its entry.
    await main(page).getByRole('button', { name: 'Browse' }).tap();
    await shows(page, ['Inbox', 'drawer']);
    assert.equal(await lengthOf(page), length);
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('treeitem', { name: 'Today' }).tap();
    await shows(page, ['Today']);
    assert.equal(await lengthOf(page), length);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.goForward();
    await shows(page, ['Today']);
    // A page that is loaded again with something open begins below it.
    await page.keyboard.press('Control+k');
    await shows(page, ['Today', 'palette']);
    await page.reload();
    await ready(page);
    await shows(page, ['Today']);
    await page.goBack();
    await shows(page, ['Inbox']);
    await page.goBack();
    await expectEventually(async () => page.url(), 'about:blank');
  });

  test('[TOUCH-10] [LIST-4] in a wide window Back closes a dialog too, and each tab has a history of its own', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto(`${server.url}/app/`);
    await ready(other);
    await other.keyboard.press('Control+k');
    await other.locator('#palette-input').waitFor();
    await page.bringToFront();
    await page.keyboard.press('F1');
    await page.locator('dialog').waitFor();
    await expectEventually(() => page.evaluate(() => (history.state as { layer: number }).layer), 1);
    await page.goBack();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
    await other.locator('#palette-input').waitFor();
    await other.goBack();
    await other.locator('#palette-input').waitFor({ state: 'hidden' });
  });
});
