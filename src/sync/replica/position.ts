// The position that would put a row back in its place.
import type { Action, Position } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { Row } from '../rows/row.ts';
import type { SiblingIndex } from '../rows/sibling-index.ts';

/**
 * The position of the row that an action moves, by its current neighbors; null if the row has no place, or the action
 * moves nothing.
 */
export function positionBefore(
  action: Action,
  row: Row | undefined,
  siblings: SiblingIndex,
): Position | null {
  if (action.a !== 'place' && action.a !== 'restore') return null;
  const place = row === undefined ? undefined : placeOf(row);
  if (row === undefined || place === undefined) return null;
  const above = siblings.neighbour(place.parent, place.key, 'descending', row.id);
  const below = siblings.neighbour(place.parent, place.key, 'ascending', row.id);
  if (above !== undefined)
    return { parent: place.parent, after: above.id, ...(below === undefined ? {} : { before: below.id }) };
  return { parent: place.parent, ...(below === undefined ? {} : { before: below.id }), at: 'start' };
}
