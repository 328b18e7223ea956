// Dates, snoozing, repeats and durations by keys alone, on a desk and on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  serve,
  withBrowser,
} from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const HOUR_MS = 3_600_000;

const metaOf = (page: Page, title: string) =>
  page.locator('[data-row]', { hasText: title }).locator('[id^=meta-]').innerText();

const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]');

/** Opens a picker by its key, says the words and accepts the reading that contains `expected`. */
async function say(page: Page, key: string, words: string, expected: string | RegExp): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(words);
  await chosen(page).filter({ hasText: expected }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

/** The device wakes from a sleep of so long. */
async function sleep(page: Page, ms: number): Promise<void> {
  await page.clock.setFixedTime(Date.now() + ms);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

async function journey(page: Page): Promise<void> {
  await addTasks(page, ['Water the plants', 'Call the printer', 'Write the letter']);
  await page.keyboard.press('Home');
  await say(page, 'd', 'tomorrow 5pm', /17:00.*timed/);
  await expectEventually(async () => /tomorrow, 17:00/.test(await metaOf(page, 'Water')), true);
  await say(page, 'r', 'every 3 days', 'Every 3 days');
  await page.locator('[data-row] [data-ph=repeat]').waitFor();
  await page.keyboard.press('Shift+R');
  await expectEventually(async () => /tomorrow/.test(await metaOf(page, 'Water')), false);
  await page.keyboard.press('Control+z');
  await expectEventually(async () => /tomorrow/.test(await metaOf(page, 'Water')), true);

  await page.keyboard.press('ArrowDown');
  await say(page, 't', 'in 3 days', 'in 3 days · all day');
  await expectEventually(async () => /starts/.test(await metaOf(page, 'Call')), true);
  await say(page, 'Shift+D', '1h30', '1 h 30 min');
  const duration = page.locator('[data-row]', { hasText: 'Call' }).getByText('1 h 30 min', { exact: true });
  await duration.waitFor({ state: 'attached' });

  // Snoozed with a digit and Enter, gone with it, back when the device wakes later.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('s');
  await page.getByRole('option', { name: /Later today|In three hours/ }).waitFor();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expectOutline(page, ['- Water the plants', '- Call the printer']);
  await page.locator('[data-ph=snoozed]').filter({ hasText: '1 snoozed' }).waitFor();
  await page.keyboard.press('Shift+S');
  await page
    .getByText(/^snoozed until/)
    .last()
    .waitFor();
  await page.keyboard.press('Shift+S');
  await expectEventually(async () => (await outline(page)).length, 2);
  await page.keyboard.press('Shift+T');
  await expectOutline(page, ['- Water the plants']);
  await page.keyboard.press('Shift+T');
  await sleep(page, 5 * HOUR_MS);
  await expectOutline(page, ['- Water the plants', '- Call the printer', '- Write the letter']);

  // A day of the month, by keys.
  await page.keyboard.press('Home');
  await page.keyboard.press('d');
  await page.locator('[data-ph=month]').waitFor();
  await page.keyboard.type('jan 15 2028 5pm');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.id === 'day-2028-01-15');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.id === 'day-2028-01-22');
  await page.keyboard.press('Enter');
  await expectEventually(async () => /22 Jan 2028, 17:00/.test(await metaOf(page, 'Water')), true);

  // Several at once, as one undo.
  await page.keyboard.press('Control+a');
  await say(page, 'd', 'none', 'No due date');
  await expectEventually(() => page.locator('[data-ph=due]').count(), 0);
  await page.keyboard.press('Control+z');
  await expectEventually(() => page.locator('[data-ph=due]').count(), 1);
}

/** Whether the picker leaves the row uncovered that it is about, and is on the screen itself. */
async function leavesRowFree(page: Page, title: string): Promise<boolean> {
  const row = await page.locator('[data-row]', { hasText: title }).boundingBox();
  const picker = await page.locator('[data-ph=palette]').boundingBox();
  if (!row || !picker) return false;
  const isOn = picker.y >= 0 && picker.y + picker.height <= 800 && picker.x + picker.width <= 1_280;
  return isOn && (picker.y >= row.y + row.height || picker.y + picker.height <= row.y);
}

