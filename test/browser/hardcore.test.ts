// Hardcore Mode in a browser: what the mouse does is taken; keys, fingers and what presses without one are not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTasks, command, expectOutline, openApp, serve, withBrowser } from './harness.ts';

const box = (page: Page, name: string) => page.getByRole('checkbox', { name });

/** Quickly: a key does not wait until the page has answered the one before. */
async function escapeThreeTimes(page: Page): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  const escape = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 };
  const strokes = [1, 2, 3].flatMap(() => ['rawKeyDown', 'keyUp'] as const);
  await Promise.all(strokes.map((type) => keyboard.send('Input.dispatchKeyEvent', { type, ...escape })));
}

describe('Hardcore Mode', () => {
  const browser = withBrowser();

  test('[SET-17] the mouse does nothing, and everything else goes on', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two']);
    await command(page, 'Turn on Hardcore Mode');
    await page.locator('dialog button[type=submit]').click();
    await page.locator(':root[data-ph-mouse-off]').waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).cursor), 'none');
    await box(page, 'One').click({ force: true });
    await page.locator('[data-ph=message]').filter({ hasText: 'Esc three times' }).waitFor();
    await expectOutline(page, ['- One', '- Two']);
    // As assistive technology presses.
    await box(page, 'One').evaluate((element: HTMLElement) => element.click());
    await expectOutline(page, ['x One', '- Two']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectOutline(page, ['x One', 'x Two']);
    await command(page, 'Sign in');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await escapeThreeTimes(page);
    await box(page, 'One').click();
    await expectOutline(page, ['- One', 'x Two']);
  });
});
