// Whom a call may give a task to: the people of the task's list.
import { parseId, type Id } from '#core/ids.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import type { Frame } from '../frame.ts';
import { invalid, type Problem } from '../problem.ts';

/** Null: the call names nobody, or somebody who belongs to the scope of the task. */
export function assigneeProblem(
  { assignee_user_id: assignee, list_id: to }: Pick<UpdateTask, 'assignee_user_id' | 'list_id'>,
  frame: Frame,
  at: { readonly scope: Id },
): Problem | null {
  if (assignee === undefined || assignee === null) return null;
  // In the list that the same call puts it in.
  const { scope } = (to ? frame.list(parseId(to) ?? frame.inbox)?.row : undefined) ?? at;
  const list = frame.lists.find(({ row, isShared }) => isShared && row.scope === scope);
  if (list === undefined)
    return invalid('assignee_user_id', 'Nobody else is in this list. Share the list first.');
  return list.members.includes(assignee)
    ? null
    : invalid('assignee_user_id', 'That person isn\'t in the list. Use one of its "collaborator_user_ids".');
}
