// The safety of an account by keys alone, in a browser with an authenticator of its own: passkeys, one-time codes, a new
// password, and having the account erased.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeOf, stepAt } from '#server/accounts/one-time-codes.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  opened,
  outline,
  PASSWORD,
  serve,
  signIn,
  signUp,
  syncText,
  synced,
  temporaryFolder,
  withBrowser,
} from './harness.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** An authenticator that belongs to the machine and knows its owner. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Goes to a button by Tab and presses it. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.waitFor();
  for (let steps = 0; steps < 40; steps += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

const title = (page: Page) => page.locator('dialog h2').innerText();
/** What the dialog answered; before it has, all that it says. */
async function said(page: Page): Promise<string> {
  const answer = page.locator('dialog p[role=status]');
  return (await answer.count()) > 0
    ? answer.innerText()
    : `no answer: ${await page.locator('dialog').innerText()}`;
}

/** Copies one token from the palette, then makes one that only reads. Answers that one; the list is open. */
async function makeTokens(page: Page): Promise<string> {
  await command(page, 'Copy API access token');
  await expectEventually(() => title(page), 'API access token');
  assert.match(
    await page
      .locator('dialog h2 ~ p, dialog p')
      .allInnerTexts()
      .then((texts) => texts.join(' ')),
    /ph_/,
  );
  assert.deepEqual(await violations(page), []);
  await press(page, 'Show all tokens');
  await page.getByText('Reads and writes').waitFor();
  await press(page, 'New token');
  await page.keyboard.type('Nightly report');
  await page.getByLabel('Read only').check();
  assert.deepEqual(await violations(page), []);
  await press(page, 'Create token');
  await expectEventually(() => title(page), 'API access token');
  const [token = ''] = /ph_[\w-]+/.exec(await page.locator('dialog').innerText()) ?? [];
  await press(page, 'Show all tokens');
  await page.getByText('Reads only').waitFor();
  assert.deepEqual(await violations(page), []);
  return token;
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await command(page, 'Account');
  await press(page, 'Add a passkey');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expectEventually(() => said(page), 'Added the passkey.');
  await page.getByText(name).waitFor();
}

describe('the safety of an account', () => {
  const browser = withBrowser();

  test('[ACC-21] [ACC-9] a passkey signs nobody out, and goes with the first proof of the address, as the dialog says', async (t) => {
    const folder = await temporaryFolder(t);
    const { url, services } = await serve(t, undefined, { DATA_DIR: folder });
    const { page } = await openApp(t, browser(), url, { expected: /401/ });
    await addAuthenticator(page);
    await signUp(page, 'eve@example.org');
    const other = await openApp(t, browser(), url, { expected: /401/ });
    await signIn(other.page, 'eve@example.org');
    await addPasskey(page, 'Test machine');
    const account = await services.accounts.byEmail('eve@example.org');
    assert.equal((await services.sessions.list(account?.id ?? 0)).length, 2);
    const letters = async () => {
      const names = (await readdir(join(folder, 'outbox'))).filter((name) => name.endsWith('.eml'));
      return Promise.all(names.toSorted().map((name) => readFile(join(folder, 'outbox', name), 'utf8')));
    };
    assert.match((await letters()).join('\n'), /Subject: A passkey was added/);
    await press(page, 'Verify');
    await expectEventually(() => title(page), 'Enter the code');
    await page
      .locator('dialog')
      .getByText(/removes passkeys/)
      .waitFor();
    const code = /Your Posthaste code: (\d{4} \d{4})/.exec((await letters()).join('\n'))?.[1] ?? '';
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expectEventually(() => said(page), 'Your address is verified.');
    await page.getByText('Verified', { exact: true }).waitFor();
    assert.equal(await page.getByText('Test machine').count(), 0);
    assert.equal((await services.sessions.list(account?.id ?? 0)).length, 1);
    await expectEventually(async () => (await syncText(other.page)).startsWith('Sign in again'), true);
    await page.keyboard.press('Escape');
    await command(page, 'Sign out');
    await page.getByText('Create an account').first().waitFor();
    await command(page, 'Sign in');
    await press(page, 'Use a passkey');
    await page.getByText("That passkey didn't work. Sign in with your password.").waitFor();
  });

  test('[ACC-5] passkeys, codes, password and erasure by keys alone', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url, { expected: /401|403|422/ });
    await addAuthenticator(page);
    await signUp(page, 'ada@example.org');
    await addTasks(page, ['Keep this']);
    await synced(page);

    await command(page, 'Account');
    await page.getByText('Not verified yet').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: null });
    await page.keyboard.press('Escape');
    const token = await makeTokens(page);
    const withToken = () => fetch(`${url}/api/lists`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal((await withToken()).status, 200);
    await press(page, 'Revoke token Nightly report');
    await page.getByText('Revoked the token.').waitFor();
    assert.equal((await withToken()).status, 401);
    await page.keyboard.press('Escape');
    await addPasskey(page, 'Test machine');

    await press(page, 'Turn on');
    const key = (await page.locator('dialog svg + p').innerText())
      .replace('Key:', '')
      .replaceAll(/[^A-Z2-7]/g, '');
    const secret = fromBase32(key);
    await page.getByRole('img', { name: 'Code for your authenticator app' }).waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText("That's not the code your app shows now. Try again.").waitFor();
    await page.keyboard.type(codeOf(secret, stepAt(Date.now())));
    await page.keyboard.press('Enter');
    await expectEventually(() => title(page), 'Recovery codes');
    const recovery = await page.locator('dialog ul li').allInnerTexts();
    assert.equal(recovery.length, 10);
    await press(page, 'I saved them');
    await page.getByText('On. 10 recovery codes left.').waitFor();

    await press(page, 'Change password');
    await page.keyboard.type('a longer walk in the snow');
    await page.keyboard.press('Enter');
    await expectEventually(
      () => said(page),
      'Changed your password and ended all other sessions. 1 API token can still be used.',
    );
    await page.keyboard.press('Escape');
    await command(page, 'Sign out');
    await page.getByText('Create an account').first().waitFor();

    // The passkey alone, then the password with a code.
    await command(page, 'Sign in');
    await press(page, 'Use a passkey');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await opened(page, 'ada@example.org');
    await expectEventually(() => outline(page), ['- Keep this']);
    await command(page, 'Sign out');
    await page.getByText('Create an account').first().waitFor();
    await command(page, 'Sign in');
    await page.keyboard.type('ada@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Wrong email address or password.').waitFor();
    await page.keyboard.type('a longer walk in the snow');
    await page.keyboard.press('Enter');
    await page.locator('dialog input[name=code]').waitFor();
    await page.keyboard.type(recovery[0] ?? '');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await opened(page, 'ada@example.org');

    await command(page, 'Account');
    await page.getByText('On. 9 recovery codes left.').waitFor();
    await press(page, 'Erase account');
    const lead = page.locator('dialog').getByText(/we erase everything on the server/);
    assert.doesNotMatch(await lead.innerText(), /share/, 'lists cannot be shared yet');
    await page.keyboard.type('no');
    await page.keyboard.press('Enter');
    await page.getByText('Type “erase” to continue.').first().waitFor();
    await page.keyboard.type('erase');
    await page.keyboard.press('Enter');
    await expectEventually(() => syncText(page), 'Only on this device');
    await page
      .getByText(/We’ll erase your account on/)
      .first()
      .waitFor();
  });
});
