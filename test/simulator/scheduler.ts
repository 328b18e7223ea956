// Virtual time: what happens next is decided here, by the seed and nothing else. Between two steps every promise that can
// settle has settled. No real timer is involved.
import type { SeededRandom } from './random.ts';

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Events due within this time of one another may change places. */
const JITTER_MS = 3;

export class Scheduler {
  /** Milliseconds since the world began. */
  now = 0;
  steps = 0;
  private readonly random: SeededRandom;
  private entries: Entry[] = [];
  private count = 0;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  after(delayMs: number, run: () => void): () => void {
    const at = this.now + Math.max(0, delayMs) + this.random.fraction() * JITTER_MS;
    const entry: Entry = { at, order: (this.count += 1), run, isCancelled: false };
    this.insert(entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Runs what is due next and everything that follows from it at once. False when nothing is left. */
  async step(): Promise<boolean> {
    const entry = this.entries.shift();
    if (entry === undefined) return false;
    if (entry.isCancelled) return true;
    this.now = Math.max(this.now, entry.at);
    this.steps += 1;
    entry.run();
    await settled();
    return true;
  }

  /** Steps until the condition holds or the time is over. */
  async runUntil(isDone: () => boolean, deadline: number): Promise<boolean> {
    while (!isDone()) {
      const next = this.entries.find((entry) => !entry.isCancelled);
      if (next === undefined || next.at > deadline) return isDone();
      await this.step();
    }
    return true;
  }

  private insert(entry: Entry): void {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle] as Entry).at <= entry.at) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, entry);
  }
}

/** Everything that waits for nothing but other promises has run when this resolves. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
