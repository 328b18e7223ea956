// The palette on screen: what assistive technology is told, where the focus goes, how large it is. What it lists is
// test/keystrokes/palette.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

async function open(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(text);
}

/** Roles and names as they stand in the document, and what of them is wrong. */
const markup = (page: Page) =>
  page.evaluate(() => {
    const input = document.querySelector('#palette-input');
    const options = [...document.querySelectorAll('#palette-list [role=option]')];
    const active = document.getElementById(input?.getAttribute('aria-activedescendant') ?? '');
    const dialog = document.querySelector('[data-ph=palette]');
    return {
      dialog: [dialog?.getAttribute('role'), dialog?.getAttribute('aria-label')],
      input: [
        'role',
        'aria-expanded',
        'aria-controls',
        'aria-autocomplete',
        'autocomplete',
        'spellcheck',
      ].map((name) => input?.getAttribute(name)),
      help: input?.getAttribute('aria-describedby'),
      hasFocus: document.activeElement === input,
      isActiveSelected: active?.getAttribute('aria-selected'),
      selected: options.filter((option) => option.ariaSelected === 'true').length,
      labelled: options.filter((option) => option.hasAttribute('aria-label')).length,
      duplicates: options.length - new Set(options.map(({ id }) => id)).size,
      spaces: options.filter(({ id }) => /\s/.test(id)).length,
      groups: document.querySelectorAll('#palette-list [role=group]').length,
      caps: [...document.querySelectorAll('#palette-list [data-ph=keys]')].every(
        (caps) => caps.ariaHidden === 'true',
      ),
    };
  });

const voice = (page: Page) => page.locator('[data-ph=palette] [role=status]').textContent();
const optionId = (page: Page, name: string) =>
  page.locator('[role=option]').filter({ hasText: name }).first().getAttribute('id');

describe('the palette', () => {
  const browser = withBrowser({ isWhole: true });

  test('[PAL-19] [PAL-21] is a combobox over a list that axe finds nothing in, and gives the focus back', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url, {
      colorScheme: 'dark',
    });
    await loadAxe(page);
    await addTasks(page, ['Read the manual', 'Write the reply']);
    // The region that speaks is there before there is anything to say.
    await expectEventually(() => page.locator('[data-ph=palette] [role=status]').count(), 1);
    await open(page);
    assert.deepEqual(await markup(page), {
      dialog: ['dialog', 'Command palette'],
      input: ['combobox', 'true', 'palette-list', 'list', 'off', 'false'],
      help: 'palette-help',
      hasFocus: true,
      isActiveSelected: 'true',
      selected: 1,
      labelled: 0,
      duplicates: 0,
      spaces: 0,
      groups: 0,
      caps: true,
    });
    const box = await page.locator('[data-ph=palette]').boundingBox();
    assert.equal(box?.width, 640);
    assert.equal(Math.round(box?.y ?? 0), 96);
    const row = await page.locator('[role=option]').first().boundingBox();
    assert.equal(row?.height, 36);
    const footer = page.locator('#palette-help');
    await page.keyboard.type('move');
    await expectEventually(
      () => footer.innerText(),
      '↵\nEnter\nrun\nAlt+↵\nAlt+Enter\nchange its key\nTab\nTab\ncomplete\nEsc\nEscape\nback',
    );
    await expectEventually(() => voice(page).then((said) => /^\d+ results$/.test(said ?? '')), true);
    const before = await optionId(page, 'Move to list');
    await page.keyboard.type(' li');
    assert.equal(await optionId(page, 'Move to list'), before);
    assert.deepEqual(await violations(page), [], 'dimmed items');
    await page.keyboard.press('Tab');
    await expectEventually(() => voice(page), 'Move to list, Move to which list?');
    assert.deepEqual(await violations(page), [], 'a step');
    await page.keyboard.type('Errands');
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=message]').filter({ hasText: 'to Errands' }).waitFor();
    await expectEventually(() => page.locator('[data-ph=lesson]').innerText(), 'Next time:\nm');
    await command(page, 'New label');
    await page.keyboard.type('High');
    await page.keyboard.press('Enter');
    await open(page, 'add or remove a label');
    await page.keyboard.press('Enter');
    await page.locator('[role=option]').filter({ hasText: 'High' }).waitFor();
    assert.deepEqual(await violations(page), [], 'labels with what they are');
    await page.keyboard.press('Escape');
    // Back to the very caret.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await open(page, 'guide snoozing');
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    const guide = await opened;
    await guide.waitForURL('**/guides/snoozing');
    await guide.close();
    await open(page);
    await page.keyboard.press('Escape');
    const caret = () =>
      page.evaluate(() => {
        const field = document.activeElement;
        return field instanceof HTMLInputElement ? [field.value, field.selectionStart] : null;
      });
    await expectEventually(caret, ['Read the manual', 2]);
  });

  test('[PAL-19] [PAL-20] on Apple platforms the active item is said too, on a phone it fills the screen', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      userAgent: MAC,
    });
    await loadAxe(page);
    await addTasks(page, ['Buy stamps']);
    await page.keyboard.press('Meta+k');
    await page.locator('#palette-input').waitFor();
    await page.keyboard.type('snooze');
    await expectEventually(
      () => voice(page).then((said) => /^Snooze…, key s, Commands, 1 of \d+$/.test(said ?? '')),
      true,
    );
    const box = await page.locator('[data-ph=palette]').boundingBox();
    assert.deepEqual([box?.x, box?.y, box?.width], [0, 0, 390]);
    assert.ok((box?.height ?? 0) > 800);
    const row = await page.locator('[role=option]').first().boundingBox();
    assert.equal(row?.height, 44);
    assert.deepEqual(await violations(page), []);
    // What keys do is pressed.
    await page.getByRole('button', { name: 'change its key' }).waitFor();
    await page.locator('#palette-input').fill('');
    const options = page.locator('#palette-list [role=option]');
    const drawn = await options.count();
    await page.locator('#palette-list').evaluate((list) => (list.scrollTop = -list.scrollHeight));
    await expectEventually(() => options.count().then((count) => count > drawn), true);
    await page.locator('#palette-input').fill('@in');
    await page.getByRole('button', { name: 'look inside' }).tap();
    await page.locator('[role=option]').filter({ hasText: 'Buy stamps' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.locator('#palette-input').waitFor({ state: 'hidden' });
  });
});
