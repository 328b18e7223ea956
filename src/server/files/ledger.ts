// Which scope may read which content, and its size: a scope holds content that was sent to it, never content it merely
// knows the hash of. Not here: the content itself (blobs.ts).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';

/** The content held by scopes, with the storage used by accounts. */
export interface FileLedger {
  holds(scope: Id, hash: string): Promise<boolean>;
  /** False, writing nothing, when the owner of the scope would exceed `mostBytes`. */
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
      if ((await used(owner.owner)) <= mostBytes) return true;
      await db.deleteFrom('blob').where('scope', '=', scope).where('hash', '=', hash).execute();
      return false;
    },
  };
}
