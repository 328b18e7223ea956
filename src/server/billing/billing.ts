// Plans and payments of a server that takes them: the plan of each account, purchases, what Stripe tells, the nightly look at
// everything, and the statements of partners. A server without billing has none of it.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { PartnerStatement, Plan } from '#wire/billing.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { secretDigest } from '../site/secret-link.ts';
import type { BillingConfig } from './billing-config.ts';
import { couponOf } from './coupons.ts';
import type { Lapse } from './lapse.ts';
import { EVENT_DAYS_MS, statementOf } from './ledger.ts';
import { discountOf, isDiscounted, Purchases } from './purchases.ts';
import { BillingRecords, factsOfRow, type Payer, trialOf } from './records.ts';
import { isOwnCode, Settling } from './settling.ts';
import { standingOf } from './state.ts';
import { StripeGate, usualPrices, type Prices, type StripeEvent, troubleOf } from './stripe-gate.ts';

const NIGHT_MS = 20 * 3_600_000;
/** How old an answer of Stripe's may be while somebody pays, and how long one waits for another. */
const LOOK_MS = 5_000;
const PATIENCE_MS = 3_000;

export interface BillingPorts {
  readonly config: Pick<Config, 'publicUrl' | 'port' | 'appHost'>;
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'publish'>;
  readonly log: Logger;
}

/** `unsigned`: not from Stripe. `again`: it failed for now, and Stripe has to repeat it. */
export type Told = 'done' | 'unsigned' | 'other mode' | 'again';

/** Of our own prices, as they are shown. */
type Shown = Pick<Prices, 'currency'> & { readonly month: number; readonly year: number };

/** The origin on which the app is, for people who come back to it. */
function appOrigin({ publicUrl, port, appHost }: BillingPorts['config']): string {
  const base = publicUrl ?? `http://localhost:${port}`;
  return appHost === null ? base : `${new URL(base).protocol}//${appHost}`;
}

/** Billing of one server. */
export class Billing implements Lapse {
  readonly purchases: Purchases;
  readonly settling: Settling;
  readonly records: BillingRecords;
  readonly #ports: BillingPorts;
  readonly #gate: StripeGate;
  readonly #mode: BillingConfig['mode'];
  readonly #hasOwnPrices: boolean;
  #since: Promise<number> | null = null;
  #caring: Promise<void> | null = null;
  #isStopped = false;

