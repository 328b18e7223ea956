// Finds tasks for the palette in portions: the best matches so far are there within the key, the rest is merged in
// after its frame. A longer query continues from the results of the shorter one.
import type { Id } from '#core/ids.ts';
import { type IsOver, Scan } from '#sync/query/scan.ts';
import type { SlotTest } from '#sync/query/slot-test.ts';
import { bits, type TaskIndex, tokensOf } from '#sync/query/task-index.ts';

/** Matches kept per kind: as many as can be shown at all. */
const KEPT = 60;
/**
 * Kinds of match: prefix of the title, prefix of a word, in the title, in the notes; then the same for completed tasks.
 */
const KINDS = 8;
const DONE = 4;
const WORD = /[\p{L}\p{N}]/u;

export interface Asked {
  /** Identifies queries that can narrow each other: "", or the place that is searched. */
  readonly within: string;
  readonly text: string;
  readonly test: SlotTest;
}

export class TaskFinder {
  #index: TaskIndex | null = null;
  #scan: Scan | null = null;
  #words: readonly string[] = [];
  #within = '';
  #folded = '';
  #taken = 0;
  #kinds: number[][] = [];
  /** Grows when the best matches changed. */
  revision = 0;

  /** Rows changed: the next search starts from scratch. */
  forget(): void {
    this.#scan = null;
  }

  get isDone(): boolean {
    return this.#scan === null || this.#scan.isDone;
  }

  begin(index: TaskIndex, { within, text, test }: Asked): void {
    const words = tokensOf(text);
    const narrows =
      this.#scan !== null &&
      this.#within === within &&
      this.#words.length > 0 &&
      this.#words.every((word) => words.some((longer) => longer.includes(word)));
    this.#scan = new Scan(index, test, narrows ? this.#scan : null);
    this.#index = index;
    this.#words = words;
    this.#within = within;
    this.#folded = words.join(' ');
    this.#taken = 0;
    this.#kinds = Array.from({ length: KINDS }, () => []);
    this.revision += 1;
  }

  /** Continues. True when all tasks have been looked at. */
  step(isOver: IsOver): boolean {
    const scan = this.#scan;
    if (!scan) return true;
    const isDone = scan.run(() => {
      this.#take();
      return isOver();
    });
    this.#take();
    return isDone;
  }

  /** Best first. */
  get slots(): readonly number[] {
    return this.#kinds.flat();
  }

  #take(): void {
    const { found } = this.#scan as Scan;
    for (; this.#taken < found.length; this.#taken += 1) {
      const slot = found.at(this.#taken);
      const kind = this.#kinds[this.#kindOf(slot)];
      if (!kind || kind.length >= KEPT) continue;
      kind.push(slot);
      this.revision += 1;
    }
  }

  #kindOf(slot: number): number {
    const index = this.#index as TaskIndex;
    const text = index.textAt(slot);
    const done = (index.bitsAt(slot) & bits.done) === 0 ? 0 : DONE;
    if (text.startsWith(this.#folded)) return done;
    const [first = ''] = this.#words;
    const at = text.indexOf(first);
    const end = text.indexOf('\n');
    if (at < 0 || (end >= 0 && at > end)) return done + 3;
    return at === 0 || !WORD.test(text[at - 1] ?? '') ? done + 1 : done + 2;
  }
}

/** Shown tasks that contain every word, among the given ones. */
export function wordsTest(
  index: TaskIndex,
  text: string,
  isLeftOut: (id: Id, slot: number) => boolean,
): SlotTest {
  const words = tokensOf(text);
  return (slot) => {
    if (!index.showsAt(slot)) return false;
    const held = index.textAt(slot);
    for (const word of words) if (!held.includes(word)) return false;
    return !isLeftOut(index.idAt(slot) as Id, slot);
  };
}
