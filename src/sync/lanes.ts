// Lanes: a copy that is open in several tabs numbers its operations in one lane for each tab, because a tab gives out
// numbers without asking anybody. To the server every lane is a device; to the person all of them are this device.
import type { Operation } from './operation.ts';
import type { DeviceMeta, Lane } from './ports.ts';

/** Numbers of one lane: no two lanes of a copy share any, so a number alone names an operation of the copy. */
const NUMBERS = 2 ** 40;

/** Not a tab's: what is brought back to a restored server goes before all that waits, whatever its numbers. */
export const HEALING_LANE = 8_191;

/** The lane that a sequence number belongs to. */
export function laneOf(q: number): number {
  return Math.floor(q / NUMBERS);
}

/** What is known of a lane; a lane that never had a device of its own has none. */
export function laneIn(meta: DeviceMeta, lane: number): Lane {
  if (lane === 0) return meta;
  return meta.lanes?.[lane] ?? { deviceNumber: 0, seq: lane * NUMBERS, acked: 0 };
}

export function withLane(meta: DeviceMeta, lane: number, change: Partial<Lane>): DeviceMeta {
  if (lane === 0) return { ...meta, ...change };
  return { ...meta, lanes: { ...meta.lanes, [lane]: { ...laneIn(meta, lane), ...change } } };
}

/** The last number given out was at least this one. */
export function withSeq(meta: DeviceMeta, q: number): DeviceMeta {
  const lane = laneOf(q);
  return laneIn(meta, lane).seq >= q ? meta : withLane(meta, lane, { seq: q });
}

/** Who the writer of a lane is on this copy's own rows: lanes without a number of the server's are told apart too. */
export function writerNumber(meta: DeviceMeta, lane: number): number {
  return laneIn(meta, lane).deviceNumber || -lane || 0;
}

/** Order among all lanes: whoever saw another operation comes after it. */
export function byOrder(a: Operation, b: Operation): number {
  return (a.n ?? 0) - (b.n ?? 0) || a.q - b.q;
}

/** As it crosses the network or goes into a file: without what only concerns this copy. */
export function withoutOrder({ n: _n, off: _off, ...operation }: Operation): Operation {
  return operation;
}
