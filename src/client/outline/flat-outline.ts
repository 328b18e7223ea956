// An outline without levels: the trash. Its owner decides its members; search results are in results.ts.
import type { Id } from '#core/ids.ts';
import type { Outline } from './outline.ts';

/** From this size on, a table of positions is worth building. */
const LARGE = 2_000;

/** A list of ids as an outline. Its owner updates it through `replace`; changes of rows do not. */
export class FlatOutline implements Outline {
  readonly isTree = false;
  #ids: Id[];
  #positions: ReadonlyMap<Id, number> | null = null;
  /** Index of the last lookup: the next one is usually beside it. */
  #near = 0;
  #mark = 0;

  constructor(ids: readonly Id[]) {
    this.#ids = [...ids];
  }

  get length(): number {
    return this.#ids.length;
  }

  get marked(): number {
    return this.#mark;
  }

  get ids(): readonly Id[] {
    return this.#ids;
  }

  mark(index: number): void {
    this.#mark = index;
  }

  at(index: number): Id | undefined {
    return this.#ids[index];
  }

  levelAt(): number {
    return 1;
  }

  indexOf(id: Id): number {
    for (let index = this.#near - 1; index <= this.#near + 1; index += 1) {
      if (this.#ids[index] === id) return this.#seen(index);
    }
    if (this.#ids.length < LARGE) return this.#seen(this.#ids.indexOf(id));
    this.#positions ??= new Map(this.#ids.map((member, index) => [member, index]));
    return this.#seen(this.#positions.get(id) ?? -1);
  }

  has(id: Id): boolean {
    return this.indexOf(id) >= 0;
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    return { index: this.indexOf(id) + 1, size: this.#ids.length };
  }

  /** Replaces the members. The mark keeps its position. */
  replace(ids: readonly Id[]): void {
    this.#ids = [...ids];
    this.#positions = null;
    this.#near = 0;
  }

  apply(): void {
    // The owner decides the members.
  }

  #seen(index: number): number {
    if (index >= 0) this.#near = index;
    return index;
  }
}
