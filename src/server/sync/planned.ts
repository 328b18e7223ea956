// Plans: writes of server code that is no device (the API, mail, links). A plan decides inside the write transaction, from
// the stored rows at that moment, so that nothing can come between reading and writing. Carried out by push.ts.
import type { Id } from '#core/ids.ts';
import { assert } from '#core/assert.ts';
import type { PlannedAction, PlanView } from '#api/ports.ts';
import type { ReadSet, WriteTransaction } from '../data/store.ts';
import { MissingRead, type WorkingSet } from './working-set.ts';

/** Far more reads than the deepest tree and the most crowded gap need. */
export const MOST_READS = 10_000;

/** A write that decides inside its transaction. */
export interface Plan {
  readonly scopes: readonly Id[];
  /** Read in advance, so that deciding need not stop for it. */
  readonly want: ReadSet;
  /** Null: refused; nothing is written. May be called several times. */
  decide(view: PlanView): readonly PlannedAction[] | null;
}

/** The part of a read set in one scope. */
export function ofScope(want: ReadSet, scope: Id): ReadSet {
  return {
    rows: want.rows.filter((row) => row.scope === scope),
    ancestors: want.ancestors.filter((row) => row.scope === scope),
    siblings: want.siblings.filter((query) => query.scope === scope),
  };
}

export function joined(wants: readonly ReadSet[]): ReadSet {
  return {
    rows: wants.flatMap(({ rows }) => rows),
    ancestors: wants.flatMap(({ ancestors }) => ancestors),
    siblings: wants.flatMap(({ siblings }) => siblings),
  };
}

/** What a plan sees. Reads of what is not loaded throw MissingRead. */
export function viewOf(setOf: (scope: Id) => WorkingSet | undefined): PlanView {
  return {
    row: (scope, id) => setOf(scope)?.row(id),
    absence: (scope, id) => setOf(scope)?.absence(id) ?? 'unknown',
  };
}

/** Lets a plan decide, and reads what it turns out to need. Null: refused. */
export async function decided(
  tx: WriteTransaction,
  plan: Plan,
  setOf: (scope: Id) => WorkingSet | undefined,
): Promise<readonly PlannedAction[] | null> {
  const view = viewOf(setOf);
  for (let reads = 0; ; reads += 1) {
    assert(reads < MOST_READS, 'a plan asks for what it was given');
    try {
      return plan.decide(view);
    } catch (error) {
      if (!(error instanceof MissingRead)) throw error;
      const set = setOf(error.scope);
      assert(set !== undefined, 'a plan reads the scopes it named');
      await set.load(tx, error.want);
    }
  }
}
