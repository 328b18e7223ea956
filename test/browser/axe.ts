// What axe finds wrong on a page, in words.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Empty when nothing is wrong; of all rules, or only some. `loadAxe` must have run in the page. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const runOnly = rules
    ? ({ type: 'rule', values: [...rules] } as const)
    : ({ type: 'tag', values: TAGS } as const);
  const found = await page.evaluate(async (only) => {
    const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
    const result = await tool.run(document, { runOnly: { type: only.type, values: [...only.values] } });
    return result.violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map(({ html }) => html.slice(0, 160)),
    }));
  }, runOnly);
  return found.map(({ id, targets }) => `${id}: ${targets.join(' | ')}`);
}

/** Brings axe into the page. */
export async function loadAxe(page: Page): Promise<void> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(path, 'utf8'));
}
