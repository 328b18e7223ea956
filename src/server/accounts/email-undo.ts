// Undoing a change of address: a link sent to the old address, in case somebody else made the change. Stored as a digest,
// valid once and for a week. site/password-reset.ts handles its use, which leads to a new password.
import { DAY_MS } from '#core/time.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { EmailUndoTable, Tables } from '../data/tables.ts';

export const UNDO_DAYS = 7;
const LIFETIME_MS = UNDO_DAYS * DAY_MS;

/** A stored undo link. */
export type EmailUndo = Selectable<EmailUndoTable>;

/** The undo links of changed addresses. */
export interface EmailUndos {
  /** Returns the secret of the link for the address that the account is about to give up. */
  create(account: number, email: string): Promise<string>;
  /** Undefined when it was used or has expired. */
  find(hash: Uint8Array): Promise<EmailUndo | undefined>;
  /**
   * Consumes the link, and those of later changes: they lead to addresses that this one undoes. False: already consumed.
   */
  use(undo: EmailUndo): Promise<boolean>;
  /** Restores what `use` consumed, when the change then failed. */
  putBack(undo: EmailUndo): Promise<void>;
  /**
   * Whether a credential set up at `at` may be the work of the person who changed the address: from a week before the
   * change on.
   */
  isSuspect(undo: EmailUndo, at: number): boolean;
}

export interface EmailUndoPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** Undo links in the database; creating one also deletes expired ones. */
export function createEmailUndos({ db, clock }: EmailUndoPorts): EmailUndos {
  return {
    async create(account, email) {
      const secret = randomBytes(32).toString('base64url');
      const now = Math.round(clock.now());
      const hash = createHash('sha256').update(secret).digest();
      await db.deleteFrom('email_undo').where('expires_at', '<=', now).execute();
      await db
        .insertInto('email_undo')
        .values({ token_hash: hash, account, email, changed_at: now, expires_at: now + LIFETIME_MS })
        .execute();
      return secret;
    },
    find: (hash) =>
      db
        .selectFrom('email_undo')
        .selectAll()
        .where('token_hash', '=', hash)
        .where('expires_at', '>', Math.round(clock.now()))
        .executeTakeFirst(),
    async use({ account, token_hash: hash, changed_at: changedAt }) {
      const { numDeletedRows } = await db
        .deleteFrom('email_undo')
        .where('token_hash', '=', hash)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await db
        .deleteFrom('email_undo')
        .where('account', '=', account)
        .where('changed_at', '>=', changedAt)
        .execute();
      return true;
    },
    async putBack(undo) {
      await db.insertInto('email_undo').values(undo).execute();
    },
    isSuspect: ({ changed_at: changedAt }, at) => at > changedAt - LIFETIME_MS,
  };
}
