// Places that can be open (lists, focused tasks, the trash), and the history of visits. The rows of a place are in
// workspace.ts.
import type { Id } from '#core/ids.ts';

export type Place =
  /** The Inbox, a list or a folder. */
  | { readonly type: 'list'; readonly id: Id }
  /** A focused task with its subtasks. */
  | { readonly type: 'task'; readonly id: Id }
  | { readonly type: 'trash' };

const VISITS = 100;

export function placeKey(place: Place): string {
  return place.type === 'trash' ? 'trash' : `${place.type}:${place.id}`;
}

/** Reads what `placeKey` wrote. Null for anything else. */
export function parsePlaceKey(text: string | null): Place | null {
  if (text === 'trash') return { type: 'trash' };
  const [type, id] = (text ?? '').split(':');
  if ((type !== 'list' && type !== 'task') || !id) return null;
  return { type, id: id as Id };
}

interface Visit {
  readonly place: Place;
  /** The cursor when the place was left; null while it is open, or without a cursor. */
  cursor: Id | null;
}

/** History of visited places and of jumps within one, with a position: back and forward. */
export class Visits {
  #visited: Visit[];
  #at = 0;
  #forgotten = 0;

  constructor(first: Place) {
    this.#visited = [{ place: first, cursor: null }];
  }

  /** Goes on with what another one has. */
  take(of: Visits): void {
    this.#visited = of.#visited.map((visit) => ({ ...visit }));
    this.#at = of.#at;
  }

  get current(): Place {
    return this.#visited[this.#at]?.place ?? { type: 'trash' };
  }

  /** Grows by one with each new visit; going back returns the number of that earlier visit. */
  get position(): number {
    return this.#forgotten + this.#at;
  }

  /** Remembers the cursor for coming back here. */
  leave(cursor: Id | null): void {
    const visit = this.#visited[this.#at];
    if (visit) visit.cursor = cursor;
  }

  /** `isJump`: to another line of the open place. */
  visit(place: Place, isJump = false): void {
    if (!isJump && placeKey(place) === placeKey(this.current)) return;
    const visited = [...this.#visited.slice(0, this.#at + 1), { place, cursor: null }];
    this.#visited = visited.slice(-VISITS);
    this.#forgotten += visited.length - this.#visited.length;
    this.#at = this.#visited.length - 1;
  }

  /**
   * Finds the next visit in that direction that leads elsewhere, and moves the position there. `leads`: whether a visit
   * may be returned to.
   */
  step(by: 1 | -1, leads: (place: Place, cursor: Id | null) => boolean): Visit | null {
    for (let at = this.#at + by; at >= 0 && at < this.#visited.length; at += by) {
      const visit = this.#visited[at];
      if (!visit || !leads(visit.place, visit.cursor)) continue;
      this.#at = at;
      return visit;
    }
    return null;
  }
}
