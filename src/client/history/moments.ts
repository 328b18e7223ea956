// The moments of a task, a list or the whole account: every gesture that touched it, each with what going back behind it
// does to the rows. Reckoned once, the newest first, as far as gestures are known; walking between moments then costs what
// changed between them.
import type { Id } from '#core/ids.ts';
import { Past } from '#sync/past.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '#sync/row-reading.ts';
import { isSilent, type Rows } from './change.ts';
import type { Gesture } from './gestures.ts';

/** A task or list with everything beneath it; null: the whole account. */
export type Root = Id | null;

export interface Moment {
  readonly gesture: Gesture;
  /** From after it to before it. */
  readonly changes: readonly RowChange[];
}

/** What a row is about: of what is one's own about a task, and of a completed occurrence, the task. */
export function aboutOf(row: Row): Id {
  if (row.type === 'mine') return row.fields['of'] as Id;
  return row.type === 'completion' ? (row.fields['task'] as Id) : row.id;
}

/** Whether something stands in a tree, the trash included. */
export function stands(id: Id, root: Root, rows: Rows): boolean {
  if (root === null) {
    const row = rows.row(id);
    return row !== undefined && row.type !== 'setting';
  }
  let left = 2_000;
  for (let at: Id | undefined = id; at !== undefined && left > 0; left -= 1) {
    if (at === root) return true;
    at = placeOf(rows.row(at))?.parent;
  }
  return false;
}

export class Moments {
  readonly root: Root;
  /** Behind all that is known. */
  readonly #oldest: Past;
  readonly #list: Moment[] = [];
  /** What gestures elsewhere did, of which the next moment here is the first to tell. */
  #unseen: RowChange[] = [];

  constructor(root: Root, now: Pick<Replica, 'row' | 'children' | 'scope'>) {
    this.root = root;
    this.#oldest = new Past(now);
  }

  /** Newest first. */
  get list(): readonly Moment[] {
    return this.#list;
  }

  /** Older gestures, newest first. */
  add(gestures: readonly Gesture[]): void {
    for (const gesture of gestures) {
      for (const replaced of gesture.replaced) this.#oldest.takeBack(replaced);
      const changes = this.#oldest.endStep();
      this.#unseen.push(...changes);
      if (!this.#isHere(gesture, changes)) continue;
      this.#list.push({ gesture, changes: this.#unseen });
      this.#unseen = [];
    }
  }

  #isHere(gesture: Gesture, changes: readonly RowChange[]): boolean {
    if (gesture.changes.every((change) => isSilent(change, this.#oldest))) return false;
    const newer = new Map(changes.map(({ id, before }) => [id, before]));
    const later: Rows = { row: (id) => (newer.has(id) ? newer.get(id) : this.#oldest.row(id)) };
    return changes.some(({ before, after }) =>
      [
        [before, later],
        [after, this.#oldest],
      ].some(([row, rows]) => row && stands(aboutOf(row as Row), this.root, rows as Rows)),
    );
  }
}
