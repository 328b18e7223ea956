// Three people in one shared list, in three browsers at once: all of them do everything that is done to tasks, one of them
// without a network, with the page closed and opened again meanwhile. In the end nobody has lost anything.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import type { RunningServer } from '#server/server.ts';
import {
  addTasks,
  type Client,
  command,
  expectEventually,
  expectOutline,
  installed,
  openApp,
  outline,
  ready,
  serve,
  signUp,
  synced,
  syncText,
  withBrowser,
} from './harness.ts';

const BEGINNING = ['Book a train', 'Pack', 'Buy maps', 'Water', 'Tent', 'Songs', 'Snacks', 'Keys', 'Gas'];
/** Longer than what is not heard of somebody is shown. */
const GONE_MS = 40_000;

async function person(
  t: TestContext,
  browser: Browser,
  server: RunningServer,
  name: string,
): Promise<Client> {
  const client = await openApp(t, browser, server.url, { expected: /40[134]|409/ });
  await signUp(client.page, `${name}@example.org`);
  await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
  return client;
}

/** Shares the open list and returns the token of its link. */
async function share(page: Page): Promise<string> {
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog', { name: 'Share list' }).getByText('become').first().waitFor();
  await page.keyboard.press('Enter');
  const link = page.locator('[data-ph=invite-link]');
  await link.waitFor();
  const token = new URL(await link.innerText()).searchParams.get('token');
  await page.keyboard.press('Escape');
  return must(token, 'the link has a token');
}

async function join(page: Page, token: string): Promise<void> {
  const status = await page.evaluate(async (path) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(path, { method: 'POST', headers })).status;
  }, `/app/api/sharing/invitations/${token}`);
  assert.equal(status, 200);
  await page.getByRole('treeitem', { name: /Trip/ }).click();
}

/** The title of the task that keys are about, once the last key is drawn. Runs in the page. */
async function readCursor(): Promise<string> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return document.querySelector('[data-ph-cursor] [data-ph=title]')?.textContent ?? '';
}

/** Puts the cursor on a task by keys. */
async function stand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Home');
  for (let row = 0; row < 60; row += 1) {
    if ((await page.evaluate(readCursor)) === title) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`no task is called ${title}: ${(await outline(page)).join(', ')}`);
}

/** What one person does to tasks of the list: everything, by keys. */
interface Doings {
  readonly adds: readonly string[];
  readonly renames: readonly [string, string];
  readonly completes: string;
  /** Goes up by one. */
  readonly rises: string;
  /** Goes under the task above it. */
  readonly indents: string;
  readonly comments: readonly [string, string];
  readonly labels: readonly [string, string];
  /** Put into the trash and taken back by undo. */
  readonly undoes: string;
  /** Given to oneself. */
  readonly takes: string;
}

async function comment(page: Page, title: string, text: string): Promise<void> {
  await stand(page, title);
  await page.keyboard.press('c');
  await page.locator('[data-ph=comment-field]').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.locator('[data-ph=comment]').getByText(text).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function label(page: Page, title: string, name: string): Promise<void> {
  await stand(page, title);
  await page.keyboard.press('Control+L');
  await page.getByRole('combobox', { name: 'Find or create a label' }).waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function work(page: Page, doings: Doings): Promise<void> {
  const { adds, renames, completes, rises, indents, comments, labels, undoes, takes } = doings;
  await page.keyboard.press('End');
  await addTasks(page, adds);
  const [was, becomes] = renames;
  await stand(page, was);
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(becomes);
  await page.keyboard.press('Escape');
  await stand(page, completes);
  await page.keyboard.press('Space');
  await stand(page, rises);
  await page.keyboard.press('Alt+ArrowUp');
  await stand(page, indents);
  await page.keyboard.press('Tab');
  await comment(page, ...comments);
  await label(page, ...labels);
  await stand(page, takes);
  await page.keyboard.press('Shift+P');
  await stand(page, undoes);
  const isThere = async () => (await outline(page)).some((line) => line.includes(undoes));
  await page.keyboard.press('Delete');
  await expectEventually(isThere, false);
  await page.keyboard.press('Control+z');
  await expectEventually(isThere, true);
}

/** What each row says: its place, its title, its labels, how many comments it has and whose it is. Runs in the page. */
function readRows(): readonly string[] {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  rows.sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex));
  return rows.map((row) => {
    const texts = (part: string) =>
      [...row.querySelectorAll<HTMLElement>(`[data-ph=${part}]`)].map((each) => each.innerText).toSorted();
    const who = [...row.querySelectorAll<HTMLElement>('[data-ph=assignee] [data-text]')].map(
      (each) => each.dataset['text'],
    );
    const isDone = (row.dataset['phState'] ?? '').includes('complete');
    const level = row.getAttribute('aria-level');
    return [level, isDone, texts('title'), texts('label'), texts('comments'), who].join(' | ');
  });
}

