// Custom CSS in a real browser: there with the first paint, nothing from elsewhere, out again by key and by address; and every
// mark and token that docs/themes.md promises is in the running app.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  ready,
  serve,
  serveElsewhere,
  withBrowser,
} from './harness.ts';

const FIELD = '#custom-css-text';
const BOLD = "[data-ph='title'] { letter-spacing: 3px }";
const NOTHING = '* { display: none }';

/** Opens the dialog by keys; its field has the focus. */
async function edit(page: Page): Promise<void> {
  await command(page, 'Edit custom CSS');
  await page.waitForFunction(() => document.activeElement?.id === 'custom-css-text');
}

/** Writes the whole text as a person pastes it, and saves it. */
async function save(page: Page, css: string): Promise<void> {
  await edit(page);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(css);
  await page.keyboard.press('Control+Enter');
  await expectEventually(() => page.locator('dialog').count(), 0);
}

const spacing = (page: Page) =>
  page.evaluate(() => {
    const title = document.querySelector('[data-ph=title]');
    return title === null ? null : getComputedStyle(title).letterSpacing;
  });

/** Style sheets of one's own that are on the page, whole. */
const ownSheets = (page: Page) =>
  page.evaluate(() =>
    document.adoptedStyleSheets
      .filter(({ media }) => media.mediaText === 'all')
      .map(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText).join('\n')),
  );

const isSeen = (page: Page) =>
  page.evaluate(() => (document.querySelector('[data-ph=app]')?.getBoundingClientRect().width ?? 0) > 0);

async function begin(t: TestContext, browser: Parameters<typeof openApp>[1], expected?: RegExp) {
  const server = await serve(t);
  const { page } = await openApp(t, browser, server.url, expected ? { expected } : {});
  await addTasks(page, ['Read the manual']);
  await page.keyboard.press('Escape');
  return { page, url: server.url };
}

/** A server of another origin, and what it was asked for. */
async function elsewhere(t: TestContext): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const url = await serveElsewhere(t, (request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'text/css');
    response.end('[data-ph=title] { letter-spacing: 9px }');
  });
  return { url, asked };
}

