// Shows and hides the tasks that are away: snoozed ones everywhere, those that have not started list by list.
import type { Id } from '#core/ids.ts';
import { LIST_HIDES } from '../away.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import type { Program } from '../program.ts';

export function toggleSnoozed(program: Program): CommandResult {
  program.leaveText();
  const { away } = program.workspace;
  const shows = !away.showsSnoozed;
  program.show(away.showSnoozed(shows));
  program.rows.follow();
  return announced(shows ? 'Snoozed tasks are shown.' : 'Snoozed tasks are hidden until they wake.');
}

/** `list`: the open one; null where none is. */
export function toggleUnstarted(program: Program, list: Id | null): CommandResult {
  if (list === null) return refused('Open a list first.');
  program.leaveText();
  const { away } = program.workspace;
  const hides = !away.hidesUnstarted(list);
  const actions = program.settings.actions({ key: LIST_HIDES + list }, hides);
  program.change(actions, hides ? 'hid what has not started' : 'showed what has not started', {
    // Like folding: how a list is looked at is no content.
    undoable: false,
  });
  program.rows.follow();
  return announced(
    hides ? 'Tasks show here once they have started.' : 'Tasks that have not started are shown.',
  );
}
