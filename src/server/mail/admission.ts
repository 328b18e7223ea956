// Who may send what to whom: the recipient is a living list of somebody who may receive mail, within what an account is asked
// not to exceed. Up to twice that much is taken, and its owner is told; what is more has to come later.
import type { Kysely } from 'kysely';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import { mailLimits, type MailUse } from '#wire/mail.ts';
import type { Tables } from '../data/tables.ts';
import type { Limiter } from '../limits/rates.ts';
import type { MailAddresses } from './addresses.ts';
import type { Post } from './post.ts';
import type { MailQueue } from './queue.ts';
import type { Spooled } from './spool.ts';

const DAY_MS = 86_400_000;
const WINDOW_MS = mailLimits.days * DAY_MS;
/** Of everybody together, waiting to be tasks. */
const MOST_WAITING = { messages: 50_000, bytes: 4 * 1_024 * 1_048_576 } as const;
/** Folders in folders. */
const DEEPEST = 100;

export interface Recipient {
  readonly scope: Id;
  readonly list: Id;
  readonly account: number;
}

/** `unknown` is for good; everything else passes. */
export type Admission =
  | { readonly ok: true; readonly recipient: Recipient }
  | { readonly ok: false; readonly as: 'unknown' | 'quota' | 'too often' };

export interface AdmissionPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly find: MailAddresses['find'];
  readonly waiting: MailQueue['waiting'];
  readonly post: Pick<Post, 'send'>;
  /** False while the disk takes nothing new. */
  readonly hasRoom: () => boolean;
}

export interface AdmissionDesk {
  /** Whether any mail can be taken now. */
  isOpen(): boolean;
  /** `bytes`: as the sender announced; 0: not at all. */
  admit(address: string, bytes: number): Promise<Admission>;
  /** Whether an account may have addresses: its owner has shown to read mail. */
  mayReceive(account: number): Promise<boolean>;
  use(account: number): Promise<MailUse>;
  /** A message became a task: it counts, once. */
  count(arrival: Spooled): Promise<void>;
  /** Forgets what no longer counts. */
  prune(): Promise<void>;
}

const warning = ({ messages, bytes }: MailUse) =>
  `In the last ${mailLimits.days} days your lists received ${messages} mails with ${Math.round(bytes / 1_000_000)} MB together.\n\nWe ask you to stay below ${mailLimits.messages} mails and ${mailLimits.bytes / 1_000_000} MB in ${mailLimits.days} days. Nothing was lost, and nothing changes now. Above twice as much, mail to your lists is taken later.\n\nIf you do not know where so many mails come from, give the list a new address: open the list, choose "Show the list's e-mail address", then "New address". The old one stops working at once.\n`;

class Desk implements AdmissionDesk {
  readonly #ports: AdmissionPorts;

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  isOpen(): boolean {
    const { messages, bytes } = this.#ports.waiting();
    return this.#ports.hasRoom() && messages < MOST_WAITING.messages && bytes < MOST_WAITING.bytes;
  }

