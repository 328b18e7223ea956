// The results of one query, kept up to date while rows change: matches, number of open ones, and their order while
// somebody looks. smart-lists.ts decides which tasks to check again, and when to check all.
import type { Id } from '#core/ids.ts';
import type { SearchSort } from '#core/search/query.ts';
import type { Asked, Asking } from '#sync/query/asking.ts';
import { SlotList, SlotSet } from '#sync/query/columns.ts';
import { orderOf, standingDate } from '#sync/query/order.ts';
import { atLeisure, type IsOver, Scan } from '#sync/query/scan.ts';
import { FirstSlots, placeIn, type SlotOrder, SlotSort } from '#sync/query/slot-order.ts';
import { bits } from '#sync/query/task-index.ts';

interface Order {
  readonly order: SlotOrder;
  readonly lines: SlotList;
}

/** A check of all tasks, or a sorting, in progress. */
interface Renewal {
  readonly scan: Scan;
  /** Number of scanned matches that were processed. */
  taken: number;
  readonly matches: SlotSet;
  readonly open: SlotSet;
  /** Changed after the scan passed them. */
  readonly changed: Set<number>;
}

/** Up to this many are sorted at once; of more, the first page comes before the rest. */
const FEW = 2_000;
const PAGE = 200;
/** Slots processed between two looks at the clock. */
const STRIDE = 4_096;

export class LiveList {
  readonly #asking: Asking;
  readonly #sort: SearchSort | null;
  asked: Asked;
  /** Everything has to be checked again. */
  #isStale = true;
  #isKnown = false;
  #matches = new SlotSet();
  /** The open ones of the matches. */
  #open = new SlotSet();
  #renewal: Renewal | null = null;
  /** The order is on screen. */
  #isWatched = false;
  #sorting: { readonly order: SlotOrder; readonly sort: SlotSort } | null = null;
  #order: Order | null = null;
  #dateOf: ((slot: number) => number) | null = null;

  constructor(asking: Asking, text: string, sort: SearchSort | null) {
    this.#asking = asking;
    this.#sort = sort;
    this.asked = asking.ask(text, { awakeOnly: true });
  }

  /** Something is out of date; `renew` updates it. */
  get needsWork(): boolean {
    return this.#isStale || (this.#wantsOrder && this.#order === null);
  }

  /** Everything has to be checked before any result is reliable. */
  get isStale(): boolean {
    return this.#isStale;
  }

  get sort(): SearchSort | null {
    return this.asked.query.directives.sort ?? this.#sort;
  }

