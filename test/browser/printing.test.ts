// Printing by the browser: the whole list on as many pages as it takes, black on white, and the app back afterwards.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openApp, ready, serve, withBrowser } from './harness.ts';

const LINES = 150;

/** What stands on the page once its styles are those of paper. Runs in the page. */
function readPaper() {
  const paper = document.querySelector('[data-ph=paper]');
  const app = document.querySelector('[data-ph=app]');
  return {
    isApart: paper !== null && app?.checkVisibility() === false,
    grounds: [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor),
    color: paper === null ? '' : getComputedStyle(paper).color,
    lines: (paper?.textContent ?? '').match(/Line \d+\./g)?.length ?? 0,
  };
}

const paperOn = (page: Page) => page.evaluate(readPaper);

/** How many pages a file of the browser has. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

describe('printing', () => {
  const browser = withBrowser();

  test('[FLOW-10] more lines than fit on screen are on paper, by whichever menu', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    await ready(page);
    await page.evaluate((count) => {
      const data = new DataTransfer();
      data.setData('text/plain', Array.from({ length: count }, (_, at) => `Line ${at}.`).join('\n'));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, LINES);
    await page.locator('[data-ph=task]').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    const onScreen = pagesOf(await page.pdf());
    assert.ok(onScreen >= 3, `${LINES} lines take several pages, not ${onScreen}`);
    // Afterwards the app is as it was.
    const { grounds: _dark, ...screen } = await paperOn(page);
    assert.deepEqual(screen, { isApart: false, color: '', lines: 0 });

    // What stands there while it prints.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await paperOn(page), {
      isApart: true,
      grounds: ['rgb(255, 255, 255)', 'rgb(255, 255, 255)'],
      color: 'rgb(0, 0, 0)',
      lines: LINES,
    });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    assert.equal((await paperOn(page)).isApart, false);
  });
});
