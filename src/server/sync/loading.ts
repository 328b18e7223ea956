// What a write transaction reads of rows. What all its pushes will need is foreseen, and read at once for all of their scopes: on PostgreSQL
// each read is a way to another machine and back. What was not foreseen is loaded when it is missed, and the work runs again.
import { assert } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { PlannedAction } from '#api/ports.ts';
import type { Lookup, ReadSet, WriteTransaction } from '../data/store.ts';
import { besideAnchors, readSetOf } from './incoming.ts';
import { joined, MOST_READS, ofScope, type Plan, viewOf } from './planned.ts';
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

/** What is wanted of one scope. */
interface Wanted {
  readonly set: WorkingSet;
  readonly want: ReadSet;
}

const sizeOf = ({ rows, ancestors, siblings }: ReadSet) => rows.length + ancestors.length + siblings.length;

/** Whose set asked for an id; null: two asked for the same one, which an answer by id cannot tell apart. */
function askersOf(wanted: readonly Wanted[]): ReadonlyMap<Id, WorkingSet> | null {
  const askers = new Map<Id, WorkingSet>();
  for (const { set, want } of wanted)
    for (const { id } of [...want.rows, ...want.ancestors]) {
      if ((askers.get(id) ?? set) !== set) return null;
      askers.set(id, set);
    }
  return askers;
}

/** Loads all of this in one read, if it can be told apart. */
async function loadJointly(tx: WriteTransaction, all: readonly Wanted[]): Promise<void> {
  const wanted = all.filter(({ want }) => sizeOf(want) > 0);
  const askers = wanted.length > 1 ? askersOf(wanted) : null;
  if (askers === null) {
    for (const { set, want } of wanted) await set.load(tx, want);
    return;
  }
  const answer = await tx.load(joined(wanted.map(({ want }) => want)));
  const rowsBySet = new Map(wanted.map(({ set }) => [set, new Map<Id, Lookup>()]));
  const setByScope = new Map(wanted.map(({ set }) => [set.scope, set]));
  for (const [id, lookup] of answer.rows) {
    const asker = askers.get(id);
    const holder = lookup.type === 'row' ? setByScope.get(lookup.row.scope) : undefined;
    if (holder !== undefined) rowsBySet.get(holder)?.set(id, lookup);
    if (asker !== undefined && asker !== holder)
      rowsBySet
        .get(asker)
        ?.set(id, lookup.type === 'row' ? { type: 'elsewhere', scope: lookup.row.scope } : lookup);
    // The end of a way up: it is nowhere, so all may know. Anything else that nobody asked for is read again when it is missed.
    if (asker === undefined && lookup.type === 'unknown')
      for (const rows of rowsBySet.values()) rows.set(id, lookup);
  }
  let at = 0;
  for (const { set, want } of wanted) {
    const siblings = answer.siblings.slice(at, (at += want.siblings.length));
    set.take(want, { rows: rowsBySet.get(set) ?? new Map(), siblings });
  }
}

/** The actions of a plan as things stand, or what it has to read before it can say. */
function rehearsed(
  plan: Plan,
  setOf: (scope: Id) => WorkingSet | undefined,
): readonly PlannedAction[] | MissingRead {
  try {
    return plan.decide(viewOf(setOf)) ?? [];
  } catch (error) {
    if (error instanceof MissingRead) return error;
    throw error;
  }
}

interface Work {
  readonly operations: ReadonlyMap<Id, readonly Operation[]>;
  readonly plans: readonly Plan[];
}

/**
 * What is needed beyond what was asked for first: the siblings beside which operations place something, and what plans come to. Plans decide
 * again when it is their turn.
 */
function foreseen(sets: ReadonlyMap<Id, WorkingSet>, { operations, plans }: Work): readonly Wanted[] {
  const planned = new Map<Id, Operation[]>();
  const missing = new Map<Id, ReadSet[]>();
  for (const plan of plans) {
    const actions = rehearsed(plan, (scope) => sets.get(scope));
    if (actions instanceof MissingRead) {
      missing.set(actions.scope, [...(missing.get(actions.scope) ?? []), actions.want]);
      continue;
    }
    for (const { scope, action } of actions) {
      const own = planned.get(scope) ?? [];
      planned.set(scope, own);
      own.push({ ...action, scope } as Operation);
    }
  }
  return [...sets].map(([scope, set]): Wanted => {
    const own = planned.get(scope) ?? [];
    const { rows, ...rest } = readSetOf(scope, own);
    const siblings = besideAnchors(set, [...(operations.get(scope) ?? []), ...own]);
    const wants: ReadSet[] = [
      ...(missing.get(scope) ?? []),
      { ...rest, rows: rows.filter(({ id }) => !set.isLoaded(id)) },
      { rows: [], ancestors: [], siblings },
    ];
    return { set, want: joined(wants) };
  });
}

/** Loads what operations, by scope, and plans will need of these sets, in two reads. */
export async function loadForeseen(
  tx: WriteTransaction,
  all: readonly WorkingSet[],
  work: Work,
): Promise<void> {
  const first = all.map((set): Wanted => {
    const own = readSetOf(set.scope, work.operations.get(set.scope) ?? []);
    return { set, want: joined([own, ...work.plans.map(({ want }) => ofScope(want, set.scope))]) };
  });
  await loadJointly(tx, first);
  await loadJointly(tx, foreseen(new Map(all.map((set) => [set.scope, set])), work));
}
