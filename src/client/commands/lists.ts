// Commands on lists and folders, from the sidebar and the palette. Without the sidebar's focus they are about the list
// that is open.
import { listsRoot, type Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import type { Action, Position } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { quoted } from '../editor.ts';
import { fitName } from '../fitting.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import { sortingPart } from '../sorting/door.ts';
import { saySort, sortChoices, sortOf, valueOf } from '../sorting/sorts.ts';
import { isArchived, placeOf } from '#sync/row-reading.ts';
import type { Availability, CommandResult } from './command.ts';
import { announced, type Command, define, done, refused } from './define.ts';
import { setCollapsed } from './folding.ts';

/** The list a command is about: the sidebar's when it has the focus, else the open one. */
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

/** What to do where a command has no list. */
function missing(program: Program): string {
  const isBookmark = program.pane === 'sidebar' && program.sidebar.cursor !== null;
  return isBookmark ? 'That is a bookmarked task. Open it to change it.' : 'Open a list first.';
}

function needsList(program: Program): Availability {
  return currentList(program) ? null : missing(program);
}

function needsOwnList(program: Program): Availability {
  const list = currentList(program);
  if (!list) return missing(program);
  return list.fields.listType === 'inbox' ? 'The Inbox stays as it is.' : null;
}

function needsTasks(program: Program): Availability {
  const list = currentList(program);
  if (!list) return missing(program);
  return list.fields.listType === 'folder' ? 'A folder holds lists. Open a list first.' : null;
}

function sortList(program: Program, value: string): CommandResult {
  const list = currentList(program);
  const sort = sortOf(value);
  if (!list) return refused(missing(program));
  if (sort === undefined) return refused('A list cannot be sorted by that.');
  program.leaveText();
  const name = quoted(nameOf(list) || 'Inbox');
  const how = sort === null ? 'by hand' : `by ${saySort(sort)}`;
  // What is pressed next is about the list as it is sorted.
  return program.held.enter(sortingPart, () => {
    program.change([{ a: 'set', id: list.id, field: 'sort', value: sort }], `sorted ${name} ${how}`);
    return announced(sort === null ? `${name} is in the order made by hand.` : `${name} is sorted ${how}.`);
  });
}

/** After the current list, or into it where it is a folder. */
function newPosition(program: Program): Position {
  const list = currentList(program);
  const root = listsRoot(program.replica.scope);
  if (list?.fields.listType === 'folder') return { parent: list.id };
  const parent = placeOf(list)?.parent;
  return list && parent && list.fields.listType !== 'inbox' ? { parent, after: list.id } : { parent: root };
}

function create(program: Program, listType: 'list' | 'folder', name: string): CommandResult {
  program.leaveText();
  const id = program.replica.newId();
  const { text } = fitName(name.trim());
  const place = newPosition(program);
  const action: Action = { a: 'create', id, type: 'list', fields: { listType, name: text }, place };
  const { verdicts } = program.change([action], `created ${listType} ${quoted(text)}`);
  if (verdicts[0] !== 'ok') return refused(`The ${listType} cannot be created here.`);
  setCollapsed(program, [place.parent], false);
  program.sidebar.invalidate();
  program.sidebar.cursor = id;
  if (listType === 'list') program.open({ type: 'list', id });
  return announced(`Created ${listType} ${quoted(text)}.`);
}

function rename(program: Program): CommandResult {
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
  return list.fields.listType === 'folder' ? 'folder' : 'list';
}

function siblingsOf(program: Program, list: Row): { readonly rows: readonly Row[]; readonly at: number } {
  const parent = placeOf(list)?.parent;
  const rows = program.sidebar.lines.map(({ row }) => row).filter((row) => placeOf(row)?.parent === parent);
  return { rows, at: rows.findIndex(({ id }) => id === list.id) };
}

export function placeList(program: Program, list: Row, position: Position): CommandResult {
  const name = `${kindOf(list)} ${quoted(nameOf(list))}`;
  program.change([{ a: 'place', id: list.id, place: position }], `moved ${name}`);
  program.sidebar.invalidate();
  const folder = position.parent === placeOf(list)?.parent ? undefined : program.replica.row(position.parent);
  if (folder?.fields.listType === 'folder') return announced(`Moved ${name} into ${quoted(nameOf(folder))}.`);
  if (position.parent !== placeOf(list)?.parent) return announced(`Moved ${name} out of its folder.`);
  return announced(`Moved ${name} ${position.before === undefined ? 'down' : 'up'}.`);
}

function nest(program: Program): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  const { rows, at } = siblingsOf(program, list);
  const above = rows[at - 1];
  if (above?.fields.listType !== 'folder') return refused('Only a folder directly above can take it in.');
  setCollapsed(program, [above.id], false);
  return placeList(program, list, { parent: above.id });
}

function unnest(program: Program): CommandResult {
  const list = currentList(program);
  const folder = list && program.replica.row(placeOf(list)?.parent ?? list.id);
  const parent = placeOf(folder)?.parent;
  if (!list || folder?.fields.listType !== 'folder' || !parent) return refused('It is in no folder.');
  return placeList(program, list, { parent, after: folder.id });
}

function moveBy(program: Program, step: 1 | -1): CommandResult {
  const list = currentList(program);
  if (!list) return refused('Open a list first.');
  const { rows, at } = siblingsOf(program, list);
  const other = rows[at + step];
  const parent = placeOf(list)?.parent;
  const isBlocked = other === undefined || other.fields.listType === 'inbox' || parent === undefined;
  if (isBlocked) return refused(step < 0 ? 'It is the first already.' : 'It is the last already.');
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

/** The open place, if it is the list or in it, gives way to the Inbox. */
function leaveIfInside(program: Program, list: Id): void {
  const { place: open } = program.workspace;
  if (open.type === 'trash') return;
  const holds = open.id === list || program.workspace.hasAncestorIn(open.id, new Set([list]));
  if (!holds) return;
  const { pane } = program;
  program.open({ type: 'list', id: program.workspace.inbox });
  // The search that lay over it went with it.
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
  return announced(`Deleted ${name}.`);
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
  const isFolder = row?.fields.listType === 'folder';
  if (row && isFolder && setCollapsed(program, [row.id], collapsed) > 0) {
    program.sidebar.invalidate();
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
      'by duration',
      'unsort',
      'by hand',
    ],
    group: 'Lists',
    args: [{ name: 'by', kind: 'choice', prompt: 'Keep it sorted by what?', choices: sortChoices }],
    when: needsTasks,
    chosen: (program) => valueOf(currentList(program)?.fields.sort as PersistentSort | null | undefined),
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
    when: needsOwnList,
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
