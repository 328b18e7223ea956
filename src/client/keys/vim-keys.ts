// The keys of the Vim preset, laid over the standard ones. vim/ reads operators, counts, marks and the dot; the keys
// here are single presses or chords, and new keys for commands whose letters Vim needs.
import type { KeyContext } from '../commands/command.ts';
import type { Binding } from './keymap.ts';
import type { Preset } from './presets.ts';

const navigate: readonly (readonly [string, string])[] = [
  ['j', 'cursor.down'],
  ['k', 'cursor.up'],
  ['h', 'cursor.left'],
  ['l', 'cursor.right'],
  ['+', 'cursor.down'],
  ['-', 'cursor.up'],
  ['g j', 'cursor.down'],
  ['g k', 'cursor.up'],
  ['g g', 'cursor.first'],
  ['Shift+G', 'cursor.last'],
  ['Ctrl+F', 'cursor.pageDown'],
  ['Ctrl+B', 'cursor.pageUp'],
  ['Ctrl+D', 'cursor.halfPageDown'],
  ['Ctrl+U', 'cursor.halfPageUp'],
  ['Shift+H', 'cursor.screenTop'],
  ['Shift+M', 'cursor.screenMiddle'],
  ['Shift+L', 'cursor.screenBottom'],
  ['z z', 'view.scrollMiddle'],
  ['z .', 'view.scrollMiddle'],
  ['z t', 'view.scrollTop'],
  ['z Enter', 'view.scrollTop'],
  ['z b', 'view.scrollBottom'],
  ['z -', 'view.scrollBottom'],
  ['z a', 'view.foldToggle'],
  ['z o', 'view.foldOpen'],
  ['z c', 'view.foldClose'],
  ['z Shift+A', 'view.foldToggleBeneath'],
  ['z Shift+O', 'view.foldOpenBeneath'],
  ['z Shift+C', 'view.foldCloseBeneath'],
  ['z Shift+R', 'view.expandAll'],
  ['z Shift+M', 'view.collapseAll'],
  ['n', 'search.next'],
  ['Shift+N', 'search.previous'],
  ['*', 'search.sameWord'],
  ['#', 'search.sameWordBack'],
  ['Ctrl+O', 'go.back'],
  ['Ctrl+I', 'go.forward'],
  ['o', 'task.createBelow'],
  ['Shift+O', 'task.createAbove'],
  ['i', 'task.editStart'],
  ['a', 'task.edit'],
  ['Shift+I', 'task.editStart'],
  ['Shift+A', 'task.edit'],
  ['Shift+R', 'task.editAll'],
  ['Shift+J', 'task.moveDown'],
  ['Shift+K', 'task.moveUp'],
  ['u', 'edit.undo'],
  ['Ctrl+R', 'edit.redo'],
  [':', 'palette.open'],
  ['Shift+Z Shift+Z', 'view.close'],
  ['Shift+Z Shift+Q', 'view.close'],
  ['Ctrl+[', 'outline.escape'],
  // Commands whose letters Vim needs.
  ['g d', 'task.due'],
  ['g m', 'task.move'],
  ['g >', 'task.moveUnder'],
  ['g a', 'task.details'],
  ['g o', 'task.reveal'],
  ['g r', 'task.restore'],
  ['g n', 'notes.edit'],
  ['g Shift+N', 'list.notes'],
  ['g z', 'task.focusIn'],
  ['g Shift+Z', 'task.focusOut'],
  ['g s', 'bookmark.toggle'],
  ['g Shift+X', 'task.openLinks'],
  ['g Shift+D', 'list.details'],
  ['g Shift+R', 'task.skip'],
  ['g Shift+O', 'task.once'],
  ['g Shift+A', 'task.remind'],
  ['g Shift+M', 'history.travel'],
  ['g p', 'task.assign'],
  ['g Shift+P', 'task.take'],
  ['g c', 'task.comments'],
];

const sidebar: readonly (readonly [string, string])[] = [
  ['j', 'sidebar.down'],
  ['k', 'sidebar.up'],
  ['h', 'sidebar.left'],
  ['l', 'sidebar.right'],
  ['g g', 'sidebar.first'],
  ['Shift+G', 'sidebar.last'],
  ['o', 'list.create'],
  [':', 'palette.open'],
  ['Ctrl+[', 'pane.outline'],
];

const calendar: readonly (readonly [string, string])[] = [
  ['u', 'edit.undo'],
  ['Ctrl+R', 'edit.redo'],
  [':', 'palette.open'],
];

/** Contexts in which a letter is no text. */
const list: readonly (readonly [string, string])[] = [
  ['j', 'options.down'],
  ['k', 'options.up'],
  ['g g', 'options.first'],
  ['Shift+G', 'options.last'],
  ['Ctrl+D', 'options.pageDown'],
  ['Ctrl+U', 'options.pageUp'],
];

