// A macro from end to end in a real browser, by keys alone: recorded, edited, given a chord, there on a second device, run on fifty tasks, and
// taken back with one undo.
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const TASKS = 50;
const labels = (page: Page) => page.locator('[data-row] [data-ph=label]').count();

async function answer(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Chosen in the palette, with the answer to what it asks. */
async function answered(page: Page, name: string, text: string): Promise<void> {
  await command(page, name);
  await page.locator('#palette-input').waitFor();
  await answer(page, text);
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

describe('macros', () => {
  const browser = withBrowser();

  test('[MACRO-1] [MACRO-3] one that was recorded and has a chord runs on fifty tasks of another device, and is one undo', async (t) => {
    const server = await serve(t);
    // So high that every row is drawn.
    const viewport = { width: 1280, height: 2_200 };
    const { page } = await openApp(t, browser(), server.url, { viewport });
    await signUp(page, 'ann@example.org');
    await addTasks(
      page,
      Array.from({ length: TASKS }, (_, at) => `t${at}`),
    );
    await command(page, 'Record a macro');
    await page.getByText('Recording a macro.').first().waitFor();
    await answered(page, 'Set due date…', 'tomorrow');
    await answered(page, 'Add a label by name…', 'Planned');
    await command(page, 'Stop recording');
    const editor = page.locator('[data-ph=macro-editor]');
    await editor.getByText('Recorded 2 steps.').waitFor();
    // Its name is chosen, to be written over.
    await answer(page, 'Plan tomorrow');
    await editor.getByRole('heading', { name: 'Plan tomorrow' }).waitFor();
    await page.keyboard.press('Escape');

    // The first step, its answer, and back to the list.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await answer(page, 'in 2 days');
    await page.keyboard.press('Escape');
    await editor.getByRole('option', { name: 'in 2 days' }).waitFor();
    await expectEventually(() => labels(page), 1);

    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=key-recorder]').waitFor();
    await page.keyboard.press('q');
    await page.keyboard.press('t');
    await page.keyboard.press('Enter');
    await page.locator('[data-ph=key-recorder]').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    // Back in the editor, which shows the key.
    await editor.locator('[data-ph=keys]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-ph=dialog]').waitFor({ state: 'detached' });
    await synced(page);

    const { page: other } = await openApp(t, browser(), server.url, { viewport });
    await signIn(other, 'ann@example.org');
    await ready(other);
    await expectEventually(() => other.locator('[data-row]').count(), TASKS);
    await expectEventually(() => labels(other), 1);
    await other.keyboard.press('Control+a');
    await other.keyboard.press('q');
    await other.keyboard.press('t');
    await other.getByText(`Ran ‘Plan tomorrow’ on ${TASKS} tasks.`).first().waitFor();
    // As it was edited, not as it was recorded.
    await expectEventually(
      () => other.locator('[data-ph=due]').filter({ hasNotText: 'Tomorrow' }).count(),
      TASKS,
    );
    await expectEventually(() => labels(other), TASKS);
    await expectEventually(() => labels(page), TASKS);
    await other.keyboard.press('Control+z');
    await expectEventually(() => labels(other), 1);
    await expectEventually(() => labels(page), 1);
  });
});
