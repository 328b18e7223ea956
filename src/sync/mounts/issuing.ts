// What a person does to a shared list, as actions on its mount: where it stands and whether it is hidden is theirs alone. Folders
// that are deleted leave the shared lists in them behind.
import { mountId, type Id } from '#core/ids.ts';
import type { Action, Position } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import { fieldOf, type Row } from '../rows/row.ts';
import { isSharedList, type StoredTree } from './standing.ts';

interface Writing extends StoredTree {
  readonly scope: Id;
}

/** The actions to issue for each of these, in the same order; the last one of each decides about it. */
export function issuedFor(
  actions: readonly Action[],
  stored: Writing,
  seen: Pick<StoredTree, 'row'>,
): readonly (readonly Action[])[] {
  const { scope } = stored;
  const isShared = (id: Id | undefined) => id !== undefined && isSharedList(stored.row(id), scope);
  /** Beside a shared list is beside its mount. */
  const besideMounts = (place: Position): Position => {
    const { after, before } = place;
    if (!isShared(after) && !isShared(before)) return place;
    return {
      ...place,
      ...(after === undefined ? {} : { after: isShared(after) ? mountId(scope, after) : after }),
      ...(before === undefined ? {} : { before: isShared(before) ? mountId(scope, before) : before }),
    };
  };
  return actions.map((action) => {
    const row = stored.row(action.id);
    const id = mountId(scope, action.id);
    if (action.a === 'place' && (row?.type === 'list' || row?.type === 'mount')) {
      const place = besideMounts(action.place);
      if (!isShared(row.id)) return [{ ...action, place }];
      if (stored.row(id) !== undefined) return [{ ...action, id, place }];
      const present = { parent: placeOf(seen.row(row.id))?.parent ?? scope };
      return [
        { a: 'create', id, type: 'mount', fields: { of: row.id }, place: present },
        { a: 'place', id, place },
      ];
    }
    if (action.a === 'create' && action.type === 'list' && action.place)
      return [{ ...action, place: besideMounts(action.place) }];
    if (action.a === 'set' && action.field === 'archivedAt' && action.value === null && isShared(row?.id)) {
      const isHidden = fieldOf(stored.row(id), 'hiddenAt') !== undefined;
      return isHidden ? [{ a: 'set', id, field: 'hiddenAt', value: null }, action] : [action];
    }
    if (action.a === 'delete' && row?.scope === scope && fieldOf(row, 'listType') === 'folder')
      return [...takenOut(row, stored), action];
    return [action];
  });
}

/** Puts the mounts beneath a folder behind it, in their order. */
function takenOut(folder: Row, stored: StoredTree): Action[] {
  const mounts: Id[] = [];
  const folders = [folder.id];
  for (const id of folders)
    for (const row of stored.children(id))
      if (row.type === 'mount') mounts.push(row.id);
      else if (row.type === 'list') folders.push(row.id);
  const parent = placeOf(folder)?.parent as Id;
  return mounts.map((id, at) => ({ a: 'place', id, place: { parent, after: mounts[at - 1] ?? folder.id } }));
}
