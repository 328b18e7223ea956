// Puts a label on tasks and takes it off, as one undo. The label is chosen by the picker, the palette or its own key.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { isLivingLabel, labelName } from './catalog.ts';
import { carriedAs, carries, labelInScope, replacedBy, scopeOfTask } from './label-scopes.ts';

/** The tasks that labels are put on now. */
export function labelled(program: Program): Row[] {
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

export function inWords(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(', ');
}

/**
 * Puts it on all of them; takes it off if all have it. `isWanted`: it is only put on, or only taken off. A task of a shared list gets the
 * label of the list that stands for it; where there is none the server makes one.
 */
export function toggleLabel(program: Program, id: Id, isWanted?: boolean): CommandResult {
  const label = program.replica.row(id);
  if (!isLivingLabel(program.replica, label)) return refused('That label is gone.');
  const tasks = labelled(program);
  if (tasks.length === 0) return refused('Select a task first.');
  program.editor.flush();
  const without = tasks.filter((task) => !carries(program, task, id));
  const isAdding = isWanted ?? without.length > 0;
  const chosen = isAdding ? without : tasks.filter((task) => carries(program, task, id));
  const name = quoted(labelName(label));
  if (chosen.length === 0)
    return announced(`Nothing to do: ${name} is ${isAdding ? 'on all' : 'on none'} of them.`);
  const replaced = new Set(
    isAdding ? chosen.flatMap((task) => replacedBy(program, label, task).map(labelName)) : [],
  );
  const { replica } = program;
  const actions = chosen.flatMap((task) => {
    const ids = isAdding
      ? [labelInScope(replica, label, scopeOfTask(replica, task))]
      : carriedAs(program, task, id);
    return ids.map((each): Action => {
      return { a: 'set', id: task.id, field: `label:${each}`, value: isAdding ? true : null };
    });
  });
  const whom = program.describe(chosen.map((task) => task.id));
  inBatches(program, actions, isAdding ? `labeled ${whom} with ${name}` : `removed ${name} from ${whom}`);
  if (!isAdding) return announced(`Removed ${name} from ${whom}.`);
  const instead = replaced.size === 0 ? '' : ` instead of ${inWords([...replaced])}`;
  return announced(`Labeled ${whom} with ${name}${instead}.`);
}
