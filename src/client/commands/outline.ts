// Commands that create tasks and move them in the outline: new, indent, outdent, up, down.
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { setMine } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { tellLevel, tellPlace } from '../app/spoken.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, refused } from './define.ts';
import { needsRoot, needsTree } from './needs.ts';
import { setCollapsed } from './folding.ts';
import { inBatches, rowsOf } from './rows.ts';
import { smartLists } from '../search/smart-lists.ts';

/** Creates an empty task and starts editing it, in the frame of the key. */
export function createTask(
  program: Program,
  place: Position,
  fields: Readonly<Record<string, unknown>> = {},
  snooze?: When,
): CommandResult {
  const group = program.replica.newId();
  const id = program.replica.newId();
  const action: Action = { a: 'create', id, type: 'task', fields, place };
  const mine = snooze === undefined ? [] : setMine(program.replica, id, { snooze });
  const { verdicts } = program.change([action, ...mine], 'added a task', { group });
  if (verdicts[0] !== 'ok') return refused('You can’t add tasks here.');
  program.workspace.selection.clear();
  program.moveTo(id);
  program.pane = 'outline';
  program.edit(id, 'end', { fresh: true, group });
  return done;
}

/** The position directly below the row, as its sibling. */
export function positionBelow(program: Program, row: Row): Position {
  const parent = placeOf(row)?.parent ?? program.workspace.inbox;
  const next = program.workspace.children.neighbour(row, 1);
  return { parent, after: row.id, ...(next === undefined ? {} : { before: next }) };
}

/**
 * Leaves the text. The position of the next task: below the row, where the row was if its title moved it to another list,
 * or below the cursor if the row is gone.
 */
export function leaveFor(program: Program, row: Row | undefined): Position {
  const { children } = program.workspace;
  const parent = placeOf(row)?.parent;
  const before = row && children.neighbour(row, 1);
  const after = row && children.neighbour(row, -1);
  program.leaveText();
  const now = row && program.replica.row(row.id);
  if (parent !== undefined && now?.type === 'task' && placeOf(now)?.parent !== parent)
    return { parent, ...(after && { after }), ...(before && { before }) };
  const below = cursorInTree(program);
  return below
    ? positionBelow(program, below)
    : { parent: program.workspace.root ?? program.workspace.inbox };
}

function cursorInTree(program: Program): Row | undefined {
  const { workspace } = program;
  return workspace.outline.isTree ? workspace.cursorRow : undefined;
}

/** A new task that is still empty already fulfills the request. */
function isOnNewLine(program: Program): boolean {
  const draft = program.editor.title;
  return draft?.fresh === true && draft.text === '';
}

/** In a smart list: with the values its query asks for. */
function createInSmart(program: Program): CommandResult {
  const made = program.part(smartLists).newTask();
  if (!made.ok) return refused(made.problem);
  const { parent, fields, snooze } = made.value;
  return createTask(program, { parent }, fields, snooze);
}

function createBelow(program: Program): CommandResult {
  if (isOnNewLine(program)) return done;
  const place = leaveFor(program, cursorInTree(program));
  if (program.part(smartLists).open !== null) return createInSmart(program);
  return createTask(program, place);
}

function createAbove(program: Program): CommandResult {
  if (isOnNewLine(program)) return done;
  program.leaveText();
  if (program.part(smartLists).open !== null) return createInSmart(program);
  const row = cursorInTree(program);
  const root = program.workspace.root ?? program.workspace.inbox;
  const parent = placeOf(row)?.parent;
  return createTask(program, row && parent ? { parent, before: row.id } : { parent: root, at: 'start' });
}

function createChild(program: Program): CommandResult {
  if (isOnNewLine(program)) return done;
  program.leaveText();
  const { outline, cursorRow } = program.workspace;
  const isInSmart = program.part(smartLists).open !== null && outline.showsNested === true;
  const row = isInSmart ? cursorRow : cursorInTree(program);
  if (!row) return createBelow(program);
  setCollapsed(program, [row.id], false);
  return createTask(program, { parent: row.id });
}

/** Moves rows and keeps cursor, caret and selection on them. */
function rearrange(
  program: Program,
  actions: readonly Action[],
  verb: 'indented' | 'outdented' | 'moved',
  ids: readonly Id[] = actions.map((action) => action.id),
): CommandResult {
  inBatches(program, actions, `${verb} ${program.describe(ids)}`);
  if (verb === 'moved') tellPlace(program, ids);
  else tellLevel(program, ids, verb);
  program.editor.holdCaret();
  program.rows.follow();
  return done;
}

