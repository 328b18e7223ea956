// What another tab could not write is made here. Not here: how it comes, and waiting for the disk (the platform's).
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/operation.ts';
import type { Engine } from '#sync/replica-types.ts';
import { unsentActions } from './unsent-actions.ts';

const ACTIONS_AT_ONCE = 500;

/**
 * Issues the operations anew. What was made while cloud sync was off stays on its own: when it is on by now, or off for
 * another time, it goes to Recovered instead, and the person decides.
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
  for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE)
    engine.replica.issue(actions.slice(at, at + ACTIONS_AT_ONCE));
  for (const operation of operations)
    if (isLate(operation))
      for (const action of actionsOf([operation])) engine.recover(action, operation.off ?? 0);
}
