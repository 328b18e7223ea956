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

/** Places visited, with a position in them: back and forward. */
export class Visits {
  #visited: Place[];
  #at = 0;
  #forgotten = 0;

  constructor(first: Place) {
    this.#visited = [first];
  }

  get current(): Place {
    return this.#visited[this.#at] ?? { type: 'trash' };
  }

  /** Grows by one with each new place; going back gives the number of the place gone back to. */
  get position(): number {
    return this.#forgotten + this.#at;
  }

  visit(place: Place): void {
    if (placeKey(place) === placeKey(this.current)) return;
    const visited = [...this.#visited.slice(0, this.#at + 1), place];
    this.#visited = visited.slice(-VISITS);
    this.#forgotten += visited.length - this.#visited.length;
    this.#at = this.#visited.length - 1;
  }

  /** The next place in that direction which still exists; the position moves there. */
  step(by: 1 | -1, exists: (place: Place) => boolean): Place | null {
    for (let at = this.#at + by; at >= 0 && at < this.#visited.length; at += by) {
      const place = this.#visited[at];
      if (!place || !exists(place) || placeKey(place) === placeKey(this.current)) continue;
      this.#at = at;
      return place;
    }
    return null;
  }
}
