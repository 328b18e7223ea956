// Ways of typing that a Latin keyboard with English letters never shows: input methods, other alphabets, other layouts,
// and ten thousand lines at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import {
  addTasks,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  ready,
  serve,
  withBrowser,
} from './harness.ts';

interface Press {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  readonly ctrl?: boolean;
  readonly shift?: boolean;
}

/** A key as a person's layout produces it. */
async function press(cdp: CDPSession, { key, code, keyCode, ctrl, shift }: Press): Promise<void> {
  const modifiers = (ctrl ? 2 : 0) + (shift ? 8 : 0);
  const common = { key, code, windowsVirtualKeyCode: keyCode, modifiers };
  const text = ctrl || key.length > 1 ? {} : { text: key };
  await cdp.send('Input.dispatchKeyEvent', {
    type: ctrl || key.length > 1 ? 'rawKeyDown' : 'keyDown',
    ...common,
    ...text,
  });
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
}

const placeName = (page: Page) => page.locator('h1').innerText();

describe('input', () => {
  const browser = withBrowser();

  test('keys of an input method are its own until the text is chosen', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    const cdp = await context.newCDPSession(page);
    await page.keyboard.press('Control+Enter');
    await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    for (const code of ['Enter', 'Escape', 'Tab', 'ArrowDown']) {
      await press(cdp, { key: 'Process', code, keyCode: 229 });
    }
    await expectOutline(page, ['- にほん']);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
    await cdp.send('Input.insertText', { text: '日本' });
    await expectOutline(page, ['- 日本']);
    await page.keyboard.press('Enter');
    await page.keyboard.type('x');
    await expectOutline(page, ['- 日本', '- x']);
  });

  test('a key in the moment in which the app is drawn is answered before the next one', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      before: () => {
        const early = { focused: '' };
        Object.assign(globalThis, { early });
        const watch = new MutationObserver(() => {
          const row = document.querySelector('[data-row]');
          if (row === null) return;
          watch.disconnect();
          row.dispatchEvent(new KeyboardEvent('keydown', { key: 'F2', code: 'F2', bubbles: true }));
          // As long as it takes until the browser could bring the next key.
          queueMicrotask(() => (early.focused = document.activeElement?.tagName ?? ''));
        });
        watch.observe(document, { childList: true, subtree: true });
      },
    });
    await addTasks(page, ['One']);
    await page.reload();
    await ready(page);
    assert.equal(
      await page.evaluate(() => (globalThis as unknown as { early: { focused: string } }).early.focused),
      'INPUT',
    );
  });

  test('with a Cyrillic layout keys act by their place, and text stays Cyrillic', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    const cdp = await context.newCDPSession(page);
    await page.keyboard.press('Control+Enter');
    await press(cdp, { key: 'д', code: 'KeyL', keyCode: 76 });
    await press(cdp, { key: 'а', code: 'KeyF', keyCode: 70 });
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- да']);
    // g x: the trash.
    await press(cdp, { key: 'п', code: 'KeyG', keyCode: 71 });
    await press(cdp, { key: 'ч', code: 'KeyX', keyCode: 88 });
    await expectEventually(() => placeName(page), 'Trash');
    await press(cdp, { key: 'п', code: 'KeyG', keyCode: 71 });
    await press(cdp, { key: 'ш', code: 'KeyI', keyCode: 73 });
    await expectEventually(() => placeName(page), 'Inbox');
    await page.keyboard.press('Space');
    await expectOutline(page, ['x да']);
    await press(cdp, { key: 'я', code: 'KeyZ', keyCode: 90, ctrl: true });
    await expectOutline(page, ['- да']);
  });

  test('with an AZERTY layout letters are what they say, wherever they stand', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    const cdp = await context.newCDPSession(page);
    await addTasks(page, ['Une chose']);
    await page.keyboard.press('Space');
    await expectOutline(page, ['x Une chose']);
    // The key where QWERTY has Z says W here, and closes nothing.
    await press(cdp, { key: 'w', code: 'KeyZ', keyCode: 87 });
    await expectOutline(page, ['x Une chose']);
    await press(cdp, { key: 'z', code: 'KeyW', keyCode: 90, ctrl: true });
    await expectOutline(page, ['- Une chose']);
    // "/" needs Shift on this layout, "?" stands on the place of M.
    await press(cdp, { key: '/', code: 'Period', keyCode: 191, shift: true });
    await page.locator('#search-input').waitFor();
    await page.keyboard.press('Escape');
    await press(cdp, { key: '?', code: 'KeyM', keyCode: 188, shift: true });
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  });

  test('a title written from right to left is read so, beside its checkbox', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    await addTasks(page, ['שלום עולם 123 and latin', 'Left to right']);
    const drawn = await page.evaluate(() =>
      [...document.querySelectorAll('[data-ph=title]')].map((title) => {
        const { direction, textAlign } = getComputedStyle(title);
        return [direction, textAlign];
      }),
    );
    assert.deepEqual(drawn, [
      ['rtl', 'left'],
      ['ltr', 'left'],
    ]);
  });

  test('ten thousand lines are pasted, kept, and found at the far end', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    await addTasks(page, ['Before']);
    await page.evaluate(async () => {
      const lines = Array.from({ length: 10_000 }, (_, n) => `${n % 10 === 0 ? '' : '  '}Line ${n}`);
      await navigator.clipboard.writeText(lines.join('\n'));
    });
    await page.keyboard.press('Control+v');
    await page.locator('[data-ph=message]', { hasText: 'Added 10000 tasks.' }).waitFor();
    await page.keyboard.press('End');
    await expectEventually(async () => (await outline(page)).at(-1), '  - Line 9999');
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 1_500, `${elements} elements are in the document`);
    await expectEventually(() => page.locator('[data-ph=sync]').innerText(), 'Only on this device');
    await page.reload();
    await ready(page);
    // "End" is the end of what is loaded.
    await expectEventually(() => page.locator('[data-ph=sync]').innerText(), 'Only on this device');
    await page.keyboard.press('End');
    await expectEventually(async () => (await outline(page)).at(-1), '  - Line 9999');
  });
});
