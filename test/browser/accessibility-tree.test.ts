// The app as a screen reader walks through it: names, roles, states and their order, read from the browser's own accessibility
// tree. What axe finds in the elements is accessibility.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { addTasks, command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const MAGNIFIED = { viewport: { width: 320, height: 256 } };

interface Heard {
  readonly role: string;
  readonly name: string;
  readonly states: Readonly<Record<string, unknown>>;
}

/** What is passed over in silence: boxes without a meaning, and texts, which their elements are named by. */
const SILENT = new Set(['generic', 'none', 'StaticText', 'InlineTextBox', 'RootWebArea']);

/** Everything in reading order. */
async function walk(page: Page): Promise<readonly Heard[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const heard: Heard[] = [];
  const read = (node: (typeof nodes)[number]): void => {
    const role = String(node.role?.value ?? '');
    if (!node.ignored && !SILENT.has(role)) {
      const states = Object.fromEntries(
        (node.properties ?? []).map(({ name, value }) => [name, value.value]),
      );
      heard.push({ role, name: String(node.name?.value ?? ''), states });
    }
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child) read(child);
    }
  };
  read(must(nodes[0], 'the page has a root'));
  return heard;
}

const rowsIn = (heard: readonly Heard[]) => heard.filter(({ role }) => role === 'row');
const rowNames = async (page: Page) => rowsIn(await walk(page)).map(({ name }) => name);

/** The rows from top to bottom as the eye finds them. Runs in the page. */
function seenRows(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-row]')]
    .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map((row) => row.querySelector('[data-ph=title]')?.textContent ?? '');
}

/** Rows are heard as they are seen. */
const agrees = (page: Page) =>
  expectEventually(async () => {
    const [heard, seen] = [await rowNames(page), await page.evaluate(seenRows)];
    return seen.length > 0 && JSON.stringify(heard) === JSON.stringify(seen);
  }, true);

