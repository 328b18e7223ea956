// What is pressed while a part of the app is still on its way: it waits, and is typed where it was meant. The network is
// held by the test, so nothing here depends on how fast anything is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Network, SCRIPTS } from './network.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  outline,
  ready,
  serve,
  signUp,
  withBrowser,
} from './harness.ts';

/** The file that is brought when all commands and views are here: dialogs and what else is loaded when it is wanted. */
const AFTER_COMMANDS = /\/rest-/;

const message = (page: Page) => page.locator('[data-ph=message]').innerText();

/** What the field with the focus holds, and where it is. */
const typed = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement;
    const dialog = active?.closest('dialog')?.getAttribute('aria-label') ?? null;
    const text =
      active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active.value : null;
    return { dialog, text };
  });

const focusName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('[data-row]')?.textContent ?? document.activeElement?.tagName,
  );

/** The app with all commands and views, and none of the doors behind which more is loaded. */
async function cold(page: Page, network: Network): Promise<void> {
  // The page that is left may still ask for its later parts, which is not what is to be held.
  page.once('framenavigated', () => network.hold(AFTER_COMMANDS));
  // What is held may be what the browser still loads for the page.
  await page.reload({ waitUntil: 'domcontentloaded' });
  await ready(page);
  await expectEventually(() => Promise.resolve(network.isHolding), true);
}

/** Each opens a dialog with a field that takes what is typed. */
const FIELDS: readonly (readonly [command: string, dialog: string])[] = [
  ['Settings', 'Settings'],
  ['Quick entry…', 'Quick entry'],
  ['Find and replace…', 'Find and replace'],
  ['Keys', 'Keys'],
];

/** With an account, and something in the trash. */
const DIALOGS: readonly (readonly [command: string, dialog: string])[] = [
  ['Account', 'Account'],
  ['API access tokens', 'Account'],
  ['Show this list’s email address', 'List email address'],
  ['Attachments', 'Attachments'],
  ['Labels…', 'Labels'],
  ['Show details and metadata', 'Details'],
  ['Show history of everything', 'History'],
  ['Time machine for everything', 'Time machine'],
  ['Empty trash now', 'Empty trash now'],
  ['Disable cloud sync', 'Disable cloud sync'],
  ['Sync status', 'Sync status'],
];

/** Those with a field, and how often Escape is pressed until they are gone: what is searched for in the history ends first. */
const STEPS_OUT: Readonly<Record<string, number>> = { Labels: 1, History: 2 };

