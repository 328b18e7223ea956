// What a person does to a shared list, as actions on its mount: where it stands and whether it is hidden is theirs alone. Folders
// that are deleted leave the shared lists in them behind. Loaded with the commands on lists.
import { mountId, type Id } from '#core/ids.ts';
import type { Issued } from '../replica/replica-types.ts';
import type { Action, Position } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import { fieldOf, type Row } from '../rows/row.ts';
import { isSharedList, type StoredTree } from './standing.ts';

/** Rows as they are stored, of whose person `scope` is the personal scope. */
export interface Writing extends StoredTree {
  readonly scope: Id;
}

/** Actions on rows as a person sees them, as actions on those that are stored. */
export interface StoredIssue {
  readonly actions: readonly Action[];
  /** What came of it, as of the actions that were asked for. `stored`: with the changes of rows as they are stored. */
  result(seen: Issued, stored: Issued): Issued;
}

/**
 * Rewrites an issue: `stored` has the rows as they are stored, `seen` as the person sees them. `forAll`: tasks are placed for
 * everybody.
 */
export type PlaceShared = (
  actions: readonly Action[],
  stored: Writing,
  seen: Pick<StoredTree, 'row'> & Partial<StoredTree>,
  forAll?: boolean,
) => StoredIssue;

/** What an action on a task comes to for the person alone, in the order of the actions; null: it is as it is. */
export type OwnSteps = (
  stored: Writing,
  seen: Parameters<PlaceShared>[2],
) => (action: Action) => readonly Action[] | null;

/** Places shared lists by their mounts, and takes mounts out of folders that are deleted. `own`: asked about every action first. */
export function placedBy(own: OwnSteps): PlaceShared {
  return (actions, stored, seen, forAll) => {
    const ownOf = forAll === true ? () => null : own(stored, seen);
    const steps = actions.map((action) => ownOf(action) ?? stepsOf(action, stored, seen));
    const isMount = (id: Id) => stored.row(id)?.type === 'mount';
    return {
      actions: steps.flat(),
      result(issued, { changes }) {
        let last = -1;
        return {
          ...issued,
          verdicts: steps.map(({ length }) => issued.verdicts[(last += length)] ?? 'invalid'),
          // With those of mounts: undo follows what was written.
          changes: [...issued.changes, ...changes.filter(({ id }) => isMount(id))],
          // A mount that was made stays.
          inverses: issued.inverses.filter(({ a, id }) => a !== 'delete' || !isMount(id)),
        };
      },
    };
  };
}

/** Places shared lists by their mounts; tasks are placed for everybody. */
export const placeShared: PlaceShared = placedBy(() => () => null);

/** The last one decides about the action. */
function stepsOf(action: Action, stored: Writing, seen: Pick<StoredTree, 'row'>): readonly Action[] {
  const { scope } = stored;
  const row = stored.row(action.id);
  const isShared = isSharedList(row, scope);
  const id = mountId(scope, action.id);
  switch (action.a) {
    case 'place': {
      if (row?.type !== 'list' && row?.type !== 'mount') return [action];
      const place = besideMounts(action.place, stored);
      if (!isShared) return [{ ...action, place }];
      if (stored.row(id) !== undefined) return [{ ...action, id, place }];
      const present = { parent: placeOf(seen.row(row.id))?.parent ?? scope };
      return [
        { a: 'create', id, type: 'mount', fields: { of: row.id }, place: present },
        { a: 'place', id, place },
      ];
    }
    case 'create':
      if (action.type !== 'list' || !action.place) return [action];
      return [{ ...action, place: besideMounts(action.place, stored) }];
    case 'set': {
      if (isShared && action.field === 'sort') {
        const value = action.value ?? 'by-hand';
        if (stored.row(id) !== undefined) return [{ ...action, id, field: 'ownSort', value }];
        const place = { parent: placeOf(seen.row(row.id))?.parent ?? scope };
        return [{ a: 'create', id, type: 'mount', fields: { of: row.id, ownSort: value }, place }];
      }
      const isBack = isShared && action.field === 'archivedAt' && action.value === null;
      if (!isBack || fieldOf(stored.row(id), 'hiddenAt') === undefined) return [action];
      return [{ a: 'set', id, field: 'hiddenAt', value: null }, action];
    }
    case 'delete': {
      const isFolder = row?.scope === scope && fieldOf(row, 'listType') === 'folder';
      return isFolder ? [...takenOut(row, stored), action] : [action];
    }
    default:
      return [action];
  }
}

/** Beside a shared list is beside its mount. */
function besideMounts(place: Position, stored: Writing): Position {
  const { scope } = stored;
  const beside = (id: Id) => (isSharedList(stored.row(id), scope) ? mountId(scope, id) : id);
  const { after, before } = place;
  return {
    ...place,
    ...(after === undefined ? {} : { after: beside(after) }),
    ...(before === undefined ? {} : { before: beside(before) }),
  };
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
