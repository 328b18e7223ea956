import { chromium } from 'playwright-core';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { addTasks, command, ready } from './test/browser/harness.ts';
import { join } from 'node:path';
const out = '/tmp/repeats-scratch';
const read = readConfig({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
if (!read.ok) throw new Error('x');
const server = await startServer(
  { ...read.config, dataDir: ':memory:' },
  {
    appFolder: join(import.meta.dirname, 'dist/app'),
    hashParameters: { memory: 64, passes: 1, parallelism: 1 },
  },
);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
for (const [name, options] of [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
  ['desk-dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
] as const) {
  const context = await browser.newContext({ locale: 'en-GB', ...options } as never);
  const page = await context.newPage();
  await page.goto(`${server.url}/app`);
  await ready(page);
  await addTasks(page, ['Plan the party', 'Book a room', 'Water the plants']);
  await command(page, 'New label…');
  await page.keyboard.type('Errands');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('Call Ann every friday at 9 for 45m #errands');
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/line-${name}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Space');
  await page.locator('#quick-entry-line').waitFor();
  await page.keyboard.type('Call the printer tomorrow 5pm for 45m #errands @in');
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${out}/entry-${name}.png` });
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('The big one');
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/entry-notes-${name}.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  for (const key of ['d']) {
    await page.keyboard.press(key);
    await page.locator('#palette-input').waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${out}/due-${name}.png` });
    await page.keyboard.press('Tab');
    await page.waitForTimeout(200);
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${out}/due-grid-${name}.png` });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  await context.close();
}
await browser.close();
await server.close();
