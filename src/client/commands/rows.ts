// What commands do with many rows at once.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import type { Program } from '../program.ts';

export function rowsOf(program: Program, ids: readonly Id[]): Row[] {
  return ids.flatMap((id) => program.replica.row(id) ?? []);
}

/** Issues any number of actions as one undo group, in transactions that every server takes. */
export function inBatches(program: Program, actions: readonly Action[], label: string): void {
  for (let from = 0; from < actions.length; from += limits.transactionOperations) {
    program.change(actions.slice(from, from + limits.transactionOperations), label, { atomic: true });
  }
}
