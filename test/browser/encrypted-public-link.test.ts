// A public link of an encrypted list, from end to end: Ann makes it by the dialog, Ben is in the list as well, and a visitor without an account works in it by
// the whole address. The server has no word of the list, and half of the address opens nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  endWith,
  expectEventually,
  expectOutline,
  openApp,
  outline,
  ready,
  serve,
  signUpPlain,
  synced,
  turnOnEncryption,
  withBrowser,
} from './harness.ts';

const PATIENT_MS = 90_000;

const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page) => page.locator('h1').innerText();
const titles = (page: Page) => page.locator('#tasks .title').allInnerTexts();
const address = (page: Page) => page.locator('[data-ph=public-address]');

async function newList(page: Page, name: string, tasks: readonly string[]): Promise<void> {
  await command(page, 'New list…');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expectEventually(() => heading(page), name);
  await addTasks(page, [...tasks]);
  await synced(page, PATIENT_MS);
}

describe('a public link of an encrypted list', () => {
  const browser = withBrowser();

  test('[SEAL-370] is made by the dialog, opened and worked in by the whole address alone, and ends with the key of the list', async (t) => {
    const server = await serve(t);
    const expected = /40[13]/;
    const { db } = server.database;
    const kept = async () =>
      JSON.stringify([
        await db.selectFrom('entity').select('fields').execute(),
        await db.selectFrom('public_link').select(['name', 'keys']).execute(),
      ]);
    const { page: ann } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(ann, 'ann@example.org');
    await db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await newList(ann, 'Canary trip', ['canary of a train', 'canary of a bag']);
    await turnOnEncryption(ann, { look: () => loadAxe(ann), withinMs: PATIENT_MS });
    await synced(ann, PATIENT_MS);
    await ann.keyboard.press('Control+s');
    await answer(ann, 'Keep this list encrypted');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const invitation = await ann.locator('[data-ph=invite-link]').innerText();
    await ann.keyboard.press('Escape');

    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(ben, 'ben@example.org');
    await synced(ben, PATIENT_MS);
    await turnOnEncryption(ben, { look: () => Promise.resolve(), withinMs: PATIENT_MS });
    await ben.goto(invitation);
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(ben);
    await answer(ben, 'Join list');
    await expectEventually(() => heading(ben), 'Canary trip', PATIENT_MS);

    await command(ann, 'Create public link');
    await ann.getByText('The key of the list is in the address').waitFor({ timeout: PATIENT_MS });
    assert.deepEqual(await violations(ann), []);
    await ann.keyboard.press('Enter');
    await address(ann).waitFor({ timeout: PATIENT_MS });
    const whole = await address(ann).innerText();
    assert.match(whole, /\/p\/[\w-]{43}#k=[\w-]{43}$/);
    for (const key of ['1', '2', '3', '4']) {
      await ann.keyboard.press(key);
      await expectEventually(
        () => ann.locator('[data-ph=public-links] [aria-pressed=true]').count(),
        Number(key),
      );
    }
    assert.equal(await ann.getByRole('button', { name: 'Public name' }).count(), 0);
    assert.deepEqual(await violations(ann), []);
    await ann.keyboard.press('Escape');
    await ann.keyboard.press('Escape');
    // Ben copies the same address.
    await command(ben, 'Public links of this list');
    await ben.locator('[data-ph=public-link]').press('Enter', { timeout: PATIENT_MS });
    await expectEventually(() => address(ben).innerText(), whole, PATIENT_MS);
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('Escape');

    const context = await browser().newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
    endWith(t, () => context.close(), true);
    const asked: string[] = [];
    context.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    const visitor = await context.newPage();
    await visitor.goto(whole);
    await expectEventually(() => titles(visitor), ['canary of a train', 'canary of a bag']);
    assert.equal(await heading(visitor), 'Canary trip');
    await loadAxe(visitor);
    assert.deepEqual(await violations(visitor), []);
    await visitor.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(visitor), []);
    await visitor.keyboard.press('ArrowDown');
    await visitor.keyboard.press('Space');
    await visitor.keyboard.press('e');
    await visitor.keyboard.type(' today');
    await visitor.keyboard.press('Enter');
    await visitor.keyboard.press('n');
    await visitor.keyboard.type('canary of a seat');
    await visitor.keyboard.press('Escape');
    await visitor.keyboard.press('Control+Enter');
    await visitor.keyboard.type('canary of maps');
    await visitor.keyboard.press('Escape');
    const three = ['canary of a train today', 'canary of maps', 'canary of a bag'];
    await expectEventually(() => titles(visitor), three);
    await expectEventually(() => visitor.locator('#status').innerText(), '');
    const lines = ['x canary of a train today', '- canary of maps', '- canary of a bag'];
    for (const page of [ann, ben]) await expectEventually(() => outline(page), lines, PATIENT_MS);
    await addTasks(ben, ['canary of Ben']);
    await expectEventually(async () => (await titles(visitor)).includes('canary of Ben'), true, PATIENT_MS);
    await visitor.reload();
    await expectEventually(async () => (await titles(visitor)).length, 4);
    assert.equal(await visitor.locator('.notes').innerText(), 'canary of a seat');
    await synced(ann, PATIENT_MS);
    assert.doesNotMatch(await kept(), /anary/);
    const [, secret = ''] = whole.split('#k=');
    assert.ok(secret.length === 43 && !(await kept()).includes(secret));
    for (const request of asked) assert.ok(!request.includes('anary') && !request.includes(secret), request);

    // Half of the address, and another key.
    const lost = await context.newPage();
    await lost.goto(whole.replace(/#.*/, ''));
    await lost.getByRole('alert').getByText('The address is incomplete.').waitFor();
    assert.equal(await heading(lost), 'This list is encrypted');
    await loadAxe(lost);
    assert.deepEqual(await violations(lost), []);
    await lost.goto(`${whole.slice(0, -43)}${'A'.repeat(43)}`);
    await lost.getByRole('alert').getByText('doesn’t open the list').waitFor();
    // The page reads itself anew with it.
    await lost.goto(whole);
    await lost.getByText('canary of maps').waitFor();
    // A server that exchanges what it can't read.
    await lost.route('**/tasks', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { tasks: { title: unknown }[] };
      const [one, other] = body.tasks;
      if (one && other) [one.title, other.title] = [other.title, one.title];
      await route.fulfill({ response, json: body });
    });
    await lost.reload();
    await lost.getByText('Locked').first().waitFor();
    assert.equal((await titles(lost)).filter((title) => title === 'Locked').length, 2);
    await lost.locator('.task', { hasText: 'Locked' }).first().click();
    await lost.keyboard.press('e');
    await lost.locator('#said', { hasText: 'This task is locked' }).waitFor({ state: 'attached' });
    assert.equal(await lost.locator('#tasks textarea, #tasks input').count(), 0);
    await loadAxe(lost);
    assert.deepEqual(await violations(lost), []);
    await lost.close();

    // A new key ends it, also where it is open.
    await ann.keyboard.press('Control+s');
    await ann.locator('[data-ph=person-keys]').waitFor({ timeout: PATIENT_MS });
    await ann.getByRole('button', { name: /^Remove/ }).click();
    await ann.getByText('That ends its invitation link and 1 public link').waitFor();
    await ann.getByRole('button', { name: /^Remove/ }).click();
    await ann.getByText('They keep what they have already read.').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('Escape');
    await visitor.getByRole('alert').waitFor({ timeout: PATIENT_MS });
    assert.match(
      await visitor.getByRole('alert').innerText(),
      /The list has a new key since this link was made/,
    );
    assert.deepEqual(await titles(visitor), []);
    await command(ann, 'Public links of this list');
    const ended = ann.locator('[data-ph=public-link]');
    await ended.waitFor({ timeout: PATIENT_MS });
    assert.match(await ended.innerText(), /Ended\n.*opens nothing anymore/);
    await ended.press('Enter');
    await ann.getByText('this link opens nothing anymore').waitFor({ timeout: PATIENT_MS });
    await visitor.reload();
    await visitor.getByRole('heading', { name: 'This link has ended' }).waitFor();
  });

  test('[SEAL-371] the dialog offers to keep a list encrypted that nobody shares, and its link has the key', async (t) => {
    const server = await serve(t);
    const { db } = server.database;
    const kept = async () => JSON.stringify(await db.selectFrom('entity').select('fields').execute());
    const { page: ann } = await openApp(t, browser(), server.url, { expected: /40[13]/ });
    await signUpPlain(ann, 'ann@example.org');
    await db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await newList(ann, 'Canary trip', ['canary of a train', 'canary of a bag']);
    await turnOnEncryption(ann, { look: () => loadAxe(ann), withinMs: PATIENT_MS });
    await synced(ann, PATIENT_MS);
    await command(ann, 'Create public link');
    await ann.getByText('Or keep the list encrypted').waitFor({ timeout: PATIENT_MS });
    assert.deepEqual(await violations(ann), []);
    await answer(ann, 'Keep this list encrypted');
    await address(ann).waitFor({ timeout: PATIENT_MS });
    const whole = await address(ann).innerText();
    assert.match(whole, /#k=[\w-]{43}$/);
    const context = await browser().newContext({ locale: 'en-GB' });
    endWith(t, () => context.close(), true);
    const visitor = await context.newPage();
    await visitor.goto(whole);
    await expectEventually(() => titles(visitor), ['canary of a train', 'canary of a bag']);
    await ann.keyboard.press('Escape');
    await ann.keyboard.press('Escape');
    await expectOutline(ann, ['- canary of a train', '- canary of a bag']);
    assert.doesNotMatch(await kept(), /anary/);
  });
});
