// Collapsing and expanding. It is one person's own view of a task, stored with their personal fields and not part of
// undo.
import { mineId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Program } from '../app/program.ts';
import { tellFolded } from '../app/spoken.ts';

function foldAction(program: Program, of: Id, collapsed: boolean): Action {
  const id = mineId(program.replica.scope, of);
  if (program.replica.row(id)) return { a: 'set', id, field: 'collapsed', value: collapsed ? true : null };
  return { a: 'create', id, type: 'mine', fields: { of, collapsed: true } };
}

/** Collapses or expands by a key, and announces what that hides or shows. */
export function fold(program: Program, ids: readonly Id[], collapsed: boolean): void {
  const { length } = program.workspace.outline;
  if (setCollapsed(program, ids, collapsed) === 0) return;
  tellFolded(program, collapsed, Math.abs(program.workspace.outline.length - length));
}

/** Collapses or expands the tasks that differ. Returns how many did. */
export function setCollapsed(program: Program, ids: readonly Id[], collapsed: boolean): number {
  const changing = ids.filter((id) => program.workspace.facts.isCollapsed(id) !== collapsed);
  const actions = changing.map((id) => foldAction(program, id, collapsed));
  for (let from = 0; from < actions.length; from += limits.transactionOperations) {
    program.change(actions.slice(from, from + limits.transactionOperations), 'folded', { undoable: false });
  }
  return changing.length;
}
