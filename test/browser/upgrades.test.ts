// Browsers with what an earlier version left in them, opened by today's app: all of it is there and on its way.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';
import { must } from '#core/assert.ts';
import { type DataFixture, dataFixtures, readProfile, upgradeServer } from '../upgrades/fixtures.ts';
import { putDatabase } from '../upgrades/profile-text.ts';
import type { ProfileText } from '../upgrades/story.ts';
import {
  addTasks,
  atExchanges,
  command,
  copyOfApp,
  endWith,
  expectEventually,
  installed,
  lookForUpdate,
  openApp,
  outline,
  passOn,
  ready,
  release,
  serve,
  signUp,
  signUpPlain,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { protocolVersion } from '#wire/version.ts';
import { writeNewer } from '../newer-program.ts';

const APP_FOLDER = join(import.meta.dirname, '../../dist/app');

const HALF_DAY_MS = 43_200_000;

/** The request as a page of the protocol before sends it. */
function asBefore(request: Request): { readonly postData: string; readonly headers: Record<string, string> } {
  const { 'content-encoding': encoding, ...headers } = request.headers();
  const body = must(request.postDataBuffer(), 'a request for news has a body');
  const text = (encoding === 'gzip' ? gunzipSync(body) : body).toString();
  return { postData: JSON.stringify({ ...JSON.parse(text), schema: protocolVersion - 1 }), headers };
}

/** The page's clock goes as many milliseconds behind. Runs in the page. */
function putBack(behindMs: number): void {
  const now = Date.now.bind(Date);
  globalThis.Date = new Proxy(Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now() - behindMs] : args),
    get: (target, name) => (name === 'now' ? () => now() - behindMs : Reflect.get(target, name)),
  });
}

/** A browser that holds the profile half a day after it was made, with the app open on a server that holds the account. */
async function openProfile(t: TestContext, browser: Browser, fixture: DataFixture, profile: ProfileText) {
  const upgraded = await upgradeServer(fixture, { appFolder: APP_FOLDER });
  const { server, world } = upgraded;
  endWith(t, () => upgraded.close());
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en-GB' });
  endWith(t, () => context.close(), true);
  const [name = '', value = ''] = world.accounts[0]?.sessions[1]?.split('=') ?? [];
  await context.addCookies([{ name, value, url: server.url }]);
  // As late as it is for the server: what happens by itself after some days has not happened.
  await context.addInitScript(putBack, Date.now() - (world.madeAt + HALF_DAY_MS));
  const page = await context.newPage();
  // A page of the same origin that runs nothing.
  await page.route('**/empty', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Empty</title>' }),
  );
  await page.goto(`${server.url}/empty`);
  await page.evaluate(putDatabase, profile.database);
  await page.evaluate((entries) => {
    for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text);
  }, profile.localStorage);
  await page.goto(`${server.url}/app/`);
  await ready(page);
  return { page, server };
}

const titlesOf = (lines: readonly string[]) => lines.map((line) => line.replace(/^ *[-x] /, '')).toSorted();

/** Titles of what a list shows: all that hangs below it and is not in the trash. */
function titlesIn({ rows }: ProfileText, name: string): readonly string[] {
  const list = must(
    rows.find((held) => fieldOf(held, 'name') === name),
    'the fixture has this list',
  );
  const below = (parent: string): readonly string[] =>
    rows
      .filter((held) => held.type === 'task' && held.fields.place.parent === parent)
      .filter((held) => (fieldOf(held, 'del') ?? null) === null)
      .flatMap((held) => [String(fieldOf(held, 'title')), ...below(held.id)]);
  return below(list.id).toSorted();
}

/** How it stands, whatever the number. */
const countedOut = async (page: Page) => (await syncText(page)).replace(/\d+/, 'n');

async function showList(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(name);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: name }).waitFor();
  await page.keyboard.press('Enter');
}

