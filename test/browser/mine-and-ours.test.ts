// What is one's own of a shared list, with two people: a mark for what is new, the history with authors, and the owner takes back what
// the other one did.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  expectOutline,
  openApp,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('mine and ours', () => {
  const browser = withBrowser();

  test('[SHARE-181] [SHARE-185] [SHARE-190] [SHARE-344] what Ben did has a mark and his name, and Ann takes it back', async (t) => {
    const server = await serve(t);
    const expected = /40[134]|409/;
    const { page: ann } = await openApp(t, browser(), server.url, { expected });
    await signUp(ann, 'ann@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await command(ann, 'New list…');
    await ann.keyboard.type('Trip');
    await ann.keyboard.press('Enter');
    await addTasks(ann, ['Book a train', 'Pack', 'Water']);
    await synced(ann);
    await ann.keyboard.press('Control+s');
    await ann.getByRole('dialog', { name: 'Share list' }).getByText('become').first().waitFor();
    await ann.keyboard.press('Enter');
    const link = ann.locator('[data-ph=invite-link]');
    await link.waitFor();
    await expectEventually(async () => ann.getByRole('button', { name: 'Copy link' }).isVisible(), true);
    const address = await link.innerText();
    await ann.keyboard.press('Escape');

    const { page: ben } = await openApp(t, browser(), server.url, { expected });
    await signUp(ben, 'ben@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await ben.goto(address);
    await ben.getByRole('link', { name: 'Open in the web app' }).press('Enter');
    await expectEventually(async () => ben.getByRole('button', { name: 'Join list' }).isVisible(), true);
    await ben.keyboard.press('Enter');
    await expectOutline(ben, ['- Book a train', '- Pack', '- Water']);

    await ann.keyboard.press('g');
    await ann.keyboard.press('i');
    await ben.keyboard.press('Home');
    await ben.keyboard.press('Delete');
    await ben.keyboard.press('Delete');
    await addTasks(ben, ['Spam']);
    await synced(ben);
    const mark = ann.getByRole('treeitem', { name: /Trip.*changed by others/ });
    await mark.waitFor();
    await command(ann, 'Trip');
    await expectOutline(ann, ['- Water', '- Spam']);
    await ann.locator('[data-ph-state~=unread]').first().waitFor();
    await expectEventually(() => mark.count(), 0);

    await command(ann, 'Show history of everything');
    await ann.locator('[data-ph=history-sentence]', { hasText: 'Ben added Spam' }).waitFor();
    await ann.locator('[data-ph=history-sentence]', { hasText: 'You added Pack' }).waitFor();
    await ann.keyboard.press('Escape');

    await command(ann, 'Show history of this list');
    await ann.locator('[data-ph=history-sentence]', { hasText: 'Ben joined the list' }).waitFor();
    await ann.keyboard.press('Escape');

    await command(ann, 'Undo what somebody did…');
    await ann.getByRole('option', { name: /Ben/ }).waitFor();
    await loadAxe(ann);
    assert.deepEqual(await violations(ann), []);
    await ann.keyboard.press('Enter');
    await ann.getByRole('option', { name: /Ben added Spam/ }).waitFor();
    await ann.keyboard.press('End');
    await ann.locator('[data-ph=taking-back-summary]', { hasText: '2 items restored' }).waitFor();
    await ann.locator('[data-ph=taking-back-summary]', { hasText: '1 item put into the trash' }).waitFor();
    assert.deepEqual(await violations(ann), []);
    await ann.keyboard.press('Enter');
    const back = ['- Book a train', '- Pack', '- Water'];
    await expectOutline(ann, back);
    await expectOutline(ben, back);
    await ann.keyboard.press('Control+z');
    await expectOutline(ben, ['- Water', '- Spam']);
  });
});
