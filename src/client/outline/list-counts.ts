// Open and done tasks per list. Single changes move a count by one; a list is recounted only when whole branches move or pages
// of rows arrive, and then not within the key.
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Children } from './children.ts';
import { isDone, isShown, placeOf } from '#sync/rows/row-reading.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';

const BULK = 64;

interface Count {
  readonly open: number;
  readonly done: number;
}

function isStructural({ before, after }: RowChange): boolean {
  return isShown(before) !== isShown(after) || placeOf(before)?.parent !== placeOf(after)?.parent;
}

/** Counts of tasks, kept up to date by `apply`. While `isStale`, some counts wait for `recount`. */
export class ListCounts {
  readonly #replica: Replica;
  readonly #children: Children;
  readonly #counts = new Map<Id, Count>();
  readonly #stale = new Set<Id>();

  constructor(replica: Replica, children: Children) {
    this.#replica = replica;
    this.#children = children;
  }

  /** Count of a smart list; null until it is known. Set by the part that runs queries. */
  countOfSmart: (list: Id) => number | null = () => null;

  /** The count of any list. Null: not known yet. */
  ofList(list: Row): number | null {
    return fieldOf(list, 'listType') === 'smart' ? this.countOfSmart(list.id) : this.of(list.id);
  }

  /** The last known count of open tasks; exact unless `isStale`. */
  of(list: Id): number {
    return this.#of(list).open;
  }

  /** The same of those that are done. */
  doneOf(list: Id): number {
    return this.#of(list).done;
  }

  #of(list: Id): Count {
    const known = this.#counts.get(list);
    if (known !== undefined) return known;
    const counted = this.#count(list);
    this.#counts.set(list, counted);
    return counted;
  }

  get isStale(): boolean {
    return this.#stale.size > 0;
  }

  /** Recounts the lists that are not exact. */
  recount(): void {
    for (const list of this.#stale) this.#counts.set(list, this.#count(list));
    this.#stale.clear();
  }

  /** Call it after `children` has applied the changes. */
  apply(changes: readonly RowChange[]): void {
    if (changes.length > BULK) {
      for (const list of this.#counts.keys()) this.#stale.add(list);
      return;
    }
    const tasks = changes.filter(({ before, after }) => (after ?? before)?.type === 'task');
    const structural = tasks.filter(isStructural);
    // A branch that comes, goes or moves takes others along, and so may several changes at once: recount.
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
    this.#add(before, -1);
    this.#add(after, 1);
  }

  #add(row: Row | undefined, step: number): void {
    const list = this.#listAbove(placeOf(row)?.parent, true);
    const count = list === null ? undefined : this.#counts.get(list);
    if (list === null || count === undefined || !isShown(row)) return;
    const { open, done } = count;
    this.#counts.set(list, isDone(row) ? { open, done: done + step } : { open: open + step, done });
  }

  /** The list above; with `mustShow`, null when something in between is hidden. */
  #listAbove(parent: Id | undefined, mustShow: boolean): Id | null {
    const start = parent === undefined ? undefined : this.#replica.row(parent);
    for (const row of rowAndAbove(start, (id) => this.#replica.row(id))) {
      if (row.type === 'list') return row.id;
      if (mustShow && (!isShown(row) || this.#children.conceals(row.id))) return null;
    }
    return null;
  }

  #count(list: Id): Count {
    let [open, all] = [0, 0];
    const waiting: Id[] = [list];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const { items, done } = this.#children.of(id);
      open += items.length - done;
      all += items.length;
      for (const item of items) waiting.push(item.id);
    }
    return { open, done: all - open };
  }
}
