// Whom a call may give a task to: the people of the task's list.
import type { Id } from '#core/ids.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import type { Frame } from './frame.ts';
import { invalid, type Problem } from './problem.ts';

/** Null: the call names nobody, or somebody who belongs to the scope of the task. */
export function assigneeProblem(
  { assignee_user_id: assignee }: Pick<UpdateTask, 'assignee_user_id'>,
  frame: Frame,
  scope: Id,
): Problem | null {
  if (assignee === undefined || assignee === null) return null;
  const list = frame.lists.find(({ row, isShared }) => isShared && row.scope === scope);
  if (list === undefined)
    return invalid('assignee_user_id', 'Nobody else is in this list. Share the list first.');
  return list.members.includes(assignee)
    ? null
    : invalid('assignee_user_id', 'That person isn\'t in the list. Use one of its "collaborator_user_ids".');
}
