// How commands are written down: what is usual need not be said.
import type { Tally } from '../messages.ts';
import type { Program } from '../program.ts';
import type { ArgumentValues, Availability, CommandOf, CommandResult } from './command.ts';

export type Command = CommandOf<Program>;

type Said = Pick<Command, 'id' | 'title' | 'group'>;
type Usual = Partial<
  Pick<Command, 'aliases' | 'args' | 'inPalette' | 'repeats' | 'isAboutTask' | 'titleNow' | 'chosen'>
>;

export interface CommandSpec extends Said, Usual {
  readonly when?: (program: Program) => Availability;
  readonly run: (program: Program, args: ArgumentValues) => CommandResult;
}

export const done: CommandResult = { type: 'done' };
export const passed: CommandResult = { type: 'passed' };

/** `tally`: counted together with the same done just before. */
export function announced(announce: string, tally?: Tally): CommandResult {
  return { type: 'done', announce, ...(tally === undefined ? {} : { tally }) };
}

export function refused(reason: string, tone?: 'info'): CommandResult {
  return { type: 'refused', reason, ...(tone === undefined ? {} : { tone }) };
}

export function define(spec: CommandSpec): Command {
  return {
    id: spec.id,
    title: spec.title,
    group: spec.group,
    aliases: spec.aliases ?? [],
    args: spec.args ?? [],
    inPalette: spec.inPalette ?? true,
    repeats: spec.repeats ?? false,
    isAboutTask: spec.isAboutTask ?? spec.group === 'Tasks',
    chosen: spec.chosen ?? (() => null),
    titleNow: spec.titleNow ?? (() => spec.title),
    when: (program) => spec.when?.(program) ?? null,
    run: spec.run,
  };
}

/** Everything that is about the task at the cursor or the selected ones. */
export function needsTask(program: Program): Availability {
  const row = program.workspace.cursorRow;
  if (row?.type === 'completion') return 'It was completed and repeats. Open its list for the task itself.';
  return row?.type === 'task' ? null : 'Select a task first.';
}

/** What changes where tasks stand needs the outline itself, not results or the trash. */
export function needsTree(program: Program): Availability {
  if (program.workspace.isTrash) return 'Restore it from the trash first.';
  if (program.smart.open !== null) return 'A smart list has an order of its own. Open the task’s list first.';
  const { outline } = program.workspace;
  if (outline.isSorted === true)
    return 'This list keeps itself in an order. Choose “Sort list… by hand” to move tasks.';
  if (!outline.isTree) return 'Leave the search results first.';
  return needsTask(program);
}

export function needsLiving(program: Program): Availability {
  return program.workspace.isTrash ? 'Restore it from the trash first.' : needsTask(program);
}

export function needsRoot(program: Program): Availability {
  if (program.workspace.isTrash) return 'Tasks cannot be added to the trash. Open a list first.';
  if (program.workspace.results) return 'Tasks cannot be added to search results. Leave the search first.';
  if (program.smart.open !== null) {
    const made = program.smart.newTask();
    return typeof made === 'string' ? made : null;
  }
  return program.workspace.root === null ? 'A folder holds lists. Open a list first.' : null;
}
