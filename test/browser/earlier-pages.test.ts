// A page of an earlier build in a shared list, beside pages of today: what waits in it arrives, what it does not know stays, and
// all end with the same.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { RunningServer } from '#server/server.ts';
import { SHARED_PROTOCOL } from '#server/sync/readership.ts';
import { protocolVersion } from '#wire/version.ts';
import { earlierApp, givesApp } from './earlier-app.ts';
import {
  addTasks,
  type Client,
  command,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  ready,
  serve,
  signIn,
  signUp,
  signUpPlain,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

/** Each is made and titled: twice as many changes. */
const TITLES = Array.from({ length: 26 }, (_, n) => `Waits ${n + 1}`);
const LEAST_WAITING = 50;

const open = (t: TestContext, browser: Browser, { url }: RunningServer): Promise<Client> =>
  openApp(t, browser, url, { expected: /40[134]|409|426/ });

const verify = ({ database }: RunningServer) =>
  database.db.updateTable('account').set({ verified_at: Date.now() }).execute();

async function newList(page: Page, tasks: readonly string[]): Promise<void> {
  await command(page, 'New list…');
  await page.keyboard.type('Trip');
  await page.keyboard.press('Enter');
  await addTasks(page, tasks);
  await synced(page);
}

/** Shares the open list, and lets somebody else join it. */
async function shareWith(page: Page, other: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog', { name: 'Share list' }).getByText('become').first().waitFor();
  await page.keyboard.press('Enter');
  const link = page.locator('[data-ph=invite-link]');
  await link.waitFor();
  const token = must(new URL(await link.innerText()).searchParams.get('token'), 'the link has a token');
  await page.keyboard.press('Escape');
  const status = await other.evaluate(async (path) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(path, { method: 'POST', headers })).status;
  }, `/app/api/sharing/invitations/${token}`);
  assert.equal(status, 200);
  await other.getByRole('treeitem', { name: /Trip/ }).click();
}

/** Comments on the task under the cursor. */
async function comment(page: Page, text: string): Promise<void> {
  await page.keyboard.press('c');
  await page.locator('[data-ph=comment-field]').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.locator('[data-ph=comment]').getByText(text).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function rowsOfList({ database }: RunningServer): Promise<readonly Row[]> {
  const { id } = await database.db
    .selectFrom('scope')
    .select('id')
    .where('kind', '=', 'list')
    .executeTakeFirstOrThrow();
  return database.store.snapshot(id, null, 10_000);
}

const titlesOf = (rows: readonly Row[]) =>
  rows
    .flatMap((row) => (row.type === 'task' && !isTrashed(row) ? [String(fieldOf(row, 'title'))] : []))
    .toSorted();

const textsOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.type === 'comment' ? [String(fieldOf(row, 'text'))] : [])).toSorted();

async function waiting(page: Page): Promise<number> {
  return Number(/· (\d+) changes (?:waiting|kept here)$/.exec(await syncText(page))?.[1] ?? 0);
}

/** Makes more changes than fifty. */
async function queue(page: Page): Promise<void> {
  await page.keyboard.press('End');
  await addTasks(page, TITLES);
  await expectEventually(async () => (await waiting(page)) >= LEAST_WAITING, true);
}

const matches = async (page: Page) => {
  await page.locator('[data-ph=sync]').click();
  await page.locator('dialog').getByText('This copy matches the server’s').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
};

/** All show the list as the first does, and hold what the server holds: a last change carries its sum to everybody. */
async function agree(first: Page, ...others: readonly Page[]): Promise<void> {
  for (const page of [first, ...others]) await synced(page);
  await first.keyboard.press('End');
  await first.keyboard.press('Space');
  await first.keyboard.press('Control+z');
  await synced(first);
  const shown = await outline(first);
  for (const page of others) await expectEventually(() => outline(page), shown);
  for (const page of [first, ...others]) await matches(page);
}

