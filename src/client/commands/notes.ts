// Commands of notes: opening and leaving them, and what is done in the text at the caret. The field they are written in is the
// screen's; it answers whether a key meant anything there.
import type { Id } from '#core/ids.ts';
import type { NotesAct } from '../app.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { Availability, CommandResult } from './command.ts';
import { type Command, define, done, needsTask, passed, refused } from './define.ts';
import { openLinksOf } from './links.ts';
import { currentList } from './lists.ts';

function toNotes(program: Program): CommandResult {
  const id = program.editor.title?.id ?? program.workspace.cursor;
  if (id === null || program.replica.row(id)?.type !== 'task') return refused('Select a task first.');
  program.leaveText();
  // A new task left empty went when it was left.
  if (!program.workspace.outline.has(id)) return done;
  program.moveTo(id);
  program.notesOpen = true;
  program.notesList = null;
  program.pane = 'notes';
  return done;
}

/** Opens the notes of a list, until they are left. */
function openListNotes(program: Program, id: Id): CommandResult {
  program.leaveText();
  program.editor.flush();
  program.notesList = { id, from: program.pane === 'sidebar' ? 'sidebar' : 'outline' };
  program.pane = 'notes';
  return done;
}

function leaveNotes(program: Program): CommandResult {
  program.editor.flush();
  program.pane = program.notesList?.from ?? 'outline';
  // Tab then leads on instead of indenting: nobody is held captive.
  program.tabPasses = true;
  return done;
}

function toggleNotes(program: Program): CommandResult {
  if (program.notesOpen || program.notesList !== null) {
    if (program.pane === 'notes') program.pane = program.notesList?.from ?? 'outline';
    program.editor.closeNotes();
    program.notesOpen = false;
    program.notesList = null;
    return done;
  }
  program.leaveText();
  program.notesOpen = true;
  return done;
}

function needsNotes(program: Program): Availability {
  return program.pane === 'notes' ? null : 'Open the notes first.';
}

/** In a field that shows no formatting these keys do nothing, rather than something else. */
function act(program: Program, what: NotesAct): CommandResult {
  const { notesField } = program;
  if (!notesField) return refused('Formatting is not loaded yet. The text is saved as it is.', 'info');
  notesField.act(what);
  return done;
}

/** Moves an item of a list; elsewhere Tab leads on. */
function indent(program: Program, what: NotesAct): CommandResult {
  return program.notesField?.act(what) === true ? done : passed;
}

function openLink(program: Program): CommandResult {
  const address = program.notesField?.linkAtCaret() ?? null;
  if (address !== null) {
    program.platform.openLink(address);
    return done;
  }
  const { notes } = program.editor;
  if (!notes) return refused('Open the notes first.');
  program.editor.flush();
  return openLinksOf(program, [notes.id]);
}

const inNotes = { group: 'Edit', when: needsNotes } as const;
const key = { group: 'Edit', inPalette: false } as const;

export const notesCommands: readonly Command[] = [
  define({
    id: 'notes.edit',
    title: 'Edit notes',
    aliases: ['description', 'comment', 'write notes', 'details', 'markdown'],
    group: 'Edit',
    when: needsTask,
    run: toNotes,
  }),
  define({ ...key, id: 'notes.leave', title: 'Leave the notes', run: leaveNotes }),
  define({
    id: 'notes.toggle',
    title: 'Show or hide notes',
    aliases: ['notes pane', 'detail pane'],
    group: 'View',
    run: toggleNotes,
  }),
  define({
    id: 'list.notes',
    title: 'Edit notes of this list',
    aliases: ['list notes', 'describe the list', 'list description'],
    group: 'Lists',
    when: (program) => (currentList(program) ? null : 'Open a list first.'),
    titleNow(program) {
      const list = currentList(program);
      return list ? `Edit notes of “${nameOf(list)}”` : 'Edit notes of this list';
    },
    run(program) {
      const list = currentList(program);
      return list ? openListNotes(program, list.id) : refused('Open a list first.');
    },
  }),
  define({
    ...inNotes,
    id: 'notes.checkbox',
    title: 'Check or add a checkbox in notes',
    aliases: ['toggle checkbox', 'tick', 'to-do', 'uncheck'],
    run: (program) => act(program, 'checkbox'),
  }),
  define({
    ...inNotes,
    id: 'notes.bold',
    title: 'Bold in notes',
    aliases: ['strong', 'format'],
    run: (program) => act(program, 'bold'),
  }),
  define({
    ...inNotes,
    id: 'notes.italic',
    title: 'Italic in notes',
    aliases: ['emphasis', 'format'],
    run: (program) => act(program, 'italic'),
  }),
  define({
    ...inNotes,
    id: 'notes.strike',
    title: 'Strike through in notes',
    aliases: ['strikethrough', 'cross out', 'format'],
    run: (program) => act(program, 'strike'),
  }),
  define({
    ...inNotes,
    id: 'notes.code',
    title: 'Code in notes',
    aliases: ['monospace', 'format'],
    run: (program) => act(program, 'code'),
  }),
  define({
    ...inNotes,
    id: 'notes.link',
    title: 'Make a link in notes',
    aliases: ['url', 'hyperlink', 'insert link'],
    run: (program) => act(program, 'link'),
  }),
  define({
    ...inNotes,
    id: 'notes.openLink',
    title: 'Open the link at the caret',
    aliases: ['follow link', 'browse'],
    run: openLink,
  }),
  define({
    ...key,
    id: 'notes.indent',
    title: 'Indent list item',
    repeats: true,
    run: (program) => indent(program, 'indent'),
  }),
  define({
    ...key,
    id: 'notes.outdent',
    title: 'Outdent list item',
    repeats: true,
    run: (program) => indent(program, 'outdent'),
  }),
];
