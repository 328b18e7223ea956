// Time that passes only when a test says so.

export class Timers {
  #now = 0;
  #serial = 0;
  #waiting: { readonly at: number; readonly order: number; readonly work: () => void }[] = [];

  after(delayMs: number, work: () => void): () => void {
    const timer = { at: this.#now + delayMs, order: (this.#serial += 1), work };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== timer);
    };
  }

  /** Lets time pass, running what falls due in its order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#waiting
        .filter(({ at }) => at <= end)
        .toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#waiting = this.#waiting.filter((other) => other !== due);
      this.#now = due.at;
      due.work();
    }
    this.#now = end;
  }

  get now(): number {
    return this.#now;
  }
}
