// Pictures of the desktop client on Linux, in light and in dark: its window on a virtual screen, with the sample in an account of its person's.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Desktop, hasAll } from '../../test/process/desktop-screen.ts';
import { packDesktop } from '../desktop-package.ts';
import { openSample } from './sample.ts';
import { PASSWORD, signUp } from './shared.ts';
import type { Studio } from './stage.ts';

const EMAIL = 'ann@desktop.example';
const SIZE = '1180 800';
const CAMERA = join(import.meta.dirname, 'screen-picture.js');
/** For a start, for all tasks, and for what is said to go by itself. */
const SETTLED_MS = 8_000;

/** The sample in an account, as it came into it in a browser. */
async function fillAccount({ browser, url }: Studio): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await openSample(context, url);
  await signUp(page, EMAIL);
  await page.locator('[data-ph=sync]').filter({ hasText: 'Synced' }).waitFor({ state: 'attached' });
  await context.close();
}

async function photograph(
  installed: string,
  url: string,
  theme: 'light' | 'dark',
  to: string,
): Promise<void> {
  const desktop = new Desktop(installed);
  try {
    await desktop.unlockKeychain();
    const own = join(desktop.home, '.local/share/posthaste');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: url, key: null }));
    await desktop.run(`export GTK_THEME=Adwaita${theme === 'dark' ? ':dark' : ''}`);
    await desktop.start();
    await desktop.window('^Posthaste$');
    await pause(SETTLED_MS);
    await desktop.palette('Sign in');
    await desktop.type(EMAIL);
    await desktop.run('xdotool key Tab');
    await desktop.type(PASSWORD);
    await desktop.run('xdotool key Return');
    await pause(SETTLED_MS);
    await desktop.palette('Winter issue');
    await desktop.run('xdotool key Home; for step in 1 2 3; do xdotool key Down; done');
    await pause(2 * SETTLED_MS);
    await desktop.run(`gjs ${CAMERA} ${to} ${SIZE}`);
  } finally {
    await desktop.end();
  }
}

/** `desktop-light.png` and `desktop-dark.png` in `folder`. Throws where the machine has no GJS, WebKitGTK or virtual screen. */
export async function takeDesktopPictures(studio: Studio, folder: string): Promise<void> {
  if (!hasAll) throw new Error('Pictures of the desktop client need GJS, WebKitGTK and a virtual screen.');
  const work = mkdtempSync(join(tmpdir(), 'posthaste-desk-pictures-'));
  try {
    const unpacked = spawnSync('dpkg-deb', ['-x', await packDesktop(), work]);
    if (unpacked.status !== 0) throw new Error('The package can’t be unpacked.');
    await fillAccount(studio);
    for (const theme of ['light', 'dark'] as const)
      await photograph(work, studio.url, theme, join(folder, `desktop-${theme}.png`));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
