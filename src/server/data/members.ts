// Who belongs to a scope, and who once did: a device of the latter is told to drop its copy, one of a stranger is not. What
// rows say of them follows (sharing/): each change here is noted as wanted there.
import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { MemberTable, Tables } from './tables.ts';

/** Notes that the rows about the members of a scope have to be looked through. */
export async function wantSettling(db: Kysely<Tables>, scopes: readonly Id[]): Promise<void> {
  if (scopes.length === 0) return;
  await db
    .updateTable('shared_list')
    .set((row) => ({ wanted: row('wanted', '+', 1) }))
    .where('scope', 'in', scopes)
    .execute();
}

/** False: the account is a member already. */
export async function addMember(db: Kysely<Tables>, member: Insertable<MemberTable>): Promise<boolean> {
  return await db.transaction().execute((tx) => addMemberIn(tx, member));
}

/** As `addMember`, in a transaction of the caller's. */
export async function addMemberIn(
  tx: Transaction<Tables>,
  member: Insertable<MemberTable>,
): Promise<boolean> {
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
  const isNew = Number(added.numInsertedOrUpdatedRows) > 0;
  if (isNew) await wantSettling(tx, [member.scope]);
  return isNew;
}

/** Whose membership ends, and when, milliseconds. */
export interface EndedMembership {
  readonly account: number;
  readonly scope: Id;
  readonly at: number;
}

/** Ends a membership, and remembers it. False: there was none; it is remembered all the same. */
export async function removeMember(db: Kysely<Tables>, ended: EndedMembership): Promise<boolean> {
  return await db.transaction().execute((tx) => removeMemberIn(tx, ended));
}

/** As `removeMember`, in a transaction of the caller's. */
export async function removeMemberIn(
  tx: Transaction<Tables>,
  { account, scope, at }: EndedMembership,
): Promise<boolean> {
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
  const wasMember = Number(removed.numDeletedRows) > 0;
  if (wasMember) await wantSettling(tx, [scope]);
  return wasMember;
}

/** Makes a member the owner of a scope; the one before is a member from then on. In a transaction of the caller's. */
export async function setOwner(tx: Transaction<Tables>, scope: Id, account: number): Promise<void> {
  await tx.updateTable('scope').set({ owner: account }).where('id', '=', scope).execute();
  await tx.updateTable('member').set({ role: 'member' }).where('scope', '=', scope).execute();
  await tx
    .updateTable('member')
    .set({ role: 'owner' })
    .where('scope', '=', scope)
    .where('account', '=', account)
    .execute();
}