function indent(program: Program): CommandResult {
  program.editor.flush();
  const { workspace } = program;
  const roots = rowsOf(program, workspace.targetRoots());
  const newParents = new Map<Id, Id>();
  const moving = new Set(roots.map(({ id }) => id));
  for (const row of roots) {
    const previous = workspace.children.neighbour(row, -1);
    if (previous === undefined) continue;
    const parent = moving.has(previous) ? newParents.get(previous) : previous;
    if (parent !== undefined) newParents.set(row.id, parent);
  }
  if (newParents.size === 0) return refused('No task above to indent it under.');
  setCollapsed(program, [...new Set(newParents.values())], false);
  const actions = [...newParents].map(([id, parent]): Action => ({ a: 'place', id, place: { parent } }));
  return rearrange(program, actions, 'indented');
}

function outdent(program: Program): CommandResult {
  program.editor.flush();
  const { workspace } = program;
  const actions: Action[] = [];
  const lastMoved = new Map<Id, Id>();
  for (const row of rowsOf(program, workspace.targetRoots())) {
    const parent = program.replica.row(placeOf(row)?.parent ?? row.id);
    const above = placeOf(parent)?.parent;
    if (parent?.type !== 'task' || parent.id === workspace.root || above === undefined) continue;
    const after = lastMoved.get(parent.id) ?? parent.id;
    lastMoved.set(parent.id, row.id);
    actions.push({ a: 'place', id: row.id, place: { parent: above, after } });
  }
  if (actions.length === 0) return refused('It’s already at the top level.');
  return rearrange(program, actions, 'outdented');
}

/** The targets as runs of adjacent siblings. */
function runsOf(program: Program): Row[][] {
  const runs: Row[][] = [];
  for (const row of rowsOf(program, program.workspace.targetRoots())) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && program.workspace.children.neighbour(last, 1) === row.id) run.push(row);
    else runs.push([row]);
  }
  return runs;
}

function placeRun(run: readonly Row[], first: Position): Action[] {
  return run.map((row, index): Action => {
    const before = run[index - 1];
    const place = before ? { parent: first.parent, after: before.id } : first;
    return { a: 'place', id: row.id, place };
  });
}

/** Above this, a run moves past its neighbor by moving the neighbor: one move instead of many. */
const MANY = 50;

function moveUp(program: Program): CommandResult {
  program.editor.flush();
  const actions = runsOf(program).flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    const parent = placeOf(first)?.parent;
    const previous = first && program.workspace.children.neighbour(first, -1);
    if (!parent || !previous || !last) return [];
    if (run.length <= MANY) return placeRun(run, { parent, before: previous });
    return [{ a: 'place', id: previous, place: positionBelow(program, last) } as const];
  });
  return actions.length === 0
    ? refused('It’s already the first task.')
    : rearrange(program, actions, 'moved', program.workspace.targetRoots());
}

function moveDown(program: Program): CommandResult {
  program.editor.flush();
  const actions = runsOf(program)
    .toReversed()
    .flatMap((run) => {
      const last = run.at(-1);
      const [first] = run;
      const parent = placeOf(last)?.parent;
      const next = last && program.workspace.children.neighbour(last, 1);
      if (!parent || !next || !first) return [];
      if (run.length <= MANY) return placeRun(run, { parent, after: next });
      return [{ a: 'place', id: next, place: { parent, before: first.id } } as const];
    });
  return actions.length === 0
    ? refused('It’s already the last task.')
    : rearrange(program, actions, 'moved', program.workspace.targetRoots());
}

export const outlineCommands: readonly Command[] = [
  define({
    id: 'task.createBelow',
    title: 'New task',
    aliases: ['add', 'create', 'insert below', 'new item'],
    group: 'Tasks',
    isAboutTask: false,
    when: needsRoot,
    run: createBelow,
  }),
  define({
    id: 'task.createAbove',
    title: 'New task above',
    aliases: ['add above', 'insert above', 'prepend'],
    group: 'Tasks',
    when: needsRoot,
    run: createAbove,
  }),
  define({
    id: 'task.createChild',
    title: 'New subtask',
    aliases: ['add child', 'nested task', 'step'],
    group: 'Tasks',
    when: needsRoot,
    run: createChild,
  }),
  define({
    id: 'task.indent',
    title: 'Indent task',
    aliases: ['nest', 'make subtask', 'demote'],
    group: 'Tasks',
    repeats: true,
    when: needsTree,
    run: indent,
  }),
  define({
    id: 'task.outdent',
    title: 'Outdent task',
    aliases: ['unnest', 'promote', 'unindent'],
    group: 'Tasks',
    repeats: true,
    when: needsTree,
    run: outdent,
  }),
  define({
    id: 'task.moveUp',
    title: 'Move task up',
    aliases: ['reorder', 'raise'],
    group: 'Tasks',
    repeats: true,
    when: needsTree,
    run: moveUp,
  }),
  define({
    id: 'task.moveDown',
    title: 'Move task down',
    aliases: ['reorder', 'lower'],
    group: 'Tasks',
    repeats: true,
    when: needsTree,
    run: moveDown,
  }),
];
