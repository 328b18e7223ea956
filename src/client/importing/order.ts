// The order of what an import makes or updates. What came earlier remembers its place in the file by a key; so a later import tells
// what was moved in the file from what was moved here, and puts what is new where it stands in the file. Pure.
import { generateKeyBetween } from 'fractional-indexing';
import type { Id } from '#core/ids.ts';
import type { Position } from '#sync/rows/operation.ts';

/** One of the children of a parent, in the order of the file. */
export interface Sibling {
  readonly id: Id;
  /** Its remembered key; null: it is new here, or comes from elsewhere. */
  readonly base: string | null;
  /** Its key among what is here; empty: not known. */
  readonly here: string;
}

/** What becomes of one of them. */
export interface Placed {
  readonly id: Id;
  /** Its key from now on. */
  readonly base: string;
  /** Where it goes; null: where new things go, at the end. */
  readonly place: Omit<Position, 'parent'> | null;
}

/** The children of one parent: what is to be placed, and whether their order stays as it is here. */
export interface Ordered {
  readonly placed: readonly Placed[];
  /** They were moved there and here: the order here stays. */
  readonly isLeft: boolean;
  /** How many were moved in the file, and move here. */
  readonly moved: number;
}

type Based = Sibling & { readonly base: string };

const isBased = (sibling: Sibling): sibling is Based => sibling.base !== null;
const isAscending = (keys: readonly string[]) =>
  keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') <= key);

/** The indexes of a longest increasing subsequence of the keys, found by patience sorting (Fredman 1975): n log n. */
function ascendingPart(keys: readonly string[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, key] of keys.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((keys[ends[middle] ?? 0] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const found = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.add(at);
  return found;
}

/** Whether they stand here in another order than they came in. */
function isMovedHere(based: readonly Based[]): boolean {
  if (based.some(({ here }) => here === '')) return false;
  const inOrder = based.toSorted((one, other) => (one.here < other.here ? -1 : 1));
  return !isAscending(inOrder.map(({ base }) => base));
}

/** Orders the children of one parent; `movesNothing`: only new ones are placed. Those that were here before and stay are not in `placed`. */
export function orderSiblings(siblings: readonly Sibling[], movesNothing = false): Ordered {
  const based = siblings.filter(isBased);
  const isMoved = !isAscending(based.map(({ base }) => base));
  const isLeft = isMoved && isMovedHere(based);
  const staying = isMoved ? ascendingPart(based.map(({ base }) => base)) : null;
  const stays = new Set(based.filter((_, at) => staying === null || staying.has(at)).map(({ id }) => id));
  const firstBased = based[0];
  /** The keys of those that stay after each, nearest first. */
  const following: (string | null)[] = [];
  let next: string | null = null;
  for (let at = siblings.length - 1; at >= 0; at -= 1) {
    following[at] = next;
    const sibling = siblings[at];
    if (sibling && stays.has(sibling.id)) next = sibling.base;
  }
  const placed: Placed[] = [];
  let previous: Id | null = null;
  let key: string | null = null;
  for (const [at, { id, base }] of siblings.entries()) {
    const isMoving = base !== null && !stays.has(id);
    if (base !== null && (!isMoving || isLeft || movesNothing)) {
      previous = id;
      if (!isMoving) key = base;
      continue;
    }
    key = keyBetween(key, following[at] ?? null);
    const where =
      previous !== null
        ? { after: previous }
        : firstBased !== undefined && firstBased.id !== id
          ? { before: firstBased.id }
          : ({ at: 'start' } as const);
    placed.push({ id, base: key, place: based.length === 0 ? null : where });
    previous = id;
  }
  return { placed, isLeft, moved: isLeft ? 0 : based.length - stays.size };
}

/** Equal keys, as two devices may have given them, leave no room between: then after the first. */
function keyBetween(low: string | null, high: string | null): string {
  return generateKeyBetween(low, low !== null && high !== null && low >= high ? null : high);
}
