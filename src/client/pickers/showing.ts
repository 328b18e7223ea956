// Shows and hides hidden tasks: snoozed ones everywhere, those that have not started list by list.
import type { Id } from '#core/ids.ts';
import { LIST_HIDES } from '../outline/hidden-tasks.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import type { Program } from '../app/program.ts';

export function toggleSnoozed(program: Program): CommandResult {
  program.leaveText();
  const { away } = program.workspace;
  const shows = !away.showsSnoozed;
  program.show(away.showSnoozed(shows));
  program.rows.follow();
  return announced(shows ? 'Showing snoozed tasks.' : 'Hiding snoozed tasks until they come back.');
}

/** `list`: the open one; null: none is open. */
export function toggleUnstarted(program: Program, list: Id | null): CommandResult {
  if (list === null) return refused('Open a list first.');
  program.leaveText();
  const { away } = program.workspace;
  const hides = !away.hidesUnstarted(list);
  const actions = program.settings.actions({ key: LIST_HIDES + list }, hides);
  program.change(actions, hides ? 'hid what has not started' : 'showed what has not started', {
    // Like collapsing, it is a matter of view, not content.
    undoable: false,
  });
  program.rows.follow();
  return announced(hides ? 'Hiding tasks until they start.' : 'Showing tasks that haven’t started.');
}