describe('profiles of earlier versions', () => {
  const browser = withBrowser({ hasWorkers: true });

  // The first and last of each layout; test/upgrades takes all of them, outside of a browser.
  const chosen = dataFixtures.filter(({ layout, schema }) => {
    const schemas = dataFixtures.filter((each) => each.layout === layout).map((each) => each.schema);
    return schema === Math.min(...schemas) || schema === Math.max(...schemas);
  });
  for (const fixture of chosen) {
    test(`${fixture.name}: an account’s queue is sent, its rows and refused changes are there`, async (t) => {
      const profile = readProfile(fixture, 'account');
      const { page, server } = await openProfile(t, browser(), fixture, profile);
      await showList(page, 'Garden');
      await expectEventually(async () => titlesOf(await outline(page)), titlesIn(profile, 'Garden'));
      await synced(page);
      const scope = must(profile.rows[0], 'the fixture has rows').scope;
      const isSent = async () => {
        const rows = await server.database.store.snapshot(scope, null, 10_000);
        return rows.some((held) => fieldOf(held, 'title') === 'Made offline on the laptop');
      };
      await expectEventually(isSent, true);
      assert.equal(await page.locator('html').getAttribute('data-ph-theme'), 'dark');
      await command(page, 'Show recovered changes');
      await page.locator('dialog').waitFor();
      await expectEventually(() => page.locator('dialog li').count(), profile.recovered.length);
    });

    test(`${fixture.name}: a copy without an account is whole`, async (t) => {
      const profile = readProfile(fixture, 'local');
      const { page } = await openProfile(t, browser(), fixture, profile);
      await expectEventually(() => syncText(page), 'Only on this device');
      await expectEventually(() => outline(page), ['- Came last']);
      await showList(page, 'Garden');
      const expected = titlesIn(profile, 'Garden');
      assert.ok(expected.length > 200);
      await expectEventually(async () => (await outline(page)).length > 10, true);
      await page.keyboard.press('Control+a');
      await page.getByText(`${expected.length} selected`, { exact: true }).waitFor();
    });
  }
});

describe('a new version while changes wait', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('the queue outlives the exchange of the app', async (t) => {
    const folder = await copyOfApp(t);
    const server = await serve(t, folder);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUp(page, 'waiting@example.org');
    await installed(page);
    const exchange = await atExchanges(context, (route) => route.abort());
    await addTasks(page, ['Waits through the update']);
    await expectEventually(() => syncText(page), 'Offline · 2 changes waiting');
    await release(folder, 'second');
    await lookForUpdate(page);
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload for new version' }).click();
    await reloaded;
    await ready(page);
    await expectEventually(() => outline(page), ['- Waits through the update']);
    exchange(passOn);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await synced(page);
  });

  test('[SYNC-70] [SYNC-74] a page of the version before with fifty changes meets rows that it does not know: all arrive', async (t) => {
    const folder = await copyOfApp(t);
    const server = await serve(t, folder);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUpPlain(page, 'before@example.org');
    await installed(page);
    await synced(page);
    const { store, db } = server.database;
    const { id: scope } = await db.selectFrom('scope').select('id').executeTakeFirstOrThrow();
    const exchange = await atExchanges(context, (route) => route.abort());
    const titles = Array.from({ length: 50 }, (_, n) => `Waits ${n + 1}`);
    await addTasks(page, titles);
    await expectEventually(() => countedOut(page), 'Offline · n changes waiting');
    const newer = await writeNewer(store, scope, protocolVersion);
    exchange((route) => route.continue(asBefore(route.request())));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expectEventually(() => countedOut(page), 'Reload to update this app · n changes kept here');
    const isHere = async () => {
      const rows = await store.snapshot(scope, null, 10_000);
      return titles.filter((title) => rows.some((held) => fieldOf(held, 'title') === title)).length;
    };
    assert.equal(await isHere(), 0, 'nothing is judged before the update');
    await release(folder, 'second');
    exchange(passOn);
    const reloaded = page.waitForEvent('load');
    await page.locator('[data-ph=sync]').click();
    await reloaded;
    await ready(page);
    await synced(page);
    assert.equal(await isHere(), titles.length);
    await page.keyboard.press('Control+a');
    await page.getByText(`${titles.length} selected`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const rows = await store.snapshot(scope, null, 10_000);
    assert.deepEqual(
      rows.find(({ id }) => id === newer.id),
      newer,
    );
    // The page has the server's sum although it does not know the row.
    await addTasks(page, ['Afterwards']);
    await synced(page);
    await page.locator('[data-ph=sync]').click();
    await page.locator('dialog').getByText('This copy matches the server’s').waitFor();
  });

  test('a server that is older is named, everything stays, and goes when it has been updated', async (t) => {
    const server = await serve(t);
    const { context, page } = await openApp(t, browser(), server.url);
    await signUp(page, 'ahead@example.org');
    const body = JSON.stringify({ success: false, code: 'too_new', message: 'This server is older.' });
    const exchange = await atExchanges(context, (route) =>
      route.fulfill({ status: 426, contentType: 'application/json', body }),
    );
    await addTasks(page, ['Ahead of its time']);
    await expectEventually(() => syncText(page), 'The server is older than this app · 2 changes kept here');
    await page.reload();
    await ready(page);
    await expectEventually(() => outline(page), ['- Ahead of its time']);
    exchange(passOn);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await synced(page);
  });
});
