// The first synchronisation of a large account: usable from the first page on, and going on after a reload in the middle.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { signedInSchema } from '#wire/account.ts';
import { protocolVersion } from '#wire/version.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  outline,
  PASSWORD,
  ready,
  serveApart,
  signIn,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

const TASKS = 20_000;
const PUSH = 1_000;
const SYNC_MS = 60_000;
/** Pages of the first synchronisation before the network stops. */
const LET_THROUGH = 5;
const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length))),
});

/** An account with many tasks, half of them done long ago, a few of the open ones in the Inbox. */
async function accountWithTasks(url: string, email: string): Promise<void> {
  const headers = { origin: url, 'content-type': 'application/json' };
  const signedUp = await fetch(`${url}/app/api/sign_up`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { personalScope } = signedInSchema.parse(await signedUp.json());
  const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const scope = personalScope as Id;
  const archive = newId();
  const place = { parent: listsRoot(scope), at: 'end' };
  const actions: object[] = [
    { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' }, place },
    { a: 'create', id: archive, type: 'list', fields: { listType: 'list', name: 'Archive' }, place },
  ];
  for (let at = 0; at < TASKS; at += 1) {
    const parent = at < 10 ? inboxId(scope) : archive;
    const fields = {
      title: `Task ${at}`,
      ...(at % 2 === 0 ? {} : { status: { done: 1_000, cleared: 1_000 } }),
    };
    actions.push({ a: 'create', id: newId(), type: 'task', fields, place: { parent, at: 'end' } });
  }
  const device = newId();
  for (let start = 0; start < actions.length; start += PUSH) {
    const ops = actions
      .slice(start, start + PUSH)
      .map((action, at) => ({ ...action, q: start + at + 1, u: newId(), scope, t: Date.now(), b: 0 }));
    const body = {
      schema: protocolVersion,
      device,
      clientNow: Date.now(),
      ops,
      ack: 0,
      cursors: {},
      maxRows: 1,
    };
    const pushed = await fetch(`${url}/sync/v1`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
    assert.equal(pushed.status, 200);
  }
}

/** Rows read so far, as the status bar says it; null when it says something else. */
async function readSoFar(page: Page): Promise<number | null> {
  const match = /Loading ([\d,]+) of ([\d,]+)/.exec(await syncText(page));
  return match ? Number(match[1]?.replaceAll(',', '')) : null;
}

describe('first synchronisation', () => {
  const browser = withBrowser();

  test('shows what is open first, takes keys, and goes on after a reload in the middle', async (t) => {
    const server = await serveApart(t);
    await accountWithTasks(server.url, 'large@example.org');
    const { page, context } = await openApp(t, browser(), server.url);
    const places: string[] = [];
    let isOpen = false;
    // After a few pages the network lets no further one through until the reload.
    await context.route('**/snapshot/v1/**', async (route) => {
      places.push(new URL(route.request().url()).searchParams.get('after') ?? 'first');
      if (isOpen || places.length <= LET_THROUGH) await route.continue();
    });
    await command(page, 'Sign in');
    await page.locator('dialog input[name=email]').waitFor();
    await page.keyboard.type('large@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expectEventually(async () => ((await readSoFar(page)) ?? 0) > 2_000, true, SYNC_MS);
    await expectEventually(async () => (await outline(page))[0], '- Task 0');
    await addTasks(page, ['Added meanwhile']);
    await expectEventually(async () => ((await readSoFar(page)) ?? 0) > 2_000, true, SYNC_MS);
    const isAddedShown = async () => (await outline(page)).includes('- Added meanwhile');
    await expectEventually(isAddedShown, true);
    // None comes after the last that the network let through.
    await expectEventually(async () => places.length > LET_THROUGH, true, SYNC_MS);

    // Once while pages may still be on their way to the disk, and once when all are there.
    let held: number | null = null;
    for (const isSettled of [false, true]) {
      const before = places.length;
      await page.reload();
      await ready(page);
      await expectEventually(async () => places.length > before, true, SYNC_MS);
      assert.notEqual(places[before], 'first', 'it goes on where it was');
      await expectEventually(isAddedShown, true);
      await expectEventually(async () => (await readSoFar(page)) !== null, true, SYNC_MS);
      if (isSettled) await expectEventually(() => readSoFar(page), held, SYNC_MS);
      held = await readSoFar(page);
    }
    isOpen = true;
    await page.reload();
    await ready(page);
    await synced(page, SYNC_MS);
    assert.equal(places.filter((place) => place === 'first').length, 1, 'it never began again');

    const other = await openApp(t, browser(), server.url);
    await signIn(other.page, 'large@example.org', SYNC_MS);
    await expectEventually(() => outline(other.page), await outline(page));
  });
});
