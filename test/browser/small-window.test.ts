// The small window of the desktop app in a browser: the app behind the script that stands before all others, with a program around it that
// writes down what it hears.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { bundle, PAGE_SCRIPT } from '../../scripts/desktop-build.ts';
import { expectEventually, expectOutline, openApp, ready, serve, withBrowser } from './harness.ts';

interface Around {
  readonly said: string[];
  tell(text: string): void;
}

declare global {
  interface Window {
    around: Around;
  }
}

/** What Electron's shell gives the page. */
function giveShell(): void {
  const said: string[] = [];
  const around: Around = { said, tell: () => undefined };
  const posthasteShell = {
    send: (text: string) => void said.push(text),
    listen: (heard: (text: string) => void) => void (around.tell = heard),
  };
  Object.assign(window, { around, posthasteShell });
}

const saidDone = (page: Page) =>
  page.waitForFunction(() => window.around.said.some((text) => text === '{"type":"done"}'));

describe('the small window of the desktop app', () => {
  const browser = withBrowser();

  test('[DESK-88] takes keys while quick entry is open, and what is typed before it is there goes into it', async (t) => {
    const server = await serve(t);
    const script = await bundle('src/desktop/page/bridge.ts', PAGE_SCRIPT);
    const { page } = await openApp(t, browser(), server.url, {
      // The program would have it beside the app; a server doesn't.
      expected: /custom JavaScript|404/,
      prepare: async (context) => {
        await context.addInitScript(giveShell);
        await context.addInitScript({ content: script });
      },
    });
    // The other window takes them as ever.
    await page.keyboard.press('Enter');
    await page.keyboard.type('In the list');
    await page.keyboard.press('Escape');
    await expectOutline(page, ['- In the list']);

    await page.goto(`${server.url}/app/?quick`);
    await ready(page);
    await page.locator('html[data-ph-quick]').waitFor({ state: 'attached' });
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+k');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.type('Quicx');
    await page.keyboard.press('Backspace');
    await page.evaluate(() => window.around.tell('{"type":"quick"}'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('kl');
    // The program asks again once the page is ready, or the key is pressed again.
    await page.evaluate(() => window.around.tell('{"type":"quick"}'));
    await page.keyboard.type('y');
    await page.keyboard.press('Enter');
    await saidDone(page);
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('late');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await expectOutline(page, ['- In the list', '- Quickly']);

    // Once more in the same window.
    await page.evaluate(() => {
      window.around.said.length = 0;
      window.around.tell('{"type":"quick"}');
    });
    await page.getByRole('dialog').waitFor();
    await expectEventually(() => page.locator('#quick-entry-line').inputValue(), '');
    await page.keyboard.press('Escape');
    await saidDone(page);
    await page.keyboard.press('Delete');
    await page.goto(`${server.url}/app/`);
    await ready(page);
    await expectOutline(page, ['- In the list', '- Quickly']);
  });
});
