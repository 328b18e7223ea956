// Buttons by keyboard: what has the focus is what Enter and Space press, and Tab goes on from it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  serve,
  withBrowser,
} from './harness.ts';

const KEYS = ['Enter', 'Space'] as const;

/** What opens or closes when a button is pressed, as the person would name it. */
const shown = (page: Page) =>
  page.evaluate(() =>
    ['sidebar', 'notes', 'search', 'palette', 'dialog', 'title-input'].filter((name) => {
      const element = document.querySelector<HTMLElement>(`[data-ph=${name}]`);
      return element?.checkVisibility({ visibilityProperty: true }) === true;
    }),
  );

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

describe('buttons by keyboard', () => {
  const browser = withBrowser();

  const presses: readonly (readonly [button: string, change: string])[] = [
    ['Show or hide the lists', 'sidebar'],
    ['Search', 'search'],
    ['Show or hide the notes', 'notes'],
    ['Commands', 'palette'],
    ['New list', 'palette'],
    ['Create an account', 'dialog'],
  ];
  for (const key of KEYS) {
    test(`each is pressed by ${key}, and what it shows goes as it came`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url);
      await addTasks(page, ['Sharpen the pencils']);
      const was = await shown(page);
      for (const [name, change] of presses) {
        const button = page.getByRole('button', { name, exact: true });
        await button.focus();
        await page.keyboard.press(key);
        await expectEventually(async () => (await shown(page)).includes(change), !was.includes(change));
        await expectOutline(page, ['- Sharpen the pencils']);
        if (change === 'sidebar' || change === 'notes') {
          await button.focus();
          await page.keyboard.press(key);
        } else await page.keyboard.press('Escape');
        await expectEventually(() => shown(page), was);
      }
    });
  }

  test('the first screen answers Enter and Space, and other keys as ever', async (t) => {
    const server = await serve(t);
    for (const key of KEYS) {
      const { page } = await openApp(t, browser(), server.url, { isNew: true });
      await page.keyboard.press(key);
      await page.locator('[data-ph=title-input]').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('[data-ph=title-input]').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+Enter');
      await page.locator('[data-ph=title-input]').waitFor();
    }
  });

  test('[LEARN-1] F9 and Enter start the lesson, whatever button has the focus', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await page.waitForFunction(() => document.activeElement?.id === 'outline-empty');
    await page.keyboard.press('F9');
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=lesson]').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=title-input]').waitFor();
  });

  test('[KEY-71] a title typed where no task can be made stays in one place', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Sharpen the pencils']);
    await page.keyboard.press('/');
    await page.locator('#search-input').waitFor();
    await page.keyboard.type('has:attachment');
    await page.keyboard.press('Control+Enter');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('Files');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Files' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'outline-empty');
    await page.keyboard.press('Control+Enter');
    const line = page.locator('#quick-entry-line');
    // The first letter opens it; the focus is still on a button that a space would press.
    await page.keyboard.type('Buy milk and bread');
    await page.keyboard.press('Enter');
    await expectEventually(() => line.inputValue(), 'Buy milk and bread');
    assert.match(await page.locator('[data-ph=entry-reason]').innerText(), /can’t add (?:a task|tasks) here/);
    await page.getByText('Choose a list for it.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await shown(page), ['sidebar']);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await expectOutline(page, ['- Sharpen the pencils']);
  });

  test('Tab leaves the empty screen both ways', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const first = await focusedName(page);
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focusedName(page), 'Commands');
    await page.keyboard.press('Tab');
    assert.equal(await focusedName(page), first);
    assert.equal(await page.locator('[data-ph=message]').count(), 0);
  });

  test('a button that goes with what it closes leaves the focus in the outline', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    for (const [opening, name] of [
      ['/', 'Close search'],
      ['Control+/', 'Close notes'],
    ] as const) {
      await page.keyboard.press(opening);
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name }).waitFor({ state: 'detached' });
      await expectEventually(
        () => page.evaluate(() => document.activeElement?.hasAttribute('data-row') ?? false),
        true,
      );
    }
  });

  test('a button pressed by pointer leaves the keys to the outline', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    await page.getByRole('button', { name: 'Show or hide the lists' }).click();
    await page.keyboard.press('Space');
    await expectOutline(page, ['x One']);
  });

  test('the cursor’s row is in sight after many rows came into an empty list', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const lines = Array.from({ length: 120 }, (_, index) => `Line ${index + 1}`);
    await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join('\n'));
    await command(page, 'Create tasks from clipboard');
    await expectEventually(async () => (await outline(page))[0], '- Line 1');
    await expectEventually(
      () => page.evaluate(() => document.querySelector('[data-ph=outline]')?.scrollTop),
      0,
    );
  });
});
