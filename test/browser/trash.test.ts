// The trash: reached from the sidebar, and what lies in it looks like what it was.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  serve,
  withBrowser,
} from './harness.ts';

describe('trash', () => {
  const browser = withBrowser();

  test('stands in the sidebar; a list in it has no checkbox', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Old plan']);
    await page.keyboard.press('Delete');
    await command(page, 'New list');
    await page.keyboard.type('Old list');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: 'Old list' }).waitFor();
    await command(page, 'Delete list');
    await page.getByRole('treeitem', { name: 'Old list' }).waitFor({ state: 'detached' });
    const trash = page.getByRole('button', { name: 'Trash' });
    assert.equal(await trash.getAttribute('aria-current'), null);
    await trash.click();
    await expectOutline(page, ['- Old list', '- Old plan']);
    await expectEventually(() => trash.getAttribute('aria-current'), 'page');
    const rows = page.locator('[data-row]');
    assert.equal(await rows.filter({ hasText: 'Old list' }).getByRole('checkbox').count(), 0);
    assert.equal(await rows.filter({ hasText: 'Old plan' }).getByRole('checkbox').count(), 1);
  });

  test('says since when things are in it, and asks with the safe answer first before it is emptied', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Old plan']);
    await page.keyboard.press('Delete');
    await command(page, 'Go to trash');
    await page.locator('[data-row]').getByText('deleted today', { exact: true }).waitFor();
    await command(page, 'Empty trash now');
    const safe = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    await safe.waitFor();
    await expectEventually(() => safe.evaluate((button) => button === document.activeElement), true);
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await expectOutline(page, []);
  });

  test('a level deeper than its indentation is shown as a number', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const lines = Array.from({ length: 14 }, (_, depth) => `${'  '.repeat(depth)}Deep`).join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), lines);
    await command(page, 'Create tasks from clipboard');
    await page.locator('[data-ph-level="14"]').waitFor();
    assert.match(await page.locator('[data-ph-level="12"]').innerText(), /^Deep/);
    assert.match(await page.locator('[data-ph-level="14"]').innerText(), /^14\s+Deep$/);
  });
});
