// The editor of a macro on a phone, by touch, and its controls by Escape.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { command, expectEventually, openApp, serve, withBrowser } from './harness.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('the editor of a macro on a phone', () => {
  const browser = withBrowser();

  test('[MACRO-47] [MACRO-44] nothing covers the list, a step is moved and removed by touch, and Escape comes back', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url, PHONE);
    await command(page, 'Add an example macro…');
    await page.locator('[role=option]').filter({ hasText: 'Plan a trip' }).tap();
    await page.locator('#palette-input').waitFor({ state: 'hidden' });
    await command(page, 'Edit a macro…');
    await page
      .locator('#palette-listbox [role=option], [role=option]')
      .filter({ hasText: 'Plan a trip' })
      .first()
      .tap();
    const editor = page.locator('[data-ph=macro-editor]');
    await editor.waitFor();
    const fields = editor.locator('[data-ph=macro-chosen]');
    const last = editor.getByRole('button', { name: 'Add a variable' });
    const [above, below] = [await last.boundingBox(), await fields.boundingBox()];
    assert.ok(above !== null && below !== null);
    assert.ok(above.y + above.height <= below.y, 'the fields stand below the whole list');
    // What covers it would get the tap.
    await last.tap();
    await editor.locator('#macro-variable').waitFor();
    const steps = () => editor.getByRole('option', { name: /^Step/ }).allTextContents();
    const before = await steps();
    await editor.getByRole('option', { name: /^Step 1/ }).tap();
    await fields.getByRole('button', { name: 'Move down' }).tap();
    await expectEventually(async () => (await steps())[1]?.slice(6), before[0]?.slice(6));
    await fields.getByRole('button', { name: 'Remove' }).tap();
    await expectEventually(async () => (await steps()).length, before.length - 1);
    await editor.getByRole('option').first().tap();
    await fields.getByRole('switch').focus();
    await page.keyboard.press('Escape');
    await expectEventually(() => page.evaluate(() => document.activeElement?.id), 'macro-entries');
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
  });
});
