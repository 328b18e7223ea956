// A server without billing shows nothing of it, and one with billing starts only where everything fits together.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runAdmin } from '#server/admin-commands.ts';
import { readConfig } from '#server/config.ts';
import { billingTableNames } from '#server/data/tables/billing-tables.ts';
import { startServer } from '#server/server.ts';
import { conditionsOf } from '#server/site/site-files.ts';
import { billingPaths } from '#wire/billing.ts';
import { createTestServer, testConfig, weakHash } from '../api/harness.ts';
import { startStripeServer } from '../stripe-server.ts';
import { createBillingWorld, DAY } from './world.ts';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const on = { BILLING: 'on', STRIPE_SECRET_KEY: KEY, STRIPE_WEBHOOK_SECRET: 'whsec_one' };
const problemOf = (environment: Record<string, string>) => {
  const read = readConfig(environment);
  return read.ok ? null : read.problem.join(' ');
};

describe('a server without billing', () => {
  test('[MONEY-6] has no route, no plan, no word of it for programs, and no row', async () => {
    const server = await createTestServer({ environment: { ...on, BILLING: 'off' } });
    try {
      const { cookie } = await server.signUp('off@example.org');
      for (const path of Object.values(billingPaths))
        for (const method of ['GET', 'POST']) {
          const answer = await server.ask(path.replace(/:\w+/, 'x'), { method, cookie });
          assert.equal(answer.status, 404, `${method} ${path}`);
        }
      const text = await (await server.ask('/app/api/me', { cookie })).text();
      assert.doesNotMatch(text, /plan|trial/);
      const api = await (await server.ask('/openapi.json')).text();
      assert.doesNotMatch(api, /payment|billing|"402"/i);
      assert.equal(
        (await server.ask('/app/api/promo', { method: 'POST', cookie, body: { code: 'X1' } })).status,
        422,
      );
      await server.services.care.run();
      for (const table of billingTableNames)
        assert.deepEqual(await server.database.db.selectFrom(table).selectAll().execute(), [], table);
      assert.doesNotMatch(await (await server.ask('/readyz')).text(), /pay|billing/);
      assert.equal(conditionsOf(testConfig(), null).has('billing'), false);
      assert.equal(conditionsOf(testConfig(on), null).has('billing'), true);
    } finally {
      await server.close();
    }
  });

  test('[MONEY-6] with billing the description of the API says when nothing new can be added', async () => {
    const world = await createBillingWorld();
    try {
      const api = (await (await world.server.ask('/openapi.json')).json()) as {
        paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
      };
      const with402 = Object.entries(api.paths).flatMap(([path, calls]) =>
        Object.entries(calls).flatMap(([method, { responses }]) =>
          '402' in responses ? [`${method} ${path}`] : [],
        ),
      );
      assert.deepEqual(with402.toSorted(), [
        'post /lists',
        'post /lists/{id}/duplicate',
        'post /lists/{id}/public_links',
        'post /tasks',
        'post /todo_items/bulk_create',
      ]);
    } finally {
      await world.close();
    }
  });

  test('[MONEY-36] the SDK of Stripe is loaded with the first question to Stripe, and by nothing before', async () => {
    const { readdir, readFile } = await import('node:fs/promises');
    const root = new URL('../../src/', import.meta.url);
    const files = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const loading: string[] = [];
    for (const name of files) {
      const text = await readFile(new URL(name.replaceAll('\\', '/'), root), 'utf8');
      if (/^import (?!type )[^;]*from 'stripe'/m.test(text)) assert.fail(`${name} loads it at once`);
      if (text.includes("import('stripe')")) loading.push(name);
    }
    assert.deepEqual(loading, [join('server', 'billing', 'stripe-gate.ts')]);
  });
});

