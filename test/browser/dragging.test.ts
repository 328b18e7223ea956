// Tasks dragged by a mouse, and lists pasted into a title, in the real page.
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  serve,
  withBrowser,
} from './harness.ts';

/** The middle of a line of the outline. */
async function middleOf(page: Page, title: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = must(await page.locator('[data-row]').filter({ hasText: title }).first().boundingBox(), title);
  return { x: box.x + 120, y: box.y + box.height / 2 };
}

const isDragging = (page: Page) => page.locator('[data-ph=drag]').count();

describe('dragging', () => {
  const browser = withBrowser();

  test('[OUT-20] [OUT-21] [OUT-22] by a mouse: below, beneath, to a list, at the edge, and Escape', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 1_000, height: 520 },
    });
    await command(page, 'New list');
    await page.keyboard.type('Desk');
    await page.keyboard.press('Enter');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await addTasks(page, ['One', 'Two', 'Three']);

    const one = await middleOf(page, 'One');
    const three = await middleOf(page, 'Three');
    await page.mouse.move(one.x, one.y);
    await page.mouse.down();
    await page.mouse.move(one.x, three.y + 12, { steps: 4 });
    await page.locator('[data-ph=drop-line]').waitFor();
    await expectEventually(() => page.locator('[data-ph=drag]').innerText(), 'One');
    await page.mouse.up();
    await expectOutline(page, ['- Two', '- Three', '- One']);
    await expectEventually(() => isDragging(page), 0);

    // To the right: beneath the line above.
    const last = await middleOf(page, 'One');
    await page.mouse.move(last.x, last.y);
    await page.mouse.down();
    await page.mouse.move(last.x + 30, last.y + 10, { steps: 4 });
    await page.mouse.up();
    await expectOutline(page, ['- Two', '- Three', '  - One']);

    // Escape leaves everything as it is, and letting go then does nothing.
    const two = await middleOf(page, 'Two');
    await page.mouse.move(two.x, two.y);
    await page.mouse.down();
    await page.mouse.move(two.x, two.y + 80, { steps: 4 });
    await expectEventually(() => isDragging(page), 1);
    await page.keyboard.press('Escape');
    await expectEventually(() => isDragging(page), 0);
    await page.mouse.up();
    await expectOutline(page, ['- Two', '- Three', '  - One']);

    const desk = must(
      await page.locator('[data-side]').filter({ hasText: 'Desk' }).boundingBox(),
      'the list',
    );
    await page.mouse.move(two.x, two.y);
    await page.mouse.down();
    await page.mouse.move(desk.x + 40, desk.y + 10, { steps: 6 });
    await expectEventually(() => page.locator('[data-side][data-drop]').count(), 1);
    await page.mouse.up();
    await expectOutline(page, ['- Three', '  - One']);
    await page.keyboard.press('Control+z');
    await expectOutline(page, ['- Two', '- Three', '  - One']);

    // Lists, too: before another one.
    await command(page, 'New list');
    await page.keyboard.type('Shed');
    await page.keyboard.press('Enter');
    const lists = () =>
      page
        .locator('[data-side]')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('span:nth-child(2)')?.textContent));
    await expectEventually(lists, ['Today', 'Upcoming', 'Inbox', 'Desk', 'Shed']);
    const shed = must(await page.locator('[data-side]').filter({ hasText: 'Shed' }).boundingBox(), 'Shed');
    await page.mouse.move(shed.x + 40, shed.y + 10);
    await page.mouse.down();
    await page.mouse.move(desk.x + 40, desk.y + 4, { steps: 6 });
    await expectEventually(() => page.locator('[data-side][data-drop=before]').count(), 1);
    await page.mouse.up();
    await expectEventually(lists, ['Today', 'Upcoming', 'Inbox', 'Shed', 'Desk']);
    await page.keyboard.press('g');
    await page.keyboard.press('i');

    // Held at the lower edge, the outline moves on.
    await addTasks(
      page,
      Array.from({ length: 40 }, (_, at) => `t${at}`),
    );
    await page.keyboard.press('Home');
    const grip = await middleOf(page, 'Two');
    await page.mouse.move(grip.x, grip.y);
    await page.mouse.down();
    const scroller = page.locator('[data-ph=outline]');
    const box = must(await scroller.boundingBox(), 'the outline');
    await page.mouse.move(grip.x, box.y + box.height - 6, { steps: 4 });
    const canScroll = () =>
      scroller.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop < 2);
    await expectEventually(canScroll, true);
    await page.mouse.up();
    await expectEventually(async () => (await outline(page)).at(-1), '- Two');
  });

  test('[OUT-12] [OUT-13] several lines pasted into a title become tasks; selected text of the page is copied as text', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await addTasks(page, ['Camp']);
    await page.keyboard.press('Enter');
    await page.evaluate(() => navigator.clipboard.writeText('ing\n\t- [x] Tent\n\t- [ ] Pegs\nHome'));
    await page.keyboard.press('Control+v');
    await expectOutline(page, ['- Camping', '  x Tent', '  - Pegs', '- Home']);
    await page.keyboard.type('!');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Camping', '  x Tent', '  - Pegs', '- Home!']);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await expectEventually(
      () => page.evaluate(() => navigator.clipboard.readText()),
      '- Camping\n  - [x] Tent\n  - Pegs\n- Home!',
    );
    await page.evaluate(() => {
      const title = document.querySelector('#outline-title');
      if (title) document.getSelection()?.selectAllChildren(title);
    });
    await page.keyboard.press('Control+c');
    await expectEventually(() => page.evaluate(() => navigator.clipboard.readText()), 'Inbox');
  });
});
