// Messages about plans and payments: between the web app and the server (`/app/api/plan…`, JSON, cookie), the statement of a
// partner, and the addresses of all of them. A server without billing has none of these routes. Amounts are integers in the
// currency's smallest unit: cents.
import * as z from 'zod/mini';
import { msSchema } from './values.ts';

/** Addresses of everything that has to do with plans; none is answered where billing is off. */
export const billingPaths = {
  /** GET: the plan of the account (`planAnswerSchema`). */
  plan: '/app/api/plan',
  /**
   * POST (`checkoutRequestSchema`): where to pay (`addressAnswerSchema`); while a payment is open, the portal. 409 `conflict`: there is
   * a subscription that is paid.
   */
  checkout: '/app/api/plan/checkout',
  /** GET: what became of a checkout (`checkoutAnswerSchema`); read anew from Stripe, so that nobody waits for a webhook. */
  session: '/app/api/plan/checkout/:session',
  /** POST (no body): the page for cards, canceling and receipts (`addressAnswerSchema`). */
  portal: '/app/api/plan/portal',
  /** POST (`planChangeSchema`): from month to year or back, at once (`planAnswerSchema`). */
  change: '/app/api/plan/change',
  /** POST (`planChangeSchema`): what such a change would cost today (`changePreviewSchema`); nothing is changed. */
  preview: '/app/api/plan/change/preview',
  /** GET: newest first (`invoicesAnswerSchema`). */
  invoices: '/app/api/plan/invoices',
  /** GET: the page of a partner, by its secret. Everything on it is `statementSchema`. */
  partner: '/partner/:secret',
  /** POST: what Stripe tells. */
  webhook: '/stripe/webhook',
} as const;

/**
 * The parameter of the app's address (`/app/open/purchase?checkout=…`) with which people come back from paying: the id of the
 * checkout, or `canceled`.
 */
export const checkoutParameter = 'checkout';

/** Days that are promised. */
export const planDays = {
  /** From signing up, or from the day on which an existing server turned billing on. */
  trial: 14,
  /** After the trial or the paid time, with everything as before. */
  grace: 14,
} as const;

export const intervalSchema = z.enum(['month', 'year']);
/** How often is paid. */
export type Interval = z.infer<typeof intervalSchema>;

/**
 * `trial`: nothing is paid yet. `active`: paid. `ending`: paid, and canceled for `cancelAt`. `past-due`: a payment failed, and
 * Stripe tries again. `grace`: trial or paid time is over, nothing is restricted until `graceUntil`. `lapsed`: after that.
 */
export const planStateSchema = z.enum(['trial', 'active', 'ending', 'past-due', 'grace', 'lapsed']);
/** Where an account stands. */
export type PlanState = z.infer<typeof planStateSchema>;

/** A promo code or an operator's discount, as it holds for an account; none once its months are over. */
export const planPromoSchema = z.object({
  code: z.string(),
  partner: z.string(),
  percent: z.int(),
  months: z.int(),
  /** It is on the subscription already; false: the next checkout applies it by itself. */
  isApplied: z.boolean(),
});

/** The plan of an account. */
export const planSchema = z.object({
  state: planStateSchema,
  /** What is or was paid; null: never anything. */
  interval: z.nullable(intervalSchema),
  /** False: what makes new tasks and lists is answered 402. True again as soon as something is paid. */
  mayAdd: z.boolean(),
  trialEndsAt: msSchema,
  /** End of the time that is paid; null: nothing was ever paid. */
  periodEndsAt: z.nullable(msSchema),
  /** Canceled: when it ends; null: it goes on by itself. */
  cancelAt: z.nullable(msSchema),
  /** Until when new things may be made as it stands; null: the subscription goes on by itself. */
  graceUntil: z.nullable(msSchema),
  /** There is a customer at Stripe: the portal and invoices exist. */
  hasCustomer: z.boolean(),
  promo: z.nullable(planPromoSchema),
  /** Prices without any discount. */
  prices: z.object({ month: z.int(), year: z.int(), currency: z.string() }),
  /** The server's clock at this answer. */
  at: msSchema,
});
/** The plan of an account. */
export type Plan = z.infer<typeof planSchema>;

