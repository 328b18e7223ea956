// Searching with operators and keeping a search as a list, by keys alone, on a desktop and on a phone.
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addTasks, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

/** Titles of the rows shown, by the alphabet: their slots are in no order. */
const titles = (page: Page) =>
  page
    .locator('[data-row] [data-ph=title]:visible')
    .allInnerTexts()
    .then((texts) => texts.toSorted());

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first().innerText();

describe('smart lists', () => {
  const browser = withBrowser();

  for (const { name, ...look } of SIZES) {
    test(`a search corrected, kept as a list and worked in: ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, look);
      await addTasks(page, ['Pay the rent', 'Write the reply', 'Water the plants']);
      await page.keyboard.press('Escape');
      await page.keyboard.press('d');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('tomorrow');
      await page.keyboard.press('Enter');
      await page.keyboard.press('/');
      await page.keyboard.type('deu:tomorrow');
      // What is not understood finds nothing, and is said.
      await page.locator('#search-about').getByText('There’s no operator “deu:”.').waitFor();
      await expectEventually(() => titles(page), []);
      await page.keyboard.press('Tab');
      await expectEventually(() => titles(page), ['Water the plants']);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('combobox', { name: 'Name of the smart list' }).waitFor();
      await page.keyboard.type('Soon');
      await page.keyboard.press('Enter');
      await expectEventually(() => heading(page), 'Soon');
      await expectEventually(() => titles(page), ['Water the plants']);
      // A task made in it gets what the list asks for.
      await page.keyboard.press('Control+Enter');
      await page.keyboard.type('Buy stamps');
      await page.keyboard.press('Escape');
      await expectEventually(() => titles(page), ['Buy stamps', 'Water the plants']);
      await page.keyboard.press('Space');
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      await expectEventually(() => heading(page), 'Today');
      await page.getByRole('heading', { name: 'Nothing left for today' }).waitFor();
    });
  }
});
