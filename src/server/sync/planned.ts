// Plans: writes of server code that is no device (the API, mail, links). A plan decides inside the write transaction, from
// the stored rows at that moment, so that nothing can come between reading and writing. Carried out by push.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ReadSet } from '../data/store.ts';

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
