// The page of a public list when things go wrong: what a visitor has written or done when its task goes, permissions change, the server
// cannot be reached, or the link ends.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { Owner } from './list-owner.ts';
import { withSite } from './site-world.ts';

const titles = (page: Page) => page.locator('#tasks .title').allInnerTexts();
const status = (page: Page) => page.locator('#status').innerText();
const said = (page: Page) => page.locator('#said').textContent();
const unsaved = (page: Page) =>
  page
    .locator('.unsaved textarea')
    .evaluateAll((all) => all.map((each) => (each as HTMLTextAreaElement).value));
/** The row that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.task')?.querySelector('.title')?.textContent ?? null);

describe('the page of a public list in trouble', () => {
  const site = withSite();
  let people = 0;

  async function open(t: TestContext, names: readonly string[]) {
    const owner = new Owner(site());
    await owner.come(`person${(people += 1)}@example.org`, 'Trip');
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await owner.task(name));
    const link = await owner.publish();
    const page = await site().visit(t, link.path);
    await page.locator('button.box').first().waitFor();
    const go = (name: string) => page.locator('.task', { hasText: name }).focus();
    return { owner, ids, link, page, go };
  }

  test('[PUBLIC-113] keeps what was written when its task goes, when it is not permitted anymore, and when the link ends', async (t) => {
    const { owner, ids, link, page, go } = await open(t, ['Train', 'Tent', 'Map']);
    await go('Train');
    await page.keyboard.press('e');
    await page.keyboard.type(' at nine');
    await owner.act({ a: 'delete', id: ids.get('Train') });
    await expectEventually(() => unsaved(page), ['Train at nine']);
    assert.deepEqual(await titles(page), ['Tent', 'Map']);
    assert.equal(await focused(page), 'Tent');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await focused(page), 'Tent', 'the way on is not lost');

    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('Pegs');
    await owner.act({ a: 'delete', id: ids.get('Tent') });
    await expectEventually(() => unsaved(page), ['Pegs']);
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await go('Map');
    await page.keyboard.press('e');
    await page.keyboard.type(' of the city');
    await owner.links(`POST /${link.id}`, { may: { titles: false } });
    await page.locator('#about').getByText('edit titles').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await expectEventually(() => unsaved(page), ['Map of the city']);
    assert.match(await page.locator('.unsaved').innerText(), /doesn't allow that anymore/);
    await expectEventually(() => titles(page), ['Map']);
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await go('Map');
    await page.keyboard.press('n');
    await page.keyboard.type('North is up');
    await owner.links(`DELETE /${link.id}`);
    await page.getByText('This link was deleted.').waitFor();
    assert.deepEqual(await unsaved(page), ['North is up']);
    assert.equal(await page.getByText('Map').count(), 0);
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog').count(), 0);
  });

  test('[PUBLIC-131] what was refused is gone from the list and its count at once, and stays on the page as text', async (t) => {
    const { page, go } = await open(t, ['Train', 'Tent']);
    const refusal = { code: 'payment_required', message: 'Nothing new can be added here.' };
    await page.route('**/changes', (route) => route.fulfill({ status: 402, json: refusal }));
    // What the list is then isn't known: nothing more can be read.
    await page.route('**/tasks', (route) => route.abort('connectionrefused'));
    await go('Tent');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Rope');
    await page.keyboard.press('Escape');
    await expectEventually(() => unsaved(page), ['Rope']);
    assert.deepEqual(await titles(page), ['Train', 'Tent']);
    assert.equal(await page.locator('#count').innerText(), '0 of 2 done');
  });

  test('[PUBLIC-130] a new task is followed by the next, until one is left empty', async (t) => {
    const { page, go } = await open(t, ['Train', 'Tent']);
    await go('Train');
    await page.keyboard.press('Control+Enter');
    for (const title of ['Bread', 'Eggs']) {
      await page.keyboard.type(title);
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('textarea').inputValue(), '');
    }
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('textarea').count(), 0);
    assert.deepEqual(await titles(page), ['Train', 'Bread', 'Eggs', 'Tent']);
    assert.equal(await focused(page), 'Eggs');
  });

  test('[PUBLIC-114] shows what was done until it is saved, whatever comes in meanwhile', async (t) => {
    const { owner, link, page, go } = await open(t, ['Train', 'Tent']);
    let isCut = true;
    await page.route('**/changes', (route) => (isCut ? route.abort('connectionrefused') : route.continue()));
    await go('Tent');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Rope');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Pegs');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await page.keyboard.press('n');
    await page.keyboard.type('Twelve');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('Hammer');
    await page.keyboard.press('Escape');
    const all = ['Train', 'Tent', 'Rope', 'Pegs', 'Hammer'];
    assert.deepEqual(await titles(page), all);
    await expectEventually(async () => /6 changes wait in this page only/.test(await status(page)), true);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const other = await site().visit(t, link.path);
    await other.locator('button.box').first().waitFor();
    await owner.task('Lamp');
    // Told to everybody, and shown here when what was added here has its place.
    await expectEventually(async () => (await titles(other)).includes('Lamp'), true);
    assert.deepEqual(await titles(page), all);
    const done = () => page.locator('.task.done .title').allInnerTexts();
    assert.deepEqual(await done(), ['Tent', 'Pegs']);
    isCut = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expectEventually(() => status(page), '');
    await expectEventually(() => titles(page), [...all, 'Lamp']);
    assert.deepEqual(await done(), ['Tent', 'Pegs']);
    assert.deepEqual(await unsaved(page), []);
    await page.reload();
    await page.locator('button.box').first().waitFor();
    await expectEventually(() => titles(page), [...all, 'Lamp']);
    assert.deepEqual(await done(), ['Tent', 'Pegs']);
    assert.equal(await page.locator('.task[aria-level="2"] .title').innerText(), 'Hammer');
  });

  test('[PUBLIC-115] a click while a title is written goes where it was meant to go', async (t) => {
    const { page, go } = await open(t, ['Train', 'Tent']);
    await go('Tent');
    await page.keyboard.press('e');
    await page.keyboard.type(' red');
    await page.getByLabel('Your name').click();
    await page.keyboard.type('Jen');
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Jen');
    assert.deepEqual(await titles(page), ['Train', 'Tent red']);
  });

  test('[PUBLIC-113] a task that moves while its title is written stays open', async (t) => {
    const { owner, ids, page, go } = await open(t, ['Train', 'Tent', 'Map']);
    await go('Map');
    await page.keyboard.press('e');
    await page.keyboard.type(' of');
    await owner.act({ a: 'place', id: ids.get('Map'), place: { parent: owner.list, at: 'start' } });
    await expectEventually(
      () => page.locator('#tasks .task').first().locator('textarea').inputValue(),
      'Map of',
    );
    await page.keyboard.type(' the city');
    await page.keyboard.press('Escape');
    await expectEventually(() => titles(page), ['Map of the city', 'Train', 'Tent']);
  });

  test('[PUBLIC-115] says each change, and leaves the focus where it can go on', async (t) => {
    const { owner, ids, page, go } = await open(t, ['Train https://example.org/timetable', 'Tent', 'Map']);
    await go('Tent');
    await page.keyboard.press('Space');
    assert.equal(await said(page), 'Completed “Tent”');
    await page.keyboard.press('Space');
    assert.equal(await said(page), 'Reopened “Tent”');
    await page.keyboard.press('n');
    await page.keyboard.type('Green');
    const sent = page.waitForResponse((answer) => answer.request().postData()?.includes('Green') === true);
    await page.keyboard.press('Escape');
    assert.equal(await said(page), 'Changed the notes of “Tent”');
    assert.equal(await focused(page), 'Tent');
    // What has not arrived when its task goes stays on the page as text.
    await sent;
    await owner.act({ a: 'delete', id: ids.get('Tent') });
    await expectEventually(() => focused(page), 'Map');
    // A link in a row has the key that follows it.
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .context()
        .route('https://example.org/**', (route) => route.fulfill({ body: 'trains' }))
        .then(() => page.locator('.title a').focus())
        .then(() => page.keyboard.press('Enter')),
    ]);
    assert.equal(await other.evaluate(() => globalThis.opener as unknown), null);
    assert.equal(await page.locator('textarea').count(), 0);
    await page.locator('.task').first().focus();
    for (const key of ['?', '?']) await page.keyboard.press(key);
    assert.equal(await page.locator('dialog').count(), 1);
    await page.keyboard.press('Escape');
    assert.equal(await focused(page), 'Train https://example.org/timetable');
  });
});
