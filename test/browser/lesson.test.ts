// Somebody new, without a mouse: from the front page to an account, and to the first tasks, dated, done and found.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  endWith,
  expectEventually,
  expectOutline,
  openApp,
  PASSWORD,
  ready,
  serve,
  STEP_MS,
  synced,
  watchProblems,
  withBrowser,
} from './harness.ts';

const strip = (page: Page) => page.locator('[data-ph=lesson]');
const step = (page: Page, title: string) => strip(page).getByText(title).waitFor();

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', keys.join(' '));
}

const STEPS = [
  'Write down something you have to do',
  'Say when, in words',
  'Complete a task',
  'See what’s due',
  'Find everything else by name',
  'That’s all you need to start.',
];

/** No pointer reaches the page, and nothing in it has a place where a pointer could be. */
function withoutPointer(): void {
  for (const type of ['pointerdown', 'mousedown', 'click'])
    window.addEventListener(
      type,
      (event) => {
        if (event instanceof MouseEvent && event.detail > 0) event.stopImmediatePropagation();
      },
      { capture: true },
    );
  addEventListener('DOMContentLoaded', () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { pointer-events: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}

/** Tab by Tab, as somebody does who sees where the focus is. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name }));
  await wanted.first().waitFor();
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if (
      await page.evaluate(
        (all) => all.includes(document.activeElement as Element),
        await wanted.elementHandles(),
      )
    )
      return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${name}`);
}

/** The front page, as somebody new finds it. */
async function arrive(
  t: TestContext,
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    locale: 'en-GB',
    ...options,
  });
  await context.addInitScript(withoutPointer);
  const problems: string[] = [];
  context.on('page', (page) => {
    page.setDefaultTimeout(STEP_MS);
    watchProblems(page, undefined, problems);
  });
  const close = async () => {
    const found = [...problems];
    await context.close();
    assert.deepEqual(found, [], 'the browser reported errors');
  };
  endWith(t, close, true);
  const front = await context.newPage();
  await front.goto(url);
  await tabTo(front, 'Open app');
  const [page] = await Promise.all([context.waitForEvent('page'), front.keyboard.press('Enter')]);
  await ready(page);
  return page;
}

async function createAccount(page: Page, email: string): Promise<void> {
  await tabTo(page, 'Create an account');
  await press(page, 'Enter');
  await page.locator('dialog input[name=email]').waitFor();
  await page.keyboard.type(email);
  await press(page, 'Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await synced(page);
  await ready(page);
}

describe('the first keys', () => {
  const browser = withBrowser({ isWhole: true });

  test('[START-1] [START-6] [LEARN-1] [LEARN-2] [LEARN-3] [LEARN-5] [LEARN-6] somebody new comes from the front page to their first tasks by keys alone', async (t) => {
    const server = await serve(t);
    const page = await arrive(t, browser(), server.url, {});
    await createAccount(page, 'new@example.com');
    const offer = page.getByRole('button', { name: 'Write your first task' });
    await offer.waitFor();
    await expectEventually(() => page.getByRole('button', { name: 'Sign in' }).count(), 0);
    await expectEventually(() => offer.evaluate((button) => button === document.activeElement), true);
    await press(page, 'Enter');
    await step(page, 'Write down something you have to do');
    await expectEventually(
      async () => (await page.locator('#announce-polite').textContent())?.split(':')[0],
      '1 of 5. Write down something you have to do',
    );
    await page.keyboard.type('Buy stamps');
    await press(page, 'Escape');
    await step(page, 'Say when, in words');
    await press(page, 'd');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('today');
    await press(page, 'Enter');
    await step(page, 'Complete a task');
    await page.reload();
    await ready(page);
    await step(page, 'Complete a task');
    await press(page, 'Space');
    await step(page, 'See what’s due');
    await press(page, 'g', 't');
    await step(page, 'Find everything else by name');
    await press(page, 'Control+k');
    await page.keyboard.type('go to inbox');
    await press(page, 'Enter');
    await step(page, 'That’s all you need to start.');
    await press(page, 'F9', 'x');
    await strip(page).waitFor({ state: 'detached' });
    await expectOutline(page, ['x Buy stamps']);
  });

  test('[LEARN-3] on a phone the strip keeps its height from step to step, and speaks of what is touched', async (t) => {
    const server = await serve(t);
    for (const width of [390, 320]) {
      const { page } = await openApp(t, browser(), server.url, {
        isNew: true,
        viewport: { width, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      await page.getByRole('button', { name: 'Write your first task' }).tap();
      await page.getByRole('button', { name: 'Done' }).tap();
      const heights: number[] = [];
      const words: string[] = [];
      for (const title of STEPS) {
        await step(page, title);
        heights.push(await strip(page).evaluate((element: HTMLElement) => element.offsetHeight));
        words.push(await strip(page).innerText());
        const skip = strip(page).getByRole('button', { name: 'Skip' });
        if ((await skip.count()) > 0) await skip.tap();
      }
      assert.equal(new Set(heights).size, 1, heights.join());
      assert.doesNotMatch(words.join(' '), /Commands|Ctrl|Enter/);
      assert.ok((heights[0] ?? 0) < 140, `${heights[0]}`);
    }
  });

  test('[START-6] Tab passes the list to try keys on, whatever was tried in it', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await page.goto(server.url);
    // Scripts bring more places for Tab to stop at.
    await page.locator('html[data-script=whole]').waitFor();
    const rows = page.locator('.demo-rows');
    const hasFocus = () => rows.evaluate((list) => list === document.activeElement);
    await rows.focus();
    for (const key of ['Shift', 'j']) {
      await page.keyboard.press(key);
      await page.keyboard.press('Tab');
      await expectEventually(hasFocus, false);
      // It led to something, and leads back.
      assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
      await page.keyboard.press('Shift+Tab');
      await expectEventually(hasFocus, true);
    }
  });

  test('[START-2] [START-3] the first screen shows Today and Upcoming, and is accessible, in the dark and on a phone', async (t) => {
    const server = await serve(t);
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ] as const) {
      const { page } = await openApp(t, browser(), server.url, { isNew: true, ...options });
      await loadAxe(page);
      await page.getByRole('button', { name: 'Write your first task' }).waitFor();
      if ('isMobile' in options) await page.getByRole('button', { name: 'Browse' }).tap();
      await expectEventually(
        async () => (await page.getByRole('treeitem').allInnerTexts()).map((text) => text.split('\n')[0]),
        ['Today', 'Upcoming', 'Inbox'],
      );
      await page.getByRole('treeitem', { name: 'Upcoming' }).waitFor();
      assert.deepEqual(await violations(page), []);
    }
  });
});
