// A list shared out of an encrypted account, from end to end: Ann encrypts everything and shares one list, Ben joins by the link and reads it,
// and her other list stays unreadable.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  ready,
  serve,
  signUpPlain,
  synced,
  turnOnEncryption,
  withBrowser,
} from './harness.ts';

const PATIENT_MS = 90_000;

const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page) => page.locator('h1').innerText();
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share list' });

async function move(page: Page, list: string): Promise<void> {
  await page.keyboard.press('m');
  await page.keyboard.type(list);
  await page.keyboard.press('Enter');
}

async function newList(page: Page, name: string, tasks: readonly string[]): Promise<void> {
  await command(page, 'New list…');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expectEventually(() => heading(page), name);
  await addTasks(page, tasks);
}

/** Texts of rows, as the database has them; of one kind of scopes, or of all. */
async function kept(server: Awaited<ReturnType<typeof serve>>, kind?: 'personal'): Promise<string> {
  const rows = await server.database.db
    .selectFrom('entity')
    .innerJoin('scope', 'scope.id', 'entity.scope')
    .select(['entity.fields', 'scope.kind'])
    .execute();
  return JSON.stringify(rows.filter((row) => kind === undefined || row.kind === kind));
}

describe('a list of an encrypted account', () => {
  const browser = withBrowser();

  test('[SEAL-210] is decrypted and shared by its dialog, others join and work in it, and the rest stays encrypted', async (t) => {
    const server = await serve(t);
    const expected = /40[13]/;
    const { page: ann } = await openApp(t, browser(), server.url, { expected });
    await addTasks(ann, ['canary of the inbox']);
    await signUpPlain(ann, 'ann@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await newList(ann, 'Private canary', ['canary in private']);
    await newList(ann, 'Trip', ['Book a train', 'Pack']);
    await synced(ann, PATIENT_MS);
    await turnOnEncryption(ann, { look: () => loadAxe(ann), withinMs: PATIENT_MS });
    await synced(ann, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary|Book a train/);

    await ann.keyboard.press('Control+s');
    await sheet(ann).getByText('This list will be decrypted so that others can read it').waitFor();
    await sheet(ann).getByText('The rest stays encrypted.').waitFor();
    assert.deepEqual(await violations(ann), []);
    await answer(ann, 'Decrypt and share');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    const link = await ann.locator('[data-ph=invite-link]').innerText();
    await ann.keyboard.press('Escape');
    assert.match(await kept(server), /Book a train/);

    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUpPlain(ben, 'ben@example.org');
    await ben.goto(link);
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await ready(ben);
    await answer(ben, 'Join list');
    await expectEventually(() => heading(ben), 'Trip', PATIENT_MS);
    await expectOutline(ben, ['- Book a train', '- Pack']);
    await addTasks(ben, ['Buy maps']);
    await expectOutline(ann, ['- Book a train', '- Buy maps', '- Pack']);
    await synced(ann, PATIENT_MS);
    assert.doesNotMatch(await kept(server), /canary/);

    // A single task goes there by the same keys as anywhere, and comes back.
    await command(ann, 'Private canary');
    await expectOutline(ann, ['- canary in private']);
    await move(ann, 'Trip');
    await ann
      .getByText('This shared list isn’t encrypted: what you moved there is decrypted.')
      .first()
      .waitFor();
    await expectOutline(ben, ['- Book a train', '- Buy maps', '- Pack', '- canary in private']);
    await expectEventually(async () => /canary/.test(await kept(server, 'personal')), false, PATIENT_MS);
    await command(ann, 'Trip');
    await ann.getByText('canary in private').click();
    await move(ann, 'Private canary');
    await expectOutline(ben, ['- Book a train', '- Buy maps', '- Pack']);
    await synced(ann, PATIENT_MS);
    await expectEventually(async () => /canary/.test(await kept(server)), false, PATIENT_MS);

    await command(ann, 'Encryption on this device…');
    await ann.getByText('Not encrypted, because others can read them: “Trip”.').waitFor();
    await answer(ann, 'Close');
    await command(ann, 'Trip');

    await ann.keyboard.press('Control+s');
    await ann.locator('[data-ph=invite-link]').waitFor({ timeout: PATIENT_MS });
    await ann.keyboard.press('p');
    await answer(ann, 'Make private');
    await ann.getByText('‘Trip’ is yours alone again.').first().waitFor({ timeout: PATIENT_MS });
    await expectOutline(ann, ['- Book a train', '- Buy maps', '- Pack']);
    await expectEventually(
      async () => /Book a train/.test(await kept(server, 'personal')),
      false,
      PATIENT_MS,
    );
  });
});
