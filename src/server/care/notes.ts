// Flattens notes: one not edited for a week, with every device up to date, becomes plain text again; base texts for edits
// are forgotten after half a year. Not here: whether a note may be flattened (sync/flatten.ts).
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import type { FlattenRequest } from '../sync/flatten.ts';
import { OFFLINE_MS, seenByAllUntil, type PruningPorts } from './pruning.ts';

const QUIET_MS = 7 * DAY_MS;
const STEP = 50;

export interface NotesPorts extends PruningPorts {
  /** Resolves with the number of flattened notes. */
  readonly flatten: (request: FlattenRequest) => Promise<number>;
}

/** Open epochs (`at` is 0) name the notes being edited, and some that no longer are. */
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

/** Flattens quiet notes. Resolves with their number. */
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

/** Forgets epochs that ended half a year ago. Resolves with their number. */
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
