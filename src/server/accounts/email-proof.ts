// Proves that a person reads the mail of an address: a code is sent there and typed in. Used for a new address and to
// verify the present one. Not here: the syntax of addresses (email.ts).
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Refused } from '../limits/window.ts';
import type { Letters } from '../mail/letters.ts';

const LIFETIME_MS = 30 * 60_000;
const MOST_TRIES = 10;
const DIGITS = 8;

export type Proof =
  | { readonly type: 'proved'; readonly email: string }
  /** No code is pending: none was requested, it expired, or had too many tries. */
  | { readonly type: 'over' }
  | { readonly type: 'wrong' };

export interface EmailProofs {
  /**
   * Sends a code, which replaces an earlier one. Refused when the address received too many letters; then the earlier code
   * stays valid. `isProved`: the address is the account's own, and verified.
   */
  ask(account: number, email: string, isProved: boolean): Promise<Refused | null>;
  /** A right code works once. */
  answer(account: number, code: string): Promise<Proof>;
  /** The address that a pending code was sent to; null: none is pending. */
  awaited(account: number): Promise<string | null>;
  forget(account: number): Promise<void>;
}

export interface EmailProofPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly letters: Letters;
}

const hashOf = (account: number, code: string) =>
  createHash('sha256')
    .update(`${account} ${code.replaceAll(/\D/g, '')}`)
    .digest();

const letterText = (code: string) =>
  `Your code is ${code}\n\nType it into Posthaste within 30 minutes to confirm your address.\n\nIf you didn't ask for it, someone probably mistyped their own address. You can ignore this email.\n`;

/** Email proofs with one pending code per account, kept in the database. */
export function createEmailProofs({ db, clock, letters }: EmailProofPorts): EmailProofs {
  const rowOf = (account: number) =>
    db.selectFrom('email_proof').selectAll().where('account', '=', account).executeTakeFirst();
  const forget = async (account: number) => {
    await db.deleteFrom('email_proof').where('account', '=', account).execute();
  };
  const isOver = (row: { readonly tries: number; readonly expires_at: number }) =>
    row.expires_at <= clock.now() || row.tries >= MOST_TRIES;

  return {
    forget,
    async ask(account, email, isProved) {
      const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      const code = `${digits.slice(0, 4)} ${digits.slice(4)}`;
      const row = {
        email,
        code_hash: hashOf(account, code),
        tries: 0,
        expires_at: clock.now() + LIFETIME_MS,
      };
      const refused = await letters.send({
        kind: 'code',
        isProved,
        by: account,
        to: email,
        subject: `Your Posthaste code: ${code}`,
        text: letterText(code),
      });
      if (refused) return refused;
      // After the letter: if sending fails, the earlier code stays.
      await db
        .insertInto('email_proof')
        .values({ account, ...row })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
        .execute();
      return null;
    },
    async awaited(account) {
      const row = await rowOf(account);
      return row && !isOver(row) ? row.email : null;
    },
    async answer(account, code) {
      const row = await rowOf(account);
      if (!row || isOver(row)) return { type: 'over' };
      // Counted before it is compared: concurrent tries cannot slip through together.
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
