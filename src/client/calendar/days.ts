// What a day of the agenda holds: first what takes all of it, then by time. Pure.
import { DAY_MS } from '#core/time.ts';
import { dayOf, USUAL } from './clock.ts';
import { partOn, type Spanning } from './layout.ts';

/** Something on one of its days. */
export interface OnDay<T> {
  readonly thing: T;
  /** Minutes from the start of the day; null: it is there all day. */
  readonly from: number | null;
  /** Null: all day, or it goes on over midnight. */
  readonly to: number | null;
}

/** A day with what is on it. `day`: `2026-11-30`. */
export interface AgendaDay<T> {
  readonly day: string;
  readonly things: readonly OnDay<T>[];
}

/** So many days from `first` on, a midnight on the wall, each with what is on it. */
export function daysOf<T extends Spanning>(
  things: readonly T[],
  { first, count }: { readonly first: number; readonly count: number },
): readonly AgendaDay<T>[] {
  return Array.from({ length: count }, (_, at) => {
    const midnight = first + at * DAY_MS;
    const found = things.flatMap((thing): readonly OnDay<T>[] => {
      const part = partOn(thing, midnight, USUAL);
      if (part === null) return [];
      if (part === 'all') return [{ thing, from: null, to: null }];
      return [{ thing, from: part.from, to: part.ends ? part.to : null }];
    });
    const order = ({ from }: OnDay<T>) => from ?? -1;
    return { day: dayOf(midnight), things: found.toSorted((a, b) => order(a) - order(b)) };
  });
}
