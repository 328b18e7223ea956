// Which backups are kept: close together for the last hours, further apart for the last weeks, none for ever.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** After this a deleted row is gone from every backup. */
const LONGEST_MS = 35 * DAY;

const SERIES = [
  { length: HOUR, count: 48 },
  { length: DAY, count: 14 },
  { length: WEEK, count: 8 },
] as const;

/**
 * The backups to keep, by the times they were taken: the newest of each of the last 48 hours, 14 days and 8 weeks that have
 * one, unless it is older than 35 days, and the newest of all, however old.
 */
export function backupsToKeep(times: readonly number[], now: number): ReadonlySet<number> {
  const newestFirst = times.toSorted((a, b) => b - a);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const { length, count } of SERIES) {
    const slots = new Set<number>();
    for (const time of newestFirst) {
      const slot = Math.floor(time / length);
      if (slots.has(slot) || now - time > LONGEST_MS) continue;
      if (slots.size === count) break;
      slots.add(slot);
      kept.add(time);
    }
  }
  return kept;
}
