// Flattening: a note that nobody edits any more becomes plain text again, inside one write transaction under the scope's
// lock. Whether it is quiet is decided here, from its state at that moment; the caller only proposes.
// Not here: finding such notes (care/notes.ts).
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { flattened, noteDocOf, noteTextOf } from '#sync/notes/note.ts';
import { registerStamp, type Row } from '#sync/rows/row.ts';
import type { NoteEpochRecord, ScopeRecord, WriteTransaction } from '../data/store.ts';
import { refuseLater } from './later-generation.ts';

/** Notes proposed for flattening in one scope. */
export interface FlattenRequest {
  readonly scope: Id;
  readonly notes: readonly Id[];
  /** Only notes last edited before this, milliseconds. */
  readonly quietSince: number;
}

export interface Flattened {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly rows: readonly Row[];
}

interface Moment {
  readonly now: number;
  /** Index of the current generation. */
  readonly generation: number;
}

/** Null: none of them is to be flattened (any more). */
export async function flattenNotes(
  tx: WriteTransaction,
  request: FlattenRequest,
  { now, generation }: Moment,
): Promise<Flattened | null> {
  const { scope, notes, quietSince } = request;
  const before = (await tx.lockScopes([scope])).get(scope);
  if (before === undefined) return null;
  refuseLater(before, generation);
  const answer = await tx.load({ rows: notes.map((id) => ({ scope, id })), ancestors: [], siblings: [] });
  const digest = new DigestSum(before.digest);
  const version = before.version + 1;
  const rows: Row[] = [];
  const noteEpochs: NoteEpochRecord[] = [];
  for (const lookup of answer.rows.values()) {
    const row = lookup.type === 'row' ? lookup.row : undefined;
    const doc = row && noteDocOf(row);
    if (row === undefined || doc === undefined || registerStamp(row, 'notes')[1] >= quietSince) continue;
    noteEpochs.push({ scope, note: row.id, ...doc, text: noteTextOf(row), at: now });
    digest.remove(row.id, row.version);
    digest.add(row.id, version);
    rows.push(flattened(row, version));
  }
  if (rows.length === 0) return null;
  const after = { ...before, version, digest: digest.value, generation };
  const ended = { scope, generation: before.generation, maxVersion: before.version };
  await tx.save({
    scopes: [after],
    scopeGenerations: before.generation === generation ? [] : [ended],
    rows,
    tombstones: [],
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
    noteEpochs,
  });
  return { before, after, rows };
}
