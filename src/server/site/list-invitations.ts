// Invitations to shared lists as links show them: the name of the list and the inviter, as they are now. Accepting one is
// sharing/.
import type { Kysely } from 'kysely';
import type { Tables } from '../data/tables.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { recordIn } from '../sharing/records.ts';
import { listIn } from '../sharing/root-list.ts';

/** What an invitation is to, as anybody who has the link sees it. */
export interface Invitation {
  readonly listName: string;
  /** Initials, or the emoji that is shown instead of them. */
  readonly initials: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** Looks up invitations for the public site. */
export interface ListInvitations {
  /** Undefined: there is none, it has ended or expired, or its list cannot be joined. */
  find(token: string): Promise<Invitation | undefined>;
}

/** Invitations as they are in the database at each look. */
export function createListInvitations(
  db: Kysely<Tables>,
  { links, profiles }: Pick<Sharing, 'links' | 'profiles'>,
): ListInvitations {
  return {
    async find(token) {
      const link = await links.find(token);
      const record = link && (await recordIn(db, link.scope));
      if (link === undefined || record?.state !== 'open') return undefined;
      const root = await listIn(db, link.scope, record.list);
      const person = (await profiles.all([link.account])).get(link.account);
      if (root === null || root.isTrashed || person === undefined) return undefined;
      return { listName: root.name, initials: person.emoji ?? person.initials, color: person.color };
    },
  };
}
