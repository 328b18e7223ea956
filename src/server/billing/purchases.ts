// What a person asks for: a page to pay on, the page for cards and canceling, another plan, the invoices. Nothing is kept here but
// the open checkout; what was paid is what settling.ts reads. Whatever fails leaves nothing half done.
import { createHash } from 'node:crypto';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { ChangePreview, CheckoutAnswer, Interval, Invoice } from '#wire/billing.ts';
import { couponOf, type Discount } from './coupons.ts';
import { chosenOf, shownInvoice } from './facts.ts';
import type { BillingRecords, Payer } from './records.ts';
import { isOwnCode, type Settling } from './settling.ts';
import type { Prices, StripeGate } from './stripe-gate.ts';

const TRIES = 5;

/** Why nothing was done. `subscribed`: there is a subscription already. `nothing`: there is none to change. */
export type PurchaseProblem = 'subscribed' | 'nothing' | 'gone' | 'disabled';

export interface PurchasePorts {
  readonly records: BillingRecords;
  readonly gate: StripeGate;
  readonly settling: Settling;
  readonly clock: Clock;
  /** Address that people come back to, up to the id of the checkout. */
  readonly returnTo: string;
  /** Origin of the app. */
  readonly appUrl: string;
}

/** The discount that a redeemed code stands for; null: none. */
export const discountOf = ({ redemption }: Payer): Discount | null =>
  redemption && {
    code: redemption.code,
    percent: redemption.discount_percentage,
    months: redemption.discount_num_months,
  };

/** A first purchase, or a discount of the operator's: a partner's code is for people who never paid. */
export const isDiscounted = ({ row, redemption }: Payer): boolean =>
  redemption !== null &&
  ((row?.paid_until ?? null) === null || redemption.commission_percentage === 0) &&
  row?.discount_code !== redemption.code;

const LIVING: ReadonlySet<string> = new Set(['active', 'past-due']);

/** Purchases of accounts. */
export class Purchases {
  readonly #ports: PurchasePorts;
  #prices: Prices | null = null;

  constructor(ports: PurchasePorts) {
    this.#ports = ports;
  }

