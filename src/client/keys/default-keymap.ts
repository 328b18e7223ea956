// The standard keys. Data only: commands are in commands/, resolution in keymap.ts.
import type { KeyContext } from '../commands/command.ts';
import type { Binding } from './keymap.ts';

type Row = readonly [keys: string, command: string, only?: 'apple' | 'other'];

function within(context: KeyContext, rows: readonly Row[]): Binding[] {
  return rows.map(([keys, command, only]) => ({ context, keys, command, ...(only ? { only } : {}) }));
}

const navigate: readonly Row[] = [
  ['Down', 'cursor.down'],
  ['Up', 'cursor.up'],
  ['Right', 'cursor.right'],
  ['Left', 'cursor.left'],
  ['Home', 'cursor.first'],
  ['End', 'cursor.last'],
  ['Mod+Up', 'cursor.first'],
  ['Mod+Down', 'cursor.last'],
  ['PageDown', 'cursor.pageDown'],
  ['PageUp', 'cursor.pageUp'],
  ['Shift+Down', 'cursor.downExtend'],
  ['Shift+Up', 'cursor.upExtend'],
  ['Shift+PageDown', 'cursor.pageDownExtend'],
  ['Shift+PageUp', 'cursor.pageUpExtend'],
  ['Shift+Home', 'cursor.firstExtend'],
  ['Shift+End', 'cursor.lastExtend'],
  ['Alt+Down', 'task.moveDown'],
  ['Alt+Up', 'task.moveUp'],
  ['Enter', 'task.edit'],
  ['e', 'task.edit'],
  ['F2', 'task.editAll'],
  ['Ctrl+Enter', 'task.createBelow'],
  ['Shift+Enter', 'task.createAbove'],
  ['Alt+Enter', 'task.createChild'],
  ['Escape', 'outline.escape'],
  ['Space', 'task.complete'],
  ['Mod+Shift+Enter', 'task.complete'],
  ['Tab', 'task.indent'],
  ['Shift+Tab', 'task.outdent'],
  ['Backspace', 'task.delete'],
  ['Delete', 'task.delete'],
  ['u', 'task.restore'],
  ['x', 'selection.toggle'],
  ['Mod+A', 'selection.all'],
  ['Mod+C', 'task.copyText'],
  ['Mod+X', 'task.cut'],
  ['Mod+Shift+V', 'task.paste'],
  ['Mod+Shift+L', 'edit.keepWords'],
  ['d', 'task.due'],
  ['t', 'task.start'],
  ['s', 'task.snooze'],
  ['r', 'task.repeat'],
  ['a', 'task.remind'],
  ['Shift+R', 'task.skip'],
  ['Shift+O', 'task.once'],
  ['Shift+S', 'view.snoozed'],
  ['Shift+T', 'view.unstarted'],
  ['Shift+D', 'task.duration'],
  ['.', 'task.duration'],
  // Safari reserves Mod+L in a tab.
  ['l', 'label.pick'],
  ['m', 'task.move'],
  ['Shift+M', 'task.moveUnder'],
  ['n', 'notes.edit'],
  ['Shift+N', 'list.notes'],
  ['i', 'task.details'],
  ['o', 'task.reveal'],
  ['Shift+Left', 'view.collapseAll'],
  ['Shift+Right', 'view.expandAll'],
  ['Alt+Left', 'go.back'],
  ['Alt+Right', 'go.forward'],
  ['z', 'task.focusIn'],
  ['Shift+Z', 'task.focusOut'],
];

const edit: readonly Row[] = [
  ['Enter', 'edit.enter'],
  ['Ctrl+Enter', 'task.createBelow'],
  ['Alt+Enter', 'task.createChild'],
  ['Shift+Enter', 'notes.edit'],
  ['Escape', 'edit.leave'],
  ['Up', 'edit.up'],
  ['Down', 'edit.down'],
  ['Alt+Down', 'task.moveDown'],
  ['Alt+Up', 'task.moveUp'],
  ['Tab', 'task.indent'],
  ['Shift+Tab', 'task.outdent'],
  ['Backspace', 'edit.backspace'],
  ['Right', 'edit.accept'],
  ['Mod+Shift+L', 'edit.keepWords'],
  ['Mod+Shift+Enter', 'task.complete'],
];

