// Several tabs of one browser work side by side: all show each other's changes, a tab that crashes or freezes holds
// nobody up, and what one of them does about the account all of them follow.
import { describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/app/`);
  await ready(page);
  return page;
}

/** The page is gone before it could answer. */
async function crash(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  devtools.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

const sorted = async (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-row] [data-ph=title]')]
      .map((title) => title.textContent)
      .sort(),
  );

describe('tabs', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('without an account two tabs show each other’s tasks, and the second goes on when the first crashes', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two']);
    await expectEventually(() => syncText(page), 'Only on this device');
    const second = await openTab(context, server.url);
    await expectOutline(second, ['- One', '- Two']);
    await addTasks(second, ['Three']);
    await expectEventually(() => sorted(page), ['One', 'Three', 'Two']);
    await expectEventually(() => syncText(second), 'Only on this device');
    await crash(context, page);
    await second.bringToFront();
    await addTasks(second, ['Four']);
    await expectEventually(() => syncText(second), 'Only on this device');
    await second.reload();
    await ready(second);
    await expectEventually(() => sorted(second), ['Four', 'One', 'Three', 'Two']);
  });

  test('five tabs type at once, offline too, and everything reaches the server once', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUp(page, 'tabs@example.com');
    const pages = [page];
    for (let count = 1; count < 5; count += 1) pages.push(await openTab(context, server.url));
    await Promise.all(pages.map((tab, at) => addTasks(tab, [`Online ${at}`])));
    const online = pages.map((_, at) => `Online ${at}`);
    for (const tab of pages) await expectEventually(() => sorted(tab), online);
    await installed(page);
    await context.setOffline(true);
    await Promise.all(pages.map((tab, at) => addTasks(tab, [`Without ${at}`])));
    const all = [...online, ...pages.map((_, at) => `Without ${at}`)];
    for (const tab of pages) await expectEventually(() => sorted(tab), all);
    // Who leads crashes with everybody's work unsent.
    await crash(context, page);
    await context.setOffline(false);
    for (const tab of pages.slice(1)) await synced(tab, 30_000);
    for (const tab of pages.slice(1)) await expectEventually(() => sorted(tab), all);
    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, 'tabs@example.com');
    await expectEventually(() => sorted(other.page), all);
  });

  test('a tab that leads and freezes is replaced, and goes on when it wakes', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUp(page, 'frozen@example.com');
    const second = await openTab(context, server.url);
    await addTasks(page, ['Before']);
    await expectEventually(() => sorted(second), ['Before']);
    const frozen = page.evaluate(() => {
      const until = performance.now() + 20_000;
      while (performance.now() < until);
    });
    await addTasks(second, ['Meanwhile']);
    await synced(second, 25_000);
    await frozen;
    await addTasks(page, ['Awake']);
    const all = ['Awake', 'Before', 'Meanwhile'];
    for (const tab of [page, second]) {
      await expectEventually(() => sorted(tab), all);
      await synced(tab);
    }
  });

  test('signing up and out in one tab takes the others along', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    const second = await openTab(context, server.url);
    await addTasks(second, ['From the second']);
    await expectEventually(() => sorted(page), ['From the second']);
    await signUp(page, 'along@example.com');
    await ready(second);
    await synced(second);
    await expectEventually(() => sorted(second), ['From the second']);
    await addTasks(second, ['Later']);
    await expectEventually(() => sorted(page), ['From the second', 'Later']);
    await synced(page);
    await command(page, 'Sign out');
    await expectEventually(() => sorted(second), []);
    await expectEventually(() => syncText(second), 'Only on this device');
  });
});
