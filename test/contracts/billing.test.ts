// Plans, commissions and payouts on every engine: the same rows, by several processes at once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createBilling } from '#server/billing/billing.ts';
import { makePayouts } from '#server/billing/ledger.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { createLogger } from '#server/observe/log.ts';
import { testConfig } from '../api/harness.ts';
import { createBillingWorld, DAY } from '../billing/world.ts';
import type { Fields } from '../stripe-books.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';

function billingContract(engine: string, open: () => Promise<Database>): void {
  test(`[MONEY-11] two processes on ${engine} hear everything at once, and book each cent once`, async () => {
    const world = await createBillingWorld({}, open);
    const { database, clock, bus, services } = world.server;
    try {
      await world.promo('BOTH', 'Bo');
      const person = await world.signUp('both');
      await world.redeem(person, 'BOTH');
      const { books } = world.stripe;
      books.pay(await world.checkout(person, 'year'));
      books.refund(world.invoice(), 1_200);
      const log = createLogger({ level: 'off', clock, write: () => undefined });
      const config = testConfig(world.stripe.environment());
      const other = createBilling({ config, db: database.db, clock, bus, log });
      const told = books.events.flatMap((event: Fields) => {
        const { body, signature } = world.stripe.signed(event);
        return [services.billing, other].map((of) => of!.told(Buffer.from(body), signature));
      });
      // One may lose a race for a row and be asked for again, as Stripe does.
      const answers = await Promise.all(told);
      assert.equal(
        answers.every((answer) => answer === 'done' || answer === 'again'),
        true,
      );
      await world.tell();
      const statement = await world.statement('Bo');
      assert.deepEqual([statement.balanceCents, statement.referrals.length], [720, 1]);
      assert.equal((await world.plan(person)).state, 'active');

      clock.pass(15 * DAY);
      const make = (name: string) =>
        makePayouts(database.db, '2026-11', { now: clock.now(), id: () => name }).catch(() => []);
      await Promise.all([make('one'), make('two')]);
      const payouts = await database.db.selectFrom('payout').select('cents').execute();
      assert.deepEqual(payouts, [{ cents: 720 }]);

      const { accounts, care } = services;
      await accounts.setErasure((await accounts.byId(person.account))!, clock.now() - 1);
      await care.run();
      assert.deepEqual(await database.db.selectFrom('billing_account').selectAll().execute(), []);
      assert.equal((await world.statement('Bo')).balanceCents, 720);
    } finally {
      await world.close();
    }
  });
}

billingContract('SQLite', () => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  billingContract('PostgreSQL', async () => {
    assert.ok(instance);
    return await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
});
