// Encryption from end to end: turned on at one device with 300 tasks, opened at a second one by the code, edited both ways, and off again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  keepCode,
  openApp,
  outline,
  serve,
  signIn,
  signUpPlain,
  synced,
  syncText,
  turnOnEncryption,
  unlockWithCode,
  withBrowser,
} from './harness.ts';

const TASKS = 300;
const PATIENT_MS = 90_000;

const title = (page: Page) => page.locator('dialog h2').innerText();
const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Puts the tasks into the list as pasted text. */
async function paste(page: Page, titles: readonly string[]): Promise<void> {
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    titles.map((each) => `- ${each}`).join('\n'),
  );
  await page.keyboard.press('Control+v');
}

/** Turns encryption on with an eye on every step, and gives the code. */
async function turnOn(page: Page): Promise<string> {
  await loadAxe(page);
  const look = async () => assert.deepEqual(await violations(page), []);
  return turnOnEncryption(page, { look, withinMs: PATIENT_MS });
}

/** Texts of all rows, as the database has them. */
async function kept(server: Awaited<ReturnType<typeof serve>>): Promise<string> {
  const rows = await server.database.db.selectFrom('entity').select('fields').execute();
  return JSON.stringify(rows);
}

/** Everything in the databases of a page, as JSON. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('It can’t be read.')));
      });
    const all: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await asked(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        all.push(await asked(db.transaction(store).objectStore(store).getAll()));
      db.close();
    }
    return JSON.stringify(all);
  });

/** An authenticator of the machine whose passkeys answer with secrets, and one passkey in it. */
async function addPasskeys(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  });
}

const said = (page: Page) => page.locator('dialog p[role=status]').innerText();

