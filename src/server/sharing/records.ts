// Reads the records of shared lists: which list is in which scope, and how far sharing it or making it private has come.
import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Id } from '#core/ids.ts';
import { boundsOf } from '../data/shelf.ts';
import type { SharedListTable, Tables } from '../data/tables.ts';

/** Labels are in the frame of a scope, whatever moment it is. */
const { to: frameEnd } = boundsOf('frame', 0);

/** A list that is, was, or is about to be shared. */
export type SharedRecord = Selectable<SharedListTable>;

/** The record of a list that is shared, or on its way to or from it. */
export function recordOf(db: Kysely<Tables>, list: Id): Promise<SharedRecord | undefined> {
  return db
    .selectFrom('shared_list')
    .selectAll()
    .where('list', '=', list)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
}

/** The record of a scope. */
export function recordIn(db: Kysely<Tables>, scope: Id): Promise<SharedRecord | undefined> {
  return db.selectFrom('shared_list').selectAll().where('scope', '=', scope).executeTakeFirst();
}

/** The scope in which an id is now, and how often it has changed that; undefined: nothing is known of it. */
export async function whereIs(
  db: Kysely<Tables>,
  id: Id,
): Promise<{ readonly scope: Id; readonly hops: number } | undefined> {
  return await db
    .selectFrom('directory')
    .innerJoin('entity', (join) =>
      join.onRef('entity.scope', '=', 'directory.scope').onRef('entity.id', '=', 'directory.id'),
    )
    .select(['directory.scope', 'entity.hops'])
    .where('directory.id', '=', id)
    .executeTakeFirst();
}

/** Whether what is beneath a list is still on its way to another scope. */
export async function isMoving(db: Kysely<Tables>, list: Id): Promise<boolean> {
  const found = await db.selectFrom('transfer').select('id').where('root', '=', list).executeTakeFirst();
  return found !== undefined;
}

/**
 * What is in the tree of a scope: the list, its tasks, and what is attached to them. Somebody who watches asks again and again, so both
 * counts are taken from indexes: of all that has a place, and of the labels, which have places of their own.
 */
export async function rowsIn(db: Kysely<Tables>, scope: Id): Promise<number> {
  const { placed, labels } = await db
    .selectNoFrom((select) => [
      select
        .selectFrom('entity')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('scope', '=', scope)
        .where('parent', 'is not', null)
        .as('placed'),
      select
        .selectFrom('entity')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('scope', '=', scope)
        .where('shelf', '<', frameEnd)
        .where('type', 'in', ['label', 'labelGroup'])
        .as('labels'),
    ])
    .executeTakeFirstOrThrow();
  return Number(placed) - Number(labels);
}

/**
 * A list with all that is beneath it in its scope. The order of the join is said: SQLite would read the whole table for each row. What
 * has nothing beneath it is counted with its siblings, from an index.
 */
export async function rowsBeneath(db: Kysely<Tables>, scope: Id, list: Id): Promise<number> {
  const { rows } = await sql<{ readonly lists: number; readonly count: number | null }>`
    WITH RECURSIVE tree (id) AS (
      SELECT id FROM entity WHERE scope = ${scope} AND id = ${list}
      UNION ALL
      SELECT entity.id FROM tree CROSS JOIN entity WHERE entity.scope = ${scope} AND entity.parent = tree.id
        AND EXISTS (SELECT 1 FROM entity AS beneath WHERE beneath.scope = ${scope} AND beneath.parent = entity.id)
    ) SELECT count(*) AS lists, sum((
      SELECT count(*) FROM entity WHERE entity.scope = ${scope} AND entity.parent = tree.id
    )) AS count FROM tree`.execute(db);
  // The list itself is beneath nothing of this.
  return Number(rows[0]?.count ?? 0) + (Number(rows[0]?.lists ?? 0) > 0 ? 1 : 0);
}

/** Rows of a list in a sealed scope that its devices have not opened yet, about: what JSON has of an envelope is no part of a text. */
export async function sealedBeneath(db: Kysely<Tables>, scope: Id, list: Id): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    WITH RECURSIVE tree (id) AS (
      SELECT id FROM entity WHERE scope = ${scope} AND id = ${list}
      UNION ALL
      SELECT entity.id FROM tree CROSS JOIN entity WHERE entity.scope = ${scope} AND entity.parent = tree.id
    ) SELECT count(*) AS count FROM tree CROSS JOIN entity
      WHERE entity.scope = ${scope} AND entity.id = tree.id AND entity.fields LIKE '%{"e":"%'`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Shared lists of an account. */
export async function sharedListsOf(db: Kysely<Tables>, account: number): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .innerJoin('shared_list', 'shared_list.scope', 'member.scope')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('member.account', '=', account)
    .where('shared_list.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Members of a scope. */
export async function membersIn(db: Kysely<Tables>, scope: Id): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether the list of a scope has an e-mail address. */
export async function hasMail(db: Kysely<Tables>, scope: Id): Promise<boolean> {
  const row = await db
    .selectFrom('mail_address')
    .select('list')
    .where('scope', '=', scope)
    .executeTakeFirst();
  return row !== undefined;
}
