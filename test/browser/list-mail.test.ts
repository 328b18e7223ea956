// A task by e-mail from end to end: the address from the app, a mail by SMTP to the real door, the task in the open app.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { must } from '#core/assert.ts';
import { plainMail, SmtpClient } from '../api/smtp-client.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  expectEventually,
  openApp,
  outline,
  serve,
  signUp,
  synced,
  withBrowser,
} from './harness.ts';

const addressOf = (page: Page) => page.locator('dialog p').filter({ hasText: '@in.example.org' }).innerText();
const said = (page: Page) => page.locator('dialog p[role=status]').innerText();

describe('mail to a list', () => {
  const browser = withBrowser();

  test('[MAIL-1] [MAIL-22] shows the address, and what is sent there, at once', async (t) => {
    const server = await serve(t, undefined, { MAIL_DOMAIN: 'in.example.org', MAIL_PORT: '0' });
    const { page, context } = await openApp(t, browser(), server.url, { expected: /403/ });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await addTasks(page, ['By hand']);
    await signUp(page, 'ida@example.org');
    await synced(page);
    await page.keyboard.press('Control+e');
    await expectEventually(
      async () => /verify your own email address\. Choose “Verify” in “Account.”/.test(await said(page)),
      true,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // Confirmed in another window.
    await server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    const address = await addressOf(page);
    await page.keyboard.press('Enter');
    await expectEventually(() => said(page), 'Copied the address.');
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');

    const sender = await SmtpClient.open(must(server.mailPort, 'mail is on'));
    const mail = plainMail({ subject: 'By mail', text: 'From the train.' });
    assert.equal((await sender.deliver(address, mail)).code, 250);
    await expectEventually(() => outline(page), ['- By hand', '- By mail']);

    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: 'New address' }).press('Enter');
    await page.getByRole('button', { name: 'Keep the address' }).waitFor();
    await page.getByRole('button', { name: 'New address' }).press('Enter');
    await expectEventually(() => said(page), 'This is the new address. The old one no longer works.');
    await expectEventually(async () => (await addressOf(page)) !== address, true);
    assert.equal((await sender.deliver(address, mail)).code, 550);
    await sender.quit();
  });
});
