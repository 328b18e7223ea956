// The six short recordings that a phone shows on the front page instead of those of keys (moments.ts): what a finger does, in the
// app as a small phone has it. In light and in dark, a few seconds each, without a sound.
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { ROOT } from '../files.ts';
import { encode } from './encode.ts';
import { Finger, middleOf } from './finger.ts';
import { openSample } from './sample.ts';
import { quiet } from './shared.ts';
import { type Studio, Take } from './stage.ts';

const FOLDER = join(ROOT, 'src/site/media');
/** A narrow phone: in a column of 250 px its words are still large enough to be read. */
const VIEWPORT = { width: 325, height: 416 };
/** Twice as large as it is shown. */
const SIZE = { width: 500, height: 640 };

interface Phone {
  readonly page: Page;
  readonly finger: Finger;
  readonly take: Take;
  /** What is on the screen now is the picture that stands there until it is played. */
  readonly keepStill: () => void;
}

interface Gesture {
  readonly name: string;
  readonly act: (phone: Phone) => Promise<void>;
}

const row = (page: Page, title: string) => page.locator('[data-row]').filter({ hasText: title });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Each begins with the same list. */
const gestures: readonly Gesture[] = [
  {
    name: 'finish',
    async act({ page, finger, take, keepStill }) {
      await finger.draw(await middleOf(row(page, 'Call the plumber')), { x: 130 }, 0.6);
      await take.rest(0.3);
      keepStill();
      await finger.lift();
      await take.rest(1.6);
    },
  },
  {
    name: 'snooze',
    async act({ page, finger, take, keepStill }) {
      const { x, y } = await middleOf(row(page, 'Defrost the freezer'));
      await finger.draw({ x: x + 110, y }, { x: -150 }, 0.6);
      await take.rest(0.3);
      keepStill();
      await finger.lift();
      await take.rest(0.9);
      await finger.tap(page.getByRole('option', { name: 'Tomorrow' }));
      await take.rest(1.6);
    },
  },
  {
    name: 'date',
    async act({ page, finger, take, keepStill }) {
      await finger.tap(row(page, 'Defrost the freezer'));
      await take.rest(0.7);
      await finger.tap(button(page, 'Due'));
      await take.rest(0.6);
      await finger.tap(page.locator('#palette-input'));
      await take.type('fri 5pm', 0.1);
      await take.rest(0.9);
      keepStill();
      await finger.tap(button(page, 'Set'));
      await take.rest(0.8);
      await finger.tap(button(page, 'Close'));
      await take.rest(1.4);
    },
  },
  {
    name: 'add',
    async act({ page, finger, take, keepStill }) {
      await finger.draw(await middleOf(row(page, 'Water the plants')), { y: 110 }, 0.6);
      await take.rest(0.3);
      keepStill();
      await finger.lift();
      await page.locator('[data-ph=title-input]').waitFor();
      await take.rest(0.3);
      await take.type('Oil the gate', 0.08);
      await take.rest(0.7);
      await finger.tap(button(page, 'Done'));
      await take.rest(1.2);
    },
  },
  {
    name: 'search',
    async act({ page, finger, take, keepStill }) {
      await finger.tap(button(page, 'Search'));
      await take.rest(0.5);
      await take.type('shelves', 0.11);
      await take.rest(1.6);
      keepStill();
    },
  },
  {
    name: 'undo',
    async act({ page, finger, take, keepStill }) {
      await finger.tap(row(page, 'Put the trash out').getByRole('checkbox'));
      await take.rest(1.1);
      keepStill();
      await finger.tap(button(page, 'Undo'));
      await take.rest(1.6);
    },
  },
];

/** As a phone shows it: keys that brought the sample in are forgotten with the page they were pressed in. */
async function openPhone(context: BrowserContext, url: string): Promise<Page> {
  const page = await openSample(context, url, 'Household');
  await page.reload();
  await row(page, 'Water the plants').waitFor();
  return page;
}

export async function recordGestures(
  { browser, url }: Studio,
  work: string,
  only: readonly string[],
): Promise<void> {
  for (const theme of ['light', 'dark'] as const)
    for (const { name, act } of gestures) {
      if (only.length > 0 && !only.includes(name)) continue;
      const context = await browser.newContext({
        viewport: VIEWPORT,
        deviceScaleFactor: SIZE.width / VIEWPORT.width,
        hasTouch: true,
        isMobile: true,
        colorScheme: theme,
        locale: 'en-US',
      });
      const page = await openPhone(context, url);
      await quiet(page);
      const finger = await Finger.of(page);
      const folder = join(work, `phone-${name}-${theme}`);
      const take = await Take.of(page, folder, 0);
      await take.start();
      await take.rest(0.6);
      let still = 0;
      const keepStill = () => {
        still = take.now;
      };
      await act({ page, finger, take, keepStill });
      const to = take.now;
      const frames = await take.stop();
      await context.close();
      const target = join(FOLDER, `gesture-${name}${theme === 'dark' ? '-dark' : ''}`);
      encode({ frames, folder, from: 0, to, ...SIZE }, target, {
        poster: Math.min(still, to - 0.3),
        crf: 27,
      });
    }
}
