// The only door to Stripe: the official SDK, loaded with the first question, and every question this server asks. Answers are
// reduced by facts.ts. Not here: what follows from an answer (billing.ts).
import type Stripe from 'stripe';
import type { Interval } from '#wire/billing.ts';
import type { BillingConfig } from './billing-config.ts';
import {
  type CustomerAtStripe,
  invoiceOf,
  returnedOf,
  subscriptionOf,
  type SubscriptionAtStripe,
} from './facts.ts';

/** Of one try, of two: whoever waits for the answer is told before their own patience ends. */
const DEADLINE_MS = 10_000;
const TOLERANCE_SECONDS = 300;
/** Of one customer; a monthly plan of forty years has fewer. */
const MOST = 1_000;

/** Prices in cents, where somebody has to make them. */
export const usualPrices = { month: 600, year: 4_800, currency: 'usd' } as const;

export interface Price {
  readonly id: string;
  readonly cents: number;
}

export interface Prices {
  readonly month: Price;
  readonly year: Price;
  readonly currency: string;
}

/** A discount as a coupon: `once`, or for so many months. */
export interface CouponTerms {
  readonly code: string;
  readonly percent: number;
  readonly months: number | 'once';
}

/** A checkout that was made. `subscription`: after it was paid. */
export interface SessionAtStripe {
  readonly id: string;
  readonly url: string | null;
  readonly status: 'open' | 'complete' | 'expired';
  readonly isPaid: boolean;
  readonly customer: string | null;
}

/** What a checkout is for. */
export interface NewSession {
  readonly customer: string;
  readonly account: number;
  readonly price: string;
  readonly coupon: string | null;
  readonly code: string | null;
  readonly returnTo: string;
  readonly key: string;
}

/** What Stripe tells, checked. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly isLive: boolean;
  /** Whom it is about; null: nobody, or it has to be looked up by `charge`. */
  readonly customer: string | null;
  readonly charge: string | null;
}

/**
 * `away`: it can't be reached or is busy. `declined`: the bank said no. `missing`: there is no such thing. `refused`: it doesn't
 * take what we ask, so that something is set up wrongly.
 */
export type StripeTrouble = 'away' | 'declined' | 'missing' | 'refused';

const KINDS: Readonly<Record<string, StripeTrouble>> = {
  StripeConnectionError: 'away',
  StripeAPIError: 'away',
  StripeRateLimitError: 'away',
  StripeIdempotencyError: 'away',
  StripeCardError: 'declined',
};

/** Null: not an error of Stripe's. */
export function troubleOf(error: unknown): StripeTrouble | null {
  const { type, code, statusCode } = (error ?? {}) as {
    type?: unknown;
    code?: unknown;
    statusCode?: unknown;
  };
  if (typeof type !== 'string' || !type.startsWith('Stripe')) return null;
  if (statusCode === 404 || code === 'resource_missing') return 'missing';
  if (code === 'lock_timeout') return 'away';
  return KINDS[type] ?? 'refused';
}

const codeOf = (error: unknown) => (error as { readonly code?: unknown } | null)?.code;
const idOf = (of: unknown): string | null =>
  typeof of === 'string' ? of : ((of as { readonly id?: string } | null | undefined)?.id ?? null);

const SESSION_STATUSES = ['open', 'complete'] as const;

function sessionOf(from: Stripe.Checkout.Session): SessionAtStripe {
  return {
    id: from.id,
    url: from.url,
    status: SESSION_STATUSES.find((each) => each === from.status) ?? 'expired',
    isPaid: from.payment_status !== 'unpaid',
    customer: idOf(from.customer),
  };
}

/** Questions to Stripe. All reject with errors that `troubleOf` knows. */
export class StripeGate {
  readonly #config: BillingConfig;
  #loading: Promise<Stripe> | null = null;

  constructor(config: BillingConfig) {
    this.#config = config;
  }

