// Commands that move the cursor, the focus between panes, and from place to place.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Pane, Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { builtInOf } from '../search/built-in.ts';
import { openBuiltIn } from '../search/open-built-in.ts';
import { tellSelected } from '../app/spoken.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, passed, refused } from './define.ts';
import { needsTask } from './needs.ts';
import { fold, setCollapsed } from './folding.ts';

/** Moves by lines; stays at the ends. */
export function moveBy(program: Program, lines: number, extend: boolean): CommandResult {
  const { workspace } = program;
  const { outline, cursorIndex } = workspace;
  if (outline.length === 0) return done;
  const index = Math.max(0, Math.min(outline.length - 1, cursorIndex + lines));
  const to = outline.at(index);
  if (to === undefined) return done;
  outline.prefer?.(index);
  if (extend) {
    workspace.selection.extendTo(outline, to);
    tellSelected(program);
  } else workspace.selection.put(outline, to);
  program.rows.follow();
  return done;
}

const END = Number.MAX_SAFE_INTEGER / 2;

function movement(id: string, title: string, lines: (program: Program) => number): Command[] {
  const common = { group: 'Go to', inPalette: false, repeats: true } as const;
  return [
    define({
      ...common,
      id: `cursor.${id}`,
      title,
      run: (program) => moveBy(program, lines(program), false),
    }),
    define({
      ...common,
      id: `cursor.${id}Extend`,
      title: `${title}, selecting`,
      group: 'Selection',
      run: (program) => moveBy(program, lines(program), true),
    }),
  ];
}

function canFold({ workspace: { outline } }: Program): boolean {
  return outline.showsNested ?? outline.isTree;
}

function goRight(program: Program): CommandResult {
  const { workspace } = program;
  const { cursor } = workspace;
  if (cursor === null || !canFold(program) || !workspace.children.has(cursor)) return done;
  if (workspace.facts.isCollapsed(cursor)) fold(program, [cursor], false);
  else moveBy(program, 1, false);
  return done;
}

function goLeft(program: Program): CommandResult {
  const { workspace } = program;
  const row = workspace.cursorRow;
  if (!row || !canFold(program)) return done;
  if (workspace.children.has(row.id) && !workspace.facts.isCollapsed(row.id)) {
    fold(program, [row.id], true);
    return done;
  }
  const parent = placeOf(row)?.parent;
  if (parent !== undefined && workspace.outline.has(parent)) program.moveTo(parent);
  return done;
}

function focusIn(program: Program): CommandResult {
  const row = program.workspace.cursorRow;
  if (row?.type !== 'task') return refused('Select a task first.');
  program.open({ type: 'task', id: row.id });
  return announced(`Focused on ${nameOf(row)}.`);
}

export function focusOut(program: Program): CommandResult {
  const { place } = program.workspace;
  if (place.type !== 'task') return refused('No task is focused.');
  const row = program.replica.row(place.id);
  const parent = placeOf(row)?.parent;
  if (!row || parent === undefined) return refused('No task is focused.');
  const isTask = program.replica.row(parent)?.type === 'task';
  program.open({ type: isTask ? 'task' : 'list', id: parent }, row.id);
  return done;
}

/** Opens the list of a search result with the cursor on it. */
function reveal(program: Program): CommandResult {
  const { cursorRow, replica } = program.workspace;
  const isRecord = cursorRow?.type === 'completion';
  const row = isRecord ? replica.row(cursorRow.fields.task) : cursorRow;
  return row && revealRow(program, row) ? done : refused('Select a task first.');
}

/** Opens the list of a task with the cursor on it. False where it is in none. */
export function revealRow(program: Program, row: Row): boolean {
  const list = program.workspace.listOf(row.id);
  if (!list) return false;
  const above: Id[] = [];
  for (const id of program.workspace.idsAbove(row.id)) {
    if (id === list.id) break;
    above.push(id);
  }
  setCollapsed(program, above, false);
  program.open({ type: 'list', id: list.id }, row.id);
  return true;
}

/** Escape: closes one thing at a time, the nearest first. */
function escape(program: Program): CommandResult {
  program.tabPasses = true;
  if (program.workspace.selection.clear()) return announced('Nothing selected.');
  if (program.query !== null) {
    program.query = null;
    program.workspace.hideResults();
    if (program.pane === 'search') program.pane = 'outline';
    program.rows.follow();
    return done;
  }
  if (program.messages.current) program.messages.clear();
  return program.workspace.place.type === 'task' ? focusOut(program) : done;
}

function panesOf(program: Program): readonly Pane[] {
  const panes: Pane[] = [];
  if (program.sidebar.visible.get()) panes.push('sidebar');
  if (program.query !== null) panes.push('search');
  panes.push('outline');
  if (program.editor.notes !== null) panes.push('notes');
  return panes;
}

