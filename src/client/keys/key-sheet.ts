// The sheets of keys as data: the first one (?) with the keys that most days need, by what one wants to do; and the cheat sheet, every
// key with its command, by context. Both are read from the keymap in effect.
import type { CommandInfo, KeyContext } from '../commands/command.ts';
import type { Program } from '../app/program.ts';
import { hotkeyOf, labelName } from '../labels/catalog.ts';
import { allLabels } from '../labels/label-scopes.ts';
import { choicesOf } from './choices.ts';
import type { KeyGroup, KeyRow } from './editor-view.ts';
import type { Binding, Keymap } from './keymap.ts';
import { presets } from './presets.ts';
import { parseKeys } from './stroke.ts';

const plain = { isOwn: false, isPair: false } as const;

const PLACES: readonly { readonly title: string; readonly contexts: readonly KeyContext[] }[] = [
  { title: 'Everywhere', contexts: ['global'] },
  { title: 'In the outline', contexts: ['empty', 'navigate'] },
  { title: 'While editing', contexts: ['edit', 'name'] },
  { title: 'In the sidebar', contexts: ['sidebar'] },
  { title: 'While writing notes', contexts: ['notes'] },
  { title: 'In search and dialogs', contexts: ['search', 'dialog', 'list'] },
  { title: 'In the palette', contexts: ['palette'] },
  { title: 'In the month of a date picker', contexts: ['month'] },
  { title: 'In the calendar beside tasks', contexts: ['calendar'] },
];

/** Keys that the grammar of the preset reads before single keys count. */
function readBy(keymap: Keymap): readonly KeyGroup[] {
  return presets
    .filter(({ grammar }) => grammar !== null && grammar === keymap.grammar)
    .map(({ title, read }) => {
      const rows = read.map((line) => ({
        ...plain,
        id: `read ${line.keys}`,
        title: line.title,
        keys: [keymap.keycaps(parseKeys(line.keys, keymap.apple))],
      }));
      return { title: `${title}’s own keys`, rows };
    });
}

/** Keys of the preset's model that the preset lacks. */
function absentIn(keymap: Keymap): readonly KeyGroup[] {
  return presets
    .filter(({ grammar, absent }) => grammar !== null && grammar === keymap.grammar && absent.length > 0)
    .map(({ title, absent }) => {
      const rows = absent.map((line) => ({
        ...plain,
        id: `absent ${line.keys.join(' ')}`,
        title: line.title,
        keys: line.keys.map((keys) => keymap.keycaps(parseKeys(keys, keymap.apple))),
      }));
      return { title: `Not in the ${title} set`, rows };
    });
}

/** `keymap` decides the kind of keyboard and the spelling of keys; `own`: the commands to which a person gave keys. */
export function keySheet(
  bindings: readonly Binding[],
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<CommandInfo, 'title'>>,
  own: ReadonlySet<string> = new Set(),
): readonly KeyGroup[] {
  const here = bindings.filter(({ only }) => only === undefined || (only === 'apple') === keymap.apple);
  const ofOneDialog = here.map(({ context }) => context).filter((context) => context.startsWith('dialog.'));
  const all = [...PLACES, { title: 'In one dialog', contexts: ofOneDialog }];
  const places = all.map(({ title, contexts }) => {
    const rows = new Map<string, (readonly string[])[]>();
    for (const { context, keys, command } of here) {
      if (!contexts.includes(context)) continue;
      const caps = keymap.keycaps(parseKeys(keys, keymap.apple));
      const known = rows.get(command) ?? [];
      rows.set(command, known);
      if (!known.some((other) => other.join(' ') === caps.join(' '))) known.push(caps);
    }
    return {
      title,
      rows: [...rows].map(([id, keys]) => ({
        ...plain,
        id,
        title: commands.get(id)?.title ?? id,
        keys,
        isOwn: own.has(id),
      })),
    };
  });
  return [...places, ...readBy(keymap), ...absentIn(keymap)];
}

/** The commands to which a person gave keys, each with these keys. */
function ownKeysOf(program: Program): ReadonlyMap<string, readonly (readonly string[])[]> {
  const { keymap } = program;
  const found = new Map<string, (readonly string[])[]>();
  for (const { command, keys } of choicesOf(program).own.add)
    found.set(command, [...(found.get(command) ?? []), keymap.keycaps(parseKeys(keys, keymap.apple))]);
  return found;
}

/** The sheet of the keys in effect. */
export function currentKeySheet(program: Program): readonly KeyGroup[] {
  const { keymap, commands } = program;
  return keySheet(keymap.bindings, keymap, commands, new Set(ownKeysOf(program).keys()));
}

/** `second`: the command of the second thing that the title names. */
type Line = readonly [title: string, command: string, second?: string];

