// A whole server with billing beside a server that stands in for Stripe, both on one clock. What happens at Stripe is told when the
// test says so, in the order it says.
import { createPromoCodes } from '#server/site/promo-codes.ts';
import type { CheckoutAnswer, Interval, Invoice, PartnerStatement, Plan } from '#wire/billing.ts';
import type { Database } from '#server/data/database.ts';
import { createSecret, digestOf } from '#server/site/secret-link.ts';
import { createTestServer, type TestServer } from '../api/harness.ts';
import { startStripeServer, type StripeServer } from '../stripe-server.ts';
import type { Fields } from '../stripe-books.ts';

export const DAY = 86_400_000;

/** An account and its browser. */
export interface Buyer {
  readonly cookie: string;
  readonly account: number;
  readonly personalScope: string;
}

export interface BillingWorld {
  readonly server: TestServer;
  readonly stripe: StripeServer;
  /** Tells the server everything that happened since, in order. Answers the statuses. */
  tell(): Promise<readonly number[]>;
  /** Tells one event; `secret`: another one than Stripe's. */
  tellOne(event: Fields, secret?: string): Promise<Response>;
  signUp(name: string): Promise<Buyer>;
  plan(of: Buyer): Promise<Plan>;
  post(of: Buyer, path: string, body?: unknown): Promise<Response>;
  get(of: Buyer, path: string): Promise<Response>;
  /** The id of the checkout that a person is sent to. */
  checkout(of: Buyer, interval: Interval): Promise<string>;
  session(of: Buyer, id: string): Promise<CheckoutAnswer['checkout']>;
  invoices(of: Buyer): Promise<readonly Invoice[]>;
  /** A code of a partner with 30 % commission; 25 % off for a year. */
  promo(
    code: string,
    partner: string,
    terms?: { percent?: number; commission?: number; months?: number },
  ): Promise<void>;
  redeem(of: Buyer, code: string): Promise<Response>;
  statement(partner: string): Promise<PartnerStatement>;
  /** The only subscription, and the newest invoice. */
  subscription(): string;
  invoice(): string;
  close(): Promise<void>;
}

/** Starts both. `environment`: besides what billing needs; `open`: absent, SQLite in memory. */
export async function createBillingWorld(
  environment: Record<string, string> = {},
  open?: () => Promise<Database>,
): Promise<BillingWorld> {
  let wall = () => Date.now();
  const stripe = await startStripeServer(() => wall());
  const server = await createTestServer({
    environment: { ...stripe.environment(), ...environment },
    ...(open === undefined ? {} : { open }),
  });
  wall = () => server.clock.now();
  let told = 0;
  const json = async <T>(answer: Response): Promise<T> => {
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const world: BillingWorld = {
    server,
    stripe,
    async tell() {
      const statuses: number[] = [];
      for (; told < stripe.books.events.length; told += 1)
        statuses.push((await world.tellOne(stripe.books.events[told] as Fields)).status);
      return statuses;
    },
    async tellOne(event, secret) {
      const { body, signature } = stripe.signed(event, secret);
      return server.ask('/stripe/webhook', {
        method: 'POST',
        raw: body,
        headers: { 'stripe-signature': signature },
      });
    },
    signUp: (name) => server.signUp(`${name}@example.org`),
    async plan({ cookie }) {
      return (await json<{ plan: Plan }>(await server.ask('/app/api/plan', { cookie }))).plan;
    },
    post: ({ cookie }, path, body) =>
      server.ask(path, { method: 'POST', cookie, ...(body === undefined ? {} : { body }) }),
    get: ({ cookie }, path) => server.ask(path, { cookie }),
    async checkout(of, interval) {
      const { url } = await json<{ url: string }>(
        await world.post(of, '/app/api/plan/checkout', { interval }),
      );
      return url.split('/').at(-1) ?? '';
    },
    async session(of, id) {
      return (await json<CheckoutAnswer>(await world.get(of, `/app/api/plan/checkout/${id}`))).checkout;
    },
    async invoices(of) {
      return (await json<{ invoices: Invoice[] }>(await world.get(of, '/app/api/plan/invoices'))).invoices;
    },
    async promo(code, partner, { percent = 25, commission = 30, months = 12 } = {}) {
      const terms = { discountPercentage: percent, discountMonths: months, commissionPercentage: commission };
      await createPromoCodes(server.database.db, server.clock).create(code, partner, terms);
    },
    redeem: (of, code) => world.post(of, '/app/api/promo', { code }),
    async statement(partner) {
      const secret = createSecret();
      await server.database.db
        .insertInto('partner_link')
        .values({ digest: digestOf(secret), partner, created_at: 0 })
        .execute();
      const statement = await server.services.billing?.statement(secret);
      if (!statement) throw new Error('There is no statement.');
      return statement;
    },
    subscription: () => String(stripe.books.list('subscription')[0]?.['id']),
    invoice: () => String(stripe.books.list('invoice')[0]?.['id']),
    async close() {
      await server.close();
      await stripe.close();
    },
  };
  return world;
}
