// The six short recordings of the front page: what one key does, close up, in the app as a computer has it. In light and in dark,
// a few seconds each, without a sound.
import { join } from 'node:path';
import { ROOT } from '../files.ts';
import { encode } from './encode.ts';
import { openSample } from './sample.ts';
import { type Studio, Take } from './stage.ts';

const FOLDER = join(ROOT, 'src/site/media');
/** As narrow as a computer's window may be; its letters are large, because it is shown smaller. */
const VIEWPORT = { width: 768, height: 590 };
const FONT_SIZE = '115';
/** Twice as large as it is shown; of the window's height what shows the tasks. */
const SIZE = { width: 1_288, height: 724 };
const SCALE = SIZE.width / VIEWPORT.width;
const CAP_SIZE = 22;
/** Above the first row; px. */
const AIR = 16;

interface Moment {
  readonly name: string;
  /** `keepStill`: what is on the screen then is the picture that stands there until it is played. */
  readonly act: (take: Take, keepStill: () => void) => Promise<void>;
  /** Shows the window from its upper edge: the search line is there. */
  readonly isFromTop?: true;
  /** Keys that bring back what was there before, for the next. */
  readonly undo: readonly string[];
}

export const moments: readonly Moment[] = [
  {
    name: 'capture',
    undo: ['Control+z'],
    async act(take, keepStill) {
      await take.press('Control+Enter', 0.3);
      await take.type('Oil the gate', 0.07);
      await take.rest(0.8);
      keepStill();
      await take.press('Escape', 0.8);
    },
  },
  {
    name: 'date',
    undo: ['Control+z'],
    async act(take, keepStill) {
      await take.press('d', 0.4);
      await take.type('next fri 5pm', 0.08);
      await take.rest(1);
      keepStill();
      await take.press('Enter', 1.2);
    },
  },
  {
    name: 'snooze',
    undo: ['Control+z'],
    async act(take, keepStill) {
      await take.press('s', 0.4);
      await take.type('mon', 0.12);
      await take.rest(0.9);
      keepStill();
      await take.press('Enter', 1.4);
    },
  },
  {
    name: 'label',
    undo: ['Control+z'],
    async act(take, keepStill) {
      await take.press('Control+l', 0.4);
      await take.type('ph', 0.15);
      await take.rest(0.9);
      keepStill();
      await take.press('Enter', 0.5);
      await take.press('Escape', 1);
    },
  },
  {
    name: 'search',
    undo: ['Escape', 'Escape'],
    isFromTop: true,
    async act(take, keepStill) {
      await take.press('/', 0.4);
      await take.type('due:<=friday', 0.09);
      await take.rest(1.6);
      keepStill();
    },
  },
  {
    name: 'undo',
    undo: [],
    async act(take, keepStill) {
      await take.press('Delete', 1.2);
      await take.press('Control+z', 1.4);
      keepStill();
    },
  },
];

export async function recordMoments(
  { browser, url }: Studio,
  work: string,
  only: readonly string[],
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      deviceScaleFactor: SCALE,
      colorScheme: theme,
      locale: 'en-US',
    });
    await context.addInitScript((size) => {
      localStorage.setItem('posthaste.preference.fontSize', size);
      localStorage.setItem('posthaste.preference.sidebar', 'hidden');
    }, FONT_SIZE);
    const page = await openSample(context, url, 'Household');
    const rows = await page.locator('[data-row]').first().boundingBox();
    for (const { name, act, undo, isFromTop } of moments) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.locator('[data-ph=message]').waitFor({ state: 'detached', timeout: 60_000 });
      const folder = join(work, `${name}-${theme}`);
      const take = await Take.of(page, folder, CAP_SIZE);
      await take.start();
      await take.rest(0.6);
      let still = 0;
      await act(take, () => {
        still = take.now;
      });
      const to = take.now;
      const frames = await take.stop();
      for (const key of undo) await page.keyboard.press(key);
      const target = join(FOLDER, `moment-${name}${theme === 'dark' ? '-dark' : ''}`);
      const top = isFromTop ? 0 : Math.round(SCALE * ((rows?.y ?? 0) - AIR));
      encode({ frames, folder, from: 0, to, ...SIZE, top }, target, {
        poster: Math.min(still - 0.15, to - 0.1),
        crf: 27,
      });
    }
    await context.close();
  }
}