const rowsOn = (page: Page) => page.evaluate(readRows);

/** The list as the server has it, like the outline of a page. */
async function onServer({ database }: RunningServer): Promise<readonly string[]> {
  const { id } = await database.db
    .selectFrom('scope')
    .select('id')
    .where('kind', '=', 'list')
    .executeTakeFirstOrThrow();
  const rows = await database.store.snapshot(id, null, 10_000);
  const list = must(
    rows.find((row) => nameOf(row) === 'Trip'),
    'the list is there',
  );
  const lines = (parent: Id, level: number): readonly string[] =>
    childrenOf(rows, parent).flatMap((row) => {
      const mark = (fieldOf(row, 'status') ?? null) === null ? '-' : 'x';
      const line = `${'  '.repeat(level)}${mark} ${fieldOf(row, 'title') ?? ''}`;
      return [line, ...lines(row.id, level + 1)];
    });
  return lines(list.id, 0);
}

function childrenOf(rows: readonly Row[], parent: Id): readonly Row[] {
  return rows
    .filter((row) => row.type === 'task' && placeOf(row)?.parent === parent && !isTrashed(row))
    .toSorted((a, b) => ((placeOf(a)?.key ?? '') < (placeOf(b)?.key ?? '') ? -1 : 1));
}

/** The people beside the rows of a page. */
const others = (page: Page) =>
  page.locator('[data-ph=task]').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const text = document.getElementById(row.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
      return text === '' ? [] : [`${row.querySelector('[data-ph=title]')?.textContent ?? ''}: ${text}`];
    }),
  );

