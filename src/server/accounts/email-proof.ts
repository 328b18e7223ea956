// Proof that somebody reads the mail of an address: a code is sent there and typed in. Used for a new address and to verify
// the present one. Not here: what an address must look like (email.ts).
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Post } from '../mail/post.ts';

const LIFETIME_MS = 30 * 60_000;
const MOST_TRIES = 10;
const DIGITS = 8;

export type Proof =
  | { readonly type: 'proved'; readonly email: string }
  /** Nothing was asked for, or it is too late, or too often tried. */
  | { readonly type: 'over' }
  | { readonly type: 'wrong' };

export interface EmailProofs {
  /** Sends a code; one that was sent before holds no longer. */
  ask(account: number, email: string): Promise<void>;
  /** Each right code counts once. */
  answer(account: number, code: string): Promise<Proof>;
  /** The address that a code was sent to; null when none is awaited. */
  awaited(account: number): Promise<string | null>;
  forget(account: number): Promise<void>;
}

export interface EmailProofPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly post: Pick<Post, 'send'>;
}

const hashOf = (account: number, code: string) =>
  createHash('sha256')
    .update(`${account} ${code.replaceAll(/\D/g, '')}`)
    .digest();

const letterText = (code: string) =>
  `Your code is ${code}\n\nType it into Posthaste within 30 minutes to confirm that this address is yours.\n\nIf you did not ask for it, somebody mistyped their own address. Nothing happens unless the code is used.\n`;

export function createEmailProofs({ db, clock, post }: EmailProofPorts): EmailProofs {
  const rowOf = (account: number) =>
    db.selectFrom('email_proof').selectAll().where('account', '=', account).executeTakeFirst();
  const forget = async (account: number) => {
    await db.deleteFrom('email_proof').where('account', '=', account).execute();
  };
  const isOver = (row: { readonly tries: number; readonly expires_at: number }) =>
    row.expires_at <= clock.now() || row.tries >= MOST_TRIES;

  return {
    forget,
    async ask(account, email) {
      const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      const code = `${digits.slice(0, 4)} ${digits.slice(4)}`;
      const row = {
        email,
        code_hash: hashOf(account, code),
        tries: 0,
        expires_at: clock.now() + LIFETIME_MS,
      };
      await db
        .insertInto('email_proof')
        .values({ account, ...row })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
        .execute();
      await post.send({ to: email, subject: `Your Posthaste code: ${code}`, text: letterText(code) });
    },
    async awaited(account) {
      const row = await rowOf(account);
      return row && !isOver(row) ? row.email : null;
    },
    async answer(account, code) {
      const row = await rowOf(account);
      if (!row || isOver(row)) return { type: 'over' };
      // Counted before it is looked at: tries made at the same time cannot slip through together.
      const { numUpdatedRows } = await db
        .updateTable('email_proof')
        .set({ tries: row.tries + 1 })
        .where('account', '=', account)
        .where('tries', '=', row.tries)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n || !timingSafeEqual(hashOf(account, code), row.code_hash))
        return { type: 'wrong' };
      await forget(account);
      return { type: 'proved', email: row.email };
    },
  };
}
