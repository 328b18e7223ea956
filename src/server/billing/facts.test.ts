// What Stripe's objects come to: taxes, money that went back, and which subscription counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Stripe from 'stripe';
import { chosenOf, factsOf, invoiceOf, returnedOf, shownInvoice, subscriptionOf } from './facts.ts';

type Fields = Record<string, unknown>;

const invoice = (fields: Fields) =>
  ({
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    total: 4_800,
    total_excluding_tax: 4_800,
    amount_paid: 4_800,
    attempt_count: 1,
    created: 100,
    currency: 'usd',
    status_transitions: { paid_at: 101 },
    parent: { subscription_details: { subscription: 'sub_1' } },
    lines: { data: [{ amount: 4_800, period: { start: 100, end: 900 } }] },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    ...fields,
  }) as unknown as Stripe.Invoice;

const charge = (fields: Fields = {}) =>
  ({
    id: 'ch_1',
    status: 'succeeded',
    payment_intent: 'pi_1',
    amount_captured: 4_800,
    amount_refunded: 0,
    ...fields,
  }) as unknown as Stripe.Charge;

const dispute = (status: string, amount = 4_800) =>
  ({ charge: 'ch_1', status, amount }) as unknown as Stripe.Dispute;

const subscription = (id: string, fields: Fields = {}) =>
  subscriptionOf({
    id,
    status: 'active',
    created: 100,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    metadata: {},
    items: {
      data: [{ id: 'si', price: { id: 'price', recurring: { interval: 'month' } }, current_period_end: 900 }],
    },
    ...fields,
  } as unknown as Stripe.Subscription)!;

const read = (fields: Fields, charges = [charge()], disputes: Stripe.Dispute[] = []) =>
  invoiceOf(invoice(fields), returnedOf(charges, disputes))!;

test('[MONEY-21] commissions are reckoned without the taxes that an invoice has, also of what is left after a refund', () => {
  const taxed = { total: 5_712, total_excluding_tax: 4_800, amount_paid: 5_712 };
  const paid = charge({ amount_captured: 5_712 });
  assert.equal(read(taxed, [paid]).netCents, 4_800);
  assert.equal(read(taxed, [charge({ amount_captured: 5_712, amount_refunded: 2_856 })]).netCents, 2_400);
  // A part was paid from the balance of the customer, which was paid and earned before.
  assert.equal(read({ amount_paid: 1_200 }, [charge({ amount_captured: 1_200 })]).netCents, 1_200);
  assert.equal(read({ total: -500, total_excluding_tax: -500, amount_paid: 0 }, []).netCents, 0);
});

test('[MONEY-19] more than was paid never goes back, and only disputes that are open or lost count', () => {
  const returned = (disputes: Stripe.Dispute[], refunded = 0) =>
    read({}, [charge({ amount_refunded: refunded })], disputes).returnedCents;
  assert.equal(returned([dispute('needs_response')]), 4_800);
  assert.equal(returned([dispute('under_review', 1_000)]), 1_000);
  assert.equal(returned([dispute('lost')], 4_000), 4_800);
  for (const kept of ['won', 'warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])
    assert.equal(returned([dispute(kept)], 100), 100, kept);
  assert.equal(read({}, [charge({ status: 'failed', amount_refunded: 4_800 })]).returnedCents, 0);
  assert.equal(
    read({}, [charge({ payment_intent: 'pi_of_another', amount_refunded: 4_800 })]).returnedCents,
    0,
  );
});

test('[MONEY-1] an invoice is shown as what it is', () => {
  const state = (fields: Fields, charges?: Stripe.Charge[]) => shownInvoice(read(fields, charges)).state;
  assert.equal(state({}), 'paid');
  assert.equal(state({}, [charge({ amount_refunded: 1 })]), 'partly-refunded');
  assert.equal(state({}, [charge({ amount_refunded: 4_800 })]), 'refunded');
  assert.equal(state({ status: 'open', attempt_count: 0 }), 'open');
  assert.equal(state({ status: 'open' }), 'failed');
  assert.equal(state({ status: 'uncollectible', attempt_count: 0 }), 'failed');
  assert.equal(state({ status: 'void' }), 'void');
  assert.equal(invoiceOf(invoice({ status: 'draft' }), new Map()), null);
});

test('[MONEY-14] the first subscription that runs is the one, whatever order they are named in', () => {
  const [first, second] = [subscription('sub_b', { created: 100 }), subscription('sub_a', { created: 200 })];
  const over = subscription('sub_0', { created: 50, status: 'canceled', ended_at: 60 });
  for (const all of [
    [first, second, over],
    [over, second, first],
  ]) {
    const { chosen, doubles, isLiving } = chosenOf(all);
    assert.deepEqual([chosen?.id, doubles.map(({ id }) => id), isLiving], ['sub_b', ['sub_a'], true]);
  }
  assert.deepEqual(chosenOf([over]), { chosen: over, isLiving: false, doubles: [] });
});

test('[MONEY-15] what the bank has not answered yet is no plan, and neither is what it refused', () => {
  for (const status of ['incomplete', 'incomplete_expired'])
    assert.equal(
      factsOf({ subscriptions: [subscription('sub_1', { status, ended_at: 200 })], invoices: [] }).status ===
        'active',
      false,
      status,
    );
  assert.equal(
    factsOf({ subscriptions: [subscription('sub_1', { status: 'incomplete' })], invoices: [] }).status,
    'none',
  );
  const expired = subscription('sub_1', { status: 'incomplete_expired', ended_at: 200 });
  assert.equal(factsOf({ subscriptions: [expired], invoices: [] }).status, 'none');
});

test('[MONEY-5] a plan that is ended at once, as with a refund, is over then and not at the end of its time', () => {
  const ended = subscription('sub_1', { status: 'canceled', ended_at: 500 });
  const facts = factsOf({ subscriptions: [ended], invoices: [read({})] });
  assert.deepEqual([facts.status, facts.paidUntil], ['ended', 500_000]);
});

test('[MONEY-17] canceled is canceled, by the day or by the end of the period', () => {
  assert.equal(subscription('a', { cancel_at_period_end: true }).cancelAt, 900_000);
  assert.equal(subscription('a', { cancel_at: 700 }).cancelAt, 700_000);
  assert.equal(subscription('a').cancelAt, null);
});
