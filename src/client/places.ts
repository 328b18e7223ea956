// What can be open and how one gets there and back: lists, focused tasks, the trash. Which rows a place shows is
// workspace.ts.
import type { Id } from '#core/ids.ts';

export type Place =
  /** The Inbox, a list or a folder. */
  | { readonly type: 'list'; readonly id: Id }
  /** A focused task with what is under it. */
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
  /** Where the cursor was when it was left; null while one is here, and where there was none. */
  cursor: Id | null;
}

/** Places visited, and lines jumped to within one, with a position in them: back and forward. */
export class Visits {
  #visited: Visit[];
  #at = 0;
  #forgotten = 0;

  constructor(first: Place) {
    this.#visited = [{ place: first, cursor: null }];
  }

  get current(): Place {
    return this.#visited[this.#at]?.place ?? { type: 'trash' };
  }

  /** Grows by one with each new visit; going back gives the number of the one gone back to. */
  get position(): number {
    return this.#forgotten + this.#at;
  }

  /** Remembers where the cursor is, for coming back here. */
  leave(cursor: Id | null): void {
    const visit = this.#visited[this.#at];
    if (visit) visit.cursor = cursor;
  }

  /** `isJump`: to another line of the place that is open. */
  visit(place: Place, isJump = false): void {
    if (!isJump && placeKey(place) === placeKey(this.current)) return;
    const visited = [...this.#visited.slice(0, this.#at + 1), { place, cursor: null }];
    this.#visited = visited.slice(-VISITS);
    this.#forgotten += visited.length - this.#visited.length;
    this.#at = this.#visited.length - 1;
  }

  /** The next visit in that direction that leads elsewhere; the position moves there. `leads`: whether one may go there. */
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
