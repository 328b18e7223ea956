// Comments and assignees by keys in the browser: offline, with names, for the eye and for a checker of accessibility.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('working together on a task', () => {
  const browser = withBrowser();

  for (const colorScheme of ['light', 'dark'] as const)
    test(`[SHARE-158] [SHARE-160] by keys, offline, without a fault that axe finds, ${colorScheme}`, async (t) => {
      const server = await serve(t);
      const { page, context } = await openApp(t, browser(), server.url, { colorScheme });
      await signUp(page, 'ann@example.org');
      await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
      await command(page, 'New list…');
      await page.keyboard.type('Trip');
      await page.keyboard.press('Enter');
      await addTasks(page, ['Book a train']);
      await synced(page);
      await page.keyboard.press('Control+s');
      await page.getByRole('dialog', { name: 'Share list' }).getByText('become').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=invite-link]').waitFor();
      await page.getByText('Only you so far').waitFor();
      await page.keyboard.press('Escape');
      await synced(page);
      await context.setOffline(true);
      await page.keyboard.press('Shift+P');
      const task = page.locator('[data-ph=task]').first();
      await task.locator('[data-ph=assignee]').waitFor();
      await page.keyboard.press('c');
      await page.locator('[data-ph=comment-field]').waitFor();
      await page.keyboard.type('For @a');
      await page.getByRole('option', { name: /Ann/ }).waitFor();
      await loadAxe(page);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Enter');
      await page.keyboard.type('at nine');
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=comment]').getByText('at nine').waitFor();
      await page.keyboard.press('ArrowUp');
      assert.deepEqual(await violations(page), []);
      await page.setViewportSize({ width: 390, height: 844 });
      assert.deepEqual(await violations(page), []);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await expectEventually(() => task.locator('[data-ph=comments]').innerText(), '1');
      assert.deepEqual(await violations(page), []);
      await context.setOffline(false);
      await synced(page);
      await page.reload();
      await expectEventually(() => task.locator('[data-ph=comments]').innerText(), '1');
      await task.locator('[data-ph=assignee]').waitFor();
    });
});
