// Which discount a checkout, or a change of plan, is made with. A code takes its percent off the first months: of a monthly plan
// each of them, of a yearly one the invoices that begin in them. Pure.
import { DAY_MS } from '#core/time.ts';
import type { Interval } from '#wire/billing.ts';
import type { CouponTerms } from './stripe-gate.ts';

/** The terms of a redeemed code. */
export interface Discount {
  readonly code: string;
  readonly percent: number;
  readonly months: number;
}

const MONTH_MS = (365.25 * DAY_MS) / 12;

/**
 * The coupon for a plan that began `usedMs` ago (0: begins now); null: the months of the discount are over. On a yearly plan one
 * of a year or less holds for one invoice. A longer one ends a month earlier, so that it can't touch the invoice after its years.
 */
export function couponOf(discount: Discount, interval: Interval, usedMs = 0): CouponTerms | null {
  const { code, percent } = discount;
  // A whole month counts as used once it is over.
  const months = discount.months - Math.floor(usedMs / MONTH_MS);
  if (months <= 0 || percent <= 0) return null;
  if (interval === 'month') return { code, percent, months };
  return { code, percent, months: months <= 12 ? 'once' : months - 1 };
}
