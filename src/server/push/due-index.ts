// When each task with reminders has to be looked at, and which messages are due: each is recorded before it is sent, under
// a unique key, so that looking twice, in two processes or again after a crash, sends nothing twice. The work is
// proportional to what is due; nothing reads all tasks.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { stillRings } from '#core/calendar/block-rings.ts';
import { reminderLimits, type Ring } from '#core/reminders.ts';
import type { PushDeliveryTable } from '../data/tables/push-tables.ts';
import type { Tables } from '../data/tables.ts';
import type { Reckoned, Reckoning } from './reckoning.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

const STEP = 100;
/** Its pushes must show something, or it revokes the permission. */
const SHOWS_ALWAYS = /(^|\.)push\.apple\.com$/;

type Entry = { readonly scope: Id; readonly task: Id; readonly revision: number };
type Told = Pick<PushDeliveryTable, 'register' | 'moment' | 'at'>;

export interface DueIndexPorts {
  readonly db: Kysely<Tables>;
  readonly reckoning: Reckoning;
  readonly subscriptions: Pick<Subscriptions, 'of'>;
}

export interface DueIndex {
  /** Processes one batch of due tasks. Resolves with its size; 0: nothing is left. */
  look(now: number): Promise<number>;
  /** The next moment at which something is due; null: none. */
  nextAt(): Promise<number | null>;
}

export function createDueIndex(ports: DueIndexPorts): DueIndex {
  const { db } = ports;
  const index = new Looking(ports);
  return {
    async look(now) {
      const entries = await db
        .selectFrom('reminder_due')
        .select(['scope', 'task', 'revision'])
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(STEP)
        .execute();
      for (const entry of entries) await index.look(entry, now);
      return entries.length;
    },
    async nextAt() {
      const next = await db
        .selectFrom('reminder_due')
        .select('next_at')
        .where('next_at', 'is not', null)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst();
      return next?.next_at ?? null;
    },
  };
}

class Looking {
  readonly #ports: DueIndexPorts;

  constructor(ports: DueIndexPorts) {
    this.#ports = ports;
  }

  async look(entry: Entry, now: number): Promise<void> {
    const { db, subscriptions, reckoning } = this.#ports;
    const { scope, task } = entry;
    const owner = await db.selectFrom('scope').select('owner').where('id', '=', scope).executeTakeFirst();
    const browsers = owner ? await subscriptions.of(owner.owner) : [];
    const [latest] = browsers;
    // Nobody can be reached: subscribing makes it due again.
    if (!owner || !latest) return this.#finish(entry, null, owner === undefined);
    const found = await reckoning.of(owner.owner, scope, task, latest.zone);
    const began = found.rings.filter(({ at }) => at <= now);
    const due = began.filter((ring) => stillRings(ring, now, reminderLimits.sentMs));
    for (const browser of browsers) await this.#write(entry, browser, due, now);
    await this.#end(entry, browsers, began, now);
    await this.#finish(entry, nextOf(found, now), found.isOver);
  }

  /** Sends the latest ring of a task; earlier ones are obsolete with it. */
  async #write(
    { scope, task }: Entry,
    { id: subscription, account, created_at: since }: Subscription,
    due: readonly Ring[],
    now: number,
  ): Promise<void> {
    const rings = due.filter(({ at }) => at >= since);
    for (const [position, { register, moment, at }] of rings.entries()) {
      const isLast = position === rings.length - 1;
      await this.#insert({
        subscription,
        account,
        scope,
        task,
        register,
        moment,
        at,
        kind: 'ring',
        tries: 0,
        state: isLast ? 'waiting' : 'over',
        next_try: now,
      });
    }
  }

  /** Removes sent notifications that are obsolete – dismissed, completed, moved – where that may be shown. */
  async #end(
    { scope, task }: Entry,
    browsers: readonly Subscription[],
    began: readonly Ring[],
    now: number,
  ): Promise<void> {
    const { db } = this.#ports;
    const told = await db
      .selectFrom('push_delivery')
      .select(['number', 'subscription', 'register', 'moment', 'at', 'state'])
      .where('scope', '=', scope)
      .where('task', '=', task)
      .where('kind', '=', 'ring')
      .where('state', 'in', ['waiting', 'sent', 'sending'])
      .execute();
    const isRinging = (of: Told) =>
      began.some(
        ({ register, moment, at }) => register === of.register && moment === of.moment && at === of.at,
      );
    for (const delivery of told) {
      if (isRinging(delivery)) continue;
      const browser = browsers.find(({ id }) => id === delivery.subscription);
      await db
        .updateTable('push_delivery')
        .set({ state: 'over' })
        .where('number', '=', delivery.number)
        .execute();
      const mayClose = browser && !SHOWS_ALWAYS.test(new URL(browser.endpoint).hostname);
      if (delivery.state === 'waiting' || !mayClose) continue;
      await this.#insert({
        subscription: browser.id,
        account: browser.account,
        scope,
        task,
        register: delivery.register,
        moment: delivery.moment,
        at: now,
        kind: 'close',
        state: 'waiting',
        tries: 0,
        next_try: now,
      });
    }
  }

  async #insert(delivery: Omit<PushDeliveryTable, 'number'>): Promise<void> {
    await this.#ports.db
      .insertInto('push_delivery')
      .values(delivery)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Unless it was marked again meanwhile: then it stays due. */
  async #finish({ scope, task, revision }: Entry, nextAt: number | null, isOver: boolean): Promise<void> {
    const { db } = this.#ports;
    if (isOver)
      await db
        .deleteFrom('reminder_due')
        .where('scope', '=', scope)
        .where('task', '=', task)
        .where('revision', '=', revision)
        .execute();
    else
      await db
        .updateTable('reminder_due')
        .set({ next_at: nextAt })
        .where('scope', '=', scope)
        .where('task', '=', task)
        .where('revision', '=', revision)
        .execute();
  }
}

function nextOf({ rings }: Reckoned, now: number): number | null {
  return rings.find(({ at }) => at > now)?.at ?? null;
}
