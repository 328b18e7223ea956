// Commands on lists and folders, from the sidebar and the palette. Without focus in the sidebar they act on the open
// list.
import { listsRoot, mountId, type Id } from '#core/ids.ts';
import { scalarNames } from '#core/model.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { builtInOf } from '../search/built-in.ts';
import { queryOf } from '../labels/carriers.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { Program } from '../app/program.ts';
import { mayBeOwn } from '../outline/ownership.ts';
import { nameOf } from '../outline/row-facts.ts';
import { sortingPart } from '../sorting/part.ts';
import { saySort, sortChoices, sortOf, valueOf } from '../sorting/sorts.ts';
import { isArchived, placeOf } from '#sync/rows/row-reading.ts';
import type { Availability, CommandResult } from './command.ts';
import { announced, type Command, define, done, refused } from './define.ts';
import { setCollapsed } from './folding.ts';
import { tellFolded } from '../app/spoken.ts';

/** The list a command acts on: the sidebar's if that has the focus, else the open one. */
export function currentList(program: Program): Row | undefined {
  const { workspace, sidebar } = program;
  if (program.pane === 'sidebar' && sidebar.cursor !== null) {
    const row = program.replica.row(sidebar.cursor);
    return row?.type === 'list' ? row : undefined;
  }
  const { place } = workspace;
  if (place.type === 'task') return workspace.listOf(place.id);
  return place.type === 'list' ? program.replica.row(place.id) : undefined;
}

const A_LABEL = 'That’s a label. Change it in “Manage labels and groups”.';

/** The refusal of a command that has no list. */
function missing(program: Program): string {
  const { cursor } = program.sidebar;
  const row = program.pane === 'sidebar' && cursor !== null ? program.replica.row(cursor) : undefined;
  if (row === undefined) return 'Open a list first.';
  return row.type === 'label' ? A_LABEL : 'That’s a bookmarked task. Open it to change it.';
}

function needsList(program: Program): Availability {
  return currentList(program) ? null : missing(program);
}

function needsOwnList(program: Program): Availability {
  const list = currentList(program);
  if (!list) return missing(program);
  return fieldOf(list, 'listType') === 'inbox' ? 'You can’t change the Inbox.' : null;
}

/** Today and Upcoming would stand there again at once. */
function alwaysThere(program: Program): Availability {
  const list = currentList(program);
  const isBuiltIn = list !== undefined && builtInOf(program.replica.scope, list.id) !== null;
  return isBuiltIn ? `${quoted(nameOf(list))} is always there.` : null;
}

/** It would be gone for everybody in it. */
function isForOwner(program: Program): Availability {
  const list = currentList(program);
  if (list === undefined || mayBeOwn(program.replica, list.scope)) return null;
  return `Only its owner can delete ${quoted(nameOf(list))}. You can leave it, or archive it.`;
}

function needsTasks(program: Program): Availability {
  const list = currentList(program);
  if (!list) return missing(program);
  return fieldOf(list, 'listType') === 'folder' ? 'Folders hold lists, not tasks. Open a list first.' : null;
}

function sortList(program: Program, value: string): CommandResult {
  const list = currentList(program);
  const sort = sortOf(value);
  if (!list) return refused(missing(program));
  if (sort === undefined) return refused('You can’t sort a list by that.');
  const isShared = list.scope !== program.replica.scope;
  if (sort === 'my-order' && !isShared)
    return refused('Nobody else is in this list. Sort it by hand: that order is yours.');
  program.leaveText();
  const name = quoted(nameOf(list) || 'Inbox');
  const how = sort === null ? 'by hand' : sort === 'my-order' ? 'in my order' : `by ${saySort(sort)}`;
  // The next keys act on the list as it is sorted.
  return program.inputQueue.enter(sortingPart, () => {
    program.change([{ a: 'set', id: list.id, field: 'sort', value: sort }], `sorted ${name} ${how}`);
    const forMe = isShared ? ' for you' : '';
    if (sort === 'my-order') return announced(`${name} is in your order. What you move there only you see.`);
    if (sort !== null) return announced(`${name} is sorted ${how}${forMe}.`);
    return announced(`${name} is in ${isShared ? 'the order that everybody sees' : 'your own order'}.`);
  });
}

/** After the current list, or into it if it is a folder. */
function newPosition(program: Program): Position {
  const list = currentList(program);
  const root = listsRoot(program.replica.scope);
  if (list && fieldOf(list, 'listType') === 'folder') return { parent: list.id };
  const parent = placeOf(list)?.parent;
  return list && parent && fieldOf(list, 'listType') !== 'inbox'
    ? { parent, after: list.id }
    : { parent: root };
}

function create(program: Program, listType: 'list' | 'folder', name: string): CommandResult {
  program.leaveText();
  const id = program.replica.newId();
  const { text } = fitName(name.trim());
  const place = newPosition(program);
  const action: Action = { a: 'create', id, type: 'list', fields: { listType, name: text }, place };
  const { verdicts } = program.change([action], `created ${listType} ${quoted(text)}`);
  if (verdicts[0] !== 'ok') return refused(`You can’t create a ${listType} here.`);
  setCollapsed(program, [place.parent], false);
  program.sidebar.invalidate();
  program.sidebar.cursor = id;
  if (listType === 'list') program.open({ type: 'list', id });
  return announced(`Created ${listType} ${quoted(text)}.`);
}

