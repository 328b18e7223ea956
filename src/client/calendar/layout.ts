// Where events and blocks stand in the grid of days: which days they touch, from which minute to which, and in which column beside what they
// overlap. Pure; what there is to lay out is things.ts.
import { DAY_MS } from '#core/time.ts';
import { type ClockChange, DAY_MINUTES, MINUTE_MS, STEP_MINUTES } from './clock.ts';

/** Something with a time. Times are milliseconds on the clock on the wall, as `Block.start`. */
export interface Spanning {
  readonly start: number;
  /** The first moment that is free again. */
  readonly end: number;
  /** Days without times. */
  readonly isAllDay: boolean;
  /** The clocks went back while it lasted: its times on the wall say less than it takes. */
  readonly isOverChange: boolean;
}

/** A thing on one day. */
export interface Placed<T> {
  readonly thing: T;
  /** Minutes of the day, [from, to). */
  readonly from: number;
  readonly to: number;
  /** From 0, of `columns` that share the width. */
  readonly column: number;
  readonly columns: number;
  /** False: it began on a day before. */
  readonly begins: boolean;
  /** False: it goes on on the next day. */
  readonly ends: boolean;
}

/** A day of the grid. */
export interface DayLayout<T> {
  /** What takes all of the day, in the given order. */
  readonly allDay: readonly T[];
  /** The rest, by start. */
  readonly placed: readonly Placed<T>[];
}

type Part<T> = Omit<Placed<T>, 'column' | 'columns'>;

/** How a thing stands on the day that begins at `midnight`: 'all' of it, a part of it, or not at all (null). */
export function partOn<T extends Spanning>(
  thing: T,
  midnight: number,
  { twice }: ClockChange,
): Part<T> | 'all' | null {
  const next = midnight + DAY_MS;
  const end = Math.max(thing.end, thing.start);
  const isPoint = end === thing.start;
  if (thing.start >= next || (isPoint ? thing.start < midnight : end <= midnight)) return null;
  const begins = thing.start >= midnight;
  const ends = end <= next;
  if (thing.isAllDay || (thing.start <= midnight && end >= next)) return 'all';
  let from = begins ? (thing.start - midnight) / MINUTE_MS : 0;
  let to = ends ? (thing.end - midnight) / MINUTE_MS : DAY_MINUTES;
  if (twice !== null && thing.isOverChange) {
    from = Math.min(from, twice.from);
    to = Math.max(to, twice.to);
  }
  return { thing, from, to: Math.max(from, to), begins, ends };
}

/** Lays out one day. Costs what is on it. */
export function layOut<T extends Spanning>(
  things: readonly T[],
  midnight: number,
  change: ClockChange,
): DayLayout<T> {
  const allDay: T[] = [];
  const parts: Part<T>[] = [];
  for (const thing of things) {
    const part = partOn(thing, midnight, change);
    if (part === 'all') allDay.push(thing);
    else if (part !== null) parts.push(part);
  }
  return { allDay, placed: inColumns(parts) };
}

/** What is short is drawn, and has to be hit, in a row of its own. */
const lowerEdge = ({ from, to }: Part<unknown>) => Math.max(to, from + STEP_MINUTES);

/** Things that overlap, directly or through others, share the width; each takes the first column that is free. */
export function inColumns<T>(parts: readonly Part<T>[]): readonly Placed<T>[] {
  const sorted = parts.toSorted((a, b) => a.from - b.from || lowerEdge(b) - lowerEdge(a));
  const placed: Placed<T>[] = [];
  let group: { readonly part: Part<T>; readonly column: number }[] = [];
  let columnEnds: number[] = [];
  const close = () => {
    for (const { part, column } of group) placed.push({ ...part, column, columns: columnEnds.length });
    group = [];
    columnEnds = [];
  };
  for (const part of sorted) {
    if (columnEnds.every((end) => end <= part.from)) close();
    const free = columnEnds.findIndex((end) => end <= part.from);
    const column = free < 0 ? columnEnds.length : free;
    columnEnds[column] = lowerEdge(part);
    group.push({ part, column });
  }
  close();
  return placed;
}
