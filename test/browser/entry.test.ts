// Quick entry by keys alone, on a desk and on a phone, and what a line of a list suggests while it is typed. And a repeating
// task that two browsers complete without a network.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { parseId } from '#core/ids.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { Network } from './network.ts';
import {
  addTasks,
  command,
  expectEventually,
  installed,
  openApp,
  outline,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** In one line each; what an icon shows is there for those who do not see it. */
const chips = async (page: Page) =>
  (await page.locator('dialog [data-ph=token]').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' ').trim(),
  );
const line = (page: Page) => page.locator('#quick-entry-line');
const metaOf = (page: Page, title: string) =>
  page.locator('[data-row]', { hasText: title }).locator('[id^=meta-]').innerText();

const marks = (within: Locator) => within.locator('[data-ph=token-mark]').allInnerTexts();

/** Each mark of the title stands under the words that it marks: a field cannot be asked, so the text is measured. */
async function areUnderTheirWords(page: Page): Promise<void> {
  const away = await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('[data-ph=title-input]');
    const context = document.createElement('canvas').getContext('2d');
    if (!input || !context) return ['no field'];
    const { font, wordSpacing, direction } = getComputedStyle(input);
    context.font = font;
    context.wordSpacing = wordSpacing;
    const box = input.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>('[data-row] [data-ph=token-mark]')].flatMap((mark) => {
      const words = mark.textContent;
      const at = input.value.indexOf(words);
      const place = mark.getBoundingClientRect();
      const left = box.left - input.scrollLeft + context.measureText(input.value.slice(0, at)).width;
      const isUnder = Math.abs(place.left - left) < 2 && direction === 'ltr';
      const isInLine = place.top >= box.top && place.bottom <= box.bottom;
      return isUnder && isInLine ? [] : [`${words} at ${place.left} and not ${left}`];
    });
  });
  assert.deepEqual(away, []);
}

/** What was typed last has been drawn, and what scrolls with it has followed. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

async function openEntry(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+Space');
  await line(page).waitFor();
}

/** On a touch screen it waits for the next one, in its line. */
async function leave(page: Page): Promise<void> {
  await page
    .locator('[data-ph=message], dialog [data-ph=entry-answer]')
    .filter({ hasText: 'Added' })
    .first()
    .waitFor();
  if ((await line(page).count()) > 0) {
    await expectEventually(() => line(page).inputValue(), '');
    await page.waitForFunction(() => document.activeElement?.id === 'quick-entry-line');
    await page.keyboard.press('Escape');
  }
  await line(page).waitFor({ state: 'detached' });
}

async function inDialog(page: Page): Promise<void> {
  await openEntry(page);
  await page.keyboard.type('Call the printer tomorrow 5pm for 45m #err');
  await page.locator('[data-ph=completion]').filter({ hasText: '#Errands' }).waitFor();
  await page.keyboard.press('Tab');
  await expectEventually(() => chips(page).then((all) => all.length), 2);
  assert.match((await chips(page)).join(' '), /due .*17:00, 45 min.*# ?Errands/s);
  const counting = page.locator('dialog [data-ph=token][data-state=counts]');
  assert.equal(await counting.count(), 2);
  assert.deepEqual(await marks(page.locator('dialog')), ['tomorrow 5pm for 45m', '#Errands']);
  await loadAxe(page);
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0);
  if (await page.evaluate(() => matchMedia('(pointer: coarse)').matches))
    for (const button of await counting.getByRole('button').all()) {
      const { width, height } = must(await button.boundingBox(), 'it is seen');
      assert.ok(Math.min(width, height) >= 44, `${width} by ${height}`);
    }
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('The big one');
  await page.keyboard.press('Control+Enter');
  await leave(page);
  await expectEventually(async () => /tomorrow, 17:00/.test(await metaOf(page, 'Call the printer')), true);
  await expectEventually(() => outline(page).then((all) => all.at(-1)), '- Call the printer');
  await page.keyboard.press('Control+z');
  await expectEventually(() => outline(page).then((all) => all.length), 1);

  await byHand(page);

  // Backspace right behind the words keeps them; a second one deletes.
  await openEntry(page);
  await page.keyboard.type('Sing “every friday” tomorrow');
  await expectEventually(() => chips(page).then((all) => all.length), 1);
  await page.keyboard.press('Backspace');
  await expectEventually(() => chips(page), []);
  assert.equal(await line(page).inputValue(), 'Sing “every friday” tomorrow');
  await page.keyboard.press('Backspace');
  assert.equal(await line(page).inputValue(), 'Sing “every friday” tomorro');
  await page.keyboard.press('Escape');
  await openEntry(page);
  assert.equal(await line(page).inputValue(), 'Sing “every friday” tomorro');
  await page.keyboard.press('Enter');
  await leave(page);
  await expectEventually(() => outline(page).then((all) => all.at(-1)), '- Sing “every friday” tomorro');
}

