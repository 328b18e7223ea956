// Forgets a content that an attachment has named until now, as soon as nothing in its scope names it: what was read there is sealed by now. What
// is done for all contents in time is sweep.ts.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Blobs } from './blobs.ts';

/** Content is stored before its holder is recorded: a younger one may be somebody's in a moment. */
export const UNHELD_KEPT_MS = 3_600_000;

/** What forgetting contents needs. */
export interface ForgettingPorts {
  readonly db: Kysely<Tables>;
  readonly blobs: Blobs;
  readonly clock: Pick<Clock, 'now'>;
}

/** Ends that a scope holds a content. Without any other holder it is deleted: now, or by housekeeping if it was stored a moment ago. */
export async function forgetContent(
  { db, blobs, clock }: ForgettingPorts,
  scope: Id,
  hash: string,
): Promise<void> {
  const isNamed = await db.transaction().execute(async (tx) => {
    // As for a write: what names it now comes before this, or finds that the scope doesn't hold it.
    await tx.updateTable('scope').set({ id: scope }).where('id', '=', scope).execute();
    const naming = await tx
      .selectFrom('entity')
      .select('id')
      .where('scope', '=', scope)
      .where('type', '=', 'attachment')
      .where('fields', 'like', `%"hash":"${hash}"%`)
      .executeTakeFirst();
    if (naming !== undefined) return true;
    await tx.deleteFrom('blob').where('scope', '=', scope).where('hash', '=', hash).execute();
    return false;
  });
  if (isNamed) return;
  const holder = await db.selectFrom('blob').select('scope').where('hash', '=', hash).executeTakeFirst();
  if (holder === undefined) await blobs.removeOlder(hash, clock.now() - UNHELD_KEPT_MS);
}
