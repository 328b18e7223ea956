// The four earnings that the product promises its partners, and the arithmetic behind them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { couponOf } from './coupons.ts';
import { commissionCents } from './ledger.ts';

const discounted = (cents: number, percent: number) => Math.round((cents * (100 - percent)) / 100);
const times = (count: number, cents: number) => Array.from({ length: count }, () => cents);
const earned = (invoices: readonly number[]) =>
  invoices.reduce((sum, cents) => sum + commissionCents(cents, 30), 0) / 100;

test('[MONEY-21] the four earnings that are promised, to the cent', () => {
  assert.equal(earned([discounted(4_800, 25)]), 10.8);
  assert.equal(earned([4_800]), 14.4);
  assert.equal(earned(times(12, discounted(600, 25))), 16.2);
  assert.equal(earned(times(12, 600)), 21.6);
});

test('[MONEY-21] half a cent is rounded up, and nothing is lost between cents', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 5, 450, 3_599, 3_601].map((cents) => commissionCents(cents, 30)),
    [0, 0, 1, 1, 2, 135, 1_080, 1_080],
  );
  assert.equal(commissionCents(1_000, 0), 0);
  assert.equal(commissionCents(999, 100), 999);
});

test('[MONEY-16] a discount is for its months: each of a monthly plan, the first invoice of a yearly one', () => {
  const quarter = { code: 'A', percent: 25, months: 12 };
  const MONTH = (365.25 * 86_400_000) / 12;
  assert.deepEqual(couponOf(quarter, 'month'), { code: 'A', percent: 25, months: 12 });
  assert.deepEqual(couponOf(quarter, 'year'), { code: 'A', percent: 25, months: 'once' });
  assert.equal(couponOf(quarter, 'month', 5.5 * MONTH)?.months, 7);
  assert.equal(couponOf(quarter, 'year', 11.9 * MONTH)?.months, 'once');
  assert.equal(couponOf(quarter, 'year', 12 * MONTH), null);
  assert.equal(couponOf({ ...quarter, months: 24 }, 'year')?.months, 23);
});