describe('three people in a shared list', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[SHARE-345] do everything at once, one of them offline: all end with the same, and nothing is lost or there twice', async (t) => {
    const server = await serve(t);
    const { page: ann } = await person(t, browser(), server, 'ann');
    const { page: ben } = await person(t, browser(), server, 'ben');
    const { page: first, context } = await person(t, browser(), server, 'cid');
    let cid = first;
    await command(ann, 'New list…');
    await ann.keyboard.type('Trip');
    await ann.keyboard.press('Enter');
    await addTasks(ann, BEGINNING);
    await synced(ann);
    const token = await share(ann);
    for (const page of [ben, cid]) await join(page, token);
    for (const page of [ann, ben, cid]) {
      await expectOutline(
        page,
        BEGINNING.map((title) => `- ${title}`),
      );
      await synced(page);
    }

    // Everybody sees where the others are.
    await stand(ann, 'Pack');
    await stand(ben, 'Tent');
    await stand(cid, 'Water');
    await expectEventually(() => others(ann), ['Water: Cid is here', 'Tent: Ben is here']);
    await expectEventually(() => others(ben), ['Pack: Ann is here', 'Water: Cid is here']);
    await expectEventually(() => others(cid), ['Pack: Ann is here', 'Tent: Ben is here']);

    await installed(cid);
    await context.setOffline(true);
    await expectEventually(() => others(ann), ['Tent: Ben is here'], GONE_MS);
    await work(cid, {
      adds: ['Lamp', 'Rope'],
      renames: ['Buy maps', 'Buy two maps'],
      completes: 'Keys',
      rises: 'Gas',
      indents: 'Rope',
      comments: ['Tent', 'It leaks'],
      labels: ['Tent', 'Repair'],
      undoes: 'Songs',
      takes: 'Water',
    });
    const benWorks = work(ben, {
      adds: ['Stove', 'Matches'],
      renames: ['Water', 'Water, ten liters'],
      completes: 'Keys',
      rises: 'Snacks',
      indents: 'Matches',
      comments: ['Tent', 'I bring it'],
      labels: ['Pack', 'Saturday'],
      undoes: 'Gas',
      takes: 'Tent',
    });
    await work(ann, {
      adds: ['Tickets', 'Seats'],
      renames: ['Songs', 'Songs for the bus'],
      completes: 'Book a train',
      rises: 'Tent',
      indents: 'Seats',
      comments: ['Pack', 'Not too much'],
      labels: ['Snacks', 'Shopping'],
      // None that another person's next key is about: it would go to the task below.
      undoes: 'Buy maps',
      takes: 'Snacks',
    });
    await benWorks;
    await Promise.all([synced(ann), synced(ben)]);

    // The page is closed and opened again without a network, and the work goes on.
    const waiting = await syncText(cid);
    assert.match(waiting, /^Offline · \d+ changes waiting$/);
    const reopened = await context.newPage();
    await cid.close();
    cid = reopened;
    await cid.goto(`${server.url}/app/`);
    await ready(cid);
    await expectEventually(() => syncText(cid), waiting);
    await command(cid, 'Trip');
    await expectEventually(async () => (await outline(cid)).includes('  - Rope'), true);
    await cid.keyboard.press('End');
    await addTasks(cid, ['First aid']);
    await comment(cid, 'Lamp', 'With batteries');
    await context.setOffline(false);
    for (const page of [ann, ben, cid]) await synced(page);

    const changed = new Map([
      ['Buy maps', 'Buy two maps'],
      ['Water', 'Water, ten liters'],
      ['Songs', 'Songs for the bus'],
    ]);
    const added = ['Lamp', 'Rope', 'Stove', 'Matches', 'Tickets', 'Seats', 'First aid'];
    const all = [...BEGINNING.map((title) => changed.get(title) ?? title), ...added].toSorted();
    const titlesOf = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/^ *[-x] /, '')).toSorted();
    await expectEventually(async () => titlesOf(await onServer(server)), all);
    const standing = await onServer(server);
    for (const page of [ann, ben, cid]) await expectOutline(page, standing);
    assert.deepEqual(
      standing
        .filter((line) => line.includes('x '))
        .map((line) => line.trim())
        .toSorted(),
      ['x Book a train', 'x Keys'],
    );
    for (const title of ['Rope', 'Matches', 'Seats'])
      assert.ok(standing.includes(`  - ${title}`), `${title} is beneath something`);

    // What stands on the rows besides: labels, comments, whose they are.
    await expectEventually(
      async () => (await rowsOn(ann)).some((line) => /\| Lamp \| .*\| 1 \| /.test(line)),
      true,
    );
    const rows = await rowsOn(ann);
    const row = (title: string) =>
      must(
        rows.find((line) => line.includes(`| ${title} |`)),
        `${title} is there`,
      );
    assert.match(row('Tent'), /Repair \| 2 \| /);
    assert.match(row('Pack'), /Saturday \| 1 \| /);
    assert.match(row('Snacks'), /Shopping \|  \| A/);
    assert.match(row('Water, ten liters'), /\| C/);
    assert.match(row('Lamp'), /\| 1 \| /);
    for (const page of [ben, cid]) await expectEventually(() => rowsOn(page), rows);

    for (const page of [ann, ben, cid]) {
      await page.locator('[data-ph=sync]').click();
      await page.locator('dialog').getByText('This copy matches the server’s').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    // And they see each other again.
    await stand(ann, 'Pack');
    await stand(cid, 'Lamp');
    await expectEventually(async () => (await others(ann)).includes('Lamp: Cid is here'), true);
    await expectEventually(async () => (await others(cid)).includes('Pack: Ann is here'), true);
  });
});
