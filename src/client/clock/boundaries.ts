// Future moments at which something changes, soonest first: a heap with lazy deletion, so that one change costs the
// logarithm of their number.

interface Entry {
  readonly at: number;
  readonly key: string;
  /** Generation of its key; entries of an older one are stale. */
  readonly turn: number;
}

/** Stale entries are removed when they outnumber the live ones and exceed this. */
const SWEEP = 64;

/** One future moment per key, in milliseconds since the epoch. `set` and `take` cost O(log n). */
export class Boundaries {
  #heap: Entry[] = [];
  readonly #turns = new Map<string, number>();
  #turn = 0;

  /** Number of keys with a future moment. */
  get size(): number {
    return this.#turns.size;
  }

  /** Sets the moment of a key. Null: it has none any more. */
  set(key: string, at: number | null): void {
    if (at === null) {
      this.#turns.delete(key);
    } else {
      this.#turn += 1;
      this.#turns.set(key, this.#turn);
      this.#heap.push({ at, key, turn: this.#turn });
      this.#rise(this.#heap.length - 1);
    }
    if (this.#heap.length > SWEEP + 2 * this.#turns.size) this.#sweep();
  }

  clear(): void {
    this.#heap = [];
    this.#turns.clear();
  }

  /** The soonest moment; null when there is none. */
  get next(): number | null {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#isLive(top)) return top.at;
      this.#pop();
    }
    return null;
  }

  /** Removes the keys at or before `now` and returns them. */
  take(now: number): string[] {
    const passed: string[] = [];
    for (let at = this.next; at !== null && at <= now; at = this.next) {
      const top = this.#pop();
      if (!top) break;
      this.#turns.delete(top.key);
      passed.push(top.key);
    }
    return passed;
  }

  #isLive({ key, turn }: Entry): boolean {
    return this.#turns.get(key) === turn;
  }

  #sweep(): void {
    const live = this.#heap.filter((entry) => this.#isLive(entry));
    // A sorted list is a heap.
    this.#heap = live.toSorted((a, b) => a.at - b.at);
  }

  #pop(): Entry | undefined {
    const top = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return top;
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfSooner(at, above)) return;
      at = above;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [this.#heap[left], this.#heap[left + 1]];
      const child = a && b && b.at < a.at ? left + 1 : left;
      if (!this.#swapIfSooner(child, at)) return;
      at = child;
    }
  }

  #swapIfSooner(low: number, high: number): boolean {
    const [a, b] = [this.#heap[low], this.#heap[high]];
    if (!a || !b || a.at >= b.at) return false;
    this.#heap[low] = b;
    this.#heap[high] = a;
    return true;
  }
}
