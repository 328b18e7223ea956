// Which scope may read which content, and its size: a scope holds content that was sent to it, never content it merely
// knows the hash of. Not here: the content itself (blobs.ts).
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Database } from '../data/database.ts';
import { CONTENT_LOCK } from '../data/file-claims.ts';
import type { Tables } from '../data/tables.ts';

const LATELY_MS = 7 * 24 * 3_600_000;

/** Who sends content, and the scopes that they may write to. */
export interface FileSender {
  readonly account: number;
  readonly scopes: readonly Id[];
}

/** The content held by scopes, with the storage used by accounts. */
export interface FileLedger {
  holds(scope: Id, hash: string): Promise<boolean>;
  /**
   * False, writing nothing, when the owner of the scope would exceed `mostBytes`. Scopes that attachments with this content
   * have moved to get it too, and those of the sender in which such an attachment arrived lately: a device may send to the
   * scope in which it believes a task to be. Where an attachment of the sender arrives within the week, it is held, too.
   */
  add(
    file: { readonly scope: Id; readonly hash: string; readonly bytes: number },
    mostBytes: number,
    sender?: FileSender,
  ): Promise<boolean>;
  /** The account that owns a scope, which is the one whose room files in it take. */
  ownerOf(scope: Id): Promise<number | null>;
  /** Bytes of all scopes that the account owns. */
  used(account: number): Promise<number>;
}

/** The database that holds it. */
type Kept = Pick<Database, 'db' | 'kind'>;

const NOBODY: FileSender = { account: 0, scopes: [] };

interface Held {
  readonly scope: Id;
  readonly hash: string;
}

const copyTo = (tx: Transaction<Tables>, { scope: from, hash }: Held, to: Id) =>
  tx
    .insertInto('blob')
    .columns(['scope', 'hash', 'bytes', 'created_at'])
    .expression((of) =>
      of
        .selectFrom('blob')
        .select((each) => [each.val(to).as('to'), 'hash', 'bytes', 'created_at'])
        .where('scope', '=', from)
        .where('hash', '=', hash),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Attachments may have moved to other scopes, or have been made in one of the sender's, while their content was on its way to this
 * one. The scopes are locked, as they are for a move or a write: either that takes the content along, or the attachments
 * are found here.
 */
async function passOn(
  { db, kind }: Kept,
  { scope, hash }: Held,
  { account, scopes }: FileSender,
  now: number,
): Promise<void> {
  const others = scopes.filter((other) => other !== scope);
  await db.transaction().execute(async (tx) => {
    for (const each of [scope, ...others].toSorted())
      await tx.updateTable('scope').set({ id: each }).where('id', '=', each).execute();
    // What is saved in a scope that the sender does not know waits for no scope of theirs, but for the content.
    if (kind === 'postgres')
      await sql`SELECT pg_advisory_xact_lock(${CONTENT_LOCK}, hashtext(${hash}))`.execute(tx);
    const pattern = `%"hash":"${hash}"%`;
    const moved = await tx
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
      .where('entity.fields', 'like', pattern)
      .execute();
    const made = others.map((other) =>
      tx
        .selectFrom('entity')
        .select('scope')
        .where('scope', '=', other)
        .where('updated_at', '>', now - LATELY_MS)
        .where('type', '=', 'attachment')
        .where('fields', 'like', pattern)
        .limit(1)
        .execute(),
    );
    const wanted = await tx
      .deleteFrom('file_wanted')
      .where('account', '=', account)
      .where('hash', '=', hash)
      .returning('scope')
      .execute();
    const found = [...moved, ...wanted, ...(await Promise.all(made)).flat()];
    for (const to of new Set(found.map((each) => each.scope))) await copyTo(tx, { scope, hash }, to);
  });
}

/** A file ledger in the database. */
export function createFileLedger(kept: Kept, clock: Clock): FileLedger {
  const { db } = kept;
  async function used(account: number): Promise<number> {
    const { sum } = await db
      .selectFrom('blob')
      .innerJoin('scope', 'scope.id', 'blob.scope')
      .select((of) => of.fn.sum<number | string | null>('blob.bytes').as('sum'))
      .where('scope.owner', '=', account)
      .executeTakeFirstOrThrow();
    return Number(sum ?? 0);
  }

  /** Counted from now on: no sweep takes what is about to be named. False: the scope does not hold it. */
  async function renewed(scope: Id, hash: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('blob')
      .set({ created_at: clock.now() })
      .where('scope', '=', scope)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  const ownerOf = async (scope: Id): Promise<number | null> => {
    const found = await db.selectFrom('scope').select('owner').where('id', '=', scope).executeTakeFirst();
    return found?.owner ?? null;
  };

  async function noteSender(account: number, hash: string): Promise<void> {
    const sent_at = clock.now();
    await db
      .insertInto('file_sender')
      .values({ account, hash, sent_at })
      .onConflict((conflict) => conflict.columns(['account', 'hash']).doUpdateSet({ sent_at }))
      .execute();
  }

  return {
    used,
    ownerOf,
    async holds(scope, hash) {
      const row = await db
        .selectFrom('blob')
        .select('hash')
        .where('scope', '=', scope)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row !== undefined;
    },
    async add({ scope, hash, bytes }, mostBytes, sender) {
      const owner = await ownerOf(scope);
      if (owner === null) return false;
      if (!(await renewed(scope, hash))) {
        await db
          .insertInto('blob')
          .values({ scope, hash, bytes, created_at: clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        // Checked after adding: of two concurrent uploads at least one sees the other.
        if ((await used(owner)) > mostBytes) {
          await db.deleteFrom('blob').where('scope', '=', scope).where('hash', '=', hash).execute();
          return false;
        }
      }
      // Before what has arrived is looked for: what arrives after that finds it.
      if (sender !== undefined) await noteSender(sender.account, hash);
      await passOn(kept, { scope, hash }, sender ?? NOBODY, clock.now());
      return true;
    },
  };
}
