// Firefox over WebDriver BiDi. A profile is a user context of one browser.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { launch, type KeyInput, type Page } from 'puppeteer-core';
import { isNetworkNoise, STEP_MS } from '../harness.ts';
import { type Engine, type EngineWindow, partsOf } from './engine.ts';

const NAMES = ['firefox-esr', 'firefox'];
/** What Firefox itself writes when the server is gone. */
const NO_SERVER = /can’t establish a connection to the server|connection to .* was interrupted/;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not ours to run: the caller only wants to know which.
    return false;
  }
}

/** Path of the Firefox in the PATH; null without one. */
export function findFirefox(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function watchProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  const add = (text: string) => {
    if (!isNetworkNoise(text) && !NO_SERVER.test(text)) problems.push(text);
  };
  page.on('pageerror', (error) => add(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') add(message.text());
  });
  return problems;
}

function windowOf(page: Page): EngineWindow {
  page.setDefaultTimeout(STEP_MS);
  const problems = watchProblems(page);
  return {
    problems: () => Promise.resolve(problems),
    async goto(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    async press(name) {
      const { modifiers, key } = partsOf(name) as { modifiers: KeyInput[]; key: KeyInput };
      for (const modifier of modifiers) await page.keyboard.down(modifier);
      await page.keyboard.press(key === ('Space' as KeyInput) ? ' ' : key);
      for (const modifier of modifiers) await page.keyboard.up(modifier);
    },
    type: (text) => page.keyboard.type(text),
    // Both sides await it; the library's own type says so in a way that a generic cannot follow.
    evaluate: <T>(work: () => T | Promise<T>) => page.evaluate(work) as Promise<T>,
    screenshot: () => page.screenshot(),
  };
}

export async function startFirefox(): Promise<Engine> {
  const executablePath = findFirefox();
  if (executablePath === null) throw new Error('Firefox is not installed.');
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1_280, height: 800 },
  });
  return {
    name: 'Firefox',
    version: await browser.version(),
    async open() {
      const context = await browser.createBrowserContext();
      return windowOf(await context.newPage());
    },
    close: () => browser.close(),
  };
}
