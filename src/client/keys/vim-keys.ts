// The keys of the Vim preset, laid over the standard ones. Operators, counts, marks and the dot are read by vim/; what is
// here works in one press or as a chord, and gives those letters back that Vim needs.
import type { Binding } from './keymap.ts';
import type { Preset } from './presets.ts';

const navigate: readonly (readonly [string, string])[] = [
  ['j', 'cursor.down'],
  ['k', 'cursor.up'],
  ['h', 'cursor.left'],
  ['l', 'cursor.right'],
  ['g g', 'cursor.first'],
  ['Shift+G', 'cursor.last'],
  ['Ctrl+D', 'cursor.pageDown'],
  ['Ctrl+U', 'cursor.pageUp'],
  ['o', 'task.createBelow'],
  ['Shift+O', 'task.createAbove'],
  ['i', 'task.editStart'],
  ['a', 'task.edit'],
  ['Shift+I', 'task.editStart'],
  ['Shift+A', 'task.edit'],
  ['Shift+J', 'task.moveDown'],
  ['Shift+K', 'task.moveUp'],
  ['u', 'edit.undo'],
  ['Ctrl+R', 'edit.redo'],
  [':', 'palette.open'],
  // What the letters did that Vim needs.
  ['g d', 'task.due'],
  ['g m', 'task.move'],
  ['g a', 'task.details'],
  ['g o', 'task.reveal'],
  ['g r', 'task.restore'],
  ['g Shift+O', 'task.once'],
  ['g Shift+A', 'task.remind'],
  ['g Shift+M', 'history.travel'],
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
];

/** What vim/grammar.ts reads before these keys. */
const READ: readonly (readonly [string, string])[] = [
  ['d', 'Delete: d d, or d and a motion'],
  ['y', 'Copy: y y, or y and a motion'],
  ['c', 'Change the title: c c'],
  ['>', 'Indent: > >, or > and a motion'],
  ['<', 'Outdent: < <, or < and a motion'],
  ['p', 'Put below what d or y took'],
  ['Shift+P', 'Put above what d or y took'],
  ['.', 'Do the last change again'],
  ['v', 'Select with motions'],
  ['Shift+V', 'Select with motions'],
  ['}', 'Next task as deep as this one'],
  ['{', 'Previous task as deep as this one'],
  ['m', 'Mark the task: m and a letter'],
  ["'", 'Go to a mark: ’ and its letter; twice: back'],
  ['`', 'Go to a mark: ` and its letter; twice: back'],
  ...[...'123456789'].map((digit) => [digit, 'So many times what follows'] as const),
];

const bindings: readonly Binding[] = [
  ...navigate.map(([keys, command]) => ({ context: 'navigate', keys, command }) as const),
  ...sidebar.map(([keys, command]) => ({ context: 'sidebar', keys, command }) as const),
  { context: 'palette', keys: 'Ctrl+[', command: 'palette.close' },
  { context: 'edit', keys: 'Ctrl+[', command: 'edit.leave' },
];

export const vim: Preset = {
  id: 'vim',
  title: 'Vim',
  grammar: 'vim',
  takes: READ.map(([keys]) => ({ context: 'navigate', keys })),
  read: READ.map(([keys, title]) => ({ keys, title })),
  about:
    'j k h l, counts, d y c > < with a motion, dd yy cc, p, v, marks with m, undo with u, and the dot that repeats. Titles are edited as usual: Esc leaves.',
  bindings,
};
