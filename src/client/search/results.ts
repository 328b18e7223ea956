// Search results as an outline without levels: open tasks, then completed ones, each as found, or all in one order.
// They are slots of the index, so that a million of them are held and looked up quickly. finding.ts decides the
// members.
import type { Id } from '#core/ids.ts';
import { SlotList, SlotSet } from '#sync/query/columns.ts';
import { bits, type TaskIndex } from '#sync/query/task-index.ts';
import type { Outline } from '../outline/outline.ts';

/** The results of one search. Its search adds to it in portions; changes of rows go through its owner. */
export class Results implements Outline {
  readonly isTree = false;
  readonly #index: TaskIndex;
  /** The maximum number shown. */
  readonly #limit: number;
  #open = new SlotList();
  #done = new SlotList();
  /** Everything in both lists. */
  #held = new SlotSet();
  /** The last line looked up: the next lookup is usually for it or the one after it. */
  #lastLine = 0;
  /** Removed rows, which the running search must not add again. */
  readonly #gone = new Set<number>();
  #mark = 0;
  /** Beyond this line the order is not known yet; `finish` sorts the rest on demand. */
  #exact: { until: number; readonly finish: () => void } | null = null;

  constructor(index: TaskIndex, limit: number | null) {
    this.#index = index;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  get length(): number {
    return Math.min(this.#limit, this.#open.length + this.#done.length);
  }

  get marked(): number {
    return this.#mark;
  }

  mark(index: number): void {
    this.#mark = index;
  }

  at(index: number): Id | undefined {
    if (this.#exact !== null && index >= this.#exact.until) this.#finish();
    if (index < 0 || index >= this.length) return undefined;
    return this.#index.idAt(this.#slotAt(index));
  }

  levelAt(): number {
    return 1;
  }

  indexOf(id: Id): number {
    const slot = this.#index.slotOf(id);
    let at = slot === undefined ? -1 : this.#lineOf(slot);
    if (this.#exact !== null && at >= this.#exact.until && slot !== undefined) {
      this.#finish();
      at = this.#lineOf(slot);
    }
    return at;
  }

  #slotAt(line: number): number {
    const open = this.#open.length;
    return line < open ? this.#open.at(line) : this.#done.at(line - open);
  }

  #lineOf(slot: number): number {
    if (!this.#held.has(slot)) return -1;
    let at = this.#lastLine;
    if (this.#slotAt(at) !== slot) at = this.#slotAt(at + 1) === slot ? at + 1 : this.#search(slot);
    this.#lastLine = at;
    return at < this.length ? at : -1;
  }

  #search(slot: number): number {
    const at = this.#open.indexOf(slot);
    return at < 0 ? this.#open.length + this.#done.indexOf(slot) : at;
  }

  has(id: Id): boolean {
    const slot = this.#index.slotOf(id);
    return slot !== undefined && this.#lineOf(slot) >= 0;
  }

  /** Whether a slot is a result, within or beyond the limit. */
  holds(slot: number): boolean {
    return this.#held.has(slot);
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    return { index: this.indexOf(id) + 1, size: this.length };
  }

  /** Adds a found task, behind those of its kind. */
  take(slot: number): void {
    if (this.#gone.has(slot) || !this.#held.add(slot)) return;
    ((this.#index.bitsAt(slot) & bits.done) === 0 ? this.#open : this.#done).push(slot);
  }

  /** Adds a task at the very end. */
  append(id: Id): void {
    const slot = this.#index.slotOf(id);
    if (slot === undefined || !this.#held.add(slot)) return;
    this.#gone.delete(slot);
    (this.#done.length > 0 ? this.#done : this.#open).push(slot);
  }

  /** Replaces the results by these, in order. The caller must not change the array afterwards. */
  arrange(all: Int32Array): void {
    const slots = this.#gone.size === 0 ? all : all.filter((slot) => !this.#gone.has(slot));
    this.#open = new SlotList(slots);
    this.#done = new SlotList();
    this.#held = new SlotSet();
    for (const slot of slots) this.#held.add(slot);
    this.#exact = null;
  }

  /** Reorders the results; tasks added meanwhile stay at the end. */
  reorder(all: Int32Array): void {
    const before = [this.#open, this.#done];
    this.#open = new SlotList(this.#gone.size === 0 ? all : all.filter((slot) => this.#held.has(slot)));
    this.#done = new SlotList();
    this.#exact = null;
    if (this.#held.size === this.#open.length) return;
    const ordered = new Set(all);
    for (const { view } of before) for (const slot of view) if (!ordered.has(slot)) this.#open.push(slot);
  }

  /** The order is known only up to that line; `finish` sorts all of it. */
  finishBeyond(until: number, finish: () => void): void {
    this.#exact = { until, finish };
  }

  #finish(): void {
    const exact = this.#exact;
    this.#exact = null;
    exact?.finish();
  }

  remove(gone: ReadonlySet<Id>): void {
    const slots: number[] = [];
    for (const id of gone) {
      const slot = this.#index.slotOf(id);
      if (slot === undefined) continue;
      this.#gone.add(slot);
      if (this.#held.has(slot)) slots.push(slot);
    }
    if (slots.length === 0) return;
    // Removes many at once by a single pass over the lines.
    const removed = new Set(slots);
    const isOne = slots.length === 1;
    const lines = isOne ? [this.#search(slots[0] as number)] : this.#linesOf(removed);
    const shown = lines.filter((line) => line < this.length);
    this.#mark -= shown.filter((line) => line < this.#mark).length;
    const until = this.#exact?.until ?? 0;
    if (this.#exact !== null) this.#exact.until -= lines.filter((line) => line < until).length;
    if (isOne) this.#drop(lines[0] as number);
    else {
      this.#open = new SlotList(this.#open.view.filter((slot) => !removed.has(slot)));
      this.#done = new SlotList(this.#done.view.filter((slot) => !removed.has(slot)));
    }
    for (const slot of slots) this.#held.delete(slot);
  }

  #linesOf(slots: ReadonlySet<number>): number[] {
    const lines: number[] = [];
    const count = this.#open.length + this.#done.length;
    for (let line = 0; line < count; line += 1) if (slots.has(this.#slotAt(line))) lines.push(line);
    return lines;
  }

  #drop(line: number): void {
    const open = this.#open.length;
    if (line < open) this.#open.splice(line, 1, []);
    else this.#done.splice(line - open, 1, []);
  }

  apply(): void {
    // The owner decides the members.
  }
}
