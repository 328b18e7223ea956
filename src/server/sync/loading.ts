// What a write transaction reads of rows. What all its pushes will need is foreseen, and read at once for all of their scopes: on PostgreSQL
// each read is a way to another machine and back. What was not foreseen is loaded when it is missed, and the work runs again.
import { assert } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { PlannedAction } from '#api/ports.ts';
import type { Lookup, ReadAnswer, ReadSet, WriteTransaction } from '../data/store.ts';
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
  readonly scope: Id;
  readonly want: ReadSet;
}

/** What was wanted, and found. */
interface Found extends Wanted {
  readonly answer: ReadAnswer;
}

const sizeOf = ({ rows, ancestors, siblings }: ReadSet) => rows.length + ancestors.length + siblings.length;

/** Which scope asked for an id; null: two asked for the same one, which an answer by id cannot tell apart. */
function askersOf(wanted: readonly Wanted[]): ReadonlyMap<Id, Id> | null {
  const askers = new Map<Id, Id>();
  for (const { scope, want } of wanted)
    for (const { id } of [...want.rows, ...want.ancestors]) {
      if ((askers.get(id) ?? scope) !== scope) return null;
      askers.set(id, scope);
    }
  return askers;
}

/** Reads all of this in one read, if it can be told apart. */
async function readJointly(tx: WriteTransaction, all: readonly Wanted[]): Promise<readonly Found[]> {
  const wanted = all.filter(({ want }) => sizeOf(want) > 0);
  const askers = wanted.length > 1 ? askersOf(wanted) : null;
  if (askers === null)
    return await Promise.all(wanted.map(async (each) => ({ ...each, answer: await tx.load(each.want) })));
  const answer = await tx.load(joined(wanted.map(({ want }) => want)));
  const rowsByScope = new Map(wanted.map(({ scope }) => [scope, new Map<Id, Lookup>()]));
  for (const [id, lookup] of answer.rows) {
    const asker = askers.get(id);
    const holder = lookup.type === 'row' ? lookup.row.scope : undefined;
    if (holder !== undefined) rowsByScope.get(holder)?.set(id, lookup);
    if (asker !== undefined && asker !== holder)
      rowsByScope.get(asker)?.set(id, holder === undefined ? lookup : { type: 'elsewhere', scope: holder });
    // The end of a way up: it is nowhere, so all may know. Anything else that nobody asked for is read again when it is missed.
    if (asker === undefined && lookup.type === 'unknown')
      for (const rows of rowsByScope.values()) rows.set(id, lookup);
  }
  let at = 0;
  return wanted.map(({ scope, want }) => {
    const siblings = answer.siblings.slice(at, (at += want.siblings.length));
    return { scope, want, answer: { rows: rowsByScope.get(scope) ?? new Map(), siblings } };
  });
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
  /** Names every scope. */
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
    return { scope, want: joined(wants) };
  });
}

function take(sets: ReadonlyMap<Id, WorkingSet>, found: readonly Found[]): void {
  for (const { scope, want, answer } of found) sets.get(scope)?.take(want, answer);
}

/**
 * Loads what operations, by scope, and plans will need of these sets, in two reads. The first is asked for at once: the locks come before it if
 * `opening`, which comes to the sets of the scopes that exist, has asked for them by now.
 */
export async function loadForeseen(
  tx: WriteTransaction,
  opening: Promise<readonly WorkingSet[]>,
  work: Work,
): Promise<void> {
  const first = [...work.operations].map(([scope, operations]): Wanted => {
    const own = readSetOf(scope, operations);
    return { scope, want: joined([own, ...work.plans.map(({ want }) => ofScope(want, scope))]) };
  });
  const [opened, found] = await Promise.all([opening, readJointly(tx, first)]);
  const sets = new Map(opened.map((set) => [set.scope, set]));
  take(sets, found);
  take(sets, await readJointly(tx, foreseen(sets, work)));
}
