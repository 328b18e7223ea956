// Sends recorded messages: each is claimed before it goes out, retried while that can help, given up when it is too late. A
// message under way when a process ended counts as sent: better once than twice.
import { DAY_MS } from '#core/time.ts';
import type { Kysely } from 'kysely';
import { stillRings } from '#core/calendar/block-rings.ts';
import { reminderLimits } from '#core/reminders.ts';
import type { PushDeliveryTable } from '../data/tables/push-tables.ts';
import type { Tables } from '../data/tables.ts';
import { closeMessage, ringMessage, topicOf } from './messages.ts';
import type { Notices } from './notices.ts';
import { isPartlySealed } from '#api/sealed-reads.ts';
import type { Reckoning } from './reckoning.ts';
import type { PushSender, Sent } from './sender.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

const STEP = 64;
const AT_ONCE = 8;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;
/** Longer than any request takes: the process that claimed it is gone. */
const LOST_MS = 300_000;
/** How long sent messages are remembered; longer than anything is sent late. */
const KEPT_MS = 8 * DAY_MS;

export interface DeliveriesPorts {
  readonly db: Kysely<Tables>;
  readonly subscriptions: Pick<Subscriptions, 'find' | 'remove'>;
  readonly reckoning: Reckoning;
  readonly notices: Pick<Notices, 'message'>;
  readonly sender: Pick<PushSender, 'send'>;
  readonly origin: string | null;
  readonly now: () => number;
  /** Called after every attempt. */
  sent?(outcome: Sent['type'] | 'late'): void;
}

export interface Deliveries {
  /** Sends one batch of waiting messages. Resolves with its size; 0: nothing is left for now. */
  send(): Promise<number>;
  /** Time of the next retry; null: nothing waits. */
  nextAt(): Promise<number | null>;
  /** Deletes old records, and finishes abandoned ones. */
  tidy(): Promise<void>;
}

interface Payload {
  readonly payload: string;
  /** Milliseconds. */
  readonly until: number;
}

const lasting = (message: object, until = Number.POSITIVE_INFINITY): Payload => ({
  payload: JSON.stringify(message),
  until,
});

type Delivery = PushDeliveryTable & { readonly number: number };

export function createDeliveries(ports: DeliveriesPorts): Deliveries {
  const { db, now } = ports;
  const sending = new Sending(ports);
  return {
    async send() {
      const waiting = await db
        .selectFrom('push_delivery')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('next_try', '<=', now())
        .orderBy('next_try')
        .limit(STEP)
        .execute();
      const left = [...(waiting as Delivery[])];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await sending.send(next);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return waiting.length;
    },
    async nextAt() {
      const next = await db
        .selectFrom('push_delivery')
        .select('next_try')
        .where('state', '=', 'waiting')
        .orderBy('next_try')
        .limit(1)
        .executeTakeFirst();
      return next?.next_try ?? null;
    },
    async tidy() {
      await db
        .updateTable('push_delivery')
        .set({ state: 'sent' })
        .where('state', '=', 'sending')
        .where('next_try', '<', now() - LOST_MS)
        .execute();
      const good = db.selectFrom('session').select('id').where('revoked_at', 'is', null);
      await db.deleteFrom('push_subscription').where('session', 'not in', good).execute();
      await db
        .deleteFrom('push_delivery')
        .where('at', '<', now() - KEPT_MS)
        .execute();
    },
  };
}

class Sending {
  readonly #ports: DeliveriesPorts;

  constructor(ports: DeliveriesPorts) {
    this.#ports = ports;
  }

  async send(delivery: Delivery): Promise<void> {
    const { subscriptions, sender, now } = this.#ports;
    if (!(await this.#claim(delivery))) return;
    const browser = await subscriptions.find(delivery.subscription);
    const left = delivery.at + reminderLimits.sentMs - now();
    if (!browser || left <= 0) return this.#finish(delivery, 'failed', 'late');
    const made = await this.#payload(delivery, browser);
    if (made === null) return this.#finish(delivery, 'over');
    const { payload, until } = made;
    const topic = topicOf(browser.id, delivery.task, delivery.kind === 'told' ? 'told' : '');
    const outcome = await sender.send(browser, {
      payload,
      topic,
      ttl: Math.ceil(Math.min(left, until - now()) / 1_000),
    });
    if (outcome.type === 'sent') await this.#finish(delivery, 'sent', 'sent');
    else if (outcome.type === 'refused') await this.#finish(delivery, 'failed', 'refused');
    else if (outcome.type === 'gone') {
      this.#ports.sent?.('gone');
      await subscriptions.remove(browser.id);
    } else await this.#retry(delivery, outcome.afterMs, left);
  }

  /** Only one of several concurrent claims succeeds. */
  async #claim({ number, tries }: Delivery): Promise<boolean> {
    const { db, now } = this.#ports;
    const claimed = await db
      .updateTable('push_delivery')
      .set({ state: 'sending', tries: tries + 1, next_try: now() })
      .where('number', '=', number)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    return claimed.numUpdatedRows > 0n;
  }

  /** What is sent, and until when it is worth it. Null: no longer relevant. */
  async #payload(delivery: Delivery, browser: Subscription): Promise<Payload | null> {
    const { scope, task, kind, register, moment, at } = delivery;
    if (kind === 'close') return lasting(closeMessage(task));
    if (kind === 'told') {
      const told = await this.#ports.notices.message(delivery, browser);
      return told === null ? null : lasting(told);
    }
    const { reckoning, origin, now } = this.#ports;
    const found = await reckoning.of(browser.account, scope, task, browser.zone);
    const ringing = found.rings.find(
      (ring) =>
        ring.register === register &&
        ring.moment === moment &&
        ring.at === at &&
        at <= now() &&
        stillRings(ring, now(), reminderLimits.sentMs),
    );
    if (!ringing || !found.task) return null;
    const { zone } = browser;
    // What only devices can read is named by nobody.
    const titles = browser.titles === 1 && !isPartlySealed(found.task);
    const { task: about } = found;
    const message = ringMessage({ task: about, moment, zone, block: ringing.block, titles, origin });
    return lasting(message, ringing.until);
  }

  async #retry(delivery: Delivery, afterMs: number, left: number): Promise<void> {
    const { db, now } = this.#ports;
    const backoff = Math.min(FIRST_RETRY_MS * 2 ** delivery.tries, LONGEST_RETRY_MS);
    const wait = Math.max(backoff, afterMs);
    if (wait >= left) return this.#finish(delivery, 'failed', 'late');
    this.#ports.sent?.('later');
    await db
      .updateTable('push_delivery')
      .set({ state: 'waiting', next_try: now() + wait })
      .where('number', '=', delivery.number)
      .where('state', '=', 'sending')
      .execute();
  }

  async #finish(
    { number }: { readonly number: number },
    state: PushDeliveryTable['state'],
    outcome?: Sent['type'] | 'late',
  ): Promise<void> {
    if (outcome !== undefined) this.#ports.sent?.(outcome);
    await this.#ports.db
      .updateTable('push_delivery')
      .set({ state })
      .where('number', '=', number)
      .where('state', '=', 'sending')
      .execute();
  }
}
