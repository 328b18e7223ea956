// Chromium as one engine among others; the other journeys drive it directly.
import type { Page } from 'playwright-core';
import { launch, watchProblems } from '../harness.ts';
import type { Engine, EngineWindow } from './engine.ts';

function windowOf(page: Page): EngineWindow {
  const problems = watchProblems(page);
  return {
    problems: () => Promise.resolve(problems),
    async goto(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    evaluate: (work) => page.evaluate(work),
    screenshot: () => page.screenshot(),
  };
}

export async function startChromium(): Promise<Engine> {
  const browser = await launch({ hasWorkers: true, isWhole: true });
  return {
    name: 'Chromium',
    version: browser.version(),
    async open() {
      const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
      return windowOf(await context.newPage());
    },
    close: () => browser.close(),
  };
}
