// Makes what an import planned, one transaction after another, with pauses so that keys are answered. One undo takes all of it back, however
// much had come when it was stopped.
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import { issueBatches } from '../commands/batches.ts';
import type { Program } from '../app/program.ts';

/** Small enough for a frame: a transaction may hold more. */
const BATCH = Math.min(50, limits.transactionOperations);

/** What came of it. */
export interface Made {
  /** Actions that were issued: all, or as many as there were when it was stopped. */
  readonly done: number;
  readonly refused: number;
  readonly why: ReadonlySet<Verdict>;
}

/** Issues all actions as one undo group. `goesOn`: asked before each batch; false stops it there. */
export function makeImport(
  program: Program,
  actions: readonly Action[],
  job: {
    readonly label: string;
    readonly goesOn: () => boolean;
    readonly progress: (share: number) => void;
    readonly done: (made: Made) => void;
  },
): void {
  const batches = Array.from({ length: Math.ceil(actions.length / BATCH) }, (_, at) =>
    actions.slice(at * BATCH, (at + 1) * BATCH),
  );
  issueBatches(program, {
    batches,
    label: job.label,
    group: program.replica.newId(),
    atomic: true,
    goesOn: job.goesOn,
    progress: (made) => job.progress(made / actions.length),
    done(verdicts) {
      const refused = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'exists');
      job.done({ done: verdicts.length, refused: refused.length, why: new Set(refused) });
    },
  });
}
