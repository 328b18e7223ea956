// A whole first quarter of an hour without touching a pointer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addTasks,
  command,
  expectOutline,
  openApp,
  outline,
  ready,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('keyboard', () => {
  const browser = withBrowser();

  test('sign up, type, nest, complete and undo without a pointer', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Pack the tent']);
    await signUp(page, 'walker@example.org');
    await expectOutline(page, ['- Pack the tent']);

    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Find the pegs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Wash the cover');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Pack the tent', '  - Find the pegs', '  - Wash the cover']);

    await page.keyboard.press('Space');
    await expectOutline(page, ['- Pack the tent', '  - Find the pegs', '  x Wash the cover']);
    await page.keyboard.press('Control+z');
    await expectOutline(page, ['- Pack the tent', '  - Find the pegs', '  - Wash the cover']);

    await page.keyboard.press('Alt+ArrowUp');
    await expectOutline(page, ['- Pack the tent', '  - Wash the cover', '  - Find the pegs']);
    await synced(page);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Pack the tent', '  - Wash the cover', '  - Find the pegs']);
  });

  test('[KEY-39] [KEY-34] a message stays under the pointer, and shakes or flashes at what is not bound', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two']);
    // Time goes on only where it is said: a slow machine takes none of the message's seconds.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const message = page.locator('[data-ph=message]');
    // A message is drawn once the change it tells of is painted.
    const painted = () => page.clock.runFor(200);
    await page.keyboard.press('Space');
    await painted();
    await message.hover();
    await page.clock.fastForward(60_000);
    assert.match(await message.innerText(), /Completed ‘Two’/);
    await page.mouse.move(600, 300);
    await page.clock.fastForward(7_000);
    assert.match(await message.innerText(), /Completed ‘Two’/);
    await page.clock.fastForward(1_000);
    await painted();
    await message.waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await painted();
    assert.match(await message.innerText(), /Completed ‘Two’.\s+2 completed/);
    const moved = () =>
      message
        .locator('span')
        .first()
        .evaluate((span) => getComputedStyle(span).animationName);
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    const shaken = await moved();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const flashed = await moved();
    assert.equal(new Set(['none', shaken, flashed]).size, 3);
  });

  test('every key leaves focus on something that has a name', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two', 'Three']);
    const keys = [
      'ArrowUp',
      'Enter',
      'Escape',
      'Delete',
      'Control+z',
      'F6',
      'F6',
      'F6',
      '/',
      'Escape',
      'Control+k',
      'Escape',
      '?',
      'Escape',
    ];
    for (const key of keys) {
      await page.keyboard.press(key);
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        return element === null || element === document.body ? 'body' : `${element.tagName} ${element.id}`;
      });
      assert.notEqual(focused, 'body', `after ${key}`);
    }
    assert.equal((await outline(page)).length, 3);
  });

  test('lists: make one, rename it, move a task there, go back', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Sharpen the pencils']);
    await command(page, 'New list');
    await page.keyboard.type('Desk');
    await page.keyboard.press('Enter');
    await page.locator('[role=treeitem]').filter({ hasText: 'Desk' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await expectOutline(page, ['- Sharpen the pencils']);
    await page.keyboard.press('m');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('Desk');
    await page.keyboard.press('Enter');
    await expectOutline(page, []);
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('Desk');
    await page.keyboard.press('Enter');
    await expectOutline(page, ['- Sharpen the pencils']);
  });
});
