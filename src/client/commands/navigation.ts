// Commands that move the cursor, and go from place to place. places.ts has those that can load later.
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { builtInOf } from '../search/built-in.ts';
import { openBuiltIn } from '../search/open-built-in.ts';
import { tellSelected } from '../app/spoken.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, refused } from './define.ts';
import { needsTask } from './needs.ts';
import { fold } from './folding.ts';

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
];

export const navigationCommands: readonly Command[] = [...movements, ...places];
