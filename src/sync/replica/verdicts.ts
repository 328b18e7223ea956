// Verdicts that arrive before the rows they are about: a device that is far behind, or is reading a scope from the
// start, keeps such operations in its queue until it has read the scope. Until then they are shown, and are sent again
// to a server that was restored to an older state. Not here: what a verdict does to the queue (sorted-verdicts.ts).
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import { laneOf } from '../tabs/sequences.ts';
import type { HeardVerdict, Operation } from '../rows/operation.ts';

/** Numbers with their verdicts, ascending in each lane. */
export type Results = readonly (readonly [number, HeardVerdict])[];

interface Held {
  row(id: Id): { readonly scope: Id } | undefined;
  scopeOf(action: Operation, otherwise: Id): Id;
}

/**
 * The scopes whose rows show what an operation did: the one it was made for, the one where its row is now, and the one
 * that it puts it into.
 */
export function scopesOf(held: Held, operation: Operation): readonly Id[] {
  const { scope } = operation;
  const parent = 'place' in operation ? operation.place?.parent : undefined;
  return [scope, held.scopeOf(operation, scope), (parent && held.row(parent)?.scope) ?? scope];
}

/** The verdicts that wait for rows, in memory only: after a restart the server is asked again. */
export class Verdicts {
  /** By number; only for operations in the queue. */
  readonly #held = new Map<number, HeardVerdict>();
  /** The last known generation of each scope. */
  readonly #generations = new Map<Id, string>();
  /** Scopes that the last answer did not bring completely. */
  #behind: ReadonlySet<Id> = new Set();
  /** Something of one scope is ahead of another one, as it may be at the start: the app may have ended in the middle of that. */
  #isTorn = true;
  /** Where the last answer says that rows have moved. */
  #moved: ReadonlyMap<string, Id> = new Map();
  readonly #replica: Held;

  constructor(replica: Held) {
    this.#replica = replica;
  }

  /** Whether the server has judged the operation: it is not sent again. */
  isHeld(q: number): boolean {
    return this.#held.has(q);
  }

  /** Number of judged operations that are still in the queue. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes in the verdicts of an answer, and which scopes it completes. A restarted server need not remember its
   * verdicts, even if it was restored to a point no earlier than this device's cursor: then it is asked again.
   */
  heard(results: Results, changes: readonly ScopeChanges[]): void {
    for (const { scope, generation } of changes) {
      if ((this.#generations.get(scope) ?? generation) !== generation) this.#held.clear();
      this.#generations.set(scope, generation);
    }
    for (const [q, verdict] of results) this.#held.set(q, verdict);
    this.#moved = new Map(changes.flatMap(({ moved = [] }) => moved.map(([id, to]) => [id, to] as const)));
    this.#isTorn = false;
    this.#behind = new Set(changes.filter(({ more }) => more).map(({ scope }) => scope));
  }

  /**
   * Whether there was no answer yet, the last one left a scope partly read, or what was heard since is ahead of a scope: what
   * else is said of that one would be taken for all of it, or for the present state.
   */
  get isBehind(): boolean {
    return this.#isTorn || this.#behind.size > 0;
  }

  /** A message about one scope was ahead of another one, until the next answer, which is one moment of all. */
  tear(): void {
    this.#isTorn = true;
  }

  /** Takes out the verdicts of one lane, in order, up to the first operation whose rows may be missing. */
  due(queue: readonly Operation[], lane: number, isUnread: (operation: Operation) => boolean): Results {
    const isBehind = (scope: Id | undefined) => scope !== undefined && this.#behind.has(scope);
    return this.#take(
      queue,
      lane,
      (operation) =>
        [...scopesOf(this.#replica, operation), this.#moved.get(operation.id)].some(isBehind) ||
        isUnread(operation),
    );
  }

  /** Takes out all verdicts of one lane. */
  allOf(queue: readonly Operation[], lane: number): Results {
    return this.#take(queue, lane, () => false);
  }

  /** Lanes with waiting verdicts. */
  get lanes(): ReadonlySet<number> {
    return new Set([...this.#held.keys()].map(laneOf));
  }

  /** The server does not remember its verdicts about this scope. */
  forget(queue: readonly Operation[], scope: Id): void {
    for (const operation of queue)
      if (scopesOf(this.#replica, operation).includes(scope)) this.#held.delete(operation.q);
  }

  #take(queue: readonly Operation[], lane: number, mustWait: (operation: Operation) => boolean): Results {
    if (this.#held.size === 0) return [];
    const taken: (readonly [number, HeardVerdict])[] = [];
    for (const operation of queue) {
      const { q } = operation;
      // Operations that are never sent get no verdict.
      if (laneOf(q) !== lane || operation.off !== undefined) continue;
      const verdict = this.#held.get(q);
      // Confirming a number to the server confirms all before it.
      if (verdict === undefined || mustWait(operation)) break;
      taken.push([q, verdict]);
    }
    for (const [q] of taken) this.#held.delete(q);
    return taken;
  }
}
