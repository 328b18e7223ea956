// What is kept of runs of macros, and how long: at every start of one, and by housekeeping.
import type { Kysely } from 'kysely';
import { runLimits } from '#wire/macro-runs.ts';
import type { Tables } from '../data/tables.ts';

/** Forgets old runs, and what runs were about that no device has taken. Returns how many runs are gone. */
export async function forgetMacroRuns(db: Kysely<Tables>, now: number): Promise<number> {
  const gone = await db
    .deleteFrom('macro_run')
    .where('created_at', '<=', now - runLimits.keptMs)
    .executeTakeFirst();
  await db
    .updateTable('macro_run')
    .set({ content: null })
    .where('created_at', '<=', now - runLimits.waitMs)
    .where('content', 'is not', null)
    .execute();
  return Number(gone.numDeletedRows);
}
