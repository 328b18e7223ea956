// Fingers on a phone: swipes, holding, pulling, sheets, and the way back. What each does can be done without it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  ready,
  serve,
  withBrowser,
} from './harness.ts';
import { Network } from './network.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One finger, or several, as the browser hears of them. */
class Fingers {
  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(context: BrowserContext, page: Page): Promise<Fingers> {
    // What follows a finger comes when the app is idle, together with all that the first screen does without.
    await page.locator('[data-ph=palette] [role=status]').waitFor({ state: 'attached' });
    return new Fingers(await context.newCDPSession(page));
  }

  /** `laterMs`: said to happen so much later than it does. */
  async put(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: readonly Point[],
    laterMs = 0,
  ): Promise<void> {
    const timestamp = (Date.now() + laterMs) / 1_000;
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints], timestamp });
  }

  /** In one go: a finger that waited for the page between two of its places would be one that is held. */
  async draw(from: Point, to: Point, steps = 8): Promise<void> {
    const at = (step: number) => ({
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    });
    await Promise.all([
      this.put('touchStart', [from]),
      ...Array.from({ length: steps }, (_, step) => this.put('touchMove', [at(step + 1)], step + 1)),
    ]);
  }

  async swipe(from: Point, to: Point): Promise<void> {
    await this.draw(from, to);
    await this.put('touchEnd', []);
  }
}

