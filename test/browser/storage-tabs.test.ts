// Two tabs of one browser: a tab that crashes, and one whose turn is taken while its changes are on no disk yet.
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { must } from '#core/assert.ts';
import {
  addTasks,
  expectEventually,
  expectOutline,
  launch,
  openApp,
  ready,
  serve,
  syncText,
} from './harness.ts';

describe('tabs', () => {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  test('after a crash the other tab goes on with all that was saved', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, must(browser, 'launched'), server.url);
    const second = await context.newPage();
    await addTasks(page, ['One', 'Two']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await second.goto(`${server.url}/app`);
    await second.getByText('Posthaste is open in another tab').waitFor();
    const devtools = await context.newCDPSession(page);
    // The page is gone before it could answer.
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await second.bringToFront();
    await second.getByRole('button', { name: 'Use it here' }).click();
    await ready(second);
    await expectOutline(second, ['- One', '- Two']);
    await addTasks(second, ['Three']);
    await expectEventually(() => syncText(second), 'Only on this device');
  });

  test('what a tab could not save before its turn was taken by force is made by the other tab', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, must(browser, 'launched'), server.url, {
      expected: /storage did not answer/,
      before: () => {
        const transaction: (
          this: IDBDatabase,
          ...given: Parameters<IDBDatabase['transaction']>
        ) => IDBTransaction = Reflect.get(IDBDatabase.prototype, 'transaction');
        let isRefusing = false;
        addEventListener('test:refuse', () => {
          isRefusing = true;
        });
        IDBDatabase.prototype.transaction = function limited(this: IDBDatabase, ...given) {
          if (isRefusing) throw new DOMException('There is no room.', 'QuotaExceededError');
          return transaction.apply(this, given);
        };
      },
    });
    const second = await context.newPage();
    await addTasks(page, ['Saved']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await second.goto(`${server.url}/app`);
    await second.getByText('Posthaste is open in another tab').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('test:refuse')));
    await addTasks(page, ['In memory only']);
    await page.locator('[data-ph=alarm]').getByText('takes nothing').waitFor();
    // Frozen for longer than the other tab is patient.
    const frozen = page.evaluate(() => {
      const until = performance.now() + 4_500;
      while (performance.now() < until);
    });
    await second.getByRole('button', { name: 'Use it here' }).click();
    await ready(second);
    await frozen;
    await expectOutline(second, ['- Saved', '- In memory only']);
    await page.getByText('Posthaste is open in another tab').waitFor();
    await page.getByText('could not be saved').waitFor({ state: 'detached' });
    await second.reload();
    await ready(second);
    await expectOutline(second, ['- Saved', '- In memory only']);
  });
});
