// What can go otherwise at paying: two tabs, changed minds, failed cards, money back, people who leave, and Stripe being away.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ChangePreview } from '#wire/billing.ts';
import { type BillingWorld, type Buyer, createBillingWorld, DAY } from './world.ts';

const words = async (answer: Response) =>
  [answer.status, ((await answer.json()) as { message: string }).message] as const;

describe('edges of paying, against a server that stands in for Stripe', () => {
  let world: BillingWorld;
  before(async () => {
    world = await createBillingWorld();
    // Sessions end after a while without use; each test signs up anew.
  });
  after(() => world.close());

  /** A person who has paid for a plan. */
  async function payer(name: string, interval: 'month' | 'year', code?: string): Promise<Buyer> {
    const person = await world.signUp(name);
    if (code !== undefined) assert.equal((await world.redeem(person, code)).status, 200);
    assert.equal(world.stripe.books.pay(await world.checkout(person, interval)), true);
    await world.tell();
    return person;
  }
  const rowOf = (person: Buyer) => world.server.services.billing!.records.row(person.account);
  const cents = async (person: Buyer) => (await world.invoices(person)).map((of) => of.cents);
  const commissions = async () => {
    const rows = await world.server.database.db.selectFrom('commission').select(['payer', 'cents']).execute();
    const sums = new Map<number, number>();
    for (const { payer: of, cents: each } of rows) sums.set(of, (sums.get(of) ?? 0) + each);
    return (person: Buyer) => sums.get(person.account) ?? 0;
  };

  test('[MONEY-13] asked twice it is the same page; asked for the other plan, the first page ends', async () => {
    const person = await world.signUp('twice');
    const first = await world.checkout(person, 'year');
    assert.equal(await world.checkout(person, 'year'), first);
    const other = await world.checkout(person, 'month');
    assert.notEqual(other, first);
    assert.equal(world.stripe.books.pay(first), false);
    assert.equal(await world.session(person, first), 'expired');
    const both = await Promise.all([world.checkout(person, 'month'), world.checkout(person, 'month')]);
    assert.deepEqual(both, [other, other]);
    world.stripe.books.pay(other);
    const again = await world.post(person, '/app/api/plan/checkout', { interval: 'year' });
    assert.deepEqual(await words(again), [
      409,
      'This account has a subscription already. Nothing was charged.',
    ]);
  });

  test('[MONEY-13] somebody else’s checkout is none, and neither is a made-up one', async () => {
    const [person, other] = [await world.signUp('mine'), await world.signUp('theirs')];
    const session = await world.checkout(person, 'year');
    await world.checkout(other, 'year');
    for (const id of [session, 'cs_test_nothing', '..', 'cs_%2e%2e'])
      assert.equal((await world.get(other, `/app/api/plan/checkout/${id}`)).status, 404, id);
  });

  test('[MONEY-15] back from paying: open, waiting for the bank, paid; never said before it is', async () => {
    const person = await world.signUp('bank');
    const id = await world.checkout(person, 'year');
    assert.equal(await world.session(person, id), 'open');
    // The page is complete, and the bank still asks.
    const session = world.stripe.books.get(id);
    Object.assign(session, { status: 'complete', payment_status: 'unpaid', url: null });
    assert.equal(await world.session(person, id), 'waiting');
    assert.equal((await world.plan(person)).state, 'trial');
    Object.assign(session, { status: 'open', payment_status: 'unpaid' });
    world.stripe.books.pay(id);
    assert.equal(await world.session(person, id), 'paid');
    assert.equal((await world.plan(person)).state, 'active');
  });

  test('[MONEY-14] what two tabs paid twice is paid once: the first plan stays, the second goes back', async () => {
    await world.promo('TABS', 'Tabitha');
    const person = await world.signUp('tabs');
    await world.redeem(person, 'TABS');
    const { books } = world.stripe;
    // The second page was made without this server's knowledge of the first: as by a process that died in between.
    const one = await world.checkout(person, 'year');
    await world.server.database.db
      .updateTable('billing_account')
      .set({ session: null, session_for: null, revision: 99 })
      .where('account', '=', person.account)
      .execute();
    const two = await world.checkout(person, 'month');
    assert.equal(books.pay(one), true);
    world.server.clock.pass(5_000);
    assert.equal(books.pay(two), true);
    await world.tell();
    assert.deepEqual(
      [(await world.plan(person)).interval, (await world.plan(person)).state],
      ['year', 'active'],
    );
    const states = (await world.invoices(person)).map(({ state, cents: of }) => `${state} ${of}`);
    assert.deepEqual(states, ['refunded 450', 'paid 3600']);
    assert.equal((await commissions())(person), 1_080);
  });

  test('[MONEY-16] another plan keeps what is left of the discount, once', async () => {
    await world.promo('KEEP', 'Kim');
    const person = await payer('keeps', 'month', 'KEEP');
    const { subscription } = (await rowOf(person))!;
    assert.deepEqual(await cents(person), [450]);
    world.server.clock.pass(3 * DAY);
    const preview = async (interval: string) => {
      const { dueCents, creditCents } = (await (
        await world.post(person, '/app/api/plan/change/preview', { interval })
      ).json()) as ChangePreview;
      return [dueCents, creditCents];
    };
    assert.deepEqual(await preview('year'), [3_600 - 405, 0]);
    assert.deepEqual(await preview('month'), [0, 0]);
    assert.deepEqual(await cents(person), [450], 'asking changes nothing');
    assert.equal((await world.post(person, '/app/api/plan/change', { interval: 'year' })).status, 200);
    // 25 % off the year, less the unused part of the month.
    const [year = 0] = await cents(person);
    assert.equal(year, 3_600 - Math.round((450 * 27) / 30));
    assert.equal(world.stripe.books.couponOf(subscription!), null, 'it was for one invoice');
    world.server.clock.pass(DAY);
    const [due = -1, credit = -1] = await preview('month');
    assert.equal(due, 0);
    assert.equal((await world.post(person, '/app/api/plan/change', { interval: 'month' })).status, 200);
    assert.equal((await cents(person))[0], -credit);
    assert.equal(world.stripe.books.couponOf(subscription!), 'posthaste-KEEP-25-12');
    // To what it is already: nothing happens.
    const before = (await cents(person)).length;
    assert.equal((await world.post(person, '/app/api/plan/change', { interval: 'month' })).status, 200);
    assert.equal((await cents(person)).length, before);
  });

  test('[MONEY-16] a discount is shown while it holds, and is over with its months', async () => {
    await world.promo('YEAR', 'Yun');
    const person = await payer('year', 'month', 'YEAR');
    assert.equal((await world.plan(person)).promo?.isApplied, true);
    const { db } = world.server.database;
    const old = world.server.clock.now() - 366 * DAY;
    await db
      .updateTable('billing_account')
      .set({ discount_from: old })
      .where('account', '=', person.account)
      .execute();
    assert.equal((await world.plan(person)).promo, null);
  });

  test('[MONEY-16] a declined card changes nothing, and says so', async () => {
    const person = await payer('declined', 'month');
    const before = await cents(person);
    world.stripe.books.declines = true;
    const answer = await world.post(person, '/app/api/plan/change', { interval: 'year' });
    world.stripe.books.declines = false;
    assert.deepEqual(await words(answer), [
      402,
      'Your card was declined, so nothing was changed. Choose another card, then try again.',
    ]);
    assert.deepEqual(await cents(person), before);
    assert.equal((await world.plan(person)).interval, 'month');
  });

  test('[MONEY-28] a change that Stripe made and did not answer is said to be unknown, and is made once', async () => {
    const person = await payer('unsure', 'month');
    world.stripe.hold = (call) => {
      if (call.startsWith('POST /v1/subscriptions/')) world.stripe.isDown = true;
      return Promise.resolve();
    };
    const before = (await cents(person)).length;
    const { subscription } = (await rowOf(person))!;
    // Stripe's own answer is lost: everything after it fails.
    const answer = await world.post(person, '/app/api/plan/change', { interval: 'year' });
    world.stripe.hold = null;
    world.stripe.isDown = false;
    assert.equal(answer.status, 503);
    assert.match((await words(answer))[1], /don’t know yet whether your plan changed/);
    assert.equal((await world.post(person, '/app/api/plan/change', { interval: 'year' })).status, 200);
    assert.equal((await cents(person)).length, before + 1);
    assert.equal((await rowOf(person))!.subscription, subscription);
    assert.equal((await world.plan(person)).interval, 'year');
  });

  test('[MONEY-16] without a subscription there is nothing to change', async () => {
    const person = await world.signUp('nothing');
    const answer = await world.post(person, '/app/api/plan/change', { interval: 'year' });
    assert.deepEqual(await words(answer), [409, 'This account has no subscription yet.']);
    assert.equal((await world.post(person, '/app/api/plan/portal')).status, 409);
    assert.deepEqual(await world.invoices(person), []);
    assert.equal((await world.post(person, '/app/api/plan/checkout', { interval: 'week' })).status, 422);
  });

  test('[MONEY-17] canceling and keeping in the portal is seen at once', async () => {
    const person = await payer('portal', 'month');
    const { subscription, paid_until: until } = (await rowOf(person))!;
    const portal = (await (await world.post(person, '/app/api/plan/portal')).json()) as { url: string };
    assert.match(portal.url, /\/portal\/bps_/);
    world.stripe.books.cancelAtPeriodEnd(subscription!, true);
    await world.tell();
    const ending = await world.plan(person);
    assert.deepEqual([ending.state, ending.cancelAt], ['ending', until]);
    world.stripe.books.cancelAtPeriodEnd(subscription!, false);
    await world.tell();
    assert.equal((await world.plan(person)).state, 'active');
  });

  test('[MONEY-17] who comes back after the end buys anew, at the full price, and the partner earns on', async () => {
    await world.promo('AGAIN', 'Abe');
    const person = await payer('again', 'month', 'AGAIN');
    world.stripe.books.end((await rowOf(person))!.subscription!);
    await world.tell();
    const over = await world.plan(person);
    assert.deepEqual([over.state, over.promo], ['trial', null], 'the trial is not over yet');
    assert.equal(world.stripe.books.pay(await world.checkout(person, 'year')), true);
    await world.tell();
    assert.deepEqual(await cents(person), [4_800, 450]);
    assert.deepEqual(
      [(await world.plan(person)).state, (await commissions())(person)],
      ['active', 1_440 + 135],
    );
  });

  test('[MONEY-18] a failed renewal is past due until it is paid', async () => {
    const person = await payer('late', 'month');
    const { subscription, paid_until: until } = (await rowOf(person))!;
    world.stripe.books.declines = true;
    world.stripe.books.renew(subscription!);
    world.stripe.books.attempt(world.invoice());
    await world.tell();
    const late = await world.plan(person);
    assert.deepEqual([late.state, late.periodEndsAt], ['past-due', until]);
    assert.equal((await world.invoices(person))[0]?.state, 'failed');
    // What is open is paid in the portal, not by a second subscription.
    const answer = await world.post(person, '/app/api/plan/checkout', { interval: 'year' });
    assert.match(((await answer.json()) as { url: string }).url, /\/portal\/bps_/);
    world.stripe.books.declines = false;
    world.stripe.books.attempt(world.invoice());
    await world.tell();
    assert.equal((await world.plan(person)).state, 'active');
  });

  test('[MONEY-19] refunds and disputes take their part of the commission, and a dispute that is won gives it back', async () => {
    await world.promo('BACK', 'Bea');
    const person = await payer('back', 'year', 'BACK');
    const invoice = world.invoice();
    const { books } = world.stripe;
    assert.equal((await commissions())(person), 1_080);
    books.refund(invoice, 1_200);
    await world.tell();
    assert.equal((await commissions())(person), 720);
    assert.deepEqual((await world.invoices(person))[0]?.state, 'partly-refunded');
    const dispute = books.dispute(invoice);
    await world.tell();
    assert.equal(
      (await commissions())(person),
      0,
      'a dispute is about all of it, and nothing is taken twice',
    );
    books.decide(dispute, 'won');
    await world.tell();
    assert.equal((await commissions())(person), 720);
    books.refund(invoice);
    await world.tell();
    await world.tell();
    assert.equal((await commissions())(person), 0);
    assert.equal((await world.plan(person)).state, 'active', 'money back does not end a plan by itself');
  });

  test('[MONEY-20] a code of 100 % is a plan for nothing, and no commission', async () => {
    await world.promo('FREE', 'Fay', { percent: 100 });
    const person = await payer('free', 'year', 'FREE');
    assert.deepEqual(await cents(person), [0]);
    assert.equal((await world.plan(person)).state, 'active');
    const rows = await world.server.database.db
      .selectFrom('commission')
      .select('cents')
      .where('partner', '=', 'Fay')
      .execute();
    assert.deepEqual(rows, []);
  });

  test('[MONEY-22] a partner is not their own referral', async () => {
    await world.promo('SELF', 'Sal');
    await world.server.database.db
      .updateTable('promo_code')
      .set({ partner_email: 'Self@example.org' })
      .where('code', '=', 'SELF')
      .execute();
    const person = await world.signUp('self');
    assert.deepEqual(await words(await world.redeem(person, 'self')), [
      422,
      'This is your own code: it works for the people you invite.',
    ]);
    assert.equal((await world.redeem(await world.signUp('self+again'), 'SELF')).status, 422);
    // Redeemed under another address that became the partner's.
    const later = await world.signUp('later');
    await world.redeem(later, 'SELF');
    await world.server.database.db
      .updateTable('promo_code')
      .set({ partner_email: 'later@example.org' })
      .where('code', '=', 'SELF')
      .execute();
    assert.equal((await world.plan(later)).promo, null);
    world.stripe.books.pay(await world.checkout(later, 'year'));
    await world.tell();
    assert.deepEqual(await cents(later), [4_800]);
    assert.equal((await commissions())(later), 0);
  });

  test('[MONEY-23] codes of partners are for people who never paid; a discount of the operator’s is for everybody', async () => {
    await world.promo('LATE', 'Lea');
    await world.promo('SORRY', 'Posthaste', { percent: 50, commission: 0, months: 3 });
    const person = await payer('paid', 'month');
    assert.deepEqual(await words(await world.redeem(person, 'LATE')), [
      422,
      'Promo codes are for a first subscription, and this account has had one.',
    ]);
    assert.equal((await world.redeem(person, 'SORRY')).status, 200);
    assert.equal((await world.plan(person)).promo?.isApplied, true);
    assert.equal(world.stripe.books.couponOf((await rowOf(person))!.subscription!), 'posthaste-SORRY-50-3');
    world.stripe.books.renew((await rowOf(person))!.subscription!);
    await world.tell();
    assert.deepEqual(await cents(person), [300, 600]);
  });

  test('[MONEY-23] a code that was disabled after it was redeemed keeps its word', async () => {
    await world.promo('GONE', 'Gil');
    const person = await world.signUp('gone');
    await world.redeem(person, 'GONE');
    await world.server.services.desk.promoCodes.disable('GONE');
    assert.equal((await world.redeem(await world.signUp('after'), 'GONE')).status, 422);
    world.stripe.books.pay(await world.checkout(person, 'year'));
    await world.tell();
    assert.deepEqual(await cents(person), [3_600]);
    assert.equal((await commissions())(person), 1_080);
  });

  test('[MONEY-24] a code that is entered while a page to pay is open ends that page', async () => {
    await world.promo('OPEN', 'Ole');
    const person = await world.signUp('open');
    const before = await world.checkout(person, 'year');
    await world.redeem(person, 'OPEN');
    assert.equal(world.stripe.books.pay(before), false);
    const then = await world.checkout(person, 'year');
    assert.equal(world.stripe.books.get(then)['amount_total'], 3_600);
  });

  test('[MONEY-25] an erased account ends its subscription first, and waits while Stripe is away', async () => {
    await world.promo('ERASE', 'Eva');
    const person = await payer('erased', 'year', 'ERASE');
    const { subscription, customer } = (await rowOf(person))!;
    const { accounts, care } = world.server.services;
    await accounts.setErasure((await accounts.byId(person.account))!, world.server.clock.now() - 1);
    world.stripe.isDown = true;
    await care.run();
    assert.notEqual(await accounts.byId(person.account), undefined);
    world.stripe.isDown = false;
    await care.run();
    assert.equal(await accounts.byId(person.account), undefined);
    assert.equal(world.stripe.books.get(subscription!)['status'], 'canceled');
    assert.equal(world.stripe.books.get(customer)['object'], 'customer', 'invoices stay at Stripe');
    assert.equal(await rowOf(person), null);
    assert.equal((await commissions())(person), 1_080, 'what was earned was earned');
    // And what is given back afterwards is still taken off.
    world.stripe.books.refund(String(world.stripe.books.list('invoice', { customer })[0]?.['id']));
    assert.deepEqual([...new Set(await world.tell())], [200]);
    assert.equal((await commissions())(person), 0);
  });

  test('[MONEY-25] who was deleted at Stripe can be erased here, and stops nobody else in the night', async () => {
    const [person, other] = [await payer('deleted', 'month'), await payer('other', 'month')];
    world.stripe.books.deleteCustomer((await rowOf(person))!.customer);
    world.stripe.books.cancelAtPeriodEnd((await rowOf(other))!.subscription!, true);
    world.server.clock.pass(DAY);
    const { accounts, billing, care } = world.server.services;
    await billing!.care();
    assert.equal((await rowOf(other))?.cancel_at === null, false);
    const asked = world.stripe.asked.length;
    await billing!.care();
    assert.equal(world.stripe.asked.length, asked);
    await accounts.setErasure((await accounts.byId(person.account))!, world.server.clock.now() - 1);
    await care.run();
    assert.equal(await accounts.byId(person.account), undefined);
  });

  test('[MONEY-26] an account that is disabled, or asked to be erased, is not charged again; one that stays is', async () => {
    const person = await payer('leaves', 'month');
    const { subscription } = (await rowOf(person))!;
    const { accounts, billing } = world.server.services;
    const account = (await accounts.byId(person.account))!;
    const isCanceled = () => world.stripe.books.get(subscription!)['cancel_at_period_end'];
    await accounts.setErasure(account, world.server.clock.now() + 7 * DAY);
    await billing!.care();
    assert.equal(isCanceled(), true);
    await accounts.setErasure((await accounts.byId(person.account))!, null);
    world.server.clock.pass(DAY);
    await billing!.care();
    assert.equal(isCanceled(), false);
    await accounts.setDisabled((await accounts.byId(person.account))!, true);
    await billing!.care();
    assert.equal(isCanceled(), true);
  });

  test('[MONEY-27] Stripe learns of another email address', async () => {
    const person = await payer('before', 'month');
    const { customer } = (await rowOf(person))!;
    await world.server.database.db
      .updateTable('account')
      .set({ email: 'after-it@example.org' })
      .where('id', '=', person.account)
      .execute();
    await world.post(person, '/app/api/plan/portal');
    assert.equal(world.stripe.books.get(customer)['email'], 'after-it@example.org');
  });

  test('[MONEY-28] while Stripe is away that is said, nothing is half done, and later it works', async () => {
    const person = await world.signUp('away');
    world.stripe.isDown = true;
    const answer = await world.post(person, '/app/api/plan/checkout', { interval: 'year' });
    world.stripe.isDown = false;
    assert.deepEqual(await words(answer), [
      503,
      'Stripe, which takes the payments, can’t be reached right now. Nothing was charged. Try again in a minute.',
    ]);
    assert.equal(answer.headers.get('retry-after'), '60');
    assert.equal(await rowOf(person), null);
    assert.equal((await world.plan(person)).state, 'trial');
    assert.equal(world.stripe.books.pay(await world.checkout(person, 'year')), true);
  });

  test('[MONEY-12] what was just paid and no webhook told is found as soon as its person looks, also where Stripe was away', async () => {
    const person = await world.signUp('looks');
    world.stripe.books.pay(await world.checkout(person, 'year'));
    world.server.clock.pass(10_000);
    world.stripe.isDown = true;
    assert.equal((await world.plan(person)).state, 'trial');
    world.stripe.isDown = false;
    assert.equal((await world.plan(person)).state, 'active');
    const asked = world.stripe.asked.length;
    world.server.clock.pass(10_000);
    await world.plan(person);
    assert.equal(world.stripe.asked.length, asked, 'who has paid is not asked about');
  });

  test('[MONEY-12] what no webhook told is found in the night, by one process', async () => {
    const person = await world.signUp('night');
    world.stripe.books.pay(await world.checkout(person, 'year'));
    assert.equal((await rowOf(person))?.status, 'none');
    world.server.clock.pass(DAY);
    await world.server.services.billing!.care();
    assert.equal((await world.plan(person)).state, 'active');
    const asked = world.stripe.asked.length;
    await world.server.services.billing!.care();
    assert.equal(world.stripe.asked.length, asked, 'nobody is asked about twice a night');
    // Away in the night: the next hour tries again.
    world.stripe.books.cancelAtPeriodEnd((await rowOf(person))!.subscription!, true);
    world.server.clock.pass(DAY);
    world.stripe.isDown = true;
    await world.server.services.billing!.care();
    world.stripe.isDown = false;
    world.server.clock.pass(60_000);
    await world.server.services.billing!.care();
    assert.equal((await rowOf(person))?.cancel_at === null, false);
  });
});