/** Answer of `GET /app/api/plan` and of a change of it. */
export const planAnswerSchema = z.object({ success: z.literal(true), plan: planSchema });

/** Body of `POST /app/api/plan/checkout`. */
export const checkoutRequestSchema = z.strictObject({ interval: intervalSchema });

/** Body of `POST /app/api/plan/change`. */
export const planChangeSchema = z.strictObject({ interval: intervalSchema });

/** Answer of `POST /app/api/plan/change/preview`. */
export const changePreviewSchema = z.object({
  success: z.literal(true),
  /** Taken from the card today, with the discount and less what was paid and not used. */
  dueCents: z.int(),
  /** What was paid and is not used up by that: later invoices are paid with it. */
  creditCents: z.int(),
  currency: z.string(),
});
/** What a change of plan would cost today. */
export type ChangePreview = z.infer<typeof changePreviewSchema>;

/** A page of Stripe to open in the browser. */
export const addressAnswerSchema = z.object({ success: z.literal(true), url: z.string() });

/**
 * `paid`: it is done, and the plan says so. `waiting`: the page was completed, the bank has not answered yet. `open`: not paid.
 * `expired`: a new checkout is needed.
 */
export const checkoutAnswerSchema = z.object({
  success: z.literal(true),
  checkout: z.enum(['paid', 'waiting', 'open', 'expired']),
  plan: planSchema,
});
/** What became of a checkout. */
export type CheckoutAnswer = z.infer<typeof checkoutAnswerSchema>;

export const invoiceSchema = z.object({
  /** As Stripe numbers it. */
  number: z.string(),
  at: msSchema,
  cents: z.int(),
  /** Of that given back. */
  refundedCents: z.int(),
  currency: z.string(),
  state: z.enum(['paid', 'open', 'refunded', 'partly-refunded', 'failed', 'void']),
  /** Stripe's own page of it; null: none yet. */
  url: z.nullable(z.string()),
});
/** An invoice of the account. */
export type Invoice = z.infer<typeof invoiceSchema>;

/** Answer of `GET /app/api/plan/invoices`. */
export const invoicesAnswerSchema = z.object({ success: z.literal(true), invoices: z.array(invoiceSchema) });

/** What a partner sees: no names, no addresses of anybody. */
export const statementSchema = z.object({
  partner: z.string(),
  currency: z.string(),
  codes: z.array(
    z.object({
      code: z.string(),
      discountPercent: z.int(),
      discountMonths: z.int(),
      commissionPercent: z.int(),
      isActive: z.boolean(),
      redeemed: z.int(),
    }),
  ),
  /** Newest first: `2026-11`, UTC. Reversals of refunds and disputes are negative and stand in the month they came. */
  months: z.array(
    z.object({ month: z.string(), payments: z.int(), earnedCents: z.int(), reversedCents: z.int() }),
  ),
  /** Who came by a code, in the order they came; only those who ever paid. */
  referrals: z.array(
    z.object({
      number: z.int(),
      /** `2026-11`. */
      since: z.string(),
      isPaying: z.boolean(),
      payments: z.int(),
      /** With reversals taken off. */
      earnedCents: z.int(),
    }),
  ),
  /** Newest first. */
  payouts: z.array(z.object({ period: z.string(), cents: z.int(), paidAt: msSchema })),
  /** All that was earned, less reversals and payouts; may be below zero after a refund. */
  balanceCents: z.int(),
});
/** What a partner sees of their earnings. */
export type PartnerStatement = z.infer<typeof statementSchema>;

/** On the live socket: the plan of the account is another than before; ask `GET /app/api/plan`. */
export const planMessageSchema = z.object({ type: z.literal('plan') });
