// Plans: what doors that are no devices (the API, mail, links) want written. A plan decides inside the write transaction, from
// what is stored at that moment, so that nothing can come between looking and writing. Carried out by push.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import type { ReadSet } from '../data/store.ts';

export interface Plan {
  readonly scopes: readonly Id[];
  /** Read beforehand, so that deciding need not stop for it. */
  readonly want: ReadSet;
  /** Null: refused by what decided; nothing is written. May be called several times. */
  decide(view: PlanView): readonly PlannedAction[] | null;
}

export interface PlanView {
  /** Throws what makes the caller load it and decide again. */
  row(scope: Id, id: Id): Row | undefined;
  absence(scope: Id, id: Id): 'unknown' | 'purged' | 'elsewhere';
}

export interface PlannedAction {
  readonly scope: Id;
  readonly action: Action;
  /** Identities of the operation and of the atomic change it belongs to. */
  readonly u: Id;
  readonly x: Id;
  readonly g: Id;
}

/** The part of what is wanted that lies in one scope. */
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
