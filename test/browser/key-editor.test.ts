// The editor of keys in a real browser, by keys alone: found by pressing, recorded, used, kept over a reload; the cheat sheet
// on paper; no violation that axe knows of, on a desktop and on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['POSTHASTE_SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

const done = (page: Page) => page.locator('[data-row] [role=checkbox][aria-checked=true]').count();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');

const LOOKS = [
  { name: 'desktop, light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

describe('editor of keys', () => {
  const browser = withBrowser();

  test('[KEY-50] a button leads to it, and every control that has a key shows it there, none above another', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 1440, height: 900 },
    });
    await addTasks(page, ['Read the manual']);
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const badges = page.locator('[data-ph=key-badges] > span');
    const readBoxes = () =>
      badges.evaluateAll((all) =>
        all.map((badge) => {
          const { left, top, right, bottom } = badge.getBoundingClientRect();
          return { text: badge.textContent, left, top, right, bottom };
        }),
      );
    const shown = async () => (await readBoxes()).map(({ text }) => text);
    await badges.first().waitFor();
    const wanted = ['?', '/', 'Ctrl+K', 'Ctrl+/', 'Ctrl+;'];
    await expectEventually(async () => {
      const texts = await shown();
      return wanted.filter((key) => !texts.includes(key));
    }, []);
    await shoot(page, 'keys-badges');
    const boxes = await readBoxes();
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1)) {
        const isApart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top;
        assert.ok(isApart, `${one.text} hides ${other.text}`);
      }
  });

  for (const [name, close] of [
    ['Esc', (page: Page) => page.keyboard.press('Escape')],
    ['its button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
    ['a press beside it', (page: Page) => page.mouse.click(8, 450)],
  ] as const)
    test(`[KEY-50] the keys on the controls go with it: ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, { viewport: { width: 1440, height: 900 } });
      await addTasks(page, ['Read the manual']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.locator('[data-ph=key-badges] > span').first().waitFor();
      await close(page);
      await page.locator('[data-ph=dialog]').waitFor({ state: 'detached' });
      assert.equal(await page.locator('[data-ph=key-badges]').count(), 0);
      const above = () => page.evaluate(() => document.querySelectorAll(':popover-open, :modal').length);
      assert.equal(await above(), 0);
    });

  test('[KEY-50] [KEY-51] a key that is taken away goes from its control, and nothing but the list scrolls', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: { width: 1440, height: 900 } });
    await addTasks(page, ['Read the manual']);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const badges = () => page.locator('[data-ph=key-badges] > span').allInnerTexts();
    await expectEventually(async () => (await badges()).includes('Ctrl+\\'), true);
    for (let page8 = 0; page8 < 6; page8 += 1) await page.keyboard.press('PageDown');
    const overflow = () =>
      page.locator('dialog [data-paper]').evaluate((paper) => paper.scrollHeight - paper.clientHeight);
    assert.equal(await overflow(), 0);
    await page.locator('#key-find').fill('Show or hide the sidebar');
    await page.getByRole('button', { name: 'Remove key' }).press('Enter');
    await expectEventually(async () => (await badges()).includes('Ctrl+\\'), false);
  });

  test('[KEY-58] draws what is seen of the list, and every other line once it comes near', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Read the manual']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.locator('[data-ph=key-sheet]').waitFor();
    await page.keyboard.press('ArrowDown');
    const options = page.locator('#key-options [role=option]');
    await options.first().waitFor();
    const size = Number(await options.first().getAttribute('aria-setsize'));
    const drawn = await options.count();
    assert.ok(size > 150 && drawn < 40, `${drawn} of ${size}`);
    const box = page.locator('#key-options');
    await expectEventually(() => box.evaluate((list) => list.scrollHeight > list.clientHeight), true);
    const chosen = page.locator('#key-options [aria-selected=true]');
    const pages = Math.ceil(drawn / 8) + 1;
    for (let at = 0; at < pages; at += 1) await page.keyboard.press('PageDown');
    const place = pages * 8;
    await expectEventually(() => chosen.getAttribute('aria-posinset'), String(place + 1));
    await expectEventually(
      () => page.locator('#key-find').getAttribute('aria-activedescendant'),
      `key-option-${place}`,
    );
    assert.ok(await chosen.isVisible());
    await expectEventually(async () => {
      await box.evaluate((list) => list.scrollTo(0, list.scrollHeight));
      return options.count();
    }, size);
    await page.keyboard.type('snooz');
    await expectEventually(async () => (await options.first().textContent())?.includes('Snooz'), true);
    const isWhole = async () =>
      (await options.first().getAttribute('aria-setsize')) === String(await options.count());
    await expectEventually(isWhole, true);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await page.locator('[data-ph=key-sheet]').waitFor();
    await page.keyboard.press('ArrowDown');
    await expectEventually(() => options.first().getAttribute('aria-setsize'), String(size));
    assert.ok((await options.count()) < 80, 'other words begin anew');
  });

  for (const width of [320, 390, 1440])
    test(`[KEY-74] the sheet has headings and lists, and goes to its end, ${width} px wide`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, { viewport: { width, height: 900 } });
      await addTasks(page, ['Read the manual']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      const sheet = page.locator('[data-ph=key-sheet]');
      await sheet.waitFor();
      await page.getByRole('heading', { level: 3, name: 'Say more' }).waitFor();
      await page.getByRole('term').filter({ hasText: 'Snooze' }).waitFor();
      const columns = await sheet.evaluate((it) => {
        const lefts = [...it.querySelectorAll('h3')].map((title) =>
          Math.round(title.getBoundingClientRect().left),
        );
        return new Set(lefts).size;
      });
      assert.equal(columns, width < 900 ? 1 : 3);
      const wide = await sheet.evaluate((it) => it.scrollWidth - it.clientWidth);
      assert.equal(wide, 0);
      if (width === 1440) {
        const high = await sheet.evaluate((it) => it.scrollHeight - it.clientHeight);
        assert.equal(high, 0, 'all on one page');
      }
      await sheet.focus();
      await page.keyboard.press('End');
      await page.getByRole('heading', { level: 3, name: 'Show' }).scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Change keys' }).click();
      await page.locator('#key-options [role=option]').first().waitFor();
      await expectEventually(() => focused(page), 'key-find');
    });

  for (const { name, viewport, colorScheme } of LOOKS) {
    test(`a key is recorded, works, and is there after a reload: ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, { viewport, colorScheme });
      await addTasks(page, ['Read the manual', 'Write the reply']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      await expectEventually(() => focused(page), 'key-find');
      await loadAxe(page);
      await shoot(page, `keys-${name}`);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.type('complete task');
      await page.keyboard.press('Enter');
      const recorder = page.locator('[data-ph=key-recorder]');
      await recorder.waitFor();
      await shoot(page, `keys-record-${name}`);
      await page.keyboard.press('s');
      await page.keyboard.press('Enter');
      await recorder.getByText('Saving replaces that').waitFor();
      await shoot(page, `keys-conflict-${name}`);
      assert.deepEqual(await violations(page), []);
      // The focus stands on Save.
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=key-answer]').getByText('s: Complete task').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('s');
      await expectEventually(() => done(page), 1);
      await page.reload();
      await ready(page);
      await page.keyboard.press('s');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('s');
      await expectEventually(() => done(page), 1);
      await page.keyboard.press('F1');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('cheat sheet');
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=cheat-sheet]').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.locator('[data-ph=app]').waitFor({ state: 'hidden' });
      await shoot(page, `cheat-sheet-${name}`);
    });
  }
});
