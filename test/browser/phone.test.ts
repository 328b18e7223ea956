// A phone: thumbs instead of keys, the lists as a drawer, no hover.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expectOutline, openApp, serve, withBrowser } from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const addButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Main commands' }).getByRole('button', { name: 'New task' });

describe('phone', () => {
  const browser = withBrowser();

  test('tasks are made, completed and taken back by touch', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addButton(page).tap();
    await page.keyboard.type('Buy stamps');
    await page
      .getByRole('region', { name: 'Task you’re writing' })
      .getByRole('button', { name: 'New task' })
      .tap();
    await page.keyboard.type('Weigh the parcel');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Buy stamps', '- Weigh the parcel']);
    await page.getByRole('checkbox', { name: 'Buy stamps' }).tap();
    await expectOutline(page, ['x Buy stamps', '- Weigh the parcel']);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expectOutline(page, ['- Buy stamps', '- Weigh the parcel']);
  });

  test('the lists come as a drawer and go when one is chosen', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    const drawer = page.getByRole('navigation', { name: 'Lists' });
    assert.equal(await drawer.count(), 0);
    await page.getByRole('button', { name: 'Browse' }).tap();
    await drawer.waitFor();
    await drawer.getByRole('treeitem', { name: 'Inbox' }).tap();
    await drawer.waitFor({ state: 'detached' });
  });

  test('nothing is wider than the screen', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      ...PHONE,
      viewport: { width: 320, height: 640 },
    });
    await addButton(page).tap();
    await page.keyboard.type(
      'A title that is much longer than any screen of a small phone can ever show in one line',
    );
    await page.keyboard.press('Escape');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
  });
});
