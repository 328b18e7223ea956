// Reads the list that is, or might be, shared, from the stored rows.
import type { Kysely } from 'kysely';
import { listsRoot, type Id } from '#core/ids.ts';
import { limits, type ListType } from '#core/model.ts';

import type { Tables } from '../data/tables.ts';

/** A list as its row says. */
export interface RootList {
  readonly listType: ListType;
  readonly name: string;
  readonly isTrashed: boolean;
  readonly parent: Id | null;
}

/** A list in a scope; null: there is none of this id. */
export async function listIn(db: Kysely<Tables>, scope: Id, list: Id): Promise<RootList | null> {
  const row = await db
    .selectFrom('entity')
    .select(['fields', 'deleted', 'parent'])
    .where('scope', '=', scope)
    .where('id', '=', list)
    .where('type', '=', 'list')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { listType, name = '' } = JSON.parse(row.fields) as { listType: ListType; name?: string };
  return { listType, name, isTrashed: row.deleted !== null, parent: row.parent };
}

/** Whether a list of somebody's own can be shared: it has tasks, and nothing from it upwards is in the trash. */
export async function isSharable(db: Kysely<Tables>, scope: Id, list: Id): Promise<boolean> {
  let at: Id | null = list;
  for (let level = 0; at !== null && at !== listsRoot(scope); level += 1) {
    const row: RootList | null = await listIn(db, scope, at);
    if (row === null || row.isTrashed || level > limits.depth) return false;
    if (at === list && row.listType !== 'list') return false;
    at = row.parent;
  }
  return at !== null;
}
