// A list that stays encrypted, from end to end: Ann shares it without decrypting it, Ben comes in by the link with its secret, both work in it, and
// once Ben is removed he gets nothing more. The server has no word of it.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { give, listed } from './attaching.ts';
import {
  addTasks,
  atExchanges,
  command,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  passOn,
  ready,
  serve,
  signIn,
  signUpPlain,
  synced,
  temporaryFolder,
  turnOnEncryption,
  unlockWithCode,
  withBrowser,
} from './harness.ts';

const PATIENT_MS = 90_000;

const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page) => page.locator('h1').innerText();
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share list' });

/** The words beside the other person in the share dialog. */
const words = /Both of you should see these words in this order: (?<words>[a-z ]+)/;

const seenBy = async (page: Page) => {
  const text = await page.locator('[data-ph=person-keys]').innerText({ timeout: PATIENT_MS });
  return words.exec(text)?.groups?.['words']?.trim();
};

/** Ann with an encrypted account and a list, at a server. */
async function encrypted(t: Parameters<typeof serve>[0], browser: Browser, folder?: string) {
  const server = await serve(t, undefined, folder === undefined ? {} : { DATA_DIR: folder });
  const expected = /40[13]/;
  const kept = async () =>
    JSON.stringify(await server.database.db.selectFrom('entity').select('fields').execute());
  const { page: ann } = await openApp(t, browser, server.url, { expected });
  await signUpPlain(ann, 'ann@example.org');
  await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
  await command(ann, 'New list…');
  await ann.keyboard.type('Canary trip');
  await ann.keyboard.press('Enter');
  await expectEventually(() => heading(ann), 'Canary trip');
  await addTasks(ann, ['canary of a train', 'canary of a bag']);
  await synced(ann, PATIENT_MS);
  const code = await turnOnEncryption(ann, { look: () => loadAxe(ann), withinMs: PATIENT_MS });
  await synced(ann, PATIENT_MS);
  assert.doesNotMatch(await kept(), /anary/);

  return { server, expected, kept, ann, code };
}