/** Keys that vim/grammar.ts reads before these, each with possible continuations. */
const READ: readonly (readonly [string, string])[] = [
  ['d', 'Delete: d d, or d and a motion'],
  ['y', 'Copy: y y, or y and a motion'],
  ['Shift+Y', 'Copy the task: as y y'],
  ['c', 'Change the title: c c'],
  ['Shift+C', 'Change the title: as c c'],
  ['>', 'Indent: > >, or > and a motion'],
  ['<', 'Outdent: < <, or < and a motion'],
  ['p', 'Put below what d or y took; in place of what v selected'],
  ['Shift+P', 'Put above what d or y took'],
  [
    '"',
    'Use a register for d, y or p: " and a letter (a capital one appends), 0 the last copy, 1 to 9 the last deletions, + the clipboard, _ none',
  ],
  ['.', 'Repeat the last change'],
  ['v', 'Select with motions; o goes to the other end'],
  ['Shift+V', 'Select with motions'],
  ['g v', 'Select the last selection again'],
  ['}', 'Next task on this level'],
  ['{', 'Previous task on this level'],
  ['m', 'Mark the task: m and a letter'],
  ["'", 'Go to a mark: ’ and its letter; twice: back'],
  ['`', 'Go to a mark: ` and its letter; twice: back'],
  ['q', 'Record keys: q and a letter (a capital adds to it); q ends it'],
  ['@', 'Replay recorded keys: @ and the letter; twice: the last again'],
  ...[...'123456789'].map((digit) => [digit, 'Repeat what follows that many times'] as const),
];

/** Keys of Vim that this preset lacks: they do nothing, with all keys that belong to them. */
const ABSENT: Preset['absent'] = [
  {
    keys: ['w', 'b', '0', '^', '$', '_', '|', '%', 'Shift+W', 'Shift+B', 'Shift+E', '(', ')'],
    title: 'Motions within a line or text: the cursor is a whole task',
  },
  {
    keys: ['f', 'Shift+F', ';', ','],
    title: 'Finding a letter in the line: titles are edited as usual, and / searches',
  },
  {
    keys: ['d i', 'd a', 'y i', 'y a', 'c i', 'c a', '> i', '< i'],
    title: 'Text objects: operators take motions, or what v selected',
  },
  { keys: ['~', 'g u', 'g Shift+U', 'g ~'], title: 'Changing case: edit the title' },
  {
    keys: ['=', '!', '&', 'g q', 'Shift+X', 'Shift+U', 'Shift+Q', '\\'],
    title: 'Formatting, filters, joining, the line’s own undo, Ex mode and leaders',
  },
];

/** Keys of Vim with another effect here. */
const OTHERWISE: Preset['otherwise'] = [
  {
    keys: [
      'e',
      'r',
      's',
      't',
      'x',
      'Shift+D',
      'Shift+S',
      'Shift+T',
      '?',
      '[',
      ']',
      'Space',
      'Enter',
      'Backspace',
    ],
    title: 'Posthaste uses them, as in the standard set; none of them changes a letter of a title',
  },
  { keys: ['Shift+J', 'Shift+K'], title: 'They move the task down and up: J doesn’t join titles' },
  { keys: ['g i', 'g t', 'g u', 'g x'], title: 'They go to places' },
  { keys: ['Ctrl+A', 'Ctrl+C', 'Ctrl+V', 'Ctrl+X'], title: 'They select, copy, paste and cut as usual' },
  { keys: ['Ctrl+E', 'Ctrl+Y', 'Ctrl+P'], title: 'Posthaste uses them: z t, z z and z b scroll' },
  {
    keys: ['Ctrl+W', 'Ctrl+T', 'Ctrl+N'],
    title: 'Browser tabs keep them: F6 goes from pane to pane, and h and l fold',
  },
];

const LEAVING: readonly (readonly [KeyContext, string])[] = [
  ['palette', 'palette.close'],
  ['month', 'month.leave'],
  ['edit', 'edit.leave'],
  ['name', 'edit.leave'],
  ['search', 'search.leave'],
  ['notes', 'notes.leave'],
  ['calendar', 'pane.outline'],
  ['dialog', 'dialog.leave'],
];

const bindings: readonly Binding[] = [
  ...navigate.map(([keys, command]) => ({ context: 'navigate', keys, command }) as const),
  ...sidebar.map(([keys, command]) => ({ context: 'sidebar', keys, command }) as const),
  ...calendar.map(([keys, command]) => ({ context: 'calendar', keys, command }) as const),
  ...list.map(([keys, command]) => ({ context: 'list', keys, command }) as const),
  { context: 'dialog.timeMachine', keys: 'h', command: 'moments.older' },
  { context: 'dialog.timeMachine', keys: 'l', command: 'moments.newer' },
  ...LEAVING.map(([context, command]) => ({ context, keys: 'Ctrl+[', command })),
];

export const vim: Preset = {
  id: 'vim',
  title: 'Vim',
  grammar: 'vim',
  takes: READ.map(([keys]) => ({ context: 'navigate', keys })),
  read: READ.map(([keys, title]) => ({ keys, title })),
  waits: [],
  absent: ABSENT,
  otherwise: OTHERWISE,
  about:
    'j k h l, counts, d y c > < with a motion, dd yy cc, p, v, registers with ", marks with m, q and @ for recorded keys, folds with z, n and * after /, undo with u, and the dot that repeats. Titles are edited as usual: Esc leaves.',
  bindings,
};
