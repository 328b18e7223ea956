// Sign-ups for the newsletter and as an affiliate: stored at once, valid only once confirmed from the mailbox. Answers
// never reveal whether an address was known.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { SignUpTable, Tables } from '../data/tables.ts';
import type { Letters } from '../mail/letters.ts';
import { createSecret, digestOf, secretDigest } from './secret-link.ts';

export type SignUpList = SignUpTable['list'];

export interface SignUps {
  /**
   * Stores the address. Resolves with a function that mails the confirmation request, at most once a day per address; call
   * it after answering, because its duration would reveal whether it mailed.
   */
  add(list: SignUpList, email: string): Promise<() => Promise<void>>;
  /** False: not one of our links, or the address was removed. */
  confirm(token: string): Promise<boolean>;
  remove(token: string): Promise<boolean>;
  confirmed(list: SignUpList): Promise<readonly Selectable<SignUpTable>[]>;
}

export interface SignUpPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly letters: Letters;
  /** The public origin of the site. */
  readonly origin: string;
}

const NAMES: Readonly<Record<SignUpList, string>> = {
  newsletter: 'the Posthaste newsletter',
  affiliate: 'the Posthaste affiliate program',
};

function letterText(list: SignUpList, link: string): string {
  return [
    `Someone, probably you, signed this address up for ${NAMES[list]}.`,
    '',
    'To confirm it, or to remove it at any time, open this page:',
    link,
    '',
    "If it wasn't you, do nothing. We won't send anything else.",
    '',
  ].join('\n');
}

export function createSignUps({ db, clock, letters, origin }: SignUpPorts): SignUps {
  return {
    async add(list, email) {
      const token = createSecret();
      const hash = digestOf(token);
      await db
        .insertInto('sign_up')
        .values({ list, email, token_hash: hash, created_at: Math.round(clock.now()), confirmed_at: null })
        .onConflict((conflict) => conflict.columns(['list', 'email']).doNothing())
        .execute();
      return async () => {
        const link = `${origin}/confirm?token=${token}`;
        const refused = await letters.send({
          kind: list,
          rate: 'site_sign_up_address',
          isProved: false,
          to: email,
          subject: 'Confirm your address',
          text: letterText(list, link),
        });
        // The link in today's letter stays valid.
        if (refused) return;
        await db
          .updateTable('sign_up')
          .set({ token_hash: hash })
          .where('list', '=', list)
          .where('email', '=', email)
          .execute();
      };
    },
    async confirm(token) {
      const hash = secretDigest(token);
      if (hash === null) return false;
      const known = await db
        .selectFrom('sign_up')
        .select('confirmed_at')
        .where('token_hash', '=', hash)
        .executeTakeFirst();
      if (known && known.confirmed_at === null)
        await db
          .updateTable('sign_up')
          .set({ confirmed_at: Math.round(clock.now()) })
          .where('token_hash', '=', hash)
          .execute();
      return known !== undefined;
    },
    async remove(token) {
      const hash = secretDigest(token);
      if (hash === null) return false;
      const { numDeletedRows } = await db
        .deleteFrom('sign_up')
        .where('token_hash', '=', hash)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    confirmed: (list) =>
      db
        .selectFrom('sign_up')
        .selectAll()
        .where('list', '=', list)
        .where('confirmed_at', 'is not', null)
        .orderBy('confirmed_at')
        .execute(),
  };
}
