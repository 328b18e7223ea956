// Sorts a queue by the verdicts of an answer: finished, applied, refused or replaced operations.
import type { Id } from '#core/ids.ts';
import { isRefusal, type Operation } from '../rows/operation.ts';
import type { RecoveredItem } from './ports.ts';
import type { Results } from './verdicts.ts';

export interface Judged {
  /** Operations still without a verdict. */
  readonly waiting: Operation[];
  readonly refused: RecoveredItem[];
  readonly replaced: RecoveredItem[];
  readonly settled: Operation[];
  readonly outboxRemove: number[];
}

/** Sorts the operations of a queue by their verdicts; `at`: the time at which refused ones are kept. */
export function judged(queue: readonly Operation[], results: Results, at: number): Judged {
  const verdicts = new Map(results);
  const sorted: Judged = {
    waiting: [],
    refused: [],
    replaced: [],
    settled: [],
    outboxRemove: [],
  };
  const places = new Map<Id, Operation>();
  for (const operation of queue) if (operation.a === 'place') places.set(operation.id, operation);
  // Where the person put it since is what counts: the move on the way there is nothing to recover.
  const isOvertaken = (operation: Operation) =>
    operation.a === 'place' && places.get(operation.id) !== operation;
  for (const operation of queue) {
    const verdict = verdicts.get(operation.q);
    if (verdict === undefined) {
      sorted.waiting.push(operation);
      continue;
    }
    sorted.outboxRemove.push(operation.q);
    if (isRefusal(verdict) && !isOvertaken(operation)) sorted.refused.push({ operation, verdict, at });
    if (verdict === 'ok') sorted.settled.push(operation);
    if (verdict === 'superseded') sorted.replaced.push({ operation, verdict, at });
    // What it made or brought back may be in a scope that its person may not read: what they wrote would be nowhere.
    if (verdict === 'exists') sorted.replaced.push({ operation, verdict, at });
  }
  return sorted;
}
