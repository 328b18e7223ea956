// A search with sorted results: while it scans the tasks, the first matches so far; then the sorted first page, and the
// rest in portions after it, or at once when somebody scrolls there.
import type { SearchSort } from '#core/search/query.ts';
import { orderOf } from '#sync/query/order.ts';
import { atLeisure, type IsOver, Scan } from '#sync/query/scan.ts';
import { FirstSlots, type SlotOrder, SlotSort } from '#sync/query/slot-order.ts';
import type { World } from '#sync/query/world.ts';
import { Results } from '../search/results.ts';
import type { SearchRun, Wanted } from '../search/search-run.ts';

/** More lines than any screen has. */
const PAGE = 200;

export class SortedRun implements SearchRun {
  readonly results: Results;
  readonly scan: Scan;
  readonly #order: SlotOrder;
  readonly #first: FirstSlots;
  #taken = 0;
  #sort: SlotSort | null = null;
  #isArranged = false;

  constructor(world: World, sort: SearchSort | null, { matches, limit, wider }: Wanted) {
    this.#order = orderOf(world, sort);
    this.#first = new FirstSlots(this.#order, PAGE);
    this.results = new Results(world.index, limit);
    this.scan = new Scan(world.index, matches, wider);
  }

  get isDone(): boolean {
    return this.#isArranged;
  }

  step(isOver: IsOver): boolean {
    if (this.#isArranged) return true;
    if (this.#sort === null && !this.#look(isOver)) return false;
    if (this.#sort?.run(isOver) === true) this.#arrange();
    return this.#isArranged;
  }

  /** True when all tasks were scanned. */
  #look(isOver: IsOver): boolean {
    const { found } = this.scan;
    // Scanning and reading sort keys alternate, so that neither exceeds the time limit.
    const isDone = this.scan.run(() => {
      this.#learn();
      return isOver();
    });
    this.#learn();
    const first = this.#first.sorted();
    if (!isDone) {
      this.results.arrange(first);
      return false;
    }
    this.#sort = new SlotSort(this.#order, found.view, true);
    if (found.length <= PAGE) {
      this.#sort = null;
      this.results.arrange(first);
      this.#isArranged = true;
      return false;
    }
    this.results.arrange(withRest(first, found.view));
    this.results.finishBeyond(first.length, () => {
      this.#sort?.run(atLeisure);
      this.#arrange();
    });
    return true;
  }

  #learn(): void {
    const { found } = this.scan;
    for (; this.#taken < found.length; this.#taken += 1) {
      const slot = found.at(this.#taken);
      this.#order.learn(slot);
      this.#first.offer(slot);
    }
  }

  #arrange(): void {
    if (this.#isArranged || this.#sort === null) return;
    this.#isArranged = true;
    // Only the results know which rows were removed during the sorting.
    this.results.reorder(this.#sort.slots);
    this.#sort = null;
  }
}

/** The sorted first ones, followed by everything else. */
function withRest(first: Int32Array, all: Int32Array): Int32Array {
  const isFirst = new Set(first);
  const slots = new Int32Array(all.length);
  slots.set(first);
  let at = first.length;
  for (const slot of all) {
    if (isFirst.has(slot)) continue;
    slots[at] = slot;
    at += 1;
  }
  return slots;
}
