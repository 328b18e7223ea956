// What happens to a browser's storage under the app: deleted, cleared, full, refused, damaged, its handles dead. The app
// says what is so, and nothing that is in memory, in the queue or on the server is lost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  type Client,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  opened,
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

const alarm = (page: Page) => page.locator('[data-ph=alarm]');

/** Clears what the browser stored in databases for this site, as "clear site data" or an eviction would. */
async function clearDatabases({ context, page }: Client, origin: string): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await devtools.detach();
}

async function deleteDatabases(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase(name);
        deleting.addEventListener('success', resolve);
        deleting.addEventListener('error', reject);
      });
    }
  });
}

describe('storage', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[KEY-9] closed or reloaded in the middle of a word, nothing is lost', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    for (const title of ['One', 'Two']) {
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type(title);
      await page.reload();
      await ready(page);
    }
    await expectOutline(page, ['- One', '- Two']);
    await page.keyboard.press('End');
    await addTasks(page, ['Three']);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- One', '- Two', '- Three']);
    const beside = await context.newPage();
    await beside.goto(`${server.url}/app/`);
    await ready(beside);
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Four');
    await page.close();
    await expectOutline(beside, ['- One', '- Two', '- Three', '- Four']);
    await expectEventually(() => syncText(beside), 'Only on this device');
    const left = () =>
      beside.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unsaved')).length);
    await expectEventually(left, 0);
  });

  test('a database deleted under the running app is written again from memory', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Before', 'Still before']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await deleteDatabases(page);
    await alarm(page).getByText('We saved everything again').waitFor();
    await addTasks(page, ['After']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await page.getByRole('button', { name: 'Got it' }).click();
    await alarm(page).waitFor({ state: 'detached' });
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Before', '- Still before', '- After']);
  });

  test('site data cleared under the running app loses no unsent change', async (t) => {
    const server = await serve(t);
    const client = await openApp(t, browser(), server.url);
    const { context, page } = client;
    await signUp(page, 'cleared@example.org');
    await addTasks(page, ['On the server']);
    await synced(page);
    await installed(page);
    await context.setOffline(true);
    await addTasks(page, ['Only here']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await clearDatabases(client, server.url);
    await alarm(page).getByText('We saved everything again').waitFor();
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- On the server', '- Only here']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await context.setOffline(false);
    await opened(page, 'cleared@example.org');
    await expectOutline(page, ['- On the server', '- Only here']);
  });

  test('a copy that vanished between two starts is noticed, counted and read again', async (t) => {
    const server = await serveApart(t);
    const client = await openApp(t, browser(), server.url);
    const { page } = client;
    await signUp(page, 'vanished@example.org');
    await addTasks(page, ['On the server']);
    await synced(page);
    await server.kill();
    await addTasks(page, ['Lost']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await page.goto('about:blank');
    await clearDatabases(client, server.url);
    await server.start();
    await page.goto(`${server.url}/app/`);
    await ready(page);
    await alarm(page).getByText('2 changes hadn’t synced').waitFor();
    await opened(page, 'vanished@example.org');
    await expectOutline(page, ['- On the server']);
    // It is told until somebody has read it.
    await page.reload();
    await ready(page);
    await page.getByRole('button', { name: 'Got it' }).click();
    await page.reload();
    await ready(page);
    await synced(page);
    assert.equal(await alarm(page).count(), 0);
  });

  test('without an account a vanished copy is told in numbers', async (t) => {
    const server = await serve(t);
    const client = await openApp(t, browser(), server.url);
    const { page } = client;
    await addTasks(page, ['One', 'Two', 'Three']);
    await expectEventually(() => syncText(page), 'Only on this device');
    await page.goto('about:blank');
    await clearDatabases(client, server.url);
    await page.goto(`${server.url}/app/`);
    await ready(page);
    await alarm(page).getByText('3 tasks and lists were only here').waitFor();
  });

  test('a full disk is said loudly; changes go to the server all the same, and to the disk when it has room', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      before: () => {
        let isFull = false;
        for (const event of ['full', 'room'])
          addEventListener(`test:${event}`, () => {
            isFull = event === 'full';
          });
        const put: (
          this: IDBObjectStore,
          ...given: Parameters<IDBObjectStore['put']>
        ) => IDBRequest<IDBValidKey> = Reflect.get(IDBObjectStore.prototype, 'put');
        IDBObjectStore.prototype.put = function limited(this: IDBObjectStore, ...given) {
          if (isFull) throw new DOMException('There is no room.', 'QuotaExceededError');
          return put.apply(this, given);
        };
      },
    });
    await signUp(page, 'full@example.org');
    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, 'full@example.org');
    await addTasks(page, ['There was room']);
    await synced(page);
    await page.evaluate(() => dispatchEvent(new Event('test:full')));
    await addTasks(page, ['No room here']);
    await alarm(page).getByText('storage may be full').waitFor();
    await expectEventually(async () => /not saved \(storage is failing\)/.test(await syncText(page)), true);
    await expectOutline(other.page, ['- There was room', '- No room here']);
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog', { name: 'Sync status' }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('test:room')));
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('Everything is on the server.').waitFor();
    await page.keyboard.press('Escape');
    await synced(page);
    await alarm(page).waitFor({ state: 'detached' });
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- There was room', '- No room here']);
  });

  test('a browser that refuses storage says so, and signing up carries over what is in memory', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      expected: /blocks storage/,
      before: () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('The user denied permission to access the database.', 'SecurityError');
        };
      },
    });
    await addTasks(page, ['In memory']);
    await alarm(page).getByText('Not saved. This browser blocks storage here').waitFor();
    await expectEventually(
      async () => (await syncText(page)).startsWith('Not saved. This browser blocks storage here'),
      true,
    );
    await alarm(page).getByRole('button', { name: 'Create an account' }).click();
    await page.locator('dialog input[name=email]').fill('private@example.org');
    await page.locator('dialog input[name=password]').fill('a long walk in the rain');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expectEventually(
      () => syncText(page),
      'Not saved. This browser blocks storage here. Everything’s synced',
    );
    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, 'private@example.org');
    await expectOutline(other.page, ['- In memory']);
    await addTasks(page, ['Sent at once']);
    await expectOutline(other.page, ['- In memory', '- Sent at once']);
  });

  test('handles that the browser lets die are opened again, as often as it takes', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      before: () => {
        const dead = new WeakSet<IDBDatabase>();
        const seen = new Set<IDBDatabase>();
        const transaction: (
          this: IDBDatabase,
          ...given: Parameters<IDBDatabase['transaction']>
        ) => IDBTransaction = Reflect.get(IDBDatabase.prototype, 'transaction');
        IDBDatabase.prototype.transaction = function open(this: IDBDatabase, ...given) {
          if (dead.has(this)) throw new DOMException('The connection was lost.', 'InvalidStateError');
          seen.add(this);
          return transaction.apply(this, given);
        };
        addEventListener('test:kill-handles', () => {
          for (const db of seen) dead.add(db);
        });
      },
    });
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    for (const title of titles) {
      await page.evaluate(() => dispatchEvent(new Event('test:kill-handles')));
      await addTasks(page, [title]);
      await expectEventually(() => syncText(page), 'Only on this device');
    }
    await page.reload();
    await ready(page);
    await expectOutline(
      page,
      titles.map((title) => `- ${title}`),
    );
  });

  test('a damaged page is put aside and its rows are read from the server again', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url, {
      // Whatever is still to be folded when the page is spoilt stays as it is.
      expected: /Folding stored rows failed/,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    await signUp(page, 'damaged@example.org');
    await page.evaluate(() =>
      navigator.clipboard.writeText(Array.from({ length: 400 }, (_, n) => `Line ${n}`).join('\n')),
    );
    await page.keyboard.press('Control+v');
    await synced(page);
    // How many pages it has spoilt that were whole. The app may still be writing them: what it writes anew is whole again.
    const spoil = () =>
      page.evaluate(async () => {
        const here = globalThis as unknown as { spoiltBytes?: Map<unknown, number> };
        const spoiltBytes = (here.spoiltBytes ??= new Map());
        const names = (await indexedDB.databases()).map(({ name = '' }) => name);
        let spoilt = 0;
        for (const name of names.filter((found) => /^posthaste-[0-9a-f]/.test(found))) {
          const db = await new Promise<IDBDatabase>((resolve) => {
            const opening = indexedDB.open(name);
            opening.addEventListener('success', () => resolve(opening.result));
          });
          // Of calendars, beside it.
          if (!db.objectStoreNames.contains('pages')) {
            db.close();
            continue;
          }
          const tx = db.transaction('pages', 'readwrite');
          const cursors = tx.objectStore('pages').openCursor();
          cursors.addEventListener('success', () => {
            const cursor = cursors.result;
            if (!cursor) return;
            const value = cursor.value as { titles?: string; sealed?: Uint8Array; count: number };
            const key = JSON.stringify(cursor.primaryKey);
            if (value.sealed !== undefined && value.count > 0) {
              // Of an encrypted account.
              const last = value.sealed.at(-1) ?? 0;
              if (last !== spoiltBytes.get(key)) {
                const sealed = value.sealed.with(-1, ~last);
                spoiltBytes.set(key, sealed.at(-1) ?? 0);
                cursor.update({ ...value, sealed });
                spoilt += 1;
              }
            } else if (value.titles?.includes('Line')) {
              cursor.update({ ...value, titles: value.titles.replaceAll('Line', 'Lime') });
              spoilt += 1;
            }
            cursor.continue();
          });
          await new Promise((resolve) => tx.addEventListener('complete', resolve));
          db.close();
        }
        return spoilt;
      });
    let spoilt = 0;
    await expectEventually(async () => {
      const more = await spoil();
      spoilt += more;
      return spoilt > 0 && more === 0;
    }, true);
    await page.reload();
    await ready(page);
    await alarm(page).getByText('was damaged').waitFor();
    await synced(page);
    await page.keyboard.press('End');
    await expectEventually(async () => (await outline(page)).at(-1), '- Line 399');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download damaged data' }).click();
    assert.equal((await download).suggestedFilename(), 'Posthaste damaged data.json');
    await page.getByRole('button', { name: 'Got it' }).click();
    await page.reload();
    await ready(page);
    await synced(page);
    assert.equal(await alarm(page).count(), 0);
  });
});