  get #wantsOrder(): boolean {
    const { limit } = this.asked.query.directives;
    return this.#isWatched || (limit !== null && this.#matches.size > limit);
  }

  has(id: Id): boolean {
    const slot = this.#asking.world.index.slotOf(id);
    return slot !== undefined && this.#matches.has(slot);
  }

  /** Number of open matches within the limit; null until counted. */
  get count(): number | null {
    if (!this.#isKnown) return null;
    const { limit } = this.asked.query.directives;
    if (limit === null || this.#matches.size <= limit) return this.#open.size;
    if (this.#order === null) return null;
    let open = 0;
    for (const slot of this.slots) if (this.#open.has(slot)) open += 1;
    return open;
  }

  /**
   * Slots of the matches in order, within the limit; for very many, only the first ones until `renew` has sorted them.
   * Live: valid until the next change.
   */
  get slots(): Int32Array {
    const { limit } = this.asked.query.directives;
    const slots = this.#order === null ? this.#firstOnes() : this.#order.lines.view;
    return limit === null ? slots : slots.subarray(0, limit);
  }

  /** Matches in order, within the limit. */
  contents(): readonly Id[] {
    const { index } = this.#asking.world;
    return Array.from(this.slots, (slot) => index.idAt(slot) as Id);
  }

  /** The date that a match stands at if the list is sorted by due date, as a code; NaN: none. */
  dateAt(slot: number): number {
    this.#dateOf ??= standingDate(this.#asking.world);
    return this.#dateOf(slot);
  }

  /** The order is needed from now on. */
  watch(): void {
    this.#isWatched = true;
  }

  /** The order is not needed any more. */
  rest(): void {
    this.#isWatched = false;
    this.#order = null;
    this.#sorting = null;
  }

  /** Names or days in the query now have another meaning. */
  askAgain(): void {
    const { text, query } = this.asked;
    this.asked = this.#asking.askQuery(text, query, { awakeOnly: true });
    this.#dateOf = null;
    if (this.#renewal !== null) this.spoil();
  }

  /** Everything has to be checked again. */
  spoil(): void {
    this.#isStale = true;
    this.#renewal = null;
  }

  /** Checks everything and sorts it, as far as the time allows; until then the old results remain. True when done. */
  renew(isOver: IsOver = atLeisure): boolean {
    if (this.#isStale) {
      if (!this.#look(isOver)) return false;
      // Sorting begins with a step that cannot be divided.
      if (this.#wantsOrder && isOver()) return false;
    }
    if (!this.#wantsOrder || this.#order !== null) return true;
    const { order, sort } = (this.#sorting ??= this.#beginSorting());
    if (!sort.run(isOver)) return false;
    this.#order = { order, lines: new SlotList(sort.slots) };
    this.#sorting = null;
    return true;
  }

  #look(isOver: IsOver): boolean {
    const { index } = this.#asking.world;
    this.#renewal ??= {
      scan: new Scan(index, this.asked.matches),
      taken: 0,
      matches: new SlotSet(),
      open: new SlotSet(),
      changed: new Set(),
    };
    const { scan, changed, matches, open } = this.#renewal;
    if (!scan.run(isOver) || !this.#takeFound(this.#renewal, isOver)) return false;
    this.#matches = matches;
    this.#open = open;
    for (const slot of changed) this.#put(slot, this.asked.matches(slot));
    this.#renewal = null;
    this.#isStale = false;
    this.#isKnown = true;
    this.#dateOf = null;
    this.#order = null;
    this.#sorting = null;
    return true;
  }

  /** Processes scanned matches as far as the time allows. Tasks that change meanwhile are checked again afterwards. */
  #takeFound(renewal: Renewal, isOver: IsOver): boolean {
    const { index } = this.#asking.world;
    const { scan, matches, open } = renewal;
    const found = scan.found.view;
    while (renewal.taken < found.length) {
      const end = Math.min(renewal.taken + STRIDE, found.length);
      for (let at = renewal.taken; at < end; at += 1) {
        const slot = found[at] as number;
        matches.add(slot);
        if ((index.bitsAt(slot) & bits.done) === 0) open.add(slot);
      }
      renewal.taken = end;
      if (end < found.length && isOver()) return false;
    }
    return true;
  }

  /** Checks some tasks again. Returns those that came, went or may have moved. */
  look(slots: readonly number[]): readonly number[] {
    if (this.#renewal !== null) for (const slot of slots) this.#renewal.changed.add(slot);
    if (this.#isStale) return [];
    // A sorting in progress has to start again.
    const touched = slots.filter((slot) => this.#matches.has(slot) || this.asked.matches(slot));
    if (touched.length === 0) return touched;
    this.#sorting = null;
    for (const slot of touched) this.#takeOut(slot);
    const came = touched.filter((slot) => this.#put(slot, this.asked.matches(slot)));
    for (const slot of came) this.#takeIn(slot);
    return touched;
  }

  #put(slot: number, isIn: boolean): boolean {
    const isOpen = isIn && (this.#asking.world.index.bitsAt(slot) & bits.done) === 0;
    if (isIn) this.#matches.add(slot);
    else this.#matches.delete(slot);
    if (isOpen) this.#open.add(slot);
    else this.#open.delete(slot);
    return isIn;
  }

  #takeOut(slot: number): void {
    const lines = this.#order?.lines;
    const at = lines && this.#matches.has(slot) ? lines.indexOf(slot) : -1;
    if (at >= 0) lines?.splice(at, 1, []);
  }

  #takeIn(slot: number): void {
    if (this.#order === null) return;
    const { order, lines } = this.#order;
    order.learn(slot);
    lines.splice(placeIn(lines.view, slot, order), 0, [slot]);
  }

  #beginSorting(): { readonly order: SlotOrder; readonly sort: SlotSort } {
    const order = orderOf(this.#asking.world, this.sort);
    return { order, sort: new SlotSort(order, this.#matches.slots()) };
  }

  #firstOnes(): Int32Array {
    const { order, sort } = (this.#sorting ??= this.#beginSorting());
    if (this.#matches.size <= FEW) {
      sort.run(atLeisure);
      this.#order = { order, lines: new SlotList(sort.slots) };
      this.#sorting = null;
      return this.#order.lines.view;
    }
    const first = new FirstSlots(order, PAGE);
    for (const slot of this.#matches.slots()) {
      order.learn(slot);
      first.offer(slot);
    }
    return first.sorted();
  }

  /** The position of a match; −1 if it is none, or not sorted yet. */
  rankOf(slot: number): number {
    if (this.#order === null || !this.#matches.has(slot)) return -1;
    const { order, lines } = this.#order;
    const at = placeIn(lines.view, slot, order);
    return lines.at(at) === slot ? at : -1;
  }
}
