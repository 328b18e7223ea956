// Shows and hides the tasks that are away: snoozed ones everywhere, those that have not started list by list.
import type { Id } from '#core/ids.ts';
import { HIDING } from '../clock/watch-time.ts';
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
  program.show(away.hideUnstarted(list, hides));
  program.platform.preferences.set(HIDING, away.hiding.join(' '));
  program.rows.follow();
  return announced(
    hides ? 'Tasks show here once they have started.' : 'Tasks that have not started are shown.',
  );
}
