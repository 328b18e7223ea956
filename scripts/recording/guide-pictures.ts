// The pictures of the guides: moments of the real app, in light and in dark, on a computer and on a phone, twice as large as they are
// shown. A picture is taken where it shows more than words; which guide shows it is said there.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ROOT } from '../files.ts';
import { webpOf } from './encode.ts';
import { openSample, palette } from './sample.ts';

const FOLDER = join(ROOT, 'src/site/guides/images');
/** `tall` is for what is taller: a dialog is shown whole. */
const FORMS = [
  { ending: '', usual: { width: 960, height: 480 }, tall: { width: 960, height: 580 } },
  { ending: '-phone', usual: { width: 350, height: 420 }, tall: { width: 350, height: 520 } },
] as const;
type Form = (typeof FORMS)[number];

interface Shot {
  readonly name: string;
  /** Brings the app to the moment. */
  readonly act: (page: Page) => Promise<void>;
  readonly isTall?: true;
  /** What it did is taken back for the next. */
  readonly changes?: true;
  /** Where a phone shows less at once: what else it takes there. */
  readonly onPhone?: (page: Page) => Promise<void>;
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Something is chosen in what the last key opened. */
const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]').first().waitFor();

const SHOTS: readonly Shot[] = [
  {
    name: 'command-palette',
    async act(page) {
      await press(page, 'Control+k');
      await page.locator('#palette-input').waitFor();
      await page.keyboard.type('sno');
      await chosen(page);
    },
  },
  {
    name: 'labels',
    isTall: true,
    async act(page) {
      await press(page, 'Control+l');
      await page.locator('dialog input').first().waitFor();
    },
  },
  {
    name: 'snoozing',
    isTall: true,
    async act(page) {
      await press(page, 's');
      await page.locator('[role=combobox]').first().waitFor();
      await page.keyboard.type('mon 9am');
      await chosen(page);
    },
  },
  {
    name: 'repeating-tasks',
    isTall: true,
    async act(page) {
      // A task without a date: the rule names the first one.
      await press(page, 'ArrowDown', 'ArrowDown');
      await press(page, 'r');
      await page.locator('[role=combobox]').first().waitFor();
      await page.keyboard.type('every 2 weeks on mon');
      await chosen(page);
    },
  },
  {
    name: 'start-dates',
    changes: true,
    async act(page) {
      await press(page, 't');
      await page.locator('[role=combobox]').first().waitFor();
      await page.keyboard.type('next week');
      await chosen(page);
      await press(page, 'Enter');
    },
  },
  {
    name: 'focus-tasks',
    async act(page) {
      await press(page, 'Home', 'z');
    },
  },
  {
    name: 'bookmarked-tasks',
    changes: true,
    async act(page) {
      await press(page, 'Home', 'Control+b');
    },
    async onPhone(page) {
      await press(page, 'Control+\\');
      await page.getByRole('navigation', { name: 'Lists' }).waitFor();
    },
  },
  {
    name: 'notes',
    changes: true,
    async act(page) {
      await press(page, 'n');
      await page.locator('[contenteditable=true], textarea').first().waitFor();
      await press(page, 'Control+End', 'Enter', 'Enter');
      await page.keyboard.type('- [ ] a **short** greeting\n');
      await page.keyboard.type('what comes next, with a [link](/guides)');
    },
  },
  {
    name: 'quick-entry',
    async act(page) {
      await press(page, 'Control+Shift+Space');
      await page.locator('dialog :is(input, textarea)').first().waitFor();
      await page.keyboard.type('Call the printer tomorrow 5pm for 45m #phone');
    },
  },
  {
    name: 'reminders',
    isTall: true,
    async act(page) {
      // One that is due in some days, whenever the picture is taken.
      await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await press(page, 'a');
      await page.locator('[role=combobox]').first().waitFor();
      await chosen(page);
    },
  },
  {
    name: 'search-operators',
    async act(page) {
      await press(page, '/');
      await page.keyboard.type('due:<=7d is:open');
      await page.locator('[data-row]').first().waitFor();
    },
  },
  {
    name: 'find-and-replace',
    isTall: true,
    async act(page) {
      await press(page, 'Control+Shift+f');
      await page.locator('dialog input').first().waitFor();
      await page.keyboard.type('letters');
      await press(page, 'Tab');
      await page.keyboard.type('postcards');
    },
  },
  {
    name: 'hotkeys',
    async act(page) {
      await press(page, '?');
      await page.locator('dialog').waitFor();
    },
  },
  {
    name: 'smart-lists',
    async act(page) {
      await press(page, 'g', 'u');
      await page.locator('h1').filter({ hasText: 'Upcoming' }).waitFor();
    },
  },
  {
    name: 'themes',
    async act(page) {
      await palette(page, 'Settings');
      await page.locator('dialog').waitFor();
      await page.keyboard.type('accent');
    },
  },
];

interface Taking {
  readonly context: BrowserContext;
  readonly url: string;
  readonly theme: 'light' | 'dark';
  readonly form: Form;
}

async function takeOne({ context, url, theme, form }: Taking, shot: Shot): Promise<void> {
  const { name, act, changes, isTall, onPhone } = shot;
  // The tasks are kept by the browser: a new page stands where the last one stood.
  const page = await context.newPage();
  await page.setViewportSize(isTall === true ? form.tall : form.usual);
  await page.goto(`${url}/app/`);
  await page.locator('[data-ph=app]').waitFor();
  await page.waitForLoadState('networkidle');
  await palette(page, 'Winter issue');
  await page.locator('h1').filter({ hasText: 'Winter issue' }).waitFor();
  await press(page, 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
  await act(page);
  if (form.ending === '-phone') await onPhone?.(page);
  // What an act brings in is drawn within a few frames.
  await page.waitForTimeout(400);
  const file = join(FOLDER, `${name}${form.ending}${theme === 'dark' ? '-dark' : ''}.webp`);
  const png = file.replace(/webp$/, 'png');
  await page.screenshot({ path: png });
  webpOf(png, file);
  rmSync(png);
  console.log(`${file}: ${Math.round(statSync(file).size / 1_024)} KB`);
  if (changes === true) {
    await press(page, 'Control+z');
    await page.waitForTimeout(400);
  }
  await page.close();
}

/** `only`: names of those that are wanted, `name-phone` for a phone's; none for all. */
export async function takeGuidePictures(
  browser: Browser,
  url: string,
  only: readonly string[],
): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  for (const theme of ['light', 'dark'] as const)
    for (const form of FORMS) {
      const shots = SHOTS.filter(({ name }) => isWanted(name + form.ending));
      if (shots.length === 0) continue;
      const context = await browser.newContext({
        viewport: form.usual,
        deviceScaleFactor: 2,
        colorScheme: theme,
        locale: 'en-US',
        reducedMotion: 'reduce',
        ...(form.ending === '-phone' ? { hasTouch: true, isMobile: true } : {}),
      });
      await openSample(context, url);
      for (const shot of shots) await takeOne({ context, url, theme, form }, shot);
      await context.close();
    }
}
