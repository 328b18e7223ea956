// Draws every screen of the app in light, dark, high contrast, on a tablet and on a phone: `npm run screenshots [name …]`. The folder
// dist/screens has a page to look through. What cannot be shown, what axe finds and what is wider than the screen is named, and
// the run fails.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { loadAxe, violations } from './axe.ts';
import { ROOT } from './files.ts';
import { goToTask, openSample } from './recording/sample.ts';
import { type Screen, screens, sharedScreens } from './recording/screens.ts';
import { openShared, workTogether } from './recording/shared.ts';
import { type Studio, withApp } from './recording/stage.ts';

const FOLDER = join(ROOT, 'dist/screens');
const DESKTOP = { viewport: { width: 1_440, height: 900 } };
const FINGERS = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const kinds: Readonly<Record<string, BrowserContextOptions>> = {
  light: { ...DESKTOP, colorScheme: 'light' },
  dark: { ...DESKTOP, colorScheme: 'dark' },
  contrast: { ...DESKTOP, colorScheme: 'light', contrast: 'more' },
  tablet: { ...FINGERS, viewport: { width: 820, height: 1_180 }, colorScheme: 'light' },
  phone: { ...FINGERS, viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'phone-dark': { ...FINGERS, viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
};

/** Settles what is still moving, and gives fonts and pictures their time. */
const QUIET_MS = 350;

/** Where the pictures of a kind begin: what is stored in the browser, and the list and the task that are gone to. */
interface Beginning {
  readonly state: Awaited<ReturnType<BrowserContext['storageState']>>;
  readonly goThere: (page: Page) => Promise<void>;
}

async function alone({ browser, url }: Studio, kind: string): Promise<Beginning> {
  const first = await browser.newContext({ ...kinds[kind], locale: 'en-US' });
  await openSample(first, url);
  const state = await first.storageState({ indexedDB: true });
  await first.close();
  return { state, goThere: (page) => goToTask(page) };
}

/** The other one stays there, and is seen. */
async function inCompany(studio: Studio, kind: string, mos: BrowserContext): Promise<Beginning> {
  const anns = await studio.browser.newContext({ ...kinds[kind], locale: 'en-US' });
  const pair = await openShared(studio, { anns, mos }, kind);
  await workTogether(pair);
  await pair.ann.locator('[data-ph=assignee]').first().waitFor({ state: 'attached' });
  const state = await anns.storageState({ indexedDB: true });
  await anns.close();
  return {
    state,
    async goThere(page) {
      await goToTask(page, 'Household');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.locator('[data-ph=others]').first().waitFor({ state: 'attached' });
    },
  };
}

async function draw(
  { browser, url }: Studio,
  kind: string,
  { state, goThere }: Beginning,
  wanted: readonly Screen[],
): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, show } of wanted) {
    // Each begins anew: nothing of the one before is on it.
    const context = await browser.newContext({ ...kinds[kind], locale: 'en-US', storageState: state });
    context.setDefaultTimeout(8_000);
    try {
      const page = await context.newPage();
      await page.goto(`${url}/app/`);
      await page.locator('[data-row]').first().waitFor();
      await goThere(page);
      await show(page);
      // Whoever has a phone has no keys: those of this script leave no keycaps behind.
      if (kinds[kind]?.isMobile === true)
        await page.evaluate(() => document.documentElement.removeAttribute('data-ph-keys'));
      await page.waitForTimeout(QUIET_MS);
      await page.screenshot({ path: join(FOLDER, `${name}-${kind}.png`) });
      await loadAxe(page);
      for (const found of await violations(page)) failed.push(`${name} (${kind}): ${found}`);
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
        failed.push(`${name} (${kind}): wider than the screen`);
    } catch (error) {
      failed.push(
        `${name} (${kind}): ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
      );
    } finally {
      await context.close();
    }
  }
  return failed;
}

function indexOf(names: readonly string[]): string {
  const picture = (name: string, kind: string) =>
    `<a href="${name}-${kind}.png"><img src="${name}-${kind}.png" alt="${name}, ${kind}" loading="lazy" width="320"></a>`;
  const rows = names.map(
    (name) =>
      `<h2>${name}</h2><p>${Object.keys(kinds)
        .map((kind) => picture(name, kind))
        .join('\n')}</p>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>img { vertical-align: top; border: 1px solid #ccc } h2 { font: 600 1rem system-ui }</style>\n${rows.join('\n')}\n`;
}

const names = process.argv.slice(2);
const isWanted = ({ name }: Screen) => names.length === 0 || names.includes(name);
const [wanted, wantedShared] = [screens.filter(isWanted), sharedScreens.filter(isWanted)];
if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await withApp(async (studio) => {
  const failed: string[] = [];
  for (const kind of Object.keys(kinds)) {
    const isPhone = kind !== 'light' && kind !== 'dark' && kind !== 'contrast';
    const here = wanted.filter(({ isDesk }) => !(isPhone && isDesk));
    if (here.length > 0) failed.push(...(await draw(studio, kind, await alone(studio, kind), here)));
    if (wantedShared.length === 0) continue;
    const mos = await studio.browser.newContext({ ...DESKTOP, locale: 'en-US' });
    failed.push(...(await draw(studio, kind, await inCompany(studio, kind, mos), wantedShared)));
    await mos.close();
  }
  writeFileSync(join(FOLDER, 'index.html'), indexOf([...screens, ...sharedScreens].map(({ name }) => name)));
  console.log(`Drawn into ${FOLDER}; look through index.html.`);
  for (const one of failed) console.error(`Not as it should be: ${one}`);
  if (failed.length > 0) process.exitCode = 1;
});