describe('a list that stays encrypted', () => {
  const browser = withBrowser();
  const whole = withBrowser({ isWhole: true });

  test('[SEAL-255] [SHARE-373] is shared by its dialog, joined by the link, and read by its people alone', async (t) => {
    const { server, expected, kept, ann } = await encrypted(t, browser());
    await ann.keyboard.press('Control+s');
    await sheet(ann).getByRole('region', { name: 'Share it encrypted' }).waitFor();
    // Each way stands with what comes of it beside its own button.
    const ways = {
      'Share it decrypted': 'Decrypt and share',
      'Share it encrypted': 'Keep this list encrypted',
    };
    for (const [name, button] of Object.entries(ways))
      assert.deepEqual(await sheet(ann).getByRole('region', { name }).getByRole('button').allInnerTexts(), [
        button,
      ]);
    assert.deepEqual(await violations(ann), []);
    // By keys alone: the second way is the next one.
    await ann.keyboard.press('ArrowDown');
    await expectEventually(() => ann.locator(':focus').innerText(), 'Keep this list encrypted');
    await ann.keyboard.press('Enter');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const link = await ann.locator('[data-ph=invite-link]').innerText();
    assert.match(link, /\/invite\?token=[\w-]+&v=3#k=[\w-]{43}$/);
    assert.deepEqual(await violations(ann), []);
    await ann.keyboard.press('Escape');

    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(ben, 'ben@example.org');
    await synced(ben, PATIENT_MS);
    await turnOnEncryption(ben, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await ben.goto(link);
    await ben.getByRole('heading', { name: 'You’re invited to an encrypted list' }).waitFor();
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(ben);
    await ben.getByText('Invitation to an encrypted list').waitFor({ timeout: PATIENT_MS });
    await answer(ben, 'Join list');
    await expectEventually(() => heading(ben), 'Canary trip', PATIENT_MS);
    await expectOutline(ben, ['- canary of a train', '- canary of a bag']);
    await addTasks(ben, ['canary of maps']);
    await expectOutline(ann, ['- canary of a train', '- canary of maps', '- canary of a bag']);
    await synced(ben, PATIENT_MS);
    assert.doesNotMatch(await kept(), /anary/);

    await ann.keyboard.press('Control+s');
    const atAnn = await seenBy(ann);
    assert.equal(new Set(atAnn?.split(' ')).size, 16);
    assert.deepEqual(await violations(ann), []);
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('Control+s');
    assert.equal(await seenBy(ben), atAnn);
    await ben.keyboard.press('Escape');

    await ann.getByRole('button', { name: /^Remove/ }).click();
    await ann.getByRole('button', { name: /^Remove/ }).click();
    await ann.getByText('They keep what they have already read.').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('Escape');
    await expectEventually(async () => (await heading(ben)) === 'Canary trip', false, PATIENT_MS);
    const generations = async () =>
      (
        await server.database.db
          .selectFrom('scope')
          .select('sealing_generation')
          .where('kind', '=', 'list')
          .execute()
      )[0]?.sealing_generation;
    await expectEventually(generations, 0x80_00_00_02, PATIENT_MS);
    await addTasks(ann, ['canary of later']);
    await synced(ann, PATIENT_MS);
    assert.doesNotMatch(await kept(), /anary/);
  });

  test('[SEAL-403] stays open to somebody who turns encryption off, also at a device that signs in afterwards', async (t) => {
    const { server, expected, kept, ann, code } = await encrypted(t, browser());
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('Escape');
    await synced(ann, PATIENT_MS);
    const dialog = (page: Page) => page.locator('dialog').innerText();
    const shows = (page: Page, text: string) =>
      expectEventually(async () => (await dialog(page)).includes(text), true, PATIENT_MS);
    await command(ann, 'Turn off encryption…');
    await shows(ann, 'Stays encrypted: “Canary trip”');
    assert.deepEqual(await violations(ann), []);
    await answer(ann, 'Turn off');
    await shows(ann, 'Your encrypted lists stay encrypted, and open as before.');
    await shows(ann, 'Encrypted all the same: “Canary trip”.');
    assert.deepEqual(await violations(ann), []);
    await answer(ann, 'Close');
    await expectOutline(ann, ['- canary of a train', '- canary of a bag']);

    const { page: two } = await openApp(t, browser(), server.url, { expected });
    await signIn(two, 'ann@example.org', PATIENT_MS);
    await synced(two, PATIENT_MS);
    await two.locator('nav').getByText('Locked').first().click();
    await expectEventually(() => heading(two), 'Locked', PATIENT_MS);
    await two.keyboard.press('Control+Enter');
    await two.keyboard.type('buy milk');
    const entry = two.getByRole('dialog', { name: 'Quick entry' });
    await expectEventually(
      () => entry.locator('textarea, input').first().inputValue(),
      'buy milk',
      PATIENT_MS,
    );
    await two.keyboard.press('Escape');
    await expectEventually(() => entry.count(), 0);
    await command(two, 'Encrypt everything…');
    await shows(two, 'encrypted lists need the key of that time');
    await two.keyboard.press('Escape');
    await unlockWithCode(two, code);
    await expectEventually(() => heading(two), 'Canary trip', PATIENT_MS);
    await expectOutline(two, ['- canary of a train', '- canary of a bag']);
    await addTasks(two, ['canary of two']);
    await expectEventually(async () => (await outline(ann)).includes('- canary of two'), true, PATIENT_MS);
    assert.doesNotMatch(await kept(), /anary/);
  });

  test('[SEAL-404] [SHARE-356] a label that a title makes is the list’s, and the person’s own once the list is private', async (t) => {
    const { ann, kept } = await encrypted(t, browser());
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('Escape');
    await synced(ann, PATIENT_MS);
    const task = ann.locator('[data-row]', { hasText: 'canary of a train' });
    await task.click();
    await command(ann, 'Edit title');
    await ann.keyboard.press('End');
    await ann.keyboard.type(' #canaryshoes');
    await ann.keyboard.press('Escape');
    const inSidebar = () => ann.locator('nav').getByText('canaryshoes').count();
    await expectEventually(inSidebar, 1, PATIENT_MS);
    await synced(ann, PATIENT_MS);
    await ann.keyboard.press('Control+s');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('p');
    await ann.getByRole('button', { name: 'Make private' }).last().click();
    await expectEventually(() => sheet(ann).count(), 0, PATIENT_MS);
    await synced(ann, PATIENT_MS);
    await expectEventually(inSidebar, 1, PATIENT_MS);
    await task.click();
    await ann.keyboard.press('Control+l');
    await ann.locator('dialog').getByRole('option', { name: 'canaryshoes' }).first().waitFor();
    await ann.keyboard.press('Escape');
    assert.doesNotMatch(await kept(), /anary/);
  });

  test('[SHARE-357] says that it is shared where the dialog was closed at once, and after a reload', async (t) => {
    const { ann } = await encrypted(t, browser());
    const message = (page: Page) => page.locator('body').innerText();
    const says = (text: string) =>
      expectEventually(async () => (await message(ann)).includes(text), true, PATIENT_MS);
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.keyboard.press('Escape');
    await says('‘Canary trip’ is shared now. Press Ctrl+S in it for its link.');
    await synced(ann, PATIENT_MS);
    await command(ann, 'New list…');
    await ann.keyboard.type('Canary move');
    await ann.keyboard.press('Enter');
    await expectEventually(() => heading(ann), 'Canary move');
    await addTasks(ann, ['canary of boxes']);
    await synced(ann, PATIENT_MS);
    await ann.keyboard.press('Control+s');
    // The server has heard of it, and the list is still to be decrypted: the device can't tell yet.
    const heard = ann.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().includes('/sharing/lists/'),
    );
    const exchange = await atExchanges(ann.context(), (route) => route.abort());
    await answer(ann, 'Decrypt and share');
    await heard;
    await ann.reload();
    exchange(passOn);
    await ready(ann);
    await says('‘Canary move’ is shared now. Press Ctrl+S in it for its link.');
  });

  test('[SEAL-310] opens by its link in a new tab, and where the browser opens links in the app', async (t) => {
    const { server, expected, kept, ann } = await encrypted(t, browser());
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const link = await ann.locator('[data-ph=invite-link]').innerText();
    const secret = link.split('#k=')[1] ?? '';
    const asked: string[] = [];

    const { page: ben } = await openApp(t, whole(), server.url, { expected });
    ben.context().on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
    await signUpPlain(ben, 'ben@example.org');
    await synced(ben, PATIENT_MS);
    await turnOnEncryption(ben, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await ben.goto(link);
    const opened = ben.context().waitForEvent('page');
    await ben.getByRole('link', { name: 'Open in the web app' }).click({ modifiers: ['ControlOrMeta'] });
    const tab = await opened;
    await ready(tab);
    await tab.getByText('Invitation to an encrypted list').waitFor({ timeout: PATIENT_MS });
    await answer(tab, 'Join list');
    await expectEventually(() => heading(tab), 'Canary trip', PATIENT_MS);
    await expectOutline(tab, ['- canary of a train', '- canary of a bag']);

    const { page: cyn } = await openApp(t, browser(), server.url, { expected });
    cyn.context().on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
    await signUpPlain(cyn, 'cyn@example.org');
    await synced(cyn, PATIENT_MS);
    await turnOnEncryption(cyn, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await cyn.goto(link);
    const inApp = cyn.getByRole('link', { name: 'Open in the app' });
    const address = (await inApp.getAttribute('href')) ?? '';
    assert.match(address, /^web\+posthaste:accept-list-invite\/[\w-]+$/);
    // No program of this machine opens it: the browser goes where the app has asked for such links.
    await inApp.evaluate((each) => each.addEventListener('click', (event) => event.preventDefault()));
    await inApp.press('Enter');
    await cyn.goto(`${server.url}/app/open?u=${encodeURIComponent(address)}`);
    await ready(cyn);
    await answer(cyn, 'Join list');
    await expectEventually(() => heading(cyn), 'Canary trip', PATIENT_MS);
    await expectOutline(cyn, ['- canary of a train', '- canary of a bag']);
    assert.equal(await cyn.evaluate(() => localStorage.getItem('posthaste.invitationSecrets')), null);
    assert.ok(asked.length > 0);
    assert.deepEqual(
      asked.filter((each) => each.includes(secret)),
      [],
      'no server was told the secret',
    );
    assert.doesNotMatch(await kept(), /anary/);
  });

  test('[SEAL-300] [SEAL-304] has files that both people open, and takes a task that is moved there', async (t) => {
    const folder = await temporaryFolder(t);
    const { server, expected, kept, ann } = await encrypted(t, browser(), folder);
    await give(ann, 'drop', 'old.txt', btoa('canary of before'));
    await ann.getByText('Attached ‘old.txt’').first().waitFor();
    await synced(ann, PATIENT_MS);
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const link = await ann.locator('[data-ph=invite-link]').innerText();
    await ann.keyboard.press('Escape');
    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(ben, 'ben@example.org');
    await synced(ben, PATIENT_MS);
    await turnOnEncryption(ben, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await ben.goto(link);
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(ben);
    await answer(ben, 'Join list');
    await expectOutline(ben, ['- canary of a train', '- canary of a bag']);
    const opened = async (page: Page, name: string) => {
      const saving = page.waitForEvent('download', { timeout: PATIENT_MS });
      await page.getByRole('button', { name: `Save ${name}` }).press('Enter');
      return await readFile(await (await saving).path(), 'utf8');
    };
    const task = (page: Page) => page.locator('[data-row]', { hasText: 'canary of a train' });
    await task(ben).click();
    await give(ben, 'drop', 'new.txt', btoa('canary of Ben'));
    await ben.getByText('Attached ‘new.txt’').first().waitFor();
    await synced(ben, PATIENT_MS);
    // Files are dropped on the first task; Ann’s device has sealed hers anew by now, or does so.
    await command(ben, 'Attachments');
    await expectEventually(async () => (await listed(ben)).length, 2, PATIENT_MS);
    assert.equal(await opened(ben, 'old.txt'), 'canary of before');
    await ben.keyboard.press('Escape');
    await task(ann).click();
    await command(ann, 'Attachments');
    await expectEventually(
      async () => (await listed(ann)).some((line) => line.startsWith('new.txt')),
      true,
      PATIENT_MS,
    );
    assert.equal(await opened(ann, 'new.txt'), 'canary of Ben');
    await ann.keyboard.press('Escape');

    await command(ann, 'Go to Inbox');
    await addTasks(ann, ['canary of her own']);
    await synced(ann, PATIENT_MS);
    await ann.keyboard.press('m');
    await ann.keyboard.type('Canary trip');
    await ann.keyboard.press('Enter');
    await expectEventually(
      async () => (await outline(ben)).includes('- canary of her own'),
      true,
      PATIENT_MS,
    );
    assert.doesNotMatch(await kept(), /anary/);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile())
        assert.equal(
          (await readFile(join(entry.parentPath, entry.name))).includes('canary of'),
          false,
          entry.name,
        );
  });

  test('[SEAL-258] [SHARE-374] who joined without the secret is let in once the words were compared', async (t) => {
    const { server, expected, kept, ann } = await encrypted(t, browser());
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const link = await ann.locator('[data-ph=invite-link]').innerText();
    await ann.keyboard.press('Escape');

    const { page: cyn } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(cyn, 'cyn@example.org');
    await synced(cyn, PATIENT_MS);
    await cyn.goto(link.replace(/#.*/, ''));
    await cyn.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(cyn);
    await cyn.getByText('this device has no key').waitFor({ timeout: PATIENT_MS });
    assert.equal(
      await cyn.getByRole('button', { name: 'Join list' }).count(),
      0,
      'not before her account is encrypted',
    );
    await cyn.keyboard.press('Escape');
    await turnOnEncryption(cyn, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await cyn.goto(link.replace(/#.*/, ''));
    await cyn.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(cyn);
    await answer(cyn, 'Join list');
    await cyn.getByText('ask somebody in the list to let you in').first().waitFor({ timeout: PATIENT_MS });
    await expectEventually(async () => (await outline(cyn)).every((line) => !line.includes('canary')), true);

    await cyn.keyboard.press('Control+s');
    const atCyn = await seenBy(cyn);
    assert.equal(new Set(atCyn?.split(' ')).size, 16);
    await loadAxe(cyn);
    assert.deepEqual(await violations(cyn), []);
    await cyn.keyboard.press('Escape');
    await ann.keyboard.press('Control+s');
    assert.equal(await seenBy(ann), atCyn);
    await ann.getByText('nobody in the list has given them its key').waitFor({ timeout: PATIENT_MS });
    assert.deepEqual(await violations(ann), []);
    // As wide as a laptop: nothing of it is cut off, nor only found by scrolling sideways.
    await ann.setViewportSize({ width: 1200, height: 800 });
    const letIn = ann.getByRole('button', { name: /^The words are the same: let in/ });
    const cut = await ann.locator('[data-ph=person-keys]').evaluateAll((all) =>
      all.flatMap((keys) => {
        const list = keys.closest('ul');
        const paper = keys.closest('[data-ph=share]');
        const parts = [...keys.children, ...keys.querySelectorAll('strong')];
        const most = paper?.getBoundingClientRect().right ?? 0;
        return [
          ...parts
            .filter((part) => part.getBoundingClientRect().right > most + 0.5)
            .map((part) => part.outerHTML),
          ...[list, paper].filter((box) => box === null || box.scrollWidth > box.clientWidth + 1).map(String),
          ...(list !== null && list.scrollHeight > list.clientHeight + 1 ? ['the list scrolls'] : []),
        ];
      }),
    );
    assert.deepEqual(cut, []);
    await letIn.press('Enter');
    await ann.getByText('can read the list now.').first().waitFor({ timeout: PATIENT_MS });
    await expectEventually(() => outline(cyn), ['- canary of a train', '- canary of a bag'], PATIENT_MS);
    assert.doesNotMatch(await kept(), /anary/);
  });
});
