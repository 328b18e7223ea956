// A running search: matches arrive in portions, the first ones within the key that asked for them. The same for words
// and operators; sorting comes with the search language (query/sorted-run.ts).
import type { Id } from '#core/ids.ts';
import { type IsOver, Scan } from '#sync/query/scan.ts';
import type { SlotTest } from '#sync/query/slot-test.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import { Results } from './results.ts';

/** A search in progress. The owner calls `step` in portions until it is done. */
export interface SearchRun {
  readonly results: Results;
  readonly isDone: boolean;
  /** Continues. True when everything was found and sorted. */
  step(isOver: IsOver): boolean;
  /** The scan that a narrower search can continue from; null if it cannot. */
  readonly scan: Scan | null;
}

/** The parameters of a search. */
export interface Wanted {
  readonly matches: SlotTest;
  readonly limit: number | null;
  /** The scan of a search with at least the same results, which no longer runs. */
  readonly wider: Scan | null;
}

/** In the order of finding, open tasks first. */
export class PlainRun implements SearchRun {
  readonly results: Results;
  readonly scan: Scan;
  #taken = 0;

  constructor(index: TaskIndex, { matches, limit, wider }: Wanted) {
    this.results = new Results(index, limit);
    this.scan = new Scan(index, matches, wider);
  }

  get isDone(): boolean {
    return this.scan.isDone;
  }

  step(isOver: IsOver): boolean {
    this.scan.run(isOver);
    const { found } = this.scan;
    for (; this.#taken < found.length; this.#taken += 1) this.results.take(found.at(this.#taken));
    return this.isDone;
  }
}

/** Tasks whose text contains all of some folded words. */
export function wordsTest(
  index: TaskIndex,
  words: readonly string[],
  isHidden: (id: Id) => boolean,
): SlotTest {
  return (slot) => {
    if (!index.showsAt(slot)) return false;
    const text = index.textAt(slot);
    for (const word of words) if (!text.includes(word)) return false;
    return !isHidden(index.idAt(slot) as Id);
  };
}