describe('encryption', () => {
  const browser = withBrowser();

  test('[SEAL-107] is turned on at one device, opened at another, worked with on both, and turned off', async (t) => {
    const server = await serve(t);
    const { page: one, context } = await openApp(t, browser(), server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await addTasks(one, ['canary first']);
    const titles = Array.from({ length: TASKS - 1 }, (_, index) => `canary ${index}`);
    await paste(one, titles);
    await signUpPlain(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    assert.match(await kept(server), /canary/);
    const code = await turnOn(one);
    await synced(one, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary/);

    const { page: two } = await openApp(t, browser(), server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await expectEventually(async () => (await outline(two))[0], '- Locked');
    await unlockWithCode(two, code);
    await expectEventually(async () => (await outline(two))[0], '- canary first', PATIENT_MS);

    await addTasks(two, ['canary by two']);
    await synced(two, PATIENT_MS);
    await expectEventually(async () => (await outline(one)).includes('- canary by two'), true, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary/);

    // It opens by itself after a restart, without a network as well.
    await two.reload();
    await expectEventually(async () => (await outline(two))[0], '- canary first', PATIENT_MS);
    await synced(two, PATIENT_MS);

    await command(two, 'Turn off encryption…');
    await answer(two, 'Turn off');
    await expectEventually(
      () =>
        two
          .locator('dialog')
          .innerText()
          .then((text) => text.includes('Encryption is off.')),
      true,
      PATIENT_MS,
    );
    await answer(two, 'Close');
    await synced(two, PATIENT_MS);
    await synced(one, PATIENT_MS);
    assert.match(await kept(server), /canary by two/);
    assert.equal((await outline(one))[0], '- canary first');
  });

  test('[SEAL-148] [SEAL-79] opens at other devices by the key of the first, by a passphrase, and by a passkey', async (t) => {
    const server = await serve(t);
    const { page: one } = await openApp(t, browser(), server.url);
    await addPasskeys(one);
    await addTasks(one, ['canary first']);
    await signUpPlain(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    await command(one, 'Account');
    await answer(one, 'Add a passkey');
    await one.keyboard.type('Test machine');
    await one.keyboard.press('Enter');
    await expectEventually(() => said(one), 'Added the passkey.', PATIENT_MS);
    await one.keyboard.press('Escape');
    await turnOn(one);
    const locked = async () => {
      const { page } = await openApp(t, browser(), server.url);
      await signIn(page, 'ida@example.org', PATIENT_MS);
      await expectEventually(async () => (await outline(page))[0], '- Locked');
      return page;
    };
    const isOpen = async (page: Page) => {
      await expectEventually(() => said(page), 'This device is unlocked.', PATIENT_MS);
      await answer(page, 'Close');
      await expectEventually(async () => (await outline(page))[0], '- canary first', PATIENT_MS);
    };

    const two = await locked();
    await command(two, 'Get the key from another device…');
    await command(one, 'Give the key to another device…');
    const device = one.locator('dialog button').first();
    await expectEventually(async () => (await device.innerText()).startsWith('Chrom'), true, PATIENT_MS);
    await device.click();
    const words = (page: Page) => page.locator('dialog ol[aria-label="Words to compare"]').innerText();
    await expectEventually(() => title(one), 'Compare the words', PATIENT_MS);
    await expectEventually(() => title(two), 'Compare the words', PATIENT_MS);
    assert.equal(await words(one), await words(two));
    assert.deepEqual(await violations(one), []);
    await answer(one, 'Same words: give the key');
    await answer(two, 'Same words');
    await isOpen(two);
    await expectEventually(() => said(one), 'The other device has the key now.', PATIENT_MS);

    await answer(one, 'Unlock by a passkey, too');
    const passkeyKept = 'This passkey unlocks new devices from now on, besides the recovery code.';
    await expectEventually(() => said(one), passkeyKept, PATIENT_MS);
    await answer(one, 'Set a passphrase');
    for (const name of ['passphrase', 'again'])
      await one.locator(`dialog input[name=${name}]`).fill('five unrelated words');
    await one.keyboard.press('Enter');
    const passphraseKept = 'Your passphrase opens new devices from now on, besides the recovery code.';
    await expectEventually(() => said(one), passphraseKept, PATIENT_MS);
    await answer(one, 'Close');

    const three = await locked();
    await command(three, 'Unlock with recovery code…');
    await three.locator('dialog input[name=code]').fill('five unrelated words');
    await three.keyboard.press('Enter');
    await isOpen(three);
    assert.doesNotMatch(await kept(server), /canary/);

    // The passkey is on the machine of the first device: that one forgets its key, and opens again.
    await one.evaluate(async () => {
      for (const { name = '' } of await indexedDB.databases())
        if (name.startsWith('posthaste-keys-')) indexedDB.deleteDatabase(name);
    });
    await one.reload();
    await expectEventually(() => syncText(one), 'Locked', PATIENT_MS);
    await command(one, 'Unlock with recovery code…');
    await answer(one, 'Use a passkey');
    await expectEventually(() => said(one), 'This device is unlocked.', PATIENT_MS);
    await answer(one, 'Close');

    // Once the account has it no more, it opens nothing either.
    await command(one, 'Account');
    await answer(one, 'Remove passkey Test machine');
    await expectEventually(
      () => said(one),
      'Removed the passkey. It unlocks no encrypted tasks either.',
      PATIENT_MS,
    );
    await answer(one, 'Close');
    await command(one, 'Encryption on this device');
    await one.getByRole('button', { name: 'Change the passphrase' }).waitFor();
    assert.equal(await one.getByRole('button', { name: 'Remove passkeys' }).count(), 0);
  });

  test('[SEAL-189] a new key locks out a device with the old one until it gets it, and a device that forgets its key shows locked rows', async (t) => {
    const server = await serve(t);
    const { page: one } = await openApp(t, browser(), server.url);
    await addTasks(one, ['canary first']);
    await signUpPlain(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    const code = await turnOn(one);
    const { page: two } = await openApp(t, browser(), server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await command(two, 'Unlock with recovery code…');
    await two.locator('dialog input[name=code]').fill(code);
    await two.keyboard.press('Enter');
    await expectEventually(() => said(two), 'This device is unlocked.', PATIENT_MS);
    await answer(two, 'Close');
    await expectEventually(async () => (await outline(two))[0], '- canary first', PATIENT_MS);

    await command(one, 'Make a new key…');
    await expectEventually(() => title(one), 'Make a new key?');
    await loadAxe(one);
    assert.deepEqual(await violations(one), []);
    await answer(one, 'Show my new code');
    const next = await keepCode(one);
    await expectEventually(
      async () => (await said(one)).startsWith('Everything is encrypted with the new key.'),
      true,
      PATIENT_MS,
    );
    assert.deepEqual(await violations(one), []);
    await answer(one, 'Close');
    await addTasks(one, ['canary after']);
    await synced(one, PATIENT_MS);

    await expectEventually(async () => (await outline(two)).includes('- Locked'), true, PATIENT_MS);
    assert.ok((await outline(two)).includes('- canary first'));
    assert.equal(await two.locator('[data-ph-state~="locked"] [data-ph="title"] svg').count(), 1);
    await command(two, 'Encryption on this device…');
    await expectEventually(
      async () => (await two.locator('dialog').innerText()).includes('Another device made a new key.'),
      true,
      PATIENT_MS,
    );
    await answer(two, 'Unlock');
    await two.locator('dialog input[name=code]').fill(next);
    await two.keyboard.press('Enter');
    await expectEventually(() => said(two), 'This device is unlocked.', PATIENT_MS);
    await answer(two, 'Close');
    await expectEventually(async () => (await outline(two)).includes('- canary after'), true, PATIENT_MS);

    await command(two, 'Forget the key on this device…');
    await answer(two, 'Forget the key');
    await expectEventually(() => said(two), 'This device has forgotten the key.', PATIENT_MS);
    await answer(two, 'Close');
    await expectEventually(
      async () => (await outline(two)).every((line) => line === '- Locked'),
      true,
      PATIENT_MS,
    );
    await loadAxe(two);
    for (const colorScheme of ['light', 'dark'] as const) {
      await two.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(two), []);
    }
    await two.reload();
    await expectEventually(async () => (await outline(two))[0], '- Locked', PATIENT_MS);
    assert.doesNotMatch(await stored(two), /canary/);
  });
});
