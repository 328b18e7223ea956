// Commands on tasks that are not among the first keys: clearing what is completed, moving to another list.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import { withClearing } from '../clearing/door.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, needsLiving, refused } from './define.ts';
import { inBatches } from './rows.ts';

function moveToList(program: Program, list: Id): CommandResult {
  const target = program.replica.row(list);
  if (target?.type !== 'list' || target.fields.listType === 'folder') return refused('Choose a list.');
  program.leaveText();
  const ids = program.workspace.targetRoots();
  const name = program.describe(ids);
  const actions = ids.map((id): Action => ({ a: 'place', id, place: { parent: list } }));
  inBatches(program, actions, `moved ${name} to ${nameOf(target)}`);
  program.workspace.selection.clear();
  return announced(`Moved ${name} to ${nameOf(target)}.`);
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
];
