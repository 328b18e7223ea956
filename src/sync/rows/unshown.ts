// Waiting edits of notes that are not shown, because they build on edits that are not here: a later edit was begun
// without them. Not here: which operations of a queue are dropped for a later one (compaction.ts).
import type { Id } from '#core/ids.ts';
import { slotOf } from '../replica/compaction.ts';
import type { Operation, Verdict } from './operation.ts';

interface Held {
  readonly pending: readonly Operation[];
  readonly newId: () => Id;
}

/** Remembers which waiting edits of notes could not be predicted. The replica reports each prediction with `made`. */
export class Unshown {
  /** Also of operations that no longer wait: numbers are used once. */
  readonly #numbers = new Set<number>();

  /** The verdict of its prediction on top of the confirmed rows. */
  made({ q }: Operation, verdict: Verdict): void {
    if (verdict === 'ok') this.#numbers.delete(q);
    else this.#numbers.add(q);
  }

  /** The edit as its own group, if an earlier edit of its group is not shown and so not part of it. */
  apart(operation: Operation, held: Held): Operation {
    if (operation.a !== 'note' || this.#numbers.size === 0) return operation;
    const slot = slotOf(operation);
    const isEarlier = (own: Operation) => this.#numbers.has(own.q) && slotOf(own) === slot;
    return slot !== null && held.pending.some(isEarlier) ? { ...operation, g: held.newId() } : operation;
  }
}
