// Lanes: a copy that is open in several tabs has one lane of operation numbers per tab, because a tab numbers without
// asking others. To the server every lane is a device; to the person all of them are this device.
import type { Operation } from '../rows/operation.ts';
import type { DeviceMeta, Lane } from '../replica/ports.ts';

/** Numbers per lane: no two lanes of a copy share any, so a number alone identifies an operation of the copy. */
const NUMBERS = 2 ** 40;

/**
 * Not the lane of a tab: operations that bring rows back to a restored server come before everything that waits,
 * whatever its numbers.
 */
export const HEALING_LANE = 8_191;

/** The lane that a sequence number belongs to. */
export function laneOf(q: number): number {
  return Math.floor(q / NUMBERS);
}

/** The state of a lane; one that never had its own device has none stored. */
export function laneIn(meta: DeviceMeta, lane: number): Lane {
  if (lane === 0) return meta;
  return meta.lanes?.[lane] ?? { deviceNumber: 0, seq: lane * NUMBERS, acked: 0 };
}

/** The meta data with a changed lane. Lane 0 is the meta data itself. */
export function withLane(meta: DeviceMeta, lane: number, change: Partial<Lane>): DeviceMeta {
  if (lane === 0) return { ...meta, ...change };
  return { ...meta, lanes: { ...meta.lanes, [lane]: { ...laneIn(meta, lane), ...change } } };
}

/** The meta data after number `q` was given out, at least. */
export function withSeq(meta: DeviceMeta, q: number): DeviceMeta {
  const lane = laneOf(q);
  return laneIn(meta, lane).seq >= q ? meta : withLane(meta, lane, { seq: q });
}

/** The writer number of a lane on this copy's own rows; lanes without a number from the server are told apart too. */
export function writerNumber(meta: DeviceMeta, lane: number): number {
  return laneIn(meta, lane).deviceNumber || -lane || 0;
}

/** Order among all lanes: an operation comes after every one that its author had seen. */
export function byOrder(a: Operation, b: Operation): number {
  return (a.n ?? 0) - (b.n ?? 0) || a.q - b.q;
}

/** The operation as it is sent or exported: without the fields that only concern this copy. */
export function withoutOrder({ n: _n, off: _off, seenAt: _seenAt, ...operation }: Operation): Operation {
  return operation;
}
