// What a row is in the scope that it moved to.
import type { Id } from '#core/ids.ts';
import type { Stamp, StoredRow } from './row.ts';

/** Where a row is, at which version, and how often it had moved by then. */
export interface Arrival {
  readonly scope: Id;
  readonly version: number;
  readonly hops: number;
}

/** The row as it arrives: time, device and number of every write stay, and their versions are those of its new scope. */
export function arrived<T extends StoredRow>(row: T, arrival: Arrival): T {
  const stampThere = ([, time, device, seq]: Stamp): Stamp => [arrival.version, time, device, seq];
  const stamps =
    row.stamps &&
    Object.fromEntries(Object.entries(row.stamps).map(([register, stamp]) => [register, stampThere(stamp)]));
  return { ...row, ...arrival, stamp: stampThere(row.stamp), ...(stamps && { stamps }) };
}
