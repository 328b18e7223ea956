// Verdicts that came before the rows they made: a device that is far behind, or is reading a scope from the start, keeps
// such operations in its queue until it has read the scope. Until then they show, and a server that is put back to an
// older state is sent them again. Not here: what a verdict does to the queue (judged.ts).
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import { laneOf } from './lanes.ts';
import type { Operation, Verdict } from './operation.ts';

/** Numbers with what became of them, ascending in each lane. */
export type Results = readonly (readonly [number, Verdict])[];

export class Verdicts {
  /** By number; only of operations in the queue. */
  private readonly held = new Map<number, Verdict>();
  /** Scopes of which the last answer did not bring everything. */
  private behind: ReadonlySet<Id> = new Set();

  /** Whether the server has judged it: it is not sent again. */
  isHeld(q: number): boolean {
    return this.held.has(q);
  }

  /** Judged operations that are still in the queue. */
  get size(): number {
    return this.held.size;
  }

  /** What an answer says of the operations that were sent, and which scopes it brings whole. */
  heard(results: Results, changes: readonly ScopeChanges[]): void {
    for (const [q, verdict] of results) this.held.set(q, verdict);
    this.behind = new Set(changes.filter(({ more }) => more).map(({ scope }) => scope));
  }

  /** Of one lane, in order, up to the first operation whose rows may not have come yet. They are held no longer. */
  due(queue: readonly Operation[], lane: number, isUnread: (operation: Operation) => boolean): Results {
    return this.take(queue, lane, (operation) => this.behind.has(operation.scope) || isUnread(operation));
  }

  /** All of one lane. */
  allOf(queue: readonly Operation[], lane: number): Results {
    return this.take(queue, lane, () => false);
  }

  /** Lanes of which something is held. */
  get lanes(): ReadonlySet<number> {
    return new Set([...this.held.keys()].map(laneOf));
  }

  /** The server does not remember what it said of this scope. */
  forget(queue: readonly Operation[], scope: Id): void {
    for (const operation of queue) if (operation.scope === scope) this.held.delete(operation.q);
  }

  private take(
    queue: readonly Operation[],
    lane: number,
    mustWait: (operation: Operation) => boolean,
  ): Results {
    if (this.held.size === 0) return [];
    const taken: (readonly [number, Verdict])[] = [];
    for (const operation of queue) {
      const { q } = operation;
      // What is never sent gets no verdict.
      if (laneOf(q) !== lane || operation.off !== undefined) continue;
      const verdict = this.held.get(q);
      // A number that is confirmed to the server confirms all before it.
      if (verdict === undefined || mustWait(operation)) break;
      taken.push([q, verdict]);
    }
    for (const [q] of taken) this.held.delete(q);
    return taken;
  }
}
