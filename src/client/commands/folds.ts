// Commands that expand and collapse a task or its parent, like the fold keys of an editor.
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, refused } from './define.ts';
import { fold } from './folding.ts';

const NO_SUBTASKS = 'No subtasks here.';

function canFold({ workspace: { outline } }: Program): boolean {
  return outline.showsNested ?? outline.isTree;
}

/** The task at the cursor if it has subtasks and its state is `collapsed`; else its parent. Null: none. */
function foldOf(program: Program, collapsed: boolean): Id | null {
  const { cursor, children, facts, outline } = program.workspace;
  if (cursor === null || !canFold(program)) return null;
  if (children.has(cursor) && facts.isCollapsed(cursor) === collapsed) return cursor;
  const parent = collapsed ? undefined : program.workspace.parentOf(cursor);
  return parent !== undefined && outline.has(parent) ? parent : null;
}

function collapse(program: Program): CommandResult {
  const id = foldOf(program, false);
  if (id === null) return refused('Nothing to collapse here.');
  program.workspace.outline.prefer?.(program.workspace.outline.indexOf(id));
  program.moveTo(id);
  fold(program, [id], true);
  return done;
}

function expand(program: Program): CommandResult {
  const id = foldOf(program, true);
  if (id === null) return refused('Nothing to expand here.');
  fold(program, [id], false);
  return done;
}

/** The task with every descendant that has children. */
function beneath(program: Program): Id[] {
  const { cursor, children } = program.workspace;
  const found: Id[] = [];
  const waiting: Id[] = cursor === null || !canFold(program) ? [] : [cursor];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (!children.has(id)) continue;
    found.push(id);
    waiting.push(...children.of(id).items.map((child) => child.id));
  }
  return found;
}

function foldBeneath(program: Program, collapsed: boolean): CommandResult {
  const ids = beneath(program);
  if (ids.length === 0) return refused(NO_SUBTASKS);
  fold(program, ids, collapsed);
  return done;
}

const keys = { group: 'View', inPalette: false } as const;

export const foldCommands: readonly Command[] = [
  define({
    ...keys,
    id: 'view.foldToggle',
    title: 'Expand, or collapse it or its parent',
    run: (program) => (foldOf(program, true) === null ? collapse(program) : expand(program)),
  }),
  define({ ...keys, id: 'view.foldOpen', title: 'Expand', run: expand }),
  define({ ...keys, id: 'view.foldClose', title: 'Collapse it or its parent', run: collapse }),
  define({
    ...keys,
    id: 'view.foldOpenBeneath',
    title: 'Expand with all subtasks',
    run: (program) => foldBeneath(program, false),
  }),
  define({
    ...keys,
    id: 'view.foldCloseBeneath',
    title: 'Collapse with all subtasks',
    run: (program) => foldBeneath(program, true),
  }),
  define({
    ...keys,
    id: 'view.foldToggleBeneath',
    title: 'Expand or collapse with all subtasks',
    run: (program) => foldBeneath(program, foldOf(program, true) === null),
  }),
];
