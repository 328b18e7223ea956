// What Stripe's objects say, reduced to what counts here: subscriptions, invoices with what was given back, and which of several
// subscriptions is the one. Pure.
import type Stripe from 'stripe';
import type { Interval, Invoice } from '#wire/billing.ts';
import { nothingPaid, type SubscriptionFacts } from './state.ts';

/** A subscription of an account. Times are milliseconds. */
export interface SubscriptionAtStripe {
  readonly id: string;
  readonly status: string;
  /** Of its only item. */
  readonly item: string;
  readonly price: string;
  readonly interval: Interval;
  readonly createdAt: number;
  readonly periodEndsAt: number;
  readonly cancelAt: number | null;
  readonly endedAt: number | null;
  /** The promo code whose discount it was made with. */
  readonly code: string | null;
  /** Since when it has that discount. */
  readonly discountFrom: number;
  /** Why it was canceled by this server; null: it was not. */
  readonly stopped: string | null;
}

/** An invoice of an account, with everything that became of its payment. Amounts are cents. */
export interface InvoiceAtStripe {
  readonly id: string;
  readonly number: string;
  readonly subscription: string | null;
  readonly createdAt: number;
  readonly paidAt: number | null;
  readonly status: 'open' | 'paid' | 'void' | 'uncollectible';
  /** A payment was tried and failed. */
  readonly hasFailed: boolean;
  readonly cents: number;
  readonly paidCents: number;
  /** Refunds, and disputes that are open or lost: never more than was paid. */
  readonly returnedCents: number;
  /** Of what was paid and not given back, without taxes. */
  readonly netCents: number;
  readonly currency: string;
  readonly url: string | null;
  /** End of the time that it pays for; null: none. */
  readonly paysUntil: number | null;
  /** Charges that can be refunded, for what was paid twice. */
  readonly charges: readonly string[];
}

/** Everything of a customer. */
export interface CustomerAtStripe {
  readonly subscriptions: readonly SubscriptionAtStripe[];
  readonly invoices: readonly InvoiceAtStripe[];
}

const ms = (seconds: number) => seconds * 1_000;
const msOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : ms(seconds);
const idOf = (of: string | { readonly id: string } | null | undefined): string | null =>
  typeof of === 'string' ? of : (of?.id ?? null);

const INTERVALS: readonly Interval[] = ['month', 'year'];
const STATUSES: readonly InvoiceAtStripe['status'][] = ['open', 'paid', 'void', 'uncollectible'];

/** Null: it is none of ours. */
export function subscriptionOf(from: Stripe.Subscription): SubscriptionAtStripe | null {
  const item = from.items.data[0];
  const interval = INTERVALS.find((each) => each === item?.price.recurring?.interval);
  if (!item || interval === undefined) return null;
  const cancelAt = from.cancel_at_period_end ? item.current_period_end : from.cancel_at;
  return {
    id: from.id,
    status: from.status,
    item: item.id,
    price: item.price.id,
    interval,
    createdAt: ms(from.created),
    periodEndsAt: ms(item.current_period_end),
    cancelAt: msOrNull(cancelAt),
    endedAt: msOrNull(from.ended_at),
    code: from.metadata['posthaste_code'] || null,
    discountFrom: Number(from.metadata['posthaste_from'] || ms(from.created)),
    stopped: from.metadata['posthaste_stopped'] || null,
  };
}

/** Cents given back of charges, by the payment or charge that an invoice names. */
export type Returned = ReadonlyMap<string, { readonly cents: number; readonly charges: readonly string[] }>;

const KEPT: ReadonlySet<string> = new Set([
  'won',
  'warning_closed',
  'warning_needs_response',
  'warning_under_review',
  'prevented',
]);

/** What of each payment went back: refunds, and disputes that are not won. */
export function returnedOf(charges: readonly Stripe.Charge[], disputes: readonly Stripe.Dispute[]): Returned {
  const returned = new Map<string, { cents: number; charges: string[] }>();
  for (const charge of charges) {
    if (charge.status !== 'succeeded') continue;
    const disputed = disputes
      .filter((dispute) => idOf(dispute.charge) === charge.id && !KEPT.has(dispute.status))
      .reduce((sum, { amount }) => sum + amount, 0);
    const key = idOf(charge.payment_intent) ?? charge.id;
    const of = returned.get(key) ?? { cents: 0, charges: [] };
    returned.set(key, {
      cents: of.cents + Math.min(charge.amount_captured, charge.amount_refunded + disputed),
      charges: [...of.charges, charge.id],
    });
  }
  return returned;
}

