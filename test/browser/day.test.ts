// A day's work with the pointer switched off: everything is done by keys, in a page that no click reaches.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  ready,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

/** Runs in the page, before anything else. */
function switchPointerOff(): void {
  addEventListener('DOMContentLoaded', () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { pointer-events: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}

/** A picker opened by a key, answered in words. */
async function say(page: Page, key: string, words: string): Promise<void> {
  await page.keyboard.press(key);
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
}

const row = (page: Page, title: string) => page.locator('[data-row]', { hasText: title });
const heading = (page: Page) => page.locator('h1').first().innerText();

describe('a day', () => {
  const browser = withBrowser();

  test('is worked through by keys alone, while nothing can be pointed at', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { before: switchPointerOff });
    await signUp(page, 'early@example.org');
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body).pointerEvents),
      'none',
      'the pointer is off',
    );

    // Morning: what comes to mind, and its order.
    await addTasks(page, ['Plan the walk', 'Buy rope', 'Call the hut', 'Water the plants']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    await expectOutline(page, ['- Plan the walk', '- Buy rope', '  - Call the hut', '- Water the plants']);
    await page.keyboard.press('Control+z');
    await expectOutline(page, ['- Plan the walk', '- Buy rope', '- Call the hut', '- Water the plants']);

    // When, how often, what for.
    await say(page, 'd', 'tomorrow 5pm');
    await row(page, 'Call the hut').getByText('tomorrow, 17:00', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await say(page, 'd', 'today');
    await say(page, 'r', 'every 3 days');
    await row(page, 'Water the plants').locator('[data-ph=repeat]').waitFor();
    await page.keyboard.press('Home');
    await say(page, 'Control+l', 'Weekend');
    await row(page, 'Plan the walk').locator('[data-ph=label]').filter({ hasText: 'Weekend' }).waitFor();

    // Noon: found again, and kept as a list.
    await page.keyboard.press('/');
    await page.keyboard.type('label:weekend');
    await expectOutline(page, ['- Plan the walk']);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('combobox', { name: 'Name of the smart list' }).waitFor();
    await page.keyboard.type('Weekend plans');
    await page.keyboard.press('Enter');
    await expectEventually(() => heading(page), 'Weekend plans');
    await page.keyboard.press('Space');
    await expectOutline(page, ['x Plan the walk']);

    // Evening: what is done, what goes, what was a mistake.
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await expectEventually(() => heading(page), 'Inbox');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await expectOutline(page, ['x Plan the walk', '- Call the hut', '- Water the plants']);
    await page.keyboard.press('Control+z');
    await expectOutline(page, ['x Plan the walk', '- Buy rope', '- Call the hut', '- Water the plants']);
    await command(page, 'New list');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('Errands');
    await page.keyboard.press('Enter');
    await expectEventually(() => heading(page), 'Errands');
    await synced(page);
    await page.reload();
    await ready(page);
    await expectEventually(() => heading(page), 'Errands');
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  });
});
