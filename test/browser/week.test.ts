// The calendar beside the outline in a browser: by keys, by pointer, for those who hear the page, and where there is no room for it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const slot = (page: Page) => page.locator('[data-ph=slot]').getAttribute('aria-label');
const blocks = (page: Page) => page.locator('[data-ph=block]');
const times = (page: Page) =>
  blocks(page).evaluateAll((all) =>
    all.map((each) => (each as HTMLElement).innerText.replaceAll(/\s+/g, ' ')),
  );
const hasKeys = (page: Page) => page.locator('#calendar-text:focus').waitFor();

/** An app with these tasks, and three days of the calendar beside them, from tomorrow on. */
async function opened(page: Page, titles: readonly string[]): Promise<void> {
  await addTasks(page, titles);
  await page.keyboard.press('Home');
  await command(page, 'Calendar: three days');
  await hasKeys(page);
  await page.keyboard.press('ArrowRight');
}

/** The middle of an element. */
async function middle(page: Page, selector: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box, selector);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe('the calendar beside the outline', () => {
  const browser = withBrowser();

  test('[CAL-21] [CAL-22] [CAL-23] [CAL-28] time is planned beside the task, by keys alone', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await opened(page, ['Review the plan', 'Call Ada']);
    await expectEventually(async () => (await slot(page))?.endsWith(': free'), true);
    // What has the focus names the cell of the slot.
    const named = await page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.getAttribute('aria-label') ?? null;
    });
    assert.equal(named, await slot(page));
    await page.keyboard.press('b');
    await expectEventually(() => blocks(page).count(), 1);
    await expectEventually(async () => /: Review the plan until /.test((await slot(page)) ?? ''), true);
    const [first = ''] = await times(page);
    await page.keyboard.press('+');
    await expectEventually(async () => (await times(page))[0] === first, false);
    await page.keyboard.press('Control+z');
    await expectEventually(async () => (await times(page))[0], first);
    await page.keyboard.press('Alt+ArrowRight');
    await expectEventually(async () => /: Review the plan until /.test((await slot(page)) ?? ''), true);
    await page.keyboard.press('Tab');
    await page.locator('[data-row]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F6');
    await hasKeys(page);
    await page.keyboard.press('b');
    await expectEventually(() => blocks(page).count(), 2);
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Delete');
    await expectEventually(() => blocks(page).count(), 1);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.locator('[data-row]:focus').waitFor();
    assert.equal(await page.locator('[data-ph=calendar]').count(), 0);
  });

  test('[CAL-103] only the hours in sight are drawn, and scrolling draws the others', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await opened(page, ['Review the plan']);
    const goTo = async (words: string) => {
      await page.keyboard.press('m');
      await page.locator('#palette-input').waitFor();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
      await hasKeys(page);
    };
    await goTo('tomorrow 23:00');
    await page.keyboard.press('b');
    await expectEventually(() => blocks(page).count(), 1);
    await goTo('tomorrow 2:00');
    await expectEventually(() => blocks(page).count(), 0);
    await page.locator('#calendar-text').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
    await expectEventually(() => blocks(page).count(), 1);
    // A taller window shows all of the day.
    await page.locator('#calendar-text').evaluate((grid) => grid.scrollTo(0, 0));
    await expectEventually(() => blocks(page).count(), 0);
    await page.setViewportSize({ width: 1_280, height: 1_700 });
    await expectEventually(() => blocks(page).count(), 1);
  });

  test('[CAL-26] a block is dragged and stretched, and a task is dropped into the grid', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await opened(page, ['Review the plan', 'Call Ada']);
    await page.keyboard.press('b');
    await expectEventually(() => blocks(page).count(), 1);
    const box = await blocks(page).first().boundingBox();
    assert.ok(box);
    const [before = ''] = await times(page);
    const x = box.x + box.width / 2;
    await page.mouse.move(x, box.y + 6);
    await page.mouse.down();
    await page.mouse.move(x, box.y - 20, { steps: 4 });
    await page.mouse.move(x, box.y + 6 - box.height * 2, { steps: 4 });
    await page.mouse.up();
    await expectEventually(async () => (await times(page))[0] === before, false);
    const [moved = ''] = await times(page);
    const now = await blocks(page).first().boundingBox();
    assert.ok(now);
    assert.ok(Math.abs(box.y - now.y - box.height * 2) < 2, 'four quarters of an hour higher');
    await page.mouse.move(x, now.y + now.height - 3);
    await page.mouse.down();
    await page.mouse.move(x, now.y + now.height + 30, { steps: 4 });
    await page.mouse.move(x, now.y + now.height * 2 - 3, { steps: 4 });
    await page.mouse.up();
    await expectEventually(async () => (await times(page))[0] === moved, false);
    const taller = await blocks(page).first().boundingBox();
    assert.ok(taller && Math.abs(taller.height - now.height * 2) < 3, 'twice as long');

    const from = await middle(page, '[data-row]:has-text("Call Ada")');
    const to = await middle(page, '[data-day]:last-of-type');
    const grid = await page.locator('#calendar-text').boundingBox();
    assert.ok(grid);
    const y = grid.y + grid.height / 2;
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 10, { steps: 4 });
    await page.mouse.move(to.x, y, { steps: 8 });
    await page.mouse.up();
    await expectEventually(() => blocks(page).count(), 2);
    await expectEventually(async () => /: Call Ada until /.test((await slot(page)) ?? ''), true);
  });

  test('[CAL-105] the box of a block completes its task, by mouse and by finger', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { hasTouch: true });
    await opened(page, ['Review the plan']);
    await page.keyboard.press('b');
    const box = blocks(page).locator('[data-box]');
    const done = page.locator('[data-ph=block][data-done]');
    await box.click();
    await expectEventually(() => done.count(), 1);
    await box.tap();
    await expectEventually(() => done.count(), 0);
    // It was no drag: the block is where it was.
    await expectEventually(async () => (await slot(page))?.includes('Review the plan'), true);
  });

  test('[CAL-16] on a phone the agenda comes, and the calendar is there again where there is room', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await opened(page, ['Review the plan']);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('[data-ph=calendar]').waitFor({ state: 'detached' });
    await page.locator('[data-row]:focus').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.locator('[data-ph=agenda]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-ph=agenda]').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('[data-ph=calendar]').waitFor();
  });
});