describe('custom CSS', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[LOOK-1] [LOOK-6] seen as it is typed, gone with Esc, kept by Ctrl+Enter, there with the first paint', async (t) => {
    const { page } = await begin(t, browser());
    await loadAxe(page);
    assert.deepEqual(await ownSheets(page), [], 'without a text there is no sheet');
    await edit(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.insertText(BOLD);
    await expectEventually(() => spacing(page), '3px');
    await page.keyboard.press('Escape');
    await expectEventually(() => spacing(page), 'normal');
    await edit(page);
    assert.equal(await page.locator(FIELD).inputValue(), BOLD);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Custom CSS saved on this device.').first().waitFor();
    assert.equal(await spacing(page), '3px');

    await page.reload();
    await ready(page);
    await expectEventually(() => spacing(page), '3px');
    assert.equal((await ownSheets(page)).length, 1, 'the app goes on with the sheet of the first paint');
    // Keys of parts are there with the palette, a moment after the first screen.
    await page.keyboard.press('Control+k');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+F4');
    await expectEventually(() => spacing(page), 'normal');
    await page.keyboard.press('Shift+F4');
    await expectEventually(() => spacing(page), '3px');
  });

  test('[LOOK-8] [LOOK-9] [LOOK-11] who hides everything is kept from it while writing, and gets out by a key and by the address', async (t) => {
    const { page, url } = await begin(t, browser());
    await edit(page);
    await page.keyboard.insertText(NOTHING);
    await page.getByText('This hides the dialog').waitFor();
    assert.equal(await isSeen(page), true);
    // The field keeps the focus, so that it can be corrected.
    await page.keyboard.type(' ');
    await page.getByText('This hides the dialog').waitFor();
    assert.equal(await page.locator(FIELD).inputValue(), `${NOTHING} `);
    await page.keyboard.press('Escape');
    await page.getByText('Your CSS isn’t saved.').first().waitFor();
    assert.equal(await isSeen(page), true);

    await save(page, NOTHING);
    await expectEventually(() => isSeen(page), false);
    await page.keyboard.press('Shift+F4');
    await expectEventually(() => isSeen(page), true);
    await page.keyboard.press('Shift+F4');
    await expectEventually(() => isSeen(page), false);

    await page.goto(`${url}/app/?safe`);
    await ready(page);
    await page.getByText('Your custom look is off.').first().waitFor();
    assert.equal(await isSeen(page), true);
    assert.deepEqual(await ownSheets(page), []);
    await edit(page);
    assert.equal(await page.locator(FIELD).inputValue(), NOTHING);
    await page.getByText('You opened the app with “?safe”').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(BOLD);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Open the app without “?safe” to see it.').first().waitFor();
    assert.equal(await spacing(page), 'normal');
    await page.goto(`${url}/app/`);
    await ready(page);
    await expectEventually(() => spacing(page), '3px');

    // Turned off by the key after a start in which nothing was ever to be seen.
    await save(page, NOTHING);
    await page.reload();
    await page.locator('[data-ph=app]').waitFor({ state: 'attached' });
    assert.equal(await isSeen(page), false);
    await expectEventually(async () => {
      if (!(await isSeen(page))) await page.keyboard.press('Shift+F4');
      return isSeen(page);
    }, true);
  });

  test('[LOOK-5] broken CSS has no effect, and what is right beside it has', async (t) => {
    const { page } = await begin(t, browser());
    for (const broken of [
      '}}}} @@@ {{{',
      '\u002f* never ended',
      'a { color: ',
      '<style>',
      '@layer look { :root { --ph-bg: red',
      '\0\ud800',
    ]) {
      await save(page, `${BOLD}\n${broken}`);
      await expectEventually(() => spacing(page), '3px');
      await save(page, '');
      await expectEventually(() => spacing(page), 'normal');
    }
    await command(page, 'Density');
    await page.keyboard.type('relaxed');
    await page.keyboard.press('Enter');
    await page.locator(':root[data-ph-density=relaxed]').waitFor();
  });

  test('[LOOK-7] nothing is fetched from another origin, nor by @import', async (t) => {
    const { page } = await begin(t, browser(), /@import rules are not allowed|Content Security Policy/);
    const { url, asked } = await elsewhere(t);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.evaluate(() => {
      const blocked: string[] = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        blocked.push(effectiveDirective),
      );
      Object.assign(globalThis, { blocked });
    });
    await save(
      page,
      `@import url(${url}/import.css);
       @import url(/robots.txt?import);
       @font-face { font-family: Far; src: url(${url}/font.woff2) }
       body { background-image: url(${url}/picture.png); cursor: url(${url}/cursor.png), auto }
       [data-ph=title] { font-family: Far; letter-spacing: 3px; content: url(data:image/png;base64,AAAA) }`,
    );
    await expectEventually(() => spacing(page), '3px');
    const blocked = () =>
      page.evaluate(() => [...new Set((globalThis as unknown as { blocked: string[] }).blocked)].toSorted());
    await expectEventually(blocked, ['font-src', 'img-src']);
    assert.deepEqual(asked, []);
    assert.deepEqual(
      requests.filter((address) => address.includes('import')),
      [],
    );
  });
});

const doc = readFileSync(new URL('../../docs/themes.md', import.meta.url), 'utf8');
const parts = [...doc.matchAll(/^\| `([a-z]+(?:-[a-z]+)?)` \|/gm)].map(([, name = '']) => name);
const tokens = [...doc.matchAll(/^\| `(--ph-[a-z-]+)` \|/gm)].map(([, name = '']) => name);

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

/** Runs in the page before the app. */
function usedForDays(): void {
  if (location.protocol === 'about:') return;
  Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' });
  localStorage.setItem('posthaste.first-opened', String(Date.now() - 3 * 86_400_000));
}

