// Commands that complete, delete, restore, clear and move tasks. Creating and ordering tasks is in outline.ts.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { completing, nextOf, reopening } from '#sync/rows/completing.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { dayStart, repeatChildren } from '../settings/first.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define } from './define.ts';
import { needsLiving, needsTask } from './needs.ts';
import { inBatches, rowsOf } from './rows.ts';

/** All targets are complete, so completing again reopens them. */
function opensAgain(program: Program): boolean {
  const rows = rowsOf(program, program.workspace.targets());
  return rows.length > 0 && rows.every((row) => isOver(program, row));
}

/** Done for good. A repeating task that a visitor checked off by a public link still has its next date before it. */
function isOver({ replica, platform }: Program, row: Row): boolean {
  return isDone(row) && nextOf(row, { at: replica.now(), zone: platform.zone() }) === null;
}

function toggle(program: Program): CommandResult {
  program.editor.flush();
  return completeRows(program, rowsOf(program, program.workspace.targets()));
}

/** Completes the open ones; reopens them if all are complete. */
export function completeRows(program: Program, rows: readonly Row[]): CommandResult {
  const { replica, platform, settings } = program;
  const open = rows.filter((row) => !isOver(program, row));
  const isReopening = open.length === 0;
  const chosen = isReopening ? rows : open;
  const children = settings.get(repeatChildren) ? (parent: Id) => replica.children(parent) : null;
  const actions = isReopening
    ? rows.map(reopening)
    : [
        ...open.filter((row) => isDone(row)).map(reopening),
        ...completing(open, {
          at: replica.now(),
          zone: platform.zone(),
          dayStart: settings.get(dayStart),
          children,
        }),
      ];
  const name = program.describe(chosen.map(({ id }) => id));
  inBatches(program, actions, `${isReopening ? 'reopened' : 'completed'} ${name}`);
  const only = actions.find(({ a }) => a === 'complete');
  if (chosen.length === 1 && only?.a === 'complete' && only.next !== null) {
    const again = replica.row(only.id);
    const due = again === undefined ? null : program.rowFacts.dueOf(again);
    const next = due === null ? 'It repeats.' : `It’s due again ${due.text}.`;
    return announced(`Completed ${name}. ${next}`, { verb: 'completed', count: 1 });
  }
  const [verb, said] = isReopening ? ['reopened', 'Reopened'] : ['completed', 'Completed'];
  const left = isReopening ? 0 : openUnder(program, chosen);
  const stays = left === 0 ? '' : ` ${counted(left, 'subtask')} ${left === 1 ? 'stays' : 'stay'} open.`;
  return announced(`${said} ${name}.${stays}`, { verb, count: chosen.length });
}

const MOST_ASKED = 100;

/** Open tasks right under these; 0 for very many. */
function openUnder({ workspace }: Program, rows: readonly Row[]): number {
  if (rows.length > MOST_ASKED) return 0;
  return rows.reduce((sum, { id }) => {
    const { items, done } = workspace.children.of(id);
    return sum + items.length - done;
  }, 0);
}

/** Number of these tasks with all their shown subtasks. */
function sizeOf(program: Program, roots: readonly Id[]): number {
  let size = 0;
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    size += 1;
    for (const child of program.workspace.children.of(id).items) waiting.push(child.id);
  }
  return size;
}

function remove(program: Program): CommandResult {
  program.leaveText();
  const ids = program.workspace.targetRoots();
  const count = sizeOf(program, ids);
  const name = ids.length === 1 ? program.describe(ids) : `${count} tasks`;
  program.workspace.selection.clear();
  inBatches(
    program,
    ids.map((id): Action => ({ a: 'delete', id })),
    `deleted ${name}`,
  );
  return announced(`Deleted ${name}.`, { verb: 'deleted', count });
}

function restore(program: Program): CommandResult {
  const ids = program.workspace.targets();
  const [only] = ids;
  const name = program.describe(ids);
  inBatches(
    program,
    ids.map((id): Action => ({ a: 'restore', id })),
    `restored ${name}`,
  );
  const list = only === undefined || ids.length > 1 ? undefined : program.workspace.listOf(only);
  // A restored list is in no list but itself.
  const said = list && list.id !== only ? `Restored ${name} to ${nameOf(list)}.` : `Restored ${name}.`;
  return announced(said, { verb: 'restored', count: ids.length });
}

export const taskCommands: readonly Command[] = [
  define({
    id: 'task.complete',
    title: 'Complete task',
    aliases: ['done', 'mark as done', 'check off', 'tick', 'finish', 'reopen', 'uncomplete'],
    group: 'Tasks',
    when: needsLiving,
    titleNow: (program) => (opensAgain(program) ? 'Reopen task' : 'Complete task'),
    run: toggle,
  }),
  define({
    id: 'task.delete',
    title: 'Delete task',
    aliases: ['remove', 'trash', 'throw away'],
    group: 'Tasks',
    when: (program) =>
      program.workspace.isTrash
        ? 'It’s already in the trash. “Empty trash now” deletes it for good.'
        : needsTask(program),
    run: remove,
  }),
  define({
    id: 'task.restore',
    title: 'Restore from trash',
    aliases: ['undelete', 'put back', 'recover'],
    group: 'Tasks',
    when: ({ workspace }) => {
      if (!workspace.isTrash) return 'Open the trash first.';
      return workspace.cursor === null ? 'The trash is empty.' : null;
    },
    run: restore,
  }),
];
