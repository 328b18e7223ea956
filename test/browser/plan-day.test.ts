// Planning time and planning a day by keys in a browser: what is typed goes into the fields, Enter and Space do what they say, and nothing
// is in the way of those who hear the page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { addTasks, command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]');
const task = (page: Page) => page.locator('[data-ph=plan-task] h3').innerText();

/** Opens a picker by its key, says the words and accepts. */
async function say(page: Page, key: string, words: string, expected: RegExp): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(words);
  await chosen(page).filter({ hasText: expected }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

describe('planning a day', () => {
  const browser = withBrowser();

  test('[CAL-50] [CAL-55] time is planned by keys, and the row says when', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Write the letter']);
    await page.keyboard.press('Home');
    // The command loads with the rest of the app, and its key with it.
    await command(page, 'Plan time for this task…');
    await page.locator('#palette-input[aria-label^="When, and how long"]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#palette-input').waitFor({ state: 'hidden' });
    await page.keyboard.press('b');
    await page.locator('#palette-input').waitFor();
    await loadAxe(page);
    await page.keyboard.type('tomorrow 9:00 45m');
    await chosen(page)
      .filter({ hasText: /45 min/ })
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    const row = page.locator('[data-row]', { hasText: 'Write the letter' });
    await row
      .getByText(/planned tomorrow/)
      .first()
      .waitFor({ state: 'attached' });
    assert.deepEqual(await violations(page), []);
  });

  test('[CAL-80] [CAL-82] [CAL-83] each task of today in turn, by keys alone', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['One', 'Two', 'Three', 'Four']);
    await page.keyboard.press('Home');
    for (let n = 0; n < 4; n += 1) {
      await say(page, 'd', 'today', /today/);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.locator('[data-ph=plan-day]').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    const first = await task(page);
    await page.locator('[data-ph=plan-task]:focus').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('textbox', { name: 'When?', exact: true }).waitFor();
    await page.keyboard.type('tomorrow 9:00 45m');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.getByText(`Planned ‘${first}’`).waitFor();
    const second = await task(page);
    assert.notEqual(second, first);
    await page.keyboard.press('Space');
    await page.getByText(`Completed ‘${second}’`).waitFor();
    await page.keyboard.press('Control+z');
    await expectEventually(() => task(page), second);
    await page.keyboard.press('t');
    await page.keyboard.press('e');
    await page.getByLabel('How long does it take?').waitFor();
    await page.keyboard.type('1h30');
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=plan-task]').getByText('1 h 30 min').first().waitFor();
    const third = await task(page);
    // Space presses the button that has the focus.
    await page.getByRole('button', { name: 'Skip' }).focus();
    await page.keyboard.press('Space');
    await expectEventually(async () => (await task(page)) !== third, true);
    await page.keyboard.press('Escape');
    const summary = page.locator('[data-ph=plan-summary]');
    await summary.waitFor();
    assert.match(
      await summary.innerText(),
      /^1 task planned for 45 min, 1 moved to tomorrow\. 2 left as they were\./,
    );
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=plan-day]').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page
      .locator('[data-ph=place]')
      .getByText(/planned/)
      .waitFor();
  });
});
