// Days on the clock on the wall: their names, their distances, and where a change of clocks takes an hour away or gives one twice. Pure.
import { DAY_MS } from '#core/time.ts';

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;
/** Minutes of a day on the wall. */
export const DAY_MINUTES = 1_440;
/** The rows of the grid. */
export const STEP_MINUTES = 15;

/** Minutes of a day, [from, to). */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What a change of clocks does to a day: times that it does not have, and times that it has twice. */
export interface ClockChange {
  readonly skipped: Stretch | null;
  readonly twice: Stretch | null;
}

/** Of most days. */
export const USUAL: ClockChange = { skipped: null, twice: null };

/** `2026-11-30`, of any moment of that day. `wall`: milliseconds as `Block.start`. */
export const dayOf = (wall: number): string =>
  Temporal.Instant.fromEpochMilliseconds(wall).toString().slice(0, 10);

/** The midnight at which its day begins. */
export const midnightOf = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS;

/** Minutes since that midnight. */
export const minuteOf = (wall: number): number => Math.floor((wall - midnightOf(wall)) / MINUTE_MS);

/** 1: Monday, to 7. */
export const weekdayOf = (wall: number): number => ((Math.floor(wall / DAY_MS) + 3) % 7) + 1;

/** The midnight at which the week of a day begins. `weekStart`: 1 is Monday. */
export const weekOf = (wall: number, weekStart: number): number =>
  midnightOf(wall) - ((weekdayOf(wall) - weekStart + 7) % 7) * DAY_MS;

/** What a day in a zone lacks, and has twice. `day`: `2026-11-30`. */
export function clockChangeOf(day: string, zone: string): ClockChange {
  const start = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  const begins = start.hour * 60 + start.minute;
  if (start.hoursInDay === 24 && begins === 0) return USUAL;
  if (begins > 0) return { ...USUAL, skipped: { from: 0, to: begins } };
  let before = start;
  for (let quarter = 0; quarter < 104; quarter += 1) {
    const after = before.add({ minutes: STEP_MINUTES });
    const by = (after.offsetNanoseconds - before.offsetNanoseconds) / 60_000_000_000;
    if (by !== 0) {
      const at = before.hour * 60 + before.minute + STEP_MINUTES;
      return by > 0
        ? { ...USUAL, skipped: { from: at, to: at + by } }
        : { ...USUAL, twice: { from: at + by, to: at } };
    }
    before = after;
  }
  return USUAL;
}
