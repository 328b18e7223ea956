// Conditions of commands: null if it can run, else a sentence that says what to do.
import type { Program } from '../app/program.ts';
import { smartLists } from '../search/smart-lists.ts';
import type { Availability } from './command.ts';

/** For commands on the task at the cursor or the selected ones. */
export function needsTask(program: Program): Availability {
  const row = program.workspace.cursorRow;
  if (row?.type === 'completion') return 'That’s a completed repeat. Open its list to see the task.';
  return row?.type === 'task' ? null : 'Select a task first.';
}

/** For commands that move tasks: they need the outline itself, not results or the trash. */
export function needsTree(program: Program): Availability {
  if (program.workspace.isTrash) return 'Restore it from the trash first.';
  if (program.part(smartLists).open !== null)
    return 'Smart lists sort themselves. Open the task’s list first.';
  const { outline } = program.workspace;
  if (outline.isSorted === true) return 'This list is sorted. To move tasks, choose “Sort list… by hand.”';
  if (!outline.isTree) return 'Leave the search results first.';
  return needsTask(program);
}

/** For commands that change tasks: they must not be in the trash. */
export function needsLiving(program: Program): Availability {
  return program.workspace.isTrash ? 'Restore it from the trash first.' : needsTask(program);
}

/**
 * For commands that need a feature of the server (wire/features.ts). Its last answer decides, also of an earlier run; a
 * device without an account needs no server.
 */
export function needsFeature({ replica, engine }: Program, feature: string): Availability {
  return replica.account === 0 || engine.facts().features.includes(feature)
    ? null
    : 'The server has to be updated first.';
}

/** For commands that create tasks: the open place must take new ones. */
export function needsRoot(program: Program): Availability {
  if (program.workspace.isTrash) return 'You can’t add tasks to the trash. Open a list first.';
  if (program.workspace.results) return 'You can’t add tasks to search results. Leave the search first.';
  if (program.part(smartLists).open !== null) {
    const made = program.part(smartLists).newTask();
    return made.ok ? null : made.problem;
  }
  return program.workspace.root === null ? 'Folders hold lists, not tasks. Open a list first.' : null;
}