async function isAccessible(page: Page): Promise<void> {
  await loadAxe(page);
  await addTasks(page, ['Water the plants', 'Call the printer']);
  for (const [key, words] of [
    ['d', 'next fri'],
    ['d', 'paprika'],
    ['t', ''],
    ['s', ''],
    ['r', 'every 2 weeks on mon'],
    ['Shift+D', ''],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator('[role=option]').first().waitFor();
    await page.keyboard.type(words);
    assert.deepEqual(await violations(page), [], `${key} ${words}`);
    if (['d', 't', 's'].includes(key) && words !== 'paprika') {
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => document.activeElement?.role === 'gridcell');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('PageDown');
      await page.waitForFunction(() => document.activeElement?.ariaSelected === 'true');
      assert.deepEqual(await violations(page), [], `the month of ${key}`);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.activeElement?.id === 'palette-input');
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
    await page.keyboard.press('Escape');
  }
  await say(page, 't', 'in 5 days', 'all day');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('s');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.locator('[data-ph=snoozed]').waitFor();
  assert.deepEqual(await violations(page), [], 'the list');
}

describe('dates', () => {
  const browser = withBrowser();

  test('a picker opens beside its row, above where there is no room below', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(
      page,
      Array.from({ length: 30 }, (_, index) => `Task ${index + 1}.`),
    );
    for (const key of ['Home', 'End', 'ArrowUp']) {
      await page.keyboard.press(key);
      const title = await page.locator('[data-ph-cursor] [data-ph=title]').innerText();
      await page.keyboard.press('r');
      await page.getByRole('option', { name: 'Every day' }).waitFor();
      await expectEventually(() => leavesRowFree(page, title), true);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Control+k');
    const isInTheMiddle = async () => {
      const box = await page.locator('[data-ph=palette]').boundingBox();
      return box !== null && Math.abs(box.x + box.width / 2 - 640) < 1;
    };
    await expectEventually(isInTheMiddle, true);
  });

  test('with little room below its row, no day lies over the line of keys', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: { width: 1_280, height: 570 } });
    await addTasks(
      page,
      Array.from({ length: 8 }, (_, index) => `Task ${index + 1}.`),
    );
    await page.keyboard.press('Home');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('d');
    await page.locator('[data-ph=palette][data-beside=below] [data-ph=month]').waitFor();
    // How far what is seen of the last week reaches below the upper edge of the line of keys.
    const covered = () =>
      page.evaluate(async () => {
        const day = [...document.querySelectorAll('[data-ph=month] [role=gridcell]')].at(-1);
        const help = document.querySelector('#palette-help');
        if (!day || !help) return Infinity;
        const { intersectionRect } = await new Promise<IntersectionObserverEntry>((resolve) => {
          const watch = new IntersectionObserver(([entry]) => {
            watch.disconnect();
            if (entry) resolve(entry);
          });
          watch.observe(day);
        });
        return Math.max(0, intersectionRect.bottom - help.getBoundingClientRect().top);
      });
    await expectEventually(covered, 0);
    // Its last week is reached all the same.
    const last = page.locator('[data-ph=month] [role=gridcell]').last();
    await last.scrollIntoViewIfNeeded();
    await expectEventually(
      () =>
        last.evaluate((day) => {
          const { left, right, top, bottom } = day.getBoundingClientRect();
          const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return there !== null && day.contains(there);
        }),
      true,
    );
  });

  for (const [name, options] of [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const) {
    test(`[TIME-1] [TIME-7] [TIME-9] everything about time goes by keys, on ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, options);
      await journey(page);
    });

    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe finds nothing in the pickers, on ${name}, ${colorScheme}`, async (t) => {
        const server = await serve(t);
        const all = { ...options, colorScheme };
        const { page } = await openApp(t, browser(), server.url, all);
        await isAccessible(page);
      });
    }
  }
});
