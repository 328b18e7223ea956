// Signing up in the browser: errors lead to the field they are about, and success neither loses its word nor the cursor.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  PASSWORD,
  serve,
  signUp,
  withBrowser,
} from './harness.ts';

const focusedField = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const described = document.getElementById(element?.getAttribute('aria-describedby')?.split(' ')[0] ?? '');
    return {
      name: element?.getAttribute('name'),
      invalid: element?.getAttribute('aria-invalid'),
      error: described?.textContent,
    };
  });

describe('account forms', () => {
  const browser = withBrowser();

  test('an error takes the focus to its field and describes it', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await command(page, 'Create an account');
    await page.locator('dialog input[name=email]').waitFor();
    await page.keyboard.type('nobody');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    const email = { name: 'email', invalid: 'true', error: 'That doesn’t look like an email address.' };
    await expectEventually(() => focusedField(page), email);
    await page.keyboard.type('reader@example.org');
    await page.locator('dialog input[name=password]').fill('short');
    await page.keyboard.press('Enter');
    await expectEventually(async () => (await focusedField(page)).name, 'password');
  });

  test('the address in the sidebar leads to all of the account', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'reader@example.org');
    await page.getByRole('button', { name: 'reader@example.org' }).click();
    for (const name of ['Change address', 'Change password', 'Show', 'Sign out', 'Erase account'])
      await page.locator('dialog').getByRole('button', { name, exact: true }).waitFor();
  });

  test('after signing up the word stays to be read, and the cursor where it was', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two', 'Three']);
    await page.keyboard.press('ArrowUp');
    await command(page, 'Create an account');
    await page.locator('dialog input[name=email]').waitFor();
    await page.keyboard.type('reader@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'reader@example.org' }).waitFor();
    await expectEventually(() => page.locator('[data-ph=message]').innerText(), 'Your account is ready.');
    await expectEventually(() => page.locator('[data-ph-cursor] [data-ph=title]').innerText(), 'Two');
  });

  test('the first dialog is never an empty box', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    // The watcher stands before the key is pressed.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const dialog = document.querySelector<HTMLElement>('dialog[open]');
        if (!dialog) return;
        observer.disconnect();
        document.body.dataset['bindingsAtOpening'] = String(dialog.querySelectorAll('dt').length);
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    await page.keyboard.press('F1');
    await page.locator('body[data-bindings-at-opening]').waitFor();
    const bindings = Number(await page.locator('body').getAttribute('data-bindings-at-opening'));
    assert.ok(bindings > 8, `${bindings} keys stood in the dialog when it opened`);
  });
});