/** The list and a date are chosen under the title, which stays where it is; Escape leads back to it. */
async function byHand(page: Page): Promise<void> {
  await openEntry(page);
  await page.keyboard.type('Water the plants @gar');
  await page.getByRole('button', { name: 'Suggested: New list @gar' }).waitFor();
  await page.keyboard.press('Backspace');
  const top = async () => must(await line(page).boundingBox(), 'the line is seen').y;
  const before = await top();
  await page.locator('dialog').getByRole('button', { name: 'List: Inbox' }).press('Enter');
  const question = page.locator('[data-ph=entry-question]');
  await question.getByRole('option', { name: 'Inbox' }).waitFor();
  assert.deepEqual(await violations(page), []);
  if (await page.evaluate(() => matchMedia('(width >= 768px)').matches)) assert.equal(await top(), before);
  await question.getByRole('combobox').fill('Shed');
  await question.getByRole('option', { name: 'New list @Shed' }).waitFor();
  await question.getByRole('combobox').press('Enter');
  await question.waitFor({ state: 'detached' });
  await page.locator('dialog').getByRole('button', { name: 'List: Shed' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'quick-entry-line');
  await page.locator('dialog').getByRole('button', { name: 'Due', exact: true }).press('Enter');
  await question.locator('[data-ph=month]').waitFor();
  assert.deepEqual(await violations(page), []);
  await question.getByRole('button', { name: 'Next month' }).click();
  await question.getByRole('combobox').press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await line(page).inputValue(), 'Water the plants @ga');
  await line(page).fill('');
  await page.locator('dialog').getByRole('button', { name: 'List: Shed' }).press('Enter');
  await question.getByRole('option', { name: 'Inbox' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'quick-entry-line');
  await page.keyboard.press('Escape');
  await line(page).waitFor({ state: 'detached' });
}

async function inLine(page: Page, isPhone: boolean): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('Water the plants every 3 days');
  // On a phone the title keeps its room: what is suggested stands in the bar, and in the row for screen readers alone.
  await page
    .locator('[data-row] [data-ph=tokens]')
    .filter({ hasText: 'every 3 days' })
    .waitFor({ state: isPhone ? 'attached' : 'visible' });
  if (isPhone) await page.getByRole('button', { name: 'Keep “every 3 days” as words' }).waitFor();
  assert.deepEqual(await marks(page.locator('[data-row]')), ['every 3 days']);
  await areUnderTheirWords(page);
  assert.deepEqual(await violations(page), []);
  // Elsewhere in the line it deletes.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Backspace');
  await page.locator('[data-row] [data-ph=tokens]').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-ph=title-input]').inputValue(), 'Water the plants every 3 days');
  await page.keyboard.press('Escape');
  await expectEventually(() => page.locator('[data-ph=repeat]').count(), 0);
  // Enter takes what is said, and Backspace in the new line gives it back.
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('Pay rent every 3 days');
  await page.keyboard.press('Enter');
  await page.locator('[data-row] [data-ph=repeat]').waitFor();
  await page.keyboard.press('Backspace');
  const field = page.locator('[data-ph=title-input]');
  await expectEventually(() => field.inputValue(), 'Pay rent every 3 days');
  assert.equal(await page.locator('[data-ph=repeat]').count(), 0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expectEventually(() => outline(page).then((all) => all.includes('- Pay rent every 3 days')), true);
  assert.equal(await page.locator('[data-ph=repeat]').count(), 0);
}

