// Commands that show what was done: to the task at the cursor, in a list, to everything. The history itself is a lazy
// chunk (history/door.ts).
import type { Id } from '#core/ids.ts';
import type { About } from '../history/book.ts';
import { historyDoor, openTimeMachine } from '../history/door.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, needsTask, passed } from './define.ts';

function show(program: Program, about: About, title: string): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.held.enter(historyDoor, ({ HistoryBook }) => {
    program.history = new HistoryBook(program, about, title);
    void program.history.open();
    return done;
  });
}

const called = (name: string) => (name === '' ? 'History' : `History of “${name}”`);

function ofTask(program: Program): CommandResult {
  const row = program.workspace.cursorRow;
  return row ? show(program, { type: 'one', id: row.id }, called(nameOf(row))) : passed;
}

/** The list that is open, of a focused task its own; in the sidebar the one at its cursor. */
function listAtHand(program: Program): Id {
  const { place } = program.workspace;
  const chosen = program.pane === 'sidebar' ? program.sidebar.cursor : null;
  return chosen ?? (place.type === 'trash' ? program.workspace.inbox : place.id);
}

function ofList(program: Program): CommandResult {
  const id = listAtHand(program);
  return show(program, { type: 'tree', id }, called(nameOf(program.replica.row(id))));
}

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
    run: (program) => show(program, { type: 'all' }, 'History of everything'),
  }),
  define({
    id: 'history.travel',
    title: 'Time machine of this list',
    aliases: ['go back in time', 'as it was', 'restore', 'earlier', 'versions', 'backup'],
    group: 'View',
    when(program) {
      if (program.workspace.isTrash && program.pane !== 'sidebar') return 'Open a list first.';
      const { listType } = program.replica.row(listAtHand(program))?.fields ?? {};
      return listType === 'smart'
        ? 'A smart list gathers what stands in others. Choose “Time machine of everything”.'
        : null;
    },
    run(program) {
      const { cursorRow } = program.workspace;
      return openTimeMachine(program, listAtHand(program), { at: cursorRow?.id ?? null });
    },
  }),
  define({
    id: 'history.travelTask',
    title: 'Time machine of this task',
    aliases: ['go back in time', 'as it was', 'restore', 'earlier'],
    group: 'View',
    isAboutTask: true,
    when: needsTask,
    run: (program) => openTimeMachine(program, program.workspace.cursorRow?.id ?? null),
  }),
  define({
    id: 'history.travelEverything',
    title: 'Time machine of everything',
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
      const shown = program.dialog.get()?.type;
      if (shown === 'labelManager' || shown === 'settings' || shown === 'timeMachine') {
        if (program.openDialog?.isTyping === true) return passed;
        program.openDialog?.submit({ action: 'undo' });
        return done;
      }
      // What is being typed is taken back by its field.
      if (program.dialog.get()?.type !== 'history' || !program.history || program.history.hasFilter)
        return passed;
      program.history.submit({ action: 'undo' });
      return done;
    },
  }),
];
