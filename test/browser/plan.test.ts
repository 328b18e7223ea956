// Plans and payment in a browser, against a server that stands in for Stripe: from a partner's link to a statement that is right to the cent, a
// lapse and back, and a server without billing, which shows nothing of it. Stripe itself is not asked: its hosted pages are plain forms here.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY_MS } from '#core/time.ts';
import type { RunningServer } from '#server/server.ts';
import { createSecret, digestOf } from '#server/site/secret-link.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { lastingPort } from '../process/lasting-port.ts';
import { startStripeServer, type StripeServer } from '../stripe-server.ts';
import {
  addTasks,
  endWith,
  expectEventually,
  openApp,
  outline,
  PASSWORD,
  ready,
  serve,
  signIn,
  signUp,
  synced,
  temporaryFolder,
  withBrowser,
} from './harness.ts';

const TERMS = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
const REFUSED = 'Your trial is over, so you can’t add tasks and lists. To add again, press g $.';

interface Selling {
  readonly server: RunningServer;
  readonly stripe: StripeServer;
  readonly url: string;
  /** Everybody signed up so many days ago, and plans began then. The server starts again. */
  readonly letPass: (days: number) => Promise<void>;
}

/** A server with plans, beside its stand-in for Stripe. */
async function sell(t: TestContext): Promise<Selling> {
  const stripe = await startStripeServer();
  endWith(t, () => stripe.close());
  const folder = await temporaryFolder(t);
  // People come back to the same address, also after the server started again.
  const port = String(await lastingPort());
  const start = () => serve(t, undefined, { ...stripe.environment(), DATA_DIR: folder, PORT: port });
  let server = await start();
  stripe.deliverTo(`${server.url}/stripe/webhook`);
  return {
    get server() {
      return server;
    },
    stripe,
    url: server.url,
    async letPass(days) {
      const { db } = server.database;
      const at = Date.now() - days * DAY_MS;
      await db.updateTable('account').set({ created_at: at }).execute();
      await db
        .updateTable('billing_setting')
        .set({ value: String(at) })
        .where('name', '=', 'since')
        .execute();
      await server.close();
      server = await start();
    },
  };
}

async function openPlan(page: Page): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('$');
  await page.locator('[data-ph=plan]').waitFor();
}

const lines = (page: Page) => page.locator('[data-ph=plan-lines]').innerText();
/** What the dialog says begins so. */
const begins = (page: Page, words: string) =>
  expectEventually(async () => (await lines(page)).startsWith(words), true);
const said = (page: Page) => page.locator('[data-ph=message]').innerText();

