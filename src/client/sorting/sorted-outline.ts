// The lines of a sorted list: the same tree, with the children of each task sorted. Rebuilt when anything it depends on
// changes. A lazy part; sort-keys.ts has the keys.
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Outline, OutlineSource } from '../outline/outline.ts';
import { compareKeys, keyOf } from './sort-keys.ts';

type Key = ReturnType<typeof keyOf>;

export interface SortedSource extends OutlineSource {
  readonly replica: Replica;
  readonly sort: PersistentSort;
  momentOf(when: When): number;
  readonly ownLabelsOf: (task: Id) => readonly Id[];
  /** The task whose title is being edited: it keeps its position until it is left. */
  held(): Id | null;
}

export class SortedOutline implements Outline {
  readonly isTree = true;
  readonly isSorted = true;
  readonly #root: Id;
  readonly #source: SortedSource;
  /** Sorted children by task; dropped when one of them changes. */
  readonly #sorted = new Map<Id, readonly Id[]>();
  readonly #keys = new Map<Id, Key>();
  #ids: Id[] = [];
  #levels: number[] = [];
  #positions = new Map<Id, number>();
  #mark = 0;
  /** The task that keeps its position while it is edited. */
  #kept: Id | null = null;

  constructor(source: SortedSource, root: Id) {
    this.#source = source;
    this.#root = root;
    this.#arrange();
  }

  get length(): number {
    return this.#ids.length;
  }

  get marked(): number {
    return this.#mark;
  }

  mark(index: number): void {
    this.#mark = index;
  }

  at(index: number): Id | undefined {
    return this.#ids[index];
  }

  levelAt(index: number): number {
    return this.#levels[index] ?? 1;
  }

  indexOf(id: Id): number {
    return this.#positions.get(id) ?? -1;
  }

  has(id: Id): boolean {
    return this.#positions.has(id);
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    const parent = placeOf(this.#source.replica.row(id))?.parent;
    const siblings = parent === undefined ? [] : this.#childrenOf(parent);
    return { index: siblings.indexOf(id) + 1, size: siblings.length };
  }

  /** Call it after `children` has applied the changes. */
  apply(changes: readonly RowChange[]): void {
    let isOld = this.#kept !== null && this.#kept !== this.#source.held();
    const holds = isOld ? this.#kept : null;
    if (holds !== null) this.#forget(holds);
    for (const { id, before, after } of changes) {
      const type = (after ?? before)?.type;
      if (
        (type === 'label' || type === 'labelGroup' || type === 'mine') &&
        this.#source.sort.field === 'label'
      ) {
        this.#keys.clear();
        this.#sorted.clear();
        isOld = true;
      }
      if (type !== 'task') continue;
      isOld = true;
      if (id === this.#source.held() && this.#keys.has(id)) this.#kept = id;
      else this.#keys.delete(id);
      for (const row of [before, after]) {
        const parent = placeOf(row)?.parent;
        if (parent !== undefined) this.#sorted.delete(parent);
      }
    }
    if (isOld) this.#arrange();
  }

  #forget(id: Id): void {
    this.#kept = null;
    this.#keys.delete(id);
    const parent = placeOf(this.#source.replica.row(id))?.parent;
    if (parent !== undefined) this.#sorted.delete(parent);
  }

  /** The edited title was left. */
  settle(): void {
    this.apply([]);
  }

  fold(): void {
    this.#arrange();
  }

  refold(): void {
    this.#arrange();
  }

  #keyOf(id: Id): Key {
    let key = this.#keys.get(id);
    if (key === undefined) {
      const row = this.#source.replica.row(id);
      key = row ? keyOf(row, this.#source.sort.field, this.#source) : null;
      this.#keys.set(id, key);
    }
    return key;
  }

  #childrenOf(parent: Id): readonly Id[] {
    const known = this.#sorted.get(parent);
    if (known) return known;
    const { sort, children } = this.#source;
    // The sort is stable: equal rows keep their manual order.
    const sorted = children
      .of(parent)
      .items.map(({ id }) => ({ id, key: this.#keyOf(id) }))
      .sort((a, b) => compareKeys(a.key, b.key, sort))
      .map(({ id }) => id);
    this.#sorted.set(parent, sorted);
    return sorted;
  }

  #arrange(): void {
    const ids: Id[] = [];
    const levels: number[] = [];
    const waiting: { readonly id: Id; readonly level: number }[] = [];
    const push = (parent: Id, level: number) => {
      const children = this.#childrenOf(parent);
      for (let at = children.length - 1; at >= 0; at -= 1) waiting.push({ id: children[at] as Id, level });
    };
    push(this.#root, 1);
    for (let line = waiting.pop(); line; line = waiting.pop()) {
      ids.push(line.id);
      levels.push(line.level);
      if (!this.#source.isCollapsed(line.id)) push(line.id, line.level + 1);
    }
    this.#ids = ids;
    this.#levels = levels;
    this.#positions = new Map(ids.map((id, index) => [id, index]));
  }
}
