// What commands do with many rows at once.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import type { Program } from '../program.ts';

export function rowsOf(program: Program, ids: readonly Id[]): Row[] {
  return ids.flatMap((id) => program.replica.row(id) ?? []);
}

/** Transactions that one key may wait for; the rest follow frame by frame. */
const AT_ONCE = 4;

/**
 * Issues any number of actions as one undo group, in transactions that every server takes. Returns why some of those
 * that were issued at once did not stand; empty mostly.
 */
export function inBatches(
  program: Program,
  actions: readonly Action[],
  label: string,
  group: Id = program.gestureOf(),
): ReadonlySet<Verdict> {
  const size = limits.transactionOperations;
  const failed = new Set<Verdict>();
  const issue = (from: number) => {
    const batch = actions.slice(from, from + size);
    const { verdicts } = program.change(batch, label, { group, atomic: true, renames: false });
    for (const verdict of verdicts) if (verdict !== 'ok' && verdict !== 'already') failed.add(verdict);
  };
  const follow = (from: number) => {
    issue(from);
    if (from + size < actions.length) program.later(() => follow(from + size));
  };
  let from = 0;
  for (; from < actions.length && from < AT_ONCE * size; from += size) issue(from);
  if (from < actions.length) program.later(() => follow(from));
  return failed;
}
