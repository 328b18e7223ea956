// How the page of a public list begins: it is seen before its script is asked for, keys and taps that come too early are made again, nothing
// moves, and a long list is there for keys before it is whole.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { shiftsOf, watchShifts } from './layout-shifts.ts';
import { Owner } from './list-owner.ts';
import { withSite } from './site-world.ts';

const PAGE_SCRIPT = '**/assets/public-list-*.js';
const NOTE_SCRIPT = '**/assets/drawn-note-*.js';

/** Rows out of sight have no text that is seen. Where nothing can be pressed, a title says itself that it is done. */
const textsOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((text) => text.replace(/^Done: /, ''));
const titles = (page: Page) => textsOf(page, '#tasks .title');
const done = (page: Page) => textsOf(page, '#tasks .done .title');
const saved = (page: Page) => expectEventually(() => page.locator('#status').innerText(), '');

/** Holds what is asked for there until it is let through. */
async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describe('the page of a public list, at its beginning', () => {
  const site = withSite();
  let people = 0;

  async function publish(names: readonly string[], fields: Record<string, unknown> = {}) {
    const owner = new Owner(site());
    await owner.come(`person${(people += 1)}@example.org`, 'Trip');
    for (const name of names) await owner.task(name, fields);
    const { path } = await owner.publish();
    return { owner, path };
  }

  const open = (t: TestContext, viewport = { width: 390, height: 844 }) =>
    site().visit(t, '', { baseURL: site().url, viewport });

  /** The page without its script, which has been asked for and waits. */
  async function openHeld(t: TestContext, path: string, addresses = PAGE_SCRIPT) {
    const page = await open(t);
    const arrive = await hold(page, addresses);
    const asked = page.waitForRequest(addresses);
    await page.goto(path);
    await asked;
    return { page, arrive };
  }

  test('[PUBLIC-112] is seen before its script is asked for, and asks for nothing else but typeface and icon', async (t) => {
    const { path } = await publish(['Train']);
    const page = await open(t);
    await page.goto(path);
    await page.locator('button.box').waitFor();
    const asked = await page.evaluate(() => {
      const [painted] = performance.getEntriesByName('first-contentful-paint');
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => !name.endsWith('icon.svg') && startTime < (painted?.startTime ?? 0))
        .map(({ name }) => name.slice(name.lastIndexOf('/') + 1).replace(/-.*\./, '.'));
    });
    assert.deepEqual(asked, ['geist.woff2']);
  });

  test('[PUBLIC-116] keys that come before the script, and before the list has been read, are made again', async (t) => {
    const { path } = await publish(['Train', 'Tent', 'Map']);
    for (const addresses of [PAGE_SCRIPT, '**/p/*/tasks']) {
      const { page, arrive } = await openHeld(t, path, addresses);
      const before = await titles(page);
      for (const key of ['ArrowDown', 'ArrowDown', 'Space', 'e', 'End']) await page.keyboard.press(key);
      await page.keyboard.type(' redd');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type('Rope');
      await page.keyboard.press('Escape');
      assert.deepEqual(await titles(page), before);
      arrive();
      const renamed = before.map((title, at) => (at === 1 ? `${title} red` : title));
      await expectEventually(() => titles(page), renamed.toSpliced(2, 0, 'Rope'));
      // What comes now is answered at once.
      await page.keyboard.press('Space');
      await expectEventually(async () => (await done(page)).includes('Rope'), true);
      await saved(page);
    }
    const page = await site().visit(t, path);
    assert.deepEqual(await titles(page), ['Train', 'Tent red red', 'Rope', 'Rope', 'Map']);
  });

  test('[PUBLIC-116] the keys are shown for a key that came too early, and go by one', async (t) => {
    const { path } = await publish(['Train']);
    const { page, arrive } = await openHeld(t, path);
    await page.keyboard.press('?');
    arrive();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.reload();
    for (const key of ['?', 'Escape', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    await expectEventually(() => done(page), ['Train']);
    assert.equal(await page.locator('dialog').count(), 0);
    await saved(page);
  });

  test('[PUBLIC-116] a tap on a box that comes too early completes its task', async (t) => {
    const { path } = await publish(['Train', 'Tent']);
    const { page, arrive } = await openHeld(t, path);
    await page.locator('.box').nth(1).click();
    arrive();
    await expectEventually(() => done(page), ['Tent']);
    await saved(page);
  });

  test('[PUBLIC-116] what the page would not answer is left to the browser, and everything when no script comes', async (t) => {
    const { path } = await publish(['Train']);
    const { page, arrive } = await openHeld(t, path);
    /** Whether the browser does what it does with a key. */
    const isLeft = (key: string) =>
      page.evaluate(
        (name) =>
          document.body.dispatchEvent(
            new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
          ),
        key,
      );
    for (const key of [' ', 'PageDown', 'Tab', 'Enter', 'x']) assert.equal(await isLeft(key), true, key);
    assert.equal(await isLeft('ArrowDown'), false);
    arrive();
    await page.locator('button.box').waitFor();

    const without = await open(t);
    await without.route(PAGE_SCRIPT, (route: Route) => route.abort('connectionreset'));
    const failed = without.waitForEvent('requestfailed');
    await without.goto(path);
    await failed;
    await expectEventually(
      () =>
        without.evaluate(() =>
          document.body.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
          ),
        ),
      true,
    );
    // A key is a reason to ask for it again, unless it is being asked for.
    await without.unroute(PAGE_SCRIPT);
    await expectEventually(async () => {
      await without.keyboard.press('ArrowDown');
      return without.locator('html[data-script=whole]').count();
    }, 1);
  });

  test('[PUBLIC-117] what the server has read of notes stands until it can be read here', async (t) => {
    const { owner, path } = await publish(['Train', 'Tent'], {
      notes: '# Plan\n**two** seats\n- [x] window\n- aisle',
    });
    const page = await open(t);
    const arrive = await hold(page, NOTE_SCRIPT);
    await page.goto(path);
    await page.locator('button.box').nth(1).waitFor();
    const read = (at: number) => page.locator('.notes').nth(at).locator('h2, strong, li').count();
    assert.deepEqual([await read(0), await read(1)], [4, 4]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectEventually(async () => (await done(page)).length, 1);
    assert.equal(await read(0), 4, 'its notes are the same');
    await saved(page);
    await owner.task('Lamp', { notes: '**new**' });
    await page.getByText('**new**').waitFor();
    arrive();
    await page.locator('.notes strong', { hasText: 'new' }).waitFor();
    assert.deepEqual([await read(0), await read(1)], [4, 4]);
  });

  test('[PUBLIC-117] nothing moves when the script takes over', async (t) => {
    const { path } = await publish(['Train', 'Tent'], {
      notes: '# Plan\n**two** seats\n- [x] window\n- aisle',
    });
    for (const width of [390, 1_350]) {
      const page = await open(t, { width, height: 1_200 });
      await page.addInitScript(watchShifts);
      const read = page.waitForResponse(NOTE_SCRIPT);
      await page.goto(path);
      await page.locator('button.box').nth(1).waitFor();
      await read;
      await drawn(page);
      assert.deepEqual(await shiftsOf(page), []);
    }
  });

  /** As far as it has been drawn: two pictures later what came is. */
  const drawn = (page: Page) =>
    page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));

  test('[PUBLIC-119] what a visitor adds with is there before the script, and moves nothing', async (t) => {
    const { owner, path } = await publish(Array.from({ length: 12 }, (_, at) => `Task ${at}`));
    const { path: looking } = await owner.publish({});
    const seen: unknown[][] = [];
    for (const width of [390, 1_350])
      for (const height of [560, 640, 680, 720, 760, 800]) {
        const page = await open(t, { width, height });
        await page.addInitScript(watchShifts);
        const arrive = await hold(page, PAGE_SCRIPT);
        await page.goto(path);
        await drawn(page);
        const early = await page.getByRole('button', { name: 'Add something' }).count();
        arrive();
        await page.locator('button.box').first().waitFor();
        await drawn(page);
        const shifts = await shiftsOf(page);
        seen.push([early, ...shifts.map((shift) => `${width} × ${height}: ${shift}`)]);
        await page.context().close();
      }
    assert.deepEqual(
      seen,
      seen.map(() => [1]),
    );
    const page = await open(t);
    await page.goto(looking);
    await page.locator('html[data-script=whole]').waitFor();
    assert.equal(await page.locator('.visitor').count(), 0);
    const without = await site().visit(t, path, { javaScriptEnabled: false });
    assert.equal(await without.locator('.visitor').isVisible(), false);
  });

  test('[PUBLIC-119] who presses it too early and writes on makes the task, under the name that was written', async (t) => {
    const { path } = await publish(['Train', 'Tent']);
    for (const press of [
      (page: Page) => page.locator('.add').click(),
      async (page: Page) => {
        await page.keyboard.press('ArrowDown');
        await page.locator('.add').focus();
        await page.keyboard.press('Enter');
      },
    ]) {
      const { page, arrive } = await openHeld(t, path);
      const before = await titles(page);
      await page.locator('.nick input').fill('Guest?');
      await press(page);
      await page.keyboard.type('Red rope?');
      await page.keyboard.press('Escape');
      assert.deepEqual(await titles(page), before);
      const sent = page.waitForRequest('**/changes');
      arrive();
      await expectEventually(() => titles(page), [...before, 'Red rope?']);
      assert.match((await sent).postData() ?? '', /"nick":"Guest\?"/);
      await saved(page);
      assert.equal(await page.locator('.nick input').inputValue(), 'Guest?');
      // It is pressed as before now.
      await page.locator('.add').click();
      await page.keyboard.type('Lamp');
      await page.keyboard.press('Escape');
      await expectEventually(() => titles(page), [...before, 'Red rope?', 'Lamp']);
      await saved(page);
    }
    const page = await site().visit(t, path);
    assert.deepEqual(await titles(page), ['Train', 'Tent', 'Red rope?', 'Lamp', 'Red rope?', 'Lamp']);
  });

  test('[PUBLIC-118] of a long list each row can be reached before all are there', async (t) => {
    const { owner, path } = await publish([]);
    const names = Array.from({ length: 1_500 }, (_, at) => `Task ${at}`);
    for (let at = 0; at < names.length; at += 250)
      await owner.act(
        ...names.slice(at, at + 250).map((title) => ({
          a: 'create',
          id: crypto.randomUUID(),
          type: 'task',
          fields: { title },
          place: { parent: owner.list },
        })),
      );
    const { page, arrive } = await openHeld(t, path);
    assert.equal(await page.locator('.task').count(), 500);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    arrive();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.title')?.textContent);
    await expectEventually(focused, 'Task 1499');
    await page.keyboard.press('Space');
    await expectEventually(() => done(page), ['Task 1499']);
    await expectEventually(async () => (await titles(page)).join(), names.join());
    assert.equal(await page.locator('button.box').count(), 1_500);
    assert.equal(await focused(), 'Task 1499');
    await saved(page);
  });

  test('[PUBLIC-120] what changes in a long list is drawn in its place, and no other row is touched', async (t) => {
    const { owner, path } = await publish([]);
    const ids = Array.from({ length: 300 }, () => crypto.randomUUID());
    const create = (id: string, title: string, parent: string) => ({
      a: 'create',
      id,
      type: 'task',
      fields: { title },
      place: { parent },
    });
    await owner.act(...ids.map((id, at) => create(id, `Task ${at}`, owner.list)));
    const page = await site().visit(t, path);
    await expectEventually(() => page.locator('button.box').count(), 300);
    await page.evaluate(() => {
      const touched = new Set<string>();
      Object.assign(globalThis, { touched });
      new MutationObserver((records) => {
        for (const { target } of records) {
          const row = target.parentElement?.closest('[data-id]') ?? (target as Element).closest('[data-id]');
          touched.add(row?.querySelector('.title')?.textContent ?? (target as Element).className);
        }
      }).observe(document.querySelector('#tasks') as Element, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    });
    await owner.act({ a: 'set', id: ids[150], field: 'title', value: 'Another title' });
    await expectEventually(async () => (await titles(page))[150], 'Another title');
    const touched = () =>
      page.evaluate(() => [...(globalThis as unknown as { touched: ReadonlySet<string> }).touched]);
    assert.deepEqual(await touched(), ['Another title']);

    // Moved about, renamed, added and deleted many times, they stand as on a page that is opened afterwards.
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 20; round += 1) {
      const id = ids[random(299)];
      const other = ids[random(299)];
      await owner.act(
        { a: 'set', id, field: 'title', value: `Round ${round}` },
        { a: 'place', id, place: { parent: round % 2 === 0 ? owner.list : ids[299], at: 'start' } },
        create(crypto.randomUUID(), `New ${round}`, owner.list),
        ...(round % 5 === 0 ? [{ a: 'delete', id: other }] : []),
      );
    }
    const last = await site().visit(t, path);
    const levels = (of: Page) =>
      of
        .locator('.task')
        .evaluateAll((rows) => rows.map(({ ariaLevel, textContent }) => [ariaLevel, textContent]));
    await expectEventually(async () => (await titles(last)).includes('New 19'), true);
    await expectEventually(() => levels(page), await levels(last));
  });

  test('[PUBLIC-120] a key that is held takes each of its steps, and what is pressed next is about where they led', async (t) => {
    const { path } = await publish(Array.from({ length: 30 }, (_, at) => `Task ${at}`));
    const page = await site().visit(t, path);
    await page.locator('button.box').first().waitFor();
    // The first one comes to the first task.
    for (let at = 0; at <= 20; at += 1) await page.keyboard.down('ArrowDown');
    await page.keyboard.up('ArrowDown');
    await page.keyboard.press('Space');
    await expectEventually(() => done(page), ['Task 20']);
    for (let at = 0; at < 40; at += 1) await page.keyboard.down('ArrowUp');
    await page.keyboard.up('ArrowUp');
    await page.keyboard.press('Space');
    await expectEventually(() => done(page), ['Task 0', 'Task 20']);
    await saved(page);
  });
});
