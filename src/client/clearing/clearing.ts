// Clearing by command, and bringing tasks back. Loaded with the dialogs' parts; automatic clearing is in automatic.ts.
import type { Id } from '#core/ids.ts';
import type { Status } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { isCleared, isDone, statusOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import type { Program } from '../app/program.ts';

/** Actions that clear complete tasks, each at its moment in milliseconds. */
export function clearActions(rows: readonly Row[], momentOf: (row: Row) => number): readonly Action[] {
  return rows.map((row) => {
    const value: Status = { done: statusOf(row)?.done ?? 0, cleared: momentOf(row) };
    return { a: 'set', id: row.id, field: 'status', value };
  });
}

export function clearChosen(program: Program): CommandResult {
  program.leaveText();
  const { workspace, replica } = program;
  const rows = rowsOf(program, workspace.targets());
  const open = rows.filter((row) => !isDone(row));
  if (open.length > 0) {
    const name = program.describe(open.map(({ id }) => id));
    return refused(
      `${name} ${open.length === 1 ? 'is' : 'are'} not complete. You can only clear completed tasks.`,
    );
  }
  const left = rows.filter((row) => !isCleared(row));
  if (left.length === 0) return refused('Already cleared.', 'info');
  const holding = left.filter(({ id }) =>
    workspace.children.of(id).items.some((child) => !child.done || hasOpenUnder(program, child.id)),
  );
  if (holding.length > 0) {
    const name = program.describe(holding.map(({ id }) => id));
    return refused(`${name} still has open subtasks. Complete or move them first.`);
  }
  const name = program.describe(left.map(({ id }) => id));
  const now = replica.now();
  inBatches(
    program,
    clearActions(left, () => now),
    `cleared ${name}`,
  );
  return announced(`Cleared ${name}.`);
}

function hasOpenUnder(program: Program, id: Row['id']): boolean {
  const { children } = program.workspace;
  return children.of(id).items.some((child) => !child.done || hasOpenUnder(program, child.id));
}

export function bringBackCleared(program: Program): CommandResult {
  program.leaveText();
  const rows = rowsOf(program, program.workspace.targets()).filter(isCleared);
  if (rows.length === 0) return refused('That isn’t cleared. To see cleared tasks, search is:cleared.');
  const name = program.describe(rows.map(({ id }) => id));
  const actions = rows.map((row): Action => {
    const value: Status = { done: statusOf(row)?.done ?? 0 };
    return { a: 'set', id: row.id, field: 'status', value };
  });
  inBatches(program, actions, `brought back ${name}`);
  return announced(`${name} ${rows.length === 1 ? 'is' : 'are'} back in the list, still complete.`);
}

/** Completed tasks under the open place, except those with open subtasks. */
function clearable(program: Program): Row[] {
  const { root, children } = program.workspace;
  if (root === null) return [];
  const found: Row[] = [];
  const order: Id[] = [];
  const waiting: Id[] = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    order.push(id);
    for (const child of children.of(id).items) waiting.push(child.id);
  }
  const hasOpen = new Set<Id>();
  for (const id of order.toReversed()) {
    const row = program.replica.row(id);
    if (row?.type !== 'task' || id === root) continue;
    const keeps = !isDone(row) || hasOpen.has(id);
    const parent = program.workspace.parentOf(id);
    if (keeps && parent) hasOpen.add(parent);
    if (!keeps) found.push(row);
  }
  return found;
}

export function clearCompleted(program: Program): CommandResult {
  program.leaveText();
  const rows = clearable(program);
  if (rows.length === 0) return refused('Nothing to clear here.');
  const cleared = program.replica.now();
  const actions = clearActions(rows, () => cleared);
  const name =
    rows.length === 1 ? program.describe(rows.map(({ id }) => id)) : `${rows.length} completed tasks`;
  inBatches(program, actions, `cleared ${name}`);
  return announced(`Cleared ${name}.`);
}
