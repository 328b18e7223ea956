// A person who comes by a promo code: tries, pays, changes the plan, is refunded; and what the partner is shown of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createBillingWorld, DAY, type BillingWorld } from './world.ts';

describe('plans and payments, against a server that stands in for Stripe', () => {
  let world: BillingWorld;
  before(async () => {
    world = await createBillingWorld();
  });
  after(() => world.close());

  test('[MONEY-1] from the code to the refund, right to the cent', async () => {
    const { stripe, server } = world;
    await world.promo('HELLO', 'Pat');
    const person = await world.signUp('story');
    assert.equal((await world.plan(person)).state, 'trial');
    assert.equal((await world.redeem(person, 'hello')).status, 200);
    const trying = await world.plan(person);
    assert.deepEqual(trying.promo, {
      code: 'HELLO',
      partner: 'Pat',
      percent: 25,
      months: 12,
      isApplied: false,
    });
    assert.equal(trying.hasCustomer, false);

    const session = await world.checkout(person, 'year');
    assert.equal(stripe.books.get(session)['amount_total'], 3_600);
    assert.equal(await world.session(person, session), 'open');
    assert.equal(stripe.books.pay(session), true);
    // Back from paying before any webhook.
    assert.equal(await world.session(person, session), 'paid');
    const paid = await world.plan(person);
    assert.deepEqual([paid.state, paid.interval, paid.promo?.isApplied], ['active', 'year', true]);
    assert.deepEqual([...new Set(await world.tell())], [200]);
    assert.equal((await world.statement('Pat')).balanceCents, 1_080);

    server.clock.pass(12 * DAY);
    assert.equal((await world.post(person, '/app/api/plan/change', { interval: 'month' })).status, 200);
    assert.equal((await world.plan(person)).interval, 'month');
    await world.tell();
    const [, first] = await world.invoices(person);
    assert.equal(first?.cents, 3_600);

    stripe.books.refund(String(stripe.books.list('invoice').at(-1)?.['id']));
    await world.tell();
    const statement = await world.statement('Pat');
    assert.equal(statement.balanceCents, 0);
    assert.deepEqual(
      statement.months.map(({ earnedCents, reversedCents }) => [earnedCents, reversedCents]),
      [
        [0, -1_080],
        [1_080, 0],
      ],
    );
    const [, refunded] = await world.invoices(person);
    assert.deepEqual([refunded?.state, refunded?.refundedCents], ['refunded', 3_600]);
  });
});
