// Issues the changes that another tab could not write. Their transport and waiting for the disk are the platform's.
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { inTransactions } from '../commands/batches.ts';
import { unsentActions } from '../sync-status/unsent-actions.ts';

/**
 * Issues the operations again. Changes made while cloud sync was off stay separate: if it is on by now, or off for
 * another period, they go to Recovered and the person decides.
 */
export function makeHandedOver(
  engine: Pick<Engine, 'replica' | 'facts' | 'recover'>,
  { scope, operations }: { readonly scope: Id; readonly operations: readonly Operation[] },
): void {
  const actionsOf = (some: readonly Operation[]) =>
    unsentActions({ scope, operations: some, recovered: [] }, engine.replica.scope);
  const since = engine.facts().detached?.at;
  const isLate = ({ off }: Operation) => off !== undefined && off !== since;
  const actions = actionsOf(operations.filter((operation) => !isLate(operation)));
  for (const batch of inTransactions(actions)) engine.replica.issue(batch);
  for (const operation of operations)
    if (isLate(operation))
      for (const action of actionsOf([operation])) engine.recover(action, operation.off ?? 0);
}