/** A label pressed twice in the sidebar: its tasks are shown, and the list behind them is not meant. */
function isLabelMeant({ sidebar, replica, query }: Program): boolean {
  const row = sidebar.cursor === null ? undefined : replica.row(sidebar.cursor);
  return row?.type === 'label' && query === queryOf(row);
}

function rename(program: Program): CommandResult {
  if (isLabelMeant(program)) return refused(A_LABEL);
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  program.leaveText();
  program.sidebar.show(true);
  if (isArchived(list)) program.sidebar.showsArchived = true;
  program.sidebar.cursor = list.id;
  program.pane = 'sidebar';
  program.edit(list.id, 'all');
  return done;
}

function kindOf(list: Row): 'folder' | 'list' {
  return fieldOf(list, 'listType') === 'folder' ? 'folder' : 'list';
}

/** Today and Upcoming stand above all other lists. */
const standsFirst = (program: Program, { id }: Row) => builtInOf(program.replica.scope, id) !== null;

function siblingsOf(program: Program, list: Row): { readonly rows: readonly Row[]; readonly at: number } {
  const parent = placeOf(list)?.parent;
  const rows = program.sidebar.lines
    .map(({ row }) => row)
    .filter((row) => placeOf(row)?.parent === parent && !standsFirst(program, row));
  return { rows, at: rows.findIndex(({ id }) => id === list.id) };
}

/** Moves a list or folder, with undo, and announces where it went. */
export function placeList(program: Program, list: Row, position: Position): CommandResult {
  const name = `${kindOf(list)} ${quoted(nameOf(list))}`;
  program.change([{ a: 'place', id: list.id, place: position }], `moved ${name}`);
  program.sidebar.invalidate();
  const folder = position.parent === placeOf(list)?.parent ? undefined : program.replica.row(position.parent);
  if (fieldOf(folder, 'listType') === 'folder')
    return announced(`Moved ${name} into ${quoted(nameOf(folder))}.`);
  if (position.parent !== placeOf(list)?.parent) return announced(`Moved ${name} out of its folder.`);
  return announced(`Moved ${name} ${position.before === undefined ? 'down' : 'up'}.`);
}

function nest(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  const { rows, at } = siblingsOf(program, list);
  const above = rows[at - 1];
  if (!above || fieldOf(above, 'listType') !== 'folder')
    return refused('To move it into a folder, put it right below one.');
  setCollapsed(program, [above.id], false);
  return placeList(program, list, { parent: above.id });
}

function unnest(program: Program): CommandResult {
  const list = currentList(program);
  const folder = list && program.replica.row(placeOf(list)?.parent ?? list.id);
  const parent = placeOf(folder)?.parent;
  if (!list || !folder || fieldOf(folder, 'listType') !== 'folder' || !parent)
    return refused('It isn’t in a folder.');
  return placeList(program, list, { parent, after: folder.id });
}

function moveBy(program: Program, step: 1 | -1): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  if (standsFirst(program, list)) return refused(`${quoted(nameOf(list))} always stands on top.`);
  const { rows, at } = siblingsOf(program, list);
  const other = rows[at + step];
  const parent = placeOf(list)?.parent;
  const isBlocked = other === undefined || fieldOf(other, 'listType') === 'inbox' || parent === undefined;
  if (isBlocked) return refused(step < 0 ? 'It’s already first.' : 'It’s already last.');
  return placeList(program, list, step < 0 ? { parent, before: other.id } : { parent, after: other.id });
}

function archive(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  const was = isArchived(list);
  const verb = was ? 'unarchived' : 'archived';
  const value = was ? null : program.replica.now();
  const next = program.sidebar.neighbour(1);
  program.change([{ a: 'set', id: list.id, field: 'archivedAt', value }], `${verb} ${quoted(nameOf(list))}`);
  if (!was && !program.sidebar.showsArchived && program.sidebar.cursor === list.id)
    program.sidebar.cursor = next;
  return announced(`${was ? 'Unarchived' : 'Archived'} ${quoted(nameOf(list))}.`);
}

/** Opens the Inbox if the open place is the list or in it. */
function leaveIfInside(program: Program, list: Id): void {
  const { place: open } = program.workspace;
  if (open.type === 'trash') return;
  const holds = open.id === list || program.workspace.hasAncestorIn(open.id, new Set([list]));
  if (!holds) return;
  const { pane } = program;
  program.open({ type: 'list', id: program.workspace.inbox });
  // The search over it was closed with it.
  if (pane !== 'search') program.pane = pane;
}

function remove(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  program.leaveText();
  const next =
    program.sidebar.neighbour(1) === list.id ? program.sidebar.neighbour(-1) : program.sidebar.neighbour(1);
  leaveIfInside(program, list.id);
  const name = `${kindOf(list)} ${quoted(nameOf(list))}`;
  program.change([{ a: 'delete', id: list.id }], `deleted ${name}`);
  if (program.sidebar.cursor === list.id) program.sidebar.cursor = next;
  const forAll = list.scope === program.replica.scope ? '' : ' for everybody in it';
  return announced(`Deleted ${name}${forAll}.`);
}

