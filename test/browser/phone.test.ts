// A phone: thumbs instead of keys, the lists as a drawer, no hover.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
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

const addButton = (page: Page) =>
  page.getByRole('navigation', { name: 'Main commands' }).getByRole('button', { name: 'New task' });

/** What is drawn of the outline, from top to bottom. Runs in the page. */
function rowsOnScreen() {
  return [...document.querySelectorAll<HTMLElement>('[data-row]')]
    .map((row) => {
      const title = row.querySelector<HTMLElement>('[data-ph=title]');
      const { top } = row.getBoundingClientRect();
      const isCut =
        title !== null && (title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight);
      const lines = Math.round((title?.clientHeight ?? 0) / 24);
      return { title: title?.textContent ?? '', top, height: row.offsetHeight, lines, isCut };
    })
    .toSorted((a, b) => a.top - b.top);
}

describe('phone', () => {
  const browser = withBrowser();

  test('tasks are made, completed and taken back by touch', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addButton(page).tap();
    await page.keyboard.type('Buy stamps');
    await page
      .getByRole('region', { name: 'Task you’re writing' })
      .getByRole('button', { name: 'New task' })
      .tap();
    await page.keyboard.type('Weigh the parcel');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Buy stamps', '- Weigh the parcel']);
    await page.getByRole('checkbox', { name: 'Buy stamps' }).tap();
    await expectOutline(page, ['x Buy stamps', '- Weigh the parcel']);
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expectOutline(page, ['- Buy stamps', '- Weigh the parcel']);
  });

  test('the lists come as a drawer and go when one is chosen', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    const drawer = page.getByRole('navigation', { name: 'Lists' });
    assert.equal(await drawer.count(), 0);
    await page.getByRole('button', { name: 'Browse' }).tap();
    await drawer.waitFor();
    await drawer.getByRole('treeitem', { name: 'Inbox' }).tap();
    await drawer.waitFor({ state: 'detached' });
  });

  test('[TOUCH-7] titles wrap to two lines, and rows stand one under the other wherever they are scrolled to', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    const long = 'Write to everybody who has not renewed since spring and might like to hear of it';
    const titles = Array.from({ length: 24 }, (_, at) =>
      at % 3 === 0 ? `${at} ${long} tomorrow` : at % 3 === 1 ? `${at} ${long}` : `${at} Order stamps`,
    );
    await addTasks(page, titles);
    await page.touchscreen.tap(200, 30);
    const standing = async () => {
      const rows = await page.evaluate(rowsOnScreen);
      for (const [at, { top, height, lines, isCut }] of rows.entries()) {
        assert.ok(!isCut || lines === 2, 'a title is cut in its second line at most');
        assert.ok([48, 63, 72, 87].includes(height), `${height} pixels`);
        assert.equal(lines === 2, height > 64);
        const next = rows[at + 1];
        if (next) assert.ok(Math.abs(next.top - top - height) < 1, 'no gap, nothing over another');
      }
      return rows;
    };
    const end = await standing();
    assert.ok(end.some(({ title }) => title.startsWith('23 ')));
    const scroll = (by: number) =>
      page.evaluate((pixels) => document.querySelector('[data-ph=outline]')?.scrollBy(0, pixels), by);
    for (let left = 12; left > 0; left -= 1) {
      await scroll(-190);
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      await standing();
    }
    await scroll(-4_000);
    await expectEventually(async () => (await standing())[0]?.title.split(' ')[0], '0');
    const first = (await standing()).map(({ height }) => height).slice(0, 4);
    assert.deepEqual(first, [87, 72, 48, 87]);
    // Lying on its side it has room for a line each.
    await page.setViewportSize({ width: 844, height: 390 });
    await expectEventually(async () => (await page.evaluate(rowsOnScreen))[1]?.height, 44);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectEventually(async () => {
      const rows = await page.evaluate(rowsOnScreen);
      return rows.some(({ height }) => height === 72);
    }, true);
    await standing();
  });

  test('[TOUCH-14] a long title wraps while it is typed, below others too, and Enter goes on to the next', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(
      page,
      Array.from({ length: 20 }, (_, at) => `${at} Order stamps`),
    );
    await page.touchscreen.tap(200, 30);
    // The last one that is seen: what grows must come up.
    await addButton(page).tap();
    const field = page.locator('[data-ph=title-input]');
    const row = page.locator('[data-row]', { has: field });
    const look = () =>
      field.evaluate((element: HTMLTextAreaElement) => {
        const box = element.getBoundingClientRect();
        const around = element.closest('[data-row]')?.getBoundingClientRect();
        const screen = element.closest('[data-ph=outline]')?.getBoundingClientRect();
        return {
          lines: element.clientHeight / 24,
          row: around?.height ?? 0,
          above: box.top - (around?.top ?? 0),
          isCut: element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
          isSeen: box.bottom <= (screen?.bottom ?? 0) && box.top >= (screen?.top ?? 0),
        };
      });
    const first = 'Write to everybody who has not renewed since spring';
    await field.pressSequentially('Write');
    assert.deepEqual(await look(), { lines: 1, row: 48, above: 12, isCut: false, isSeen: true });
    await field.pressSequentially(first.slice('Write'.length));
    await expectEventually(look, { lines: 2, row: 72, above: 12, isCut: false, isSeen: true });
    const second = `${first} and might like to hear of what we have been writing about`;
    await field.pressSequentially(second.slice(first.length));
    await expectEventually(look, { lines: 4, row: 120, above: 12, isCut: false, isSeen: true });
    // As a program would that drops a text of two lines there.
    await field.evaluate((element: HTMLTextAreaElement) => element.setRangeText('\n', 5, 5, 'end'));
    await field.dispatchEvent('input');
    await expectEventually(() => field.inputValue(), second.replace('Write', 'Write '));
    assert.equal(await field.evaluate((element: HTMLTextAreaElement) => element.selectionStart), 6);
    await field.press('Backspace');
    await field.press('Control+End');
    await field.press('Enter');
    await expectEventually(() => field.inputValue(), '');
    // Where the caret is counts as in any title: at the start, Backspace goes back to the one before.
    await field.press('Backspace');
    await expectEventually(() => field.inputValue(), second);
    await field.press('Enter');
    await expectEventually(() => field.inputValue(), '');
    assert.equal((await look()).row, 48);
    await page.keyboard.type('Order envelopes');
    // The caret that only moved is known too: the title above is entered at the same place.
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await expectEventually(() => field.inputValue(), second);
    assert.equal(await field.evaluate((element: HTMLTextAreaElement) => element.selectionStart), 0);
    await page.keyboard.press('Escape');
    await row.waitFor({ state: 'detached' });
    const titles = await outline(page);
    assert.ok(titles.includes(`- ${second}`) && titles.includes('- Order envelopes'), titles.join(', '));
  });

  test('nothing is wider than the screen', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      ...PHONE,
      viewport: { width: 320, height: 640 },
    });
    await addButton(page).tap();
    await page.keyboard.type(
      'A title that is much longer than any screen of a small phone can ever show in one line',
    );
    await page.keyboard.press('Escape');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(overflow, 0);
  });
});
