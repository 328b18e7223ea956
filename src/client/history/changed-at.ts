// When each thing was last changed, by what of it was: a difference between then and now was made by the newest change of the
// same kind, whatever moment it is looked at from.
import type { Change } from './change.ts';
import type { Gesture } from './gestures.ts';

/** What of a thing a change is about: completing it and setting its status are one. */
function keyOf({ id, kind, field }: Pick<Change, 'id' | 'kind' | 'field'>): string {
  if (kind === 'set') return `${id} ${field}`;
  if (kind === 'completed' || kind === 'reopened') return `${id} status`;
  return `${id} ${kind === 'moved' ? 'place' : 'life'}`;
}

export class ChangedAt {
  readonly #at = new Map<string, number>();

  /** Adds older gestures, newest first. */
  add(gestures: readonly Gesture[]): void {
    for (const { changes, events } of gestures) {
      const at = events.at(-1)?.at;
      if (at === undefined) continue;
      for (const change of changes) {
        const key = keyOf(change);
        if (!this.#at.has(key)) this.#at.set(key, at);
      }
    }
  }

  /** Null: no change on record made that difference. */
  of(change: Pick<Change, 'id' | 'kind' | 'field'>): number | null {
    return this.#at.get(keyOf(change)) ?? null;
  }
}