describe('a page of an earlier build in a shared list', () => {
  const browser = withBrowser();

  test('[SHARE-261] [SHARE-347] of the protocol before: fifty changes wait until it is reloaded, and all arrive', async (t) => {
    const server = await serve(t);
    const without = ['mount', 'member', 'comment'] as const;
    const folder = await earlierApp(t, { protocol: SHARED_PROTOCOL - 1, without });
    const { page: ann } = await open(t, browser(), server);
    const { page: ben } = await open(t, browser(), server);
    // In an encrypted account it would be told at once that it is too old.
    await signUpPlain(ann, 'ann@example.org');
    await signUpPlain(ben, 'ben@example.org');
    await verify(server);
    await newList(ann, ['Book a train', 'Pack']);

    // Another device of Ann’s, which has the list as her own.
    const { page: old, context } = await open(t, browser(), server);
    const isUpdated = await givesApp(context, folder);
    await old.reload();
    await ready(old);
    await signIn(old, 'ann@example.org');
    await old.getByRole('treeitem', { name: /Trip/ }).click();
    await expectOutline(old, ['- Book a train', '- Pack']);
    await synced(old);
    await context.setOffline(true);
    await queue(old);
    await old.keyboard.press('Home');
    await old.keyboard.press('Space');
    const shown = await outline(old);

    await shareWith(ann, ben);
    await expectOutline(ben, ['- Book a train', '- Pack']);
    await ben.keyboard.press('Home');
    await comment(ben, 'At nine');
    await addTasks(ben, ['Buy maps']);
    await synced(ben);

    await context.setOffline(false);
    await expectEventually(
      async () => (await syncText(old)).startsWith('Reload to update this app · '),
      true,
    );
    assert.ok((await waiting(old)) > LEAST_WAITING);
    assert.deepEqual(await outline(old), shown, 'it goes on showing what it has');
    assert.deepEqual(titlesOf(await rowsOfList(server)), ['Book a train', 'Buy maps', 'Pack']);

    await isUpdated();
    const reloaded = old.waitForEvent('load');
    await old.locator('[data-ph=sync]').click();
    await reloaded;
    await ready(old);
    await command(old, 'Trip');
    await agree(ann, ben, old);
    const rows = await rowsOfList(server);
    assert.deepEqual(titlesOf(rows), ['Book a train', 'Buy maps', 'Pack', ...TITLES].toSorted());
    assert.deepEqual(textsOf(rows), ['At nine']);
    assert.ok((await outline(ben)).includes('x Book a train'));
    const counts = old.locator('[data-ph=comments]');
    await expectEventually(() => counts.allInnerTexts(), ['1']);
  });

  test('[SHARE-347] that does not know comments: they stay, whatever it does to their tasks, and fifty changes arrive', async (t) => {
    const server = await serve(t);
    const folder = await earlierApp(t, { protocol: protocolVersion, without: ['comment'] });
    const { page: ann } = await open(t, browser(), server);
    const { page: old, context } = await open(t, browser(), server);
    const isUpdated = await givesApp(context, folder);
    await old.reload();
    await ready(old);
    await signUp(ann, 'ann@example.org');
    await signUp(old, 'ben@example.org');
    await verify(server);
    await newList(ann, ['Book a train', 'Pack', 'Water', 'Songs']);
    await shareWith(ann, old);
    await expectOutline(old, ['- Book a train', '- Pack', '- Water', '- Songs']);
    await ann.keyboard.press('Home');
    await comment(ann, 'At nine');
    await agree(ann, old);
    assert.equal(await old.locator('[data-ph=comments]').count(), 0, 'it does not know them');

    await context.setOffline(true);
    await queue(old);
    // The task with the comment is completed, goes into the trash and comes back, and goes under another one.
    await old.keyboard.press('Home');
    await old.keyboard.press('Space');
    await old.keyboard.press('Delete');
    await expectEventually(async () => (await outline(old))[0], '- Pack');
    await old.keyboard.press('Control+z');
    await expectEventually(async () => (await outline(old))[0], 'x Book a train');
    await old.keyboard.press('Home');
    await old.keyboard.press('Alt+ArrowDown');
    await old.keyboard.press('Tab');
    await expectEventually(async () => (await outline(old)).slice(0, 2), ['- Pack', '  x Book a train']);
    await ann.keyboard.press('Home');
    await comment(ann, 'Second class');
    await ann.keyboard.press('ArrowDown');
    await comment(ann, 'Not too much');
    await synced(ann);
    await context.setOffline(false);
    await agree(ann, old);
    // Its stored rows hold what it does not know.
    await old.reload();
    await ready(old);
    await command(old, 'Trip');
    await agree(ann, old);
    const texts = ['At nine', 'Not too much', 'Second class'];
    const rows = await rowsOfList(server);
    assert.deepEqual(titlesOf(rows), ['Book a train', 'Pack', 'Songs', 'Water', ...TITLES].toSorted());
    assert.deepEqual(textsOf(rows), texts);
    assert.deepEqual((await outline(ann)).slice(0, 2), ['- Pack', '  x Book a train']);

    // The build of today reads what that one kept.
    await isUpdated();
    await old.reload();
    await ready(old);
    await command(old, 'Trip');
    await agree(ann, old);
    for (const page of [ann, old])
      await expectEventually(async () => {
        return (await page.locator('[data-ph=comments]').allInnerTexts()).toSorted();
      }, ['1', '2']);
  });
});
