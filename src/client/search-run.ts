// One search on its way: what matches comes portion by portion, the first ones within the key that asked for them. Words
// and operators alike; what puts results in another order comes with the search language (query/sorted-run.ts).
import type { Id } from '#core/ids.ts';
import { type IsOver, Scan } from '#sync/query/scan.ts';
import type { SlotTest } from '#sync/query/slot-test.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import { Results } from './results.ts';

export interface SearchRun {
  readonly results: Results;
  readonly isDone: boolean;
  /** Goes on. True when all has been found and stands in its order. */
  step(isOver: IsOver): boolean;
  /** What a narrower search goes on from; null where it cannot. */
  readonly scan: Scan | null;
}

export interface Wanted {
  readonly matches: SlotTest;
  readonly limit: number | null;
  /** A search that finds at least the same, and is not run any more. */
  readonly wider: Scan | null;
}

/** In the order in which tasks were found, open ones first. */
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
