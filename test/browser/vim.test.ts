// Vim keys in a browser: what is not in the set writes nothing, recorded keys write what was typed, and pages are pages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTasks, command, expectOutline, openApp, serve, withBrowser } from './harness.ts';

/** With Vim keys, in the outline. */
async function vim(
  page: Page,
  tasks: readonly string[],
): Promise<(...keys: readonly string[]) => Promise<void>> {
  await addTasks(page, tasks);
  await command(page, 'Choose a set of keys');
  await page.keyboard.type('Vim');
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: 'Vim' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-ph=message]').getByText('Vim keys').waitFor();
  return async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
}

describe('Vim keys', () => {
  const browser = withBrowser();

  test('[VIM-6] [VIM-8] unknown sequences write nothing; recorded keys write again what was typed', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const press = await vim(page, ['One', 'Two', 'Three']);
    await press('g', 'g', 'd', 'i', 'p', 'g', 'Shift+U', 'i', 'w', '"', 'a', 'x', 'f', 'o');
    await page.locator('[data-ph=message]').getByText('f o does nothing.').waitFor();
    await expectOutline(page, ['- One', '- Two', '- Three']);
    await press('q', 'a', 'Shift+A');
    await page.getByText('Recording @a').waitFor();
    await page.keyboard.type('! now');
    await press('Backspace', 'Backspace', 'Backspace', 'Backspace', 'Escape', 'j', 'q', '9', '@', 'a');
    await expectOutline(page, ['- One!', '- Two!', '- Three!']);
    await press('u');
    await expectOutline(page, ['- One!', '- Two', '- Three']);
    await press('"', 'z', 'y', 'y', 'Shift+G', '"', 'z', 'p');
    await expectOutline(page, ['- One!', '- Two', '- Three', '- Two']);
  });

  test('[VIM-9] pages are pages, no search of the browser’s, and zt brings the line to the top', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const lines = Array.from({ length: 80 }, (_, index) => `Line ${index + 1}`);
    const press = await vim(page, lines);
    const current = () =>
      page.evaluate(() => Number(/\d+/.exec(document.activeElement?.textContent ?? '')?.[0] ?? Number.NaN));
    await press('g', 'g', 'Control+f');
    const afterPage = await current();
    assert.ok(afterPage > 10, `line ${afterPage}`);
    assert.equal(await page.locator('[data-ph=search] input').count(), 0);
    await press('Control+d', 'Control+b', 'Control+u');
    assert.equal(await current(), 1);
    await press('4', '0', 'Shift+G', 'z', 't', 'Shift+H');
    assert.equal(await current(), 40);
    await press('Shift+L', 'z', 't', 'Shift+H');
    assert.ok((await current()) > 45);
  });
});
