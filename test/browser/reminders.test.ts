// A reminder by keys alone: set, heard on two devices, dismissed on one and gone on the other; and what the service worker
// makes of what the server sends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { noticesOf, pushTo, pushUntil } from './push.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  type Client,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  outline,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A browser without a window has no push service: the app says so, and rings by itself. */
const UNREACHABLE = /couldn’t subscribe to reminders|Push API in incognito/;
const HOUR_MS = 3_600_000;

const banner = (page: Page) => page.locator('[data-ph=reminder]');
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]');

async function say(page: Page, key: string, words: string, expected: string | RegExp): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(words);
  await chosen(page).filter({ hasText: expected }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

/** The device wakes from a sleep until then. */
async function wake(page: Page, at: number): Promise<void> {
  await page.clock.setFixedTime(at);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['POSTHASTE_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

const taskId = async (page: Page, title: string) =>
  must(await page.locator('[data-row]', { hasText: title }).getAttribute('data-row'), 'a row has an id');

/** Nothing is shown to who looks at the app; once it is closed, what arrives is shown once, and a close takes it away. */
async function worker({ context, page: app }: Client, url: string, task: string): Promise<void> {
  await installed(app);
  const ring = {
    web_push: 8030,
    type: 'ring',
    task,
    at: Date.now(),
    notification: { title: 'Call Ada', body: 'Due now', navigate: '/app/', tag: `reminder:${task}` },
  };
  const page = await context.newPage();
  await page.goto(`${url}/app/icons/icon-192.png`);
  const push = await pushTo(context, page);
  await app.bringToFront();
  await push(ring);
  await app.close();
  await push(ring);
  await pushUntil(page, push, ring, ['Call Ada: Due now']);
  await push({ type: 'close', task });
  await expectEventually(() => noticesOf(page), []);
  await pushUntil(page, push, 'no message of ours', ['Posthaste: You have a reminder.']);
}

describe('reminders in a browser', () => {
  const browser = withBrowser({ hasWorkers: true, isWhole: true });

  test('[REM-8] [REM-12] set by keys, heard on two devices, dismissed on both at once', async (t) => {
    const { url } = await serve(t);
    const a = await openApp(t, browser(), url, {
      permissions: ['notifications'],
      expected: UNREACHABLE,
    });
    await signUp(a.page, 'reminded@example.org');
    await addTasks(a.page, ['Call Ada', 'Post the letter']);
    await a.page.keyboard.press('Home');
    await say(a.page, 'd', 'in 3h', /timed/);
    await a.page.keyboard.press('a');
    await a.page.getByRole('option', { name: /1 h before/ }).waitFor();
    await shot(a.page, 'picker');
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await a.page.keyboard.press(key);
    await a.page.locator('[data-row] [data-ph=bell]').waitFor();
    await synced(a.page);

    const b = await openApp(t, browser(), url, { ...PHONE, colorScheme: 'dark' });
    await signIn(b.page, 'reminded@example.org');
    await expectOutline(b.page, await outline(a.page));
    const at = Date.now() + 2 * HOUR_MS + 60_000;
    for (const { page } of [a, b]) {
      assert.equal(await banner(page).count(), 0);
      await wake(page, at);
      await banner(page).getByText('Call Ada').waitFor();
      await loadAxe(page);
      assert.deepEqual(await violations(page), []);
    }
    await shot(a.page, 'banner');
    await shot(b.page, 'banner-phone-dark');
    // While typing: the keys that answer it type nothing.
    await a.page.keyboard.press('Enter');
    await a.page.keyboard.press('F8');
    await shot(a.page, 'chord');
    await a.page.keyboard.press('d');
    await banner(a.page).waitFor({ state: 'detached' });
    await banner(b.page).waitFor({ state: 'detached' });
    await a.page.keyboard.press('Escape');
    await expectOutline(a.page, ['- Call Ada', '- Post the letter']);
    const task = await taskId(a.page, 'Call Ada');
    await worker(a, url, task);
    // What a pressed notice opens while no app is open: it is done once, and a reload does not do it again.
    const opened = await a.context.newPage();
    await opened.goto(`${url}/app/?reminder=complete&task=${task}`);
    await expectOutline(opened, ['x Call Ada', '- Post the letter']);
    await expectEventually(async () => new URL(opened.url()).search, '');
  });
});
