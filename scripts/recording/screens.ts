// Every screen of the app, and what leads to it from the sample: what `npm run screenshots` draws. Commands are found by
// their names, as a person would find them.
import type { Page } from 'playwright-core';
import { palette } from './sample.ts';

export interface Screen {
  readonly name: string;
  /** Brings the app there from the list of the sample, with the cursor on a task. */
  readonly show: (page: Page) => Promise<void>;
  /** Only on a computer: it is about a keyboard, or about a browser of its kind. */
  readonly isDesk?: true;
}

/** Screens of a list that two people have (shared.ts), with the cursor on its second task, which has comments. */
export const sharedScreens: readonly Screen[] = [
  { name: 'shared-list', show: () => Promise.resolve() },
  {
    name: 'share',
    async show(page) {
      await palette(page, 'People and link');
      await page.locator('[data-ph=invite-link]').waitFor();
    },
  },
  {
    name: 'comments',
    async show(page) {
      await press(page, 'c');
      await page.locator('[data-ph=comment]').first().waitFor();
      await page.keyboard.type('Thanks @');
      await option(page);
    },
  },
  {
    name: 'assign',
    async show(page) {
      await press(page, 'p');
      await option(page);
    },
  },
  {
    name: 'label-picker-shared',
    async show(page) {
      await opened('Labels…')(page);
      await page.keyboard.type('garden');
      await option(page);
    },
  },
  {
    name: 'profile',
    async show(page) {
      await palette(page, 'Your profile');
      await page.locator('[data-ph=profile-preview]').waitFor();
    },
  },
  {
    name: 'shared-history',
    async show(page) {
      await opened('Show history of this list')(page);
      await page.locator('[data-ph=history-sentence]', { hasText: 'Mo' }).first().waitFor();
    },
  },
  {
    name: 'taking-back',
    async show(page) {
      await opened('Undo what somebody did')(page);
      await option(page);
      await press(page, 'Enter');
      await page.locator('[data-ph=taking-back-summary]').waitFor();
    },
  },
];

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const dialog = (page: Page) => page.locator('[data-ph=dialog]').waitFor();
const option = (page: Page) => page.locator('[role=option]:visible').first().waitFor();

/** Asks for the argument of a command, with these words in the field. */
const asked = (command: string, words: string) => async (page: Page) => {
  await palette(page, command);
  await option(page);
  await page.keyboard.type(words);
  await option(page);
};

const opened = (command: string) => async (page: Page) => {
  await palette(page, command);
  await dialog(page);
};

const settingsTab = (tab: string) => async (page: Page) => {
  await palette(page, 'Settings');
  await dialog(page);
  await page.getByRole('tab', { name: tab, exact: true }).click();
};

/** A few tasks of the list have their time, some of it this week and one block next to another. */
async function plan(page: Page): Promise<void> {
  for (const words of [
    'today 9-10:30',
    'today 10-11:30',
    'today 14:00 45m',
    'tomorrow 9-11',
    'in 2 days 13:00 2h',
  ]) {
    await asked('Plan time for this task', words)(page);
    await press(page, 'Enter', 'ArrowDown');
  }
  // The first one has the app offer to ring outside of it.
  await page.getByText('Remind you outside Posthaste?').waitFor();
  await press(page, 'F8', 'x');
}

