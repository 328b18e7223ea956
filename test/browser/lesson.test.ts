// Somebody new, without a mouse: an account, the first five keys by using them, and nothing left behind but what they wrote.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { expectEventually, expectOutline, launch, openApp, ready, serve, signUp, synced } from './harness.ts';

const strip = (page: Page) => page.locator('[data-ph=lesson]');
const step = (page: Page, title: string) => strip(page).getByText(title).waitFor();

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', keys.join(' '));
}

/** No pointer reaches the page. */
function withoutPointer(): void {
  for (const type of ['pointerdown', 'mousedown', 'click'])
    window.addEventListener(
      type,
      (event) => {
        if (event instanceof MouseEvent && event.detail > 0) event.stopImmediatePropagation();
      },
      { capture: true },
    );
}

describe('the first keys', () => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  test('[LEARN-1] [LEARN-2] [LEARN-3] [LEARN-5] [LEARN-6] [LEARN-7] a new account learns them by keys alone', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, must(browser, 'launched'), server.url, { before: withoutPointer });
    await signUp(page, 'new@example.com');
    const offer = page.getByRole('button', { name: 'Learn the first five keys' });
    await offer.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0);
    await expectEventually(() => offer.evaluate((button) => button === document.activeElement), true);
    await press(page, 'Enter');
    await step(page, 'Go down and up the list');
    await expectEventually(
      async () => (await page.locator('#announce-polite').textContent())?.replace('\u00a0', ''),
      '1 of 12. Go down and up the list: ↓ or ↑.',
    );
    await press(page, 'ArrowDown');
    await step(page, 'Add a task of your own');
    await press(page, 'Control+Enter');
    await page.keyboard.type('Buy stamps');
    await press(page, 'Escape');
    await step(page, 'Put a task under the one above');
    await press(page, 'ArrowUp', 'ArrowDown', 'Tab');
    await step(page, 'Complete a task');
    await page.reload();
    await ready(page);
    await step(page, 'Complete a task');
    await press(page, 'End', 'Space');
    await step(page, 'Take that back');
    await press(page, 'Control+z');
    await step(page, 'The first five are yours.');
    await press(page, 'F9', 'x');
    await strip(page).waitFor({ state: 'detached' });
    await expectOutline(page, ['- Buy stamps']);
    assert.equal(await page.getByRole('treeitem', { name: 'Learn Posthaste' }).count(), 0);
    await synced(page);
    // The next start leaves nothing of it.
    await page.reload();
    await ready(page);
    await press(page, 'g', 'x');
    await page.getByText('The trash is empty.').waitFor();
  });
});
