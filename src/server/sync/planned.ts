// Plans: writes of server code that is no device (the API, mail, links). A plan decides inside the write transaction, from
// the stored rows at that moment, so that nothing can come between reading and writing. Carried out by push.ts.
import type { Id } from '#core/ids.ts';
import type { Action, VisitorMark } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { assert } from '#core/assert.ts';
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

/** The stored rows as a deciding plan sees them. */
export interface PlanView {
  /** Throws if the row is not loaded: the caller loads it and decides again. */
  row(scope: Id, id: Id): Row | undefined;
  absence(scope: Id, id: Id): 'unknown' | 'purged' | 'elsewhere';
}

/** One action of a plan, with the ids of its operation. */
export interface PlannedAction {
  readonly scope: Id;
  readonly action: Action;
  /** Ids of the operation, of its atomic change, and of its undo group. */
  readonly u: Id;
  readonly x: Id;
  readonly g: Id;
  /** The visitor of a public link who does it. */
  readonly via?: VisitorMark;
  /** When it counts as written, milliseconds, if that is earlier than now: what devices hold of the same row may be younger. */
  readonly at?: number;
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

/** Lets a plan decide, and reads what it turns out to need. Null: refused. */
export async function decided(
  tx: WriteTransaction,
  plan: Plan,
  setOf: (scope: Id) => WorkingSet | undefined,
): Promise<readonly PlannedAction[] | null> {
  const view: PlanView = {
    row: (scope, id) => setOf(scope)?.row(id),
    absence: (scope, id) => setOf(scope)?.absence(id) ?? 'unknown',
  };
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
