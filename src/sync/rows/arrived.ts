// What a row is in the scope that it moved to.
import type { Id } from '#core/ids.ts';
import type { Stamp, StoredRow } from './row.ts';

/** Where a row is, at which version, and how often it had moved by then. */
export interface Arrival {
  readonly scope: Id;
  readonly version: number;
  readonly hops: number;
}

/**
 * Which version the writes of a row get that arrives with this one: the version before. What is written in the change that
 * moves it, its new place before all, has that of the arrival, and who had seen the row where it was has not seen that.
 */
export const writtenBefore = (arrival: number): number => arrival - 1;

/** The row as it arrives: time, device and number of every write stay, and their versions are those of its new scope. */
export function arrived<T extends StoredRow>(row: T, arrival: Arrival): T {
  const version = writtenBefore(arrival.version);
  const stampThere = ([, time, device, seq]: Stamp): Stamp => [version, time, device, seq];
  const stamps =
    row.stamps &&
    Object.fromEntries(Object.entries(row.stamps).map(([register, stamp]) => [register, stampThere(stamp)]));
  return { ...row, ...arrival, stamp: stampThere(row.stamp), ...(stamps && { stamps }) };
}

/**
 * What its author has seen of the scope of a held row, who has read that scope up to `read`. A row that moved here may be
 * ahead of that: then it is as it was where it came from, or, without a version, not even that.
 */
export function seenOf(held: StoredRow | undefined, read: number): number {
  if (held?.hops === undefined || held.hops === 0) return read;
  if (held.version === 0) return 0;
  const writes = [held.stamp, ...Object.values(held.stamps ?? {})];
  return Math.max(read, ...writes.map(([version]) => version));
}
