// Who belongs to a scope, and who once did: a device of the latter is told to drop its copy, one of a stranger is not.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { MemberTable, Tables } from './tables.ts';

/** False: the account is a member already. */
export async function addMember(db: Kysely<Tables>, member: MemberTable): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('former_member')
      .where('account', '=', member.account)
      .where('scope', '=', member.scope)
      .execute();
    const added = await tx
      .insertInto('member')
      .values(member)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return Number(added.numInsertedOrUpdatedRows) > 0;
  });
}

/** Ends a membership, and remembers it. False: there was none; it is remembered all the same. */
export async function removeMember(
  db: Kysely<Tables>,
  { account, scope, at }: { readonly account: number; readonly scope: Id; readonly at: number },
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('member')
      .where('scope', '=', scope)
      .where('account', '=', account)
      .executeTakeFirst();
    await tx
      .insertInto('former_member')
      .values({ account, scope, left_at: at })
      .onConflict((conflict) => conflict.columns(['account', 'scope']).doUpdateSet({ left_at: at }))
      .execute();
    return Number(removed.numDeletedRows) > 0;
  });
}
