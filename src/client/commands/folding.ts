// Collapsing and expanding. It is one person's own view of a task, kept with them and not part of undo.
import { mineId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/operation.ts';
import type { Program } from '../program.ts';

function foldAction(program: Program, of: Id, collapsed: boolean): Action {
  const id = mineId(program.replica.scope, of);
  if (program.replica.row(id)) return { a: 'set', id, field: 'collapsed', value: collapsed ? true : null };
  return { a: 'create', id, type: 'mine', fields: { of, collapsed: true } };
}

/** Collapses or expands those that are not so already. Returns how many. */
export function setCollapsed(program: Program, ids: readonly Id[], collapsed: boolean): number {
  const changing = ids.filter((id) => program.workspace.facts.isCollapsed(id) !== collapsed);
  const actions = changing.map((id) => foldAction(program, id, collapsed));
  for (let from = 0; from < actions.length; from += limits.transactionOperations) {
    program.change(actions.slice(from, from + limits.transactionOperations), 'folded', { undoable: false });
  }
  return changing.length;
}
