// What may not be done with a row of which something doesn't open on this device. Replicas learn it from what shows such rows.
import type { Id } from '#core/ids.ts';
import type { KeptCopy, Keeps } from '#sync/replica/replica-types.ts';
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

/** The scope that an action is about, and the one that it leads to. */
function scopesOf(row: Row | undefined, action: Action, copy: KeptCopy): readonly (Id | undefined)[] {
  const parent = action.a === 'create' || action.a === 'place' ? action.place?.parent : undefined;
  const to = parent === undefined ? row?.scope : (copy.row(parent)?.scope ?? row?.scope);
  return [row?.scope ?? to, to];
}

/** Whether it needs the key of a list that stays encrypted: everything but moving and deleting may hold content. */
const hasContent = ({ a }: Action): boolean => a !== 'place' && a !== 'delete' && a !== 'restore';

/**
 * Whether the action can't be done to a list that stays encrypted: without its key nothing is written there or taken from there, as it would hold
 * up everything that is written later.
 */
export function isForList(row: Row | undefined, action: Action, copy: KeptCopy): boolean {
  const { lists } = copy.meta;
  if (lists === undefined) return false;
  const [from, to] = scopesOf(row, action, copy);
  const areLocked = [from, to].some((scope) => scope !== undefined && lists[scope] === 'locked');
  if (from !== to) return areLocked;
  return to !== undefined && lists[to] === 'locked' && hasContent(action);
}

/** What is forbidden on a device with encrypted rows. */
export const keepsEncrypted: Keeps = (row, action, copy) =>
  writesLocked(row, action) || isForList(row, action, copy);