describe('the configuration of billing', () => {
  test('[MONEY-7] says what is missing or wrong, and never a value', () => {
    assert.equal(problemOf(on), null);
    assert.equal(
      problemOf({ BILLING: 'on' }),
      'BILLING is on, which needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. Set both.',
    );
    assert.match(
      problemOf({ ...on, STRIPE_SECRET_KEY: 'pk_test_public' }) ?? '',
      /^STRIPE_SECRET_KEY isn't a secret key/,
    );
    assert.match(
      problemOf({ ...on, STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b,whsec_c' }) ?? '',
      /^STRIPE_WEBHOOK_SECRET isn't/,
    );
    assert.equal(problemOf({ ...on, STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' }), null);
    assert.match(problemOf({ ...on, STRIPE_PRICE_YEAR: 'price_1' }) ?? '', /go together/);
    const live = { ...on, STRIPE_SECRET_KEY: 'sk_live_verysecret', STRIPE_URL: 'http://127.0.0.1:1' };
    assert.match(problemOf(live) ?? '', /^STRIPE_URL is for tests/);
    for (const wrong of [live, { ...on, STRIPE_SECRET_KEY: 'rk_liv_verysecret' }])
      assert.doesNotMatch(problemOf(wrong) ?? '', /verysecret/);
  });

  test('[MONEY-8] a live key refuses to start on test data, and a test key on live data', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'posthaste-billing-'));
    const stripe = await startStripeServer();
    const common = {
      RATE_LIMITS: 'off',
      PORT: '0',
      DATA_DIR: folder,
      BACKUPS: 'off',
      BALLAST_MB: '0',
      LOG_LEVEL: 'off',
    };
    const start = (environment: Record<string, string>) => {
      const read = readConfig({ ...common, ...environment });
      assert.ok(read.ok);
      return startServer(read.value, { hashParameters: weakHash });
    };
    const live = { ...on, STRIPE_SECRET_KEY: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' };
    try {
      const first = await start(stripe.environment());
      await first.close();
      // Nobody went to pay yet: the other key may take over.
      await (await start(live)).close();
      const third = await start(stripe.environment());
      const { services } = third;
      const made = await services.accounts.create('a@example.org', 'violet anchor under moss');
      assert.ok(made.ok);
      await services.billing!.purchases.checkout(made.value.account.id, 'year');
      await third.close();
      await assert.rejects(
        start(live),
        /STRIPE_SECRET_KEY is a live key, but this database has customers of a test key/,
      );
      await assert.rejects(start(live), 'and it stays so');
      const again = await start(stripe.environment());
      await again.database.db
        .updateTable('billing_setting')
        .set({ value: 'live' })
        .where('name', '=', 'mode')
        .execute();
      await again.close();
      await assert.rejects(
        start(stripe.environment()),
        /is a test key, but this database has customers who pay/,
      );
      // Off is off, whatever there was.
      await (await start({})).close();
    } finally {
      await stripe.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('[MONEY-38] the operator’s own prices are shown before anybody pays, and charged', async () => {
    const stripe = await startStripeServer();
    const price = (interval: string, cents: number) =>
      (
        stripe.books.call('POST', 'prices', {
          currency: 'eur',
          unit_amount: String(cents),
          recurring: { interval },
        }) as { id: string }
      ).id;
    const server = await createTestServer({
      environment: {
        ...stripe.environment(),
        STRIPE_PRICE_MONTH: price('month', 500),
        STRIPE_PRICE_YEAR: price('year', 4_500),
      },
    });
    try {
      await server.services.billing!.care();
      assert.deepEqual(await server.services.billing!.prices(), { month: 500, year: 4_500, currency: 'eur' });
      const { cookie } = await server.signUp('own@example.org');
      const body = { interval: 'year' };
      const answer = await server.ask('/app/api/plan/checkout', { method: 'POST', cookie, body });
      const { url } = (await answer.json()) as { url: string };
      assert.equal(stripe.books.get(url.split('/').at(-1) ?? '')['amount_total'], 4_500);
      assert.equal(stripe.asked.includes('POST /v1/prices'), false);
    } finally {
      await server.close();
      await stripe.close();
    }
  });

  test('[MONEY-25] a shell without the settings of billing erases nobody who still pays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'posthaste-billing-'));
    const stripe = await startStripeServer();
    const common = { DATA_DIR: folder, BACKUPS: 'off', BALLAST_MB: '0', LOG_LEVEL: 'off' };
    const read = readConfig({ ...common, PORT: '0', ...stripe.environment() });
    assert.ok(read.ok);
    const care = (environment: Record<string, string>) =>
      runAdmin(['care'], {
        environment: { ...common, ...environment },
        print: () => undefined,
        readPassword: () => Promise.resolve(''),
      });
    try {
      const first = await startServer(read.value, { hashParameters: weakHash });
      const { accounts, billing } = first.services;
      const made = await accounts.create('pays@example.org', 'violet anchor under moss');
      assert.ok(made.ok);
      const { account } = made.value;
      const page = await billing!.purchases.checkout(account.id, 'year');
      assert.ok(page.ok);
      stripe.books.pay(page.value.split('/').at(-1) ?? '');
      await billing!.settling.settle((await billing!.records.row(account.id))!.customer);
      await accounts.setErasure(account, 1);
      await first.close();
      const isThere = async () => {
        const server = await startServer(read.value, { hashParameters: weakHash });
        const found = await server.services.accounts.byId(account.id);
        await server.close();
        return found !== undefined;
      };
      assert.equal(await care({}), 0);
      assert.equal(await isThere(), true);
      assert.equal(await care(stripe.environment()), 0);
      assert.equal(await isThere(), false);
      assert.equal(stripe.books.list('subscription')[0]?.['status'], 'canceled');
    } finally {
      await stripe.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('[MONEY-3] who was here before has the two weeks from the day billing began; off in between, they begin anew', async () => {
    const world = await createBillingWorld();
    try {
      const { database, clock, services } = world.server;
      const person = await world.signUp('before');
      await database.db
        .updateTable('account')
        .set({ created_at: clock.now() - 400 * DAY })
        .where('id', '=', person.account)
        .execute();
      const plan = await world.plan(person);
      assert.deepEqual([plan.state, plan.trialEndsAt], ['trial', clock.now() + 14 * DAY]);
      assert.equal(await services.billing!.records.setting('since'), String(clock.now()));
      const { forgetBillingStart } = await import('#server/billing/records.ts');
      await forgetBillingStart(database.db);
      assert.equal(await services.billing!.records.setting('since'), null);
    } finally {
      await world.close();
    }
  });
});

describe('what is written down', () => {
  test('[MONEY-34] no key, no secret and nothing of a card is in the log, or in what the operator prints', async () => {
    const world = await createBillingWorld();
    try {
      await world.promo('CANARY', 'Carla Canary');
      const person = await world.signUp('canary7351');
      await world.redeem(person, 'CANARY');
      const session = await world.checkout(person, 'year');
      world.stripe.books.declines = true;
      world.stripe.books.pay(session);
      world.stripe.books.declines = false;
      world.stripe.books.pay(session);
      await world.session(person, session);
      await world.tell();
      await world.tellOne({ id: 'evt_x', object: 'event', data: { object: {} } }, 'whsec_of_somebody');
      world.stripe.books.declines = true;
      await world.post(person, '/app/api/plan/change', { interval: 'month' });
      world.stripe.books.declines = false;
      world.stripe.isDown = true;
      await world.get(person, '/app/api/plan/invoices');
      await world.tellOne({ ...(world.stripe.books.events[0] as object), id: 'evt_again' });
      world.stripe.isDown = false;
      const log = world.server.logged.join('');
      assert.match(log, /stripe_trouble/);
      assert.match(log, /billing_event_failed/);
      for (const word of [
        'sk_test',
        'whsec',
        'card',
        'cus_',
        'cs_test',
        'in_0',
        'CANARY',
        'Carla',
        'canary7351',
        '3600',
      ])
        assert.equal(log.includes(word), false, word);
      const printed: string[] = [];
      const secrets = world.stripe.environment();
      await runAdmin(['config'], {
        environment: secrets,
        print: (line: string) => void printed.push(line),
        readPassword: () => Promise.resolve(''),
      });
      assert.match(printed.join('\n'), /STRIPE_SECRET_KEY=\*\*\*/);
      assert.doesNotMatch(printed.join('\n'), /sk_test|whsec/);
    } finally {
      await world.close();
    }
  });
});
