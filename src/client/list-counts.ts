// How many open tasks each list holds. Single changes move a count by one; only when whole branches move or pages of
// rows arrive is a list counted anew, and then not on the key.
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { type Children } from './children.ts';
import { isDone, isShown, placeOf } from '#sync/row-reading.ts';

const BULK = 64;

function isOpen(row: Row | undefined): row is Row {
  return isShown(row) && !isDone(row);
}

function isStructural({ before, after }: RowChange): boolean {
  return isShown(before) !== isShown(after) || placeOf(before)?.parent !== placeOf(after)?.parent;
}

export class ListCounts {
  readonly #replica: Replica;
  readonly #children: Children;
  readonly #counts = new Map<Id, number>();
  readonly #stale = new Set<Id>();

  constructor(replica: Replica, children: Children) {
    this.#replica = replica;
    this.#children = children;
  }

  /** The count as last known; exact unless `isStale`. */
  of(list: Id): number {
    const known = this.#counts.get(list);
    if (known !== undefined) return known;
    const counted = this.#count(list);
    this.#counts.set(list, counted);
    return counted;
  }

  get isStale(): boolean {
    return this.#stale.size > 0;
  }

  /** Counts again what is no longer exact. */
  recount(): void {
    for (const list of this.#stale) this.#counts.set(list, this.#count(list));
    this.#stale.clear();
  }

  /** `children` has taken over the changes already. */
  apply(changes: readonly RowChange[]): void {
    if (changes.length > BULK) {
      for (const list of this.#counts.keys()) this.#stale.add(list);
      return;
    }
    const tasks = changes.filter(({ before, after }) => (after ?? before)?.type === 'task');
    const structural = tasks.filter(isStructural);
    // A branch that comes, goes or moves takes others with it, and so may several changes at once: counted anew.
    const first = structural[0];
    const isSimple = structural.length < 2 && (!first || this.#replica.children(first.id).length === 0);
    for (const change of tasks) if (isSimple) this.#applyOne(change);
    if (isSimple) return;
    for (const { before, after } of tasks) {
      for (const row of [before, after]) {
        const list = this.#listAbove(placeOf(row)?.parent, false);
        if (list && this.#counts.has(list)) this.#stale.add(list);
      }
    }
  }

  #applyOne({ before, after }: RowChange): void {
    const from = this.#listAbove(placeOf(before)?.parent, true);
    const to = this.#listAbove(placeOf(after)?.parent, true);
    if (isOpen(before) && from) this.#add(from, -1);
    if (isOpen(after) && to) this.#add(to, 1);
  }

  #add(list: Id, step: number): void {
    const count = this.#counts.get(list);
    if (count !== undefined) this.#counts.set(list, count + step);
  }

  /** The list above; with `mustShow` null when something between hides what hangs there. */
  #listAbove(parent: Id | undefined, mustShow: boolean): Id | null {
    let at = parent;
    while (at !== undefined) {
      const row = this.#replica.row(at);
      if (row?.type === 'list') return at;
      if (!row || (mustShow && (!isShown(row) || this.#children.conceals(at)))) return null;
      at = placeOf(row)?.parent;
    }
    return null;
  }

  #count(list: Id): number {
    let open = 0;
    const waiting: Id[] = [list];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const { items, done } = this.#children.of(id);
      open += items.length - done;
      for (const item of items) waiting.push(item.id);
    }
    return open;
  }
}
