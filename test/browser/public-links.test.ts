// A public link from end to end: Ann makes it by keys, a stranger with a phone adds and checks off by it, Ann's app follows, and
// after the deletion the stranger sees nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addTasks,
  command,
  endWith,
  expectEventually,
  openApp,
  outline,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

describe('a public link', () => {
  const browser = withBrowser();

  test('[PUBLIC-109] is made by keys, used by a stranger with a phone, followed live, and gone when deleted', async (t) => {
    const server = await serve(t);
    const { page: ann } = await openApp(t, browser(), server.url, { expected: /40[134]|409/ });
    await signUp(ann, 'ann@example.org');
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await command(ann, 'New list…');
    await ann.keyboard.type('Party');
    await ann.keyboard.press('Enter');
    await expectEventually(() => ann.locator('h1').innerText(), 'Party');
    await addTasks(ann, ['Cake', 'Music']);
    await synced(ann);
    await command(ann, 'Create public link');
    await ann.getByRole('button', { name: 'Create link' }).waitFor();
    await ann.keyboard.press('Enter');
    const address = ann.locator('[data-ph=public-address]');
    await address.waitFor();
    const url = await address.innerText();
    for (const key of ['1', '2']) {
      await ann.keyboard.press(key);
      await expectEventually(
        () => ann.locator('[data-ph=public-links] [aria-pressed=true]').count(),
        Number(key),
      );
    }
    await ann.keyboard.press('Escape');
    await ann.keyboard.press('Escape');

    const phone = await browser().newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    endWith(t, () => phone.close(), true);
    const stranger = await phone.newPage();
    await stranger.goto(url);
    await stranger.getByText('Music').waitFor();
    assert.equal((await phone.cookies()).length, 0);
    await stranger.getByRole('checkbox', { name: /Cake/ }).tap();
    await stranger.getByRole('button', { name: /Add/ }).first().tap();
    await stranger.keyboard.type('Balloons');
    await stranger.keyboard.press('Enter');
    await stranger.keyboard.press('Escape');
    await expectEventually(async () => (await outline(ann)).some((line) => line.includes('Balloons')), true);
    await expectEventually(
      async () => (await outline(ann)).some((line) => /x.*Cake|Cake.*done|✓.*Cake/.test(line)),
      true,
    );

    await stranger.locator('.nick input').tap();
    await stranger.keyboard.type('Jo');
    await command(ann, 'Public links of this list');
    await ann.locator('[data-ph=public-link]').waitFor();
    await ann.keyboard.press('Enter');
    const buffer = await stranger.screenshot();
    const file = { name: 'logo.png', mimeType: 'image/png', buffer };
    await ann.locator('input[type=file]').setInputFiles(file);
    await stranger.locator('.logo').waitFor();
    await expectEventually(
      () => stranger.locator('.logo').evaluate((picture: HTMLImageElement) => picture.naturalHeight),
      512,
    );
    await stranger.keyboard.type(' B');
    assert.equal(await stranger.locator('.nick input').inputValue(), 'Jo B', 'nothing took the field away');
    await ann.keyboard.press('Escape');
    await ann.locator('[data-ph=public-link]').waitFor();
    await expectEventually(
      () =>
        ann
          .locator('[data-ph=public-link]')
          .innerText()
          .then((text) => /2 changes/.test(text)),
      true,
    );
    await ann.keyboard.press('Delete');
    await ann.getByRole('button', { name: 'Delete link' }).click();
    await ann.getByText('There’s no public link').waitFor();
    await expectEventually(() => stranger.getByText('Music').count(), 0);
    await stranger.goto(url);
    assert.equal(await stranger.getByText('Music').count(), 0);
    assert.deepEqual(
      (await outline(ann)).map((line) => /Cake|Music|Balloons/.exec(line)?.[0]),
      ['Cake', 'Music', 'Balloons'],
    );
  });
});
