// Takes the pictures of the README and of the site from the real app: `node scripts/screenshots.ts [readme | shared | phone | desktop | guides [name …]]`.
// Starts a server with an empty folder, imports a sample through the app itself, and photographs what a person would see.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ROOT } from './files.ts';
import { takeDesktopPictures } from './recording/desktop-pictures.ts';
import { takeGuidePictures } from './recording/guide-pictures.ts';
import { openSample } from './recording/sample.ts';
import { openShared, quiet, workTogether } from './recording/shared.ts';
import { type Studio, withApp } from './recording/stage.ts';

const FOLDER = join(ROOT, 'docs/images');
const SITE_FOLDER = join(ROOT, 'src/site/images');

async function photograph(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 720 },
    deviceScaleFactor: 2,
    colorScheme: theme,
    locale: 'en-US',
  });
  const page = await openSample(context, url);
  await page.screenshot({ path: join(FOLDER, `app-${theme}.png`) });
  await context.close();
}

/** A list that two people have, as who shared it sees it. */
async function photographShared(studio: Studio): Promise<void> {
  const options = { viewport: { width: 1_280, height: 720 }, deviceScaleFactor: 2, locale: 'en-US' };
  const [anns, mos] = [await studio.browser.newContext(options), await studio.browser.newContext(options)];
  const pair = await openShared(studio, { anns, mos }, 'readme');
  await workTogether(pair);
  const { ann } = pair;
  for (let step = 0; step < 3; step += 1) await ann.keyboard.press('ArrowDown');
  await ann.keyboard.press('Shift+P');
  await ann.locator('[data-ph=others]').waitFor();
  await quiet(ann);
  await ann.screenshot({ path: join(FOLDER, 'shared-light.png') });
  await anns.close();
  await mos.close();
}

/** The pictures of the site's carousel: three moments, each in light and in dark. */
async function photographPhone(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<void> {
  const phone = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1.5,
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  };
  const context = await browser.newContext({ ...phone, colorScheme: theme });
  const page = await openSample(context, url);
  const take = (name: string) =>
    page.screenshot({
      path: join(SITE_FOLDER, theme === 'light' ? `phone-${name}.png` : `phone-${name}-dark.png`),
    });
  await take('list');
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type('sn');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await take('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.locator('dialog input, [role=combobox]').first().waitFor();
  await page.keyboard.type('next fri 5pm');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await take('date');
  await context.close();
}

const [wanted, ...names] = process.argv.slice(2);
const wants = (what: string) => wanted === undefined || wanted === what;
await withApp(async (studio) => {
  const { browser, url } = studio;
  mkdirSync(FOLDER, { recursive: true });
  mkdirSync(SITE_FOLDER, { recursive: true });
  if (wants('readme')) for (const theme of ['light', 'dark'] as const) await photograph(browser, url, theme);
  if (wants('readme') || wants('shared')) await photographShared(studio);
  if (wants('phone'))
    for (const theme of ['light', 'dark'] as const) await photographPhone(browser, url, theme);
  // It needs more than a browser, so it is taken when it is asked for.
  if (wanted === 'desktop') await takeDesktopPictures(studio, FOLDER);
  if (wants('guides')) await takeGuidePictures(browser, url, names);
});
