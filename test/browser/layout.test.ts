// The same app in windows of other sizes and with larger text: what was wide becomes narrow, and nothing is lost or covered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { addTasks, expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

const NARROW = { width: 640, height: 800 };
const WIDE = { width: 1_280, height: 800 };

const lists = (page: Page) => page.getByRole('navigation', { name: 'Lists' });

describe('layout', () => {
  const browser = withBrowser();

  test('a narrow visit does not hide the lists in a wide window', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: NARROW });
    assert.equal(await lists(page).count(), 0);
    await page.setViewportSize(WIDE);
    await lists(page).waitFor();
    await page.reload();
    await ready(page);
    await lists(page).waitFor();
  });

  test('a window made narrow shows the tasks; Escape closes the drawer', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    await page.setViewportSize(NARROW);
    await lists(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+\\');
    await lists(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-side'));
    await page.keyboard.press('Escape');
    await lists(page).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-row'));
    await page.setViewportSize(WIDE);
    await lists(page).waitFor();
  });

  test('the edge of the lists moves by key, is kept, and Enter twice resets it', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    const width = async () => (await lists(page).boundingBox())?.width;
    const before = must(await width(), 'the lists are drawn');
    const edge = page.getByRole('separator', { name: 'List width' });
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expectEventually(width, before + 32);
    await page.reload();
    await ready(page);
    await expectEventually(width, before + 32);
    await edge.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expectEventually(width, before);
    const box = must(await edge.boundingBox(), 'the edge is drawn');
    await page.mouse.move(box.x + 4, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 64, box.y + 300, { steps: 4 });
    await page.mouse.up();
    await expectEventually(width, before + 60);
  });

  test('the palette stays whole in a low window', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 1_280, height: 300 },
    });
    await page.keyboard.press('Control+k');
    await page.locator('[role=option]').first().waitFor();
    const bottom = await page.evaluate(
      () => document.getElementById('palette-help')?.getBoundingClientRect().bottom ?? Infinity,
    );
    assert.ok(bottom <= 300, `the last line ends at ${bottom}`);
  });

  test('with text twice as large nothing overlaps and nothing is cut', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await addTasks(page, ['A title']);
    const measure = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        const check = box('[data-row] [role=checkbox]');
        const title = box('[data-ph=title]');
        const status = box('[data-ph=status]');
        const mode = box('[data-ph=status] [data-mode]');
        if (!check || !title || !status || !mode) return null;
        return {
          overlap: check.right - title.left,
          cut: mode.bottom - status.bottom,
          over: status.top - mode.top,
        };
      });
    await expectEventually(async () => (await measure()) !== null, true);
    const found = must(await measure(), 'all of it is drawn');
    assert.ok(found.overlap <= 0, `the box covers ${found.overlap} px of the title`);
    assert.ok(found.cut <= 0 && found.over <= 0, 'the mode stands inside the status bar');
  });

  test('a title that is written has the room of the name of its list, which is never half a name', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: WIDE });
    await addTasks(page, ['Water the plants today', 'Fold the maps today']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const row = page.locator('[aria-rowindex="1"]');
    const list = row.locator('[aria-hidden=true]').getByText('Inbox', { exact: true });
    await list.waitFor();
    const rail = list.locator('xpath=following-sibling::*');
    const before = await rail.boundingBox();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const field = page.locator('[data-ph=title-input]');
    await field.waitFor();
    assert.equal(await list.isVisible(), false);
    assert.deepEqual(await rail.boundingBox(), before);
    const width = must(await field.boundingBox(), 'it is drawn').width;
    assert.ok(width > 400, `${width}`);
    await page.keyboard.press('Escape');
    await list.waitFor();
  });

  test('[TOUCH-7] on a phone what is said of a task stands under its title', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await addTasks(page, ['Answer the letters in the blue folder', 'Bare']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('d');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('today');
    await page.keyboard.press('Enter');
    const row = page.locator('[data-row]').filter({ hasText: 'Answer' });
    await row.locator('[data-ph=due]').waitFor();
    const box = async (selector: string) => must(await row.locator(selector).boundingBox(), selector);
    const [title, due, line] = [
      await box('[data-ph=title]'),
      await box('[data-ph=due]'),
      await row.boundingBox(),
    ];
    assert.ok(due.y >= title.y + title.height - 1, 'the date stands under the title');
    assert.ok(due.y + due.height <= (line?.y ?? 0) + (line?.height ?? 0), 'and inside its line');
    assert.ok(title.width > 240, `the title has ${title.width} px`);
    const bare = page.locator('[data-row]').filter({ hasText: 'Bare' });
    const [alone, whole] = [await bare.locator('[data-ph=title]').boundingBox(), await bare.boundingBox()];
    const middle = (rect: typeof alone) => (rect?.y ?? 0) + (rect?.height ?? 0) / 2;
    assert.ok(Math.abs(middle(alone) - middle(whole)) <= 1, 'a bare title stands in the middle');
  });

  test('[TOUCH-7] a phone says where the tasks are', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const sync = page.getByRole('button', { name: 'Only on this device' });
    const [sign, name] = [await sync.boundingBox(), await page.locator('h1').boundingBox()];
    assert.deepEqual([sign?.width, sign?.height], [44, 44], 'the sign leaves the room to the name');
    assert.ok((name?.width ?? 0) > 0);
    await sync.tap();
    await page.getByText('This device has the only copy').waitFor();
  });

  test('a long list that was left at its end shows its rows when one comes back from an empty place', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: { width: 800, height: 500 } });
    await addTasks(
      page,
      Array.from({ length: 60 }, (_, index) => `Task ${index}`),
    );
    await page.keyboard.press('Escape');
    const isRow = () =>
      page.evaluate(() => document.elementFromPoint(500, 250)?.closest('[data-row]') !== null);
    await expectEventually(isRow, true);
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expectEventually(isRow, false);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await expectEventually(isRow, true);
    // Of this place, not of the one before.
    await expectEventually(
      () =>
        page
          .locator('[data-ph=outline] [role=treegrid], [role=treegrid]')
          .first()
          .getAttribute('aria-rowcount'),
      '60',
    );
  });
});
