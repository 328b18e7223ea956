// A copy with cloud sync turned off: the changes made since, and the rows without them. Not here: turning it off and on
// (engine.ts), and keeping dropped changes (client/sync-status/detaching.ts).
import type { Id } from '#core/ids.ts';
import { laneOf, withSeq } from '../tabs/sequences.ts';
import type { Operation } from '../rows/operation.ts';
import type { Detached, DeviceMeta } from './ports.ts';
import type { DetachedChanges, RowChange } from './replica-types.ts';
import type { DeviceReplica } from './replica.ts';
import { touchedIds } from '../rows/touched.ts';

/** The mark of a copy that is detached from now on. */
export function markOf(meta: DeviceMeta, at: number): Detached {
  // After the clock was set back, a mark still looks newer than an earlier one.
  const later = Math.max(at, (meta.ended ?? 0) + 1);
  return { at: later, after: [meta.seq, ...Object.values(meta.lanes ?? {}).map(({ seq }) => seq)] };
}

/** The copy detached with that mark, or (null) attached to the server again. */
export function switchedTo({ detached: before, ...rest }: DeviceMeta, detached: Detached | null): DeviceMeta {
  if (detached !== null) return { ...rest, detached };
  return before === undefined ? rest : { ...rest, ended: before.at };
}

/** Gives a fresh identity higher numbers than any that the mark counts as older. */
export function marked(meta: DeviceMeta, detached: Detached | null | undefined): DeviceMeta {
  if (!detached) return meta;
  return { ...detached.after.reduce(withSeq, meta), detached };
}

/** Whether an operation was made before the copy was detached. */
export function isHeld(mark: Detached, q: number): boolean {
  return q <= lastHeld(mark, laneOf(q));
}

/** The last number of a lane given out before the copy was detached. */
export function lastHeld({ after }: Detached, lane: number): number {
  return after.find((last) => laneOf(last) === lane) ?? 0;
}

/** Operations that are never sent, oldest first; null while cloud sync is on. */
export function madeSince({ meta, pending }: DeviceReplica): readonly Operation[] | null {
  const { detached } = meta;
  return detached === undefined ? null : pending.filter(({ q }) => !isHeld(detached, q));
}

/**
 * With cloud sync on: operations made while it was off that were not dropped with the others, because another tab had
 * not announced them yet. `mark`: the one that has just ended, null when there was none.
 */
export function lateIn(pending: readonly Operation[], mark: Detached | null): readonly Operation[] {
  return pending.filter(({ q, off }) => off !== undefined || (mark !== null && !isHeld(mark, q)));
}

/** The operations made while detached, with their changes of rows; null while cloud sync is on. */
export function changesSince(replica: DeviceReplica): DetachedChanges | null {
  const { detached } = replica.meta;
  const operations = madeSince(replica);
  if (detached === undefined || operations === null) return null;
  const waits = replica.pending.length > operations.length;
  // Older waiting operations show over the confirmed rows: only a replica without the newer ones has the rows that
  // stay.
  const without = waits ? replica.without(new Set(operations.map(({ q }) => q))) : null;
  const before = (id: Id) => (without === null ? replica.confirmed(id) : without.row(id));
  const rows: RowChange[] = [];
  for (const id of new Set(operations.flatMap(touchedIds))) {
    const change = { id, before: before(id), after: replica.row(id) };
    if (change.before !== undefined || change.after !== undefined) rows.push(change);
  }
  return { ...detached, operations, rows };
}
