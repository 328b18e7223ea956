// Scans all tasks for matches within a time budget, and continues when asked again. A narrower query starts from the
// matches of a wider one. Their order is slot-order.ts.
import { SlotList } from './columns.ts';
import type { SlotTest } from './slot-test.ts';

/** Whether the time budget is used up. */
export type IsOver = () => boolean;

/** For callers without a time budget: never used up. */
export const atLeisure: IsOver = () => false;

/** Tasks between two looks at the clock. */
const STRIDE = 256;

export interface Scanned {
  /** Current number of slots. */
  readonly size: number;
}

/** An interruptible scan of slots. `found` has the matches so far. */
export class Scan {
  readonly found = new SlotList();
  readonly #index: Scanned;
  readonly #test: SlotTest;
  /** Scanned before everything from `#at` on. */
  readonly #candidates: Int32Array;
  #next = 0;
  #at: number;

  /** `wider`: a scan whose matches include all of this one's, and which is not run any more. */
  constructor(index: Scanned, test: SlotTest, wider: Scan | null = null) {
    this.#index = index;
    this.#test = test;
    this.#candidates = wider === null ? new Int32Array(0) : wider.#left();
    this.#at = wider === null ? 0 : wider.#at;
  }

  get isDone(): boolean {
    return this.#next >= this.#candidates.length && this.#at >= this.#index.size;
  }

  /** Whether a slot was already scanned, so that the caller must look at a change of it. */
  hasPassed(slot: number): boolean {
    return slot < this.#at && this.#next >= this.#candidates.length;
  }

  /** Continues the scan; true when it is complete. */
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

  /** Its matches and its remaining candidates. */
  #left(): Int32Array {
    const unseen = this.#candidates.subarray(this.#next);
    const all = new Int32Array(this.found.length + unseen.length);
    all.set(this.found.view);
    all.set(unseen, this.found.length);
    return all;
  }
}