async function middle(page: Page, title: string): Promise<Point> {
  const row = page.locator('[data-row]').filter({ hasText: title });
  const box = must(await row.boundingBox(), title);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What screen readers add to the name of the field. Runs once. */
const describedBy = (page: Page) =>
  page.locator('[data-ph=title-input]').evaluate((input) => {
    const description = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    return description?.innerText.trim() ?? null;
  });

describe('touch', () => {
  const browser = withBrowser();

  test('[TOUCH-1] [TOUCH-2] [TOUCH-3] a task is swiped, held and pulled', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['One', 'Two', 'Three']);
    const fingers = await Fingers.of(context, page);
    const by = (point: Point, x: number, y = 0) => ({ x: point.x + x, y: point.y + y });
    const one = await middle(page, 'One');
    // Too short, and let go slowly enough.
    await fingers.draw(one, by(one, 60));
    await page.locator('[data-ph=swipe]').filter({ hasText: 'Complete' }).waitFor();
    await fingers.put('touchEnd', [], 1_000);
    await page.locator('[data-ph=swipe]').waitFor({ state: 'detached' });
    await expectOutline(page, ['- One', '- Two', '- Three']);
    await fingers.swipe(one, by(one, 180));
    await expectOutline(page, ['x One', '- Two', '- Three']);
    // From the edge it is the system's.
    const two = await middle(page, 'Two');
    await fingers.swipe({ x: 10, y: two.y }, { x: 250, y: two.y });
    await expectOutline(page, ['x One', '- Two', '- Three']);
    await fingers.swipe(two, by(two, -180));
    await page.locator('#palette-input').waitFor();
    await page.keyboard.press('Escape');

    await command(page, 'Swipe a task left');
    await page.keyboard.type('does nothing');
    await page.keyboard.press('Enter');
    await fingers.swipe(two, by(two, -180));
    await page.locator('#palette-input').waitFor({ state: 'hidden' });

    await fingers.put('touchStart', [two]);
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.waitFor();
    await fingers.put('touchEnd', []);
    await page.locator('[data-row]').filter({ hasText: 'Three' }).tap();
    await bar.getByText('2', { exact: true }).waitFor();
    await bar.getByRole('button', { name: 'Indent' }).tap();
    await expectOutline(page, ['x One', '  - Two', '  - Three']);
    await bar.getByRole('button', { name: 'Outdent' }).tap();
    await bar.getByRole('button', { name: 'Select none' }).tap();
    await bar.waitFor({ state: 'detached' });
    // By its handle.
    await fingers.put('touchStart', [await middle(page, 'Two')]);
    await bar.waitFor();
    await fingers.put('touchEnd', []);
    const handle = must(await page.locator('[data-act=drag]').boundingBox(), 'the handle is drawn');
    const grip = { x: handle.x + 20, y: handle.y + 20 };
    await fingers.swipe(grip, { x: grip.x, y: grip.y + 66 });
    await expectOutline(page, ['x One', '- Three', '- Two']);
    await page.keyboard.press('Control+z');
    await bar.getByRole('button', { name: 'Select none' }).tap();

    const first = await middle(page, 'One');
    await fingers.swipe(by(first, 0, 4), by(first, 0, 140));
    await page.locator('[data-ph=title-input]').waitFor();
    await page.getByRole('region', { name: 'Task you’re writing' }).waitFor();
    // A virtual keyboard, as Safari reports it: the page keeps its height.
    const writing = page.getByRole('region', { name: 'Task you’re writing' });
    const bottom = async () => {
      const rect = must(await writing.boundingBox(), 'the bar is drawn');
      return rect.y + rect.height;
    };
    await expectEventually(bottom, 844);
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 544 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await expectEventually(bottom, 544);
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 844 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await expectEventually(bottom, 844);
    await page.keyboard.type('Zero');
    await page.getByRole('button', { name: 'Done' }).tap();
    await expectOutline(page, ['- Zero', 'x One', '- Two', '- Three']);
  });

  test('[TOUCH-3] [TOUCH-4] [TOUCH-5] sheets open and close, and Back leads through them', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['One']);
    const fingers = await Fingers.of(context, page);
    const main = page.getByRole('navigation', { name: 'Main commands' });
    await main.getByRole('button', { name: 'Today' }).tap();
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Back' }).tap();
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
    await main.getByRole('button', { name: 'Today' }).tap();
    await main.getByRole('button', { name: 'Inbox' }).tap();

    const sheet = page.locator('[data-ph=dialog]');
    await page.locator('[data-row]').tap();
    await sheet.getByRole('button', { name: 'Snooze' }).waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    await expectOutline(page, ['- One']);
    await page.locator('[data-row]').tap();
    const box = must(await sheet.boundingBox(), 'the sheet is drawn');
    const grip = { x: 195, y: box.y + 14 };
    await fingers.swipe(grip, { x: 195, y: grip.y + 160 });
    await sheet.waitFor({ state: 'detached' });

    const add = must(await main.getByRole('button', { name: 'New task' }).boundingBox(), 'the + is drawn');
    await fingers.put('touchStart', [{ x: add.x + 20, y: add.y + 20 }]);
    await page.locator('[data-held]').waitFor();
    await fingers.put('touchEnd', []);
    const make = page.getByRole('group', { name: 'Make' });
    await make.waitFor();
    await page.keyboard.press('Escape');
    await make.waitFor({ state: 'hidden' });
    await fingers.put('touchStart', [{ x: add.x + 20, y: add.y + 20 }]);
    await page.locator('[data-held]').waitFor();
    await fingers.put('touchEnd', []);
    await make.waitFor();
    await page.getByRole('button', { name: 'Quick entry' }).tap();
    await sheet.locator('textarea, input').first().waitFor();
    await page.keyboard.press('Escape');
    await expectEventually(() => sheet.count(), 0);

    await fingers.put('touchStart', [
      { x: 150, y: 500 },
      { x: 250, y: 500 },
    ]);
    await fingers.put('touchEnd', []);
    const field = page.locator('#palette-input');
    await field.waitFor();
    const isAtTheBottom = async () => must(await field.boundingBox(), 'the field is drawn').y > 700;
    await expectEventually(isAtTheBottom, true);
    await page.goBack();
    await field.waitFor({ state: 'hidden' });

    await page.keyboard.press('Delete');
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
    await page.locator('[data-row]').tap();
    await page.getByRole('button', { name: 'Restore' }).tap();
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  });

  test('[TOUCH-4] the sheet of a task completes it and its subtasks, and is there again after each question', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['Plan the trip', 'Book the train', 'Find a room']);
    for (const key of ['ArrowUp', 'Tab', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
    await expectOutline(page, ['- Plan the trip', '  - Book the train', '  - Find a room']);
    await page.reload();
    await ready(page);
    const sheet = page.locator('[data-sheet]');
    const title = (name: string) => sheet.getByRole('heading', { name, level: 2 });
    await page.locator('[data-row]').filter({ hasText: 'Plan the trip' }).tap();
    await title('Plan the trip').waitFor();
    await sheet.getByRole('heading', { name: 'Subtasks 0 of 2' }).waitFor();
    await sheet.getByRole('checkbox', { name: 'Book the train' }).tap();
    await sheet.getByRole('heading', { name: 'Subtasks 1 of 2' }).waitFor();
    // What the task has not is offered; what it has is a line.
    await sheet.getByRole('button', { name: 'Due', exact: true }).tap();
    await page.getByRole('option', { name: 'Tomorrow' }).tap();
    await sheet.getByRole('button', { name: 'Due Tomorrow' }).tap();
    await page.locator('[data-ph=month]').waitFor();
    await page.goBack();
    await sheet.getByRole('button', { name: 'Due Tomorrow' }).waitFor();
    await sheet.getByRole('button', { name: 'Labels', exact: true }).tap();
    const labels = page.getByRole('dialog', { name: 'Labels' });
    await labels.getByRole('heading', { name: 'Labels', exact: true }).waitFor();
    await labels.getByText('Plan the trip', { exact: true }).waitFor();
    await expectEventually(() => page.evaluate(() => document.activeElement?.tagName), 'H2');
    await labels.getByRole('button', { name: 'Close' }).tap();
    await title('Plan the trip').waitFor();
    // What else can be done with it, under its name, without a keyboard.
    await sheet.getByRole('button', { name: 'More' }).tap();
    const more = page.getByRole('dialog', { name: 'Command palette' });
    await more.getByRole('heading', { name: 'Plan the trip' }).waitFor();
    await expectEventually(() => page.evaluate(() => document.activeElement?.id), 'palette-title');
    assert.equal(await more.getByRole('option', { name: 'Settings', exact: true }).count(), 0);
    await more.getByRole('button', { name: 'Close' }).tap();
    await title('Plan the trip').waitFor();
    // A long answer is read to its end.
    await sheet.getByRole('button', { name: 'Repeat', exact: true }).tap();
    await more.getByRole('option').first().waitFor();
    const cut = await more
      .getByRole('option')
      .evaluateAll((options) =>
        options.flatMap((option) =>
          [option, ...option.querySelectorAll<HTMLElement>('span')].some(
            ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
          )
            ? [option.textContent]
            : [],
        ),
      );
    assert.deepEqual(cut, []);
    await more.getByRole('button', { name: 'Close' }).tap();
    await title('Plan the trip').waitFor();
    await sheet.getByRole('button', { name: 'Find a room' }).tap();
    await title('Find a room').waitFor();
    await sheet.getByRole('checkbox', { name: 'Done' }).tap();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    await expectOutline(page, ['- Plan the trip', '  x Book the train', '  x Find a room']);
    await page.locator('[data-row]').filter({ hasText: 'Plan the trip' }).tap();
    await sheet.getByRole('button', { name: 'Add a subtask' }).tap();
    await page.locator('[data-ph=title-input]').fill('Pack');
    await page.getByRole('button', { name: 'Done' }).tap();
    await expectOutline(page, ['- Plan the trip', '  x Book the train', '  x Find a room', '  - Pack']);
  });

  test('[TOUCH-11] a question names its task, brings no keyboard, and its answers are read from the top', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['Call Ann']);
    await page.reload();
    await ready(page);
    await page.locator('[data-row]').tap();
    const due = page.locator('[data-sheet]').getByRole('button', { name: 'Due', exact: true });
    await due.tap();
    const asked = page.getByRole('dialog', { name: 'Command palette' });
    await asked.getByText('Call Ann').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await expectEventually(focused, 'palette-title');
    const boxOf = async (of: string) => must(await asked.locator(of).first().boundingBox(), of);
    const [field, answers, month] = [
      await boxOf('#palette-input'),
      await boxOf('[role=option]'),
      await boxOf('[data-ph=month]'),
    ];
    assert.ok(field.y < answers.y && answers.y < month.y, 'field, answers, month');
    const names = await asked.getByRole('option').allInnerTexts();
    assert.match(names.join(' '), /^Today.* Tomorrow/s);
    const [today, tomorrow] = await asked.getByRole('option').all();
    const places = [must(today, 'Today'), must(tomorrow, 'Tomorrow')].map((option) => option.boundingBox());
    const [first, second] = await Promise.all(places);
    assert.ok(must(first, 'Today').x < must(second, 'Tomorrow').x, 'side by side, in their order');
    // Touched, it is typed in.
    await asked.locator('#palette-input').tap();
    await expectEventually(focused, 'palette-input');
    await page.locator('#palette-input').fill('in 3 days');
    await asked.getByRole('button', { name: 'Set' }).tap();
    await page.locator('[data-sheet] [data-command="task.due"]').tap();
    await asked.getByRole('button', { name: 'Clear' }).tap();
    await due.waitFor();
    // Touching beside a question leads back to where it was asked, and presses nothing there.
    await due.tap();
    await asked.getByText('Call Ann').waitFor();
    const clicked = page.evaluate(() =>
      new Promise((resolve) => window.addEventListener('click', resolve, { capture: true, once: true })).then(
        () => true,
      ),
    );
    await page.touchscreen.tap(195, 30);
    assert.ok(await clicked);
    await due.waitFor();
    assert.equal(await page.locator('[data-sheet]').count(), 1);
  });

  test('[TOUCH-13] the button in the search empties it first, and writing goes on', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await page
      .getByRole('navigation', { name: 'Main commands' })
      .getByRole('button', { name: 'Search' })
      .tap();
    const field = page.locator('#search-input');
    await field.fill('milk');
    await page.getByRole('button', { name: 'Clear search' }).tap();
    await expectEventually(() => field.inputValue(), '');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-input');
    await page.getByRole('button', { name: 'Close search' }).tap();
    await field.waitFor({ state: 'detached' });
  });

  for (const [screen, options] of Object.entries({
    phone: PHONE,
    tablet: { ...PHONE, viewport: { width: 820, height: 1_180 } },
  })) {
    test(`[TOUCH-9] a recognized date is kept as words by a finger on a ${screen}, and writing goes on`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, options);
      await addTasks(page, ['First']);
      await page.keyboard.press('Control+Enter');
      const field = page.locator('[data-ph=title-input]');
      await field.waitFor();
      const widthOf = async () => must(await field.boundingBox(), 'the field is drawn').width;
      const width = await widthOf();
      await page.keyboard.type('Call the plumber tomorrow');
      const keep = page.getByRole('button', { name: 'Keep “tomorrow” as words' });
      await keep.waitFor();
      // The title keeps its room, and nothing speaks of keys to a finger.
      assert.equal(await widthOf(), width);
      assert.match(must(await describedBy(page), 'the field is described'), /^due /);
      const box = must(await keep.boundingBox(), 'the button is drawn');
      assert.ok(box.width >= 44 && box.height >= 44, `${box.width}×${box.height}`);
      // Also with the caret elsewhere.
      await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 2));
      await keep.tap();
      await keep.waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), 'Call the plumber tomorrow');
      await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(25, 25));
      await page.keyboard.type(' on friday ');
      await page.getByRole('button', { name: 'Keep “on friday” as words' }).waitFor();
      await page.keyboard.type('at home');
      await page.getByRole('button', { name: 'Done' }).tap();
      await expectOutline(page, ['- First', '- Call the plumber tomorrow at home']);
      await page.locator('[data-row] [data-ph=due]').waitFor();
    });
  }

  test('[TOUCH-9] what was typed before the app could read it is all there', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    const network = await Network.of(page);
    network.hold(/\/commands-/);
    await page.reload({ waitUntil: 'domcontentloaded' });
    await ready(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('New label');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Phone');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Call Ann about the essay #Phone');
    await network.decide('goes');
    await expectEventually(
      () => page.locator('[data-ph=title-input]').inputValue(),
      'Call Ann about the essay #Phone',
    );
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Call Ann about the essay']);
  });

  test('[ENTRY-7] [TOUCH-6] [TOUCH-11] in quick entry a finger chooses list, label and day under the title, on the smallest phone', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      ...PHONE,
      viewport: { width: 320, height: 640 },
    });
    await addTasks(page, ['One']);
    await page.goto(`${server.url}/app/open/quick-entry`);
    const dialog = page.locator('dialog');
    const line = page.locator('#quick-entry-line');
    await line.fill('Call the printer about the proofs');
    const question = page.locator('[data-ph=entry-question]');
    const fits = async () => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const buttons = await dialog.getByRole('button').all();
      for (const button of buttons) {
        const { width, height } = must(await button.boundingBox(), 'it is drawn');
        assert.ok(Math.min(width, height) >= 44, `${await button.innerText()} ${width} by ${height}`);
      }
      assert.equal(wide, 0);
      assert.ok(must(await dialog.boundingBox(), 'the sheet is drawn').y >= 0);
    };
    await fits();
    await dialog.getByRole('button', { name: 'Label', exact: true }).tap();
    await question.getByRole('heading', { name: 'Label' }).waitFor();
    // No keyboard comes up before its field is touched.
    await expectEventually(() => page.evaluate(() => document.activeElement?.tagName), 'H2');
    await question.getByRole('combobox').fill('Phone');
    await question.getByRole('option', { name: 'New label #Phone' }).tap();
    await page.waitForFunction(() => document.activeElement?.id === 'quick-entry-line');
    await dialog.locator('[data-ph=token]').filter({ hasText: 'Phone' }).waitFor();
    await dialog.getByRole('button', { name: 'Due', exact: true }).tap();
    await fits();
    await question.getByRole('option', { name: 'Tomorrow' }).tap();
    await dialog.locator('[data-ph=token]').filter({ hasText: 'due' }).waitFor();
    await dialog.getByRole('button', { name: 'Due', exact: true }).tap();
    await question.locator('[data-ph=month] [data-held]').waitFor();
    await question.getByRole('button', { name: 'Back to the task' }).tap();
    await dialog.getByRole('button', { name: 'List', exact: true }).tap();
    await question.getByRole('option', { name: 'Inbox' }).tap();
    await dialog.getByRole('button', { name: 'Add' }).tap();
    await dialog.locator('[data-ph=entry-answer]').filter({ hasText: 'Added' }).waitFor();
    await fits();
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- One', '- Call the printer about the proofs']);
  });

  test('[TOUCH-7] a title in quick entry wraps, and is one line all the same', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await page.goto(`${server.url}/app/open/quick-entry`);
    const line = page.locator('#quick-entry-line');
    const height = async () => must(await line.boundingBox(), 'the line is drawn').height;
    await line.fill('Call the printer');
    const one = await height();
    await line.fill('Call the printer about the proofs of the winter issue\nand the paper');
    await expectEventually(async () => (await height()) > one, true);
    await expectEventually(
      () => line.inputValue(),
      'Call the printer about the proofs of the winter issue and the paper',
    );
    await line.press('Enter');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- Call the printer about the proofs of the winter issue and the paper']);
  });

  test('[TOUCH-8] no keycap is shown where there are no keys, until one is pressed', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await addTasks(page, ['One']);
    const caps = page.locator('kbd:visible');
    // Another start, by fingers alone.
    await page.goto(`${server.url}/app/open/quick-entry`);
    await page.locator('#quick-entry-line').fill('Call Ann tomorrow and then');
    await page.locator('dialog [data-ph=token]').waitFor();
    await expectEventually(() => caps.count(), 0);
    await page.locator('#quick-entry-help').waitFor({ state: 'hidden' });
    await page.locator('#quick-entry-line').fill('');
    await page.goto(`${server.url}/app/`);
    await page.locator('[data-row]').filter({ hasText: 'One' }).tap();
    await page.locator('dialog [data-ph=details]').waitFor();
    await expectEventually(() => caps.count(), 0);
    // A keyboard of its own.
    await page.keyboard.press('Escape');
    await page.locator('dialog [data-ph=details]').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+Space');
    await page.locator('#quick-entry-help').waitFor();
    await page.locator('dialog kbd:visible').first().waitFor();
  });

  test('[TOUCH-8] the lesson and the palette speak of fingers until a key is pressed, then of keys', async (t) => {
    const server = await serve(t);
    const tablet = { viewport: { width: 1_024, height: 768 }, hasTouch: true, isMobile: true, isNew: true };
    const { page } = await openApp(t, browser(), server.url, tablet);
    await page.getByRole('button', { name: 'Write your first task' }).tap();
    await page.getByRole('button', { name: 'Done' }).tap();
    const strip = page.locator('[data-ph=lesson]');
    const help = page.locator('#palette-help');
    await strip.getByText('Tap +, type it').waitFor();
    await page.getByRole('button', { name: 'Commands' }).first().tap();
    await page.locator('#palette-input').waitFor();
    await expectEventually(() => help.getByText('back').isVisible(), false);
    await page.keyboard.press('Escape');
    await strip.getByText('Tap +, type it').waitFor({ state: 'hidden' });
    await strip.locator('kbd:visible').first().waitFor();
    await page.keyboard.press('Control+k');
    await help.getByText('back').waitFor();
  });
});
