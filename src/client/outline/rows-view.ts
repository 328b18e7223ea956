// The part of the outline that is on screen, as pooled slots: after every command the window is derived again and only
// slots whose row differs are set. The contents of a row come from row-facts.ts.
import type { Id } from '#core/ids.ts';
import { createSignal, type Signal, type WritableSignal } from '../app/signal.ts';
import type { RowsView, RowView } from '../app/view.ts';

/** Rows rendered above and below the screen, so that scrolling shows them at once. */
const MARGIN = 4;
const FIRST_FIT = 40;

function sameDue(a: RowView['due'], b: RowView['due']): boolean {
  return a === b || (a !== null && b !== null && a.text === b.text && a.overdue === b.overdue);
}

function sameLabels(a: RowView['labels'], b: RowView['labels']): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((label, at) => label.id === b[at]?.id && label.name === b[at].name && label.color === b[at].color)
  );
}

function sameFound(a: RowView['found'], b: RowView['found']): boolean {
  return (
    a === b ||
    (a.length === b.length && a.every(([start, end], at) => start === b[at]?.[0] && end === b[at][1]))
  );
}

export function sameRow(a: RowView | null, b: RowView | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.id === b.id &&
    a.line === b.line &&
    a.kind === b.kind &&
    a.index === b.index &&
    a.level === b.level &&
    a.title === b.title &&
    a.done === b.done &&
    a.cursor === b.cursor &&
    a.selected === b.selected &&
    a.editing === b.editing &&
    a.expanded === b.expanded &&
    a.posInSet === b.posInSet &&
    a.setSize === b.setSize &&
    a.childCount === b.childCount &&
    a.childrenDone === b.childrenDone &&
    a.hasNotes === b.hasNotes &&
    a.hasFiles === b.hasFiles &&
    a.bookmarked === b.bookmarked &&
    a.path === b.path &&
    a.trashed === b.trashed &&
    a.start === b.start &&
    a.snoozed === b.snoozed &&
    a.repeats === b.repeats &&
    a.reminds === b.reminds &&
    a.duration === b.duration &&
    a.tokens === b.tokens &&
    sameFound(a.found, b.found) &&
    sameDue(a.due, b.due) &&
    sameLabels(a.labels, b.labels)
  );
}

