// Which scope may read which content, and its size: a scope holds content that was sent to it, never content it merely
// knows the hash of. Not here: the content itself (blobs.ts).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';

/** The content held by scopes, with the storage used by accounts. */
export interface FileLedger {
  holds(scope: Id, hash: string): Promise<boolean>;
  /**
   * False, writing nothing, when the owner of the scope would exceed `mostBytes`. Scopes that attachments with this content
   * have moved to get it too.
   */
  add(
    file: { readonly scope: Id; readonly hash: string; readonly bytes: number },
    mostBytes: number,
  ): Promise<boolean>;
  /** Bytes of all scopes that the account owns. */
  used(account: number): Promise<number>;
}

/** A file ledger in the database. */
export function createFileLedger(db: Kysely<Tables>, clock: Clock): FileLedger {
  async function used(account: number): Promise<number> {
    const { sum } = await db
      .selectFrom('blob')
      .innerJoin('scope', 'scope.id', 'blob.scope')
      .select((of) => of.fn.sum<number | string | null>('blob.bytes').as('sum'))
      .where('scope.owner', '=', account)
      .executeTakeFirstOrThrow();
    return Number(sum ?? 0);
  }

  /**
   * Attachments may have moved to other scopes while their content was on its way to this one. The scope is locked, as it is
   * for a move: either the move copies the content, or the moved attachments are found here.
   */
  async function passOn(scope: Id, hash: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('scope').set({ id: scope }).where('id', '=', scope).execute();
      const found = await tx
        .selectFrom('tombstone')
        .innerJoin('directory', 'directory.id', 'tombstone.id')
        .innerJoin('entity', (join) =>
          join.onRef('entity.scope', '=', 'directory.scope').onRef('entity.id', '=', 'tombstone.id'),
        )
        .select('entity.scope')
        .distinct()
        .where('tombstone.scope', '=', scope)
        .where('tombstone.moved_to', 'is not', null)
        .where('entity.type', '=', 'attachment')
        .where('entity.fields', 'like', `%"hash":"${hash}"%`)
        .execute();
      for (const { scope: to } of found)
        await tx
          .insertInto('blob')
          .columns(['scope', 'hash', 'bytes', 'created_at'])
          .expression((from) =>
            from
              .selectFrom('blob')
              .select((of) => [of.val(to).as('to'), 'hash', 'bytes', 'created_at'])
              .where('scope', '=', scope)
              .where('hash', '=', hash),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    });
  }

  return {
    used,
    async holds(scope, hash) {
      const row = await db
        .selectFrom('blob')
        .select('hash')
        .where('scope', '=', scope)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row !== undefined;
    },
    async add({ scope, hash, bytes }, mostBytes) {
      const owner = await db.selectFrom('scope').select('owner').where('id', '=', scope).executeTakeFirst();
      if (!owner) return false;
      const added = await db
        .insertInto('blob')
        .values({ scope, hash, bytes, created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) return true;
      // Checked after adding: of two concurrent uploads at least one sees the other.
      if ((await used(owner.owner)) <= mostBytes) {
        await passOn(scope, hash);
        return true;
      }
      await db.deleteFrom('blob').where('scope', '=', scope).where('hash', '=', hash).execute();
      return false;
    },
  };
}
