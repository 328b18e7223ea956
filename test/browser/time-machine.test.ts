// The time machine by keys: two devices' changes gone back through, a list brought back and that undone; said, shown and
// reached as accessibility asks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const lines = (page: Page) =>
  page
    .locator('[data-ph=moment-line]')
    .evaluateAll((all) => all.map((line) => (line.textContent ?? '').replaceAll(/\s+/g, ' ').trim()));

const moment = (page: Page) => page.locator('[data-ph=moment]').innerText();
const facts = (page: Page) => page.locator('[data-ph=moment-facts]').innerText();

async function noViolations(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

describe('time machine', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[HIST-7] [HIST-9] two devices change a list; one goes back, brings it back, and undoes that after a reload', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const { page: first, context } = await openApp(t, shared, server.url);
    await signUp(first, 'back@example.org');
    await addTasks(first, ['Plan', 'Pack', 'Go']);
    await synced(first);
    const second = (await openApp(t, shared, server.url)).page;
    await signIn(second, 'back@example.org');
    await expectOutline(second, ['- Plan', '- Pack', '- Go']);
    await second.keyboard.press('Space');
    await second.keyboard.press('ArrowDown');
    await second.keyboard.press('Delete');
    await synced(second);
    await expectOutline(first, ['x Plan', '- Go']);

    await first.keyboard.press('g');
    await first.keyboard.press('m');
    await expectEventually(() => lines(first), ['Inbox', 'Plan completed', 'Go']);
    await expectEventually(
      async () => /Last change: you deleted .* on Linux \(device \d+\)/.test(await facts(first)),
      true,
    );
    await first.keyboard.press('ArrowLeft');
    await expectEventually(() => lines(first), ['Inbox', 'Plan completed', 'Pack deleted today', 'Go']);
    await first.keyboard.press('ArrowLeft');
    await expectEventually(() => lines(first), ['Inbox', 'Plan completed today', 'Pack deleted today', 'Go']);
    await expectEventually(async () => /^Then .*\s2 differences from now\.$/.test(await facts(first)), true);
    await loadAxe(first);
    await noViolations(first);
    await first.keyboard.press('Home');
    await first.keyboard.press('Enter');
    await expectEventually(
      () => first.locator('[data-ph=moment-answer]').innerText(),
      'Brought back ‘Inbox’ as it was.',
    );
    await first.keyboard.press('Escape');
    await expectOutline(first, ['- Plan', '- Pack', '- Go']);
    await expectOutline(second, ['- Plan', '- Pack', '- Go']);
    await synced(first);
    await first.reload();
    await ready(first);
    await expectOutline(first, ['- Plan', '- Pack', '- Go']);
    await first.keyboard.press('Control+z');
    await expectOutline(first, ['x Plan', '- Go']);
    await expectOutline(second, ['x Plan', '- Go']);

    await first.keyboard.press('g');
    await first.keyboard.press('h');
    await first.locator('[data-ph=history-entry]').first().waitFor();
    await first.keyboard.press('Shift+Enter');
    await first.locator('[data-ph=moment-lines]:focus').waitFor();
    await first.keyboard.press('ArrowRight');
    await expectEventually(async () => (await moment(first)) === 'This is now.', true);
    await first.keyboard.press('Escape');

    await synced(first);
    await installed(first);
    await context.setOffline(true);
    await command(first, 'Time machine for everything');
    await expectEventually(
      async () =>
        /This shows the last 90 days on this device/.test(
          await first.locator('[data-ph=moment-note]').innerText(),
        ),
      true,
    );
  });

  test('[HIST-12] on a phone it fits, and fingers reach everything', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 375, height: 700 },
      hasTouch: true,
    });
    await addTasks(page, ['Row across', 'Row back']);
    await page.keyboard.press('Space');
    await command(page, 'Time machine for this list');
    await page.locator('[data-ph=moment-lines]').waitFor();
    await page.getByRole('button', { name: 'Older' }).tap();
    await expectEventually(() => lines(page), ['Inbox', 'Row across', 'Row back']);
    await expectEventually(() => page.locator('[data-ph=moment-part]').allInnerTexts(), ['completed today']);
    await page.getByRole('slider', { name: 'Moment' }).fill('0');
    await expectEventually(
      () => lines(page),
      ['Inbox', 'Row across Not there yet', 'Row back completed Not there yet'],
    );
    await page.getByRole('slider', { name: 'Moment' }).fill('2');
    await page.getByRole('button', { name: 'Only what differs' }).tap();
    await expectEventually(() => lines(page), ['Inbox', 'Row back']);
    const isTooWide = await page.evaluate(() => {
      const dialog = document.querySelector('dialog');
      return dialog !== null && dialog.scrollWidth > dialog.clientWidth;
    });
    assert.equal(isTooWide, false);
    await page.getByText('Row back', { exact: true }).last().tap();
    await page.getByRole('button', { name: /^Bring this back/ }).tap();
    await page.getByRole('button', { name: 'Close' }).tap();
    await expectOutline(page, ['- Row across', '- Row back']);
  });
});
