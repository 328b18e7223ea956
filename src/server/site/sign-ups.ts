// Sign-ups for the newsletter and as an affiliate: kept at once, good only when confirmed from the mailbox. What is answered
// never tells whether an address was known.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { SignUpTable, Tables } from '../data/tables.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Post } from '../mail/post.ts';
import { createSecret, digestOf, secretDigest } from './secret-link.ts';

export type SignUpList = SignUpTable['list'];

export interface SignUps {
  /** Sends the request to confirm, once a day for each address. */
  add(list: SignUpList, email: string): Promise<void>;
  /** False when the link is not one of ours, or the address was removed. */
  confirm(token: string): Promise<boolean>;
  remove(token: string): Promise<boolean>;
  confirmed(list: SignUpList): Promise<readonly Selectable<SignUpTable>[]>;
}

export interface SignUpPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly post: Pick<Post, 'send'>;
  readonly limiter: Limiter;
  /** Under which people reach the site. */
  readonly origin: string;
}

const NAMES: Readonly<Record<SignUpList, string>> = {
  newsletter: 'the Posthaste newsletter',
  affiliate: 'the Posthaste affiliate program',
};

function letterText(list: SignUpList, link: string): string {
  return [
    `Somebody, probably you, gave this address for ${NAMES[list]}.`,
    '',
    'To confirm it, or to have it removed at any time, open this page:',
    link,
    '',
    'If it was not you, do nothing: nothing more is sent.',
    '',
  ].join('\n');
}

export function createSignUps({ db, clock, post, limiter, origin }: SignUpPorts): SignUps {
  return {
    async add(list, email) {
      const limitKey = Buffer.from(digestOf(`${list} ${email}`)).toString('base64url');
      if (!limiter.take('site_sign_up_address', limitKey).allowed) return;
      const token = createSecret();
      const hash = digestOf(token);
      await db
        .insertInto('sign_up')
        .values({ list, email, token_hash: hash, created_at: Math.round(clock.now()), confirmed_at: null })
        .onConflict((conflict) => conflict.columns(['list', 'email']).doUpdateSet({ token_hash: hash }))
        .execute();
      const link = `${origin}/confirm?token=${token}`;
      await post.send({ to: email, subject: 'Confirm your address', text: letterText(list, link) });
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
