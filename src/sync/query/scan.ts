// Looks through all tasks for those that match, as far as the time given reaches, and goes on from there when asked again.
// A narrower question goes on from what a wider one found. In what order they stand is slot-order.ts.
import { SlotList } from './columns.ts';
import type { SlotTest } from './slot-test.ts';

/** Whether the time given is over. */
export type IsOver = () => boolean;

export const atLeisure: IsOver = () => false;

/** So many tasks between two looks at the clock. */
const STRIDE = 256;

export interface Scanned {
  /** How many slots there are now. */
  readonly size: number;
}

export class Scan {
  readonly found = new SlotList();
  readonly #index: Scanned;
  readonly #test: SlotTest;
  /** To be looked at before everything from `#at` on. */
  readonly #candidates: Int32Array;
  #next = 0;
  #at: number;

  /** `wider`: matches at least what this one does, and is not run any more. */
  constructor(index: Scanned, test: SlotTest, wider: Scan | null = null) {
    this.#index = index;
    this.#test = test;
    this.#candidates = wider === null ? new Int32Array(0) : wider.#left();
    this.#at = wider === null ? 0 : wider.#at;
  }

  get isDone(): boolean {
    return this.#next >= this.#candidates.length && this.#at >= this.#index.size;
  }

  /** Whether a slot was passed, so that a change of it has to be looked at by whoever asked. */
  hasPassed(slot: number): boolean {
    return slot < this.#at && this.#next >= this.#candidates.length;
  }

  /** True when all was looked at. */
  run(isOver: IsOver): boolean {
    while (!this.isDone) {
      this.#stride();
      if (isOver()) break;
    }
    return this.isDone;
  }

  #stride(): void {
    const test = this.#test;
    let left = STRIDE;
    for (; left > 0 && this.#next < this.#candidates.length; left -= 1) {
      const slot = this.#candidates[this.#next] as number;
      this.#next += 1;
      if (test(slot)) this.found.push(slot);
    }
    const end = Math.min(this.#at + left, this.#index.size);
    for (let slot = this.#at; slot < end; slot += 1) if (test(slot)) this.found.push(slot);
    this.#at = Math.max(this.#at, end);
  }

  /** What it found, and what it was still to look at before the rest. */
  #left(): Int32Array {
    const unseen = this.#candidates.subarray(this.#next);
    const all = new Int32Array(this.found.length + unseen.length);
    all.set(this.found.view);
    all.set(unseen, this.found.length);
    return all;
  }
}