const sidebar: readonly Row[] = [
  ['Down', 'sidebar.down'],
  ['Up', 'sidebar.up'],
  ['Home', 'sidebar.first'],
  ['End', 'sidebar.last'],
  ['Right', 'sidebar.right'],
  ['Left', 'sidebar.left'],
  ['Enter', 'sidebar.open'],
  ['Space', 'sidebar.open'],
  ['F2', 'list.rename'],
  ['e', 'list.rename'],
  ['Ctrl+Enter', 'list.create'],
  ['Shift+Enter', 'folder.create'],
  ['Mod+]', 'list.nest'],
  ['Mod+[', 'list.unnest'],
  // On layouts with brackets behind AltGr, the two above cannot be pressed.
  ['Alt+Right', 'list.nest'],
  ['Alt+Left', 'list.unnest'],
  ['Alt+Up', 'list.moveUp'],
  ['Alt+Down', 'list.moveDown'],
  ['a', 'list.archive'],
  ['n', 'list.notes'],
  ['Backspace', 'list.delete'],
  ['Delete', 'list.delete'],
  ['Escape', 'pane.outline'],
];

/** Contexts in which single keys are no text: the outline and the sidebar. */
const single: readonly Row[] = [
  ['g i', 'go.inbox'],
  ['g l', 'go.list'],
  ['g b', 'go.bookmark'],
  ['g f', 'go.task'],
  ['g t', 'go.today'],
  ['g u', 'go.upcoming'],
  ['g x', 'go.trash'],
  ['g r', 'reminder.open'],
  ['g h', 'history.task'],
  ['g m', 'history.travel'],
  ['[', 'go.back'],
  [']', 'go.forward'],
  ['/', 'search.open'],
  ['?', 'help.keys'],
];

const global: readonly Row[] = [
  ['Mod+K', 'palette.open'],
  ['Mod+Shift+Space', 'task.quickEntry'],
  ['Mod+P', 'palette.places'],
  ['Mod+Z', 'edit.undo'],
  ['Mod+Shift+Z', 'edit.redo'],
  ['Ctrl+Y', 'edit.redo', 'other'],
  ['Ctrl+.', 'task.focusIn'],
  ['Ctrl+,', 'task.focusOut'],
  ['Mod+O', 'task.openLinks'],
  ['Mod+L', 'label.pick'],
  ['Mod+/', 'notes.toggle'],
  ['Mod+\\', 'view.sidebar'],
  ['Mod+B', 'bookmark.toggle'],
  ['Mod+I', 'list.details'],
  ['Mod+S', 'list.share'],
  ['Mod+E', 'list.email'],
  ['Mod+F', 'search.open'],
  ['Mod+Shift+F', 'edit.replace'],
  ['F1', 'help.keys'],
  // Elsewhere, Mod+, leaves the focused task.
  ['Mod+,', 'settings.open', 'apple'],
  ['Mod+;', 'settings.open', 'other'],
  ['F6', 'pane.next'],
  ['Shift+F6', 'pane.previous'],
  // Ringing reminders: also while typing, without moving the focus.
  ['F8 Enter', 'reminder.open'],
  ['F8 Space', 'reminder.complete'],
  ['F8 s', 'reminder.snooze'],
  ['F8 h', 'reminder.snoozeHour'],
  ['F8 t', 'reminder.snoozeTomorrow'],
  ['F8 d', 'reminder.dismiss'],
  ['F8 Delete', 'reminder.dismiss'],
  ['F8 a', 'reminder.dismissAll'],
  ['F8 n', 'reminder.notify'],
  ['F8 x', 'reminder.notNow'],
  // The lesson: also while typing.
  ['F9 Enter', 'lesson.start'],
  ['F9 s', 'lesson.skip'],
  ['F9 x', 'lesson.end'],
  ['Ctrl+M', 'view.tabMovesFocus', 'other'],
  ['Ctrl+Shift+M', 'view.tabMovesFocus', 'apple'],
];

const indenting: readonly Row[] = [
  ['Mod+]', 'task.indent'],
  ['Mod+[', 'task.outdent'],
];

const notes: readonly Row[] = [
  ['Escape', 'notes.leave'],
  ['Mod+Enter', 'notes.checkbox'],
  ['Ctrl+Enter', 'notes.checkbox', 'apple'],
  ['Mod+B', 'notes.bold'],
  ['Mod+I', 'notes.italic'],
  ['Mod+E', 'notes.code'],
  ['Mod+Shift+X', 'notes.strike'],
  ['Mod+Shift+L', 'notes.link'],
  ['Mod+O', 'notes.openLink'],
  ['Tab', 'notes.indent'],
  ['Shift+Tab', 'notes.outdent'],
];

const search: readonly Row[] = [
  ['Escape', 'search.leave'],
  ['Enter', 'search.enter'],
  ['Down', 'search.down'],
  ['Tab', 'search.accept'],
  ['Mod+Enter', 'search.save'],
  ['Alt+Down', 'search.nextOption'],
  ['Alt+Up', 'search.previousOption'],
];

