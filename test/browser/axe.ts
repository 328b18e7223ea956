// What axe finds wrong on a page, in words.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Empty when nothing is wrong. `loadAxe` must have run in the page. */
export async function violations(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(async (tags) => {
    const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
    const result = await tool.run(document, { runOnly: { type: 'tag', values: tags } });
    return result.violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map(({ html }) => html.slice(0, 160)),
    }));
  }, TAGS);
  return found.map(({ id, targets }) => `${id}: ${targets.join(' | ')}`);
}

/** Brings axe into the page. */
export async function loadAxe(page: Page): Promise<void> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(path, 'utf8'));
}
