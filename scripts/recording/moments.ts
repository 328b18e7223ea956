// The six short recordings of the front page: what one key does, on a screen as narrow as the column that shows them. In light
// and in dark, a few seconds each, without a sound.
import { join } from 'node:path';
import { ROOT } from '../files.ts';
import { encode } from './encode.ts';
import { openSample } from './sample.ts';
import { type Studio, Take } from './stage.ts';

const FOLDER = join(ROOT, 'src/site/media');
const VIEWPORT = { width: 320, height: 384 };
/** Twice as large as it is shown. */
const SIZE = { width: 500, height: 600 };
const CAP_SIZE = 17;

interface Moment {
  readonly name: string;
  readonly act: (take: Take) => Promise<void>;
  /** Keys that bring back what was there before, for the next. */
  readonly undo: readonly string[];
}

export const moments: readonly Moment[] = [
  {
    name: 'capture',
    undo: ['Control+z'],
    async act(take) {
      await take.press('Control+Enter', 0.3);
      await take.type('Oil the gate', 0.07);
      await take.rest(0.9);
      await take.press('Escape', 0.8);
    },
  },
  {
    name: 'date',
    undo: ['Control+z'],
    async act(take) {
      await take.press('d', 0.4);
      await take.type('next fri 5pm', 0.08);
      await take.rest(1);
      await take.press('Enter', 1.2);
    },
  },
  {
    name: 'snooze',
    undo: ['Control+z'],
    async act(take) {
      await take.press('s', 0.4);
      await take.type('mon', 0.12);
      await take.rest(0.9);
      await take.press('Enter', 1.4);
    },
  },
  {
    name: 'label',
    undo: ['Control+z'],
    async act(take) {
      await take.press('Control+l', 0.4);
      await take.type('ph', 0.15);
      await take.rest(0.9);
      await take.press('Enter', 0.5);
      await take.press('Escape', 1);
    },
  },
  {
    name: 'search',
    undo: ['Escape', 'Escape'],
    async act(take) {
      await take.press('/', 0.4);
      await take.type('due:<=friday', 0.09);
      await take.rest(1.6);
    },
  },
  {
    name: 'undo',
    undo: [],
    async act(take) {
      await take.press('Delete', 1.2);
      await take.press('Control+z', 1.6);
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
      deviceScaleFactor: SIZE.width / VIEWPORT.width,
      colorScheme: theme,
      locale: 'en-US',
    });
    const page = await openSample(context, url, 'Household');
    for (const { name, act, undo } of moments) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.keyboard.press('Home');
      for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowDown');
      await page.locator('[data-ph=message]').waitFor({ state: 'detached', timeout: 60_000 });
      const folder = join(work, `${name}-${theme}`);
      const take = await Take.of(page, folder, CAP_SIZE);
      await take.start();
      await take.rest(0.6);
      await act(take);
      const to = take.now;
      const frames = await take.stop();
      for (const key of undo) await page.keyboard.press(key);
      const target = join(FOLDER, `moment-${name}${theme === 'dark' ? '-dark' : ''}`);
      encode({ frames, folder, from: 0, to, ...SIZE }, target, { poster: to - 0.3, crf: 27 });
    }
    await context.close();
  }
}
