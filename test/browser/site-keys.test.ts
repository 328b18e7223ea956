// The keys of the guides: what tells them, and what switches them off.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectEventually } from './harness.ts';
import { scripted, withSite } from './site-world.ts';

describe('the keys of the guides', () => {
  const site = withSite();

  test('are told by one of them, and left to the browser for whoever wants that', async (t) => {
    const page = await site().visit(t, '/guides/labels');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys on this page' });
    await dialog.waitFor();
    await expectEventually(() => dialog.locator('kbd').allInnerTexts(), ['[', ']', '?']);
    await dialog.getByLabel('Use these keys').focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('status').filter({ hasText: 'The keys are off' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await scripted(page);
    for (const key of ['?', ']', '[']) await page.keyboard.press(key);
    assert.equal(await dialog.count(), 0);
    assert.match(page.url(), /\/guides\/labels$/);

    await page.getByRole('button', { name: 'Keys' }).press('Enter');
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel('Use these keys').isChecked(), false);
    await dialog.getByLabel('Use these keys').press('Space');
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await expectEventually(
      () => page.getByRole('button', { name: 'Keys' }).evaluate((it) => it === document.activeElement),
      true,
    );
    await page.goto(`${site().url}/guides`);
    await scripted(page);
    await page.keyboard.press('?');
    await expectEventually(() => dialog.locator('kbd').allInnerTexts(), ['/', '?']);
    await page.keyboard.press('Escape');
    // In the very moment in which it closes.
    await page.keyboard.press('/');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.type('?');
    assert.equal(await dialog.count(), 0);
  });
});