  async admit(address: string, bytes: number): Promise<Admission> {
    const found = await this.#ports.find(address);
    const account = found === null ? null : await this.#receiverOf(found);
    if (found === null || account === null) return { ok: false, as: 'unknown' };
    const use = await this.use(account.id);
    const waiting = this.#ports.waiting(account.id);
    const isOver =
      use.messages + waiting.messages >= 2 * mailLimits.messages ||
      use.bytes + waiting.bytes + bytes > 2 * mailLimits.bytes;
    if (isOver) return { ok: false, as: 'quota' };
    if (!this.#ports.limiter.take('mail_list', `${found.list}:${account.id}`, account.rates).allowed)
      return { ok: false, as: 'too often' };
    return { ok: true, recipient: { ...found, account: account.id } };
  }

  async mayReceive(account: number): Promise<boolean> {
    const row = await this.#ports.db
      .selectFrom('account')
      .select('verified_at')
      .where('id', '=', account)
      .executeTakeFirst();
    return (row?.verified_at ?? null) !== null;
  }

  async use(account: number): Promise<MailUse> {
    const row = await this.#ports.db
      .selectFrom('mail_receipt')
      .select((of) => [
        of.fn.countAll<number | string>().as('messages'),
        of.fn.sum<number | string | null>('bytes').as('bytes'),
      ])
      .where('account', '=', account)
      .where('at', '>', this.#since())
      .executeTakeFirstOrThrow();
    return { messages: Number(row.messages), bytes: Number(row.bytes ?? 0) };
  }

  async count({ id, account, bytes }: Spooled): Promise<void> {
    const { db, clock } = this.#ports;
    const inserted = await db
      .insertInto('mail_receipt')
      .values({ id, account, bytes, at: Math.round(clock.now()) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 1n) await this.#warn(account, bytes);
  }

  async prune(): Promise<void> {
    const { db } = this.#ports;
    await db.deleteFrom('mail_receipt').where('at', '<=', this.#since()).execute();
    await db.deleteFrom('mail_warning').where('at', '<=', this.#since()).execute();
  }

  #since(): number {
    return Math.round(this.#ports.clock.now()) - WINDOW_MS;
  }

  /** Once in the window, when the line is crossed. */
  async #warn(account: number, bytes: number): Promise<void> {
    const use = await this.use(account);
    const isOver = use.messages > mailLimits.messages || use.bytes > mailLimits.bytes;
    const wasOver = use.messages - 1 > mailLimits.messages || use.bytes - bytes > mailLimits.bytes;
    if (!isOver || wasOver) return;
    const { db, clock, post } = this.#ports;
    const known = await db
      .selectFrom('mail_warning')
      .select('at')
      .where('account', '=', account)
      .executeTakeFirst();
    if (known && known.at > this.#since()) return;
    const row = await db.selectFrom('account').select('email').where('id', '=', account).executeTakeFirst();
    if (!row) return;
    const at = Math.round(clock.now());
    await db
      .insertInto('mail_warning')
      .values({ account, at })
      .onConflict((conflict) => conflict.column('account').doUpdateSet({ at }))
      .execute();
    await post.send({ to: row.email, subject: 'Your lists receive much mail', text: warning(use) });
  }

  /** Null where nobody receives mail: the list is gone, or its owner may not. */
  async #receiverOf({ scope, list }: Pick<Recipient, 'scope' | 'list'>): Promise<{
    readonly id: number;
    readonly rates: string | null;
  } | null> {
    const { db } = this.#ports;
    const account = await db
      .selectFrom('scope')
      .innerJoin('account', 'account.id', 'scope.owner')
      .select(['account.id', 'account.rates'])
      .where('scope.id', '=', scope)
      .where('account.verified_at', 'is not', null)
      .where('account.disabled_at', 'is', null)
      .where('account.deleted_at', 'is', null)
      .where('account.erase_at', 'is', null)
      .executeTakeFirst();
    return account && (await this.#isLiving(scope, list)) ? account : null;
  }

  async #isLiving(scope: Id, list: Id): Promise<boolean> {
    let id: Id | null = list;
    for (let depth = 0; id !== null && id !== listsRoot(scope); depth += 1) {
      if (depth > DEEPEST) return false;
      const row: { parent: Id | null; deleted: number | null } | undefined = await this.#ports.db
        .selectFrom('entity')
        .select(['parent', 'deleted'])
        .where('scope', '=', scope)
        .where('id', '=', id)
        .where('type', '=', 'list')
        .executeTakeFirst();
      // An Inbox that nothing was written into yet.
      if (!row) return id === inboxId(scope);
      if (row.deleted !== null) return false;
      id = row.parent;
    }
    return true;
  }
}

export function createAdmissionDesk(ports: AdmissionPorts): AdmissionDesk {
  return new Desk(ports);
}
