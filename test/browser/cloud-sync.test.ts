// Cloud sync turned off and on in a browser: what is made meanwhile stays here and goes when it is on again, its copy brings
// it back, and neither a reload nor an emptied disk turns anything on.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  addTasks,
  type Client,
  command,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  outline,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

const OFF = 'Cloud sync is off';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function disable(page: Page): Promise<void> {
  await command(page, 'Disable cloud sync');
  await press(page, 'Disable cloud sync');
  await expectEventually(() => syncText(page), OFF);
}

/** Two devices of one account with one task; the requests to the server that the first one makes for its copy. */
async function twoDevices(
  t: TestContext,
  browser: Browser,
  email: string,
): Promise<{ readonly own: Client; readonly other: Client; readonly requests: string[] }> {
  const server = await serve(t);
  const own = await openApp(t, browser, server.url);
  await signUp(own.page, email);
  await addTasks(own.page, ['Before']);
  await synced(own.page);
  const other = await openApp(t, browser, server.url);
  await signIn(other.page, email);
  await expectOutline(other.page, ['- Before']);
  const requests: string[] = [];
  own.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(sync|snapshot|live)\b/.test(pathname)) requests.push(pathname);
  });
  own.page.on('websocket', (socket) => requests.push(new URL(socket.url()).pathname));
  return { own, other, requests };
}

describe('cloud sync', () => {
  const launched = withBrowser({ hasWorkers: true });

  test('[SYNC-40] [SYNC-42] off, a reload, on: the list is shown, what was made goes, its copy brings it back', async (t) => {
    const { own, other, requests } = await twoDevices(t, launched(), 'off@example.org');
    const { page } = own;
    await disable(page);
    requests.length = 0;
    await addTasks(page, ['Mine alone', 'And this']);
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expectOutline(page, ['x Before', '- Mine alone', '- And this']);
    // Said again only when the disk has it.
    await expectEventually(() => syncText(page), OFF);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['x Before', '- Mine alone', '- And this']);
    await expectEventually(() => syncText(page), OFF);
    await addTasks(other.page, ['Elsewhere']);
    await synced(other.page);
    await command(page, 'Sync status');
    await page.getByText('Off since').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(requests, [], 'nothing leaves this device');

    await command(page, 'Enable cloud sync');
    await expectEventually(
      () => page.locator('[data-ph=detached-part] summary').allInnerTexts(),
      ['Created: 2', 'Changed: 1'],
    );
    await page.locator('[data-ph=detached-part] summary').first().click();
    await page.locator('[data-ph=detached-part] li').getByText('Mine alone').waitFor();
    const file = page.waitForEvent('download');
    await press(page, 'Download a copy');
    assert.match((await file).suggestedFilename(), /cloud sync was off/);
    await press(page, 'Remove these and enable');
    await synced(page);
    await expectOutline(page, ['- Before', '- Elsewhere']);
    await expectOutline(other.page, ['- Before', '- Elsewhere']);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Before', '- Elsewhere']);
    await synced(page);

    await command(page, 'Safety copies');
    await page.getByText('kept for 30 more days').waitFor();
    await press(page, 'Apply them again');
    await synced(page);
    const all = ['- And this', '- Elsewhere', '- Mine alone', 'x Before'];
    await expectEventually(async () => (await outline(page)).toSorted(), all);
    await expectEventually(async () => (await outline(other.page)).toSorted(), all);
    await command(page, 'Safety copies');
    await press(page, 'Delete');
    await page.getByText('None yet.').waitFor();
  });

  test('[SYNC-41] what waited before is kept and sent when cloud sync is on again', async (t) => {
    const { own, other } = await twoDevices(t, launched(), 'waiting@example.org');
    const { context, page } = own;
    // Its dialogs are parts of the app that are not loaded yet.
    await installed(page);
    await context.setOffline(true);
    await addTasks(page, ['Waiting']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await command(page, 'Disable cloud sync');
    await page.getByText('2 changes have not reached the server yet').waitFor();
    await press(page, 'Send 2 changes, then disable');
    await page.getByText('Can’t reach the server. Try again when you’re online.').waitFor();
    await press(page, 'Disable now');
    await expectEventually(() => syncText(page), OFF);
    await context.setOffline(false);
    await addTasks(page, ['Dropped']);
    // Said again only when the disk has it.
    await expectEventually(() => syncText(page), OFF);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Before', '- Waiting', '- Dropped']);
    await expectOutline(other.page, ['- Before']);
    await command(page, 'Enable cloud sync');
    await page.getByText('2 changes from before are kept and sent.').waitFor();
    await press(page, 'Remove these and enable');
    await synced(page);
    await expectOutline(page, ['- Before', '- Waiting']);
    await expectOutline(other.page, ['- Before', '- Waiting']);
  });

  test('[SYNC-43] an emptied disk does not turn it on, and signing out says what goes', async (t) => {
    const { own, other, requests } = await twoDevices(t, launched(), 'emptied@example.org');
    const { page } = own;
    await disable(page);
    requests.length = 0;
    await addTasks(page, ['Only here']);
    await expectEventually(() => syncText(page), OFF);
    await page.goto('about:blank');
    const blank = await own.context.newPage();
    await blank.goto(new URL('/app/manifest.webmanifest', other.page.url()).href);
    await blank.evaluate(async () => {
      for (const { name } of await indexedDB.databases())
        if (name?.startsWith('posthaste-0') === true) indexedDB.deleteDatabase(name);
    });
    await blank.close();
    await page.goto(other.page.url());
    await ready(page);
    await expectEventually(() => syncText(page), OFF);
    assert.deepEqual(requests, [], 'nothing leaves this device');
    await expectOutline(other.page, ['- Before']);
    await addTasks(page, ['After all']);
    await command(page, 'Sign out');
    await page.getByText('have not reached the server').first().waitFor();
    await press(page, 'Stay signed in');
    await command(page, 'Enable cloud sync');
    await press(page, 'Remove these and enable');
    await synced(page);
    await expectOutline(page, ['- Before']);
  });
});