describe('[LOOK-10] the contract of marks', () => {
  const browser = withBrowser();

  test('every documented part, mark and token is in the running app', async (t) => {
    const { page, url } = await begin(t, browser());
    const left = new Set(parts);
    assert.ok(left.size > 20 && tokens.length > 40);
    /** Crosses off what is on the page now; waits for those that have to be. */
    const see = async (...awaited: readonly string[]): Promise<void> => {
      for (const name of awaited)
        await page.locator(`[data-ph='${name}']`).first().waitFor({ state: 'attached' });
      for (const name of await page.evaluate(() =>
        Array.from(
          document.querySelectorAll<HTMLElement>('[data-ph]'),
          (element) => element.dataset['ph'] ?? '',
        ),
      ))
        left.delete(name);
    };
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const seen = new Set<string>();
    const marked = async (mark: string): Promise<void> => {
      await page.locator(mark).first().waitFor({ state: 'attached' });
      for (const [name] of mark.matchAll(/data-ph-[a-z-]+/g)) seen.add(name);
    };

    await see('app', 'sidebar', 'list', 'header', 'outline', 'place', 'task', 'title', 'status', 'sync');
    await marked("[data-ph='task'][data-ph-cursor][data-ph-level='1']");
    await marked("[data-ph='list'][data-ph-open]");
    await press('Enter');
    await see('title-input');
    await press('Escape', 'd');
    await see('palette', 'keys');
    await page.keyboard.type('yesterday');
    await press('Enter');
    await see('due');
    await marked("[data-ph='task'][data-ph-state~='overdue']");
    await press('r');
    await page.keyboard.type('every day');
    await press('Enter');
    await see('repeat');
    await press('l');
    await see('dialog');
    await page.keyboard.type('Errand');
    await press('Enter');
    await expectEventually(() => page.locator('dialog').count(), 0);
    await see('label');
    await press('x');
    await marked("[data-ph='task'][data-ph-selected]");
    await press('Escape', 'i');
    await see('details');
    await press('Escape', 'n');
    await see('notes');
    await press('Escape', '/');
    await see('search');
    await press('Escape', 'Control+;');
    await see('setting');
    await press('Escape');

    await addTasks(page, ['Later', 'Done', 'Asleep']);
    await press('s');
    await page.keyboard.type('tomorrow');
    await press('Enter');
    await see('snoozed');
    await press('Shift+S');
    await marked("[data-ph='task'][data-ph-state~='snoozed']");
    await press('ArrowUp', 'Space');
    await marked("[data-ph='task'][data-ph-state~='complete']");
    await see('message');
    await press('ArrowUp', 't');
    await page.keyboard.type('tomorrow');
    await press('Enter');
    await marked("[data-ph='task'][data-ph-state~='future']");

    await command(page, 'New list');
    await page.keyboard.type('Empty');
    await press('Enter');
    await see('empty');
    await command(page, 'Archive list');
    await command(page, 'Show or hide archived lists');
    await marked("[data-ph='list'][data-ph-state~='archived']");
    assert.deepEqual([...left], ['alarm']);
    // An iPhone that is used for days is offered the installation.
    const phone = await openApp(t, browser(), url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      userAgent: IPHONE,
      before: usedForDays,
    });
    await phone.page.locator("[data-ph='alarm']").waitFor();

    const unset = await page.evaluate((names) => {
      const style = getComputedStyle(document.documentElement);
      return names.filter((name) => style.getPropertyValue(name).trim() === '');
    }, tokens);
    assert.deepEqual(unset, []);

    const roots: readonly (readonly [words: string, answer: string, mark: string])[] = [
      ['Dark theme', '', "[data-ph-theme='dark']"],
      ['Light theme', '', "[data-ph-theme='light']"],
      ['Density', 'compact', "[data-ph-density='compact']"],
      ['Density', 'relaxed', "[data-ph-density='relaxed']"],
      ['Motion', 'none', "[data-ph-motion='reduced']"],
      ['Status bar', 'only', "[data-ph-status='hidden']"],
      ['Theme gradient', 'linear-gradient(red, blue)', '[data-ph-gradient]'],
    ];
    for (const [words, answer, mark] of roots) {
      await command(page, words);
      if (answer !== '') {
        await page.keyboard.type(answer);
        await press('Enter');
      }
      await marked(`:root${mark}`);
    }
    await marked(':root[data-ph-keys]');
    await command(page, 'Turn on Hardcore Mode');
    await page.locator('dialog button[type=submit]').press('Enter');
    await marked(':root[data-ph-mouse-off]');
    await page.goto(`${url}/app/?safe`);
    await marked(':root[data-ph-safe]');
    const promised = [...doc.matchAll(/`(data-ph-[a-z-]+)`/g)].map(([, name = '']) => name);
    assert.deepEqual(
      [...new Set(promised)].filter((name) => !seen.has(name)),
      [],
    );
  });
});

describe('the first paint', () => {
  // No worker answers in place of the network.
  const browser = withBrowser();

  test('[LOOK-6] has custom CSS before any of the app’s program', async (t) => {
    const { page } = await begin(t, browser(), /dynamically imported module|module script/);
    await save(page, BOLD);
    await page.route(/\/assets\/[^/]+\.js/, (route) => route.abort());
    await page.reload({ waitUntil: 'domcontentloaded' });
    assert.match((await ownSheets(page)).join(), /letter-spacing: 3px/);
  });
});
