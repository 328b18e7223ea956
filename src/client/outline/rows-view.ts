// The part of the outline that is on screen, as pooled slots: after every command the window is derived again and only
// slots whose row differs are set. The contents of a row come from row-facts.ts. Places and heights are in units of a
// plain row: rows may have several heights, known from what they say and never measured.
import type { Id } from '#core/ids.ts';
import { createSignal, type Signal, type WritableSignal } from '../app/signal.ts';
import type { HeightOf, RowsView, RowView } from '../app/view.ts';

/** Rows rendered above and below the screen, so that scrolling shows them at once. */
const MARGIN = 4;
const FIRST_FIT = 40;

function sameDue(a: RowView['due'], b: RowView['due']): boolean {
  return a === b || (a !== null && b !== null && a.text === b.text && a.overdue === b.overdue);
}

function sameHeading(a: RowView['heading'], b: RowView['heading']): boolean {
  if (a === null || b === null) return a === b;
  return a.text === b.text && a.detail === b.detail && a.count === b.count && a.isLate === b.isLate;
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
    a.y === b.y &&
    a.height === b.height &&
    a.head === b.head &&
    a.dueTime === b.dueTime &&
    a.dueTone === b.dueTone &&
    sameHeading(a.heading, b.heading) &&
    a.level === b.level &&
    a.title === b.title &&
    a.locked === b.locked &&
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
    a.comments === b.comments &&
    a.assignee === b.assignee &&
    a.bookmarked === b.bookmarked &&
    a.path === b.path &&
    a.planned === b.planned &&
    a.trashed === b.trashed &&
    a.start === b.start &&
    a.snoozed === b.snoozed &&
    a.repeats === b.repeats &&
    a.reminds === b.reminds &&
    a.unread === b.unread &&
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
  /** Some rows have a heading. */
  readonly hasHeadings: boolean;
  /** As a plain row among plain ones. */
  rowAt(index: number): RowView;
}

/** Lines between the last known place and another one that are looked at for their height. */
const FAR = 100;
/** Places are multiples of a fraction that sums exactly. */
const FINE = 64;
/** Room for a heading, among plain rows and where rows have heights of their own. */
const HEADING = { plain: 1.5, phone: 1 };