export const screens: readonly Screen[] = [
  { name: 'outline', show: () => Promise.resolve() },
  { name: 'selection', show: (page) => press(page, 'Shift+ArrowDown', 'Shift+ArrowDown') },
  {
    name: 'typing',
    async show(page) {
      await press(page, 'Shift+Enter');
      await page.keyboard.type('Call the printer tomorrow 5pm for 45 min #phone');
      await page.locator('[data-ph=tokens]').waitFor({ state: 'attached' });
    },
  },
  { name: 'today', show: (page) => palette(page, 'Today') },
  {
    name: 'today-writing',
    async show(page) {
      await palette(page, 'Today');
      await page.locator('[data-row]').first().waitFor();
      await press(page, 'Enter');
      await page.locator('[data-ph=title-input]').waitFor();
    },
  },
  { name: 'upcoming', show: (page) => palette(page, 'Upcoming') },
  {
    name: 'search',
    async show(page) {
      await palette(page, 'Search');
      await page.locator('#search-input').waitFor();
      await page.keyboard.type('is:open due:<2w');
    },
  },
  {
    name: 'search-operator',
    async show(page) {
      await palette(page, 'Search');
      await page.locator('#search-input').waitFor();
      await page.keyboard.type('is:open due:<2w label:');
      await page.locator('#search-options').waitFor();
    },
  },
  {
    name: 'search-nothing',
    async show(page) {
      await palette(page, 'Search');
      await page.locator('#search-input').waitFor();
      await page.keyboard.type('zeppelin');
    },
  },
  {
    name: 'palette',
    async show(page) {
      await press(page, 'Control+k');
      await option(page);
    },
  },
  {
    name: 'palette-typed',
    async show(page) {
      await press(page, 'Control+k');
      await option(page);
      await page.keyboard.type('sno');
    },
  },
  { name: 'date', show: asked('Set due date', '') },
  { name: 'date-typed', show: asked('Set due date', 'fri 5pm') },
  { name: 'snooze', show: asked('Snooze', '') },
  { name: 'repeat', show: asked('Repeat…', 'every 2 weeks') },
  { name: 'reminder', show: asked('Remind', 'an hour before') },
  { name: 'move', show: asked('Move to list', '') },
  {
    name: 'label-picker',
    async show(page) {
      for (const name of ['Urgent', 'Phone']) {
        await opened('Labels…')(page);
        await page.keyboard.type(name);
        await press(page, 'Enter');
        await page.locator('[data-ph=dialog]').waitFor({ state: 'detached' });
      }
      await opened('Labels…')(page);
      await option(page);
    },
  },
  {
    name: 'label-picker-typed',
    async show(page) {
      await opened('Labels…')(page);
      await option(page);
      await page.keyboard.type('ho');
    },
  },
  {
    name: 'calendar-week',
    async show(page) {
      await plan(page);
      await palette(page, 'Calendar: a week');
      await page.locator('#calendar-text:focus').waitFor();
    },
    isDesk: true,
  },
  {
    name: 'calendar-day',
    async show(page) {
      await plan(page);
      await palette(page, 'Calendar: one day');
      await page.locator('#calendar-text:focus').waitFor();
    },
    isDesk: true,
  },
  {
    name: 'agenda',
    async show(page) {
      await plan(page);
      await opened('Agenda')(page);
      await page.locator('[data-ph=agenda-block]').first().waitFor();
    },
  },
  { name: 'plan-day', show: opened('Plan my day') },
  { name: 'labels', show: opened('Manage labels') },
  {
    name: 'quick-entry',
    async show(page) {
      await palette(page, 'Quick entry');
      await dialog(page);
      await page.locator('dialog input, dialog textarea').first().waitFor();
      await page.keyboard.type('Call the printer tomorrow 5pm for 45 min #phone');
    },
  },
  { name: 'details', show: opened('Details') },
  {
    name: 'notes',
    async show(page) {
      await press(page, 'n');
      await page.locator('[contenteditable=true], textarea').first().waitFor();
    },
  },
  { name: 'replace', show: opened('Find and replace') },
  {
    name: 'history',
    async show(page) {
      await press(page, 'Space', 'ArrowDown');
      for (const day of ['dec 4', 'dec 11']) {
        await asked('Set due date', day)(page);
        await press(page, 'Enter');
      }
      await opened('Show history of this list')(page);
    },
  },
  {
    name: 'time-machine',
    async show(page) {
      await press(page, 'Space', 'ArrowDown');
      await asked('Set due date', 'dec 11')(page);
      await press(page, 'Enter', 'ArrowDown', 'Delete');
      await opened('Time machine for this list')(page);
      await page.locator('[data-ph=moment-line]').first().waitFor();
      await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    },
  },
  { name: 'trash', show: (page) => palette(page, 'Go to trash') },
  { name: 'sync-status', show: opened('Sync status') },
  { name: 'keys', show: opened('Keys') },
  {
    name: 'keys-own',
    async show(page) {
      await opened('Keys')(page);
      for (const [words, key] of [
        ['Set due date', 'F9'],
        ['Empty trash', 'F10'],
      ] as const) {
        await page.locator('#key-find').fill(words);
        await option(page);
        await press(page, 'Enter', key, 'Enter');
        await page.locator('[data-ph=key-answer]').getByText(key).waitFor();
      }
      await page.locator('#key-find').fill('snooze');
      await page.locator('#key-find').fill('');
      await page.locator('[data-ph=key-sheet]').waitFor();
    },
    isDesk: true,
  },
  {
    name: 'keys-list',
    async show(page) {
      await opened('Keys')(page);
      await press(page, 'ArrowDown');
      await option(page);
    },
  },
  { name: 'cheat-sheet', show: opened('Key cheat sheet') },
  { name: 'settings-general', show: settingsTab('General') },
  { name: 'settings-behavior', show: settingsTab('Behavior') },
  { name: 'settings-appearance', show: settingsTab('Appearance') },
  { name: 'settings-keys', show: settingsTab('Keys'), isDesk: true },
  { name: 'settings-labels', show: settingsTab('Labels') },
  { name: 'settings-data', show: settingsTab('Data') },
  { name: 'sign-up', show: opened('Create an account') },
  { name: 'sign-in', show: opened('Sign in') },
  {
    name: 'empty-list',
    async show(page) {
      await palette(page, 'New list');
      await page.keyboard.type('Garden');
      await press(page, 'Enter');
      await page.locator('[data-ph=empty]').waitFor();
    },
  },
  {
    name: 'message',
    async show(page) {
      await press(page, 'Space');
      await page.locator('[data-ph=message]').waitFor();
    },
  },
  {
    name: 'sidebar',
    async show(page) {
      if ((await page.getByRole('navigation', { name: 'Lists' }).count()) === 0)
        await press(page, 'Control+\\');
      await page.getByRole('navigation', { name: 'Lists' }).waitFor();
    },
  },
];
