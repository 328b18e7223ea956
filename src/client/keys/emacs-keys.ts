// The keys of the Emacs preset, laid over the standard ones. If a browser reserves a key (reserved.ts), the standard
// key for the command stays.
import type { KeyContext } from '../commands/command.ts';
import type { Binding } from './keymap.ts';
import type { Preset } from './presets.ts';

type Row = readonly [keys: string, command: string];

const navigate: readonly Row[] = [
  ['Ctrl+N', 'cursor.down'],
  ['Ctrl+P', 'cursor.up'],
  ['Ctrl+F', 'cursor.right'],
  ['Ctrl+B', 'cursor.left'],
  ['Ctrl+A', 'cursor.first'],
  ['Ctrl+E', 'cursor.last'],
  ['Alt+<', 'cursor.first'],
  ['Alt+>', 'cursor.last'],
  ['Ctrl+V', 'cursor.pageDown'],
  ['Alt+V', 'cursor.pageUp'],
  ['Ctrl+K', 'task.delete'],
  ['Ctrl+Y', 'task.paste'],
  ['Alt+W', 'task.copyText'],
  ['Ctrl+O', 'task.createBelow'],
  ['Ctrl+J', 'task.createBelow'],
  ['Ctrl+Space', 'selection.toggle'],
  ['Ctrl+G', 'outline.escape'],
  ['Alt+N', 'task.moveDown'],
  ['Alt+P', 'task.moveUp'],
  ['Ctrl+X w', 'task.cut'],
];

const sidebar: readonly Row[] = [
  ['Ctrl+N', 'sidebar.down'],
  ['Ctrl+P', 'sidebar.up'],
  ['Ctrl+F', 'sidebar.right'],
  ['Ctrl+B', 'sidebar.left'],
  ['Ctrl+A', 'sidebar.first'],
  ['Ctrl+E', 'sidebar.last'],
  ['Ctrl+G', 'pane.outline'],
];

const edit: readonly Row[] = [
  ['Ctrl+N', 'edit.down'],
  ['Ctrl+P', 'edit.up'],
  ['Ctrl+G', 'edit.leave'],
];

/** Keys that Apple systems handle in text fields themselves, or where Alt and a letter make a sign. */
const caret: readonly Row[] = [
  ['Ctrl+A', 'edit.caretFirst'],
  ['Ctrl+E', 'edit.caretLast'],
  ['Ctrl+F', 'edit.caretRight'],
  ['Ctrl+B', 'edit.caretLeft'],
  ['Alt+F', 'edit.caretWordRight'],
  ['Alt+B', 'edit.caretWordLeft'],
  ['Ctrl+D', 'edit.deleteRight'],
  ['Ctrl+K', 'edit.killRest'],
  ['Alt+D', 'edit.killWord'],
  ['Alt+Backspace', 'edit.killWordBack'],
  ['Ctrl+Y', 'edit.yank'],
];

const palette: readonly Row[] = [
  ['Ctrl+N', 'palette.down'],
  ['Ctrl+P', 'palette.up'],
  ['Ctrl+V', 'palette.pageDown'],
  ['Alt+V', 'palette.pageUp'],
  ['Ctrl+G', 'palette.close'],
];

const list: readonly Row[] = [
  ['Ctrl+N', 'options.down'],
  ['Ctrl+P', 'options.up'],
  ['Ctrl+V', 'options.pageDown'],
  ['Alt+V', 'options.pageUp'],
];

const ends: readonly Row[] = [
  ['Ctrl+B', 'moments.older'],
  ['Ctrl+F', 'moments.newer'],
  ['Alt+<', 'options.first'],
  ['Alt+>', 'options.last'],
];

/** Not in text fields, where Ctrl+X cuts. */
const chords: readonly Row[] = [
  ['Ctrl+X u', 'edit.undo'],
  ['Ctrl+X b', 'palette.places'],
  ['Ctrl+X o', 'pane.next'],
  ['Ctrl+X k', 'bookmark.toggle'],
  ['Ctrl+X n', 'notes.toggle'],
  ['Ctrl+X l', 'label.pick'],
  ['Ctrl+X i', 'list.details'],
  ['Ctrl+X s', 'list.share'],
  ['Ctrl+X e', 'list.email'],
  ['Ctrl+X h', 'selection.all'],
  ['Ctrl+X f', 'task.openLinks'],
];

const global: readonly Row[] = [
  ['Alt+X', 'palette.open'],
  ['Ctrl+S', 'search.open'],
  ['Ctrl+/', 'edit.undo'],
];

const within = (context: KeyContext, rows: readonly Row[]) =>
  rows.map(([keys, command]) => ({ context, keys, command }));

const elsewhere = (bindings: readonly Binding[]): readonly Binding[] =>
  bindings.map((binding) => ({ ...binding, only: 'other' }));

export const emacs: Preset = {
  id: 'emacs',
  title: 'Emacs',
  grammar: null,
  takes: [],
  read: [],
  waits: [
    'Ctrl+H',
    'Ctrl+Q',
    'Ctrl+U',
    'Alt+G',
    'Alt+S',
    ...['r', '4', '5', '6', 't', 'v', 'a', 'p', '8', 'Enter', 'Ctrl+K', 'Ctrl+A'].map(
      (key) => `Ctrl+X ${key}`,
    ),
  ],
  absent: [
    {
      keys: ['Ctrl+H', 'Ctrl+Q', 'Ctrl+U', 'Alt+G', 'Alt+S', 'Ctrl+X r', 'Ctrl+X 4', 'Ctrl+X 5'],
      title: 'Help, quoting, arguments, registers and windows: the key that follows is taken with them',
    },
  ],
  otherwise: [
    {
      keys: ['Ctrl+C', 'Ctrl+X'],
      title: 'They copy and cut in text fields, and Ctrl+C copies tasks, where Ctrl is the key for that',
    },
  ],
  about:
    'C-n C-p C-f C-b move, C-a and C-e go to the ends, C-k deletes, M-w copies, C-y pastes, C-s searches, C-g leaves, M-x opens the palette, C-x starts chords.',
  bindings: [
    ...within('navigate', [...navigate, ...chords]),
    ...within('sidebar', [...sidebar, ...chords]),
    ...within('edit', edit),
    ...elsewhere(within('edit', caret)),
    ...within('name', [['Ctrl+G', 'edit.leave']]),
    ...elsewhere(within('name', caret)),
    ...within('notes', [['Ctrl+G', 'notes.leave']]),
    ...within('calendar', [
      ['Ctrl+N', 'slot.later'],
      ['Ctrl+P', 'slot.earlier'],
      ['Ctrl+F', 'slot.dayAfter'],
      ['Ctrl+B', 'slot.dayBefore'],
      ['Ctrl+G', 'pane.outline'],
    ]),
    ...within('search', [
      ['Ctrl+G', 'search.leave'],
      ['Ctrl+N', 'search.down'],
      ['Ctrl+S', 'search.down'],
    ]),
    ...elsewhere(within('search', caret)),
    ...within('palette', palette),
    ...elsewhere(within('palette', caret)),
    ...within('dialog', [['Ctrl+G', 'dialog.leave']]),
    ...within('list', list),
    ...within('dialog.timeMachine', ends),
    ...within('global', global),
  ],
};
