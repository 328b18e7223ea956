// The content of files that are attached: it may have come already, for another scope that its author may read, because the task was
// there then. Content that comes later says of which task it is (routes.ts).
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { ContentCopy } from '../data/store.ts';

/** What is to be held where a file was attached, in the scope `home`: of what its author may read. */
export function contentsOf(
  operation: Operation,
  actor: AccountActor,
  home: Id,
  at: number,
): readonly ContentCopy[] {
  if (operation.a !== 'create' && operation.a !== 'reoffer') return [];
  const { type, fields } = operation;
  const hash = type === 'attachment' ? fields['hash'] : undefined;
  if (typeof hash !== 'string') return [];
  return [...actor.roles.keys()]
    .filter((from) => from !== home && authorise(actor, { type: 'scope.read', scope: from }).allowed)
    .map((from) => ({ from, to: home, hash, at }));
}
