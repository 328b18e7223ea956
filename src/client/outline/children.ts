// The shown tasks under a parent, in order: neither trashed nor cleared. Built on first use, then updated with every
// change, so that positions, sizes and counts never cost a walk over siblings.
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { isDone, isShown, placeOf } from '#sync/rows/row-reading.ts';

export interface Sibling {
  readonly id: Id;
  readonly key: string;
  readonly done: boolean;
}

/** Whether an outline shows this row, by the row alone. */
export type Shows = (row: Row | undefined) => row is Row;

export interface Siblings {
  readonly items: Sibling[];
  done: number;
}

/** With more changes than this under one parent, they are merged into its list at once. */
const BULK = 64;

const none: Siblings = { items: [], done: 0 };

function compare(a: Sibling, b: Sibling): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

function siblingOf(row: Row): Sibling {
  return { id: row.id, key: placeOf(row)?.key ?? '', done: isDone(row) };
}

/** The index of the sibling, or the one where it would be inserted. */
function findSlot(items: readonly Sibling[], wanted: Sibling): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && compare(item, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges two ordered lists; a row in both is taken once. */
function joinSorted(a: readonly Sibling[], b: readonly Sibling[]): Sibling[] {
  const [first, last] = [b[0], b.at(-1)];
  if (!first || !last) return [...a];
  const slot = findSlot(a, first);
  const next = a[slot];
  // Usually all of them fit between two neighbors.
  if (!next || compare(last, next) < 0) return a.slice(0, slot).concat(b, a.slice(slot));
  const joined: Sibling[] = [];
  let at = 0;
  for (const item of b) {
    for (let other = a[at]; other && compare(other, item) < 0; other = a[at]) {
      joined.push(other);
      at += 1;
    }
    if (a[at]?.id === item.id) at += 1;
    joined.push(item);
  }
  return joined.concat(a.slice(at));
}

/** The shown children of every parent, cached. `apply` must get every change before others read. */
export class Children {
  readonly #replica: Pick<Replica, 'children'>;
  readonly #conceals: (id: Id) => boolean;
  readonly #shows: Shows;
  #lists = new Map<Id, Siblings>();

  /**
   * `conceals`: tasks that are hidden for now (hidden-tasks.ts); changes then come as the outline sees them. `shows`:
   * other rows than tasks.
   */
  constructor(
    replica: Pick<Replica, 'children'>,
    conceals: (id: Id) => boolean = () => false,
    shows: Shows = isShown,
  ) {
    this.#replica = replica;
    this.#conceals = conceals;
    this.#shows = shows;
  }

  /** Live: read it, do not keep it. */
  of(parent: Id): Siblings {
    const known = this.#lists.get(parent);
    if (known) return known;
    const rows = this.#replica.children(parent);
    if (rows.length === 0) return none;
    const items: Sibling[] = [];
    let done = 0;
    for (const row of rows) {
      if (!this.#shows(row) || this.#conceals(row.id)) continue;
      const item = siblingOf(row);
      items.push(item);
      if (item.done) done += 1;
    }
    if (items.length === 0) return none;
    const made = { items, done };
    this.#lists.set(parent, made);
    return made;
  }

  conceals(id: Id): boolean {
    return this.#conceals(id);
  }

  has(parent: Id): boolean {
    return this.of(parent).items.length > 0;
  }

  /** Index among the shown siblings; −1 when the row is not shown. */
  indexOf(row: Row): number {
    const place = placeOf(row);
    if (!place) return -1;
    const { items } = this.of(place.parent);
    const index = findSlot(items, siblingOf(row));
    return items[index]?.id === row.id ? index : -1;
  }

  /** The shown sibling `step` places further. */
  neighbour(row: Row, step: number): Id | undefined {
    const place = placeOf(row);
    const index = this.indexOf(row);
    return place === undefined || index < 0 ? undefined : this.of(place.parent).items[index + step]?.id;
  }

  /** Updates the cached lists. */
  apply(changes: readonly RowChange[]): void {
    if (this.#lists.size === 0) return;
    const busy = this.#busyParents(changes);
    for (const parent of busy) this.#merge(parent, changes);
    for (const { before, after } of changes) {
      const was = this.#shows(before) ? before : undefined;
      const is = this.#shows(after) ? after : undefined;
      const from = placeOf(was);
      const to = placeOf(is);
      const stays = from?.parent === to?.parent && from?.key === to?.key;
      if (stays && was && is && isDone(was) === isDone(is)) continue;
      if (was && from && !busy.has(from.parent)) {
        if (stays && is) this.#replace(from.parent, was, is);
        else this.#take(from.parent, was);
      }
      if (is && to && !stays && !busy.has(to.parent)) this.#put(to.parent, is);
    }
  }

  #replace(parent: Id, was: Row, is: Row): void {
    const list = this.#lists.get(parent);
    const index = list ? findSlot(list.items, siblingOf(was)) : -1;
    if (!list || list.items[index]?.id !== was.id) return;
    list.items[index] = siblingOf(is);
    list.done += Number(isDone(is)) - Number(isDone(was));
  }

  #busyParents(changes: readonly RowChange[]): ReadonlySet<Id> {
    const busy = new Set<Id>();
    if (changes.length <= BULK) return busy;
    const counts = new Map<Id, number>();
    for (const { before, after } of changes) {
      for (const parent of new Set([placeOf(before)?.parent, placeOf(after)?.parent])) {
        if (parent === undefined) continue;
        const count = (counts.get(parent) ?? 0) + 1;
        counts.set(parent, count);
        if (count > BULK) busy.add(parent);
      }
    }
    return busy;
  }

  /** Pages of a long list arrive one after another: rebuilding the list for each would be quadratic. */
  #merge(parent: Id, changes: readonly RowChange[]): void {
    const list = this.#lists.get(parent);
    if (!list) return;
    const left = new Set<Id>();
    const fresh: Sibling[] = [];
    for (const { id, before, after } of changes) {
      if (this.#shows(before) && placeOf(before)?.parent === parent) left.add(id);
      if (this.#shows(after) && placeOf(after)?.parent === parent) fresh.push(siblingOf(after));
    }
    fresh.sort(compare);
    const kept = left.size === 0 ? list.items : list.items.filter(({ id }) => !left.has(id));
    const items = joinSorted(kept, fresh);
    if (items.length === 0) this.#lists.delete(parent);
    else this.#lists.set(parent, { items, done: items.filter(({ done }) => done).length });
  }

  #take(parent: Id, row: Row): void {
    const list = this.#lists.get(parent);
    if (!list) return;
    const item = siblingOf(row);
    const index = findSlot(list.items, item);
    if (list.items[index]?.id !== row.id) return;
    list.items.splice(index, 1);
    if (item.done) list.done -= 1;
    if (list.items.length === 0) this.#lists.delete(parent);
  }

  #put(parent: Id, row: Row): void {
    const list = this.#lists.get(parent);
    // Not cached: it will be built from the replica, which already holds the change.
    if (!list) return;
    const item = siblingOf(row);
    const index = findSlot(list.items, item);
    if (list.items[index]?.id === row.id) return;
    list.items.splice(index, 0, item);
    if (item.done) list.done += 1;
  }
}
