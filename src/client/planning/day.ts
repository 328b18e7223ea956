// The time of one day, in minutes since it began: what is left of it beside what takes it, and gaps that are long enough. Pure.

/** From one minute of a day to another, which is not in it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Blocks begin at minutes that are multiples of this. */
const STEP = 5;

/** What is left of `whole` from a minute on beside the times that are taken, which may overlap. By start. */
export function freeIn(whole: Span | null, taken: readonly Span[], now: number): readonly Span[] {
  if (whole === null) return [];
  const free: Span[] = [];
  let from = Math.max(whole.from, now);
  for (const span of taken.toSorted((a, b) => a.from - b.from)) {
    if (span.to <= from || span.from >= whole.to) continue;
    if (span.from > from) free.push({ from, to: span.from });
    from = span.to;
  }
  if (from < whole.to) free.push({ from, to: whole.to });
  return free;
}

/** How long some spans are together, which do not overlap. Minutes. */
export function minutesOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Where something of this length fits first; null: nowhere. */
export function gapFor(free: readonly Span[], minutes: number): number | null {
  for (const { from, to } of free) {
    const start = Math.ceil(from / STEP) * STEP;
    if (start + minutes <= to) return start;
  }
  return null;
}
