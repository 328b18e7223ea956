// Affiliates' promo codes with their partner and terms. Codes are compared in capitals.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { PromoCodeTable, Tables } from '../data/tables.ts';

export type PromoCode = Selectable<PromoCodeTable>;

export interface PromoTerms {
  readonly discountPercentage: number;
  readonly discountMonths: number;
  readonly commissionPercentage: number;
}

export interface PromoCodes {
  /** Undefined for codes that are not there or were disabled. */
  find(code: string): Promise<PromoCode | undefined>;
  /** False when the code is taken. */
  create(code: string, partner: string, terms: PromoTerms): Promise<boolean>;
  /** False when there is no such code. */
  disable(code: string): Promise<boolean>;
  all(): Promise<readonly PromoCode[]>;
}

const SHAPE = /^[A-Z0-9][A-Z0-9_-]{1,39}$/;

/** The spelling under which a code is kept; null when it cannot be one. */
export function parsePromoCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return SHAPE.test(code) ? code : null;
}

export function createPromoCodes(db: Kysely<Tables>, clock: Clock): PromoCodes {
  return {
    async find(text) {
      const code = parsePromoCode(text);
      if (code === null) return undefined;
      return db
        .selectFrom('promo_code')
        .selectAll()
        .where('code', '=', code)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
    },
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
