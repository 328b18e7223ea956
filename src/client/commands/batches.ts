// Issues any number of actions as one undo group, in transactions that every server takes, without holding up a frame.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import type { ChangeOptions, Program } from '../app/program.ts';

/** The actions of one transaction, or what makes them when its turn has come. */
type Batch = readonly Action[] | (() => readonly Action[]);

export interface BatchJob extends Omit<ChangeOptions, 'group' | 'undoable'> {
  readonly batches: readonly Batch[];
  /** What undo calls it. */
  readonly label: string;
  readonly group: Id;
  /** Batches follow each other at once until so many actions were made; the others follow a frame apart. */
  readonly atOnce?: number;
  /** Asked before each batch that follows another; false: this one and the rest are left. */
  readonly goesOn?: () => boolean;
  /** Told after each batch but the last, with the number of actions made so far. */
  readonly progress?: (made: number, isFirst: boolean) => void;
  /** Told after the last batch that was made, with the verdicts of its and all earlier actions in order. */
  readonly done?: (verdicts: readonly Verdict[]) => void;
}

/** Parts of at most as many as one transaction may hold, in order. */
export function inTransactions<Item>(items: readonly Item[]): Item[][] {
  const size = limits.transactionOperations;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Returns the verdicts of what was issued at once. */
export function issueBatches(program: Program, job: BatchJob): readonly Verdict[] {
  const { batches, label, atOnce = 1, goesOn, progress, done, ...options } = job;
  const verdicts: Verdict[] = [];
  let made = 0;
  const goOn = (first: number): void => {
    for (let at = first; at < batches.length && (at === 0 || goesOn?.() !== false); at += 1) {
      const batch = batches[at] ?? [];
      const actions = typeof batch === 'function' ? batch() : batch;
      if (actions.length > 0) verdicts.push(...program.change(actions, label, options).verdicts);
      made += actions.length;
      if (at === batches.length - 1) break;
      progress?.(made, at === 0);
      if (made < atOnce) continue;
      program.batchesLeft += 1;
      program.later(() => {
        program.batchesLeft -= 1;
        goOn(at + 1);
      });
      return;
    }
    done?.(verdicts);
  };
  goOn(0);
  return [...verdicts];
}
