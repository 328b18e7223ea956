// What Stripe tells: only what it signed for this server is taken, once, and what fails for now is asked for again.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { STRIPE_TEST_SECRET } from '../stripe-server.ts';
import type { Fields } from '../stripe-books.ts';
import { type BillingWorld, createBillingWorld } from './world.ts';

describe('what Stripe tells', () => {
  let world: BillingWorld;
  let event: Fields;
  before(async () => {
    world = await createBillingWorld({ STRIPE_WEBHOOK_SECRET: `whsec_the_next_one, ${STRIPE_TEST_SECRET}` });
    const person = await world.signUp('webhook');
    world.stripe.books.pay(await world.checkout(person, 'year'));
    event = world.stripe.books.events.at(-1) as Fields;
  });
  after(() => world.close());

  const post = (raw: string, signature: string | null, type = 'application/json') =>
    world.server.ask('/stripe/webhook', {
      method: 'POST',
      raw,
      headers: { 'content-type': type, ...(signature === null ? {} : { 'stripe-signature': signature }) },
    });
  const events = () => world.server.database.db.selectFrom('stripe_event').selectAll().execute();

  test('[MONEY-9] what Stripe did not sign for this server is refused, and nothing of it is kept', async () => {
    const { body, signature } = world.stripe.signed(event);
    const old = world.stripe.signed(event, STRIPE_TEST_SECRET, Math.floor(Date.now() / 1_000) - 301);
    assert.equal((await post(body, null)).status, 403);
    assert.equal((await post('', signature)).status, 403);
    assert.equal((await post(body, 't=1,v1=00')).status, 403);
    assert.equal((await post(body.replace('evt_', 'evT_'), signature)).status, 403);
    assert.equal((await post(`${body} `, signature)).status, 403, 'the bytes count, not their meaning');
    assert.equal((await post(body, world.stripe.signed(event, 'whsec_of_somebody').signature)).status, 403);
    assert.equal((await post(old.body, old.signature)).status, 403, 'five minutes are over');
    const early = world.stripe.signed(event, STRIPE_TEST_SECRET, Math.floor(Date.now() / 1_000) + 7_200);
    assert.equal((await post(early.body, early.signature)).status, 403, 'of the future');
    assert.equal((await post(' '.repeat(256 * 1_024 + 1), signature)).status, 413);
    const live = world.stripe.signed({ ...event, livemode: true });
    assert.equal((await post(live.body, live.signature)).status, 403);
    assert.deepEqual(await events(), []);
  });

  test('[MONEY-9] either of two secrets is taken, whatever the type of the body is called', async () => {
    const next = world.stripe.signed({ ...event, id: 'evt_next' }, 'whsec_the_next_one');
    assert.equal((await post(next.body, next.signature, 'text/plain')).status, 200);
    const before = world.stripe.signed({ ...event, id: 'evt_before' });
    assert.equal((await post(before.body, before.signature)).status, 200);
  });

  test('[MONEY-10] the same event again asks nobody again', async () => {
    const { body, signature } = world.stripe.signed(event);
    assert.equal((await post(body, signature)).status, 200);
    const asked = world.stripe.asked.length;
    assert.equal((await post(body, signature)).status, 200);
    assert.equal(world.stripe.asked.length, asked);
  });

  test('[MONEY-10] what fails for now is answered 500, written down, and taken when it is told again', async () => {
    const again = world.stripe.signed({ ...event, id: 'evt_again' });
    world.stripe.isDown = true;
    assert.equal((await post(again.body, again.signature)).status, 500);
    world.stripe.isDown = false;
    const failed = (await events()).find(({ id }) => id === 'evt_again');
    assert.deepEqual([failed?.handled_at, failed?.error], [null, 'StripeAPIError']);
    assert.equal((await post(again.body, again.signature)).status, 200);
    const done = (await events()).find(({ id }) => id === 'evt_again');
    assert.deepEqual([done?.handled_at === null, done?.error], [false, null]);
  });

  test('[MONEY-10] many events at once are few questions', async () => {
    const asked = world.stripe.asked.length;
    const many = Array.from({ length: 20 }, (_, index) =>
      world.tellOne({ ...event, id: `evt_many_${index}` }),
    );
    assert.deepEqual([...new Set((await Promise.all(many)).map(({ status }) => status))], [200]);
    const readings = world.stripe.asked.slice(asked).filter((call) => call === 'GET /v1/invoices').length;
    assert.ok(readings >= 1 && readings <= 10, String(readings));
  });

  test('[MONEY-10] events of strangers and of kinds that mean nothing here are taken, and change nothing', async () => {
    const strange = [
      {
        ...event,
        id: 'evt_product',
        type: 'product.created',
        data: { object: { id: 'prod_1', object: 'product' } },
      },
      {
        ...event,
        id: 'evt_charge',
        type: 'charge.dispute.created',
        data: { object: { object: 'dispute', charge: 'ch_none' } },
      },
      {
        ...event,
        id: 'evt_nobody',
        data: { object: { object: 'invoice', customer: 'cus_of_another_product' } },
      },
    ];
    for (const one of strange) assert.equal((await world.tellOne(one)).status, 200);
    assert.equal(
      (await world.server.database.db.selectFrom('billing_account').selectAll().execute()).length,
      1,
    );
  });
});
