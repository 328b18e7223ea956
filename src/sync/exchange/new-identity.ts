// A new identity for a lane of this copy: its storage turned out to be a clone, or it has none yet. When that is needed
// decides sync-loop.ts.
import type { Id } from '#core/ids.ts';
import { laneIn, laneOf, withLane } from '../tabs/sequences.ts';
import type { Operation } from '../rows/operation.ts';
import type { DeviceReplica } from '../replica/replica.ts';

/** Undos of a lane whose operation no longer waits: they would undo a write of another identity. */
function isOrphaned(operation: Operation, lane: number, waiting: ReadonlySet<number>): boolean {
  const undone = 'only' in operation ? operation.only : undefined;
  return laneOf(operation.q) === lane && undone !== undefined && !waiting.has(undone);
}

/**
 * Gives a lane a new identity. Sequence numbers continue, so that numbers in Recovered and undo stay unique. Returns the
 * numbers of dropped undos: they would undo writes of the old identity, which no longer belong to this device. A lane
 * without an identity only gets its first.
 */
export function becomeDevice(replica: DeviceReplica, device: Id, lane = 0): readonly number[] {
  const { meta, pending } = replica;
  const isFirst = laneIn(meta, lane).device === undefined;
  const waiting = new Set(pending.map(({ q }) => q));
  const dropped = isFirst ? [] : pending.filter((operation) => isOrphaned(operation, lane, waiting));
  const gone = new Set(dropped);
  replica.amend({
    meta: withLane(meta, lane, { device, deviceNumber: 0, acked: 0 }),
    queue: pending.filter((operation) => !gone.has(operation)),
  });
  return dropped.map(({ q }) => q);
}
