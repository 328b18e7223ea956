// The tasks of some lists (or the lists of a scope) as outlines of ids: turns the ordinals, order indexes and indent levels
// of a request into "under this, after that". All of them refer to the order before the request. Nothing here is stored,
// and no order key is made.
import type { Id } from '#core/ids.ts';
import { compareOrdinals, orderIndexOf, ordinalOf, parseOrdinal } from '#core/ordinal.ts';
import { walkUp } from '#core/walk-up.ts';
import type { Position } from '#sync/rows/operation.ts';
import type { Branch } from './task-reads.ts';

/** The written numbers of a position. */
export interface Numbers {
  readonly ordinal: string | null;
  readonly index: number | null;
  readonly level: number | null;
}

/** The requested position of one item. Its level only counts without a parent. */
export interface Wish extends Numbers {
  readonly id: Id;
  /** The target list, or the root of lists. */
  readonly root: Id;
  /** Null: the parent follows from the level. */
  readonly parent: Id | null;
  /** Used without a number; default: the end. */
  readonly location?: 'start' | 'end' | null;
}

/** Where something goes. */
export interface Move {
  readonly id: Id;
  readonly position: Position;
}

/** A position in the order: a written number, or that of an existing item. */
interface Value {
  readonly index: number;
  /** Null: only the index was written. */
  readonly ordinal: string | null;
}

interface Node {
  readonly id: Id;
  readonly key: string;
  /** The parent: before the request, and once it is worked out, after it. */
  readonly home: Id;
  parent: Id;
  /** Null: not worked out yet. */
  value: Value | null;
}

interface Wanted {
  readonly wish: Wish;
  readonly node: Node;
  readonly value: Value;
}

interface Standing {
  readonly parent: Id;
  readonly after: Id | null;
}

/** The lines a level is counted from: those of the list that stay, and the last one placed among them. */
interface Flat {
  readonly lines: readonly Node[];
  last: Node | null;
}

const FIRST: Value = { index: Number.NEGATIVE_INFINITY, ordinal: null };
const LAST: Value = { index: Number.POSITIVE_INFINITY, ordinal: null };

/** An index alone goes behind everything with the same index. */
function compare(a: Value, b: Value): number {
  if (a.index !== b.index) return a.index < b.index ? -1 : 1;
  if (a.ordinal !== null && b.ordinal !== null) return compareOrdinals(a.ordinal, b.ordinal);
  return Number(a.ordinal === null) - Number(b.ordinal === null);
}

const valueOfOrdinal = (ordinal: string): Value => ({ index: orderIndexOf(ordinal), ordinal });

function byKey(a: Node, b: Node): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

export class Outline {
  readonly #nodes = new Map<Id, Node>();
  readonly #children = new Map<Id, Node[]>();
  readonly #flats = new Map<Id, Flat>();