/** Light and dark; `note` gets what is wrong. */
async function look(page: Page, name: string, found: string[]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page)).map((problem) => `${name}, ${colorScheme}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The table under a heading, row by row. */
const table = (page: Page, title: string) =>
  page
    .getByRole('group', { name: title })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

describe('plans in a browser', () => {
  const browser = withBrowser({ isWhole: true });

  test('[MONEY-64] from a partner’s link to a statement that is right to the cent, by keys', async (t) => {
    const { server, stripe, url } = await sell(t);
    const found: string[] = [];
    await server.services.desk.promoCodes.create('HARBOUR', 'The Harbour', TERMS);
    const secret = createSecret();
    await server.database.db
      .insertInto('partner_link')
      .values({ digest: digestOf(secret), partner: 'The Harbour', created_at: 0 })
      .execute();

    // The partner's link leads to the form for an account, with the code.
    const { page } = await openApp(t, browser(), url);
    await page.goto(`${url}/a/HARBOUR`);
    await page.getByRole('heading', { name: 'The Harbour has invited you' }).waitFor();
    await page.getByRole('link', { name: 'Redeem it in the web app' }).click();
    await ready(page);
    await page.getByText('Promo code HARBOUR: 25% off your first 12 months, from The Harbour.').waitFor();
    await page.getByLabel('Email').fill('ida@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expectEventually(() => page.getByLabel('Promo code').inputValue(), 'HARBOUR');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '25% off your first 12 months' }).waitFor();
    await page.keyboard.press('Enter');
    await synced(page);

    // The trial holds nothing back.
    await addTasks(page, ['Row to the island']);
    await page.keyboard.press('Escape');
    await openPlan(page);
    await begins(page, 'Your trial runs until ');
    assert.match(await lines(page), /: 14 days left\./);
    await expectEventually(
      () =>
        page
          .locator('[data-ph=plan-year]')
          .innerText()
          .then((text) => text.replaceAll(/\s+/g, ' ')),
      'Yearly y US$48 a year US$36 for the first year with HARBOUR',
    );
    await loadAxe(page);
    await look(page, 'trial', found);

    // Paying, in a tab of the browser.
    await page.keyboard.press('y');
    await page.getByRole('button', { name: 'Open the payment page' }).waitFor();
    await look(page, 'leaving', found);
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    const paying = await opened;
    await paying.getByText('To pay now: $36.00').waitFor();
    await paying.getByRole('button', { name: 'Pay', exact: true }).click();
    await paying.waitForURL(`${url}/app/**`);
    await begins(paying, 'Thank you. Your payment is here.');
    await begins(page, 'Thank you. Your payment is here.');
    await look(page, 'paid', found);
    await paying.close();
    await page.keyboard.press('Escape');

    // A second device sees it, and changes the plan.
    const { page: other } = await openApp(t, browser(), url, { viewport: { width: 390, height: 800 } });
    await signIn(other, 'ida@example.org');
    await openPlan(other);
    await begins(other, 'You’re subscribed for US$48 a year.');
    await loadAxe(other);
    await look(other, 'subscribed, phone', found);
    await openPlan(page);
    await other.keyboard.press('m');
    await other.getByRole('button', { name: 'Change plan' }).waitFor();
    await look(other, 'change, phone', found);
    // A key pressed too often changes nothing.
    await other.keyboard.press('Enter');
    await begins(other, 'You’re subscribed for US$48 a year.');
    await other.keyboard.press('m');
    await other.getByRole('button', { name: 'Change plan' }).press('Enter');
    await begins(other, 'You’re subscribed for US$6 a month.');
    // The first one hears of it while it is open.
    await begins(page, 'You’re subscribed for US$6 a month.');

    // A refund: in the app's list, and in the partner's statement.
    await stripe.delivered();
    const [first] = stripe.books
      .list('invoice')
      .toSorted((a, b) => Number(a['created']) - Number(b['created']));
    stripe.books.refund(String(first?.['id']));
    await stripe.delivered();
    await page.keyboard.press('i');
    await expectEventually(
      async () => /US\$36\s+Refunded/.test(await page.locator('dialog table').innerText()),
      true,
    );
    await look(page, 'invoices', found);

    const invoices = stripe.books.list('invoice').map((invoice) => Number(invoice['amount_paid'] ?? 0));
    const rest = invoices.reduce((sum, cents) => sum + cents, 0) - 3_600;
    const statement = await page.context().newPage();
    const answer = await statement.goto(`${url}/partner/${secret}`);
    assert.equal(answer?.headers()['referrer-policy'], 'no-referrer');
    assert.match(answer?.headers()['x-robots-tag'] ?? '', /noindex/);
    const [month = []] = await table(statement, 'By month');
    const earned = `$${(Math.round((3_600 + rest) * 0.3) / 100).toFixed(2)}`;
    assert.deepEqual(month.slice(2, 4), [earned, '-$10.80']);
    const [person = []] = await table(statement, 'People you referred');
    assert.deepEqual([person[0], person[2]], ['Number 1', 'Subscribed']);
    assert.doesNotMatch(await statement.locator('main').innerText(), /ida|example\.org/);
    await loadAxe(statement);
    await look(statement, 'statement', found);
    await statement.setViewportSize({ width: 390, height: 800 });
    await look(statement, 'statement, phone', found);
    assert.equal((await fetch(`${url}/partner/${createSecret()}`)).status, 404);
    assert.equal((await fetch(`${url}/partner`, { headers: { accept: 'text/html' } })).status, 404);
    assert.deepEqual(found, []);
  });

  test('[MONEY-65] a lapse holds nothing hostage, and ends with a payment', async (t) => {
    const { stripe, url, letPass } = await sell(t);
    const { page } = await openApp(t, browser(), url);
    await signUp(page, 'bo@example.org');
    await addTasks(page, ['Mend the net', 'Wash the deck']);
    await page.keyboard.press('Escape');
    await synced(page);
    await letPass(29);
    const { page: other } = await openApp(t, browser(), url);
    await signIn(other, 'bo@example.org');
    await other.getByText('You can’t add tasks and lists until you subscribe.').first().waitFor();
    await loadAxe(other);
    assert.deepEqual(await violations(other), []);

    await other.keyboard.press('Control+Enter');
    await expectEventually(() => said(other), REFUSED);
    // What is typed then is not lost.
    await other.keyboard.type('Oil');
    await expectEventually(() => other.locator('#quick-entry-line').inputValue(), 'Oil');
    await other.keyboard.press('Control+Enter');
    await other.getByText('To add again, close this and choose “Plan and payment…”.').first().waitFor();
    await expectEventually(() => other.locator('#quick-entry-line').inputValue(), 'Oil');
    await other.keyboard.press('Escape');
    assert.equal((await outline(other)).length, 2);
    // Everything else goes on.
    await other.keyboard.press('Space');
    await synced(other);

    await openPlan(other);
    await begins(other, 'Your trial is over.');
    await other.keyboard.press('m');
    await other.getByRole('button', { name: 'Open the payment page' }).waitFor();
    const opened = other.context().waitForEvent('page');
    await other.keyboard.press('Enter');
    const paying = await opened;
    await paying.getByRole('button', { name: 'Pay with a card that is declined' }).click();
    await paying.getByText('Your card was declined.').waitFor();
    await paying.getByRole('link', { name: 'Back' }).click();
    await paying.getByText('Nothing was paid.').waitFor();
    await paying.close();
    await other.keyboard.press('Escape');
    await other.keyboard.press('m');
    await other.getByRole('button', { name: 'Open the payment page' }).waitFor();
    const again = other.context().waitForEvent('page');
    await other.keyboard.press('Enter');
    const payingNow = await again;
    await payingNow.getByRole('button', { name: 'Pay', exact: true }).click();
    await stripe.delivered();
    await begins(other, 'Thank you.');
    await payingNow.close();
    await other.keyboard.press('Escape');
    await expectEventually(() => other.getByText('You can’t add tasks and lists').count(), 0);
    await addTasks(other, ['Paint the bow']);
    await synced(other);
    await page.reload();
    await ready(page);
    await expectEventually(async () => (await outline(page)).length, 3);
  });

  test('[MONEY-66] a link to the purchase leads through signing up to the plan', async (t) => {
    const { url } = await sell(t);
    const { page } = await openApp(t, browser(), url);
    await page.goto(`${url}/purchase`);
    await page.getByRole('link', { name: 'Continue in the web app' }).click();
    await ready(page);
    await page.getByLabel('Email').fill('sue@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await begins(page, 'Your trial runs until ');
    await page.keyboard.press('Escape');
    await page.goto(`${url}/app/open/purchase`);
    await ready(page);
    await begins(page, 'Your trial runs until ');
  });

  test('[MONEY-50] a server without billing shows no trace of it', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    await signUp(page, 'eve@example.org');
    const answers: string[] = [];
    page.on('response', (response) => answers.push(new URL(response.url()).pathname));
    await page.keyboard.press('g');
    await page.keyboard.press('$');
    await page.keyboard.press('Control+k');
    for (const word of ['plan and payment', 'invoices', 'subscribe', 'receipts', 'billing']) {
      await page.locator('#palette-input').fill(word);
      await expectEventually(
        () =>
          page
            .locator('[role=option]')
            .allInnerTexts()
            .then((all) => all.filter((text) => /Plan and payment|Invoices…|Card, receipts/.test(text))),
        [],
      );
    }
    assert.deepEqual(
      answers.filter((path) => path.includes('/plan')),
      [],
    );
    for (const path of ['/app/api/plan', '/app/api/plan/invoices', '/partner/x', '/partner'])
      assert.equal((await fetch(url + path, { headers: { accept: 'text/html' } })).status, 404, path);
    const described = await (await fetch(`${url}/openapi.json`)).text();
    assert.doesNotMatch(described, /stripe|subscription|payment_required|invoice/i);
  });
});