  #stripe(): Promise<Stripe> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<Stripe> {
    const { default: Sdk } = await import('stripe');
    const { secretKey, url } = this.#config;
    const at = url === null ? null : new URL(url);
    return new Sdk(secretKey, {
      maxNetworkRetries: 1,
      timeout: DEADLINE_MS,
      telemetry: false,
      ...(at === null
        ? {}
        : {
            host: at.hostname,
            port: at.port || (at.protocol === 'https:' ? 443 : 80),
            protocol: at.protocol === 'https:' ? 'https' : 'http',
          }),
    });
  }

  /** The event in a body that Stripe signed with one of the secrets; null: it did not, or too long ago. */
  async read(raw: Uint8Array, signature: string): Promise<StripeEvent | null> {
    const stripe = await this.#stripe();
    const bytes = Buffer.from(raw);
    // The SDK takes what was signed in the future.
    const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? 0);
    if (signedAt > Date.now() / 1_000 + TOLERANCE_SECONDS) return null;
    for (const secret of this.#config.webhookSecrets)
      try {
        const event = await stripe.webhooks.constructEventAsync(bytes, signature, secret, TOLERANCE_SECONDS);
        const about = event.data.object as unknown as Readonly<Record<string, unknown>>;
        const isCustomer = about['object'] === 'customer';
        return {
          id: event.id,
          type: event.type,
          created: event.created * 1_000,
          isLive: event.livemode,
          customer: isCustomer ? idOf(about) : idOf(about['customer']),
          charge: about['object'] === 'charge' ? idOf(about) : idOf(about['charge']),
        };
      } catch {
        // Signed with the other secret, or by somebody else: the answer tells which.
      }
    return null;
  }

  async customerOfCharge(charge: string): Promise<string | null> {
    const stripe = await this.#stripe();
    return idOf((await stripe.charges.retrieve(charge)).customer);
  }

  /** Everything of a customer, as it is now. */
  async customer(customer: string): Promise<CustomerAtStripe> {
    const stripe = await this.#stripe();
    const page = { customer, limit: 100 } as const;
    const all = { limit: MOST };
    const subscriptions = await stripe.subscriptions.list({ ...page, status: 'all' }).autoPagingToArray(all);
    const charges = await stripe.charges.list(page).autoPagingToArray(all);
    const disputes: Stripe.Dispute[] = [];
    for (const { id } of charges.filter(({ disputed }) => disputed))
      disputes.push(...(await stripe.disputes.list({ charge: id, limit: 100 }).autoPagingToArray(all)));
    const returned = returnedOf(charges, disputes);
    // Last: what is paid meanwhile lacks its refund rather than the other way round, and comes again.
    const invoices = await stripe.invoices
      .list({ ...page, expand: ['data.payments'] })
      .autoPagingToArray(all);
    return {
      subscriptions: subscriptions.flatMap((of) => subscriptionOf(of) ?? []),
      invoices: invoices.flatMap((of) => invoiceOf(of, returned) ?? []),
    };
  }

  async newCustomer(email: string, account: string, key: string): Promise<string> {
    const stripe = await this.#stripe();
    const made = await stripe.customers.create(
      { email, metadata: { posthaste_account: account } },
      { idempotencyKey: key },
    );
    return made.id;
  }

  async setEmail(customer: string, email: string): Promise<void> {
    await (await this.#stripe()).customers.update(customer, { email });
  }

  /** The operator's prices, or those with our lookup keys, which are made if they are missing. */
  async prices(): Promise<Prices> {
    const stripe = await this.#stripe();
    const { priceMonth, priceYear } = this.#config;
    const [month, year] =
      priceMonth !== null && priceYear !== null
        ? [await stripe.prices.retrieve(priceMonth), await stripe.prices.retrieve(priceYear)]
        : [await this.#priceOf('month'), await this.#priceOf('year')];
    const price = ({ id, unit_amount: cents }: Stripe.Price): Price => ({ id, cents: cents ?? 0 });
    return { month: price(month), year: price(year), currency: month.currency };
  }

  async #priceOf(interval: Interval): Promise<Stripe.Price> {
    const stripe = await this.#stripe();
    const lookup = `posthaste_${interval}`;
    const { data } = await stripe.prices.list({ lookup_keys: [lookup], active: true, limit: 1 });
    if (data[0]) return data[0];
    return await stripe.prices.create(
      {
        currency: usualPrices.currency,
        unit_amount: usualPrices[interval],
        recurring: { interval },
        lookup_key: lookup,
        // From one that was archived.
        transfer_lookup_key: true,
        product_data: { name: 'Posthaste' },
      },
      { idempotencyKey: `${lookup}_price` },
    );
  }

  /** The id of the coupon with these terms, made once. */
  async coupon({ code, percent, months }: CouponTerms): Promise<string> {
    const stripe = await this.#stripe();
    const id = `posthaste-${code}-${percent}-${months}`;
    try {
      await stripe.coupons.create({
        id,
        percent_off: percent,
        name: code,
        ...(months === 'once' ? { duration: 'once' } : { duration: 'repeating', duration_in_months: months }),
      });
    } catch (error) {
      if (codeOf(error) !== 'resource_already_exists') throw error;
    }
    return id;
  }

  async newSession(wanted: NewSession): Promise<SessionAtStripe> {
    const stripe = await this.#stripe();
    const { customer, account, price, coupon, code, returnTo, key } = wanted;
    return sessionOf(
      await stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: String(account),
          line_items: [{ price, quantity: 1 }],
          ...(coupon === null ? {} : { discounts: [{ coupon }] }),
          payment_method_collection: 'if_required',
          ...(code === null ? {} : { subscription_data: { metadata: { posthaste_code: code } } }),
          success_url: `${returnTo}{CHECKOUT_SESSION_ID}`,
          cancel_url: `${returnTo}canceled`,
        },
        { idempotencyKey: key },
      ),
    );
  }

  async session(id: string): Promise<SessionAtStripe> {
    return sessionOf(await (await this.#stripe()).checkout.sessions.retrieve(id));
  }

  /** Nobody can pay it anymore; one that was paid or has expired stays as it is. */
  async expire(session: string): Promise<void> {
    const stripe = await this.#stripe();
    if ((await this.session(session)).status === 'open') await stripe.checkout.sessions.expire(session);
  }

  /** The address of the page for cards, canceling and receipts. `configuration`: made once (`portalConfiguration`). */
  async portal(customer: string, configuration: string, returnTo: string): Promise<string> {
    const stripe = await this.#stripe();
    const made = await stripe.billingPortal.sessions.create({
      customer,
      configuration,
      return_url: returnTo,
    });
    return made.url;
  }

  /** Without a change of plan: that is done here, so that the discount stays right. */
  async portalConfiguration(key: string): Promise<string> {
    const stripe = await this.#stripe();
    const made = await stripe.billingPortal.configurations.create(
      {
        features: {
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
          customer_update: { enabled: false },
          subscription_cancel: { enabled: true, mode: 'at_period_end' },
          subscription_update: { enabled: false },
        },
      },
      { idempotencyKey: key },
    );
    return made.id;
  }

  /** Another price at once, with the discount that is left; nothing changes when the payment fails. */
  async changePrice(
    { id, item }: SubscriptionAtStripe,
    to: { readonly price: string; readonly coupon: string | null; readonly key: string },
  ): Promise<void> {
    const stripe = await this.#stripe();
    await stripe.subscriptions.update(
      id,
      {
        items: [{ id: item, price: to.price }],
        discounts: to.coupon === null ? '' : [{ coupon: to.coupon }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: to.key },
    );
  }

  /** What `changePrice` would come to now. */
  async preview(
    customer: string,
    { id, item }: SubscriptionAtStripe,
    to: { readonly price: string; readonly coupon: string | null },
  ): Promise<{ readonly dueCents: number; readonly creditCents: number; readonly currency: string }> {
    const stripe = await this.#stripe();
    const found = await stripe.invoices.createPreview({
      customer,
      subscription: id,
      discounts: to.coupon === null ? '' : [{ coupon: to.coupon }],
      subscription_details: {
        items: [{ id: item, price: to.price }],
        proration_behavior: 'always_invoice',
      },
    });
    return {
      dueCents: found.amount_due,
      creditCents: Math.max(0, -found.total),
      currency: found.currency,
    };
  }

  /** Puts a discount on a subscription; `from`: since when its months count, milliseconds. */
  async discount(
    subscription: string,
    coupon: string,
    { code, from }: { readonly code: string; readonly from: number },
  ): Promise<void> {
    const stripe = await this.#stripe();
    await stripe.subscriptions.update(subscription, {
      discounts: [{ coupon }],
      metadata: { posthaste_code: code, posthaste_from: String(Math.round(from)) },
    });
  }

  /** Lets it end with the time that is paid (`why`), or takes that back (null). */
  async stop(subscription: string, why: string | null): Promise<void> {
    const stripe = await this.#stripe();
    await stripe.subscriptions.update(subscription, {
      cancel_at_period_end: why !== null,
      metadata: { posthaste_stopped: why ?? '' },
    });
  }

  /** Ends it now. One that has ended already is left alone. */
  async cancel(subscription: string): Promise<void> {
    try {
      await (await this.#stripe()).subscriptions.cancel(subscription, { prorate: false, invoice_now: false });
    } catch (error) {
      if (troubleOf(error) !== 'missing') throw error;
    }
  }

  /** All that is left of a charge; one that was refunded already is left alone. */
  async refund(charge: string): Promise<void> {
    try {
      await (
        await this.#stripe()
      ).refunds.create({ charge, reason: 'duplicate' }, { idempotencyKey: `posthaste-double-${charge}` });
    } catch (error) {
      if (codeOf(error) !== 'charge_already_refunded') throw error;
    }
  }
}
