// The browsers that receive an account's reminders. A subscription lives as long as the session that created it.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Subscribe } from '#wire/push.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { PushSubscriptionTable } from '../data/tables/push-tables.ts';
import type { Tables } from '../data/tables.ts';

/** Above this, the ones not heard from for longest are deleted. */
const MOST = 20;

export type Subscription = PushSubscriptionTable;

/** Push subscriptions of accounts. */
export interface Subscriptions {
  /** Creates or renews it; an endpoint of another account moves to this one. */
  put(actor: AccountActor, wanted: Subscribe): Promise<Id>;
  /** The owning account; undefined: no such subscription. */
  ownerOf(id: Id): Promise<number | undefined>;
  remove(id: Id): Promise<void>;
  /** Subscriptions of an account with valid sessions, the one heard from last first. */
  of(account: number): Promise<readonly Subscription[]>;
  find(id: Id): Promise<Subscription | undefined>;
}

export interface SubscriptionPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly newId: () => Id;
}

export function createSubscriptions(ports: SubscriptionPorts): Subscriptions {
  return new StoredSubscriptions(ports);
}

class StoredSubscriptions implements Subscriptions {
  readonly #ports: SubscriptionPorts;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  async put(actor: AccountActor, wanted: Subscribe): Promise<Id> {
    const { db, clock, newId } = this.#ports;
    const { endpoint, p256dh, auth, zone, titles } = wanted;
    const now = Math.round(clock.now());
    const known = await db
      .selectFrom('push_subscription')
      .select(['id', 'account', 'session', 'zone'])
      .where('endpoint', '=', endpoint)
      .executeTakeFirst();
    const isOwn = known?.account === actor.account;
    if (known && !isOwn) await this.remove(known.id);
    const { account, session } = actor;
    const values = { account, session, p256dh, auth, zone, titles: titles ? 1 : 0, seen_at: now };
    const made = await db
      .insertInto('push_subscription')
      .values({ id: newId(), endpoint, created_at: now, ...values })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#forgetOldest(account);
    // While a session is over its reminders are not computed.
    if (!isOwn || known.zone !== zone || known.session !== session)
      await this.#lookAgain(actor.personalScope);
    return made.id;
  }

  async ownerOf(id: Id): Promise<number | undefined> {
    const { db } = this.#ports;
    const query = db.selectFrom('push_subscription').select('account').where('id', '=', id);
    return (await query.executeTakeFirst())?.account;
  }

  async remove(id: Id): Promise<void> {
    const { db } = this.#ports;
    await db.deleteFrom('push_delivery').where('subscription', '=', id).execute();
    await db.deleteFrom('push_subscription').where('id', '=', id).execute();
  }

  of(account: number): Promise<readonly Subscription[]> {
    return this.#living()
      .where('push_subscription.account', '=', account)
      .orderBy('push_subscription.seen_at', 'desc')
      .orderBy('push_subscription.id')
      .execute();
  }

  find(id: Id): Promise<Subscription | undefined> {
    return this.#living().where('push_subscription.id', '=', id).executeTakeFirst();
  }

  /** Subscriptions with a valid session of an enabled account. */
  #living() {
    const { db, clock } = this.#ports;
    return db
      .selectFrom('push_subscription')
      .innerJoin('session', 'session.id', 'push_subscription.session')
      .innerJoin('account', 'account.id', 'push_subscription.account')
      .selectAll('push_subscription')
      .where('session.revoked_at', 'is', null)
      .where('account.disabled_at', 'is', null)
      .where('account.deleted_at', 'is', null)
      .where((where) =>
        where.or([
          where('session.expires_at', 'is', null),
          where('session.expires_at', '>', Math.round(clock.now())),
        ]),
      );
  }

  /** Its reminders may ring at other moments now, or begin to ring. */
  async #lookAgain(scope: Id): Promise<void> {
    await this.#ports.db
      .updateTable('reminder_due')
      .set((row) => ({ next_at: 0, revision: row('revision', '+', 1) }))
      .where('scope', '=', scope)
      .execute();
  }

  async #forgetOldest(account: number): Promise<void> {
    const all = await this.#ports.db
      .selectFrom('push_subscription')
      .select('id')
      .where('account', '=', account)
      .orderBy('seen_at', 'desc')
      .execute();
    for (const { id } of all.slice(MOST)) await this.remove(id);
  }
}
