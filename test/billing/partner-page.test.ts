// The page of a partner: right to the cent, without names, and nothing that people write is markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementHtml } from '#server/billing/partner-page.ts';
import type { PartnerStatement } from '#wire/billing.ts';
import { elementsOf, readHtml, textOf } from '../../scripts/site/html.ts';

const STATEMENT: PartnerStatement = {
  partner: 'The Harbour',
  currency: 'usd',
  codes: [
    {
      code: 'HARBOUR',
      discountPercent: 25,
      discountMonths: 12,
      commissionPercent: 30,
      isActive: true,
      redeemed: 2,
    },
  ],
  months: [
    { month: '2026-12', payments: 1, earnedCents: 135, reversedCents: -1_080 },
    { month: '2026-11', payments: 2, earnedCents: 1_215, reversedCents: 0 },
  ],
  referrals: [
    { number: 1, since: '2026-11', isPaying: false, payments: 1, earnedCents: 0 },
    { number: 2, since: '2026-11', isPaying: true, payments: 2, earnedCents: 270 },
  ],
  payouts: [{ period: '2026-11', cents: 1_215, paidAt: Date.UTC(2026, 11, 5) }],
  balanceCents: -945,
};

const rowsOf = (html: string) =>
  [...elementsOf(readHtml(html))]
    .filter(({ tag }) => tag === 'tr')
    .map((row) => row.children.map((cell) => (typeof cell === 'string' ? cell : textOf(cell))));

test('[MONEY-63] the statement shows each month, person and payout to the cent, and what refunds took back', () => {
  const html = statementHtml(STATEMENT);
  assert.deepEqual(rowsOf(html), [
    ['Month', 'Payments', 'Earned', 'Taken back', 'Total'],
    ['December 2026', '1', '$1.35', '-$10.80', '-$9.45'],
    ['November 2026', '2', '$12.15', '$0.00', '$12.15'],
    ['Person', 'First paid', 'Now', 'Payments', 'You earned'],
    ['Number 1', 'November 2026', 'Not subscribed', '1', '$0.00'],
    ['Number 2', 'November 2026', 'Subscribed', '2', '$2.70'],
    ['For', 'Amount', 'On'],
    ['November 2026', '$12.15', 'December 5, 2026'],
    ['Code', 'State', 'They get', 'You get', 'Redeemed by'],
    ['HARBOUR', 'Works', '25% off the first 12 months', '30%', '2 accounts'],
  ]);
  assert.match(html, /\$9\.45 more was paid to you than you earned, because of refunds/);
});

test('[MONEY-63] an empty statement says so, and a name stays text', () => {
  const html = statementHtml({
    ...STATEMENT,
    partner: '<img src=x onerror=alert(1)> & "Sons"',
    codes: [],
    months: [],
    referrals: [],
    payouts: [],
    balanceCents: 0,
  });
  assert.deepEqual(rowsOf(html), []);
  assert.match(html, /Nothing is waiting to be paid out\./);
  const name = [...elementsOf(readHtml(html))].find(({ tag }) => tag === 'bdi');
  assert.equal(name && textOf(name), '<img src=x onerror=alert(1)> & "Sons"');
  assert.deepEqual(
    [...elementsOf(readHtml(html))].filter(({ tag }) => tag === 'img'),
    [],
  );
});