  /** The address to pay at. Asked twice for the same, it is the same; asked for another plan, the earlier page ends. */
  async checkout(account: number, interval: Interval): Promise<Result<string, PurchaseProblem>> {
    const { records, gate } = this.#ports;
    const known = await this.#customer(account);
    if (known === null) return failed('gone');
    await this.#ports.settling.settle(known);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const payer = await records.payer(account);
      if (payer === null || payer.row === null) return failed('gone');
      if (payer.isLeaving) return failed('disabled');
      const { row } = payer;
      // What is open is paid where the card is changed: a second subscription would not pay it.
      if (row.status === 'past-due') return this.portal(account);
      if (row.status === 'active') return failed('subscribed');
      const discount = await this.#discount(payer);
      const wanted = `${interval}:${discount?.code ?? ''}`;
      if (row.session !== null) {
        const open = await gate.session(row.session);
        if (open.status === 'open' && open.url !== null && row.session_for === wanted) return ok(open.url);
        if (open.status === 'open') await gate.expire(open.id);
        if (open.status === 'complete') await this.#ports.settling.settle(row.customer);
        await this.#forgetSession(account, row.session);
        continue;
      }
      const url = await this.#newCheckout(payer, { interval, discount, wanted });
      if (url !== null) return ok(url);
    }
    throw new Error('The checkout changed again and again while it was made.');
  }

  /** Null: another page was made meanwhile. */
  async #newCheckout(
    payer: Payer,
    { interval, discount, wanted }: { interval: Interval; discount: Discount | null; wanted: string },
  ): Promise<string | null> {
    const { records, gate, returnTo } = this.#ports;
    const { id: account, row } = payer;
    if (row === null) return null;
    const prices = await this.prices();
    const terms = discount && couponOf(discount, interval);
    const made = await gate.newSession({
      customer: row.customer,
      account,
      price: prices[interval].id,
      coupon: terms && (await gate.coupon(terms)),
      code: terms && terms.code,
      returnTo,
      key: `posthaste-${await this.#installation()}-checkout-${account}-${wanted}-${row.revision}`,
    });
    if (made.url === null || made.status !== 'open') return null;
    if (await records.change(records.db, row, { session: made.id, session_for: wanted })) return made.url;
    const now = await records.row(account);
    if (now?.session === made.id) return made.url;
    await gate.expire(made.id);
    return null;
  }

  /** What became of a checkout of this account; null: it has no such one. */
  async session(account: number, id: string): Promise<CheckoutAnswer['checkout'] | null> {
    const { records, gate, settling } = this.#ports;
    const row = await records.row(account);
    if (row === null) return null;
    const session = await gate.session(id);
    if (session.customer !== row.customer) return null;
    if (session.status !== 'complete') return session.status;
    await settling.settle(row.customer);
    const after = await records.row(account);
    return session.isPaid && after !== null && after.status !== 'none' ? 'paid' : 'waiting';
  }

  async portal(account: number): Promise<Result<string, PurchaseProblem>> {
    const { records, gate, appUrl } = this.#ports;
    const payer = await records.payer(account);
    if (payer === null || payer.row === null) return failed('nothing');
    await this.tellEmail(payer);
    const key = `posthaste-${await this.#installation()}-portal`;
    const configuration = (await records.setting('portal')) ?? (await gate.portalConfiguration(key));
    await records.settled('portal', () => configuration);
    return ok(await gate.portal(payer.row.customer, configuration, `${appUrl}/app/`));
  }

  /** Another plan at once. What is left of the discount stays on it. */
  async change(account: number, interval: Interval): Promise<Result<null, PurchaseProblem>> {
    const asked = await this.#changing(account, interval);
    if (!asked.ok) return asked;
    const { chosen, to, row } = asked.value;
    if (chosen.interval === interval) return ok(null);
    const key = `posthaste-${await this.#installation()}-change-${chosen.id}-${interval}-${row.revision}`;
    await this.#ports.gate.changePrice(chosen, { ...to, key });
    await this.#ports.settling.settle(row.customer);
    return ok(null);
  }

  /** What `change` would take from the card today. */
  async preview(
    account: number,
    interval: Interval,
  ): Promise<Result<Omit<ChangePreview, 'success'>, PurchaseProblem>> {
    const asked = await this.#changing(account, interval);
    if (!asked.ok) return asked;
    const { chosen, to, row } = asked.value;
    if (chosen.interval !== interval) return ok(await this.#ports.gate.preview(row.customer, chosen, to));
    return ok({ dueCents: 0, creditCents: 0, currency: (await this.prices()).currency });
  }

  /** The subscription of an account as it is now, and what another plan would be made with. */
  async #changing(account: number, interval: Interval) {
    const { records, gate, settling, clock } = this.#ports;
    const customer = (await records.row(account))?.customer;
    if (customer === undefined) return failed<PurchaseProblem>('nothing');
    await settling.settle(customer);
    const payer = await records.payer(account);
    const { chosen, isLiving } = chosenOf((await gate.customer(customer)).subscriptions);
    if (payer === null || payer.row === null || chosen === null || !isLiving)
      return failed<PurchaseProblem>('nothing');
    const discount = chosen.code === null ? null : discountOf(payer);
    const terms = discount && couponOf(discount, interval, clock.now() - chosen.discountFrom);
    const price = (await this.prices())[interval].id;
    return ok({ chosen, row: payer.row, to: { price, coupon: terms && (await gate.coupon(terms)) } });
  }

  /** Newest first. */
  async invoices(account: number): Promise<readonly Invoice[]> {
    const { records, gate } = this.#ports;
    const row = await records.row(account);
    if (row === null) return [];
    const { invoices } = await gate.customer(row.customer);
    return invoices.toSorted((a, b) => b.createdAt - a.createdAt).map(shownInvoice);
  }

  /**
   * After a code was redeemed: an open checkout without it ends, and a discount of the operator's is put on the subscription
   * that runs.
   */
  async redeemed(account: number): Promise<void> {
    const { records, gate, settling } = this.#ports;
    const payer = await records.payer(account);
    if (payer === null || payer.row === null) return;
    const { row } = payer;
    if (row.session !== null) {
      await gate.expire(row.session);
      await this.#forgetSession(account, row.session);
    }
    const discount = await this.#discount(payer);
    if (discount === null || !LIVING.has(row.status) || row.subscription === null) return;
    const terms = couponOf(discount, row.plan_interval ?? 'month');
    if (terms === null) return;
    await gate.discount(row.subscription, await gate.coupon(terms), {
      code: discount.code,
      from: this.#ports.clock.now(),
    });
    await settling.settle(row.customer);
  }

  /** Ends everything of an account that is erased now. Its invoices stay at Stripe, as the law wants them. */
  async end(account: number): Promise<void> {
    const { records, gate, settling } = this.#ports;
    const row = await records.row(account);
    if (row === null) return;
    if (row.session !== null) await gate.expire(row.session);
    const { subscriptions } = await gate.customer(row.customer);
    const over: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);
    for (const { id, status } of subscriptions) if (!over.has(status)) await gate.cancel(id);
    await settling.settle(row.customer);
  }

  /** Of Stripe, asked once by each process; they are kept for what is shown. */
  async prices(): Promise<Prices> {
    if (this.#prices === null) {
      this.#prices = await this.#ports.gate.prices();
      await this.#ports.records.set('prices', JSON.stringify(this.#prices));
    }
    return this.#prices;
  }

  async #discount(payer: Payer): Promise<Discount | null> {
    const discount = isDiscounted(payer) ? discountOf(payer) : null;
    if (discount === null) return null;
    return (await isOwnCode(this.#ports.records, discount.code, payer.email)) ? null : discount;
  }

  /** The customer of an account, made before its first checkout. */
  async #customer(account: number): Promise<string | null> {
    const { records, gate } = this.#ports;
    const payer = await records.payer(account);
    if (payer === null) return null;
    if (payer.row !== null) {
      await this.tellEmail(payer);
      return payer.row.customer;
    }
    const name = `${await this.#installation()}-${account}`;
    // With another address it is another question.
    const mark = createHash('sha256').update(payer.email).digest('hex').slice(0, 12);
    const customer = await gate.newCustomer(payer.email, name, `posthaste-${name}-customer-${mark}`);
    await records.addCustomer(account, customer, payer.email);
    return (await records.row(account))?.customer ?? null;
  }

  /** Receipts go to the address that the account has now. */
  async tellEmail({ email, row }: Payer): Promise<void> {
    if (row === null || row.email === email) return;
    await this.#ports.gate.setEmail(row.customer, email);
    await this.#ports.records.db
      .updateTable('billing_account')
      .set({ email })
      .where('account', '=', row.account)
      .execute();
  }

  /** The open checkout is none anymore; what is made next is another one for Stripe. */
  async #forgetSession(account: number, session: string): Promise<void> {
    await this.#ports.records.db
      .updateTable('billing_account')
      .set((of) => ({ session: null, session_for: null, revision: of('revision', '+', 1) }))
      .where('account', '=', account)
      .where('session', '=', session)
      .execute();
  }

  #installation(): Promise<string> {
    return this.#ports.records.settled('installation', () => '0');
  }
}