describe('a door on a cold page', () => {
  const browser = withBrowser();

  for (const [name, dialog] of FIELDS)
    test(`[KEY-40] [KEY-49] “${name}” takes what was typed before it came`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url);
      await addTasks(page, ['First', 'Second']);
      const network = await Network.of(page);
      await cold(page, network);
      await command(page, name);
      await page.keyboard.type('plan x');
      for (const key of ['Tab', 'Shift+Tab', 'End', 'Backspace', 'ArrowLeft', '!'])
        await page.keyboard.press(key);
      await expectEventually(async () => /^Loading .*Esc stops waiting/.test(await message(page)), true);
      assert.deepEqual(await outline(page), ['- First', '- Second']);
      assert.equal((await typed(page)).dialog, null);
      await network.decide('goes');
      await expectEventually(() => typed(page), { dialog, text: 'plan! ' });
      assert.deepEqual(await outline(page), ['- First', '- Second']);
    });

  test('[KEY-40] [KEY-48] none runs what follows it on the tasks below', async (t) => {
    const server = await serve(t, undefined, { MAIL_DOMAIN: 'in.example.org', MAIL_PORT: '0' });
    const { page } = await openApp(t, browser(), server.url, {
      expected: /403/,
    });
    await addTasks(page, ['First', 'Second', 'Gone']);
    await page.keyboard.press('Delete');
    await signUp(page, 'ida@example.org');
    await page.keyboard.press('ArrowUp');
    const network = await Network.of(page);
    for (const [name, dialog] of DIALOGS) {
      await cold(page, network);
      await command(page, name);
      await expectEventually(() => Promise.resolve(network.isHolding), true);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('x');
      const row = await focusName(page);
      await network.decide('goes');
      const stepsOut = STEPS_OUT[dialog];
      await expectEventually(() => typed(page), { dialog, text: stepsOut === undefined ? null : 'x' });
      for (let step = 0; step < (stepsOut ?? 1); step += 1) await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await expectEventually(() => focusName(page), row);
      assert.equal(
        await page.locator('[data-row][aria-selected=true]').count(),
        0,
        `${name}: nothing was selected`,
      );
    }
  });

  test('[ENTRY-4] a line that was typed before it could be read is read then', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['First']);
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const asked = page.waitForRequest(/\/rest-/);
    await page.context().route(/\/rest-/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.reload();
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Call the plumber tomorrow');
    await asked;
    assert.equal(await page.locator('[data-ph=tokens]').count(), 0);
    arrive();
    await page.locator('[data-ph=token-mark]', { hasText: 'tomorrow' }).waitFor();
  });

  test('[KEY-40] from the first key on: the palette, a command of it, its field', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['First']);
    const network = await Network.of(page);
    page.once('framenavigated', () => network.holdFrom(/\/commands-/));
    await page.reload();
    await ready(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quick entry');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Buy milk');
    await page.keyboard.press('Enter');
    assert.deepEqual(await outline(page), ['- First']);
    await network.decide('goes');
    await expectEventually(() => outline(page), ['- First', '- Buy milk']);
  });

  test('what was typed right before a reload is there before any later part of the app', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const network = await Network.of(page);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('First');
    page.once('framenavigated', () => network.holdFrom(/\/commands-/));
    await page.reload();
    await ready(page);
    await expectEventually(() => outline(page), ['- First']);
  });

  test('[KEY-41] [KEY-49] says what to do where it cannot be had, and keeps what was typed', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url);
    await addTasks(page, ['First', 'Second']);
    const network = await Network.of(page);
    await cold(page, network);
    await command(page, 'Settings');
    await page.keyboard.type('plan');
    await context.setOffline(true);
    await network.decide('fails');
    await expectEventually(
      () => message(page),
      'Settings couldn’t load. Go online and try again. What you typed is kept for the next try.',
    );
    await expectEventually(() => focusName(page), 'First');
    await page.keyboard.press('Space');
    await expectEventually(() => outline(page), ['x First', '- Second']);

    await context.setOffline(false);
    await command(page, 'Settings');
    await expectEventually(
      async () => /couldn’t load. The app may have been updated. Reload this page/.test(await message(page)),
      true,
    );

    await network.decide('goes');
    await command(page, 'Settings');
    await expectEventually(() => typed(page), { dialog: 'Settings', text: 'plan' });
  });

  test('[KEY-48] a part that cannot be had at the start holds none of the others back', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const asked: string[] = [];
    await page.context().route(SCRIPTS, async (route) => {
      const url = route.request().url();
      asked.push(url);
      await (/\/commands-/.test(url) ? route.abort() : route.continue());
    });
    await page.reload();
    await ready(page);
    const isAsked = (pattern: RegExp) => asked.some((url) => pattern.test(url));
    await expectEventually(() => Promise.resolve([/\/commands-/, AFTER_COMMANDS].map(isAsked)), [true, true]);
  });

  test('[KEY-48] no part brings a stylesheet: the page has the whole of it before its first paint', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.css')) asked.push(request.url());
    });
    await page.reload();
    await ready(page);
    await page.keyboard.press('Control+Shift+F');
    await expectEventually(async () => (await typed(page)).dialog, 'Find and replace');
    assert.equal(asked.length, 1, asked.join(' '));
    assert.equal(
      await page.locator('dialog').evaluate((dialog) => getComputedStyle(dialog).position),
      'fixed',
    );
  });

  test('[KEY-41] a task typed for quick entry is one, whatever becomes of quick entry', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['First']);
    const network = await Network.of(page);
    await cold(page, network);
    await command(page, 'Quick entry…');
    await page.keyboard.type('Buy milk');
    await page.keyboard.press('Enter');
    await network.decide('fails');
    await expectEventually(() => outline(page), ['- First', '- Buy milk']);
    await expectEventually(() => focusName(page), 'First');
  });
});
