// Two windows of one account write in the same note: what both type is there, once, and nobody's caret moves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  serve,
  signIn,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

const notes = (page: Page) => page.locator('#notes-text');
const text = (page: Page): Promise<string> => notes(page).innerText();

/** What stands on both sides of the caret, where the note is one line without marks. */
function around(page: Page): Promise<readonly [before: string, after: string]> {
  return notes(page).evaluate((element) => {
    const { focusNode, focusOffset } = document.getSelection() as Selection & { focusNode: Node };
    const before = document.createRange();
    before.setStart(element, 0);
    before.setEnd(focusNode, focusOffset);
    const after = document.createRange();
    after.setStart(focusNode, focusOffset);
    after.setEnd(element, element.childNodes.length);
    return [String(before), String(after)] as const;
  });
}

/** Opens the notes of the task at the cursor, with the caret at the start or the end. */
async function openNotes(page: Page, caret: 'start' | 'end'): Promise<void> {
  await page.keyboard.press('Control+/');
  // What shows formatting is brought when the app is idle.
  await page.locator('[data-ph=note], [data-ph=write-notes]').waitFor();
  await page.keyboard.press('n');
  await page.locator('[data-ph=notes-field] #notes-text:focus').waitFor();
  await page.keyboard.press(caret === 'start' ? 'Control+Home' : 'Control+End');
}

