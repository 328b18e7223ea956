// Commands of the text being edited.
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Caret } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';
import { needsLiving } from './needs.ts';
import { createTask, leaveFor } from './outline.ts';
import { taskEntry } from '../entry/part.ts';
import { smartLists } from '../search/smart-lists.ts';

function startEditing(program: Program, caret: Caret): CommandResult {
  const row = program.workspace.cursorRow;
  if (row?.type !== 'task') return refused('Select a task first.');
  program.pane = 'outline';
  program.edit(row.id, caret);
  return done;
}

/** Leaves the line for the one above or below, keeping the column. */
function goToLine(program: Program, step: 1 | -1): CommandResult {
  const draft = program.editor.title;
  if (draft?.field !== 'title') return passed;
  const { workspace } = program;
  const neighbour = workspace.outline.at(workspace.outline.indexOf(draft.id) + step);
  if (neighbour === undefined || program.replica.row(neighbour)?.type === 'completion') {
    program.editor.flush();
    return done;
  }
  const column = program.column ?? draft.caret;
  program.edit(neighbour, column);
  program.moveTo(neighbour);
  program.column = column;
  return done;
}

/** Enter: the next line. On an empty one: out by a level, and at the top out of editing. */
function enter(program: Program): CommandResult {
  const draft = program.editor.title;
  if (!draft) return passed;
  const row = program.replica.row(draft.id);
  if (!row) return leave(program);
  if (draft.text === '') {
    const parent = placeOf(row)?.parent;
    const isNested = parent !== undefined && parent !== program.workspace.root;
    return isNested && program.workspace.outline.isTree ? program.run('task.outdent') : leave(program);
  }
  const { fresh } = draft;
  const place = leaveFor(program, row);
  if (program.workspace.isTrash) return done;
  if (program.workspace.outline.isTree) return createTask(program, place);
  // In a smart list a new task is followed by another one; elsewhere there is no place for it.
  return fresh && program.part(smartLists).open !== null ? program.run('task.createBelow') : done;
}

function leave(program: Program): CommandResult {
  program.leaveText();
  return done;
}

/** Backspace in an empty title: removes the task, and editing goes on above. */
function backspace(program: Program): CommandResult {
  if (program.part(taskEntry).back()) return done;
  const draft = program.editor.title;
  if (draft?.field !== 'title' || draft.text !== '' || draft.caret > 0) return passed;
  const row = program.replica.row(draft.id);
  if (!row || !program.workspace.outline.isTree || program.workspace.children.has(draft.id)) return passed;
  const above = program.workspace.outline.at(program.workspace.outline.indexOf(draft.id) - 1);
  const { fresh } = draft;
  program.leaveText();
  if (!fresh || program.workspace.outline.has(row.id)) {
    program.change([{ a: 'delete', id: row.id }], 'deleted an empty task');
  }
  if (above !== undefined) {
    program.moveTo(above);
    program.edit(above, 'end');
  }
  return done;
}

const key = { group: 'Edit', inPalette: false } as const;

export const editCommands: readonly Command[] = [
  define({
    id: 'task.edit',
    title: 'Edit title',
    aliases: ['rename task', 'change text'],
    group: 'Edit',
    when: needsLiving,
    run: (program) => startEditing(program, 'end'),
  }),
  define({
    ...key,
    id: 'task.editAll',
    title: 'Edit the whole title',
    when: needsLiving,
    run: (program) => startEditing(program, 'all'),
  }),
  define({
    ...key,
    id: 'task.editStart',
    title: 'Edit title from its start',
    when: needsLiving,
    run: (program) => startEditing(program, 0),
  }),
  define({ ...key, id: 'edit.enter', title: 'Next line', run: enter }),
  define({ ...key, id: 'edit.leave', title: 'Stop editing', run: leave }),
  define({
    ...key,
    id: 'edit.up',
    title: 'Line above',
    repeats: true,
    run: (program) => goToLine(program, -1),
  }),
  define({
    ...key,
    id: 'edit.down',
    title: 'Line below',
    repeats: true,
    run: (program) => goToLine(program, 1),
  }),
  define({
    ...key,
    id: 'edit.accept',
    title: 'Accept the suggestion',
    run: (program, { by }) =>
      program.part(taskEntry).accept(by === undefined ? 'key' : Number(by)) ? done : passed,
  }),
  define({
    id: 'edit.keepWords',
    title: 'Keep dates and labels as words',
    aliases: ['literally', 'plain text', 'not a date', 'give the words back'],
    group: 'Edit',
    run: (program, { by }) =>
      program.part(taskEntry).keepWords(by === undefined ? 'all' : Number(by))
        ? done
        : refused('There’s no date or label in the title.', 'info'),
  }),
  define({ ...key, id: 'edit.backspace', title: 'Delete empty task', run: backspace }),
];