function sameOrder(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** The source of the window, read again by every `sync`. */
export interface RowsSource {
  readonly length: number;
  readonly cursor: Id | null;
  /** −1 without a cursor. */
  readonly cursorIndex: number;
  rowAt(index: number): RowView;
}

/** The window of rows on screen, with a slot per row. `sync` derives it; the screen reports its size by `resize`. */
export class RowsWindow implements RowsView {
  readonly #count = createSignal(0);
  readonly #top = createSignal(0);
  readonly #pool = createSignal(FIRST_FIT + 2 * MARGIN);
  readonly #order = createSignal<readonly string[] | null>(null, sameOrder);
  readonly #slots: WritableSignal<RowView | null>[] = [];
  readonly #source: () => RowsSource;
  #slotOf: ReadonlyMap<string, number> = new Map();
  /** The cursor at the last `sync`. */
  #seen: { readonly cursor: Id | null; readonly index: number; readonly top: number } = {
    cursor: null,
    index: -1,
    top: 0,
  };
  #fit = FIRST_FIT;
  #follows = true;

  constructor(source: () => RowsSource) {
    this.#source = source;
  }

  get count(): Signal<number> {
    return this.#count;
  }

  get top(): Signal<number> {
    return this.#top;
  }

  get pool(): Signal<number> {
    return this.#pool;
  }

  get order(): Signal<readonly string[] | null> {
    return this.#order;
  }

  /** Number of whole rows on screen. */
  get fit(): number {
    return this.#fit;
  }

  slot(index: number): Signal<RowView | null> {
    return this.#slotAt(index);
  }

  resize(rows: number): void {
    const fit = Math.max(1, Math.floor(rows));
    if (fit === this.#fit) return;
    this.#fit = fit;
    this.#pool.set(fit + 2 * MARGIN);
    this.#follows = true;
    this.sync();
  }

  scrolledTo(top: number): void {
    this.#follows = false;
    this.#top.set(this.#clamp(Math.floor(top), this.#source().length));
    this.sync();
  }

  /** The next `sync` scrolls the cursor into view. */
  follow(): void {
    this.#follows = true;
  }

  /** Scrolls the cursor to that position, as far as the outline allows. */
  bring(where: 'top' | 'middle' | 'bottom'): void {
    const { cursorIndex, length } = this.#source();
    if (cursorIndex < 0) return;
    const above = { top: 0, middle: Math.floor((this.#fit - 1) / 2), bottom: this.#fit - 1 }[where];
    this.#follows = false;
    this.#top.set(this.#clamp(cursorIndex - above, length));
  }

  /** Derives the window again. Costs the rows on screen, whatever the size of the outline. */
  sync(): void {
    const source = this.#source();
    const { cursor } = source;
    const pool = this.#pool.get();
    let top = this.#clamp(this.#top.get(), source.length);
    if (this.#follows && source.cursorIndex >= 0) {
      top = Math.min(top, source.cursorIndex);
      top = this.#clamp(Math.max(top, source.cursorIndex - this.#fit + 1), source.length);
    }
    // If lines coming or going above would push the cursor off the screen, the window moves along.
    else if (
      cursor !== null &&
      cursor === this.#seen.cursor &&
      this.#pushesCursorOff(top, source.cursorIndex)
    ) {
      top = this.#clamp(top + source.cursorIndex - this.#seen.index, source.length);
    }
    this.#follows = false;
    this.#seen = { cursor, index: source.cursorIndex, top };
    const first = Math.max(0, Math.min(top - MARGIN, source.length - pool));
    const rows: RowView[] = [];
    for (let index = first; index < Math.min(first + pool, source.length); index += 1) {
      rows.push(source.rowAt(index));
    }
    this.#show(rows, pool);
    // Set first, so that the scroller follows it before the outline's height changes.
    this.#top.set(top);
    this.#count.set(source.length);
  }

  #pushesCursorOff(top: number, index: number): boolean {
    const isOn = (at: number, first: number) => at >= first && at < first + this.#fit;
    return index >= 0 && isOn(this.#seen.index, this.#seen.top) && !isOn(index, top);
  }

  /**
   * A row keeps its slot while it is in the window: when one is inserted above, its neighbors change their place but
   * not their text and ids, which saves most of the cost of redrawing them.
   */
  #show(rows: readonly RowView[], pool: number): void {
    const slotOf = new Map<string, number>();
    const taken = new Set<number>();
    for (const { line } of rows) {
      const slot = this.#slotOf.get(line);
      if (slot === undefined || slot >= pool) continue;
      slotOf.set(line, slot);
      taken.add(slot);
    }
    let free = 0;
    let last = -1;
    let isInOrder = true;
    for (const row of rows) {
      let slot = slotOf.get(row.line);
      if (slot === undefined) {
        while (taken.has(free)) free += 1;
        slot = free;
        taken.add(slot);
        slotOf.set(row.line, slot);
      }
      this.#slotAt(slot).set(row);
      isInOrder &&= slot > last;
      last = slot;
    }
    this.#order.set(isInOrder ? null : rows.map(({ line }) => line));
    for (let slot = 0; slot < Math.max(pool, this.#slots.length); slot += 1) {
      if (!taken.has(slot)) this.#slotAt(slot).set(null);
    }
    this.#slotOf = slotOf;
  }

  #clamp(top: number, length: number): number {
    return Math.max(0, Math.min(top, length - this.#fit));
  }

  #slotAt(index: number): WritableSignal<RowView | null> {
    while (this.#slots.length <= index) this.#slots.push(createSignal<RowView | null>(null, sameRow));
    const slot = this.#slots[index];
    if (slot === undefined) throw new Error('Impossible: a slot was not made');
    return slot;
  }
}
