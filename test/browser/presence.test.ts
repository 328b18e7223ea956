// Two people in one shared list see where the other is, in two browsers at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

/** The people beside each row, from top to bottom: names of those who are on it, "" where nobody is. */
const beside = (page: Page) =>
  page
    .locator('[data-ph=task]')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => document.getElementById(row.getAttribute('aria-describedby') ?? '')?.textContent ?? ''),
    );

/** Where every row and the cursor stand. */
const places = (page: Page) =>
  page.locator('[data-ph=task]').evaluateAll((rows) =>
    rows.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      const title = row.querySelector('[data-ph=title]')?.getBoundingClientRect();
      return [x, y, width, height, title?.x, title?.width, row.hasAttribute('data-ph-cursor')];
    }),
  );

describe('two people in a shared list', () => {
  const browser = withBrowser();

  test('[SHARE-148] [SHARE-150] [SHARE-152] see each other’s place, and lose it when one goes', async (t) => {
    const server = await serve(t);
    const expected = /40[134]|409/;
    const { page: ann } = await openApp(t, browser(), server.url, { expected });
    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUp(ann, 'ann@example.org');
    await signUp(ben, 'ben@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await command(ann, 'New list…');
    await ann.keyboard.type('Trip');
    await ann.keyboard.press('Enter');
    await addTasks(ann, ['Book a train', 'Pack', 'Buy maps']);
    await synced(ann);
    await ann.keyboard.press('Control+s');
    await ann.getByRole('dialog', { name: 'Share list' }).getByText('become').first().waitFor();
    await ann.keyboard.press('Enter');
    await ann.locator('[data-ph=invite-link]').waitFor();
    const token = new URL(await ann.locator('[data-ph=invite-link]').innerText()).searchParams.get('token');
    await ann.keyboard.press('Escape');
    const status = await ben.evaluate(
      async (path) =>
        (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' } })).status,
      `/app/api/sharing/invitations/${token ?? ''}`,
    );
    assert.equal(status, 200);
    await ben.getByRole('treeitem', { name: /Trip/ }).click();
    await expectOutline(ben, ['- Book a train', '- Pack', '- Buy maps']);
    await ben.keyboard.press('Home');
    await ann.keyboard.press('Home');
    await expectEventually(() => beside(ann), ['Ben is here', '', '']);
    await expectEventually(() => beside(ben), ['Ann is here', '', '']);
    await ann.getByRole('button', { name: 'Here now: Ben' }).waitFor();

    const before = await places(ann);
    await ben.keyboard.press('ArrowDown');
    await expectEventually(() => beside(ann), ['', 'Ben is here', '']);
    await ben.keyboard.press('Shift+ArrowDown');
    await expectEventually(() => beside(ann), ['', 'Ben is here', 'Ben is here']);
    assert.deepEqual(await places(ann), before, 'nothing moved');
    assert.equal(await ann.locator('[data-ph=others] [data-ph=avatar]').count(), 2);
    await loadAxe(ann);
    assert.deepEqual(await violations(ann), []);

    await ben.keyboard.press('Escape');
    await ben.keyboard.press('F2');
    await expectEventually(() => beside(ann), ['', '', 'Ben is writing the title']);
    assert.equal(await ann.locator('[data-writes]').count(), 1);
    await ben.keyboard.press('Escape');
    await expectEventually(() => beside(ann), ['', '', 'Ben is here']);

    // A second page of Ben’s browser has no connection of its own, and is the same Ben.
    const second = await ben.context().newPage();
    await second.goto(ben.url());
    await second.locator('[data-ph=task]').first().waitFor();
    await second.getByRole('treeitem', { name: /Trip/ }).click();
    await second.keyboard.press('Home');
    await expectEventually(async () => (await beside(ann))[0], 'Ben is here');
    await expectEventually(() => beside(second), ['Ann is here', '', '']);
    await second.close();
    await ben.close();
    await expectEventually(() => beside(ann), ['', '', '']);
    await ann.getByRole('button', { name: 'Shared with: Ben and you', exact: true }).waitFor();
  });
});