  constructor(branches: readonly Branch[]) {
    for (const { id, parent, key } of branches) {
      const node: Node = { id, key, home: parent, parent, value: null };
      this.#nodes.set(id, node);
      this.#of(parent).push(node);
    }
    for (const siblings of this.#children.values()) siblings.sort(byKey);
  }

  /**
   * The moves that fulfill all wishes, in an order in which each can be made: its new parent and the item before it are in
   * place by then. Items already in place are left out. An outline arranges once.
   */
  arrange(wishes: readonly Wish[]): readonly Move[] {
    const before = new Map(wishes.map(({ id }) => [id, this.#standing(id)]));
    const wanted = wishes
      .map((wish): Wanted => ({ wish, node: this.#nodeOf(wish), value: this.#valueOf(wish) }))
      .toSorted((a, b) => compare(a.value, b.value));
    for (const { node } of wanted) this.#detach(node);
    for (const { root, parent, level } of wishes)
      if (parent === null && level !== null && !this.#flats.has(root))
        this.#flats.set(root, { lines: this.#lines(root), last: null });
    for (const each of wanted) this.#insert(each);
    return this.#moves(wanted, before);
  }

  #of(parent: Id): Node[] {
    const known = this.#children.get(parent);
    if (known) return known;
    const made: Node[] = [];
    this.#children.set(parent, made);
    return made;
  }

  #nodeOf({ id, root }: Wish): Node {
    const known = this.#nodes.get(id);
    if (known) return known;
    const node: Node = { id, key: '', home: root, parent: root, value: null };
    this.#nodes.set(id, node);
    return node;
  }

  #standing(id: Id): Standing | undefined {
    const node = this.#nodes.get(id);
    if (node === undefined) return undefined;
    const siblings = this.#of(node.parent);
    return { parent: node.parent, after: siblings[siblings.indexOf(node) - 1]?.id ?? null };
  }

  #valueOf({ id, ordinal, index, level, location, parent }: Wish): Value {
    const written = ordinal === null ? null : parseOrdinal(ordinal);
    if (written !== null) return valueOfOrdinal(written);
    if (index !== null) return { index, ordinal: null };
    const node = this.#nodes.get(id);
    // A level alone refers to the item's present position.
    if (level !== null && parent === null && node !== undefined && node.key !== '')
      return this.#valueOfNode(node);
    return location === 'start' ? FIRST : LAST;
  }

  /** The item's position before the request, or the one it was given since. */
  #valueOfNode(node: Node): Value {
    if (node.value !== null) return node.value;
    const path = [...walkUp(node, ({ home }) => this.#nodes.get(home))].map(({ key }) => key);
    node.value = valueOfOrdinal(ordinalOf(path.toReversed()));
    return node.value;
  }

  /** How many of these sorted nodes are not beyond `value`. */
  #countUpTo(value: Value, nodes: readonly Node[]): number {
    let low = 0;
    let high = nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.#valueOfNode(nodes[middle] as Node), value) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #detach(node: Node): void {
    const siblings = this.#of(node.parent);
    const at = siblings.indexOf(node);
    if (at >= 0) siblings.splice(at, 1);
  }

  #insert({ wish, node, value }: Wanted): void {
    const { root, parent, level } = wish;
    const flat = this.#flats.get(root);
    if (parent === null && level !== null && flat) {
      this.#putAtLevel({ node, value }, { root, level, above: this.#above(value, flat) });
      flat.last = node;
      return;
    }
    const above = flat ? this.#above(value, flat) : null;
    const under = parent ?? root;
    this.#putUnder(under, { node, value }, this.#countUpTo(value, this.#of(under)));
    // Later items count from it if it continues the outline: its parent is the line above, or an ancestor of that.
    if (flat && (under === root || (above !== null && this.#isWithin(above, under)))) flat.last = node;
  }

  /** Puts it under the nearest line above that is one level out; at most one level deeper than the line above. */
  #putAtLevel(
    { node, value }: { readonly node: Node; readonly value: Value },
    { root, level, above }: { readonly root: Id; readonly level: number; readonly above: Node | null },
  ): void {
    const chain = this.#chainOf(above ?? undefined).toReversed();
    const depth = Math.min(level, chain.length);
    const under = chain[depth - 1]?.id ?? root;
    const siblings = this.#of(under);
    const after = chain[depth];
    const least = after === undefined ? 0 : siblings.indexOf(after) + 1;
    this.#putUnder(under, { node, value }, Math.max(least, this.#countUpTo(value, siblings)));
  }

  #putUnder(parent: Id, { node, value }: { readonly node: Node; readonly value: Value }, at: number): void {
    node.parent = parent;
    node.value = value;
    this.#of(parent).splice(at, 0, node);
  }

  #lines(root: Id): Node[] {
    const lines: Node[] = [];
    const waiting: Node[] = [];
    const push = (parent: Id) => {
      for (const node of (this.#children.get(parent) ?? []).toReversed()) waiting.push(node);
    };
    push(root);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      lines.push(next);
      push(next.id);
    }
    return lines;
  }

  /** The line directly above a position: one that stays, or the last descendant of the item placed before it. */
  #above(value: Value, { lines, last }: Flat): Node | null {
    const staying = lines[this.#countUpTo(value, lines) - 1] ?? null;
    if (last === null) return staying;
    if (staying !== null && compare(this.#valueOfNode(staying), this.#valueOfNode(last)) > 0) return staying;
    // Its subtree came along.
    let line = last;
    for (let next: Node | undefined = last; next !== undefined; next = this.#of(next.id).at(-1)) line = next;
    return line;
  }

  /** The node and its ancestors; stops at a cycle. */
  #chainOf(node: Node | undefined): readonly Node[] {
    return [...walkUp(node, ({ parent }) => this.#nodes.get(parent))];
  }

  #isWithin(line: Node, parent: Id): boolean {
    return this.#chainOf(line).some(({ id }) => id === parent);
  }

  #moves(wanted: readonly Wanted[], before: ReadonlyMap<Id, Standing | undefined>): Move[] {
    const moved = new Set<Id>();
    const inOrder = wanted
      .map((each) => ({ ...each, depth: this.#depthOf(each.node) }))
      .toSorted((a, b) => a.depth - b.depth);
    return inOrder.flatMap(({ node, value }): Move[] => {
      const { id, parent } = node;
      const siblings = this.#of(parent);
      const after = siblings[siblings.indexOf(node) - 1]?.id ?? null;
      const was = before.get(id);
      if (was?.parent === parent && was.after === after && (after === null || !moved.has(after))) return [];
      moved.add(id);
      if (value === LAST) return [{ id, position: { parent } }];
      return [{ id, position: after === null ? { parent, at: 'start' } : { parent, after } }];
    });
  }

  /** The number of ancestors. A cycle is refused when it is written. */
  #depthOf(node: Node): number {
    return this.#chainOf(node).length;
  }
}