  constructor(ports: BillingPorts, config: BillingConfig) {
    const { db, clock } = ports;
    this.#ports = ports;
    this.#mode = config.mode;
    this.#hasOwnPrices = config.priceMonth !== null;
    this.#gate = new StripeGate(config);
    this.records = new BillingRecords(db, () => clock.now());
    const own = { ...ports, records: this.records, gate: this.#gate };
    this.settling = new Settling({ ...own, since: () => this.since() });
    const appUrl = appOrigin(ports.config);
    this.purchases = new Purchases({
      ...own,
      settling: this.settling,
      appUrl,
      returnTo: `${appUrl}/app/open/purchase?checkout=`,
    });
  }

  /** Since when billing is on. Rejects with words where the key doesn't belong to the data: nothing may start then. */
  since(): Promise<number> {
    this.#since ??= this.records.begin(this.#mode).catch((error: unknown) => {
      this.#since = null;
      throw error;
    });
    return this.#since;
  }

  /** Null: there is no such account. */
  async planOf(account: number): Promise<Plan | null> {
    const payer = await this.records.payer(account);
    return payer && (await this.#planOf(payer));
  }

  /**
   * The plan for somebody who looks at it. Where a page to pay on is open Stripe is asked first: it may have been paid, and what
   * Stripe told may be lost. A slow answer is not waited for; devices hear of it.
   */
  async planNow(account: number): Promise<Plan | null> {
    const row = await this.records.row(account);
    const isOpen = row !== null && row.session !== null && row.status !== 'active';
    if (isOpen && this.#ports.clock.now() - row.settled_at >= LOOK_MS) {
      const asked = this.settling.settle(row.customer).catch((error: unknown) => {
        this.#ports.log.error('billing_not_settled', errorDetail(error));
      });
      await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
    }
    return this.planOf(account);
  }

  async mayAdd(account: number): Promise<boolean> {
    return (await this.planOf(account))?.mayAdd !== false;
  }

  async mayAddIn(scope: Id): Promise<boolean> {
    const { db } = this.#ports;
    const found = await db.selectFrom('scope').select('owner').where('id', '=', scope).executeTakeFirst();
    return found === undefined || (await this.mayAdd(found.owner));
  }

  async #planOf(payer: Payer): Promise<Plan> {
    const at = Math.round(this.#ports.clock.now());
    const { row, redemption } = payer;
    const standing = standingOf(factsOfRow(row), trialOf(payer, await this.since()), at);
    const isOn = row !== null && row.status !== 'none' && row.status !== 'ended';
    const isApplied = isOn && redemption !== null && row.discount_code === redemption.code;
    const usedMs = isApplied ? at - (row.discount_from ?? at) : 0;
    const terms = isApplied || isDiscounted(payer) ? discountOf(payer) : null;
    const discount = terms !== null && couponOf(terms, 'month', usedMs) !== null ? terms : null;
    const isOwn = discount !== null && (await isOwnCode(this.records, discount.code, payer.email));
    return {
      ...standing,
      hasCustomer: row !== null,
      promo:
        discount === null || isOwn || redemption === null
          ? null
          : { ...discount, partner: redemption.partner, isApplied },
      prices: await this.prices(),
      at,
    };
  }

  /** As Stripe said last; the usual ones before it was asked. */
  async prices(): Promise<Shown> {
    const kept = await this.records.setting('prices');
    if (kept === null) return usualPrices;
    const { month, year, currency } = JSON.parse(kept) as Prices;
    return { month: month.cents, year: year.cents, currency };
  }

  /** What Stripe told, once it is written down. */
  async told(raw: Uint8Array, signature: string): Promise<Told> {
    const { log } = this.#ports;
    const event = await this.#gate.read(raw, signature);
    if (event === null) return 'unsigned';
    if (event.isLive !== (this.#mode === 'live')) return 'other mode';
    try {
      await this.since();
      if (await this.#isDone(event)) return 'done';
      const customer = event.customer ?? (await this.#customerOf(event));
      // Everything of it is read anew: what the message says of it may be old.
      if (customer !== null) await this.#settleKnown(customer);
      await this.#finish(event.id, null);
      return 'done';
    } catch (error) {
      log.error('billing_event_failed', errorDetail(error));
      await this.#finish(event.id, errorDetail(error).error).catch(() => undefined);
      return 'again';
    }
  }

  /** A customer who was deleted at Stripe has nothing left to read. */
  async #settleKnown(customer: string): Promise<void> {
    try {
      await this.settling.settle(customer);
    } catch (error) {
      if (troubleOf(error) !== 'missing') throw error;
    }
  }

  async #customerOf({ charge }: StripeEvent): Promise<string | null> {
    if (charge === null) return null;
    try {
      return await this.#gate.customerOfCharge(charge);
    } catch (error) {
      if (troubleOf(error) === 'missing') return null;
      throw error;
    }
  }

  async #isDone({ id, type, created }: StripeEvent): Promise<boolean> {
    const { db, clock } = this.#ports;
    const at = Math.round(clock.now());
    await db
      .insertInto('stripe_event')
      .values({ id, type, created, received_at: at, handled_at: null, error: null })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const row = await db
      .selectFrom('stripe_event')
      .select('handled_at')
      .where('id', '=', id)
      .executeTakeFirst();
    return (row?.handled_at ?? null) !== null;
  }

  async #finish(id: string, error: string | null): Promise<void> {
    const { db, clock } = this.#ports;
    const handled = error === null ? Math.round(clock.now()) : null;
    await db
      .updateTable('stripe_event')
      .set({ handled_at: handled, error })
      .where('id', '=', id)
      .where('handled_at', 'is', null)
      .execute();
  }

  /**
   * Why an account may not redeem a code; null: it may. Codes of partners are for people who never paid, and not for the partner.
   */
  async objection(account: number, code: string): Promise<string | null> {
    const payer = await this.records.payer(account);
    const promo = await this.#ports.db
      .selectFrom('promo_code')
      .select(['code', 'commission_percentage'])
      .where('code', '=', code.trim().toUpperCase())
      .executeTakeFirst();
    if (payer === null || promo === undefined || payer.redemption?.code === promo.code) return null;
    if (await isOwnCode(this.records, promo.code, payer.email))
      return 'This is your own code: it works for the people you invite.';
    const hasPaid = (payer.row?.paid_until ?? null) !== null;
    if (hasPaid && promo.commission_percentage > 0)
      return 'Promo codes are for a first subscription, and this account has had one.';
    return null;
  }

  /** After a code was redeemed. Stripe may be away: the next checkout takes the code all the same. */
  async redeemed(account: number): Promise<void> {
    try {
      await this.purchases.redeemed(account);
    } catch (error) {
      this.#ports.log.error('billing_code_not_told', errorDetail(error));
    }
    this.#ports.bus.publish({ type: 'plan', account });
  }

  /** The statement behind a secret address; null: there is none. */
  async statement(secret: string): Promise<PartnerStatement | null> {
    const { db, clock } = this.#ports;
    const digest = secretDigest(secret);
    if (digest === null) return null;
    const link = await db
      .selectFrom('partner_link')
      .select('partner')
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (!link) return null;
    const { currency } = await this.prices();
    return statementOf(db, link.partner, { currency, now: clock.now() });
  }

  /**
   * Every hour, by every process: people who leave and whose subscription still runs, and once a night everybody. Each account is
   * asked about by one process, whichever comes first. Resolves when all of it is done; a second call waits for the first.
   */
  care(): Promise<void> {
    this.#caring ??= this.#care().finally(() => {
      this.#caring = null;
    });
    return this.#caring;
  }

  /** Ends the look after the present account; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // Who started the look gets its error.
    await this.#caring?.catch(() => undefined);
  }

  async #care(): Promise<void> {
    const { db, clock, log } = this.#ports;
    const now = Math.round(clock.now());
    await this.since();
    await this.#askPrices();
    await db
      .deleteFrom('stripe_event')
      .where('received_at', '<', now - EVENT_DAYS_MS)
      .execute();
    const due = await db
      .selectFrom('billing_account')
      .innerJoin('account', 'account.id', 'billing_account.account')
      .select(['billing_account.account', 'customer', 'revision'])
      .where((where) =>
        where.or([
          where('settled_at', '<', now - NIGHT_MS),
          where.and([
            where('status', 'in', ['active', 'past-due']),
            where('cancel_at', 'is', null),
            where.or([
              where('account.disabled_at', 'is not', null),
              where('account.erase_at', 'is not', null),
            ]),
          ]),
        ]),
      )
      .orderBy('settled_at')
      .execute();
    let failures = 0;
    for (const row of due) {
      if (this.#isStopped) break;
      if (!(await this.records.change(db, row, { settled_at: now }))) continue;
      try {
        await this.settling.settle(row.customer);
        await this.#tellEmail(row.account);
      } catch (error) {
        failures += 1;
        log.error('billing_not_settled', errorDetail(error));
        // Who was deleted at Stripe is asked about the next night, the others with the next look.
        if (troubleOf(error) === 'missing') continue;
        const again = await this.records.row(row.account);
        if (again) await this.records.change(db, again, { settled_at: now - NIGHT_MS });
        if (troubleOf(error) === 'away') break;
      }
    }
    if (due.length > 0) log.info('billing_settled', { count: due.length - failures });
  }

  /** The operator's own prices are shown before anybody goes to pay. Our own are made when somebody does. */
  async #askPrices(): Promise<void> {
    if (!this.#hasOwnPrices) return;
    try {
      await this.purchases.prices();
    } catch (error) {
      this.#ports.log.error('billing_prices_unknown', errorDetail(error));
    }
  }

  async #tellEmail(account: number): Promise<void> {
    const payer = await this.records.payer(account);
    if (payer !== null) await this.purchases.tellEmail(payer);
  }

  /** Before an account is erased: nothing of it may be charged again. False: Stripe can't be asked now, so it has to wait. */
  async erasing(account: number): Promise<boolean> {
    try {
      await this.purchases.end(account);
      return true;
    } catch (error) {
      // The operator deleted the customer at Stripe, and the subscription with it.
      if (troubleOf(error) === 'missing') return true;
      this.#ports.log.error('billing_not_ended', errorDetail(error));
      return false;
    }
  }
}

/** Null: this server has no billing. */
export function createBilling(ports: BillingPorts & { readonly config: Config }): Billing | null {
  const { billing } = ports.config;
  return billing === null ? null : new Billing(ports, billing);
}
