// Without a network, and with one that comes and goes: nothing typed is lost, and copies end up equal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  outline,
  ready,
  serve,
  serveApart,
  signIn,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

describe('offline', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('the app opens, takes edits and keeps them without a network', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUp(page, 'island@example.org');
    await addTasks(page, ['Row across']);
    await synced(page);
    await installed(page);
    await context.setOffline(true);
    await addTasks(page, ['Light the lamp']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Row across', '- Light the lamp']);
    const tab = await context.newPage();
    await page.close();
    await tab.goto(`${server.url}/app/anything/at/all`);
    await ready(tab);
    await expectOutline(tab, ['- Row across', '- Light the lamp']);
    await context.setOffline(false);
    await synced(tab);
  });

  test('[KEY-48] a part that the device has is there without a network, also one that was never opened', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Row across']);
    await installed(page);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    for (const [asked, name] of [
      ['Settings', 'Settings'],
      ['Find and replace…', 'Find and replace'],
      ['Keys', 'Keys'],
    ] as const) {
      await command(page, asked);
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
  });

  test('[INST-3] the app opens at /app/ and at /app without a network, and keeps what follows', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Row across']);
    await installed(page);
    for (const isOffline of [true, false]) {
      await context.setOffline(isOffline);
      for (const path of ['/app/', '/app', '/app?perf#here']) {
        await page.goto(server.url + path);
        await ready(page);
        await expectOutline(page, ['- Row across']);
        assert.equal(page.url(), server.url + path.replace(/^\/app\/?/, '/app/'));
      }
    }
  });

  test('two devices see each other live, and agree after both were offline', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const first = await openApp(t, shared, server.url);
    await signUp(first.page, 'two@example.org');
    const second = await openApp(t, shared, server.url);
    await signIn(second.page, 'two@example.org');

    await addTasks(first.page, ['Written on the first']);
    await expectOutline(second.page, ['- Written on the first']);
    await addTasks(second.page, ['Written on the second']);
    await expectOutline(first.page, ['- Written on the first', '- Written on the second']);

    await first.context.setOffline(true);
    await second.context.setOffline(true);
    await addTasks(first.page, ['Offline first, a', 'Offline first, b']);
    await second.page.keyboard.press('Home');
    await second.page.keyboard.press('Space');
    await addTasks(second.page, ['Offline second']);
    await first.context.setOffline(false);
    await second.context.setOffline(false);
    await synced(first.page);
    await synced(second.page);
    const written = ['x Written on the first', '- Written on the second', '- Offline second'];
    const all = [...written, '- Offline first, a', '- Offline first, b'].toSorted();
    // A task arrives before its title where that was typed later.
    await expectEventually(async () => (await outline(first.page)).toSorted(), all);
    await expectEventually(() => outline(second.page), await outline(first.page));
  });

  test('a server killed while somebody types loses nothing', async (t) => {
    const server = await serveApart(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'storm@example.org');
    const titles = Array.from({ length: 8 }, (_, n) => `Line ${n + 1}`);
    for (const [index, title] of titles.entries()) {
      await page.keyboard.press('Control+Enter');
      if (index === 3) await server.kill();
      await page.keyboard.type(title);
    }
    await page.keyboard.press('Escape');
    await server.start();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await synced(page);
    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, 'storm@example.org');
    await expectOutline(
      other.page,
      titles.map((title) => `- ${title}`),
    );
  });

  test('tasks made without an account join an account that has tasks already', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const first = await openApp(t, shared, server.url);
    await signUp(first.page, 'joined@example.org');
    await addTasks(first.page, ['Was in the account']);
    await synced(first.page);
    const second = await openApp(t, shared, server.url);
    await addTasks(second.page, ['Was on the device']);
    await signIn(second.page, 'joined@example.org');
    await expectEventually(
      async () => (await outline(second.page)).toSorted(),
      ['- Was in the account', '- Was on the device'],
    );
    await expectEventually(
      async () => (await outline(first.page)).toSorted(),
      ['- Was in the account', '- Was on the device'],
    );
  });

  test('where tabs cannot see each other, the newest works and the first one says so', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url, {
      // As on a page without encryption.
      before: () => Reflect.deleteProperty(Navigator.prototype, 'locks'),
    });
    await addTasks(page, ['Saved']);
    await expectEventually(() => syncText(page), 'Only on this device');
    const second = await context.newPage();
    await second.goto(`${server.url}/app/`);
    await ready(second);
    await expectOutline(second, ['- Saved']);
    // Keys that were meant for the task press nothing on the screen that comes up.
    await addTasks(page, ['Handed over to whoever is open']);
    await page.getByText('Posthaste is open in another tab').waitFor();
    await expectOutline(second, ['- Saved', '- Handed over to whoever is open']);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectOutline(page, ['- Saved', '- Handed over to whoever is open']);
  });

  test('where a newer version takes the storage, what is typed is kept until it has it or a file does', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Saved']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await page.evaluate(async () => {
      const copy = (await indexedDB.databases()).find(({ name = '' }) =>
        /^posthaste-[0-9a-f]{8}-/.test(name),
      );
      await new Promise((resolve) => {
        indexedDB.open(copy?.name ?? 'none', 1_000).addEventListener('success', resolve);
      });
    });
    await addTasks(page, ['Typed in the old version']);
    await page.getByText('A newer version of Posthaste is open').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'as a file' }).click();
    const path = await (await saving).path();
    assert.match(readFileSync(path, 'utf8'), /Typed in the old version/);
  });
});
