// Helpers for commands on many rows.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from './batches.ts';

/** The rows of these ids, in that order; omits those that are not here. */
export function rowsOf(program: Program, ids: readonly Id[]): Row[] {
  return ids.flatMap((id) => program.replica.row(id) ?? []);
}

/** Actions that one key may wait for; the rest follow frame by frame. */
const AT_ONCE = 4 * limits.transactionOperations;

/**
 * Issues any number of actions as one undo group, in transactions small enough for every server. Returns the failures
 * among those issued at once; usually none.
 */
export function inBatches(
  program: Program,
  actions: readonly Action[],
  label: string,
  group: Id = program.gestureOf(),
): ReadonlySet<Verdict> {
  const verdicts = issueBatches(program, {
    batches: inTransactions(actions),
    label,
    group,
    atomic: true,
    renames: false,
    atOnce: AT_ONCE,
  });
  return new Set(verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already'));
}
