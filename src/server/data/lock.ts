// A lock within one process: callers wait in turn. Not here: locks between processes, which the databases keep.

/** A longer wait means a holder that waits for itself, or a disk that hangs. */
const LONGEST_WAIT_MS = 15_000;

export class BusyError extends Error {}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/** First come, first served. `acquire` rejects after 15 seconds, so that a lock taken twice is an error, not a hang. */
export class Lock {
  #isHeld = false;
  readonly #waiters = new Set<Waiter>();

  acquire(): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        enter: resolve,
        timer: setTimeout(() => {
          this.#waiters.delete(waiter);
          reject(new BusyError("The database is busy. A transaction hasn't ended for 15 seconds."));
        }, LONGEST_WAIT_MS),
      };
      this.#waiters.add(waiter);
    });
  }

  release(): void {
    const [next] = this.#waiters;
    if (!next) {
      this.#isHeld = false;
      return;
    }
    this.#waiters.delete(next);
    clearTimeout(next.timer);
    next.enter();
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
