// A new version of the app on the server: it is offered, never forced, and never takes the page in use apart.
import assert from 'node:assert/strict';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  copyOfApp,
  expectEventually,
  expectOutline,
  installed,
  lookForUpdate,
  openApp,
  ready,
  release,
  serve,
  withBrowser,
} from './harness.ts';
import { lastingPort } from '../process/lasting-port.ts';

const keptVersions = (page: Page) => page.evaluate(() => caches.keys());

/** A file of the app that is copied to devices and that a page which imports nothing never asks for. */
function nameOfImporter(names: readonly string[]): string {
  const name = names.find((each) => /^import-worker-.*\.js$/.test(each));
  assert.ok(name !== undefined, 'the importer is a file of its own');
  return name;
}

/** Runs in the page: `failedCopies` stands there as soon as an installation has failed. */
function seeFailedCopies(): void {
  // A page that was not led anywhere yet has no workers.
  if (location.protocol === 'about:') return;
  const { serviceWorker } = navigator;
  const register = serviceWorker.register.bind(serviceWorker);
  serviceWorker.register = async (...asked) => {
    const found = await register(...asked);
    const { installing } = found;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant') Object.assign(globalThis, { failedCopies: true });
    });
    return found;
  };
}

describe('updates', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('a new version waits until the person reloads into it', async (t) => {
    const folder = await copyOfApp(t);
    const server = await serve(t, folder);
    const { page } = await openApp(t, browser(), server.url);
    await installed(page);
    await addTasks(page, ['Still here after the update']);
    await release(folder, 'second');
    await lookForUpdate(page);
    const offer = page.getByRole('button', { name: 'Reload for new version' });
    await offer.waitFor();
    // Lazy parts of the page in use are still those of its own version.
    await page.keyboard.press('F1');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    const reloaded = page.waitForEvent('load');
    await offer.click();
    await reloaded;
    await ready(page);
    await expectOutline(page, ['- Still here after the update']);
    assert.equal(await offer.count(), 0);
    assert.ok((await keptVersions(page)).includes('posthaste-app-second'));
  });

  test('[INST-3] a page that an earlier version left open at /app works on, and the new one is at /app/', async (t) => {
    const folder = await copyOfApp(t);
    const server = await serve(t, folder);
    const { context, page } = await openApp(t, browser(), server.url);
    await installed(page);
    await addTasks(page, ['Written at the old address']);
    await release(folder, 'second');
    await page.evaluate(() => history.replaceState(history.state, '', '/app'));
    await lookForUpdate(page);
    const offer = page.getByRole('button', { name: 'Reload for new version' });
    await offer.waitFor();
    await context.setOffline(true);
    const reloaded = page.waitForEvent('load');
    await offer.click();
    await reloaded;
    await ready(page);
    await expectOutline(page, ['- Written at the old address']);
    assert.equal(page.url(), `${server.url}/app/`);
    assert.ok((await keptVersions(page)).includes('posthaste-app-second'));
  });

  test('a worker that the operator switched off goes with what it kept, and no task goes with it', async (t) => {
    const before = await serve(t, undefined, { PORT: String(await lastingPort()) });
    const { page } = await openApp(t, browser(), before.url);
    await installed(page);
    await addTasks(page, ['Older than the trouble']);
    await before.close();
    await serve(t, undefined, { PORT: String(before.port), APP_WORKER: 'off' });
    let loads = 0;
    page.on('load', () => (loads += 1));
    const reloaded = page.waitForEvent('load');
    // The page goes away while it asks.
    await page.evaluate(() => void navigator.serviceWorker.ready.then((found) => found.update()));
    await reloaded;
    await ready(page);
    await expectOutline(page, ['- Older than the trouble']);
    await addTasks(page, ['Written without a worker']);
    const left = () =>
      page.evaluate(async () => ({
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        caches: await caches.keys(),
        isControlled: navigator.serviceWorker.controller !== null,
      }));
    await expectEventually(left, { workers: 0, caches: [], isControlled: false });
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Older than the trouble', '- Written without a worker']);
    await expectEventually(left, { workers: 0, caches: [], isControlled: false });
    assert.equal(loads, 2, 'only the first page was reloaded by the worker');
  });

  test('[INST-5] a copy that failed for one file is made again while the page stays open', async (t) => {
    const folder = await copyOfApp(t);
    const asset = join(folder, 'assets', nameOfImporter(await readdir(join(folder, 'assets'))));
    await rename(asset, `${asset}.away`);
    const server = await serve(t, folder);
    const { page } = await openApp(t, browser(), server.url, { before: seeFailedCopies });
    await addTasks(page, ['Typed before the copy']);
    await page.waitForFunction(() => 'failedCopies' in globalThis);
    await rename(`${asset}.away`, asset);
    await installed(page);
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    await expectOutline(page, ['- Typed before the copy']);
  });

  test('[INST-6] a page that the worker did not take over when it began is taken over all the same', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await installed(page);
    const devtools = await page.context().newCDPSession(page);
    // Past the worker, as a page is that was under way while the worker took over the others.
    const loaded = page.waitForEvent('load');
    await devtools.send('Page.reload', { ignoreCache: true });
    await loaded;
    await ready(page);
    await installed(page);
  });

  test('versions before the last one are let go', async (t) => {
    const folder = await copyOfApp(t);
    const server = await serve(t, folder);
    const { page } = await openApp(t, browser(), server.url);
    await installed(page);
    for (const version of ['second', 'third']) {
      await release(folder, version);
      await lookForUpdate(page);
      const reloaded = page.waitForEvent('load');
      await page.getByRole('button', { name: 'Reload for new version' }).click();
      await reloaded;
      await ready(page);
    }
    await expectEventually(
      async () => (await keptVersions(page)).toSorted(),
      ['posthaste-app-second', 'posthaste-app-third'],
    );
  });
});
