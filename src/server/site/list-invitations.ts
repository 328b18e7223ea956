// Invitations to shared lists as links show them: the name of the list and the inviter. Accepting one is not here.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';
import { createSecret, digestOf, secretDigest } from './secret-link.ts';

export interface Invitation {
  readonly listName: string;
  readonly initials: string;
  /** `#rrggbb`. */
  readonly color: string;
}

export interface ListInvitations {
  /** Returns the token for the link, which is stored nowhere. */
  create(of: Invitation & { readonly scope: Id; readonly account: number }): Promise<string>;
  find(token: string): Promise<Invitation | undefined>;
}

export function createListInvitations(db: Kysely<Tables>, clock: Clock): ListInvitations {
  return {
    async create({ scope, account, listName, initials, color }) {
      const token = createSecret();
      const row = { scope, account, list_name: listName, initials, color };
      await db
        .insertInto('list_invitation')
        .values({
          ...row,
          token_hash: digestOf(token),
          created_at: Math.round(clock.now()),
          expires_at: null,
          revoked_at: null,
        })
        .execute();
      return token;
    },
    async find(token) {
      const hash = secretDigest(token);
      if (hash === null) return undefined;
      const row = await db
        .selectFrom('list_invitation')
        .selectAll()
        .where('token_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (!row || (row.expires_at !== null && row.expires_at <= clock.now())) return undefined;
      return { listName: row.list_name, initials: row.initials, color: row.color };
    },
  };
}
