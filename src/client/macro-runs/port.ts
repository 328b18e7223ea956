// Runs of macros that programs ask the server for, as a device gets them. The platform implements it in
// web/platform/account/macro-runs-port.ts; of several pages of a browser the one with the live connection hears of them.
import type { Id } from '#core/ids.ts';
import type { RunOutcome, TakenRun } from '#wire/macro-runs.ts';

/** A run that did not begin, or broke off. The sentence is a short one. */
export const stopped = (message: string): RunOutcome => ({
  state: 'stopped',
  message,
  changed: 0,
  created: 0,
  deleted: 0,
  changes: [],
});

/** Takes runs, and tells what came of them. */
export interface MacroRunsPort {
  /** Calls back whenever a run may wait. Returns the unsubscription. */
  listen(waiting: () => void): () => void;
  /** A run that from now on no other device gets. Null: none waits, or the server could not be asked. */
  take(): Promise<TakenRun | null>;
  /** False: the server did not get it, and may be told again. */
  tell(id: Id, outcome: RunOutcome): Promise<boolean>;
}
