// Where shared lists stand for one person: their mounts, joined with the folders that are there. Pure: the device asks it
// about its replica (composition.ts), the server about the rows of an account. Writing is issuing.ts.
import { generateNKeysBetween } from 'fractional-indexing';
import { listsRoot, mountId, type Id } from '#core/ids.ts';
import type { Place } from '#core/model.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from '../rows/ancestors.ts';
import { isTrashed, placeOf } from '../rows/row-reading.ts';
import { fieldOf, type Row } from '../rows/row.ts';

/** The row of a list. */
export type ListRow = Extract<Row, { readonly type: 'list' }>;

/** Rows as they are stored: mounts among the children, shared lists at the top of their own scopes. */
export interface StoredTree {
  row(id: Id): Row | undefined;
  /** Trashed ones included, in any order. */
  children(parent: Id): readonly Row[];
}

/** Whether it is the list at the top of a scope other than the person's own. */
export function isSharedList(row: Row | undefined, personal: Id): row is ListRow {
  return (
    row !== undefined &&
    row.scope !== personal &&
    row.type === 'list' &&
    row.fields.place.parent === row.scope
  );
}

/** By key as bytes, then by id. */
export function inOrder(a: Row, b: Row): number {
  const [x, y] = [placeOf(a)?.key ?? '', placeOf(b)?.key ?? ''];
  return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1;
}

/** The folder itself if it is there and not beneath anything trashed, else the nearest one above it; last the top level. */
function livingFolder(tree: StoredTree, personal: Id, folder: Id): Id {
  const top = listsRoot(personal);
  let living: Id | null = null;
  for (const at of walkUp(folder, (id) => parentOf(tree.row(id)))) {
    if (at === top) return living ?? top;
    const row = tree.row(at);
    if (isTrashed(row)) living = null;
    else if (row?.scope === personal && fieldOf(row, 'listType') === 'folder') living ??= at;
  }
  return top;
}

/** The last composed row of each stored one: as long as nothing differs it is the same object. */
const made = new WeakMap<Row, ListRow>();

function composed(row: ListRow, { parent, key }: Place, mount: Row | undefined): ListRow {
  const { archivedAt = fieldOf(mount, 'hiddenAt'), sort: theirs, ...rest } = row.fields;
  const own = fieldOf(mount, 'ownSort') ?? theirs;
  const sort = typeof own === 'string' ? undefined : own;
  const known = made.get(row)?.fields;
  const isSame =
    known?.place.parent === parent &&
    known.place.key === key &&
    known.archivedAt === archivedAt &&
    known.sort === sort;
  if (isSame) return made.get(row) as ListRow;
  const fields = { ...rest, place: { parent, key }, ...(sort && { sort }) };
  const next = { ...row, fields: archivedAt === undefined ? fields : { ...fields, archivedAt } };
  made.set(row, next);
  return next;
}

/**
 * The rows of these shared lists as their person sees them: with the place and the sorting of their mounts, archived if hidden. One whose
 * mount is missing or beneath something that is gone stands at the end of the nearest folder that is there, or of the top level.
 */
export function composeLists(
  tree: StoredTree,
  personal: Id,
  lists: Iterable<ListRow>,
): ReadonlyMap<Id, ListRow> {
  const found = new Map<Id, ListRow>();
  const displaced = new Map<Id, ListRow[]>();
  const mountOf = ({ id }: ListRow) => tree.row(mountId(personal, id));
  for (const row of lists) {
    const mount = mountOf(row);
    const place = placeOf(mount);
    const parent = livingFolder(tree, personal, place?.parent ?? personal);
    if (place?.parent === parent) found.set(row.id, composed(row, place, mount));
    else displaced.set(parent, [...(displaced.get(parent) ?? []), row]);
  }
  for (const [parent, rows] of displaced) {
    const last = [...tree.children(parent)].sort(inOrder).at(-1);
    const keys = generateNKeysBetween(placeOf(last)?.key ?? null, null, rows.length);
    // Every device and the server in the same order.
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const [at, row] of rows.entries())
      found.set(row.id, composed(row, { parent, key: keys[at] ?? '' }, mountOf(row)));
  }
  return found;
}
