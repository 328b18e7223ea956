// What one query asks for, kept up while rows change: who matches, how many of them are open, and in what order they stand
// while somebody looks. Which tasks are to be looked at again is smart-lists.ts.
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { bits } from '#sync/query/task-index.ts';
import type { Asked, Asking } from '#sync/query/asking.ts';
import { type Sorted, sortedOf, sorterOf, type Sorter } from '#sync/query/order.ts';

interface Order {
  readonly sorter: Sorter;
  readonly lines: Sorted[];
  readonly byId: Map<Id, Sorted>;
}

export class LiveList {
  readonly #asking: Asking;
  readonly #sort: PersistentSort | null;
  asked: Asked;
  /** Everything has to be looked at again. */
  isStale = true;
  /** Whether a match is open. */
  #matches = new Map<Id, boolean>();
  #open = 0;
  /** Null while nobody looks. */
  #order: Order | null = null;

  constructor(asking: Asking, text: string, sort: PersistentSort | null) {
    this.#asking = asking;
    this.#sort = sort;
    this.asked = asking.ask(text);
  }

  get sort(): PersistentSort | null {
    return this.asked.query.directives.sort ?? this.#sort;
  }

  has(id: Id): boolean {
    return this.#matches.has(id);
  }

  /** Open matches, as far as the limit lets them in. */
  get count(): number {
    const { limit } = this.asked.query.directives;
    if (limit === null || this.#matches.size <= limit) return this.#open;
    return this.contents().filter((id) => this.#matches.get(id) === true).length;
  }

  /** Matches in their order, as many as the limit lets in. */
  contents(): readonly Id[] {
    const { limit } = this.asked.query.directives;
    const { lines } = this.#ordered();
    return (limit === null ? lines : lines.slice(0, limit)).map(({ id }) => id);
  }

  /** Nobody looks at the order any more. */
  rest(): void {
    this.#order = null;
  }

  /** Names or days have come to mean something else. */
  askAgain(): void {
    this.asked = this.#asking.ask(this.asked.text);
  }

  /** Looks at everything. */
  renew(): void {
    this.isStale = false;
    this.#matches = new Map();
    this.#open = 0;
    this.#order = null;
    const { index } = this.#asking.world;
    for (const slot of this.#asking.slots(this.asked)) {
      const id = index.idAt(slot);
      if (id === undefined) continue;
      const isOpen = (index.bitsAt(slot) & bits.done) === 0;
      this.#matches.set(id, isOpen);
      if (isOpen) this.#open += 1;
    }
  }

  /** Looks at one task again. True when it came, went or may stand elsewhere. */
  look(id: Id): boolean {
    const { index } = this.#asking.world;
    const slot = index.slotOf(id);
    const is = slot !== undefined && this.#asking.matches(this.asked, slot);
    const was = this.#matches.get(id);
    if (!is && was === undefined) return false;
    const isOpen = is && (index.bitsAt(slot) & bits.done) === 0;
    if (was === true) this.#open -= 1;
    if (isOpen) this.#open += 1;
    if (is) this.#matches.set(id, isOpen);
    else this.#matches.delete(id);
    return this.#replace(id, is) || is !== (was !== undefined);
  }

  #ordered(): Order {
    if (this.#order) return this.#order;
    const { world } = this.#asking;
    const sorter = sorterOf(world, this.sort);
    const lines = [...this.#matches.keys()].map((id) => sortedOf(world, id, sorter.keyOf(id)));
    lines.sort(sorter.compare);
    this.#order = { sorter, lines, byId: new Map(lines.map((line) => [line.id, line])) };
    return this.#order;
  }

  /** Moves a line to where it belongs now. True when that is not where it was. */
  #replace(id: Id, isIn: boolean): boolean {
    const order = this.#order;
    if (!order) return false;
    const { sorter, lines, byId } = order;
    const old = byId.get(id);
    const line = isIn ? sortedOf(this.#asking.world, id, sorter.keyOf(id)) : null;
    if (old && line && old.key === line.key && old.createdAt === line.createdAt) return false;
    if (old) lines.splice(slotOf(lines, old, sorter), 1);
    if (line) {
      lines.splice(slotOf(lines, line, sorter), 0, line);
      byId.set(id, line);
    } else byId.delete(id);
    return true;
  }
}

/** Where a line stands, or would. */
function slotOf(lines: readonly Sorted[], wanted: Sorted, { compare }: Sorter): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const line = lines[middle];
    if (line && compare(line, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
