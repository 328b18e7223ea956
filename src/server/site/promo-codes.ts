// Affiliates' promo codes with their partner and terms. Codes are compared in capitals.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { PromoCodeTable, PromoRedemptionTable, Tables } from '../data/tables.ts';

export type PromoCode = Selectable<PromoCodeTable>;

export interface PromoTerms {
  readonly discountPercentage: number;
  readonly discountMonths: number;
  readonly commissionPercentage: number;
}

export type RedeemOutcome =
  | { readonly type: 'redeemed'; readonly redemption: PromoRedemptionTable }
  /** No such code, or it was disabled. */
  | { readonly type: 'unknown' }
  /** The account has redeemed this one before. */
  | { readonly type: 'another'; readonly code: string };

export interface PromoCodes {
  /** Undefined: no such code, or it was disabled. */
  find(code: string): Promise<PromoCode | undefined>;
  /** False: the code exists. */
  create(code: string, partner: string, terms: PromoTerms): Promise<boolean>;
  /** False: no such code. */
  disable(code: string): Promise<boolean>;
  all(): Promise<readonly PromoCode[]>;
  /** How often each code was redeemed. */
  redemptions(): Promise<ReadonlyMap<string, number>>;
  redemptionOf(account: number): Promise<PromoRedemptionTable | undefined>;
  /** Once per account; the same code again changes nothing and succeeds. The present terms are recorded. */
  redeem(account: number, code: string): Promise<RedeemOutcome>;
}

const SHAPE = /^[A-Z0-9][A-Z0-9_-]{1,39}$/;

/** The stored spelling of a code; null: it cannot be one. */
export function parsePromoCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return SHAPE.test(code) ? code : null;
}

async function findCode(db: Kysely<Tables>, clock: Clock, text: string): Promise<PromoCode | undefined> {
  const code = parsePromoCode(text);
  if (code === null) return undefined;
  return db
    .selectFrom('promo_code')
    .selectAll()
    .where('code', '=', code)
    .where('disabled_at', 'is', null)
    .where((where) =>
      where.or([where('ends_at', 'is', null), where('ends_at', '>', Math.round(clock.now()))]),
    )
    .executeTakeFirst();
}

function redemptionsIn(db: Kysely<Tables>, clock: Clock) {
  const redemptionOf = (account: number) =>
    db.selectFrom('promo_redemption').selectAll().where('account', '=', account).executeTakeFirst();
  return {
    redemptionOf,
    async redeem(account: number, text: string): Promise<RedeemOutcome> {
      const before = await redemptionOf(account);
      if (before)
        return before.code === parsePromoCode(text)
          ? { type: 'redeemed', redemption: before }
          : { type: 'another', code: before.code };
      const promo = await findCode(db, clock, text);
      if (!promo) return { type: 'unknown' };
      const { code, partner, discount_percentage, discount_num_months, commission_percentage } = promo;
      const terms = { code, partner, discount_percentage, discount_num_months, commission_percentage };
      const redemption = { account, ...terms, redeemed_at: Math.round(clock.now()) };
      // Of two concurrent redemptions the first wins, and both are told so.
      await db
        .insertInto('promo_redemption')
        .values(redemption)
        .onConflict((conflict) => conflict.column('account').doNothing())
        .execute();
      const kept = (await redemptionOf(account)) ?? redemption;
      return kept.code === code
        ? { type: 'redeemed', redemption: kept }
        : { type: 'another', code: kept.code };
    },
    async redemptions(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('promo_redemption')
        .select(({ fn }) => ['code', fn.countAll<number | string>().as('count')])
        .groupBy('code')
        .execute();
      return new Map(rows.map(({ code, count }) => [code, Number(count)]));
    },
  };
}

/** The promo codes of a database. Times are wall milliseconds of `clock`. */
export function createPromoCodes(db: Kysely<Tables>, clock: Clock): PromoCodes {
  return {
    ...redemptionsIn(db, clock),
    find: (text) => findCode(db, clock, text),
    async create(code, partner, terms) {
      const made = await db
        .insertInto('promo_code')
        .values({
          code,
          partner,
          discount_percentage: terms.discountPercentage,
          discount_num_months: terms.discountMonths,
          commission_percentage: terms.commissionPercentage,
          created_at: Math.round(clock.now()),
          disabled_at: null,
        })
        .onConflict((conflict) => conflict.column('code').doNothing())
        .executeTakeFirst();
      return made.numInsertedOrUpdatedRows === 1n;
    },
    async disable(code) {
      const { numUpdatedRows } = await db
        .updateTable('promo_code')
        .set({ disabled_at: Math.round(clock.now()) })
        .where('code', '=', code)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    all: () => db.selectFrom('promo_code').selectAll().orderBy('created_at').execute(),
  };
}
