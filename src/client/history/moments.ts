// The moments of a task, a list or the whole account: every gesture that touched it, each with the row changes that go
// back behind it. Computed once, newest first, as far as gestures are known; walking between moments then costs what
// changed between them.
import type { Id } from '#core/ids.ts';
import { Past } from '#sync/replica/history-view.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { isSilent, type Rows } from './change.ts';
import type { Gesture } from './gestures.ts';
import { isUnder } from '#sync/rows/ancestors.ts';

/** A task or list with all its descendants; null: the whole account. */
export type Root = Id | null;

export interface Moment {
  readonly gesture: Gesture;
  /** From after it to before it. */
  readonly changes: readonly RowChange[];
}

/** The entity of a row: for a personal row or a completed occurrence, the task. */
export function aboutOf(row: Row): Id {
  if (row.type === 'mine') return row.fields['of'];
  return row.type === 'completion' ? row.fields['task'] : row.id;
}

/** Whether something is in a tree, including the trash. */
export function stands(id: Id, root: Root, rows: Rows): boolean {
  if (root === null) {
    const row = rows.row(id);
    return row !== undefined && row.type !== 'setting';
  }
  return id === root || isUnder(id, root, (at) => rows.row(at));
}

export class Moments {
  readonly root: Root;
  /** The state before everything known. */
  readonly #oldest: Past;
  readonly #list: Moment[] = [];
  /** Changes of gestures elsewhere; the next moment here includes them. */
  #unseen: RowChange[] = [];

  constructor(root: Root, now: Pick<Replica, 'row' | 'children' | 'scope'>) {
    this.root = root;
    this.#oldest = new Past(now);
  }

  /** Newest first. */
  get list(): readonly Moment[] {
    return this.#list;
  }

  /** Adds older gestures, newest first. */
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