function paste(page: Page, text: string): Promise<unknown> {
  return page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

const spoken = async (page: Page) => (await page.locator('#announce-polite').textContent())?.trim() ?? '';

describe('the accessibility tree', () => {
  const browser = withBrowser();

  test('[HEAR-1] rows are read as they stand on the screen, after adding, moving and scrolling', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two', 'Three']);
    await page.keyboard.press('Home');
    await addTasks(page, ['Between']);
    await expectEventually(() => rowNames(page), ['One', 'Between', 'Two', 'Three']);
    await page.keyboard.press('Alt+ArrowDown');
    await expectEventually(() => rowNames(page), ['One', 'Two', 'Between', 'Three']);
    await page.keyboard.press('End');
    await paste(page, Array.from({ length: 80 }, (_, at) => `Line ${at}`).join('\n'));
    await agrees(page);
    const scroller = page.locator('[data-ph=outline]');
    for (const row of [50, 12, 60, 0]) {
      await scroller.evaluate((element, at) => {
        element.scrollTop = at * 32;
      }, row);
      await agrees(page);
    }
    await page.keyboard.press('End');
    await agrees(page);
    for (let times = 0; times < 30; times += 1) await page.keyboard.press('ArrowUp');
    await addTasks(page, ['In the middle']);
    await agrees(page);
  });

  test('[HEAR-2] a row says what it is: completed, labelled, due, on which level, collapsed, selected', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Plan', 'Book the hotel', 'Pack']);
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await page.keyboard.press('l');
    await page.locator('dialog input').first().waitFor();
    await page.keyboard.type('Work');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const described = async () =>
      rowsIn(await walk(page)).map(({ name, states }) => ({
        name,
        level: states['level'],
        expanded: states['expanded'],
        selected: states['selected'],
      }));
    await page.locator('[data-ph=label]').waitFor();
    const row = { expanded: undefined, selected: false };
    await expectEventually(described, [
      { ...row, name: 'Plan 1 of 2 done', level: 1, expanded: true },
      { ...row, name: 'Book the hotel completed, label Work', level: 2 },
      { ...row, name: 'Pack', level: 2 },
    ]);
    // Its box says so too, and where it stands among its neighbors.
    const heard = await walk(page);
    const box = must(
      heard.find(({ role, name }) => role === 'checkbox' && name === 'Complete Book the hotel'),
      'each task has a box',
    );
    assert.equal(box.states['checked'], 'true');
    assert.deepEqual(
      await page
        .locator('[data-row]')
        .filter({ hasText: 'Pack' })
        .evaluate(({ ariaPosInSet, ariaSetSize }) => [ariaPosInSet, ariaSetSize]),
      ['2', '2'],
    );
    // What stands beside the title for the eye is not read a second time: the name alone is the label below the lists.
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const texts = nodes.flatMap(({ ignored, role, name }) =>
      !ignored && role?.value === 'StaticText' ? [String(name?.value)] : [],
    );
    assert.deepEqual(
      texts.filter((text) => text === 'Work' || text.includes('label Work')),
      ['Work', 'label Work'],
    );
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await expectEventually(() => spoken(page), 'Collapsed, 2 hidden.');
    await expectEventually(described, [{ ...row, name: 'Plan 1 of 2 done', level: 1, expanded: false }]);
  });

  test('[HEAR-3] [HEAR-4] one region tells what has no message, and a search what it has found', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Plan', 'Pack', 'Pay']);
    await page.keyboard.press('Tab');
    await expectEventually(() => spoken(page), 'Level 2, under ‘Pack’.');
    await page.keyboard.press('Shift+ArrowUp');
    await expectEventually(() => spoken(page), '2 selected.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('pa');
    await expectEventually(() => spoken(page), '2 results.');
    const heard = await walk(page);
    const order = ['searchbox', 'combobox', 'treegrid', 'row'];
    const roles = heard.map(({ role }) => role).filter((role) => order.includes(role));
    // The line, then what it has found.
    assert.deepEqual(roles.slice(-3), ['treegrid', 'row', 'row']);
    assert.deepEqual(
      rowsIn(heard).map(({ name }) => name),
      ['Pack 0 of 1 done, in Inbox', 'Pay in Inbox › Pack'],
    );
    assert.deepEqual(
      heard.filter(({ states }) => states['live'] === 'polite').map(({ role }) => role),
      ['status'],
    );
  });

  test('[HEAR-5] dialogs stand alone, begin at what they are about, and are where news is heard', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Plan']);
    await page.keyboard.press('i');
    await page.locator('[data-ph=details]').waitFor();
    const focused = async () => {
      const heard = (await walk(page)).filter(({ states }) => states['focused'] === true);
      return heard.map(({ role, name }) => `${role} ${name}`);
    };
    await expectEventually(focused, ['heading Plan']);
    const heard = await walk(page);
    const first = heard.slice(0, 2).map(({ role, name }) => `${role} ${name}`);
    assert.deepEqual(first, ['dialog Details', 'heading Plan']);
    assert.deepEqual(rowsIn(heard), []);
    await page.getByRole('button', { name: 'Copy id' }).click();
    await expectEventually(
      async () => ((await page.locator('#announce-dialog').textContent()) ?? '') !== '',
      true,
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+;');
    await page.locator('#settings-find').waitFor();
    await expectEventually(focused, ['searchbox Find a setting']);
  });

  test('[HEAR-5] [HEAR-6] on a phone settings bring no keyboard, and the bar says where one is', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    const main = page.getByRole('navigation', { name: 'Main commands' });
    const current = () => main.locator('[aria-current=page]').allInnerTexts();
    await expectEventually(current, ['Inbox']);
    await main.getByRole('button', { name: 'Today' }).tap();
    await expectEventually(current, ['Today']);
    await main.getByRole('button', { name: 'Search' }).tap();
    await page.locator('#search-input').fill('x');
    await expectEventually(current, ['Search']);
    await page.goBack();
    await expectEventually(current, ['Today']);
    await main.getByRole('button', { name: 'Browse' }).tap();
    await page.getByRole('button', { name: 'Settings' }).tap();
    await page.locator('#settings-find').waitFor();
    await expectEventually(() => page.evaluate(() => document.activeElement?.textContent), 'Settings');
    await page.locator('#settings-find').tap();
    await expectEventually(() => page.evaluate(() => document.activeElement?.id), 'settings-find');
  });

  test('[HEAR-7] a key is recorded where the focus is', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await command(page, 'Keys');
    await page.locator('#key-find').fill('Show or hide the sidebar');
    await page.keyboard.press('Enter');
    const recorder = page.locator('[data-ph=key-recorder]');
    await recorder.waitFor();
    const hasFocus = () => recorder.evaluate((element) => element === document.activeElement);
    await expectEventually(hasFocus, true);
    assert.notEqual(await recorder.evaluate((element) => getComputedStyle(element).outlineStyle), 'none');
    await page.keyboard.press('F4');
    await recorder.getByText('Enter to save').waitFor();
    const place = (await walk(page)).find(({ states }) => states['focused'] === true);
    assert.deepEqual([place?.role, place?.name], ['region', 'Keys for Show or hide the sidebar']);
    await page.keyboard.press('Enter');
    await recorder.waitFor({ state: 'detached' });
    await expectEventually(() => page.evaluate(() => document.activeElement?.id), 'key-find');
  });

  test('[HEAR-8] magnified four times nothing covers the row that is spoken of', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, MAGNIFIED);
    await page.locator('#outline-empty').waitFor();
    const within = async (selector: string, bottom: string) => {
      const [inner, outer] = [
        must(await page.locator(selector).first().boundingBox(), selector),
        must(await page.locator(bottom).boundingBox(), bottom),
      ];
      return inner.y + inner.height <= outer.y;
    };
    assert.equal(await within('#outline-empty', 'nav[aria-label="Main commands"]'), true);
    await addTasks(page, ['One', 'Two', 'Three', 'Four', 'Five', 'Six']);
    await page.keyboard.press('Space');
    await page.locator('[data-ph=message]').waitFor();
    assert.equal(await within('[data-ph=message]', '[data-ph-cursor]'), true);
  });

  /** Loads the page again without what its first screen does without, until that is let through. */
  async function reloadWithoutRest(page: Page, url: string): Promise<() => void> {
    const html = await fetch(`${url}/app/`).then((answer) => answer.text());
    const first = new Set([...html.matchAll(/assets\/[\w.-]+\.js/g)].map(([name]) => name));
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      if (![...first].some((name) => route.request().url().endsWith(name))) await gate;
      await route.continue();
    });
    await page.reload();
    return letGo;
  }

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

  test('[HEAR-8] what an empty place offers comes without moving what stands there', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { isNew: true });
    const letGo = await reloadWithoutRest(page, server.url);
    const empty = page.locator('[data-ph=empty]');
    const signIn = empty.getByRole('button', { name: 'Sign in' });
    await expectEventually(() => focused(page), 'outline-empty');
    await signIn.waitFor();
    const tops = () =>
      Promise.all(
        [empty.locator('svg').first(), empty.locator('p'), page.locator('#outline-empty')].map(
          async (part) => {
            const box = must(await part.boundingBox(), 'it is drawn');
            return Math.round(box.y);
          },
        ),
      );
    const before = await tops();
    letGo();
    await page.locator('[data-ph=palette]').waitFor({ state: 'attached' });
    assert.deepEqual(await tops(), before);
  });

  test('[HEAR-8] the button of an empty place has the focus from the beginning, and what presses it is kept', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { isNew: true });
    const button = page.locator('#outline-empty');
    const letGo = await reloadWithoutRest(page, server.url);
    await expectEventually(() => focused(page), 'outline-empty');
    assert.match(await button.innerText(), /Write your first task/);
    await page.keyboard.press('Enter');
    letGo();
    await page.locator('[data-ph=title-input]').waitFor();
  });
});
