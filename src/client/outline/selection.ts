// Cursor, anchor and selected rows of an outline. When the cursor's row disappears, it goes to the next sibling, else
// the previous one, else the parent. Positions come from outline.ts.
import type { Id } from '#core/ids.ts';
import type { Outline } from './outline.ts';

const MANY = 1_000;

/** The selection in one outline. Call `settle` after every change of that outline. */
export class Selection {
  #cursor: Id | null = null;
  #level = 1;
  #anchor: Id | null = null;
  #selected = new Set<Id>();
  /** Length of the outline at the last `settle`. */
  #lines = -1;
  /** Rows selected by Shift+arrows since the anchor was set; each further one replaces them. */
  #range: readonly Id[] = [];

  get cursor(): Id | null {
    return this.#cursor;
  }

  get size(): number {
    return this.#selected.size;
  }

  /** Some of the selected rows. */
  first(count: number): readonly Id[] {
    const ids: Id[] = [];
    for (const id of this.#selected) {
      if (ids.length === count) break;
      ids.push(id);
    }
    return ids;
  }

  has(id: Id): boolean {
    return this.#selected.has(id);
  }

  /** Moves the cursor and drops the anchor; the selection stays. */
  put(outline: Outline, id: Id | null): void {
    this.#anchor = null;
    this.#range = [];
    this.#place(outline, id);
  }

  /** Moves the cursor and selects everything from the anchor to it. */
  extendTo(outline: Outline, id: Id): void {
    this.#anchor ??= this.#cursor;
    const from = this.#anchor === null ? -1 : outline.indexOf(this.#anchor);
    const to = outline.indexOf(id);
    if (to < 0) return;
    for (const old of this.#range) this.#selected.delete(old);
    const range: Id[] = [];
    const start = from < 0 ? to : from;
    for (let index = Math.min(start, to); index <= Math.max(start, to); index += 1) {
      const row = outline.at(index);
      if (row !== undefined) range.push(row);
    }
    for (const row of range) this.#selected.add(row);
    this.#range = range;
    this.#place(outline, id);
  }

  toggle(id: Id): void {
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#anchor = null;
    this.#range = [];
  }

  selectAll(outline: Outline): void {
    this.#selected = new Set();
    for (let index = 0; index < outline.length; index += 1) {
      const id = outline.at(index);
      if (id !== undefined) this.#selected.add(id);
    }
  }

  /** False when nothing was selected. */
  clear(): boolean {
    const had = this.#selected.size > 0;
    this.#selected.clear();
    this.#anchor = null;
    this.#range = [];
    return had;
  }

  /** The selected rows in the order of the outline, else the cursor's row. */
  targets(outline: Outline): readonly Id[] {
    if (this.#selected.size === 0) return this.#cursor === null ? [] : [this.#cursor];
    const placed = [...this.#selected].map((id) => ({ id, index: outline.indexOf(id) }));
    return placed
      .filter(({ index }) => index >= 0)
      .toSorted((a, b) => a.index - b.index)
      .map(({ id }) => id);
  }

  /** Call it after the outline changed: removed rows are deselected, and the cursor moves to a row if there is one. */
  settle(outline: Outline): void {
    // A large selection is checked only when lines were removed; a command on a few of them removes none.
    if (this.#selected.size <= MANY || outline.length !== this.#lines) {
      for (const id of this.#selected) if (!outline.has(id)) this.#selected.delete(id);
    }
    this.#lines = outline.length;
    if (this.#anchor !== null && !outline.has(this.#anchor)) this.#anchor = null;
    const cursor = this.#cursor;
    if (cursor === null) this.#place(outline, outline.at(0) ?? null);
    else this.#place(outline, outline.has(cursor) ? cursor : this.#heir(outline));
  }

  #place(outline: Outline, id: Id | null): void {
    this.#cursor = id;
    if (id === null) return;
    const index = outline.indexOf(id);
    this.#level = outline.levelAt(index);
    outline.mark(index);
  }

  #heir(outline: Outline): Id | null {
    if (outline.length === 0) return null;
    const at = Math.min(outline.marked, outline.length);
    if (at < outline.length && (outline.levelAt(at) === this.#level || at === 0))
      return outline.at(at) ?? null;
    let index = at - 1;
    while (index > 0 && outline.levelAt(index) > this.#level) index -= 1;
    return outline.at(Math.max(0, index)) ?? null;
  }
}
