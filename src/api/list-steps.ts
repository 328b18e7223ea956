// Actions on lists as the public API asks for them, as steps on the rows that are stored: a shared list is placed by its mount.
import type { Id } from '#core/ids.ts';
import { placeShared } from '#sync/mounts/issuing.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Frame } from './frame.ts';
import type { Step } from './writing.ts';

/** Each step is in the scope of the row that it writes; new rows are in the personal scope. */
export function listSteps(frame: Frame, actions: readonly Action[]): Step[] {
  const seen = { row: (id: Id) => frame.list(id)?.row };
  const { stored, personal } = frame;
  return placeShared(actions, stored, seen).actions.map((action) => ({
    scope: stored.row(action.id)?.scope ?? personal,
    action,
  }));
}
