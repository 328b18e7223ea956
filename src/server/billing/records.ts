// What this server keeps of billing: where each account stands, whom it was referred by, and facts of billing as a whole. Rows
// appear when somebody goes to pay, not before.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../data/tables.ts';
import type { BillingAccountTable } from '../data/tables/billing-tables.ts';
import type { PromoRedemptionTable } from '../data/tables.ts';
import type { SubscriptionFacts } from './state.ts';
import { trialEnd } from './state.ts';

type BillingRow = BillingAccountTable;

/** An account as billing needs it. */
export interface Payer {
  readonly id: number;
  readonly email: string;
  readonly createdAt: number;
  /** It was disabled, or asked to be erased: nothing more is to be charged. */
  readonly isLeaving: boolean;
  /** Null: it never went to pay. */
  readonly row: BillingRow | null;
  /** Null: no promo code was redeemed. */
  readonly redemption: PromoRedemptionTable | null;
}

/** Billing of another mode than the data: a live key beside test data, or the other way round. */
export class WrongModeError extends Error {}

/** The kept rows of billing. */
export class BillingRecords {
  readonly db: Kysely<Tables>;
  readonly #now: () => number;

  constructor(db: Kysely<Tables>, now: () => number) {
    this.db = db;
    this.#now = now;
  }

  /** A setting that is made once, by whichever process comes first. */
  async settled(name: string, value: () => string): Promise<string> {
    const known = await this.setting(name);
    if (known !== null) return known;
    await this.db
      .insertInto('billing_setting')
      .values({ name, value: value() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.setting(name)) ?? value();
  }

  async setting(name: string): Promise<string | null> {
    const row = await this.db
      .selectFrom('billing_setting')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async set(name: string, value: string): Promise<void> {
    await this.db
      .insertInto('billing_setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  /** The day since which billing is on, milliseconds. Throws where the key and the data belong to different worlds. */
  async begin(mode: 'live' | 'test'): Promise<number> {
    const known = await this.settled('mode', () => mode);
    if (known !== mode) {
      if (await this.#hasData())
        throw new WrongModeError(
          mode === 'live'
            ? 'STRIPE_SECRET_KEY is a live key, but this database has customers of a test key. Use the test key, or another database.'
            : 'STRIPE_SECRET_KEY is a test key, but this database has customers who pay. Use the live key, or another database.',
        );
      await this.db.deleteFrom('billing_setting').where('name', 'in', ['prices', 'portal']).execute();
      await this.set('mode', mode);
    }
    await this.settled('installation', () => randomBytes(6).toString('hex'));
    return Number(await this.settled('since', () => String(Math.round(this.#now()))));
  }

  async #hasData(): Promise<boolean> {
    const customer = await this.db
      .selectFrom('billing_account')
      .select('account')
      .limit(1)
      .executeTakeFirst();
    const commission = await this.db.selectFrom('commission').select('invoice').limit(1).executeTakeFirst();
    return customer !== undefined || commission !== undefined;
  }

  /** Null: there is no such account. */
  async payer(account: number): Promise<Payer | null> {
    const of = await this.db
      .selectFrom('account')
      .select(['id', 'email', 'created_at', 'disabled_at', 'erase_at', 'deleted_at'])
      .where('id', '=', account)
      .executeTakeFirst();
    if (!of) return null;
    const row = await this.row(account);
    const redemption = await this.db
      .selectFrom('promo_redemption')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
    return {
      id: of.id,
      email: of.email,
      createdAt: of.created_at,
      isLeaving: of.disabled_at !== null || of.erase_at !== null || of.deleted_at !== null,
      row,
      redemption: redemption ?? null,
    };
  }

  async row(account: number): Promise<BillingRow | null> {
    const row = await this.db
      .selectFrom('billing_account')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
    return row ?? null;
  }

  async accountOf(customer: string): Promise<number | null> {
    const row = await this.db
      .selectFrom('billing_account')
      .select('account')
      .where('customer', '=', customer)
      .executeTakeFirst();
    return row?.account ?? null;
  }

  /** The first customer stays, whoever wrote it. */
  async addCustomer(account: number, customer: string, email: string): Promise<void> {
    await this.db
      .insertInto('billing_account')
      .values({
        account,
        customer,
        email,
        subscription: null,
        status: 'none',
        plan_interval: null,
        paid_until: null,
        cancel_at: null,
        discount_code: null,
        discount_from: null,
        session: null,
        session_for: null,
        settled_at: 0,
        revision: 0,
      })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
  }

  /** False: somebody else wrote since `revision` was read, and nothing was changed. */
  async change(
    db: Kysely<Tables>,
    { account, revision }: Pick<BillingRow, 'account' | 'revision'>,
    values: Partial<Omit<BillingRow, 'account' | 'customer' | 'revision'>>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('billing_account')
      .set({ ...values, revision: revision + 1 })
      .where('account', '=', account)
      .where('revision', '=', revision)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

/** What is known of a row. */
export const factsOfRow = (row: BillingRow | null): SubscriptionFacts => ({
  status: row?.status ?? 'none',
  interval: row?.plan_interval ?? null,
  paidUntil: row?.paid_until ?? null,
  cancelAt: row?.cancel_at ?? null,
});

/** End of the trial of a payer. */
export const trialOf = ({ createdAt }: Pick<Payer, 'createdAt'>, since: number): number =>
  trialEnd(createdAt, since);

/** A server that starts without billing: the next one that turns it on gives everybody two weeks from that day. */
export async function forgetBillingStart(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('billing_setting').where('name', '=', 'since').execute();
}

/** Whether an account has a subscription that runs, as far as is known. */
export async function hasSubscription(db: Kysely<Tables>, account: number): Promise<boolean> {
  const row = await db
    .selectFrom('billing_account')
    .select('account')
    .where('account', '=', account)
    .where('status', 'in', ['active', 'past-due'])
    .executeTakeFirst();
  return row !== undefined;
}
