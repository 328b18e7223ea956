// Somebody new, without a mouse: from the front page to an account, keys tried before they are chosen, the first five by using
// them, and nothing left behind but what they wrote.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadAxe, violations } from './axe.ts';
import {
  expectEventually,
  expectOutline,
  openApp,
  outline,
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
const heading = (page: Page) => page.locator('dialog h2').innerText();

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY', keys.join(' '));
}

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
  t.after(async () => {
    const found = [...problems];
    await context.close();
    assert.deepEqual(found, [], 'the browser reported errors');
  });
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

const trial = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#trial [role=option]')].map(
      (row) => `${row.ariaSelected === 'true' ? '>' : ' '}${row.hasAttribute('data-done') ? 'x' : '-'}`,
    ),
  );

describe('the first keys', () => {
  const browser = withBrowser();

  test('[START-1] [START-2] [START-4] [START-5] [START-6] [LEARN-1] [LEARN-2] [LEARN-3] [LEARN-5] [LEARN-6] [LEARN-7] somebody new comes from the front page to the first five by keys alone', async (t) => {
    const server = await serve(t);
    const page = await arrive(t, browser(), server.url, {});
    await createAccount(page, 'new@example.com');
    const offer = page.getByRole('button', { name: 'Get started' });
    await offer.waitFor();
    await expectEventually(() => page.getByRole('button', { name: 'Sign in' }).count(), 0);
    await expectEventually(() => offer.evaluate((button) => button === document.activeElement), true);

    await press(page, 'Enter');
    await expectEventually(() => heading(page), 'Your keys 1 of 3');
    await press(page, 'ArrowDown');
    await expectEventually(() => page.getByRole('radio', { name: /^Vim/ }).isChecked(), true);
    await press(page, 'Enter', 'j', 'Space');
    await expectEventually(() => trial(page), [' -', ' -', '>x']);
    await page.getByText('Both work. These are your keys from now on.').waitFor();
    await press(page, 'Shift+Tab', 'ArrowUp');
    await expectEventually(() => page.getByRole('radio', { name: /^Standard/ }).isChecked(), true);
    await press(page, 'Enter', 'ArrowDown', 'Enter');
    await expectEventually(() => heading(page), 'Your look 2 of 3');
    await press(page, 'ArrowDown', 'ArrowDown');
    await expectEventually(() => page.evaluate(() => document.documentElement.dataset['phTheme']), 'dark');
    await press(page, 'ArrowUp', 'Enter');
    await expectEventually(() => heading(page), 'Your tasks 3 of 3');
    await press(page, 'Enter');

    await step(page, 'Go down and up the list');
    await expectEventually(
      async () => (await page.locator('#announce-polite').textContent())?.replace('\u00a0', ''),
      '1 of 12. Go down and up the list: ↓ or ↑.',
    );
    await press(page, 'ArrowDown');
    await step(page, 'Add a task of your own');
    await press(page, 'Control+Enter');
    await page.keyboard.type('Buy stamps');
    await press(page, 'Escape');
    await step(page, 'Put a task under the one above');
    await press(page, 'ArrowUp', 'ArrowDown', 'Tab');
    await step(page, 'Complete a task');
    await page.reload();
    await ready(page);
    await step(page, 'Complete a task');
    await press(page, 'End', 'Space');
    await step(page, 'Undo that');
    await press(page, 'Control+z');
    await step(page, 'The first five are yours.');
    await press(page, 'F9', 'x');
    await strip(page).waitFor({ state: 'detached' });
    await expectOutline(page, ['- Buy stamps']);
    await expectEventually(() => page.getByRole('treeitem', { name: 'Learn Posthaste' }).count(), 0);
    await synced(page);
    // The next start leaves nothing of it.
    await page.reload();
    await ready(page);
    await press(page, 'g', 'x');
    await page.getByText('The trash is empty.').waitFor();
  });

  test('[START-6] Tab passes the list to try keys on, until a key was tried in it', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await page.goto(server.url);
    // Scripts bring more places for Tab to stop at.
    await page.locator('html[data-script=whole]').waitFor();
    const rows = page.locator('.demo-rows');
    const hasFocus = () => rows.evaluate((list) => list === document.activeElement);
    await rows.focus();
    await page.keyboard.press('Tab');
    await expectEventually(hasFocus, false);
    // What Tab leads to has come into view and plays; its button is still there.
    await page.locator('.film.playing .film-play:focus').waitFor();
    await page.keyboard.press('Shift+Tab');
    await expectEventually(hasFocus, true);
    await page.keyboard.press('j');
    await page.keyboard.press('Tab');
    assert.match((await page.locator('#demo-3').getAttribute('class')) ?? '', /level-2/);
    assert.equal(await hasFocus(), true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expectEventually(hasFocus, false);
  });

  test('[START-3] says which keys a tab keeps, and each step is accessible, in the dark and on a phone', async (t) => {
    const server = await serve(t);
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    ] as const) {
      const { page } = await openApp(t, browser(), server.url, options);
      await loadAxe(page);
      await page.getByRole('button', { name: 'Get started' }).press('Enter');
      await expectEventually(() => heading(page), 'Your keys 1 of 3');
      await press(page, 'ArrowUp');
      await page.getByText(/Ctrl\+N \(↓ does the same\) doesn’t work here/).waitFor();
      const opened = page.context().waitForEvent('page');
      await page.getByRole('button', { name: 'Install Posthaste' }).press('Enter');
      assert.match((await opened).url(), /\/guides\/web-app$|about:blank/);
      await (await opened).close();
      const found = [...(await violations(page))];
      for (const title of ['Your look 2 of 3', 'Your tasks 3 of 3']) {
        await page.getByRole('button', { name: 'Next' }).press('Enter');
        await expectEventually(() => heading(page), title);
        found.push(...(await violations(page)));
      }
      assert.deepEqual(found, []);
      assert.deepEqual(await outline(page), []);
    }
  });
});
