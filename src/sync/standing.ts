// Where a row stands: the position that would put it there again, and what it hangs under.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Position } from './operation.ts';
import { placeOf } from './row-reading.ts';
import type { Row } from './row.ts';
import type { SiblingIndex } from './sibling-index.ts';

/** Of the row that an action moves, beside its present neighbours; null for what is not placed or not moved. */
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

/** What a row hangs under, nearest first. */
export function idsAbove(id: Id, rowOf: (id: Id) => Row | undefined): Id[] {
  const ids: Id[] = [];
  for (let row = rowOf(id); row !== undefined && ids.length <= limits.depth;) {
    const place = placeOf(row);
    row = place === undefined ? undefined : rowOf(place.parent);
    if (row !== undefined) ids.push(row.id);
  }
  return ids;
}
