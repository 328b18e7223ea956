// What assistive technology meets: no violation that axe knows of, in the app's main states and both themes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, command, openApp, serve, withBrowser } from './harness.ts';

interface State {
  readonly name: string;
  readonly reach: (page: Page) => Promise<unknown>;
}

const escape = (page: Page) => page.keyboard.press('Escape');

/** Each state starts where the one before it ended. */
const STATES: readonly State[] = [
  { name: 'nothing here yet', reach: (page) => page.getByText('Write your first task').waitFor() },
  {
    name: 'lesson',
    async reach(page) {
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=lesson]').waitFor();
      await page.locator('[data-row]').first().waitFor();
    },
  },
  {
    name: 'tasks',
    async reach(page) {
      await page.keyboard.press('F9');
      await page.keyboard.press('x');
      await page.locator('[data-ph=lesson]').waitFor({ state: 'detached' });
      await addTasks(page, ['Read the manual', 'Write the reply', 'Post it']);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowUp');
    },
  },
  { name: 'several selected', reach: (page) => page.keyboard.press('Shift+ArrowUp') },
  {
    name: 'keys that follow',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('g');
      await page.locator('[data-ph=hints]').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'editing',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=title-input]').waitFor();
    },
  },
  {
    name: 'notes',
    async reach(page) {
      await page.keyboard.press('Shift+Enter');
      await page.locator('#notes-text').waitFor();
    },
  },
  {
    name: 'search',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('Control+/');
      await page.keyboard.press('/');
      await page.keyboard.type('re');
      await page.locator('[data-row]').first().waitFor();
    },
  },
  {
    name: 'palette',
    async reach(page) {
      await escape(page);
      await escape(page);
      await page.keyboard.press('Control+k');
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'a date',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('d');
      await page.locator('[data-ph=month]').waitFor();
    },
  },
  {
    name: 'details',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('i');
      await page.locator('[data-ph=details]').waitFor();
    },
  },
  {
    name: 'labels',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('l');
      await page.keyboard.press('Control+l');
      await page.getByText('No labels yet.').waitFor();
    },
  },
  {
    name: 'keys',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('F1');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    },
  },
  {
    name: 'settings',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('Control+;');
      await page.locator('#settings-find').waitFor();
    },
  },
  {
    name: 'history',
    async reach(page) {
      await escape(page);
      await command(page, 'Show history of everything');
      await page.locator('[data-ph=history-entry]').first().waitFor();
    },
  },
  {
    name: 'creating an account',
    async reach(page) {
      await escape(page);
      await command(page, 'Create an account');
      await page.locator('dialog input[name=email]').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('dialog [role=alert]').waitFor();
    },
  },
  {
    name: 'trash',
    async reach(page) {
      await escape(page);
      await page.keyboard.press('g');
      await page.keyboard.press('x');
      await page.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
    },
  },
];

const SCREENS = {
  desktop: {},
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Buttons on the screen that a finger would miss. Runs in the page. */
function smallTargets(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('button, [role=checkbox]')]
    .filter((button) => button.checkVisibility({ visibilityProperty: true }))
    .map((button) => ({ name: button.ariaLabel ?? button.innerText, box: button.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.width < 43.9 || box.height < 43.9))
    .map(({ name, box }) => `${name}: ${box.width}×${box.height}`);
}

describe('accessibility', () => {
  const browser = withBrowser();

  for (const [screen, size] of Object.entries(SCREENS)) {
    test(`[TOUCH-6] axe finds nothing in any state, light and dark, on a ${screen}, and targets are large`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, { isNew: true, ...size });
      await loadAxe(page);
      const found: string[] = [];
      for (const { name, reach } of STATES) {
        await reach(page);
        const note = (problems: readonly string[], of: string) =>
          found.push(...problems.map((problem) => `${name}, ${of}: ${problem}`));
        note(await violations(page), 'light');
        if (screen === 'phone') note(await page.evaluate(smallTargets), 'target');
        // Nothing but colours differs.
        await page.emulateMedia({ colorScheme: 'dark' });
        note(await violations(page, { only: ['color-contrast'] }), 'dark');
        await page.emulateMedia({ colorScheme: 'light' });
      }
      assert.deepEqual(found, []);
    });
  }
});
