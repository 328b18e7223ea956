// A person's own fields of a shared list, kept in its mount: reading them, and the actions that set them whether it exists or not.
import { mountId, type Id } from '#core/ids.ts';
import type { MountFields } from '#core/model.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';

/** The mount of a list; undefined without one. */
export function mountOf(replica: Replica, list: Id): Extract<Row, { readonly type: 'mount' }> | undefined {
  const row = replica.row(mountId(replica.scope, list));
  return row?.type === 'mount' ? row : undefined;
}

/** Sets registers of the mount of a list; one that is missing is made where the list stands. */
export function setMount(replica: Replica, list: Id, values: Partial<MountFields>): Action[] {
  const id = mountId(replica.scope, list);
  if (replica.row(id) !== undefined)
    return Object.entries(values).map(([field, value]) => ({ a: 'set', id, field, value }));
  const given = Object.entries(values).filter(([, value]) => value !== null);
  const parent = placeOf(replica.row(list))?.parent ?? replica.scope;
  return [
    { a: 'create', id, type: 'mount', fields: { of: list, ...Object.fromEntries(given) }, place: { parent } },
  ];
}