describe('notes', () => {
  const browser = withBrowser({ hasWorkers: true, isWhole: true });

  test('[SYNC-16] two windows type in one note at once, and again after one was offline', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const one = (await openApp(t, shared, server.url)).page;
    await signUp(one, 'notes@example.org');
    await addTasks(one, ['Plan']);
    await openNotes(one, 'end');
    await one.keyboard.type('middle');
    await synced(one);
    const second = await openApp(t, shared, server.url);
    const two = second.page;
    await signIn(two, 'notes@example.org');
    await expectOutline(two, ['- Plan']);
    await openNotes(two, 'start');
    await expectEventually(() => text(two), 'middle');
    await two.keyboard.press('Control+Home');

    const words = (name: string) => Array.from({ length: 12 }, (_, index) => `${name}${index} `).join('');
    await Promise.all([
      one.keyboard.type(` ${words('end')}`.trimEnd(), { delay: 30 }),
      two.keyboard.type(words('start'), { delay: 30 }),
    ]);
    const both = `${words('start')}middle ${words('end').trimEnd()}`;
    await expectEventually(() => text(one), both);
    await expectEventually(() => text(two), both);
    await expectEventually(() => around(one), [both, '']);
    await expectEventually(() => around(two), [words('start'), both.slice(words('start').length)]);

    await second.context.setOffline(true);
    await two.keyboard.type('offline ');
    await one.keyboard.type(', online');
    await synced(one);
    await expectEventually(() => text(two), `${words('start')}offline ${both.slice(words('start').length)}`);
    await second.context.setOffline(false);
    const all = `${words('start')}offline middle ${words('end').trimEnd()}, online`;
    await expectEventually(() => text(one), all);
    await expectEventually(() => text(two), all);
    await expectEventually(() => around(one), [all, '']);
    await expectEventually(async () => (await around(two))[0], `${words('start')}offline `);

    // Reading it again from the server finds the same.
    await synced(two);
    await two.reload();
    await two.locator('[data-row]').first().waitFor();
    await openNotes(two, 'end');
    await expectEventually(() => text(two), all);
  });

  test('[NOTE-13] undo takes back one’s own, an input method is not disturbed, whatever others write', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const one = (await openApp(t, shared, server.url)).page;
    await signUp(one, 'undo@example.org');
    await addTasks(one, ['Plan']);
    await openNotes(one, 'end');
    // In one go: what is typed with a pause in it is taken back in two steps.
    await one.keyboard.insertText('first second');
    await synced(one);
    const two = (await openApp(t, shared, server.url)).page;
    await signIn(two, 'undo@example.org');
    await expectOutline(two, ['- Plan']);
    await openNotes(two, 'start');
    await expectEventually(() => text(two), 'first second');
    await two.keyboard.press('Control+Home');
    await two.keyboard.type('theirs ');
    await expectEventually(() => text(one), 'theirs first second');

    // Theirs came in between: only what was typed here goes, and comes back.
    await one.keyboard.press('Control+z');
    await expectEventually(() => text(one), 'theirs ');
    await expectEventually(() => text(two), 'theirs ');
    await one.keyboard.press('Control+y');
    await expectEventually(() => text(one), 'theirs first second');
    await expectEventually(() => text(two), 'theirs first second');

    // A word is being composed at the end while the other writes at the start, and before the word itself.
    const keyboard = await one.context().newCDPSession(one);
    const compose = (word: string) =>
      keyboard.send('Input.imeSetComposition', {
        text: word,
        selectionStart: word.length,
        selectionEnd: word.length,
      });
    await one.keyboard.press('Control+End');
    await one.keyboard.type(' ');
    await compose('に');
    await two.keyboard.press('Control+Home');
    await two.keyboard.type('more ');
    await expectEventually(() => text(two), 'more theirs first second に');
    await compose('にほ');
    await compose('にほん');
    assert.equal(await text(one), 'theirs first second にほん', 'what comes in waits');
    await keyboard.send('Input.insertText', { text: '日本' });
    await expectEventually(() => text(one), 'more theirs first second 日本');
    await expectEventually(() => text(two), 'more theirs first second 日本');
    await expectEventually(() => around(one), ['more theirs first second 日本', '']);
  });

  test('[NOTE-1] [NOTE-2] [NOTE-3] [NOTE-6] [NOTE-10] [NOTE-11] by keys alone: write, check, open, leave, reload offline', async (t) => {
    const server = await serve(t);
    const shared = browser();
    const { page, context } = await openApp(t, shared, server.url, { colorScheme: 'dark' });
    await installed(page);
    await addTasks(page, ['Plan']);
    await openNotes(page, 'end');
    const field = page.locator('[data-ph=notes-field]');
    const lines = [
      '# Launch **plan**',
      '- [ ] first',
      'second',
      '',
      `see [the app](${server.url}/app)`,
      '<img src=x onerror=alert(1)> [bad](javascript:alert(2))',
    ];
    for (const line of lines) {
      await page.keyboard.type(line);
      await page.keyboard.press('Enter');
    }
    // What is marked is read in portions: a slow machine draws it a moment after the letters.
    await expectEventually(() => field.locator('.cm-strong').innerText(), 'plan');
    await expectEventually(() => field.locator('.cm-h1').innerText(), 'Launch plan');
    await expectEventually(() => field.locator('[role=checkbox]').count(), 2);
    // Marks come back where the caret is.
    await page.keyboard.press('Control+Home');
    await expectEventually(() => field.locator('.cm-h1').innerText(), '# Launch plan');
    await page.keyboard.press('End');
    await expectEventually(() => field.locator('.cm-h1').innerText(), '# Launch **plan**');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    const isFirstChecked = () => field.locator('[role=checkbox]').first().getAttribute('aria-checked');
    await expectEventually(isFirstChecked, 'true');
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Control+o');
    const tab = await opened;
    await tab.waitForURL(`${server.url}/app/`);
    assert.equal(await tab.evaluate(() => window.opener), null);
    await tab.close();

    await page.keyboard.press('Escape');
    await page.locator('[data-row][data-ph-cursor]:focus').waitFor();
    const note = page.locator('[data-ph=note]');
    await expectEventually(() => note.locator('strong').innerText(), 'plan');
    await expectEventually(() => note.locator('a').allInnerTexts(), ['the app']);
    assert.equal(await note.locator('img').count(), 0);
    assert.match(await note.innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.deepEqual(await violations(page), []);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(await violations(page), []);
    // Tab leads out of the outline, after Escape, to the checkboxes; Space presses.
    const boxes = note.getByRole('checkbox');
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await expectEventually(() => boxes.nth(1).getAttribute('aria-checked'), 'true');
    assert.equal(await boxes.nth(1).evaluate((box) => box === document.activeElement), true);

    // The pointer does the same, and writing begins where it presses.
    await boxes.nth(0).click();
    await expectEventually(() => boxes.nth(0).getAttribute('aria-checked'), 'false');
    const word = note.getByText('second', { exact: true });
    const { width = 0, height = 0 } = (await word.boundingBox()) ?? {};
    await word.click({ position: { x: width / 2, y: height / 2 } });
    await page.locator('[data-ph=notes-field] #notes-text:focus').waitFor();
    await page.keyboard.type('-');
    await expectEventually(async () => /se-cond|sec-ond|seco-nd/.test(await text(page)), true);
    await page.keyboard.press('Backspace');
    await field.locator('[role=checkbox]').first().click();
    await expectEventually(isFirstChecked, 'true');
    await page.keyboard.press('Escape');

    await expectEventually(() => syncText(page), 'Only on this device');
    await context.setOffline(true);
    await page.reload();
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('Control+/');
    await expectEventually(() => note.locator('strong').innerText(), 'plan');
    await expectEventually(
      () => boxes.evaluateAll((all) => all.map((box) => box.ariaChecked)),
      ['true', 'true'],
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await expectEventually(
      () => violations(page).catch(() => loadAxe(page).then(() => violations(page))),
      [],
    );
  });

  test('[NOTE-14] until formatting is loaded notes are plain text, and nothing is lost when it comes', async (t) => {
    const server = await serve(t);
    const { page, context } = await openApp(t, browser(), server.url, {
      serviceWorkers: 'block',
      expected: /Service Worker|Working offline/,
    });
    await addTasks(page, ['Plan']);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route(/\/editor-/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('n');
    await page.locator('textarea#notes-text:focus').waitFor();
    await page.keyboard.type('**bo');
    const loaded = page.waitForResponse(/\/editor-/);
    release();
    await (await loaded).finished();
    await page.keyboard.type('ld**');
    await expectEventually(() => page.locator('textarea#notes-text').inputValue(), '**bold**');
    await page.keyboard.press('Escape');
    await expectEventually(() => page.locator('[data-ph=note] strong').innerText(), 'bold');
    await page.keyboard.press('n');
    await page.locator('[data-ph=notes-field] #notes-text:focus').waitFor();
    await expectEventually(() => text(page), '**bold**');
  });

  test('[NOTE-21] a word as long as a book is drawn without kerning, which would take the browser a minute', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Plan']);
    await page.keyboard.press('Escape');
    await openNotes(page, 'end');
    const kerning = (selector: string) =>
      page.locator(selector).evaluate((node) => getComputedStyle(node).fontKerning);
    await page.keyboard.insertText('Some words. ');
    // What is typed is laid out before anything can look at it.
    assert.equal(await kerning('#notes-text'), 'none');
    await page.keyboard.press('Escape');
    await page.locator('[data-ph=note]').waitFor();
    assert.equal(await kerning('[data-ph=note]'), 'auto');
    await page.keyboard.press('n');
    await page.locator('[data-ph=notes-field] #notes-text:focus').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('b'.repeat(250_000));
    await page.keyboard.press('Escape');
    await page.locator('[data-ph=note]').waitFor();
    await expectEventually(() => kerning('[data-ph=note]'), 'none');
    // Letters that join are shaped again up to the next place where a line may break.
    const places = () => page.locator('[data-ph=note] wbr').count();
    await expectEventually(async () => (await places()) >= 495, true);
    // The rest of it follows.
    const drawn = async () => (await page.locator('[data-ph=note]').innerText()).length;
    await expectEventually(drawn, 250_012);
  });
});