function goToPane(program: Program, step: 1 | -1): CommandResult {
  program.leaveText();
  program.editor.flush();
  const panes = panesOf(program);
  const at = Math.max(0, panes.indexOf(program.pane));
  program.pane = panes[(at + step + panes.length) % panes.length] ?? 'outline';
  return done;
}

function stepPlace(program: Program, by: 1 | -1): CommandResult {
  if (program.step(by)) return done;
  return refused(by < 0 ? 'Nothing to go back to.' : 'Nothing to go forward to.');
}

const movements: readonly Command[] = [
  ...movement('down', 'Next task', () => 1),
  ...movement('up', 'Previous task', () => -1),
  ...movement('pageDown', 'Page down', ({ rows }) => rows.fit),
  ...movement('pageUp', 'Page up', ({ rows }) => -rows.fit),
  ...movement('first', 'First task', () => -END),
  ...movement('last', 'Last task', () => END),
  define({
    id: 'cursor.right',
    title: 'Expand, or go into the task',
    group: 'Go to',
    inPalette: false,
    repeats: true,
    run: goRight,
  }),
  define({
    id: 'cursor.left',
    title: 'Collapse, or go to the parent',
    group: 'Go to',
    inPalette: false,
    repeats: true,
    run: goLeft,
  }),
  define({ id: 'outline.escape', title: 'Step out', group: 'Go to', inPalette: false, run: escape }),
];

const panes: readonly Command[] = [
  define({
    id: 'pane.next',
    title: 'Next pane',
    aliases: ['switch pane', 'focus pane'],
    group: 'Go to',
    run: (program) => goToPane(program, 1),
  }),
  define({
    id: 'pane.previous',
    title: 'Previous pane',
    aliases: ['switch pane back', 'previous part of the screen'],
    group: 'Go to',
    run: (program) => goToPane(program, -1),
  }),
  define({
    id: 'pane.outline',
    title: 'Go to the tasks',
    aliases: ['outline', 'main'],
    group: 'Go to',
    run(program) {
      program.leaveText();
      if (program.pane === 'outline') return passed;
      program.pane = 'outline';
      return done;
    },
  }),
];

const places: readonly Command[] = [
  define({
    id: 'go.inbox',
    title: 'Go to Inbox',
    aliases: ['home', 'open inbox'],
    group: 'Go to',
    run(program) {
      program.open({ type: 'list', id: program.workspace.inbox });
      return done;
    },
  }),
  define({
    id: 'go.list',
    title: 'Go to list…',
    aliases: ['open list', 'jump', 'switch list', 'project'],
    group: 'Go to',
    args: [{ name: 'list', kind: 'list', takesSmart: true, prompt: 'Go to which list?' }],
    run(program, args) {
      const id = args.list as Id;
      const row = program.replica.row(id);
      if (row?.type === 'label') return program.run('go.label', args);
      // A bookmarked task and the tasks above a focused one are places like lists.
      const place = { type: row?.type === 'task' ? 'task' : 'list', id } as const;
      const builtIn = builtInOf(program.replica.scope, id);
      if (builtIn !== null && !row) return openBuiltIn(program, builtIn);
      if (!program.workspace.exists(place)) return refused('That list is gone.');
      program.open(place);
      return done;
    },
  }),
  define({
    id: 'go.trash',
    title: 'Go to trash',
    aliases: ['deleted', 'bin', 'recycle'],
    group: 'Go to',
    run(program) {
      program.open({ type: 'trash' });
      const keys = program.keymap.keysIn(['navigate', 'global'], 'task.restore')[0];
      if (program.platform.touch || keys === undefined || program.workspace.outline.length === 0) return done;
      program.say(`${keys.join(' ')} restores a task.`, { brief: true });
      return done;
    },
  }),
  define({
    id: 'go.back',
    title: 'Go back',
    aliases: ['previous place', 'where I was', 'last list'],
    group: 'Go to',
    run: (program) => stepPlace(program, -1),
  }),
  define({
    id: 'go.forward',
    title: 'Go forward',
    aliases: ['next place', 'forward again'],
    group: 'Go to',
    run: (program) => stepPlace(program, 1),
  }),
  define({
    id: 'task.focusIn',
    title: 'Focus on task',
    aliases: ['zoom in', 'hoist', 'open task'],
    group: 'Go to',
    when: needsTask,
    run: focusIn,
  }),
  define({
    id: 'task.focusOut',
    title: 'Leave the focused task',
    aliases: ['zoom out', 'unfocus', 'unhoist', 'up'],
    group: 'Go to',
    when: ({ workspace }) => (workspace.place.type === 'task' ? null : 'No task is focused.'),
    run: focusOut,
  }),
  define({
    id: 'task.reveal',
    title: 'Show task in its list',
    aliases: ['go to task', 'locate'],
    group: 'Go to',
    when: (program) => (program.workspace.isTrash ? 'Restore it from the trash first.' : needsTask(program)),
    run: reveal,
  }),
];

export const navigationCommands: readonly Command[] = [...movements, ...panes, ...places];
