// What axe finds wrong on a page, in words.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface Asked {
  /** Only these rules. */
  readonly only?: readonly string[];
  /** All but these. */
  readonly without?: readonly string[];
}

/** Empty when nothing is wrong. `loadAxe` must have run in the page. */
export async function violations(page: Page, { only, without = [] }: Asked = {}): Promise<readonly string[]> {
  const options = {
    runOnly: only
      ? { type: 'rule' as const, values: [...only] }
      : { type: 'tag' as const, values: [...TAGS] },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    // Only what is wrong is looked at: describing all that is right takes most of the time.
    resultTypes: ['violations' as const],
    selectors: false,
    preload: false,
  };
  const found = await page.evaluate(async (asked) => {
    const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
    const result = await tool.run(document, asked);
    return result.violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map(({ html }) => html.slice(0, 160)),
    }));
  }, options);
  return found.map(({ id, targets }) => `${id}: ${targets.join(' | ')}`);
}

/** Brings axe into the page. */
export async function loadAxe(page: Page): Promise<void> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(path, 'utf8'));
}
