// What only the owner of a shared list may do: delete it, and delete for good what is in its trash.
import type { Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';

/** False: the scope is that of a list which somebody else owns. Also true as long as nothing says whose it is. */
export function mayBeOwn(replica: Replica, scope: Id): boolean {
  if (scope === replica.scope) return true;
  const own = replica.members(scope).find(({ fields }) => fields.account === replica.account);
  return (own?.fields.role ?? 'owner') === 'owner';
}