/** By what one wants to do. Lines whose command has no key in the set are left out. */
export const sections: readonly { readonly title: string; readonly lines: readonly Line[] }[] = [
  {
    title: 'The first five',
    lines: [
      ['Next task', 'cursor.down'],
      ['Edit, then a new task', 'task.edit'],
      ['Complete', 'task.complete'],
      ['Due date', 'task.due'],
      ['Everything else', 'palette.open'],
    ],
  },
  {
    title: 'Move around',
    lines: [
      ['Task before, task after', 'cursor.up', 'cursor.down'],
      ['Expand, collapse', 'cursor.right', 'cursor.left'],
      ['Inbox', 'go.inbox'],
      ['Today', 'go.today'],
      ['Upcoming', 'go.upcoming'],
      ['A list…', 'go.list'],
      ['A bookmark…', 'go.bookmark'],
      ['A task…', 'go.task'],
      ['Focus on a task', 'task.focusIn'],
      ['Leave the focus', 'task.focusOut'],
      ['Back, forward', 'go.back', 'go.forward'],
      ['Search', 'search.open'],
    ],
  },
  {
    title: 'Say more',
    lines: [
      ['Snooze', 'task.snooze'],
      ['Start date', 'task.start'],
      ['Repeat', 'task.repeat'],
      ['Reminder', 'task.remind'],
      ['Labels', 'label.pick'],
      ['How long it takes', 'task.duration'],
      ['Notes', 'notes.edit'],
      ['Bookmark', 'bookmark.toggle'],
      ['Details', 'task.details'],
    ],
  },
  {
    title: 'Arrange',
    lines: [
      ['Indent', 'task.indent'],
      ['Outdent', 'task.outdent'],
      ['Move up', 'task.moveUp'],
      ['Move down', 'task.moveDown'],
      ['To a list…', 'task.move'],
      ['Under a task…', 'task.moveUnder'],
      ['Delete', 'task.delete'],
    ],
  },
  {
    title: 'Select',
    lines: [
      ['This task', 'selection.toggle'],
      ['One more', 'cursor.downExtend'],
      ['All', 'selection.all'],
      ['None', 'outline.escape'],
    ],
  },
  {
    title: 'Undo',
    lines: [
      ['Undo', 'edit.undo'],
      ['Redo', 'edit.redo'],
      ['History', 'history.task'],
      ['Time machine', 'history.travel'],
    ],
  },
  {
    title: 'Plan',
    lines: [
      ['Time for a task', 'task.planTime'],
      ['My day', 'day.plan'],
      ['Calendar, agenda', 'calendar.show', 'calendar.agenda'],
      ['Undone blocks to today', 'block.rollForward'],
    ],
  },
  {
    title: 'Add',
    lines: [
      ['New task below', 'task.createBelow'],
      ['New task inside', 'task.createChild'],
      ['Quick entry', 'task.quickEntry'],
      ['Tasks from the clipboard', 'task.paste'],
    ],
  },
  {
    title: 'Show',
    lines: [
      ['Lists at the side', 'view.sidebar'],
      ['Notes at the side', 'notes.toggle'],
      ['Collapse all, expand all', 'view.collapseAll', 'view.expandAll'],
      ['Find and replace', 'edit.replace'],
      ['Settings', 'settings.open'],
      ['Keys', 'help.keys'],
    ],
  },
];

const MOST_KEYS = 2;

type Caps = readonly string[];
type OwnKeys = ReturnType<typeof ownKeysOf>;

/** At most two of them, a person’s own first, each once: some count in several contexts. */
function ordered(keys: readonly Caps[], own: readonly Caps[] = []): readonly Caps[] {
  const isOwn = (caps: Caps) => own.some((other) => other.join(' ') === caps.join(' '));
  const once = new Map(keys.map((caps) => [caps.join(' '), caps]));
  return [...once.values()].toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a))).slice(0, MOST_KEYS);
}

/** Keys of a person’s own for commands that stand in no section. */
function ownRows(program: Program, own: OwnKeys): readonly KeyRow[] {
  const listed = new Set(sections.flatMap(({ lines }) => lines.flatMap(([, ...ids]) => ids)));
  return [...own]
    .filter(([id]) => !listed.has(id))
    .map(([id, keys]) => ({
      id,
      title: program.titleOf(id) ?? id,
      keys: ordered(program.keymap.keysOf(id), keys),
      isOwn: true,
      isPair: false,
    }));
}

function labelRows({ replica, labelKeys }: Program): readonly KeyRow[] {
  return allLabels(replica).map(({ row }) => {
    const caps = labelKeys.capsOf(hotkeyOf(replica, row));
    const keys = caps.length > 0 ? [caps] : [];
    return { id: row.id, title: labelName(row), keys, isOwn: false, isPair: false };
  });
}

/** The sections with the keys of now; a section without any is left out. */
export function firstSheet(program: Program): readonly KeyGroup[] {
  const { keymap } = program;
  const own = ownKeysOf(program);
  const keysOf = (id: string) => ordered(keymap.keysIn(['navigate', 'global'], id), own.get(id));
  const fixed = sections.map(({ title, lines }) => ({
    title,
    rows: lines.map(([name, id, second]): KeyRow => {
      const isPair = second !== undefined;
      const keys = isPair ? [...keysOf(id).slice(0, 1), ...keysOf(second).slice(0, 1)] : keysOf(id);
      return { id, title: name, keys, isOwn: own.has(id) || (isPair && own.has(second)), isPair };
    }),
  }));
  const more = [
    { title: 'Keys of your own', rows: ownRows(program, own) },
    { title: 'Labels', rows: labelRows(program) },
    ...readBy(keymap),
  ];
  return [...fixed, ...more].flatMap(({ title, rows }) => {
    const keyed = rows.filter(({ keys }) => keys.length > 0);
    return keyed.length === 0 ? [] : [{ title, rows: keyed }];
  });
}
