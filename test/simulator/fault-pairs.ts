// How often two faults met in one history: what goes wrong seldom goes wrong alone.
import { faults, type Branch, type Hits } from './hits.ts';

export class FaultPairs {
  private readonly counts = new Map<string, number>();

  constructor() {
    faults.forEach((one, index) => {
      for (const other of faults.slice(index + 1)) this.counts.set(pairOf(one, other), 0);
    });
  }

  /** Adds one history. */
  add(hits: Hits): void {
    const met = faults.filter((fault) => hits.of(fault) > 0);
    met.forEach((one, index) => {
      for (const other of met.slice(index + 1)) {
        const pair = pairOf(one, other);
        this.counts.set(pair, (this.counts.get(pair) ?? 0) + 1);
      }
    });
  }

  rarest(count: number): readonly string[] {
    const ordered = [...this.counts].toSorted(([, a], [, b]) => a - b);
    return ordered.slice(0, count).map(([pair, times]) => `${pair}: ${times}`);
  }
}

function pairOf(one: Branch, other: Branch): string {
  return `${one} + ${other}`;
}
