// Two windows of one account write in the same note: what both type is there, once, and nobody's caret moves.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import {
  addTasks,
  expectEventually,
  expectOutline,
  launch,
  openApp,
  serve,
  signIn,
  signUp,
  synced,
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
  let browser: Browser | undefined;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  test('[SYNC-16] two windows type in one note at once, and again after one was offline', async (t) => {
    const server = await serve(t);
    const shared = must(browser, 'launched');
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
    assert.deepEqual(await around(one), [both, '']);
    assert.deepEqual(await around(two), [words('start'), both.slice(words('start').length)]);

    await second.context.setOffline(true);
    await two.keyboard.type('offline ');
    await one.keyboard.type(', online');
    await synced(one);
    assert.equal(await text(two), `${words('start')}offline ${both.slice(words('start').length)}`);
    await second.context.setOffline(false);
    const all = `${words('start')}offline middle ${words('end').trimEnd()}, online`;
    await expectEventually(() => text(one), all);
    await expectEventually(() => text(two), all);
    assert.deepEqual(await around(one), [all, '']);
    assert.equal((await around(two))[0], `${words('start')}offline `);

    // Reading it again from the server finds the same.
    await synced(two);
    await two.reload();
    await two.locator('[data-row]').first().waitFor();
    await openNotes(two, 'end');
    await expectEventually(() => text(two), all);
  });
});
