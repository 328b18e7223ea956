// Tells people outside the app that somebody has mentioned them or given them a task: at most one message of a task in five
// minutes, for each of their browsers, and only if it still holds when it is sent. What happened is found by told.ts.
import type { Kysely } from 'kysely';
import { memberId, mountId, settingId, type Id } from '#core/ids.ts';
import { mentionedIn, tellingSetting } from '#core/mentions.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { ToldMessage } from '#wire/push.ts';
import type { Store } from '../data/store.ts';
import { NOTICE_PACE_MS } from '../data/notice-pace.ts';
import type { PushDeliveryTable, PushNoticeTable } from '../data/tables/push-tables.ts';
import type { Tables } from '../data/tables.ts';
import type { TaskReads } from '#api/task-reads.ts';
import { toldMessage } from './messages.ts';
import { isHidden } from './reckoning.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

const STEP = 100;

export interface NoticesPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'scopesOf'>;
  readonly reads: Pick<TaskReads, 'find'>;
  readonly subscriptions: Pick<Subscriptions, 'of'>;
  readonly origin: string | null;
}

export interface Notices {
  /** Records the messages of one batch of notices. Resolves with its size; 0: nothing is left. */
  look(now: number): Promise<number>;
  /** When the next one is to be told; null: none waits. */
  nextAt(): Promise<number | null>;
  /** The message by what holds now; null: it holds no more, or the person does not want it. */
  message(
    delivery: Pick<PushDeliveryTable, 'task' | 'register' | 'moment'>,
    to: Pick<Subscription, 'account' | 'titles'>,
  ): Promise<ToldMessage | null>;
  /** Forgets those that nothing can follow too soon anymore. */
  tidy(now: number): Promise<void>;
}

export function createNotices(ports: NoticesPorts): Notices {
  return new StoredNotices(ports);
}

class StoredNotices implements Notices {
  readonly #ports: NoticesPorts;

  constructor(ports: NoticesPorts) {
    this.#ports = ports;
  }

  async look(now: number): Promise<number> {
    const { db } = this.#ports;
    const waiting = await db
      .selectFrom('push_notice')
      .selectAll()
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(STEP)
      .execute();
    for (const notice of waiting) await this.#record(notice, now);
    return waiting.length;
  }

  async nextAt(): Promise<number | null> {
    const next = await this.#ports.db
      .selectFrom('push_notice')
      .select('next_at')
      .where('next_at', 'is not', null)
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst();
    return next?.next_at ?? null;
  }

  async message(
    { task: id, register, moment: author }: Pick<PushDeliveryTable, 'task' | 'register' | 'moment'>,
    { account, titles }: Pick<Subscription, 'account' | 'titles'>,
  ): Promise<ToldMessage | null> {
    const { reads, store, origin } = this.#ports;
    const scopes = (await store.scopesOf(account)).map(({ scope }) => scope);
    const personal = await this.#personalOf(account);
    if (personal === null) return null;
    const comment = register as Id | '';
    const asked = [id, settingId(personal, tellingSetting), ...(comment === '' ? [] : [comment])];
    const rows = new Map((await reads.find(scopes, asked)).map((row) => [row.id, row]));
    const task = rows.get(id);
    if (task?.type !== 'task' || isTrashed(task) || task.scope === personal) return null;
    if (fieldOf(rows.get(settingId(personal, tellingSetting)), 'value') === false) return null;
    const isMention = comment !== '';
    const holds = isMention
      ? mentions(rows.get(comment), { task, account })
      : fieldOf(task, 'assignee') === account;
    if (!holds || (await this.#isMuted(task.scope, personal))) return null;
    if (await isHidden(reads, scopes, task)) return null;
    const [member] = await reads.find([task.scope], [memberId(task.scope, author)]);
    const by = member?.type === 'member' ? member.fields.name : undefined;
    const kind = isMention ? 'mention' : 'assigned';
    return toldMessage({ task, kind, by: by || 'Somebody', titles: titles === 1, origin });
  }

  async tidy(now: number): Promise<void> {
    await this.#ports.db
      .deleteFrom('push_notice')
      .where('next_at', 'is', null)
      .where('told_at', '<', now - NOTICE_PACE_MS)
      .execute();
  }

  /** Once, also where two processes look at the same time: who takes the notice records its messages, in the same transaction. */
  async #record({ account, task, kind, comment, author, next_at: at }: PushNoticeTable, now: number) {
    const { db, subscriptions } = this.#ports;
    const browsers = await subscriptions.of(account);
    const scope = await this.#personalOf(account);
    await db.transaction().execute(async (tx) => {
      const taken = await tx
        .updateTable('push_notice')
        .set({ next_at: null, told_at: now })
        .where('account', '=', account)
        .where('task', '=', task)
        .where('kind', '=', kind)
        .where('comment', '=', comment)
        .where('author', '=', author)
        .where('next_at', '=', at)
        .executeTakeFirst();
      if (taken.numUpdatedRows === 0n || browsers.length === 0 || scope === null) return;
      const told = {
        account,
        scope,
        task,
        register: comment,
        moment: author,
        at: now,
        next_try: now,
      } as const;
      await tx
        .insertInto('push_delivery')
        .values(
          browsers.map(({ id: subscription }) => ({
            ...told,
            subscription,
            kind: 'told' as const,
            state: 'waiting' as const,
            tries: 0,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** Null: there is no such person (anymore). */
  async #personalOf(account: number): Promise<Id | null> {
    const found = await this.#ports.db
      .selectFrom('scope')
      .select('id')
      .where('owner', '=', account)
      .where('kind', '=', 'personal')
      .executeTakeFirst();
    return found?.id ?? null;
  }

  async #isMuted(scope: Id, personal: Id): Promise<boolean> {
    const { db, reads } = this.#ports;
    const shared = await db
      .selectFrom('shared_list')
      .select('list')
      .where('scope', '=', scope)
      .executeTakeFirst();
    if (shared === undefined) return false;
    const [mount] = await reads.find([personal], [mountId(personal, shared.list)]);
    return fieldOf(mount, 'muted') === true;
  }
}

/** Whether a comment on the task still mentions the person. */
function mentions(
  comment: Row | undefined,
  { task, account }: { readonly task: Row; readonly account: number },
): boolean {
  if (comment?.type !== 'comment' || isTrashed(comment) || placeOf(comment)?.parent !== task.id) return false;
  const { text } = comment.fields;
  // One that was moved to an encrypted list since says nothing here any more.
  return typeof text === 'string' && mentionedIn(text).includes(account);
}
