// Sorts slots without blocking: the first ones at once while a scan goes on, all of them bit by bit.
import type { IsOver } from './scan.ts';

/** A comparison of slots by remembered keys, so that sorting reads each row once. */
export interface SlotOrder {
  /** Remembers the current sort key of a slot. Call it before the slot is compared, and again when it changed. */
  learn(slot: number): void;
  compare(a: number, b: number): number;
}

/** The first `most` slots of all that are offered: a heap with the last of them at the top. */
export class FirstSlots {
  readonly #order: SlotOrder;
  readonly #most: number;
  readonly #heap: number[] = [];

  constructor(order: SlotOrder, most: number) {
    this.#order = order;
    this.#most = most;
  }

  /** The order must have learnt the slot. */
  offer(slot: number): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push(slot);
      this.#up(heap.length - 1);
    } else if (this.#most > 0 && this.#order.compare(slot, heap[0] as number) < 0) {
      heap[0] = slot;
      this.#down();
    }
  }

  sorted(): Int32Array {
    return Int32Array.from(this.#heap.toSorted((a, b) => this.#order.compare(a, b)));
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (this.#order.compare(heap[at] as number, heap[above] as number) <= 0) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #down(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      let last = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && this.#order.compare(heap[below] as number, heap[last] as number) > 0)
          last = below;
      }
      if (last === at) return;
      this.#swap(at, last);
      at = last;
    }
  }

  #swap(a: number, b: number): void {
    const slot = this.#heap[a] as number;
    this.#heap[a] = this.#heap[b] as number;
    this.#heap[b] = slot;
  }
}

/** Slots sorted in one go. */
const RUN = 1_024;
/** Steps of a merge between two looks at the clock. */
const STRIDE = 1_024;

/** A merge sort that stops when the time is over and continues when asked again. */
export class SlotSort {
  readonly #order: SlotOrder;
  readonly #isLearnt: boolean;
  #from: Int32Array;
  #into: Int32Array;
  /** Runs of this length are sorted; 0: none yet. */
  #width = 0;
  /** Start of the pair being merged, and the progress of each side and the result. */
  #pair = 0;
  #left = 0;
  #right = 0;
  #out = 0;

  /** `isLearnt`: the order has learnt every slot. Otherwise it learns each before comparing it. */
  constructor(order: SlotOrder, slots: Int32Array, isLearnt = false) {
    this.#order = order;
    this.#isLearnt = isLearnt;
    this.#from = slots.slice();
    this.#into = new Int32Array(slots.length);
    // A single one is never compared.
    if (!isLearnt && slots.length === 1) order.learn(slots[0] as number);
  }

  get isDone(): boolean {
    return this.#from.length < 2 || this.#width >= this.#from.length;
  }

  /** All slots in order, once done. */
  get slots(): Int32Array {
    return this.#from;
  }

  /** Continues the sort; true when all are in order. */
  run(isOver: IsOver): boolean {
    while (!this.isDone) {
      if (this.#width === 0) this.#sortRun();
      else this.#merge();
      if (isOver()) break;
    }
    return this.isDone;
  }

  #sortRun(): void {
    const run = this.#from.subarray(this.#out, this.#out + RUN);
    if (!this.#isLearnt) for (const slot of run) this.#order.learn(slot);
    run.sort((a, b) => this.#order.compare(a, b));
    this.#out += RUN;
    if (this.#out < this.#from.length) return;
    this.#width = RUN;
    this.#begin(0);
  }

  #begin(pair: number): void {
    this.#pair = pair;
    this.#left = pair;
    this.#right = pair + this.#width;
    this.#out = pair;
  }

  #merge(): void {
    const { length } = this.#from;
    const middle = Math.min(this.#pair + this.#width, length);
    const end = Math.min(this.#pair + 2 * this.#width, length);
    for (let left = STRIDE; left > 0 && this.#out < end; left -= 1) {
      const a = this.#from[this.#left] as number;
      const b = this.#from[this.#right] as number;
      const takesLeft = this.#right >= end || (this.#left < middle && this.#order.compare(a, b) <= 0);
      if (takesLeft) this.#left += 1;
      else this.#right += 1;
      this.#into[this.#out] = takesLeft ? a : b;
      this.#out += 1;
    }
    if (this.#out < end) return;
    if (end < length) {
      this.#begin(end);
      return;
    }
    [this.#from, this.#into] = [this.#into, this.#from];
    this.#width *= 2;
    this.#begin(0);
  }
}

/** The index of a slot among sorted ones, or the index to insert it at. */
export function placeIn(slots: Int32Array, wanted: number, order: SlotOrder): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order.compare(slots[middle] as number, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
