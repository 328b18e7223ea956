// The recording of two people in one list, for the front page: both their screens side by side, in light and in dark.
import { join } from 'node:path';
import { ROOT } from '../files.ts';
import { encodePair } from './encode.ts';
import { openShared, quiet } from './shared.ts';
import { type Studio, Take } from './stage.ts';

const FOLDER = join(ROOT, 'src/site/media');
const VIEWPORT = { width: 336, height: 360 };
/** Of one of the screens, twice as large as it is shown. */
const SIZE = { width: 560, height: 600 };
const CAP_SIZE = 17;

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