/** The window of rows on screen, with a slot per row. `sync` derives it; the screen reports its size by `resize`. */
export class RowsWindow implements RowsView {
  readonly #count = createSignal(0);
  readonly #top = createSignal(0);
  readonly #offset = createSignal(0);
  readonly #extent = createSignal(0);
  readonly #pool = createSignal(FIRST_FIT + 2 * MARGIN);
  readonly #order = createSignal<readonly string[] | null>(null, sameOrder);
  readonly #slots: WritableSignal<RowView | null>[] = [];
  readonly #getSource: () => RowsSource;
  #source: RowsSource;
  /** Rows looked at by the present call. */
  #read = new Map<number, RowView>();
  #drawn: readonly RowView[] = [];
  #slotOf: ReadonlyMap<string, number> = new Map();
  /** The cursor at the last `sync`. */
  #seen: { readonly cursor: Id | null; readonly index: number; readonly top: number } = {
    cursor: null,
    index: -1,
    top: 0,
  };
  /** Height of the screen. */
  #room = FIRST_FIT;
  #heightOf: HeightOf | null = null;
  /** Every row is a plain one: where they stand is known without looking at any. */
  #isPlain = true;
  /** A line whose place is known: the first one that was drawn. */
  #known = { index: 0, y: 0 };
  /** How far `sync` has moved the known line, because the lines above it need more room or less. */
  #drift = 0;
  #follows = true;

  constructor(source: () => RowsSource) {
    this.#getSource = source;
    this.#source = source();
  }

  get count(): Signal<number> {
    return this.#count;
  }

  get top(): Signal<number> {
    return this.#top;
  }

  get offset(): Signal<number> {
    return this.#offset;
  }

  get extent(): Signal<number> {
    return this.#extent;
  }

  get pool(): Signal<number> {
    return this.#pool;
  }

  get order(): Signal<readonly string[] | null> {
    return this.#order;
  }

  /** Number of whole rows on screen. */
  get fit(): number {
    const end = this.#offset.get() + this.#room;
    const last = this.#isPlain ? undefined : this.#drawn.findLast((row) => row.y + row.height <= end);
    return Math.max(1, Math.floor(last ? last.index - this.#top.get() + 1 : this.#room));
  }

  slot(index: number): Signal<RowView | null> {
    return this.#slotAt(index);
  }

  resize(room: number, heightOf: HeightOf | null = null): void {
    const isSame = Math.floor(room) === Math.floor(this.#room) && heightOf === this.#heightOf;
    this.#room = Math.max(1, room);
    if (isSame) return;
    this.#heightOf = heightOf;
    this.#pool.set(Math.floor(this.#room) + 2 * MARGIN);
    this.#follows = true;
    this.sync();
  }

  scrolledTo(y: number): number {
    this.#look();
    this.#follows = false;
    this.#top.set(this.#clamp(this.#indexAt(y)));
    this.sync();
    return this.#drift;
  }

  drawnAs(line: string): RowView | null {
    return this.#drawn.find((row) => row.line === line) ?? null;
  }

  /** The next `sync` scrolls the cursor into view. */
  follow(): void {
    this.#follows = true;
  }

  /** Scrolls the cursor to that position, as far as the outline allows. */
  bring(where: 'top' | 'middle' | 'bottom'): void {
    const { cursorIndex } = this.#look();
    if (cursorIndex < 0) return;
    const room = { top: 0, middle: (this.#room + 1) / 2, bottom: this.#room }[where];
    this.#follows = false;
    this.#top.set(this.#clamp(this.#firstFitting(cursorIndex, room)));
  }

  /** Derives the window again. Costs the rows on screen, whatever the size of the outline. */
  sync(): void {
    const { cursor, cursorIndex, length } = this.#look();
    const pool = this.#pool.get();
    let top = this.#clamp(this.#top.get());
    if (this.#follows && cursorIndex >= 0) {
      top = Math.min(top, cursorIndex);
      top = this.#clamp(Math.max(top, this.#firstFitting(cursorIndex, this.#room)));
    }
    // If lines coming or going above would push the cursor off the screen, the window moves along.
    else if (cursor !== null && cursor === this.#seen.cursor && this.#pushesCursorOff(top, cursorIndex)) {
      top = this.#clamp(top + cursorIndex - this.#seen.index);
    }
    this.#follows = false;
    this.#seen = { cursor, index: cursorIndex, top };
    const first = Math.max(0, Math.min(top - MARGIN, length - pool));
    let y = this.#placeOf(first);
    this.#known = { index: first, y };
    let offset = y;
    const rows: RowView[] = [];
    for (let index = first; index < Math.min(first + pool, length); index += 1) {
      const row = this.#rowAt(index);
      const whole = this.#heightAt(index);
      const head = this.#headOf(row);
      if (index === top) offset = y;
      rows.push(row.y === y && whole === 1 ? row : { ...row, y: y + head, height: whole - head, head });
      y += whole;
    }
    this.#drawn = rows;
    this.#show(rows, pool);
    // Set first, so that the scroller follows it before the outline's height changes.
    this.#top.set(top);
    this.#offset.set(offset);
    this.#extent.set(y + length - first - rows.length);
    this.#count.set(length);
  }

  /** The outline as it is now. */
  #look(): RowsSource {
    this.#source = this.#getSource();
    this.#read.clear();
    this.#isPlain = this.#heightOf === null && !this.#source.hasHeadings;
    return this.#source;
  }

  #rowAt(index: number): RowView {
    let row = this.#read.get(index);
    if (row === undefined) {
      row = this.#source.rowAt(index);
      this.#read.set(index, row);
    }
    return row;
  }

  #headOf({ heading }: RowView): number {
    return heading === null ? 0 : this.#heightOf === null ? HEADING.plain : HEADING.phone;
  }

  #heightAt(index: number): number {
    if (this.#isPlain) return 1;
    const row = this.#rowAt(index);
    return this.#headOf(row) + (this.#heightOf?.(row) ?? 1);
  }

  /** The first of the lines that end with this one and fit into the room; at least this one. */
  #firstFitting(last: number, room: number): number {
    let first = last;
    if (this.#isPlain) first = last - Math.floor(room) + 1;
    else
      for (let left = room - this.#heightAt(last); first > 0; first -= 1) {
        left -= this.#heightAt(first - 1);
        if (left < 0) break;
      }
    return Math.max(0, Math.min(last, first));
  }

  #clamp(top: number): number {
    const { length } = this.#source;
    if (top + this.#room <= length) return Math.max(0, top);
    return length === 0 ? 0 : Math.min(Math.max(0, top), this.#firstFitting(length - 1, this.#room));
  }

  /** Where a line stands. The lines above it need at least a unit each, and nothing stands above the first one. */
  #placeOf(index: number): number {
    if (this.#isPlain) return index;
    const reckoned = this.#reckoned(index);
    const y = index === 0 ? 0 : Math.max(index, reckoned ?? index);
    this.#drift = reckoned === null ? 0 : y - reckoned;
    return y;
  }

  /** Null: too far from the known line to look at all between. */
  #reckoned(index: number): number | null {
    const { index: known, y } = this.#known;
    if (known > this.#source.length || Math.abs(index - known) > FAR) return null;
    let place = y;
    for (let line = known; line < index; line += 1) place += this.#heightAt(line);
    for (let line = index; line < known; line += 1) place -= this.#heightAt(line);
    return place;
  }

  #indexAt(y: number): number {
    const { length } = this.#source;
    if (this.#isPlain) return Math.floor(y);
    let { index, y: place } = this.#known;
    if (index >= length || Math.abs(y - place) > FAR) {
      // Nobody looks at all that is between: what stands there is a guess, and is the new known place.
      index = Math.min(length - 1, Math.floor((y * length) / Math.max(1, this.#extent.get())));
      this.#known = { index: Math.max(0, index), y: Math.round(y * FINE) / FINE };
      return index;
    }
    for (; index < length - 1 && place + this.#heightAt(index) <= y; index += 1)
      place += this.#heightAt(index);
    for (; index > 0 && place > y; place -= this.#heightAt(index)) index -= 1;
    return index;
  }

  #pushesCursorOff(top: number, index: number): boolean {
    const { fit } = this;
    const isOn = (at: number, first: number) => at >= first && at < first + fit;
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

  #slotAt(index: number): WritableSignal<RowView | null> {
    while (this.#slots.length <= index) this.#slots.push(createSignal<RowView | null>(null, sameRow));
    const slot = this.#slots[index];
    if (slot === undefined) throw new Error('Impossible: a slot was not made');
    return slot;
  }
}
