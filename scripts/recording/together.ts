// The recordings of two people in one list, for the front page, in light and in dark: both their screens side by side, and for a
// phone one of them, which is a phone.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../files.ts';
import { encode, encodePair } from './encode.ts';
import { Finger } from './finger.ts';
import { openShared, quiet } from './shared.ts';
import { type Studio, Take } from './stage.ts';

const FOLDER = join(ROOT, 'src/site/media');
const VIEWPORT = { width: 336, height: 360 };
/** Of one of the screens, twice as large as it is shown. */
const SIZE = { width: 560, height: 600 };
const CAP_SIZE = 17;

/** Ann's phone; Mo is at a computer. */
const PHONE = { width: 350, height: 430 };
const PHONE_SIZE = { width: 700, height: 860 };

async function act(ann: Take, mo: Take): Promise<void> {
  await mo.repeat('ArrowDown', 2, 0.45);
  await mo.rest(0.4);
  await mo.press('Space', 0.9);
  await mo.repeat('ArrowDown', 1, 0.3);
  await ann.press('Control+Enter', 0.3);
  await ann.type('Buy candles', 0.07);
  await ann.rest(0.5);
  await ann.press('Escape', 0.5);
  await ann.press('Shift+P', 1.3);
}

export async function recordTogether(studio: Studio, work: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    const options = {
      viewport: VIEWPORT,
      deviceScaleFactor: SIZE.width / VIEWPORT.width,
      colorScheme: theme,
      locale: 'en-US',
    };
    const [anns, mos] = [await studio.browser.newContext(options), await studio.browser.newContext(options)];
    const pair = await openShared(studio, { anns, mos }, theme);
    for (const page of [pair.ann, pair.mo]) await quiet(page);
    const folders = { ann: join(work, `ann-${theme}`), mo: join(work, `mo-${theme}`) };
    const ann = await Take.of(pair.ann, folders.ann, CAP_SIZE);
    const mo = await Take.of(pair.mo, folders.mo, CAP_SIZE);
    await ann.start();
    await mo.start();
    await ann.rest(0.6);
    await act(ann, mo);
    const to = mo.now;
    const sides = [
      { frames: await ann.stop(), folder: folders.ann },
      { frames: await mo.stop(), folder: folders.mo },
    ] as const;
    const target = join(FOLDER, `moment-together${theme === 'dark' ? '-dark' : ''}`);
    encodePair(sides, { to, ...SIZE, gap: theme === 'dark' ? '0x272a30' : '0xdfe2e7' }, target);
    await anns.close();
    await mos.close();
  }
}

/** Mo does one task and goes on; Ann adds one by touch, which Mo takes. */
async function actByTouch(ann: Take, mo: Page): Promise<void> {
  const { page } = ann;
  const { keyboard } = mo;
  const finger = await Finger.of(page);
  for (let step = 0; step < 2; step += 1) {
    await keyboard.press('ArrowDown');
    await ann.rest(0.6);
  }
  await keyboard.press('Space');
  await ann.rest(0.9);
  await keyboard.press('ArrowDown');
  await ann.rest(0.8);
  await finger.tap(page.getByRole('button', { name: 'New task', exact: true }));
  await page.locator('[data-ph=title-input]').waitFor();
  await ann.rest(0.3);
  await ann.type('Buy candles', 0.08);
  await ann.rest(0.5);
  await finger.tap(page.getByRole('button', { name: 'Done', exact: true }));
  await ann.rest(0.8);
  await mo.locator('[data-row]').filter({ hasText: 'Buy candles' }).click();
  await ann.rest(0.6);
  await keyboard.press('Shift+P');
  await ann.rest(1.4);
}

export async function recordTogetherByTouch(studio: Studio, work: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    const phone = { hasTouch: true, isMobile: true, deviceScaleFactor: PHONE_SIZE.width / PHONE.width };
    const look = { colorScheme: theme, locale: 'en-US' };
    const anns = await studio.browser.newContext({ viewport: PHONE, ...phone, ...look });
    const mos = await studio.browser.newContext({ viewport: { width: 1_000, height: 700 }, ...look });
    const pair = await openShared(studio, { anns, mos }, `touch-${theme}`);
    // Keys that brought the sample in are forgotten with the page they were pressed in.
    await pair.ann.reload();
    await pair.ann.locator('[data-row]').first().waitFor();
    for (const page of [pair.ann, pair.mo]) await quiet(page);
    await pair.ann.locator('[data-ph=others]').first().waitFor({ state: 'attached' });
    const folder = join(work, `together-touch-${theme}`);
    const ann = await Take.of(pair.ann, folder, 0);
    await ann.start();
    await ann.rest(0.6);
    await actByTouch(ann, pair.mo);
    const to = ann.now;
    const frames = await ann.stop();
    const target = join(FOLDER, `gesture-together${theme === 'dark' ? '-dark' : ''}`);
    encode({ frames, folder, from: 0, to, ...PHONE_SIZE }, target, { poster: to - 0.3, crf: 27 });
    await anns.close();
    await mos.close();
  }
}
