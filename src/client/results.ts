// Search results as an outline without levels: open tasks, then completed ones, each as found, or all in one order. They
// are slots of the index, so that a million of them are held and found again in a moment. What belongs here is finding.ts.
import type { Id } from '#core/ids.ts';
import { IntegerColumn, SlotList } from '#sync/query/columns.ts';
import { bits, type TaskIndex } from '#sync/query/task-index.ts';
import type { Outline } from './outline.ts';

export class Results implements Outline {
  readonly isTree = false;
  readonly #index: TaskIndex;
  /** Not more than this are shown. */
  readonly #limit: number;
  readonly #open = new SlotList();
  readonly #done = new SlotList();
  /** By slot: where in its list it stands, and one; negative among the completed ones. */
  readonly #positions = new IntegerColumn();
  /** What was removed stays away from what is still being found. */
  readonly #gone = new Set<number>();
  #mark = 0;
  /** Whoever knows the order of what lies beyond a line brings it, when somebody looks there. */
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
    const open = this.#open.length;
    return this.#index.idAt(index < open ? this.#open.at(index) : this.#done.at(index - open));
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

  #lineOf(slot: number): number {
    const position = this.#positions.at(slot);
    const at = position > 0 ? position - 1 : position < 0 ? this.#open.length - position - 1 : -1;
    return at < this.length ? at : -1;
  }

  has(id: Id): boolean {
    const slot = this.#index.slotOf(id);
    return slot !== undefined && this.#lineOf(slot) >= 0;
  }

  /** Whether a slot is among them, shown or beyond the limit. */
  holds(slot: number): boolean {
    return this.#positions.at(slot) !== 0;
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    return { index: this.indexOf(id) + 1, size: this.length };
  }

  /** Adds one that was found, behind those of its kind. */
  take(slot: number): void {
    if (this.holds(slot) || this.#gone.has(slot)) return;
    const isDone = (this.#index.bitsAt(slot) & bits.done) !== 0;
    const into = isDone ? this.#done : this.#open;
    into.push(slot);
    this.#positions.set(slot, isDone ? -into.length : into.length);
  }

  /** Adds one at the very end. */
  append(id: Id): void {
    const slot = this.#index.slotOf(id);
    if (slot === undefined || this.holds(slot)) return;
    this.#gone.delete(slot);
    const into = this.#done.length > 0 ? this.#done : this.#open;
    into.push(slot);
    this.#positions.set(slot, into === this.#done ? -into.length : into.length);
  }

  /** Puts these in their order in place of what is here. */
  arrange(all: Int32Array): void {
    const slots = this.#gone.size === 0 ? all : all.filter((slot) => !this.#gone.has(slot));
    for (const list of [this.#open, this.#done]) {
      for (const slot of list.view) this.#positions.set(slot, 0);
      list.splice(0, list.length, []);
    }
    this.#open.splice(0, 0, slots);
    this.#number(this.#open, 0, 1);
    this.#exact = null;
  }

  /** The order is known up to a line only; `finish` arranges all of it. */
  finishBeyond(until: number, finish: () => void): void {
    this.#exact = { until, finish };
  }

  #finish(): void {
    const exact = this.#exact;
    this.#exact = null;
    exact?.finish();
  }

  remove(gone: ReadonlySet<Id>): void {
    let before = 0;
    for (const id of gone) {
      const slot = this.#index.slotOf(id);
      const at = slot === undefined ? -1 : this.#lineOf(slot);
      if (slot === undefined) continue;
      this.#gone.add(slot);
      if (!this.holds(slot)) continue;
      if (at >= 0 && at < this.#mark) before += 1;
      this.#drop(slot);
    }
    this.#mark -= before;
  }

  #drop(slot: number): void {
    const position = this.#positions.at(slot);
    const list = position > 0 ? this.#open : this.#done;
    const at = Math.abs(position) - 1;
    if (this.#exact !== null && at < this.#exact.until) this.#exact.until -= 1;
    list.splice(at, 1, []);
    this.#positions.set(slot, 0);
    this.#number(list, at, position > 0 ? 1 : -1);
  }

  #number(list: SlotList, from: number, sign: 1 | -1): void {
    const slots = list.view;
    for (let at = from; at < slots.length; at += 1) this.#positions.set(slots[at] as number, (at + 1) * sign);
  }

  apply(): void {
    // Its owner decides who belongs in it.
  }
}
