// Settings in a real browser, by keys alone, on a desktop and on a phone; the look with the first paint; no violation that
// axe knows of.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, command, expectEventually, openApp, ready, serve, withBrowser } from './harness.ts';

const SIZES = [
  { name: 'desktop', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  {
    name: 'phone',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  },
] as const;

/** What of the look is on the page. */
const look = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    const style = getComputedStyle(root);
    const value = (name: string) => style.getPropertyValue(name).trim();
    return {
      theme: root.dataset['phTheme'] ?? '',
      density: root.dataset['phDensity'] ?? '',
      size: style.fontSize,
      radius: value('--ph-radius-row'),
      gradient: value('--ph-theme-gradient'),
    };
  });

const CHOSEN = {
  theme: 'dark',
  density: 'compact',
  size: '18.4px',
  radius: '1px',
  gradient: 'linear-gradient(red, blue)',
};
const SAFE = { ...CHOSEN, radius: '7px', gradient: 'none' };

/** Finds a setting by its words and goes to its control. */
async function find(page: Page, words: string): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'Find a setting' });
  await field.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(words);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.closest('#settings-panel') !== null);
}

describe('settings', () => {
  const browser = withBrowser();

  for (const { name, ...options } of SIZES) {
    test(`[SET-5] [SET-20] [SET-24] found, changed and undone by keys, there with the first paint: ${name}`, async (t) => {
      const server = await serve(t);
      const expected = /dynamically imported module|module script/;
      const { page } = await openApp(t, browser(), server.url, { ...options, expected });
      await loadAxe(page);
      await addTasks(page, ['Read the manual']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+;');
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      assert.deepEqual(await violations(page), []);

      await find(page, 'nested');
      await page.keyboard.press('Space');
      const answer = page.locator('[data-ph=settings-answer]');
      await expectEventually(() => answer.innerText(), 'Nested tasks in smart lists: off.');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Control+z');
      const nested = page.getByRole('checkbox', { name: 'Nested tasks in smart lists' });
      for (const tab of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) {
        await page.getByRole('tab', { selected: true }).focus();
        await page.keyboard.press(tab);
        assert.deepEqual(await violations(page), []);
      }
      await expectEventually(() => nested.isChecked(), true);

      for (const [words, ...keys] of [
        ['theme as the system', 'ArrowRight', 'ArrowRight'],
        ['density', 'ArrowLeft'],
        ['font size', 'ArrowDown'],
      ] as const) {
        await find(page, words);
        for (const key of keys) await page.keyboard.press(key);
      }
      await find(page, 'own theme');
      await page.keyboard.type('radius-row: 1px');
      await find(page, 'gradient background-image');
      await page.keyboard.type('url(x)');
      await page.keyboard.press('Enter');
      await page.locator('[data-setting=themeGradient] [aria-invalid=true]').waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Control+A');
      await page.keyboard.type('linear-gradient(red, blue)');
      await page.keyboard.press('Enter');
      await expectEventually(() => look(page), CHOSEN);
      await page.keyboard.press('Escape');
      await expectEventually(() => page.locator('dialog').count(), 0);
      assert.deepEqual(await violations(page), []);

      // Without any of the app's program: what is shown first is the look of the last time.
      await page.route(/\/assets\/[^/]+\.js/, (route) => route.abort());
      await page.reload({ waitUntil: 'domcontentloaded' });
      assert.deepEqual(await look(page), CHOSEN);
      await page.goto(`${server.url}/app/?safe`, { waitUntil: 'domcontentloaded' });
      assert.deepEqual(await look(page), SAFE);
      await page.unrouteAll();

      await page.goto(`${server.url}/app/?safe`);
      await ready(page);
      await page.getByText('Your custom look is off.').first().waitFor();
      await command(page, 'Density');
      await page.keyboard.type('relaxed');
      await page.keyboard.press('Enter');
      await expectEventually(() => look(page), { ...SAFE, density: 'relaxed' });
      await page.goto(`${server.url}/app/`);
      await ready(page);
      await expectEventually(() => look(page), { ...CHOSEN, density: 'relaxed' });
    });
  }

  test('[SET-28] segments are a group of radio buttons; a change shows at once in the sample, and Mod+Z takes it back', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { viewport: { width: 1280, height: 800 } });
    await addTasks(page, ['Read the manual']);
    await page.keyboard.press('Escape');
    await command(page, 'Settings: Appearance');
    const group = page.getByRole('radiogroup', { name: 'Density' });
    await group.waitFor();
    assert.equal(await group.getByRole('radio').count(), 3);
    const line = page.locator('[data-ph=settings-sample] [data-level]').first();
    const height = async () => Math.round((await line.boundingBox())?.height ?? 0);
    assert.equal(await height(), 32);
    await group.getByRole('radio', { name: 'Comfortable' }).focus();
    await page.keyboard.press('ArrowRight');
    await expectEventually(height, 38);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    assert.equal(await focused(), 'relaxed');
    // Setting it back leads to what is chosen then.
    await page.getByRole('button', { name: /Back to comfortable.*Density/ }).press('Enter');
    await expectEventually(height, 32);
    await expectEventually(focused, 'comfortable');
    // One of the account: undo moves the focus along, too.
    const accents = page.getByRole('radiogroup', { name: 'Accent color' });
    await accents.getByRole('radio', { name: 'Airmail blue' }).focus();
    await page.keyboard.press('ArrowRight');
    await expectEventually(() => accents.getByRole('radio', { name: 'Green' }).isChecked(), true);
    await page.keyboard.press('Control+z');
    await expectEventually(() => accents.getByRole('radio', { name: 'Airmail blue' }).isChecked(), true);
    await expectEventually(focused, '');
    // Tabs stand under each other.
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('tab', { name: 'Keys', selected: true }).waitFor();
  });

  test('[SET-29] hours are written as the device writes them', async (t) => {
    const server = await serve(t);
    for (const [locale, morning] of [
      ['en-US', '9:00 AM'],
      ['en-GB', '09:00'],
    ] as const) {
      const { page } = await openApp(t, browser(), server.url, { locale });
      await ready(page);
      await command(page, 'Settings: General');
      const hours = page.getByRole('combobox', { name: 'Hour of “morning”' });
      const shown = () => hours.evaluate((node: HTMLSelectElement) => node.selectedOptions[0]?.text);
      await expectEventually(async () => (await shown())?.replaceAll(/\s/g, ' '), morning);
    }
  });

  test('[SET-27] hidden, the status bar comes up for what it has to say, and moves nothing', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 1280, height: 800 },
    });
    await addTasks(page, ['Read the manual', 'Write one']);
    await page.keyboard.press('Escape');
    const bar = page.locator('[data-ph=status]');
    const rowsEnd = () =>
      page.locator('[data-ph=outline]').evaluate((node) => node.getBoundingClientRect().bottom);
    const shown = await rowsEnd();
    await command(page, 'Status bar');
    await page.keyboard.type('only when');
    await page.keyboard.press('Enter');
    await expectEventually(() => page.locator('html').getAttribute('data-ph-status'), 'hidden');
    await bar.waitFor({ state: 'visible' });
    await page.keyboard.press('g');
    await bar.locator('[data-ph=chord]').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await expectEventually(async () => (await rowsEnd()) > shown, true);
    const hidden = await rowsEnd();
    const shots = process.env.POSTHASTE_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: `${shots}/status-hidden.png` });
    await page.keyboard.press('Escape');
    // What is said goes after its eight seconds; nothing is left then.
    await bar.waitFor({ state: 'hidden', timeout: 20_000 });
    await expectEventually(rowsEnd, hidden);
    await page.reload();
    await page.locator('[data-row]').first().waitFor();
    await bar.waitFor({ state: 'hidden' });
  });
});
