// A list's tasks (or a scope's lists) as an outline of ids: turns a written ordinal, order index or indent level into "under
// this, after that", and follows the moves of a bulk request one after another. Nothing here is stored.
import { generateKeyBetween } from 'fractional-indexing';
import type { Id } from '#core/ids.ts';
import {
  compareOrdinals,
  orderIndexOf,
  ordinalOf,
  parseOrdinal,
  placeAfterIndex,
  placeAfterOrdinal,
} from '#core/ordinal.ts';
import type { Position } from '#sync/operation.ts';
import type { Branch } from '../data/task-reads.ts';

export interface Wanted {
  readonly parent?: Id;
  readonly ordinal?: string | null;
  readonly index?: number | null;
  readonly level?: number | null;
}

interface Node {
  readonly id: Id;
  parent: Id;
  key: string;
}

interface Line {
  readonly id: Id;
  readonly level: number;
  readonly ordinal: string;
}

export class Outline {
  readonly #root: Id;
  readonly #nodes = new Map<Id, Node>();
  readonly #children = new Map<Id, Node[]>();

  constructor(root: Id, branches: readonly Branch[]) {
    this.#root = root;
    for (const { id, parent, key } of branches) {
      const node = { id, parent, key };
      this.#nodes.set(id, node);
      const siblings = this.#children.get(parent);
      if (siblings) siblings.push(node);
      else this.#children.set(parent, [node]);
    }
    for (const siblings of this.#children.values()) siblings.sort(byKey);
  }

  has(id: Id): boolean {
    return this.#nodes.has(id);
  }

  levelOf(id: Id): number {
    return Math.max(0, this.#path(id).length - 1);
  }

  /** Null when that is where it stands already. `id` may be new here. */
  place(id: Id, wanted: Wanted): Position | null {
    const position = this.#positionOf(id, wanted);
    const node = this.#nodes.get(id);
    if (node?.parent === position.parent && this.#isAfter(node, position)) return null;
    this.#move(id, position);
    return position;
  }

  #positionOf(id: Id, { parent, ordinal = null, index = null, level = null }: Wanted): Position {
    const written = ordinal === null ? null : parseOrdinal(ordinal);
    const node = this.#nodes.get(id);
    if (level !== null && parent === undefined) return this.#atLevel(id, level, { written, index });
    const under = parent ?? node?.parent ?? this.#root;
    if (written === null && index === null) return { parent: under };
    const path = this.#path(under);
    const siblings = (this.#children.get(under) ?? [])
      .filter((sibling) => sibling.id !== id)
      .map((sibling) => ({ id: sibling.id, ordinal: ordinalOf([...path, sibling.key]) }));
    const after =
      written === null ? placeAfterIndex(index ?? 0, siblings) : placeAfterOrdinal(written, siblings);
    return after === null ? { parent: under, at: 'start' } : { parent: under, after };
  }

  /** Under the nearest line above that is one level out; deeper than one below the line above is not possible. */
  #atLevel(
    id: Id,
    level: number,
    at: { readonly written: string | null; readonly index: number | null },
  ): Position {
    const lines = this.#lines(id);
    const isBefore = ({ ordinal }: Line) =>
      at.written === null
        ? orderIndexOf(ordinal) <= (at.index ?? 0)
        : compareOrdinals(ordinal, at.written) <= 0;
    const own = this.#nodes.has(id) ? ordinalOf(this.#path(id)) : null;
    const isAbove = (line: Line) => own === null || compareOrdinals(line.ordinal, own) < 0;
    const isGiven = at.written !== null || at.index !== null;
    const count = lines.filter(isGiven ? isBefore : isAbove).length;
    const above = lines[count - 1];
    if (above === undefined) return { parent: this.#root, at: 'start' };
    const depth = Math.min(level, above.level + 1);
    let after: Id | null = null;
    for (let line: Id = above.id; line !== this.#root; line = this.#nodes.get(line)?.parent ?? this.#root) {
      const lineLevel = this.levelOf(line);
      if (lineLevel === depth) after = line;
      if (lineLevel === depth - 1)
        return after === null ? { parent: line, at: 'start' } : { parent: line, after };
    }
    return after === null ? { parent: this.#root, at: 'start' } : { parent: this.#root, after };
  }

  #isAfter(node: Node, { after, at }: Position): boolean {
    const siblings = this.#children.get(node.parent) ?? [];
    const index = siblings.indexOf(node);
    if (after !== undefined) return siblings[index - 1]?.id === after;
    return at === 'start' ? index === 0 : index === siblings.length - 1;
  }

  #move(id: Id, position: Position): void {
    const known = this.#nodes.get(id);
    const old = known && this.#children.get(known.parent);
    if (known && old) old.splice(old.indexOf(known), 1);
    const siblings = this.#children.get(position.parent) ?? [];
    this.#children.set(position.parent, siblings);
    const at =
      position.after === undefined
        ? position.at === 'start'
          ? 0
          : siblings.length
        : siblings.findIndex((sibling) => sibling.id === position.after) + 1;
    const key = generateKeyBetween(siblings[at - 1]?.key ?? null, siblings[at]?.key ?? null);
    const node = known ?? { id, parent: position.parent, key };
    node.parent = position.parent;
    node.key = key;
    this.#nodes.set(id, node);
    siblings.splice(at, 0, node);
  }

  #path(id: Id): string[] {
    const keys: string[] = [];
    for (let node = this.#nodes.get(id); node !== undefined; node = this.#nodes.get(node.parent))
      keys.push(node.key);
    return keys.toReversed();
  }

  /** Everything from top to bottom, without a task and what hangs under it. */
  #lines(without: Id): Line[] {
    const lines: Line[] = [];
    const waiting: { readonly node: Node; readonly path: readonly string[] }[] = [];
    const push = (parent: Id, path: readonly string[]) => {
      for (const node of (this.#children.get(parent) ?? []).toReversed())
        if (node.id !== without) waiting.push({ node, path: [...path, node.key] });
    };
    push(this.#root, []);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      lines.push({ id: next.node.id, level: next.path.length - 1, ordinal: ordinalOf(next.path) });
      push(next.node.id, next.path);
    }
    return lines;
  }
}

function byKey(a: Node, b: Node): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