function sidebarMove(program: Program, step: number): CommandResult {
  program.leaveText();
  program.sidebar.cursor = program.sidebar.neighbour(step);
  return done;
}

function sidebarOpen(program: Program): CommandResult {
  const { cursor } = program.sidebar;
  if (cursor === null) return done;
  program.run('go.list', { list: cursor });
  return done;
}

function fold(program: Program, collapsed: boolean): CommandResult {
  const row = currentList(program);
  if (!row) return collapsed ? done : sidebarOpen(program);
  const isFolder = fieldOf(row, 'listType') === 'folder';
  const { length } = program.sidebar.lines;
  if (row && isFolder && setCollapsed(program, [row.id], collapsed) > 0) {
    program.sidebar.invalidate();
    tellFolded(program, collapsed, Math.abs(program.sidebar.lines.length - length));
    return done;
  }
  const parent = placeOf(row)?.parent;
  if (collapsed && parent !== undefined && program.replica.row(parent)?.type === 'list')
    program.sidebar.cursor = parent;
  if (!collapsed) return isFolder ? sidebarMove(program, 1) : sidebarOpen(program);
  return done;
}

const sidebarOnly = { group: 'Lists', inPalette: false, repeats: true } as const;

export const listCommands: readonly Command[] = [
  define({
    id: 'list.sort',
    title: 'Sort list…',
    aliases: [
      'order by',
      'arrange',
      'by due date',
      'alphabetically',
      'by label',
      ...scalarNames.map((name) => `by ${name}`),
      'unsort',
      'by hand',
    ],
    group: 'Lists',
    args: [{ name: 'by', kind: 'choice', prompt: 'Sort it by what?', choices: sortChoices }],
    when: needsTasks,
    chosen(program) {
      const list = currentList(program);
      const mount = list && program.replica.row(mountId(program.replica.scope, list.id));
      return valueOf(fieldOf(mount, 'ownSort') ?? fieldOf(list, 'sort'));
    },
    run: (program, { by = '' }) => sortList(program, by),
  }),
  define({
    id: 'list.create',
    title: 'New list…',
    aliases: ['add list', 'create project'],
    group: 'Lists',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new list' }],
    run: (program, args) => create(program, 'list', args.name ?? ''),
  }),
  define({
    id: 'folder.create',
    title: 'New folder…',
    aliases: ['add folder', 'group lists', 'area'],
    group: 'Lists',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new folder' }],
    run: (program, args) => create(program, 'folder', args.name ?? ''),
  }),
  define({
    id: 'list.rename',
    title: 'Rename list',
    aliases: ['change name', 'rename folder', 'rename project'],
    group: 'Lists',
    when: needsList,
    run: rename,
  }),
  define({
    id: 'list.nest',
    title: 'Move list into the folder above',
    aliases: ['indent list', 'put in folder'],
    group: 'Lists',
    repeats: true,
    when: needsOwnList,
    run: nest,
  }),
  define({
    id: 'list.unnest',
    title: 'Move list out of its folder',
    aliases: ['outdent list', 'take out of folder'],
    group: 'Lists',
    repeats: true,
    when: needsOwnList,
    run: unnest,
  }),
  define({
    id: 'list.moveUp',
    title: 'Move list up',
    aliases: ['reorder lists', 'list higher'],
    group: 'Lists',
    repeats: true,
    when: needsOwnList,
    run: (program) => moveBy(program, -1),
  }),
  define({
    id: 'list.moveDown',
    title: 'Move list down',
    aliases: ['reorder lists', 'list lower'],
    group: 'Lists',
    repeats: true,
    when: needsOwnList,
    run: (program) => moveBy(program, 1),
  }),
  define({
    id: 'list.archive',
    title: 'Archive or unarchive list',
    aliases: ['put away', 'close project', 'unarchive'],
    group: 'Lists',
    when: needsOwnList,
    run: archive,
  }),
  define({
    id: 'list.delete',
    title: 'Delete list',
    aliases: ['remove list', 'trash list', 'delete folder'],
    group: 'Lists',
    when: (program) => needsOwnList(program) ?? alwaysThere(program) ?? isForOwner(program),
    run: remove,
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.down',
    title: 'Next list',
    run: (program) => sidebarMove(program, 1),
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.up',
    title: 'Previous list',
    run: (program) => sidebarMove(program, -1),
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.first',
    title: 'First list',
    run: (program) => sidebarMove(program, -1e9),
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.last',
    title: 'Last list',
    run: (program) => sidebarMove(program, 1e9),
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.right',
    title: 'Expand folder or open list',
    run: (program) => fold(program, false),
  }),
  define({
    ...sidebarOnly,
    id: 'sidebar.left',
    title: 'Collapse folder',
    run: (program) => fold(program, true),
  }),
  define({ ...sidebarOnly, id: 'sidebar.open', title: 'Open list', repeats: false, run: sidebarOpen }),
];