describe('what is said while typing', () => {
  const browser = withBrowser({ hasWorkers: true });

  for (const [name, options] of [
    ['a desk', {}],
    ['a phone', { ...PHONE, colorScheme: 'dark' as const }],
  ] as const) {
    test(`[ENTRY-2] [ENTRY-4] [ENTRY-7] quick entry and suggestions go by keys, on ${name}`, async (t) => {
      const server = await serve(t);
      const { page } = await openApp(t, browser(), server.url, options);
      await addTasks(page, ['Plan']);
      await command(page, 'New label…');
      await page.keyboard.type('Errands');
      await page.keyboard.press('Enter');
      await page.locator('#palette-input').waitFor({ state: 'hidden' });
      await inDialog(page);
      await inLine(page, name === 'a phone');
    });
  }

  test('[ENTRY-4] twelve tasks typed three times as fast as 120 words a minute are all there, with their dates, marked as they were typed', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const days = ['tomorrow', 'on monday', 'tomorrow 5pm'];
    const titles = Array.from({ length: 12 }, (_, at) => `Call number ${at} of the list`);
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-ph=title-input]').waitFor();
    for (const [at, title] of titles.entries()) {
      // 120 words a minute are ten keys a second.
      await page.keyboard.type(`${title} ${days[at % days.length]}`, { delay: 33 });
      if (at % 6 === 0) await areUnderTheirWords(page);
      await page.keyboard.press(at === titles.length - 1 ? 'Escape' : 'Enter');
    }
    await expectEventually(async () => (await outline(page)).map((row) => row.replace(/^- /, '')), titles);
    await page.keyboard.press('/');
    await page.keyboard.type('has:due');
    await expectEventually(
      async () => (await page.locator('#announce-polite').textContent())?.trim(),
      '12 results.',
    );
  });

  test('[ENTRY-4] what is being written has the room, and marks stay under their words in a line longer than its field', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await page.keyboard.press('Control+Enter');
    const field = page.locator('[data-ph=title-input]');
    await field.waitFor();
    await page.keyboard.type('Fix the gutter behind the house saturday 10am every month for 2h');
    await page.locator('[data-ph=token-mark]').first().waitFor();
    const [row, room] = [await page.locator('[data-row]').boundingBox(), await field.boundingBox()];
    assert.ok((room?.width ?? 0) > (row?.width ?? 0) / 3, `the field has ${room?.width} px`);
    await drawn(page);
    await areUnderTheirWords(page);
    await page.keyboard.type(' and whatever else there is to say of it');
    await expectEventually(() => field.evaluate((input) => input.scrollLeft > 100), true);
    await drawn(page);
    await areUnderTheirWords(page);
    await page.keyboard.press('Home');
    await expectEventually(() => field.evaluate((input) => input.scrollLeft), 0);
    await drawn(page);
    await areUnderTheirWords(page);
  });

  test('[ENTRY-10] a title left before dates can be read is read once they can', async (t) => {
    const server = await serve(t);
    const held = Promise.withResolvers<Network>();
    const { page } = await openApp(t, browser(), server.url, {
      prepare: async (context) => {
        const network = await Network.in(context);
        network.hold(/\/commands-/);
        held.resolve(network);
      },
    });
    const network = await held.promise;
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-ph=title-input]').waitFor();
    await page.keyboard.type('Call Ann tomorrow');
    await page.keyboard.press('Escape');
    await expectEventually(() => outline(page), ['- Call Ann tomorrow']);
    await network.decide('goes');
    await expectEventually(() => outline(page), ['- Call Ann']);
    assert.match(await metaOf(page, 'Call Ann'), /tomorrow/);
  });

  test('[SYNC-9] [SYNC-14] two browsers complete a repeating task apart: one advance, one record', async (t) => {
    const server = await serve(t);
    const first = await openApp(t, browser(), server.url);
    const second = await openApp(t, browser(), server.url);
    await signUp(first.page, 'pair@example.org');
    await addTasks(first.page, ['Water the plants']);
    await first.page.keyboard.press('d');
    await first.page.locator('#palette-input').waitFor();
    await first.page.keyboard.type('tomorrow');
    await first.page.keyboard.press('Enter');
    await first.page.locator('#palette-input').waitFor({ state: 'hidden' });
    await first.page.keyboard.press('r');
    await first.page.locator('#palette-input').waitFor();
    await first.page.keyboard.type('every 3 days');
    await first.page.locator('[role=option][aria-selected=true]', { hasText: 'Every 3 days' }).waitFor();
    await first.page.keyboard.press('Enter');
    await first.page.locator('[data-row] [data-ph=repeat]').waitFor();
    await synced(first.page);
    await signIn(second.page, 'pair@example.org');
    await second.page.locator('[data-row] [data-ph=repeat]').waitFor();
    const before = await metaOf(first.page, 'Water');
    for (const { context, page } of [first, second]) {
      await installed(page);
      await context.setOffline(true);
    }
    for (const { page } of [first, second]) {
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await expectEventually(async () => (await metaOf(page, 'Water')) === before, false);
    }
    for (const { context, page } of [first, second]) {
      await context.setOffline(false);
      await synced(page, 30_000);
    }
    const after = await metaOf(first.page, 'Water');
    await expectEventually(() => metaOf(second.page, 'Water'), after);
    const in4 = await first.page.evaluate(() => {
      const day = new Date();
      day.setDate(day.getDate() + 4);
      return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(day);
    });
    assert.ok(after.includes(in4), `${after} is one step on, ${in4}`);
    assert.equal(await completions(server), 1);
    // Whoever takes it back takes the advance and the record back, on both.
    await first.page.keyboard.press('Control+z');
    for (const { page } of [first, second]) {
      await expectEventually(() => metaOf(page, 'Water'), before);
      await synced(page);
    }
    assert.equal(await completions(server), 0);
  });
});

/** Records of completed occurrences that count. */
async function completions({ database }: Awaited<ReturnType<typeof serve>>): Promise<number> {
  const { db, store } = database;
  const { personal_scope: scope } = await db
    .selectFrom('account')
    .select('personal_scope')
    .where('email', '=', 'pair@example.org')
    .executeTakeFirstOrThrow();
  const rows = await store.snapshot(parseId(scope) ?? assert.fail('no scope'), null, 1_000);
  return rows.filter(({ type, fields }) => type === 'completion' && fields['del'] === undefined).length;
}
