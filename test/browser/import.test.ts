// Real input: an account of 100,000 tasks comes in through the app as one JSON file, reaches the server, and comes out
// of a second device byte for byte the same.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { exportJson } from '#core/formats/json.ts';
import { createIdSource, type Id, labelsRoot, listsRoot } from '#core/ids.ts';
import type { ExportedEntity } from '#core/formats/exported.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  command,
  expectEventually,
  expectOutline,
  openApp,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

/** Enough for many pages and requests. `LARGE=yes` makes it the 100,000 tasks that an account is promised to hold. */
const LISTS = process.env['LARGE'] === 'yes' ? 100 : 20;
const TASKS_PER_LIST = 1_000;
const CHILDREN = 4;
const LONG_MS = 100_000;

/** Lists of tasks with everything a task can carry, four children under every fifth. */
function bigDocument(): string {
  let count = 0;
  const newId = createIdSource({
    now: () => 1_790_000_000_000,
    random: (bytes) => bytes.fill((count += 1) & 255),
  });
  const scope = newId();
  const label = newId();
  const created = 1_780_000_000_000;
  const entities: ExportedEntity[] = [
    {
      id: label,
      type: 'label',
      parent: labelsRoot(scope),
      key: 'a0',
      createdAt: created,
      fields: { name: 'Später', color: '#d24c49' },
    },
  ];
  const keyOf = (index: number): string => `a${String(index).padStart(6, '0')}1`;
  for (let list = 0; list < LISTS; list += 1) {
    const listId = newId();
    const name = `List ${list}`;
    entities.push({
      id: listId,
      type: 'list',
      parent: listsRoot(scope),
      key: keyOf(list),
      createdAt: created,
      fields: { listType: 'list', name },
    });
    let parent: Id = listId;
    for (let task = 0; task < TASKS_PER_LIST; task += 1) {
      const isTop = task % (CHILDREN + 1) === 0;
      const id = newId();
      const fields = {
        title: `Task ${list}.${task} – 准备 “${task % 7}”`,
        ...(task % 3 === 0 ? { status: { done: created + task } } : {}),
        ...(task % 4 === 0 ? { due: { on: `2027-0${(task % 9) + 1}-15` } } : {}),
        ...(task % 11 === 0 ? { notes: `line one\nline *two* of ${task}` } : {}),
        ...(task % 13 === 0 ? { [`label:${label}`]: true, 'meta:source': 'import', duration: 25 } : {}),
      };
      entities.push({
        id,
        type: 'task',
        parent: isTop ? listId : parent,
        key: keyOf(task),
        createdAt: created + task,
        fields,
      });
      if (isTop) parent = id;
    }
  }
  return exportJson(entities, { kind: 'account' });
}

interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function choose(page: Page, file: ChosenFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await command(page, 'Import files');
  await (await chooser).setFiles(file);
}

async function importFile(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await command(page, 'Import files');
  await (
    await chooser
  ).setFiles(
    { name: 'account.json', mimeType: 'application/json', buffer: Buffer.from(text) },
    // Tens of megabytes on their way to the browser.
    { timeout: LONG_MS },
  );
}

async function exportAccount(page: Page): Promise<string> {
  // A hundred thousand tasks are written.
  const download = page.waitForEvent('download', { timeout: LONG_MS });
  await command(page, 'Export everything as JSON');
  return await readFile(await (await download).path(), 'utf8');
}

describe('an import', () => {
  const browser = withBrowser();

  test('a file that is not understood is said to have brought nothing', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await importFile(page, '{ "not": "ours" }');
    await page.locator('dialog h2').waitFor();
    await expectEventually(() => page.locator('dialog h2').innerText(), 'Nothing was imported');
    await expectEventually(() => page.locator('dialog progress').count(), 0);
  });

  test('[FLOW-8] [FLOW-9] [IMPORT-102] a table is rehearsed by keys; an outline can be dropped beside the tasks', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, { colorScheme: 'dark' });
    const table = 'title;due;labels\r\n"Äpfel; rot";2031-12-01;Küche\r\n=1+1;;\r\n';
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, 'utf16le')]);
    await choose(page, { name: 'Einkauf.csv', mimeType: 'text/csv', buffer: bytes });
    await page.locator('[data-ph=rehearsal]').getByText('2 tasks in 1 list').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
    await page.keyboard.press('Enter');
    await expectOutline(page, ['- Äpfel; rot', '- =1+1']);
    await page.locator('[data-row] [data-ph=label]').filter({ hasText: 'Küche' }).waitFor();
    await page.keyboard.press('Control+z');
    await expectEventually(() => page.getByRole('treeitem', { name: 'Einkauf' }).count(), 0);

    await page.evaluate(() => {
      const given = new DataTransfer();
      const text =
        '<opml version="2.0"><body><outline text="Trip"><outline text="Tent"/></outline></body></opml>';
      given.items.add(new File([text], 'Plans.opml', { type: 'text/x-opml' }));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true }),
      );
    });
    await page.locator('[data-ph=rehearsal]').getByText('2 tasks in 1 list').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
    await page.keyboard.press('Enter');
    await expectOutline(page, ['- Trip', '  - Tent']);
  });

  test('[IMPORT-102] [IMPORT-104] a Todoist backup comes in, and one undo takes it back, also after the app was closed', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    const row = (type: string, content: string, more = '4,1,,,,,') => `${type},${content},,${more},,,,`;
    const header =
      'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG';
    const garden = [
      header,
      row('section', 'Beds', ',,,,,'),
      row('task', 'Sow @seeds', '1,1,,,2031-03-01,en'),
      row('task', 'Water', '4,2,,,every monday,en'),
    ];
    const inbox = [header, row('task', 'Call Ann')];
    const zip = zipSync({
      'Garden [6Crg8jQ886Wh4P5g].csv': strToU8(garden.join('\n')),
      'Inbox [220474322].csv': strToU8(inbox.join('\n')),
    });
    await choose(page, {
      name: 'Todoist backup 2026-11-01.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zip),
    });
    await page.locator('[data-ph=rehearsal-tiles]').waitFor();
    await expectEventually(() => page.locator('[data-ph=rehearsal-row]').count(), 3);
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
    assert.equal(
      await page.getByRole('treeitem', { name: 'Garden' }).count(),
      0,
      'nothing is written before Enter',
    );
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: 'Garden' }).click();
    await expectOutline(page, ['- Beds', '  - Sow', '    - Water']);
    await page.reload();
    await page.getByRole('treeitem', { name: 'Garden' }).waitFor();
    await expectOutline(page, ['- Beds', '  - Sow', '    - Water']);
    await page.keyboard.press('Control+z');
    await expectEventually(() => page.getByRole('treeitem', { name: 'Garden' }).count(), 0);
  });

  test('a large one reaches the second device byte for byte', { timeout: 3 * LONG_MS }, async (t) => {
    const server = await serve(t);
    const first = await openApp(t, browser(), server.url);
    await signUp(first.page, 'first@example.test');
    await importFile(first.page, bigDocument());
    await first.page
      .getByText(`Added ${LISTS * TASKS_PER_LIST} tasks.`)
      .first()
      .waitFor({ timeout: LONG_MS });
    await synced(first.page, LONG_MS);
    const second = await openApp(t, browser(), server.url);
    await signIn(second.page, 'first@example.test', LONG_MS);
    const [one, two] = [await exportAccount(first.page), await exportAccount(second.page)];
    assert.equal(
      one.match(/"Task \d+\.\d+ /g)?.length,
      LISTS * TASKS_PER_LIST,
      'every task is in the export',
    );
    assert.equal(one === two, true, 'both devices export the same bytes');
  });
});
