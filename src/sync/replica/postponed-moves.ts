// Keeps the shown rows a tree. Changes come in pages and rows from the disk in portions, and an own waiting move is
// shown over rows that others have moved since: for a while rows can form a cycle. A move that would close one is
// postponed: its row is shown in its former place, or at the top if it had none, until the missing rows are here. Only
// the shown rows are changed, never the server's confirmed ones. The decision: docs/decisions/0015-always-a-tree.md.
import { listsRoot, type Id } from '#core/ids.ts';
import type { Place } from '#core/model.ts';
import { parentOf } from '../rows/ancestors.ts';
import { fallback, type Siblings } from '../rows/placement.ts';
import { placeOf } from '../rows/row-reading.ts';
import { withFields, type Row } from '../rows/row.ts';

type Shown = Pick<Siblings, 'row' | 'neighbour'>;

export class PostponedMoves {
  readonly #ids = new Set<Id>();
  readonly #shown: () => Shown;
  readonly #show: (row: Row) => void;

  /** `shown`: the rows as shown now. `show` shows a row in another place than its own. */
  constructor(shown: () => Shown, show: (row: Row) => void) {
    this.#shown = shown;
    this.#show = show;
  }

  /** The rows that are shown away from their own place. */
  get ids(): ReadonlySet<Id> {
    return this.#ids;
  }

  /** Shows postponed rows in their own place again: call `settle` for them afterwards. */
  forget(): void {
    this.#ids.clear();
  }

  /**
   * Opens every cycle that a change has closed. `before`: the changed rows as shown before, which formed a tree with
   * the rest. Cost: the ancestors of rows with a new parent, each once.
   */
  settle(before: ReadonlyMap<Id, Row | undefined>): void {
    const sound = new Set<Id>();
    const returned = new Set<Id>();
    for (const [id, was] of before) {
      const parent = this.#parentOf(id);
      if (parent === undefined || parent === parentOf(was)) continue;
      for (let circle = this.#circleAbove(id, sound); circle !== null; circle = this.#circleAbove(id, sound))
        this.#open(circle, before, returned);
    }
  }

  /** `returned`: rows that were put back already and still closed a cycle. */
  #open(circle: readonly Id[], before: ReadonlyMap<Id, Row | undefined>, returned: Set<Id>): void {
    for (const id of circle) {
      const was = placeOf(before.get(id));
      if (was === undefined || returned.has(id) || was.parent === this.#parentOf(id)) continue;
      returned.add(id);
      this.#showAt(id, was);
      return;
    }
    // Damaged rows, or rows that were never shown.
    const top = (id: Id): Id => fallback(this.#shown(), this.#rowOf(id) as Row);
    const [first] = circle as [Id];
    const movable = circle.find((id) => this.#parentOf(id) !== top(id));
    const id = movable ?? first;
    const parent = movable === undefined ? listsRoot((this.#rowOf(first) as Row).scope) : top(movable);
    this.#showAt(id, { parent, key: placeOf(this.#rowOf(id))?.key ?? '' });
  }

  #showAt(id: Id, place: Place): void {
    const row = this.#rowOf(id) as Row;
    this.#ids.add(id);
    this.#show(withFields(row, { ...row.fields, place }));
  }

  #rowOf(id: Id): Row | undefined {
    return this.#shown().row(id);
  }

  #parentOf(id: Id): Id | undefined {
    return parentOf(this.#rowOf(id));
  }

  /** The cycle that a row is in or hangs under; null: there is none, and all ancestors walked are added to `sound`. */
  #circleAbove(id: Id, sound: Set<Id>): readonly Id[] | null {
    const path = new Set<Id>();
    for (let at: Id | undefined = id; at !== undefined && !sound.has(at); at = this.#parentOf(at)) {
      if (path.has(at)) {
        const walked = [...path];
        return walked.slice(walked.indexOf(at));
      }
      path.add(at);
    }
    for (const walked of path) sound.add(walked);
    return null;
  }
}