const name: readonly Row[] = [
  ['Enter', 'edit.leave'],
  ['Escape', 'edit.leave'],
];

const palette: readonly Row[] = [
  ['Down', 'palette.down'],
  ['Up', 'palette.up'],
  ['Ctrl+N', 'palette.down'],
  ['Ctrl+J', 'palette.down'],
  ['PageDown', 'palette.pageDown'],
  ['PageUp', 'palette.pageUp'],
  ['Enter', 'palette.accept'],
  ['Mod+Enter', 'palette.acceptAndStay'],
  ['Alt+Enter', 'palette.second'],
  ['Escape', 'palette.close'],
  ['Backspace', 'palette.back'],
  ['Tab', 'palette.refine'],
  ['Alt+Down', 'month.enter'],
  ['Mod+Shift+Space', 'task.quickEntry'],
  ['Mod+K', 'palette.close'],
  ['Ctrl+P', 'palette.up'],
  // On other keyboards these strokes are the two above: the opening key closes it, and Ctrl+P moves up.
  ['Mod+P', 'palette.places', 'apple'],
  ['Ctrl+K', 'palette.up', 'apple'],
];

/** The lists of dialogs. */
const list: readonly Row[] = [
  ['Down', 'options.down'],
  ['Up', 'options.up'],
  ['Ctrl+N', 'options.down'],
  ['Ctrl+J', 'options.down'],
  ['Ctrl+P', 'options.up'],
  ['Ctrl+K', 'options.up'],
  ['PageDown', 'options.pageDown'],
  ['PageUp', 'options.pageUp'],
  ['Enter', 'options.choose'],
];

const timeMachine: readonly Row[] = [
  ['Left', 'moments.older'],
  ['Right', 'moments.newer'],
  ['Shift+Left', 'moments.muchOlder'],
  ['Shift+Right', 'moments.muchNewer'],
  ['Home', 'options.first'],
  ['End', 'options.last'],
  ['d', 'moments.differences'],
];

const recovered: readonly Row[] = [
  ['a', 'recovered.again'],
  ['d', 'recovered.drop'],
  ['Delete', 'recovered.drop'],
  ['c', 'recovered.copy'],
];

const month: readonly Row[] = [
  ['Left', 'month.previousDay'],
  ['Right', 'month.nextDay'],
  ['Up', 'month.previousWeek'],
  ['Down', 'month.nextWeek'],
  ['PageUp', 'month.previousMonth'],
  ['PageDown', 'month.nextMonth'],
  ['Shift+PageUp', 'month.previousYear'],
  ['Shift+PageDown', 'month.nextYear'],
  ['Home', 'month.weekStart'],
  ['End', 'month.weekEnd'],
  ['Enter', 'palette.accept'],
  ['Space', 'palette.accept'],
  ['Tab', 'month.leave'],
  ['Shift+Tab', 'month.leave'],
  ['Escape', 'month.leave'],
];

/** The standard keys of the app. With those of parts: `standardBindings` (commands/registry.ts). */
export const defaultBindings: readonly Binding[] = [
  ...within('navigate', [...navigate, ...indenting, ...single]),
  ...within('empty', [['Enter', 'outline.leadOn']]),
  ...within('edit', [...edit, ...indenting]),
  ...within('name', name),
  ...within('sidebar', [...sidebar, ...single]),
  ...within('notes', notes),
  ...within('search', search),
  ...within('palette', palette),
  ...within('month', month),
  ...within('dialog', [
    ['Escape', 'dialog.leave'],
    ['Mod+Z', 'history.undo'],
  ]),
  ...within('list', list),
  ...within('dialog.labels', [
    ['Mod+Enter', 'options.chooseAndStay'],
    ['Tab', 'options.complete'],
  ]),
  ...within('dialog.labelManager', [
    ['F2', 'labels.rename'],
    ['Mod+Enter', 'labels.tasks'],
  ]),
  ...within('dialog.history', [
    ['Shift+Enter', 'history.travelTo'],
    ['Alt+Enter', 'history.takeBack'],
  ]),
  ...within('dialog.timeMachine', timeMachine),
  ...within('dialog.recovered', recovered),
  ...within('dialog.replace', [
    ['Enter', 'options.down'],
    ['Mod+Enter', 'replace.run'],
  ]),
  // Radio buttons handle their arrow keys themselves.
  ...within('dialog.settings', [
    ['Right', 'settings.nextTab'],
    ['Down', 'settings.nextTab'],
    ['Left', 'settings.previousTab'],
    ['Up', 'settings.previousTab'],
    ['Home', 'settings.firstTab'],
    ['End', 'settings.lastTab'],
  ]),
  ...within('global', global),
];
