// Erasing the account from a device: what is on it stays, at once, after reloading, and when the account is gone; signing in
// before that brings both together, and another account takes the tasks in.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { RunningServer } from '#server/server.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  PASSWORD,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

const DAY = 86_400_000;
const EMAIL = 'leaver@example.org';

async function erase(page: Page): Promise<void> {
  await command(page, 'Account');
  await page.locator('dialog').getByRole('button', { name: 'Erase account', exact: true }).click();
  await page.locator('dialog input[name=word]').fill('erase');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await isLocal(page);
}

const isLocal = (page: Page) => expectEventually(() => syncText(page), 'Only on this device');

async function reload(page: Page): Promise<void> {
  await page.reload();
  await ready(page);
}

/** Seven days later, for the server. */
async function passGrace({ database, services }: RunningServer): Promise<void> {
  await database.db.updateTable('account').set({ erase_at: 1 }).where('erase_at', 'is not', null).execute();
  assert.equal((await services.care.run()).accounts, 1);
}

async function atEnd(page: Page, title: string): Promise<void> {
  await page.keyboard.press('End');
  await addTasks(page, [title]);
}

/** Renames the task at the cursor by the key for it, and adds one below. */
async function goOn(page: Page): Promise<void> {
  await page.keyboard.press('F2');
  await page.keyboard.press('End');
  await page.keyboard.type(', later');
  await page.keyboard.press('Escape');
  await addTasks(page, ['Made alone']);
}

describe('erasing an account', () => {
  const browser = withBrowser();

  test('[ERASE-4] the device keeps its tasks at once, after reloading, on day 8 and long after', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, EMAIL);
    await addTasks(page, ['One', 'Two']);
    await synced(page);
    await erase(page);
    await page
      .getByText(/We’ll erase your account on .* Your tasks stay here/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Create an account' }).first().waitFor();
    await expectOutline(page, ['- One', '- Two']);
    await atEnd(page, 'Three');
    await isLocal(page);
    await reload(page);
    await expectOutline(page, ['- One', '- Two', '- Three']);
    await passGrace(server);
    await page.clock.setSystemTime(Date.now() + 8 * DAY);
    await reload(page);
    await isLocal(page);
    await expectOutline(page, ['- One', '- Two', '- Three']);
    // Closed in the middle of a word. Long after, the copy is settled as one that never had an account.
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Four');
    await page.clock.setSystemTime(Date.now() + 60 * DAY);
    for (let starts = 0; starts < 2; starts += 1) {
      await reload(page);
      await isLocal(page);
      await expectOutline(page, ['- One', '- Two', '- Three', '- Four']);
    }
    const profile = await page.evaluate(() => localStorage.getItem('posthaste.profile'));
    assert.match(profile ?? '', /"former":null/);
  });

  test('[ERASE-5] signing in within the week keeps the account, sends what was done meanwhile, and doubles nothing', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, EMAIL);
    await addTasks(page, ['One', 'Two']);
    await synced(page);
    await erase(page);
    await goOn(page);
    await reload(page);
    await expectOutline(page, ['- One', '- Two, later', '- Made alone']);
    await signIn(page, EMAIL);
    await expectEventually(
      () => page.locator('[data-ph=message]').innerText(),
      'Signed in. We won’t erase your account.',
    );
    await expectOutline(page, ['- One', '- Two, later', '- Made alone']);
    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, EMAIL);
    await expectOutline(other.page, ['- One', '- Two, later', '- Made alone']);
    await reload(page);
    await synced(page);
    await expectOutline(page, ['- One', '- Two, later', '- Made alone']);
    const account = await server.services.accounts.byEmail(EMAIL);
    assert.equal(account?.erase_at, null);
  });

  for (const [when, pass] of [
    ['within the week', () => Promise.resolve()],
    ['after it', passGrace],
  ] as const)
    test(`[ERASE-5] another account takes the tasks in ${when}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url);
      await signUp(page, EMAIL);
      await addTasks(page, ['One', 'Two']);
      await synced(page);
      await erase(page);
      await goOn(page);
      await pass(server);
      await signUp(page, 'anew@example.org');
      await expectOutline(page, ['- One', '- Two, later', '- Made alone']);
      const other = await openApp(t, browser(), server.url);
      await signIn(other.page, 'anew@example.org');
      await expectOutline(other.page, ['- One', '- Two, later', '- Made alone']);
      await reload(page);
      await synced(page);
      await expectOutline(page, ['- One', '- Two, later', '- Made alone']);
    });

  test('[ERASE-4] other tabs go along, and everything can be downloaded before', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url);
    await signUp(page, EMAIL);
    await addTasks(page, ['One', 'Two']);
    await synced(page);
    const second = await context.newPage();
    await second.goto(`${server.url}/app/`);
    await ready(second);
    await expectOutline(second, ['- One', '- Two']);
    await page.bringToFront();
    await command(page, 'Account');
    await page.locator('dialog').getByRole('button', { name: 'Erase account', exact: true }).click();
    const downloading = page.waitForEvent('download');
    await page.locator('dialog').getByRole('button', { name: 'Download everything' }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    assert.match(text, /"One"/);
    await page.locator('dialog input[name=word]').fill('erase');
    await page.keyboard.press('Enter');
    await isLocal(page);
    await isLocal(second);
    await second.bringToFront();
    await expectOutline(second, ['- One', '- Two']);
    await atEnd(second, 'From the second');
    await expectOutline(page, ['- One', '- Two', '- From the second']);
  });

  test('[ACC-22] recovery codes stay until they are said to be kept', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, EMAIL);
    await command(page, 'Account');
    await page.locator('dialog').getByRole('button', { name: 'Turn on', exact: true }).click();
    const { codeOf, stepAt } = await import('#server/accounts/one-time-codes.ts');
    const key = (await page.locator('dialog svg + p').innerText())
      .replace('Key:', '')
      .replaceAll(/[^A-Z2-7]/g, '');
    const bits = [...key]
      .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
      .join('');
    const secret = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
    await page.locator('dialog input[name=code]').fill(codeOf(secret, stepAt(Date.now())));
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('alert')
      .getByText(/only see these codes now/)
      .waitFor();
    await page.mouse.click(5, 5);
    assert.equal(await page.getByRole('list', { name: 'Recovery codes' }).locator('li').count(), 10);
    await page.getByRole('button', { name: 'I saved them' }).click();
    await page.getByText('On. 10 recovery codes left.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  test('with tasks on the device both ways into an account are offered', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One']);
    await page.getByRole('button', { name: 'Create an account', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.locator('dialog input[name=password]').fill(PASSWORD);
    assert.equal(await page.locator('dialog h2').innerText(), 'Sign in');
  });
});
