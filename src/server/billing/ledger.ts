// The commissions of partners: rows that are added and never changed. Those of one invoice always add up to the partner's
// percent of what is paid and kept of it, so that a refund, a dispute or a repeated message needs no rule of its own.
import type { Kysely, Transaction } from 'kysely';
import { DAY_MS } from '#core/time.ts';
import type { PartnerStatement } from '#wire/billing.ts';
import type { Tables } from '../data/tables.ts';
import type { CommissionTable } from '../data/tables/billing-tables.ts';
import type { InvoiceAtStripe } from './facts.ts';

/** Whom a payment is credited to. */
export interface Referral {
  readonly partner: string;
  readonly code: string;
  readonly percent: number;
  readonly payer: number;
}

/** The commission in whole cents; half a cent is rounded up. */
export const commissionCents = (netCents: number, percent: number): number =>
  Math.floor((netCents * percent + 50) / 100);

type Booked = Pick<CommissionTable, 'number' | 'cents' | 'partner' | 'code' | 'percent' | 'payer'>;

const bookedOf = (db: Kysely<Tables>, invoice: string): Promise<Booked[]> =>
  db
    .selectFrom('commission')
    .select(['number', 'cents', 'partner', 'code', 'percent', 'payer'])
    .where('invoice', '=', invoice)
    .orderBy('number')
    .execute();

/**
 * Brings the rows of an invoice to what is due now. `referral` null: nobody referred the account, but rows that are there are
 * still corrected, by their own terms. Two that write at once: one is refused by the key and has to begin again.
 */
export async function book(
  tx: Transaction<Tables>,
  { id, paidAt, netCents, currency }: InvoiceAtStripe,
  referral: Referral | null,
  now: number,
): Promise<void> {
  const rows = await bookedOf(tx, id);
  const first = rows[0];
  const terms: Referral | null = first ?? referral;
  if (terms === null) return;
  const due = paidAt === null ? 0 : commissionCents(netCents, terms.percent);
  const difference = due - rows.reduce((sum, { cents }) => sum + cents, 0);
  if (difference === 0) return;
  const { partner, code, percent, payer } = terms;
  await tx
    .insertInto('commission')
    .values({
      invoice: id,
      number: rows.length,
      partner,
      code,
      payer,
      cents: difference,
      currency,
      percent,
      net_cents: netCents,
      at: first === undefined ? (paidAt ?? now) : now,
      payout: null,
    })
    .execute();
}

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const sum = (rows: readonly { readonly cents: number }[]) =>
  rows.reduce((total, { cents }) => total + cents, 0);

type Row = Pick<CommissionTable, 'invoice' | 'number' | 'payer' | 'cents' | 'at'>;

function monthsOf(rows: readonly Row[]): PartnerStatement['months'] {
  const byMonth = Map.groupBy(rows, ({ at }) => monthOf(at));
  return [...byMonth]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, all]) => ({
      month,
      payments: all.filter(({ number }) => number === 0).length,
      earnedCents: sum(all.filter(({ cents }) => cents > 0)),
      reversedCents: sum(all.filter(({ cents }) => cents < 0)),
    }));
}

function referralsOf(rows: readonly Row[], paying: ReadonlySet<number>): PartnerStatement['referrals'] {
  const inOrder = rows.toSorted((a, b) => a.at - b.at || (a.invoice < b.invoice ? -1 : 1));
  return [...Map.groupBy(inOrder, ({ payer }) => payer)].map(([payer, all], index) => ({
    number: index + 1,
    since: monthOf(all[0]?.at ?? 0),
    isPaying: paying.has(payer),
    payments: all.filter(({ number }) => number === 0).length,
    earnedCents: sum(all),
  }));
}

async function codesOf(db: Kysely<Tables>, partner: string, now: number): Promise<PartnerStatement['codes']> {
  const codes = await db
    .selectFrom('promo_code')
    .selectAll()
    .where('partner', '=', partner)
    .orderBy('created_at')
    .orderBy('code')
    .execute();
  const redeemed = await db
    .selectFrom('promo_redemption')
    .select(({ fn }) => ['code', fn.countAll<number | string>().as('count')])
    .where('partner', '=', partner)
    .groupBy('code')
    .execute();
  const counts = new Map(redeemed.map(({ code, count }) => [code, Number(count)]));
  return codes.map((of) => ({
    code: of.code,
    discountPercent: of.discount_percentage,
    discountMonths: of.discount_num_months,
    commissionPercent: of.commission_percentage,
    isActive: of.disabled_at === null && (of.ends_at === null || of.ends_at > now),
    redeemed: counts.get(of.code) ?? 0,
  }));
}

