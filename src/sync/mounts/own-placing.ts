// Placing tasks where the person has an order of their own (own-order.ts): a move among siblings writes the person's own row and
// nothing that others see; a new task, or one that goes under something else, is placed for everybody, and where it was put for oneself.
import { generateNKeysBetween } from 'fractional-indexing';
import { mineId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Position } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import { fieldOf } from '../rows/row.ts';
import { placedBy, type OwnSteps, type Writing } from './issuing.ts';
import { hasOwnOrder } from './own-order.ts';
import type { StoredTree } from './standing.ts';

interface Keyed {
  readonly id: Id;
  readonly key: string;
}

class OwnPlacing {
  readonly #stored: Writing;
  readonly #seen: StoredTree;
  /** Siblings in the person's order, with what the same issue has placed. */
  readonly #families = new Map<Id, Keyed[]>();
  readonly #made = new Set<Id>();

  constructor(stored: Writing, seen: StoredTree) {
    this.#stored = stored;
    this.#seen = seen;
  }

  /** Null: nothing of one's own is to be written. */
  steps(action: Action): readonly Action[] | null {
    const isPlace = action.a === 'place' && action.only === undefined;
    if (!isPlace && (action.a !== 'create' || action.type !== 'task')) return null;
    const { id, place } = action;
    const row = this.#stored.row(id);
    const parent = place && this.#stored.row(place.parent);
    if (place === undefined || parent === undefined || (isPlace && row?.type !== 'task')) return null;
    const { scope } = this.#stored;
    if (!hasOwnOrder(this.#stored, scope, parent.scope) || (row && row.scope !== parent.scope)) return null;
    const family = this.#family(parent.id).filter((other) => other.id !== id);
    const at = indexOf(family, place);
    const isAmongSiblings = isPlace && placeOf(row)?.parent === parent.id;
    const isBesideOwn = [family[at - 1], family[at]].some((other) => other && this.#hasOwn(other.id));
    if (!isAmongSiblings && !isBesideOwn && !this.#hasOwn(id)) return null;
    const written = this.#put(family, at, id);
    this.#families.set(parent.id, family);
    return isAmongSiblings ? written : [...written, action];
  }

  #family(parent: Id): Keyed[] {
    const known = this.#families.get(parent);
    if (known) return known;
    return this.#seen.children(parent).map((row) => ({ id: row.id, key: placeOf(row)?.key ?? '' }));
  }

  #hasOwn(task: Id): boolean {
    const id = mineId(this.#stored.scope, task);
    return this.#made.has(id) || fieldOf(this.#stored.row(id), 'order') !== undefined;
  }

  /** Puts it between two others; those behind it that have the same key as the one before it are moved as well. */
  #put(family: Keyed[], at: number, id: Id): readonly Action[] {
    const before = family[at - 1]?.key ?? null;
    let end = at;
    while (before !== null && family[end] !== undefined && (family[end] as Keyed).key <= before) end += 1;
    const keys = generateNKeysBetween(before, family[end]?.key ?? null, end - at + 1);
    const ids = [id, ...family.slice(at, end).map((other) => other.id)];
    family.splice(at, end - at, ...ids.map((each, index) => ({ id: each, key: keys[index] as string })));
    if (keys.every((key) => key.length <= limits.ownOrderCharacters))
      return ids.map((each, index) => this.#write(each, keys[index] as string));
    const fresh = generateNKeysBetween(null, null, family.length);
    const all = family.map((each, index) => ({ id: each.id, key: fresh[index] as string }));
    family.splice(0, family.length, ...all);
    return all.map((each) => this.#write(each.id, each.key));
  }

  #write(of: Id, order: string): Action {
    const id = mineId(this.#stored.scope, of);
    const isThere = this.#stored.row(id) !== undefined || this.#made.has(id);
    this.#made.add(id);
    return isThere
      ? { a: 'set', id, field: 'order', value: order }
      : { a: 'create', id, type: 'mine', fields: { of, order } };
  }
}

function indexOf(family: readonly Keyed[], { after, before, at = 'end' }: Position): number {
  const behind = after === undefined ? -1 : family.findIndex(({ id }) => id === after);
  if (behind >= 0) return behind + 1;
  const ahead = before === undefined ? -1 : family.findIndex(({ id }) => id === before);
  if (ahead >= 0) return ahead;
  return at === 'start' ? 0 : family.length;
}

const ownSteps: OwnSteps = (stored, seen) => {
  const { row, children } = seen;
  if (children === undefined) return () => null;
  const placing = new OwnPlacing(stored, {
    row: (id) => row.call(seen, id),
    children: (id) => children.call(seen, id),
  });
  return (action) => placing.steps(action);
};

/** As `placeShared`, and tasks by the person's own order where they have one. */
export const placeOwn = placedBy(ownSteps);
