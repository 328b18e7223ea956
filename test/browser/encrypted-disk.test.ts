// What lies on the disk of a browser: of an encrypted account nothing that a person wrote, of a plain one what was there before. Everything is
// read by another page of the same address, as a program would that has the disk.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { give } from './attaching.ts';
import {
  addTasks,
  expectEventually,
  openApp,
  outline,
  ready,
  serve,
  signIn,
  signUpPlain,
  synced,
  syncText,
  turnOnEncryption,
  unlockWithCode,
  withBrowser,
} from './harness.ts';

const PATIENT_MS = 90_000;
const FILE = 'canary in a file';

/** All that the origin has in its databases and small storages: texts, and bytes as text. */
function readDisk(): Promise<readonly string[]> {
  const texts: string[] = [];
  const letters = new TextDecoder('latin1');
  const asked = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('It can’t be read.')));
    });
  const take = async (value: unknown, where: string): Promise<void> => {
    if (value instanceof Blob) texts.push(`${where}: ${letters.decode(await value.arrayBuffer())}`);
    else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      texts.push(`${where}: ${letters.decode(value as ArrayBuffer)}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) await take(each, where);
    } else texts.push(`${where}: ${String(value)}`);
  };
  const read = async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await asked(indexedDB.open(name));
      for (const store of db.objectStoreNames) {
        const from = db.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([asked(from.getAllKeys()), asked(from.getAll())]);
        for (const each of [...keys, ...(values as unknown[])]) await take(each, `${name}/${store}`);
      }
      db.close();
    }
    for (const storage of [localStorage, sessionStorage])
      for (const [key, text] of Object.entries(storage)) texts.push(`${key}: ${String(text)}`);
    return texts;
  };
  return read();
}

/** A page of the same address on which the app doesn’t run. */
async function openBeside(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/app/theme-boot.js`);
  return page;
}

/** Where on the disk there is something that a person wrote. */
const canaries = async (page: Page): Promise<readonly string[]> =>
  (await page.evaluate(readDisk)).filter((text) => /canary/i.test(text)).map((text) => text.slice(0, 120));

const versions = (page: Page) =>
  page.evaluate(async () =>
    (await indexedDB.databases())
      .filter(({ name = '' }) => /^posthaste-[0-9a-f]{8}-/.test(name))
      .map(({ version }) => version),
  );

/** The last row. The end is where all rows are that have been read. */
async function last(page: Page): Promise<string | undefined> {
  await page.keyboard.press('End');
  return (await outline(page)).at(-1);
}

/** Has the copy's own record say that its account is encrypted. */
async function markEncrypted(): Promise<void> {
  const asked = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('It can’t be written.')));
    });
  const all = await indexedDB.databases();
  const name = all.map((each) => each.name ?? '').find((each) => /^posthaste-[0-9a-f]{8}-/.test(each)) ?? '';
  const db = await asked(indexedDB.open(name));
  const store = db.transaction('meta', 'readwrite').objectStore('meta');
  const device: unknown = await asked(store.get('device'));
  await asked(store.put({ ...(device as object), sealed: true, apart: true }, 'device'));
  db.close();
}

/** Titles, a note and a file. */
async function writeEverything(page: Page): Promise<void> {
  await addTasks(page, ['canary first', 'canary second']);
  await page.keyboard.press('Control+/');
  await page.locator('[data-ph=note], [data-ph=write-notes]').waitFor();
  await page.keyboard.press('n');
  await page.locator('[data-ph=notes-field] #notes-text:focus').waitFor();
  await page.keyboard.type('canary in a note');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+/');
  await give(page, 'paste', 'canary.txt', btoa(FILE));
  await page.getByText('Attached ‘canary.txt’').first().waitFor();
}

/** Words of the palette: they make a task, and are remembered. */
async function useThePalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('canary that no command has');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

describe('the disk of a browser', () => {
  const browser = withBrowser();

  test('[SEAL-343] of an encrypted account holds no word that was written, and gives all of it back', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url);
    const beside = await openBeside(context, server.url);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await writeEverything(page);
    await useThePalette(page);
    await signUpPlain(page, 'ida@example.org');
    await synced(page, PATIENT_MS);
    assert.notDeepEqual(await canaries(beside), [], 'what is looked for can be found');
    assert.deepEqual(await versions(beside), [2], 'a plain account has the disk of before');

    const ofDisk = () => loaded.filter((url) => /\/disk-[\w-]{8}\.js$/.test(url)).length;
    assert.equal(ofDisk(), 0, 'and loads nothing for it');

    const code = await turnOnEncryption(page, { withinMs: PATIENT_MS });
    await synced(page, PATIENT_MS);
    await expectEventually(() => canaries(beside), [], PATIENT_MS);
    assert.ok(ofDisk() > 0);

    await addTasks(page, ['canary third']);
    await synced(page, PATIENT_MS);
    assert.deepEqual(await canaries(beside), []);
    // Closed in the middle of a word, and without a network.
    await context.setOffline(true);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('canary fourth');
    await page.close();
    assert.deepEqual(await canaries(beside), []);
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`${server.url}/app/`);
    await ready(again);
    const written = async (from: Page) => (await outline(from)).filter((line) => line.startsWith('- canary'));
    const all = [
      '- canary first',
      '- canary second',
      '- canary third',
      '- canary fourth',
      '- canary that no command has',
    ];
    await expectEventually(() => written(again), all);
    await synced(again, PATIENT_MS);
    assert.deepEqual(await canaries(beside), []);

    // A second device has never had anything in the open.
    const { page: two, context: other } = await openApp(t, browser(), server.url);
    const besideTwo = await openBeside(other, server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await expectEventually(async () => (await outline(two))[0], '- Locked');
    await unlockWithCode(two, code);
    await expectEventually(() => written(two), all);
    assert.deepEqual(await canaries(besideTwo), []);
    await two.reload();
    await ready(two);
    await expectEventually(() => written(two), all);
    assert.deepEqual(await canaries(besideTwo), []);
  });

  test('[SEAL-331] a page that is closed at any moment while its disk changes over leaves everything, and the next one goes on', async (t) => {
    const server = await serve(t);
    const titles = Array.from({ length: 400 }, (_, index) => `canary ${index}`);
    for (const afterMs of [0, 30, 80, 150, 250, 400, 700]) {
      const { page, context } = await openApp(t, browser(), server.url);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const beside = await openBeside(context, server.url);
      await page.bringToFront();
      await page.evaluate((text) => navigator.clipboard.writeText(text), titles.join('\n'));
      await page.keyboard.press('Control+v');
      await expectEventually(() => last(page), `- ${titles.at(-1)}`, PATIENT_MS);
      await expectEventually(() => syncText(page), 'Only on this device', PATIENT_MS);
      assert.notDeepEqual(await canaries(beside), []);
      await page.close();
      // As an app from before leaves the disk of an encrypted account.
      await beside.evaluate(markEncrypted);
      const closed = await context.newPage();
      await closed.goto(`${server.url}/app/`);
      await ready(closed);
      await pause(afterMs);
      await closed.close();
      const again = await context.newPage();
      await again.goto(`${server.url}/app/`);
      await ready(again);
      await expectEventually(() => canaries(beside), [], PATIENT_MS);
      await again.reload();
      await ready(again);
      await expectEventually(() => last(again), `- ${titles.at(-1)}`);
      assert.deepEqual(await again.locator('[data-ph=alarm]').count(), 0, `after ${afterMs} ms`);
      assert.deepEqual(await versions(beside), [3]);
      await again.close();
    }
  });
});
