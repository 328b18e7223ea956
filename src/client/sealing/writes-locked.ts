// What may not be done with a row of which something doesn't open on this device. Replicas learn it from what shows such rows.
import { lockedOf } from '#sync/rows/locked.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';

/** Whether the action would write over what doesn't open here: nobody may replace what they can't read. */
export function writesLocked(row: Row | undefined, action: Action): boolean {
  const locked = lockedOf(row);
  if (locked === undefined) return false;
  // What is locked of a task that repeats says when it comes again.
  const name =
    action.a === 'note' ? 'notes' : action.a === 'complete' ? 'repeat' : action.a === 'set' && action.field;
  if (name === false) return false;
  // Names of metadata and reminders are hidden: any of them could be the one.
  const hidden = name.includes(':') && `${name.split(':', 1)[0]}:~`;
  return Object.keys(locked).some((each) => each === name || (hidden !== false && each.startsWith(hidden)));
}
