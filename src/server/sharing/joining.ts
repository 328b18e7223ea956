// Makes somebody a member of a list by its invitation link, in one transaction.
import type { Transaction } from 'kysely';
import { mostMembers } from '#wire/sharing.ts';
import { addMemberIn } from '../data/members.ts';
import type { Tables } from '../data/tables.ts';
import type { Invitation } from './invite-links.ts';
import { membersIn } from './records.ts';

/** Makes somebody a member, unless the link has ended at this moment or there are too many. */
export async function joinBy(
  tx: Transaction<Tables>,
  { token_hash: hash, scope, account: inviter }: Invitation,
  { account, at }: { readonly account: number; readonly at: number },
): Promise<'joined' | 'ended' | 'full'> {
  const use = (more: number) =>
    tx
      .updateTable('list_invitation')
      .set((row) => ({ uses: row('uses', '+', more) }))
      .where('token_hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
  // The row is locked first: of many who join at once each counts those before.
  if (Number((await use(0)).numUpdatedRows) === 0) return 'ended';
  if ((await membersIn(tx, scope)) >= mostMembers) return 'full';
  const member = { scope, account, role: 'member', joined_at: at, invited_by: inviter } as const;
  if (await addMemberIn(tx, member)) await use(1);
  return 'joined';
}
