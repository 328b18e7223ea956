// Reads the list that is, or might be, shared, from the stored rows.
import { sql, type Kysely } from 'kysely';
import { listsRoot, type Id } from '#core/ids.ts';
import { limits, type ListType } from '#core/model.ts';
import type { Tables } from '../data/tables.ts';

/** A list as its row says. */
export interface RootList {
  readonly listType: ListType;
  readonly name: string;
  readonly isTrashed: boolean;
}

/** A list in a scope; null: there is none of this id. */
export async function listIn(db: Kysely<Tables>, scope: Id, list: Id): Promise<RootList | null> {
  const row = await db
    .selectFrom('entity')
    .select(['fields', 'deleted'])
    .where('scope', '=', scope)
    .where('id', '=', list)
    .where('type', '=', 'list')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { listType, name = '' } = JSON.parse(row.fields) as { listType: ListType; name?: unknown };
  // An encrypted one is for its members' devices to read.
  return { listType, name: typeof name === 'string' ? name : '', isTrashed: row.deleted !== null };
}

/** Whether a list of somebody's own can be shared: it has tasks, and nothing from it upwards is in the trash. */
export async function isSharable(db: Kysely<Tables>, scope: Id, list: Id): Promise<boolean> {
  if ((await listIn(db, scope, list))?.listType !== 'list') return false;
  const { rows } = await sql<{ parent: Id; deleted: number | null }>`
    WITH RECURSIVE above (parent, deleted, level) AS (
      SELECT parent, deleted, 0 FROM entity WHERE scope = ${scope} AND id = ${list}
      UNION ALL
      SELECT entity.parent, entity.deleted, above.level + 1 FROM above CROSS JOIN entity
      WHERE entity.scope = ${scope} AND entity.id = above.parent AND above.level < ${limits.depth}
    ) SELECT parent, deleted FROM above ORDER BY level`.execute(db);
  return rows.at(-1)?.parent === listsRoot(scope) && rows.every(({ deleted }) => deleted === null);
}
