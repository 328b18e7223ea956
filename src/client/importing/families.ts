// Collects the children that a plan gives to each parent, and writes their places and keys into the actions of the import. Pure.
import type { Id } from '#core/ids.ts';
import type { Position } from '#sync/rows/operation.ts';
import { orderSiblings, type Ordered, type Sibling } from './order.ts';

/** A child that knows what to do with its place. */
export interface Child extends Sibling {
  /** `place` null: where it is, or at the end. */
  put(key: string, place: Position | null): void;
}

/** By parent, each in the order of the file. */
export class Families {
  readonly #byParent = new Map<Id, Child[]>();

  add(parent: Id, child: Child): void {
    const family = this.#byParent.get(parent);
    if (family) family.push(child);
    else this.#byParent.set(parent, [child]);
  }

  /** Puts every child; `movesNothing`: only what is new. `told` hears of families of which something moved in the file. */
  place(movesNothing: boolean, told: (parent: Id, ordered: Ordered) => void): void {
    for (const [parent, family] of this.#byParent) {
      const ordered = orderSiblings(family, movesNothing);
      const byId = new Map(family.map((child) => [child.id, child]));
      for (const { id, base, place } of ordered.placed)
        byId.get(id)?.put(base, place === null ? null : { parent, ...place });
      if (ordered.isLeft || ordered.moved > 0) told(parent, ordered);
    }
  }
}
