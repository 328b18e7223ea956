// Commands on tasks beyond the first keys: clearing completed tasks, moving to another list or under another task.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { withClearing } from '../clearing/part.ts';
import type { Program } from '../app/program.ts';
import { quoted } from '../text/editor.ts';
import { whyNot } from '../transfer/importing.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, refused } from './define.ts';
import { needsLiving } from './needs.ts';
import { inBatches } from './rows.ts';

/** Moves the target tasks to the end of a list or task, in their order, as one undo. */
function moveInto(program: Program, target: Row): CommandResult {
  program.leaveText();
  const { workspace } = program;
  const ids = workspace.targetRoots();
  const isTask = target.type === 'task';
  if (isTask && (ids.includes(target.id) || workspace.hasAncestorIn(target.id, new Set(ids))))
    return refused('You can’t move a task under itself.');
  const name = program.describe(ids);
  const where = isTask ? `under ${quoted(nameOf(target))}` : `to ${nameOf(target)}`;
  const actions = ids.map((id): Action => ({ a: 'place', id, place: { parent: target.id } }));
  const failed = inBatches(program, actions, `moved ${name} ${where}`);
  if (failed.size > 0) return refused(`Couldn’t move all of it${whyNot(failed)}.`);
  workspace.selection.clear();
  program.rows.follow();
  return announced(`Moved ${name} ${where}.`);
}

function moveToList(program: Program, list: Id): CommandResult {
  const target = program.replica.row(list);
  const type = fieldOf(target, 'listType');
  if (target?.type !== 'list' || type === 'folder' || type === 'smart') return refused('Choose a list.');
  return moveInto(program, target);
}

function moveUnder(program: Program, task: Id): CommandResult {
  const target = program.replica.row(task);
  if (target?.type !== 'task' || program.workspace.facts.isHidden(task)) return refused('That task is gone.');
  return moveInto(program, target);
}

export const taskErrands: readonly Command[] = [
  define({
    id: 'task.clearCompleted',
    title: 'Clear completed tasks',
    aliases: ['hide done', 'tidy up', 'archive completed'],
    group: 'Tasks',
    isAboutTask: false,
    when: ({ workspace }) => (workspace.root === null ? 'Open a list first.' : null),
    run: (program) => withClearing(program, ({ clearCompleted }) => clearCompleted(program)),
  }),
  define({
    id: 'task.clear',
    title: 'Clear task',
    aliases: ['hide', 'put away', 'archive task', 'is_cleared'],
    group: 'Tasks',
    when: needsLiving,
    run: (program) => withClearing(program, ({ clearChosen }) => clearChosen(program)),
  }),
  define({
    id: 'task.unclear',
    title: 'Bring back cleared task',
    aliases: ['unclear', 'unarchive', 'cleared'],
    group: 'Tasks',
    when: needsLiving,
    run: (program) => withClearing(program, ({ bringBackCleared }) => bringBackCleared(program)),
  }),
  define({
    id: 'task.move',
    title: 'Move to list…',
    aliases: ['send to', 'refile', 'change list'],
    group: 'Tasks',
    args: [{ name: 'list', kind: 'list', prompt: 'Move to which list?' }],
    when: needsLiving,
    run: (program, args) => moveToList(program, args.list as Id),
  }),
  define({
    id: 'task.moveUnder',
    title: 'Move under a task…',
    aliases: ['new parent', 'make subtask of', 'nest under', 'refile', 'reparent'],
    group: 'Tasks',
    args: [{ name: 'task', kind: 'parent', prompt: 'Move under which task?' }],
    when: needsLiving,
    run: (program, args) => moveUnder(program, args.task as Id),
  }),
];