/** Everything a partner may see, in `currency` alone. Partners are known by their name as it stands in their codes. */
export async function statementOf(
  db: Kysely<Tables>,
  partner: string,
  { currency, now }: { readonly currency: string; readonly now: number },
): Promise<PartnerStatement> {
  const rows = await db
    .selectFrom('commission')
    .select(['invoice', 'number', 'payer', 'cents', 'at'])
    .where('partner', '=', partner)
    .where('currency', '=', currency)
    .execute();
  const paying = await db
    .selectFrom('billing_account')
    .innerJoin('promo_redemption', 'promo_redemption.account', 'billing_account.account')
    .select('billing_account.account')
    .where('promo_redemption.partner', '=', partner)
    .where('billing_account.status', 'in', ['active', 'past-due'])
    .execute();
  const payouts = await db
    .selectFrom('payout')
    .selectAll()
    .where('partner', '=', partner)
    .where('currency', '=', currency)
    .where('paid_at', 'is not', null)
    .execute();
  const paid = payouts
    .map(({ period, cents, paid_at: paidAt }) => ({ period, cents, paidAt: paidAt ?? 0 }))
    .toSorted((a, b) => b.paidAt - a.paidAt);
  return {
    partner,
    currency,
    codes: await codesOf(db, partner, now),
    months: monthsOf(rows),
    referrals: referralsOf(rows, new Set(paying.map(({ account }) => account))),
    payouts: paid,
    balanceCents: sum(rows) - sum(paid),
  };
}

/** First moment after a month `2026-11`, UTC milliseconds; null: it is none. */
export function endOfMonth(period: string): number | null {
  const match = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(period);
  return match ? Date.UTC(Number(match[1]), Number(match[2])) : null;
}

/** A payout as it is listed. */
export interface Payout {
  readonly id: string;
  readonly partner: string;
  readonly period: string;
  readonly cents: number;
  readonly currency: string;
  readonly paid_at: number | null;
}

/**
 * Makes a payout for every partner with something due up to the end of `period`: of rows that are in none yet, with everything that was
 * reversed until now. Who is due nothing or less waits, and what was reversed is taken off the next one. Answers those made.
 */
export async function makePayouts(
  db: Kysely<Tables>,
  period: string,
  { now, id }: { readonly now: number; readonly id: () => string },
): Promise<readonly Payout[]> {
  const end = endOfMonth(period);
  if (end === null) return [];
  return db.transaction().execute(async (tx) => {
    const open = await tx
      .selectFrom('commission')
      .select(['invoice', 'number', 'partner', 'currency', 'cents'])
      .where('payout', 'is', null)
      // What is known to have gone back is never paid out, whenever it went.
      .where((where) => where.or([where('at', '<', end), where('cents', '<', 0)]))
      .execute();
    const made: Payout[] = [];
    for (const rows of Map.groupBy(open, ({ partner, currency }) => `${currency} ${partner}`).values()) {
      const [first] = rows;
      const cents = sum(rows);
      if (first === undefined || cents <= 0) continue;
      const payout = { id: id(), partner: first.partner, period, cents, currency: first.currency };
      await tx
        .insertInto('payout')
        .values({ ...payout, made_at: now, paid_at: null })
        .execute();
      for (const { invoice, number } of rows) {
        const { numUpdatedRows } = await tx
          .updateTable('commission')
          .set({ payout: payout.id })
          .where('invoice', '=', invoice)
          .where('number', '=', number)
          .where('payout', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new Error('Somebody else makes payouts right now. Try again.');
      }
      made.push({ ...payout, paid_at: null });
    }
    return made;
  });
}

/** Days after which what Stripe told is forgotten: it repeats itself for three. */
export const EVENT_DAYS_MS = 90 * DAY_MS;
