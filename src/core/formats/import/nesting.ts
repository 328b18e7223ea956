// Makes trees of items that name their parents, in any order: orphans go to the top, circles are cut.
import type { RawTask } from './draft.ts';

/** An item of a flat list. */
export interface Flat<Value> {
  readonly value: Value;
  /** Null: nothing can name it. */
  readonly id: string | null;
  /** Null or empty: at the top. */
  readonly parent: string | null;
}

/** An item with those under it, in the order of the list. */
export interface Nested<Value> {
  readonly value: Value;
  readonly children: Nested<Value>[];
}

/**
 * The tree. An item whose parent is missing, itself, or below it goes to the top, and `orphaned` is told. Of several items
 * with one id the first is the parent. Linear in the items.
 */
export function nest<Value>(
  items: readonly Flat<Value>[],
  orphaned: (value: Value) => void = () => undefined,
): Nested<Value>[] {
  const nodes = items.map(({ value }): Nested<Value> => ({ value, children: [] }));
  const byId = new Map<string, number>();
  for (const [index, { id }] of items.entries()) if (id !== null && !byId.has(id)) byId.set(id, index);
  const above = items.map(({ parent }) =>
    parent === null || parent === '' ? null : (byId.get(parent) ?? -1),
  );
  cutCircles(above);
  const tops: Nested<Value>[] = [];
  for (const [index, node] of nodes.entries()) {
    const parent = above[index] ?? null;
    const under = parent === null ? undefined : nodes[parent];
    if (under) under.children.push(node);
    else {
      if (parent !== null) orphaned(node.value);
      tops.push(node);
    }
  }
  return tops;
}

/** Gives one item of each circle no parent, written as -1. */
function cutCircles(above: (number | null)[]): void {
  const state = new Uint8Array(above.length);
  for (let start = 0; start < above.length; start += 1) {
    const path: number[] = [];
    let at: number | null = start;
    while (at !== null && at >= 0 && state[at] === 0) {
      state[at] = 1;
      path.push(at);
      at = above[at] ?? null;
    }
    if (at !== null && at >= 0 && state[at] === 1) above[at] = -1;
    for (const one of path) state[one] = 2;
  }
}

/** Puts nested tasks under each other, without recursion. */
export function withChildren(tops: readonly Nested<RawTask>[]): RawTask[] {
  const waiting = [...tops];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const child of next.children) {
      next.value.children.push(child.value);
      waiting.push(child);
    }
  }
  return tops.map(({ value }) => value);
}
