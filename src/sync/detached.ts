// A copy with cloud sync turned off: what was made on it since, and what it would be without. Not here: turning it off
// and on (engine.ts), and keeping what is dropped (client/detaching.ts).
import type { Id } from '#core/ids.ts';
import { laneOf, withSeq } from './lanes.ts';
import type { Operation } from './operation.ts';
import type { Detached, DeviceMeta } from './ports.ts';
import type { DetachedChanges, RowChange } from './replica-types.ts';
import type { DeviceReplica } from './replica.ts';
import { touchedIds } from './touched.ts';

/** The mark of a copy that is on its own from now on. */
export function markOf(meta: DeviceMeta, at: number): Detached {
  // A clock that was put back makes no mark look older than an earlier one.
  const later = Math.max(at, (meta.ended ?? 0) + 1);
  return { at: later, after: [meta.seq, ...Object.values(meta.lanes ?? {}).map(({ seq }) => seq)] };
}

/** The copy on its own with that mark, or (null) back with the server. */
export function switchedTo({ detached: before, ...rest }: DeviceMeta, detached: Detached | null): DeviceMeta {
  if (detached !== null) return { ...rest, detached };
  return before === undefined ? rest : { ...rest, ended: before.at };
}

/** A fresh identity that gives out no number which the mark takes for an earlier one. */
export function marked(meta: DeviceMeta, detached: Detached | null | undefined): DeviceMeta {
  if (!detached) return meta;
  return { ...detached.after.reduce(withSeq, meta), detached };
}

/** Whether an operation was made before the copy was on its own. */
export function isHeld(mark: Detached, q: number): boolean {
  return q <= lastHeld(mark, laneOf(q));
}

/** The last number of a lane that was given out before. */
export function lastHeld({ after }: Detached, lane: number): number {
  return after.find((last) => laneOf(last) === lane) ?? 0;
}

/** Operations that are never sent, oldest first; null while cloud sync is on. */
export function madeSince({ meta, pending }: DeviceReplica): readonly Operation[] | null {
  const { detached } = meta;
  return detached === undefined ? null : pending.filter(({ q }) => !isHeld(detached, q));
}

/**
 * With cloud sync on: what was made while it was off and did not go with the rest, because another tab had not told it
 * yet. `mark`: the one that has just ended, null when there was none.
 */
export function lateIn(pending: readonly Operation[], mark: Detached | null): readonly Operation[] {
  return pending.filter(({ q, off }) => off !== undefined || (mark !== null && !isHeld(mark, q)));
}

/** The same with what it made of the rows. */
export function changesSince(replica: DeviceReplica): DetachedChanges | null {
  const { detached } = replica.meta;
  const operations = madeSince(replica);
  if (detached === undefined || operations === null) return null;
  const waits = replica.pending.length > operations.length;
  // Older operations that wait show over the confirmed rows: only a picture without the newer ones tells what stays.
  const without = waits ? replica.without(new Set(operations.map(({ q }) => q))) : null;
  const before = (id: Id) => (without === null ? replica.confirmed(id) : without.row(id));
  const rows: RowChange[] = [];
  for (const id of new Set(operations.flatMap(touchedIds))) {
    const change = { id, before: before(id), after: replica.row(id) };
    if (change.before !== undefined || change.after !== undefined) rows.push(change);
  }
  return { ...detached, operations, rows };
}
