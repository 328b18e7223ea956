// Commands that show the history: of the task at the cursor, of a list, of everything. The history itself is a lazy
// part (history/lazy.ts).
import type { Id } from '#core/ids.ts';
import type { About } from './book.ts';
import { lazyHistory, openTimeMachine } from './lazy.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { CommandResult } from '../commands/command.ts';
import { type Command, define, done, passed } from '../commands/define.ts';
import { needsTask } from '../commands/needs.ts';
import { fieldOf } from '#sync/rows/row.ts';

function show(program: Program, about: About, title: string): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyHistory, ({ HistoryBook }) => {
    const book = new HistoryBook(program, about, title);
    program.dialog.open(book);
    void book.open();
    return done;
  });
}

const untitled = (name: string) => (name === '' ? 'Untitled' : name);

function ofTask(program: Program): CommandResult {
  const row = program.workspace.cursorRow;
  return row ? show(program, { type: 'one', id: row.id }, untitled(nameOf(row))) : passed;
}

/** The open list, or the list of a focused task; in the sidebar the list at its cursor. */
function listAtHand(program: Program): Id {
  const { place } = program.workspace;
  const cursor = program.pane === 'sidebar' ? program.sidebar.cursor : null;
  const chosen = cursor !== null && program.replica.row(cursor)?.type === 'label' ? null : cursor;
  return chosen ?? (place.type === 'trash' ? program.workspace.inbox : place.id);
}

function ofList(program: Program): CommandResult {
  const id = listAtHand(program);
  return show(program, { type: 'tree', id }, untitled(nameOf(program.replica.row(id)) || program.placeName));
}

/** Opening the history and the time machine, and undo inside their dialogs. */
export const historyCommands: readonly Command[] = [
  define({
    id: 'history.task',
    title: 'Show history',
    aliases: ['versions', 'what changed', 'changes of this task', 'earlier'],
    group: 'View',
    isAboutTask: true,
    when: (program) => (program.workspace.cursorRow ? null : 'Select a task first.'),
    run: ofTask,
  }),
  define({
    id: 'history.list',
    title: 'Show history of this list',
    aliases: ['versions', 'what changed', 'activity'],
    group: 'View',
    when: (program) =>
      program.workspace.isTrash && program.pane !== 'sidebar' ? 'Open a list first.' : null,
    run: ofList,
  }),
  define({
    id: 'history.everything',
    title: 'Show history of everything',
    aliases: ['versions', 'what changed', 'activity', 'log'],
    group: 'View',
    run: (program) => show(program, { type: 'all' }, 'Everything'),
  }),
  define({
    id: 'history.travel',
    title: 'Time machine for this list',
    aliases: ['go back in time', 'as it was', 'restore', 'earlier', 'versions', 'backup'],
    group: 'View',
    when(program) {
      if (program.workspace.isTrash && program.pane !== 'sidebar') return 'Open a list first.';
      return fieldOf(program.replica.row(listAtHand(program)), 'listType') === 'smart'
        ? 'Smart lists show tasks from other lists. Choose “Time machine for everything.”'
        : null;
    },
    run(program) {
      const { cursorRow } = program.workspace;
      return openTimeMachine(program, listAtHand(program), { at: cursorRow?.id ?? null });
    },
  }),
  define({
    id: 'history.travelTask',
    title: 'Time machine for this task',
    aliases: ['go back in time', 'as it was', 'restore', 'earlier'],
    group: 'View',
    isAboutTask: true,
    when: needsTask,
    run: (program) => openTimeMachine(program, program.workspace.cursorRow?.id ?? null),
  }),
  define({
    id: 'history.travelEverything',
    title: 'Time machine for everything',
    aliases: ['go back in time', 'as it was', 'restore', 'backup', 'labels'],
    group: 'View',
    run: (program) => openTimeMachine(program, null),
  }),
  define({
    id: 'history.undo',
    title: 'Undo in the dialog',
    group: 'View',
    inPalette: false,
    run(program) {
      const { controller } = program.dialog;
      // Text being typed is undone by its field.
      if (!controller?.undo || controller.isTyping) return passed;
      controller.undo();
      return done;
    },
  }),
];
