// A shared list from end to end: Ann shares by keys, Ben joins by the link, both work in it, one of them offline for a while, and
// Ben leaves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RunningServer } from '#server/server.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  PASSWORD,
  ready,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const title = (page: Page) => page.locator('h1').innerText();
const linkIn = (page: Page) => page.locator('[data-ph=invite-link]').innerText();

async function newList(page: Page, name: string, tasks: readonly string[]): Promise<void> {
  await command(page, 'New list…');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expectEventually(() => title(page), name);
  await addTasks(page, tasks);
}

/** Confirmed by a letter. */
const verify = ({ database }: RunningServer) =>
  database.db.updateTable('account').set({ verified_at: Date.now() }).execute();

/** Shares the open list by keys, and returns its link. */
async function share(page: Page): Promise<string> {
  await page.keyboard.press('Control+s');
  await dialog(page, 'Share list').getByText('become').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-ph=invite-link]').waitFor();
  await expectEventually(async () => page.getByRole('button', { name: 'Copy link' }).isVisible(), true);
  return linkIn(page);
}

describe('a shared list', () => {
  const browser = withBrowser();

  test('[SHARE-128] is shared by keys, joined by its link, worked in by both, and left', async (t) => {
    const server = await serve(t);
    const expected = /40[134]|409/;
    const { page: ann, context: anns } = await openApp(t, browser(), server.url, { expected });
    await anns.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signUp(ann, 'ann@example.org');
    await verify(server);
    await newList(ann, 'Trip', ['Book a train', 'Pack']);
    await synced(ann);
    const link = await share(ann);
    assert.match(link, /\/invite\?token=[\w-]+&v=3$/);
    await ann.keyboard.press('Enter');
    await ann.getByText('Copied the link').waitFor();
    assert.equal(await ann.evaluate(() => navigator.clipboard.readText()), link);
    await ann.keyboard.press('Escape');
    assert.equal(await title(ann), 'Trip', 'the list stays open');

    // Ben has no account: he makes one on the way.
    const { page: ben, context: bens } = await openApp(t, browser(), server.url, { expected });
    await ben.goto(link);
    await ben.getByRole('heading', { name: /Trip/ }).waitFor();
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(ben);
    assert.doesNotMatch(ben.url(), /token|invite/);
    await dialog(ben, 'Invitation').getByRole('button', { name: 'Create an account' }).waitFor();
    await ben.keyboard.press('Enter');
    await ben.locator('dialog input[name=email]').waitFor();
    await ben.keyboard.type('ben@example.org');
    await ben.keyboard.press('Tab');
    await ben.keyboard.type(PASSWORD);
    await ben.keyboard.press('Enter');
    await dialog(ben, 'Invitation').getByText('Ann invited you').waitFor();
    await verify(server);
    await expectEventually(async () => ben.getByRole('button', { name: 'Join list' }).isVisible(), true);
    await ben.keyboard.press('Enter');
    await expectEventually(() => title(ben), 'Trip');
    await expectOutline(ben, ['- Book a train', '- Pack']);
    await ben.getByRole('button', { name: 'Shared with: Ann and you' }).waitFor();
    await ann.getByRole('button', { name: 'Shared with: Ben and you' }).waitFor();

    await addTasks(ben, ['Buy maps']);
    await expectOutline(ann, ['- Book a train', '- Buy maps', '- Pack']);
    await bens.setOffline(true);
    await ben.keyboard.press('Space');
    await addTasks(ben, ['Learn the songs']);
    await ann.keyboard.press('Home');
    await ann.keyboard.press('Space');
    await expectOutline(ann, ['x Book a train', '- Buy maps', '- Pack']);
    await bens.setOffline(false);
    const both = ['x Book a train', 'x Buy maps', '- Learn the songs', '- Pack'];
    await expectOutline(ann, both);
    await expectOutline(ben, both);
    await synced(ben);

    await command(ben, 'Leave shared list');
    await dialog(ben, 'Share list').getByText('new invitation link').waitFor();
    await ben.getByRole('button', { name: 'Leave list' }).press('Enter');
    await expectEventually(() => title(ben), 'Inbox');
    await expectEventually(() => ben.getByRole('treeitem', { name: /Trip/ }).count(), 0);
    await ann.getByRole('button', { name: 'Shared with: you' }).waitFor();
    await expectOutline(ann, both);
    // The link that let him in does so no more.
    await ben.goto(link);
    await ben.getByRole('heading', { name: /Trip/ }).waitFor();
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await dialog(ben, 'Invitation').getByRole('alert').waitFor();
    assert.deepEqual(await outline(ben), []);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    test(`[SHARE-129] has no fault that axe finds, ${colorScheme}, also on a phone`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, { colorScheme });
      await signUp(page, 'ann@example.org');
      await verify(server);
      await newList(page, 'Trip', ['Book a train', 'Pack']);
      await synced(page);
      await loadAxe(page);
      await page.keyboard.press('Control+s');
      await dialog(page, 'Share list').getByText('become').first().waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      await share(page);
      await page.getByText('Only you so far').waitFor();
      assert.deepEqual(await violations(page), []);
      for (const key of ['n', 'l']) {
        await page.keyboard.press(key);
        await page.getByRole('button', { name: 'Back' }).waitFor();
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press('Escape');
        await page.locator('[data-ph=invite-link]').waitFor();
      }
      await page.setViewportSize({ width: 390, height: 844 });
      assert.deepEqual(await violations(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(wide, 390);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1_280, height: 800 });
      assert.deepEqual(await violations(page), []);
      await command(page, 'Your profile');
      await page.getByRole('textbox', { name: 'Initials' }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('textbox', { name: 'Initials' }).fill('too long');
      await page.keyboard.press('Enter');
      await page.locator('#profile-problem').waitFor();
      assert.deepEqual(await violations(page), []);
      await page.getByRole('textbox', { name: 'Initials' }).fill('');
      await page.getByRole('textbox', { name: 'Emoji' }).fill('🌵');
      await page.keyboard.press('Enter');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await expectEventually(
        () => page.locator('[data-ph=people] [data-ph=avatar]').getAttribute('data-text'),
        '🌵',
      );
    });
});
