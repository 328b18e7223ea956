// Commands of notes: opening and leaving them, and edits at the caret. The screen owns the notes field; it answers
// whether a key applied there.
import type { Id } from '#core/ids.ts';
import type { NotesAct } from '../app/app.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { Availability, CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';
import { needsTask } from './needs.ts';
import { openLinksOf } from '../links/link-commands.ts';
import { currentList } from './lists.ts';

function toNotes(program: Program): CommandResult {
  const id = program.editor.title?.id ?? program.workspace.cursor;
  if (id === null || program.replica.row(id)?.type !== 'task') return refused('Select a task first.');
  program.leaveText();
  // A new task left empty was discarded when it was left.
  if (!program.workspace.outline.has(id)) return done;
  program.moveTo(id);
  program.notesOpen = true;
  program.notesList = null;
  if (!program.isKept(id, 'notes')) program.pane = 'notes';
  return done;
}

/** Opens the notes of a list, until they are left. */
function openListNotes(program: Program, id: Id): CommandResult {
  program.leaveText();
  program.editor.flush();
  if (program.isKept(id, 'notes')) return done;
  program.notesList = { id, from: program.pane === 'sidebar' ? 'sidebar' : 'outline' };
  program.pane = 'notes';
  return done;
}

function leaveNotes(program: Program): CommandResult {
  program.editor.flush();
  program.pane = program.notesList?.from ?? 'outline';
  // Tab then moves the focus instead of indenting: no keyboard trap.
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

/** In a plain field, formatting keys do nothing rather than something else. */
function act(program: Program, what: NotesAct): CommandResult {
  const { notesField } = program;
  if (!notesField) return refused('Formatting hasn’t loaded yet. Your text is saved.', 'info');
  notesField.act(what);
  return done;
}

/** Indents or outdents a list item; elsewhere Tab moves the focus. */
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
    title: 'Edit list notes',
    aliases: ['list notes', 'describe the list', 'list description'],
    group: 'Lists',
    when: (program) => (currentList(program) ? null : 'Open a list first.'),
    titleNow(program) {
      const list = currentList(program);
      return list ? `Edit notes for “${nameOf(list)}”` : 'Edit list notes';
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
    title: 'Open the link at the cursor',
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
