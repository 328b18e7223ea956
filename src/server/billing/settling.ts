// Brings what is kept of a customer to what Stripe says now: the subscription that counts, commissions of all invoices, and what
// must not be (a second subscription, one of somebody who leaves). Messages only say whom to ask about, so that their order and
// number never matter. Who read an older state than the one that is kept asks again.
import type { Clock } from '#sync/replica/ports.ts';
import type { Bus } from '../live/bus.ts';
import { chosenOf, type CustomerAtStripe, factsOf } from './facts.ts';
import { book, type Referral } from './ledger.ts';
import { factsOfRow, type BillingRecords, type Payer, trialOf } from './records.ts';
import { standingOf } from './state.ts';
import type { StripeGate } from './stripe-gate.ts';

const TRIES = 8;

export interface SettlingPorts {
  readonly records: BillingRecords;
  readonly gate: StripeGate;
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'publish'>;
  /** Since when billing is on, milliseconds. */
  readonly since: () => Promise<number>;
}

/** A reading that runs, and the one after it that others wait for; null: nobody does. */
interface Running {
  readonly now: Promise<void>;
  next: Promise<void> | null;
}

/** Keeps accounts as Stripe says. */
export class Settling {
  readonly #ports: SettlingPorts;
  readonly #running = new Map<string, Running>();

  constructor(ports: SettlingPorts) {
    this.#ports = ports;
  }

  /**
   * Asks Stripe about a customer, and keeps the answer. One at a time for each, in this process; who comes while one runs shares the
   * next one, so that many events at once are few questions.
   */
  settle(customer: string): Promise<void> {
    const running = this.#running.get(customer);
    if (running === undefined) return this.#begin(customer);
    running.next ??= running.now.catch(() => undefined).then(() => this.#begin(customer));
    return running.next;
  }

  #begin(customer: string): Promise<void> {
    const now = this.#settle(customer).finally(() => {
      if (this.#running.get(customer)?.next === null) this.#running.delete(customer);
    });
    this.#running.set(customer, { now, next: null });
    return now;
  }

  async #settle(customer: string): Promise<void> {
    const { records, gate } = this.#ports;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const account = await records.accountOf(customer);
      const payer = account === null ? null : await records.payer(account);
      const found = await gate.customer(customer);
      if (await this.#endDoubles(found)) continue;
      if (payer !== null && (await this.#follow(payer, found))) continue;
      if (await this.#keep(payer, found)) return;
    }
    throw new Error('The plan changed again and again while it was read.');
  }

  /** Somebody paid twice (two tabs): the first subscription stays, what was paid besides it goes back. True: ask again. */
  async #endDoubles({ subscriptions, invoices }: CustomerAtStripe): Promise<boolean> {
    const { gate } = this.#ports;
    const { doubles } = chosenOf(subscriptions);
    for (const { id } of doubles) {
      await gate.cancel(id);
      const paid = invoices.filter((of) => of.subscription === id && of.returnedCents < of.paidCents);
      for (const charge of paid.flatMap(({ charges }) => charges)) await gate.refund(charge);
    }
    return doubles.length > 0;
  }

  /** A disabled account, and one that is to be erased, is not charged again; one that stays is. True: ask again. */
  async #follow({ isLeaving }: Payer, { subscriptions }: CustomerAtStripe): Promise<boolean> {
    const { chosen, isLiving } = chosenOf(subscriptions);
    if (chosen === null || !isLiving) return false;
    if (isLeaving && chosen.cancelAt === null) {
      await this.#ports.gate.stop(chosen.id, 'account');
      return true;
    }
    if (!isLeaving && chosen.stopped !== null && chosen.cancelAt !== null) {
      await this.#ports.gate.stop(chosen.id, null);
      return true;
    }
    return false;
  }

  /** False: somebody else wrote meanwhile. */
  async #keep(payer: Payer | null, found: CustomerAtStripe): Promise<boolean> {
    const { records, clock, bus } = this.#ports;
    const now = Math.round(clock.now());
    const facts = factsOf(found);
    const row = payer?.row ?? null;
    const referral = payer === null ? null : await this.#referralOf(payer);
    const isKept = await records.db.transaction().execute(async (tx) => {
      if (row !== null) {
        const isMine = await records.change(tx, row, {
          subscription: facts.subscription?.id ?? null,
          status: facts.status,
          plan_interval: facts.interval,
          paid_until: facts.paidUntil,
          cancel_at: facts.cancelAt,
          discount_code: facts.subscription?.code ?? null,
          discount_from: facts.subscription?.discountFrom ?? null,
          settled_at: now,
        });
        if (!isMine) return false;
      }
      for (const invoice of found.invoices) await book(tx, invoice, referral, now);
      return true;
    });
    if (isKept && payer !== null && (await this.#hasChanged(payer, facts, now)))
      bus.publish({ type: 'plan', account: payer.id });
    return isKept;
  }

  async #hasChanged(payer: Payer, facts: ReturnType<typeof factsOf>, now: number): Promise<boolean> {
    const trialEndsAt = trialOf(payer, await this.#ports.since());
    const [before, after] = [factsOfRow(payer.row), facts].map((of) =>
      JSON.stringify(standingOf(of, trialEndsAt, now)),
    );
    return before !== after || payer.row?.discount_code !== (facts.subscription?.code ?? null);
  }

  /** Null: nobody, or the partner itself. */
  async #referralOf({ id, email, redemption }: Payer): Promise<Referral | null> {
    if (redemption === null || redemption.commission_percentage === 0) return null;
    const { code, partner, commission_percentage: percent } = redemption;
    if (await isOwnCode(this.#ports.records, code, email)) return null;
    return { partner, code, percent, payer: id };
  }
}

/** An address without what somebody may add to their own name: `pat+anything@…` is Pat. */
const plainAddress = (email: string) => email.toLowerCase().replace(/\+[^@]*(?=@)/, '');

/** Whether a code belongs to the partner with this address. */
export async function isOwnCode({ db }: BillingRecords, code: string, email: string): Promise<boolean> {
  const own = await db
    .selectFrom('promo_code')
    .select('partner_email')
    .where('code', '=', code)
    .executeTakeFirst();
  const partner = own?.partner_email ?? null;
  return partner !== null && plainAddress(partner) === plainAddress(email);
}
