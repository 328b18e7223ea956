// Encryption from end to end: turned on at one device with 300 tasks, opened at a second one by the code, edited both ways, and off again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  openApp,
  outline,
  serve,
  signIn,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const TASKS = 300;
const PATIENT_MS = 90_000;

const title = (page: Page) => page.locator('dialog h2').innerText();
const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Puts the tasks into the list as pasted text. */
async function paste(page: Page, titles: readonly string[]): Promise<void> {
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    titles.map((each) => `- ${each}`).join('\n'),
  );
  await page.keyboard.press('Control+v');
}

/** Turns encryption on, and gives the code. */
async function turnOn(page: Page): Promise<string> {
  await command(page, 'Encrypt everything…');
  await expectEventually(() => title(page), 'Encrypt everything');
  await loadAxe(page);
  assert.deepEqual(await violations(page), []);
  await answer(page, 'Show my recovery code');
  const groups = await page.locator('dialog ol[aria-label="Recovery code"] li').allInnerTexts();
  const code = groups.map((group) => group.replace(/^\d\s*/, '').trim());
  assert.deepEqual(await violations(page), []);
  const said = await page.locator('dialog p[role=status]').innerText();
  const asked = [...said.matchAll(/\d/g)].map(([number]) => Number(number) - 1);
  await answer(page, 'I have it');
  for (const [index, group] of asked.entries())
    await page.locator(`dialog input[name=group${index}]`).fill((code[group] ?? '').toLowerCase());
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await expectEventually(
    () =>
      page
        .locator('dialog')
        .innerText()
        .then((text) => text.includes('Everything is encrypted.')),
    true,
    PATIENT_MS,
  );
  await answer(page, 'Close');
  return code.join('-');
}

/** Texts of all rows, as the database has them. */
async function kept(server: Awaited<ReturnType<typeof serve>>): Promise<string> {
  const rows = await server.database.db.selectFrom('entity').select('fields').execute();
  return JSON.stringify(rows);
}

describe('encryption', () => {
  const browser = withBrowser();

  test('[SEAL-107] is turned on at one device, opened at another, worked with on both, and turned off', async (t) => {
    const server = await serve(t);
    const { page: one, context } = await openApp(t, browser(), server.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await addTasks(one, ['canary first']);
    const titles = Array.from({ length: TASKS - 1 }, (_, index) => `canary ${index}`);
    await paste(one, titles);
    await signUp(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    assert.match(await kept(server), /canary/);
    const code = await turnOn(one);
    await synced(one, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary/);

    const { page: two } = await openApp(t, browser(), server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await expectEventually(async () => (await outline(two))[0], '- Locked');
    await command(two, 'Unlock with recovery code…');
    await two.locator('dialog input[name=code]').fill(code.replaceAll('-', ' ').toLowerCase());
    await two.keyboard.press('Enter');
    await expectEventually(() => title(two), 'Encryption');
    await answer(two, 'Close');
    await expectEventually(async () => (await outline(two))[0], '- canary first', PATIENT_MS);

    await addTasks(two, ['canary by two']);
    await synced(two, PATIENT_MS);
    await expectEventually(async () => (await outline(one)).includes('- canary by two'), true, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary/);

    // It opens by itself after a restart, without a network as well.
    await two.reload();
    await expectEventually(async () => (await outline(two))[0], '- canary first', PATIENT_MS);
    await synced(two, PATIENT_MS);

    await command(two, 'Turn off encryption…');
    await answer(two, 'Turn off');
    await expectEventually(
      () =>
        two
          .locator('dialog')
          .innerText()
          .then((text) => text.includes('Encryption is off.')),
      true,
      PATIENT_MS,
    );
    await answer(two, 'Close');
    await synced(two, PATIENT_MS);
    await synced(one, PATIENT_MS);
    assert.match(await kept(server), /canary by two/);
    assert.equal((await outline(one))[0], '- canary first');
  });
});
