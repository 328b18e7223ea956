// A macro that a program runs, from the API to two open devices and back: one of them runs it, both have what came of it, and one
// undo takes it back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ApiClient } from '#wire/api/client.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  ready,
  serve,
  signIn,
  signUpPlain,
  synced,
  withBrowser,
} from './harness.ts';

const labels = (page: Page) => page.locator('[data-row] [data-ph=label]').count();
const rows = (page: Page) => page.locator('[data-row]').count();
const MINE = 'Ran ‘Mark’ on 2 tasks for Robot.';

/** Chosen in the palette, with the answer to what it asks. */
async function answered(page: Page, name: string, text: string): Promise<void> {
  await command(page, name);
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

describe('a program that runs a macro', () => {
  const browser = withBrowser();

  test('[MACRO-31] [MACRO-38] has one of two open devices run it, as one undo', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUpPlain(page, 'ann@example.org');
    await addTasks(page, ['One', 'Two', 'Three']);
    await command(page, 'Record a macro');
    await page.getByText('Recording a macro.').first().waitFor();
    await answered(page, 'Add a label by name…', 'Marked');
    await command(page, 'Stop recording');
    const editor = page.locator('[data-ph=macro-editor]');
    await editor.getByText('Recorded 1 step.').waitFor();
    await page.keyboard.type('Mark');
    await page.keyboard.press('Enter');
    await editor.getByRole('heading', { name: 'Mark' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    await expectEventually(() => labels(page), 1);
    await answered(page, 'Let links and programs start a macro…', 'Mark');
    await command(page, 'Turn on: let programs run macros');
    await synced(page);

    const { page: other } = await openApp(t, browser(), server.url);
    await signIn(other, 'ann@example.org');
    await ready(other);
    await expectEventually(() => rows(other), 3);

    const { db } = server.database;
    const { id: account } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
    const made = { account, kind: 'api', userAgent: '', name: 'Robot' } as const;
    const { token } = await server.services.sessions.open(made);
    const client = new ApiClient({ url: `${server.url}/api`, token, send: fetch });
    const [macro] = (await client.listMacros()).macros;
    assert.deepEqual([macro?.name, macro?.can_run], ['Mark', true]);
    const { tasks } = await client.listTasks({});
    const wanted = tasks.filter(({ title }) => title !== 'Three').map(({ id }) => id);
    const start = { macro_id: macro?.id ?? '', task_ids: wanted };
    const { macro_run: tried } = await client.createMacroRun({ ...start, dry_run: true });
    await expectEventually(async () => (await client.getMacroRun(tried.id)).macro_run.state, 'done');
    const { changes } = (await client.getMacroRun(tried.id)).macro_run;
    const put = ['put Marked on it'];
    assert.deepEqual(
      changes.map(({ details }) => details),
      [put, put],
    );
    assert.equal(await labels(page), 1);
    const { macro_run: run } = await client.createMacroRun(start);
    await expectEventually(async () => (await client.getMacroRun(run.id)).macro_run.state, 'done');
    for (const each of [page, other]) await expectEventually(() => labels(each), 3);
    const said = await Promise.all([page, other].map((each) => each.getByText(MINE).count()));
    assert.equal(said.filter((count) => count > 0).length, 1);
    const [runner, watcher] = said[0] ? [page, other] : [other, page];
    await runner.keyboard.press('Control+z');
    for (const each of [runner, watcher]) await expectEventually(() => labels(each), 1);
  });
});
