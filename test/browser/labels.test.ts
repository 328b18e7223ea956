// Labels and bookmarks in a real browser, by keys alone, on a desktop and on a phone; no violation that axe knows of.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { addTasks, command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async (tags) => {
    const { axe: tool } = globalThis as unknown as { readonly axe: typeof axe };
    const result = await tool.run(document, { runOnly: { type: 'tag', values: tags } });
    return result.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  }, TAGS);
}

/** The label shown on each row; more of them are a number. */
const chips = (page: Page) => page.locator('[data-row] [data-ph=label]:visible').allInnerTexts();

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['POSTHASTE_SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

describe('labels', () => {
  const browser = withBrowser();

  for (const { name, viewport } of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`created, put on, managed and bookmarked by keys: ${name}, ${colorScheme}`, async (t) => {
        const server = await serve(t);
        const { page } = await openApp(t, browser(), server.url, { viewport, colorScheme });
        await addTasks(page, ['Read the manual', 'Write the reply']);
        await page.keyboard.press('Escape');
        const input = page.getByRole('combobox', { name: 'Find or create a label' });
        await page.keyboard.press('Control+L');
        await input.waitFor();
        await page.keyboard.type('Urgent');
        await page.keyboard.press('Enter');
        await expectEventually(() => chips(page), ['Urgent']);
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Control+L');
        await page.keyboard.type('ur');
        await page.keyboard.press('Control+Enter');
        const option = page.getByRole('option', { name: /^Urgent/ });
        await expectEventually(() => option.getAttribute('aria-checked'), 'true');
        assert.deepEqual(await violations(page), []);
        await shoot(page, `picker-${name}-${colorScheme}`);
        await page.keyboard.press('Escape');
        await expectEventually(() => chips(page), ['Urgent', 'Urgent']);
        assert.deepEqual(await violations(page), []);
        await shoot(page, `rows-${name}-${colorScheme}`);
        await page.keyboard.press('Control+K');
        await page.keyboard.type('manage labels');
        await page.keyboard.press('Enter');
        await page.getByRole('combobox', { name: 'Find a label or name a new one' }).waitFor();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('Soon');
        await page.keyboard.press('Enter');
        await page.getByText('Renamed ‘Urgent’ to ‘Soon’.').first().waitFor();
        assert.deepEqual(await violations(page), []);
        await shoot(page, `manager-${name}-${colorScheme}`);
        await page.keyboard.press('Escape');
        await expectEventually(() => chips(page), ['Soon', 'Soon']);
        await page.keyboard.press('Control+B');
        await page.getByText('Bookmarked ‘Read the manual’.').first().waitFor();
        if (name === 'phone') await page.keyboard.press('Control+\\');
        await page.getByRole('treeitem', { name: 'Read the manual' }).waitFor();
        assert.deepEqual(await violations(page), []);
        await shoot(page, `bookmark-${name}-${colorScheme}`);
      });
    }
  }

  test('[LABEL-12] renamed in the list, colored and shown by keys alone', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Read the manual', 'Write the reply']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+L');
    await page.getByRole('combobox', { name: 'Find or create a label' }).waitFor();
    await page.keyboard.type('Urgent');
    await page.keyboard.press('Enter');
    await expectEventually(() => chips(page), ['Urgent']);
    await command(page, 'Manage labels');
    const find = page.getByRole('combobox', { name: 'Find a label or name a new one' });
    await find.waitFor();
    await page.getByRole('option', { name: 'Urgent , 1 open' }).waitFor();
    await page.keyboard.press('F2');
    const renaming = page.getByRole('textbox', { name: 'New name of Urgent' });
    await renaming.waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.type('Soon');
    await page.keyboard.press('Enter');
    await renaming.waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /^Soon/ }).waitFor();
    const isInField = () => find.evaluate((element) => element === document.activeElement);
    await expectEventually(isInField, true);
    const color = page.getByRole('radiogroup', { name: 'Color' }).getByRole('radio', { checked: true });
    const before = await color.getAttribute('aria-label');
    await color.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^‘Soon’ is now in/).waitFor();
    assert.notEqual(await color.getAttribute('aria-label'), before);
    await find.focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expectEventually(() => page.locator('[data-row]:visible').count(), 1);
    await page.locator('[data-row]', { hasText: 'Write the reply' }).waitFor();
  });

  for (const { name, viewport } of SIZES)
    test(`[LABEL-13] [LABEL-14] grouped in the picker, and below the lists, where one leads to its tasks: ${name}`, async (t) => {
      const server = await serve(t);
      const isPhone = name === 'phone';
      const { page } = await openApp(t, browser(), server.url, { viewport, hasTouch: isPhone });
      await addTasks(page, ['Read the manual', 'Write the reply']);
      await page.keyboard.press('Escape');
      for (const label of ['Urgent', 'Phone']) {
        await page.keyboard.press('Control+L');
        await page.getByRole('combobox', { name: 'Find or create a label' }).waitFor();
        await page.keyboard.type(label);
        await page.keyboard.press('Enter');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Control+L');
      await page.getByRole('group', { name: 'Labels', exact: true }).getByRole('option').first().waitFor();
      assert.equal(await page.getByRole('group', { name: 'On this task' }).count(), 0);
      const scrim = page
        .locator('dialog')
        .evaluate((it) => getComputedStyle(it, '::backdrop').backgroundColor);
      if (!isPhone) assert.equal(await scrim, 'rgba(0, 0, 0, 0)');
      await page.keyboard.press('Escape');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Control+L');
      await page
        .getByRole('group', { name: 'On this task' })
        .getByRole('option', { name: /^Urgent/ })
        .waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      if (isPhone) await page.keyboard.press('Control+\\');
      const aside = page.getByRole('group', { name: 'Labels' }).getByRole('treeitem', { name: 'Urgent' });
      await aside.waitFor();
      assert.deepEqual(await violations(page), []);
      await (isPhone ? aside.tap() : aside.click());
      if (isPhone) await page.getByRole('navigation', { name: 'Lists' }).waitFor({ state: 'detached' });
      await expectEventually(() => page.locator('#search-input').inputValue(), 'label:Urgent');
      await expectEventually(() => page.locator('[data-row]:visible').count(), 1);
      await page.locator('[data-row]', { hasText: 'Write the reply' }).waitFor();
    });
});
