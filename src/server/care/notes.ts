// Lets notes rest: what was not edited for a week, and every device has heard of, becomes plain text again; texts that edits
// might have started from are forgotten after half a year. Not here: whether a note may be flattened (sync/flatten.ts).
import type { Id } from '#core/ids.ts';
import type { FlattenRequest } from '../sync/flatten.ts';
import { OFFLINE_MS, seenByAllUntil, type PruningPorts } from './pruning.ts';

const DAY = 86_400_000;
const QUIET_MS = 7 * DAY;
const STEP = 50;

export interface NotesPorts extends PruningPorts {
  /** Resolves with how many were flattened. */
  readonly flatten: (request: FlattenRequest) => Promise<number>;
}

/** Open epochs (`at` is 0) name the notes that are being edited, and some that are no longer. */
async function openNotes({ db, pace }: NotesPorts, after: { scope: Id; note: Id }) {
  await pace.rest();
  return await db
    .selectFrom('note_epoch')
    .select(['scope', 'note'])
    .distinct()
    .where('at', '=', 0)
    .where((where) =>
      where.or([
        where('scope', '>', after.scope),
        where.and([where('scope', '=', after.scope), where('note', '>', after.note)]),
      ]),
    )
    .orderBy('scope')
    .orderBy('note')
    .limit(STEP)
    .execute();
}

/** Flattens notes that are quiet. Resolves with how many. */
export async function flattenQuietNotes(ports: NotesPorts): Promise<number> {
  const { now } = ports;
  let count = 0;
  let after = { scope: '' as Id, note: '' as Id };
  for (;;) {
    const found = await openNotes(ports, after);
    for (const scope of new Set(found.map((one) => one.scope))) {
      const seen = await seenByAllUntil(ports, scope, OFFLINE_MS);
      const notes = found.flatMap((one) => (one.scope === scope ? [one.note] : []));
      const quietSince = Math.min(now - QUIET_MS, seen ?? now);
      count += await ports.flatten({ scope, notes, quietSince });
    }
    const last = found.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}

/** Forgets what ended half a year ago. Resolves with how many. */
export async function forgetNoteEpochs({ db, pace, now }: PruningPorts): Promise<number> {
  let forgotten = 0;
  for (;;) {
    await pace.rest();
    const old = await db
      .selectFrom('note_epoch')
      .select(['scope', 'note', 'seed'])
      .where('at', '>', 0)
      .where('at', '<', now - OFFLINE_MS)
      .orderBy('at')
      .limit(STEP)
      .execute();
    if (old.length === 0) return forgotten;
    await db.transaction().execute(async (tx) => {
      for (const { scope, note, seed } of old)
        await tx
          .deleteFrom('note_epoch')
          .where('scope', '=', scope)
          .where('note', '=', note)
          .where('seed', '=', seed)
          .where('at', '<', now - OFFLINE_MS)
          .where('at', '>', 0)
          .execute();
    });
    forgotten += old.length;
  }
}
