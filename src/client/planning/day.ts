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

/** How much is planned from a minute of a day on, and how much of its working time no event takes. Minutes. */
export function capacityOf({
  hours,
  busy,
  blocks,
  now,
}: {
  readonly hours: Span | null;
  readonly busy: readonly Span[];
  readonly blocks: readonly Span[];
  readonly now: number;
}): { readonly planned: number; readonly free: number } {
  const ahead = blocks.flatMap(({ from, to }) => (to > now ? [{ from: Math.max(from, now), to }] : []));
  const within = ({ from, to }: Span) =>
    hours === null ? 0 : Math.max(0, Math.min(to, hours.to) - Math.max(from, hours.from));
  // What is planned outside of working hours takes none of them: it adds the time that it takes.
  const outside = ahead.reduce((sum, span) => sum + span.to - span.from - within(span), 0);
  return { planned: minutesOf(ahead), free: minutesOf(freeIn(hours, busy, now)) + outside };
}
