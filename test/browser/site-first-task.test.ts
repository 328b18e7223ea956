// A stranger who knows nothing but what is on the screen: from the front page to a first task, by keys alone, by the pointer
// alone, on a Mac by way of the download, and on a phone.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expectOutline, ready, STEP_MS } from './harness.ts';
import { type Site, withSite } from './site-world.ts';

/** What is printed on a key, as the browser calls it. */
const PRINTED: Readonly<Record<string, string>> = { Ctrl: 'Control', '↵': 'Enter' };
const MOST_TABS = 15;

/** The name that is read out where the focus is, and whether it is on screen with a ring around it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return { name: '', isSeen: false };
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isInView = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    return {
      name: (element.getAttribute('aria-label') ?? element.innerText).trim(),
      isSeen: isInView && getComputedStyle(element).outlineStyle !== 'none',
    };
  });

/** The key that stands beside the words, pressed. */
async function pressWhatItSays(page: Page, words: string): Promise<void> {
  const entry = page.getByRole('button', { name: words }).filter({ has: page.locator('kbd') });
  const printed = await entry.locator('kbd').first().innerText();
  await page.keyboard.press(
    printed
      .split('+')
      .map((key) => PRINTED[key.trim()] ?? key.trim())
      .join('+'),
  );
}

describe('a stranger', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);

  async function enters(page: Page, open: () => Promise<void>): Promise<Page> {
    const popup = page.context().waitForEvent('page');
    await open();
    const app = await popup;
    app.setDefaultTimeout(STEP_MS);
    await ready(app);
    await app.getByText('What do you have to do?').waitFor();
    return app;
  }

  async function staysAfterReload(app: Page): Promise<void> {
    await expectOutline(app, ['- Buy stamps']);
    await app.reload();
    await ready(app);
    await expectOutline(app, ['- Buy stamps']);
  }

  test('comes from the front page to a first task by keys alone', async (t) => {
    const page = await visit(t, '/');
    const stops: string[] = [];
    for (let count = 0; count < MOST_TABS && stops.at(-1) !== 'Open the web app'; count += 1) {
      await page.keyboard.press('Tab');
      const { name, isSeen } = await focused(page);
      assert.ok(isSeen, `${name} is on screen with a ring`);
      stops.push(name);
    }
    assert.equal(stops[0], 'Skip to content');
    const app = await enters(page, () => page.keyboard.press('Enter'));
    await pressWhatItSays(app, 'Write your first task');
    await app.keyboard.type('Buy stamps');
    await app.keyboard.press('Escape');
    await staysAfterReload(app);
  });

  async function pointsHisWay(
    t: TestContext,
    options: BrowserContextOptions,
    press: (target: Locator) => Promise<void>,
  ): Promise<void> {
    const page = await visit(t, '/', options);
    const open = page.locator('main').getByRole('link', { name: 'Open the web app' }).locator('visible=true');
    const app = await enters(page, () => press(open.first()));
    await press(app.getByRole('button', { name: 'Write your first task' }));
    await app.keyboard.type('Buy stamps');
    await press(app.getByRole('heading', { name: 'Inbox', exact: true }));
    await staysAfterReload(app);
  }

  test('comes from the front page to a first task by the pointer', (t) =>
    pointsHisWay(t, {}, (target) => target.click()));

  test('comes there on a Mac, where there is no installer', (t) =>
    pointsHisWay(t, { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' }, (target) =>
      target.click(),
    ));

  test('on a phone comes there by touch', (t) =>
    pointsHisWay(
      t,
      {
        userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)',
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      },
      (target) => target.tap(),
    ));
});
