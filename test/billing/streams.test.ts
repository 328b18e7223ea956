// Events of Stripe in any order, any number of times and at once: what is kept in the end is the same.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createBilling } from '#server/billing/billing.ts';
import { createLogger } from '#server/observe/log.ts';
import { testConfig } from '../api/harness.ts';
import type { Fields } from '../stripe-books.ts';
import { type BillingWorld, createBillingWorld, DAY } from './world.ts';

/** A life with everything in it: what is recorded are its events, none of them told yet. */
async function live(world: BillingWorld): Promise<void> {
  const { books } = world.stripe;
  await world.promo('STREAM', 'Stella');
  for (const [name, interval] of [
    ['one', 'month'],
    ['two', 'year'],
  ] as const) {
    const person = await world.signUp(name);
    await world.redeem(person, 'STREAM');
    books.pay(await world.checkout(person, interval));
  }
  const [two = '', one = ''] = books.list('subscription').map(({ id }) => String(id));
  world.server.clock.pass(30 * DAY);
  books.renew(one);
  books.refund(world.invoice(), 100);
  world.server.clock.pass(30 * DAY);
  books.declines = true;
  books.renew(one);
  books.declines = false;
  books.attempt(world.invoice());
  const dispute = books.dispute(
    String(books.list('invoice', { customer: String(books.get(two)['customer']) })[0]?.['id']),
  );
  books.decide(dispute, 'lost');
  books.cancelAtPeriodEnd(two, true);
  books.end(one);
}

/** Everything that is kept, without the times and counts of writing it. */
async function kept(world: BillingWorld): Promise<unknown> {
  const { db } = world.server.database;
  const accounts = await db
    .selectFrom('billing_account')
    .select([
      'customer',
      'subscription',
      'status',
      'plan_interval',
      'paid_until',
      'cancel_at',
      'discount_code',
    ])
    .orderBy('customer')
    .execute();
  const rows = await db.selectFrom('commission').selectAll().execute();
  const sums = Map.groupBy(rows, ({ invoice }) => invoice);
  const commissions = [...sums]
    .map(([invoice, all]) => [invoice, all.reduce((sum, { cents }) => sum + cents, 0)] as const)
    .filter(([, cents]) => cents !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { accounts, commissions };
}

async function forget(world: BillingWorld): Promise<void> {
  const { db } = world.server.database;
  await db.deleteFrom('stripe_event').execute();
  await db.deleteFrom('commission').execute();
  await db
    .updateTable('billing_account')
    .set({
      subscription: null,
      status: 'none',
      plan_interval: null,
      paid_until: null,
      cancel_at: null,
      discount_code: null,
    })
    .execute();
}

describe('recorded streams of events', () => {
  test('[MONEY-11] any order, any number of times, and at once: the same plans and the same cents', async () => {
    const world = await createBillingWorld();
    try {
      await live(world);
      const events = [...world.stripe.books.events];
      assert.ok(events.length > 25, `only ${events.length} events`);
      await world.tell();
      const expected = await kept(world);
      assert.equal((expected as { commissions: unknown[] }).commissions.length > 2, true);
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray([...events.keys(), ...events.keys()], { minLength: events.length }),
          fc.integer({ min: 1, max: 4 }),
          async (order, atOnce) => {
            await forget(world);
            // What is left out of the middle comes at the end, as Stripe repeats it.
            const all = [...order, ...[...events.keys()].filter((index) => !order.includes(index))];
            for (let at = 0; at < all.length; at += atOnce) {
              const answers = await Promise.all(
                all.slice(at, at + atOnce).map((index) => world.tellOne(events[index] as Fields)),
              );
              assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
            }
            assert.deepEqual(await kept(world), expected);
          },
        ),
        { numRuns: 12, seed: 20_261_130 },
      );
    } finally {
      await world.close();
    }
  });

  test('[MONEY-11] what one process read before it changed never replaces what another read after', async () => {
    const world = await createBillingWorld();
    try {
      const { services, database, clock, bus } = world.server;
      const person = await world.signUp('two');
      world.stripe.books.pay(await world.checkout(person, 'month'));
      await world.tell();
      const one = services.billing!;
      const config = testConfig(world.stripe.environment());
      const log = createLogger({ level: 'off', clock, write: () => undefined });
      const other = createBilling({ config, db: database.db, clock, bus, log })!;
      const { customer, subscription } = (await one.records.row(person.account))!;
      world.stripe.hold = async (call) => {
        if (call !== 'GET /v1/subscriptions') return;
        world.stripe.hold = null;
        world.stripe.books.cancelAtPeriodEnd(subscription!, true);
        await other.settling.settle(customer);
        assert.notEqual((await one.records.row(person.account))?.cancel_at, null);
      };
      await one.settling.settle(customer);
      assert.equal(world.stripe.hold, null);
      assert.notEqual((await one.records.row(person.account))?.cancel_at, null);
    } finally {
      await world.close();
    }
  });

  test('[MONEY-11] told while it happens, late and in pieces: the same as all at the end', async () => {
    const [at, end] = [await createBillingWorld(), await createBillingWorld()];
    try {
      // One hears of everything at once, the other only in the end, backwards.
      const say = at.stripe.books.say.bind(at.stripe.books);
      const waiting: Promise<unknown>[] = [];
      at.stripe.books.say = (type, object) => {
        say(type, object);
        waiting.push(at.tellOne(at.stripe.books.events.at(-1) as Fields));
      };
      await live(at);
      await Promise.all(waiting);
      at.stripe.books.say = say;
      await at.tell();
      await live(end);
      for (const event of end.stripe.books.events.toReversed()) await end.tellOne(event);
      assert.deepEqual(await kept(at), await kept(end));
    } finally {
      await at.close();
      await end.close();
    }
  });
});
