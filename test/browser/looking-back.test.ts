// Looking back: what another device did is read in words, a value comes back by one key, and undo outlives the page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
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

const entries = (page: Page) => page.locator('[data-ph=history-sentence]').allTextContents();

async function retitle(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F2');
  await page.keyboard.type(title);
  await page.keyboard.press('Escape');
}

describe('looking back', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('two devices edit one task; the history of both is read on one, and a value brought back', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const first = (await openApp(t, shared, server.url)).page;
    await signUp(first, 'looking@example.org');
    await addTasks(first, ['Call Ada']);
    await synced(first);
    const second = (await openApp(t, shared, server.url)).page;
    await signIn(second, 'looking@example.org');
    await expectOutline(second, ['- Call Ada']);
    await retitle(second, 'Call Ada Lovelace');
    await synced(second);
    await expectOutline(first, ['- Call Ada Lovelace']);

    await first.keyboard.press('g');
    await first.keyboard.press('h');
    await expectEventually(
      () => entries(first),
      ['You renamed from Call Ada to Call Ada Lovelace', 'You added this task'],
    );
    const where = first.locator('[data-ph=history-where]').first();
    await expectEventually(async () => / on Linux \(device \d+\)$/.test(await where.innerText()), true);
    await first.locator('[data-ph=history-day]').filter({ hasText: 'Today' }).waitFor();
    await first.getByRole('button', { name: 'Bring back “Call Ada”' }).waitFor();
    await first.keyboard.press('Enter');
    await expectEventually(
      () => first.locator('[data-ph=history-answer]').innerText(),
      'Brought back what was there before.',
    );
    await first.keyboard.press('Escape');
    await expectOutline(first, ['- Call Ada']);
    await synced(first);
    await expectOutline(second, ['- Call Ada']);

    await first.reload();
    await ready(first);
    await expectOutline(first, ['- Call Ada']);
    await first.keyboard.press('Control+z');
    await expectOutline(first, ['- Call Ada Lovelace']);
    await expectOutline(second, ['- Call Ada Lovelace']);
  });

  test('without a network it shows what was done here and says so; on a phone it fits', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url, {
      viewport: { width: 375, height: 700 },
    });
    await signUp(page, 'small@example.org');
    await addTasks(page, ['Row across']);
    await synced(page);
    await command(page, 'Show history of everything');
    await expectEventually(() => entries(page), ['You added Row across']);
    await page.keyboard.press('Escape');
    await installed(page);
    await context.setOffline(true);
    await page.keyboard.press('Space');
    await command(page, 'Show history of everything');
    await expectEventually(() => entries(page), ['You completed Row across', 'You added Row across']);
    const note = page.locator('[data-ph=history-note]');
    await note.filter({ hasText: 'This shows the last 90 days on this device' }).waitFor();
    const isTooWide = await page.evaluate(() => {
      const dialog = document.querySelector('dialog');
      return dialog !== null && dialog.scrollWidth > dialog.clientWidth;
    });
    assert.equal(isTooWide, false);
    await page.keyboard.type('compl');
    await expectEventually(() => entries(page), ['You completed Row across']);
    await page.keyboard.press('Escape');
    await expectEventually(() => entries(page), ['You completed Row across', 'You added Row across']);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  test('[HIST-20] it is a page beside the sidebar, which leads on from it, and on a phone over all but the bar', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: { width: 1_280, height: 800 } });
    await addTasks(page, ['Call Ada']);
    const boxOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom].map(Math.round);
      });
    for (const name of ['Show history of everything', 'Time machine for everything']) {
      await command(page, name);
      await page.locator('dialog').waitFor();
      assert.deepEqual(await boxOf('dialog'), await boxOf('[data-ph=sheet]'), name);
      await page.goBack();
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await command(page, 'Show history of everything');
    await page.locator('dialog').waitFor();
    const [left = 0, top = 0, right = 0, bottom = 0] = await boxOf('[data-side]:has-text("Today")');
    await page.mouse.click((left + right) / 2, (top + bottom) / 2);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['Show history of everything', 'Time machine for everything']) {
      await command(page, name);
      await page.locator('dialog').waitFor();
      const [, barTop = 0] = await boxOf('nav[aria-label="Main commands"]');
      await expectEventually(() => boxOf('dialog'), [0, 0, 320, barTop]);
      const isTooWide = await page
        .locator('dialog *')
        .evaluateAll((all) =>
          all.some((element) => element.checkVisibility() && element.getBoundingClientRect().right > 320.5),
        );
      assert.equal(isTooWide, false, name);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  });

  test('[API-14] what a program writes is there at once, stands in the history under its token, and is taken back there', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'program@example.org');
    await addTasks(page, ['Call Ada']);
    await synced(page);
    const token = await page.evaluate(async () => {
      const answer = await fetch('/app/api/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name": "Night shift", "access": "write"}',
      });
      return ((await answer.json()) as { token: string }).token;
    });
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${server.url}/api${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as { tasks: { id: string }[] };
    };
    const [task] = (await call('GET', '/tasks')).tasks;
    await call('PATCH', `/tasks/${task?.id}`, { title: 'Call Ada Lovelace' });
    await call('POST', '/tasks', { title: 'From a program' });
    await expectOutline(page, ['- Call Ada Lovelace', '- From a program']);

    await command(page, 'Show history of everything');
    const said = async () => (await entries(page)).slice(0, 2);
    await expectEventually(said, [
      'A program added From a program',
      'A program renamed from Call Ada to Call Ada Lovelace',
    ]);
    const where = page.locator('[data-ph=history-where]').first();
    await expectEventually(() => where.innerText(), 'API: Night shift');
    await page.keyboard.press('Enter');
    await expectEventually(
      () => page.locator('[data-ph=history-answer]').innerText(),
      'Brought back what was there before.',
    );
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Call Ada Lovelace']);
    await page.keyboard.press('ControlOrMeta+z');
    await expectOutline(page, ['- Call Ada Lovelace', '- From a program']);
  });
});