/** Half a cent is rounded up. */
const shareOf = (cents: number, part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.floor((2 * cents * part + whole) / (2 * whole));

function paysUntil(invoice: Stripe.Invoice): number | null {
  const ends = invoice.lines.data.filter(({ amount }) => amount >= 0).map(({ period }) => period.end);
  return ends.length === 0 ? null : ms(Math.max(...ends));
}

/** Null: a draft, which is nothing yet. */
export function invoiceOf(from: Stripe.Invoice, returned: Returned): InvoiceAtStripe | null {
  const status = STATUSES.find((each) => each === from.status);
  if (status === undefined) return null;
  const payments = (from.payments?.data ?? []).flatMap(({ payment }) => {
    const key = idOf(payment.payment_intent) ?? idOf(payment.charge);
    const of = key === null ? undefined : returned.get(key);
    return of === undefined ? [] : [of];
  });
  const paidCents = status === 'paid' ? from.amount_paid : 0;
  const returnedCents = Math.min(
    paidCents,
    payments.reduce((sum, { cents }) => sum + cents, 0),
  );
  return {
    id: from.id,
    number: from.number ?? from.id,
    subscription: idOf(from.parent?.subscription_details?.subscription),
    createdAt: ms(from.created),
    paidAt: status === 'paid' ? ms(from.status_transitions.paid_at ?? from.created) : null,
    status,
    hasFailed: from.attempt_count > 0 && status !== 'paid',
    cents: from.total,
    paidCents,
    returnedCents,
    netCents: shareOf(paidCents - returnedCents, from.total_excluding_tax ?? from.total, from.total),
    currency: from.currency,
    url: from.hosted_invoice_url ?? null,
    paysUntil: paysUntil(from),
    charges: payments.flatMap(({ charges }) => charges),
  };
}

/** An invoice as its account sees it. */
export function shownInvoice(of: InvoiceAtStripe): Invoice {
  const paid =
    of.returnedCents === 0 ? 'paid' : of.returnedCents < of.paidCents ? 'partly-refunded' : 'refunded';
  const unpaid =
    of.status === 'void' ? 'void' : of.hasFailed || of.status === 'uncollectible' ? 'failed' : 'open';
  return {
    number: of.number,
    at: of.createdAt,
    cents: of.cents,
    refundedCents: of.returnedCents,
    currency: of.currency,
    state: of.status === 'paid' ? paid : unpaid,
    url: of.url,
  };
}

const LIVING: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid']);

/** The subscription that counts, and those that somebody paid for besides it (two tabs). */
export function chosenOf(all: readonly SubscriptionAtStripe[]): {
  readonly chosen: SubscriptionAtStripe | null;
  readonly isLiving: boolean;
  readonly doubles: readonly SubscriptionAtStripe[];
} {
  const inOrder = all.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const living = inOrder.filter(({ status }) => LIVING.has(status));
  const [first, ...doubles] = living;
  if (first) return { chosen: first, isLiving: true, doubles };
  const ended = inOrder.filter(({ endedAt, status }) => endedAt !== null && status !== 'incomplete_expired');
  const last = ended.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1);
  return { chosen: last ?? null, isLiving: false, doubles: [] };
}

/** What the subscription that counts comes to. */
export function factsOf({ subscriptions, invoices }: CustomerAtStripe): SubscriptionFacts & {
  readonly subscription: SubscriptionAtStripe | null;
} {
  const { chosen, isLiving } = chosenOf(subscriptions);
  if (chosen === null) return { ...nothingPaid, subscription: null };
  const paid = invoices
    .filter(({ subscription, paidAt }) => subscription === chosen.id && paidAt !== null)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.paidAt ?? 0) - (b.paidAt ?? 0))
    .at(-1);
  const through = paid?.paysUntil ?? null;
  const common = { interval: chosen.interval, subscription: chosen };
  if (!isLiving)
    return {
      ...common,
      status: 'ended',
      paidUntil: through === null ? null : Math.min(through, chosen.endedAt ?? through),
      cancelAt: null,
    };
  const isPaid = chosen.status === 'active' || chosen.status === 'trialing';
  return {
    ...common,
    status: isPaid ? 'active' : 'past-due',
    paidUntil: isPaid ? chosen.periodEndsAt : through,
    cancelAt: chosen.cancelAt,
  };
}
