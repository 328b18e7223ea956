// What was moved in an order, and how moves of two sides come together.
import type { Id } from '#core/ids.ts';

/** Indexes of a longest increasing subsequence. */
export function increasing(values: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = at;
  }
  const found = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.add(at);
  return found;
}

/** Those that have to be moved so that `from` comes to stand as `to`. Those in one of them only are not looked at. */
export function movedIn(from: readonly Id[], to: readonly Id[]): ReadonlySet<Id> {
  const at = new Map(from.map((id, index) => [id, index]));
  const both = to.filter((id) => at.has(id));
  const stay = increasing(both.map((id) => at.get(id) ?? 0));
  return new Set(both.filter((_, index) => !stay.has(index)));
}

/** `there` with each of `placed` put behind what stands before it in `wanted`. */
export function placedIn(
  there: readonly Id[],
  wanted: readonly Id[],
  placed: ReadonlySet<Id>,
): readonly Id[] {
  const result = there.filter((id) => !placed.has(id));
  let last: Id | null = null;
  const present = new Set(result);
  for (const id of wanted) {
    if (placed.has(id)) {
      result.splice(last === null ? 0 : result.indexOf(last) + 1, 0, id);
      present.add(id);
    }
    if (present.has(id)) last = id;
  }
  return result;
}
