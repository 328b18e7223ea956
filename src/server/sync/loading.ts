// Runs work on the rows of a write transaction that may lack some: these are loaded, and the work runs again from the start.
import { assert } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { WriteTransaction } from '../data/store.ts';
import { MOST_READS } from './planned.ts';
import { MissingRead, type WorkingSet } from './working-set.ts';

/** Loads on demand what work asks for, for one transaction. */
export class Loading {
  readonly #tx: WriteTransaction;
  readonly #setOf: (scope: Id) => WorkingSet;

  /** `setOf` throws when the transaction did not lock the scope. */
  constructor(tx: WriteTransaction, setOf: (scope: Id) => WorkingSet) {
    this.#tx = tx;
    this.#setOf = setOf;
  }

  /** What work on these sets returns; at once, if everything that it reads is there. */
  run<T>(work: () => T, sets: readonly WorkingSet[]): T | Promise<T> {
    const marks = sets.map((set) => set.mark());
    const attempt = (): T | MissingRead => {
      try {
        return work();
      } catch (error) {
        for (const [at, set] of sets.entries()) set.rollback(marks[at] ?? 0);
        if (error instanceof MissingRead) return error;
        throw error;
      }
    };
    const first = attempt();
    return first instanceof MissingRead ? this.#runOn(first, attempt) : first;
  }

  async #runOn<T>(missing: MissingRead, attempt: () => T | MissingRead): Promise<T> {
    let { scope, want } = missing;
    for (let reads = 0; ; reads += 1) {
      assert(reads < MOST_READS, 'an operation asks for what it was given');
      await this.#setOf(scope).load(this.#tx, want);
      const done = attempt();
      if (!(done instanceof MissingRead)) return done;
      ({ scope, want } = done);
    }
  }
}
