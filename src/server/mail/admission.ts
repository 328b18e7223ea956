// Decides who may send what to whom: the recipient must be an existing list of an account that may receive mail, within its
// quota. Up to twice the quota is accepted, with a warning to the owner; further mail has to come later.
import { DAY_MS } from '#core/time.ts';
import type { Kysely } from 'kysely';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { ScopePhase } from '#sync/sealing/scope-state.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { mailLimits } from '#wire/mail-limits.ts';
import { type MailUse } from '#wire/mail.ts';
import type { Lapse } from '../billing/lapse.ts';
import type { Tables } from '../data/tables.ts';
import type { Limiter } from '../limits/rates.ts';
import type { MailAddresses } from './addresses.ts';
import type { Letters } from './letters.ts';
import type { MailQueue } from './queue.ts';
import type { Spooled } from './spool.ts';

const WINDOW_MS = mailLimits.days * DAY_MS;
/** Total for all accounts, of messages waiting to become tasks. */
const MOST_WAITING = { messages: 50_000, bytes: 4 * 1_024 * 1_048_576 } as const;
/** Nesting of folders. */
const DEEPEST = 100;

export interface Recipient {
  readonly scope: Id;
  readonly list: Id;
  readonly account: number;
  /** The scope is end-to-end encrypted: what is said of the message to its sender waits until it is sealed in its task. */
  readonly isSealed: boolean;
}

/** Why a message is not accepted. `unknown` and `lapsed` are permanent; the others are temporary. */
export type AdmissionProblem = 'unknown' | 'lapsed' | 'quota' | 'too often';

export interface AdmissionPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly find: MailAddresses['find'];
  readonly waiting: MailQueue['waiting'];
  readonly letters: Letters;
  /** Null: no plan ever lapses. */
  readonly billing: Lapse | null;
  /** False while the disk accepts nothing new. */
  readonly hasRoom: () => boolean;
}

export interface AdmissionDesk {
  /** Whether any mail can be accepted now. */
  isOpen(): boolean;
  /** `bytes`: as the sender announced; 0: not announced. */
  admit(address: string, bytes: number): Promise<Result<Recipient, AdmissionProblem>>;
  /** Whether an account may have addresses: its own address must be verified. */
  mayReceive(account: number): Promise<boolean>;
  use(account: number): Promise<MailUse>;
  /** Counts a message that became a task, once. */
  count(arrival: Spooled): Promise<void>;
  /** Deletes counts outside the window. */
  prune(): Promise<void>;
}

const warning = ({ messages, bytes }: MailUse) =>
  `In the last ${mailLimits.days} days, your lists received ${messages} emails (${Math.round(bytes / 1_000_000)} MB).\n\nPlease stay under ${mailLimits.messages} emails and ${mailLimits.bytes / 1_000_000} MB in ${mailLimits.days} days. Nothing was lost, and nothing changes now. At twice that much, we delay email to your lists.\n\nDon't know where it's all coming from? Give the list a new address. Open the list and choose "Show this list's email address", then "New address". The old one stops working right away.\n`;

class Desk implements AdmissionDesk {
  readonly #ports: AdmissionPorts;

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  isOpen(): boolean {
    const { messages, bytes } = this.#ports.waiting();
    return this.#ports.hasRoom() && messages < MOST_WAITING.messages && bytes < MOST_WAITING.bytes;
  }

  async admit(address: string, bytes: number): Promise<Result<Recipient, AdmissionProblem>> {
    const found = await this.#ports.find(address);
    const account = found === null ? null : await this.#receiverOf(found);
    if (found === null || account === null) return failed('unknown');
    if ((await this.#ports.billing?.mayAdd(account.id)) === false) return failed('lapsed');
    const use = await this.use(account.id);
    const waiting = this.#ports.waiting(account.id);
    const isOver =
      use.messages + waiting.messages >= 2 * mailLimits.messages ||
      use.bytes + waiting.bytes + bytes > 2 * mailLimits.bytes;
    if (isOver) return failed('quota');
    const taken = await this.#ports.limiter.take('mail_list', `${found.list}:${account.id}`, account.rates);
    if (!taken.allowed) return failed('too often');
    const isSealed = account.sealing_phase === 'sealing' || account.sealing_phase === 'sealed';
    return ok({ ...found, account: account.id, isSealed });
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

  /** Once per window, when the quota is crossed. */
  async #warn(account: number, bytes: number): Promise<void> {
    const use = await this.use(account);
    const isOver = use.messages > mailLimits.messages || use.bytes > mailLimits.bytes;
    const wasOver = use.messages - 1 > mailLimits.messages || use.bytes - bytes > mailLimits.bytes;
    if (!isOver || wasOver) return;
    const { db, clock, letters } = this.#ports;
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
    await letters.send({
      kind: 'mail_warning',
      // Only accounts with a verified address receive mail for lists.
      isProved: true,
      to: row.email,
      subject: 'Your lists get a lot of email',
      text: warning(use),
    });
  }

  /** Null: the list is gone, or its owner may not receive mail. */
  async #receiverOf({ scope, list }: Pick<Recipient, 'scope' | 'list'>): Promise<{
    readonly id: number;
    readonly rates: string | null;
    readonly sealing_phase: ScopePhase;
  } | null> {
    const { db } = this.#ports;
    const account = await db
      .selectFrom('scope')
      .innerJoin('account', 'account.id', 'scope.owner')
      .select(['account.id', 'account.rates', 'scope.sealing_phase'])
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
      // An Inbox that nothing was written to yet.
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
