// The safety of an account by keys alone, in a browser with an authenticator of its own: passkeys, one-time codes, a new
// password, and having the account erased.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeOf, stepAt } from '#server/accounts/one-time-codes.ts';
import { loadAxe, violations } from './axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  outline,
  PASSWORD,
  serve,
  signUp,
  syncText,
  synced,
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
const said = (page: Page) => page.locator('dialog p[role=status]').innerText();

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
  await press(page, 'Make the token');
  await expectEventually(() => title(page), 'API access token');
  const [token = ''] = /ph_[\w-]+/.exec(await page.locator('dialog').innerText()) ?? [];
  await press(page, 'Show all tokens');
  await page.getByText('Reads only').waitFor();
  assert.deepEqual(await violations(page), []);
  return token;
}

describe('the safety of an account', () => {
  const browser = withBrowser();

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
    await page.getByText('The token was revoked.').waitFor();
    assert.equal((await withToken()).status, 401);
    await page.keyboard.press('Escape');
    await command(page, 'Account');
    await press(page, 'Add a passkey');
    await page.keyboard.type('Test machine');
    await page.keyboard.press('Enter');
    await expectEventually(() => said(page), 'The passkey was added.');
    await page.getByText('Test machine').waitFor();

    await press(page, 'Turn on');
    const key = (await page.locator('dialog svg + p').innerText())
      .replace('Key:', '')
      .replaceAll(/[^A-Z2-7]/g, '');
    const secret = fromBase32(key);
    await page.getByRole('img', { name: 'Code for your authenticator app' }).waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the code that your app shows now.').waitFor();
    await page.keyboard.type(codeOf(secret, stepAt(Date.now())));
    await page.keyboard.press('Enter');
    await expectEventually(() => title(page), 'Recovery codes');
    const recovery = await page.locator('dialog ul li').allInnerTexts();
    assert.equal(recovery.length, 10);
    await press(page, 'I have kept them');
    await page.getByText('On. 10 recovery codes are left.').waitFor();

    await press(page, 'Change password');
    await page.keyboard.type('a longer walk in the snow');
    await page.keyboard.press('Enter');
    await expectEventually(() => said(page), 'Your password was changed. All other sessions were ended.');
    await page.keyboard.press('Escape');
    await command(page, 'Sign out');
    await page.getByText('Create an account').first().waitFor();

    // The passkey alone, then the password with a code.
    await command(page, 'Sign in');
    await press(page, 'Use a passkey');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await synced(page);
    await expectEventually(() => outline(page), ['- Keep this']);
    await command(page, 'Sign out');
    await page.getByText('Create an account').first().waitFor();
    await command(page, 'Sign in');
    await page.keyboard.type('ada@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The email address or the password is wrong.').waitFor();
    await page.keyboard.type('a longer walk in the snow');
    await page.keyboard.press('Enter');
    await page.locator('dialog input[name=code]').waitFor();
    await page.keyboard.type(recovery[0] ?? '');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await synced(page);

    await command(page, 'Account');
    await page.getByText('On. 9 recovery codes are left.').waitFor();
    await press(page, 'Erase account');
    const lead = page.locator('dialog').getByText(/everything on the server is erased/);
    assert.doesNotMatch(await lead.innerText(), /share/, 'lists cannot be shared yet');
    await page.keyboard.type('no');
    await page.keyboard.press('Enter');
    await page.getByText('Type “erase” to go on.').first().waitFor();
    // The server says that the session is over before the app has left the account: that is no news to whoever erased it.
    await page.route(/\/sign_out$/, async (route) => {
      await expectEventually(async () => (await syncText(page)).startsWith('Sign in again'), true);
      await route.continue();
    });
    await page.keyboard.type('erase');
    await page.keyboard.press('Enter');
    await expectEventually(() => syncText(page), 'Only on this device');
    await page
      .getByText(/Your account will be erased on/)
      .first()
      .waitFor();
  });
});
