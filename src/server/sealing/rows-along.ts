// Rows that move between scopes of different keys in the form of the scope that they enter: their device has sent it with the move, so that nothing is
// ever open on the way, and no row in a form that somebody of its scope can't read.
import type { Id } from '#core/ids.ts';
import { fateOf } from '#core/sealing/sealable.ts';
import { flattened } from '#sync/notes/note.ts';
import { labelOfRegister } from '#sync/rows/label-mapping.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { reencoded } from '#sync/sealing/reencoding.ts';
import { neverSealed, sealsIn } from '#sync/sealing/scope-state.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import type { Reformed } from '#wire/sync.ts';
import type { ScopeRecord } from '../data/store.ts';
import { leftOf } from './left-count.ts';
import { crossingProblem, type CrossingReads, type CrossingScopes } from './opened-lists.ts';

/** The names of registers with content. */
const contentIn = (row: Row): readonly string[] =>
  Object.entries(registersOf(row)).flatMap(([name, value]) =>
    fateOf(row.type, name) === 'plain' || value === null || value === undefined ? [] : [name],
  );

/**
 * The rows that move, by their ids, in the form of the scope that they enter. Null: some have another one, as something was written or made there since
 * their device has read them.
 */
function rowsAlong(
  moving: readonly Row[],
  along: readonly Reformed[],
  { sealing: state = neverSealed }: Pick<ScopeRecord, 'sealing'>,
): ReadonlyMap<Id, Row> | null {
  // Devices merge the notes of a sealed scope: what they were merged from is left behind.
  const there = sealsIn(state) ? moving.map((row) => flattened(row, row.version)) : moving;
  const rows = new Map(there.map((row) => [row.id, row]));
  const sent = new Map<Id, Set<string>>();
  for (const { id, from, to, stamp, hash } of along) {
    const row = rows.get(id as Id);
    // It has been moved elsewhere, or is gone.
    if (row === undefined) continue;
    // Its content was sealed anew meanwhile, which leaves the stamps.
    if (row.type === 'attachment' && from === 'content' && row.fields.hash !== hash) return null;
    // Besides content a device says which label of the other side stands for one.
    const areLabels = [from, to.name].every((name) => labelOfRegister(name) !== undefined);
    if (fateOf(row.type, from) === 'plain' && !areLabels) return null;
    if (sealedChecks.register(row.type, to.name, to.value) !== null) return null;
    const done = reencoded(row, { from, to, stamp }, { state, version: row.version, isAnew: true });
    if (!done.ok) return null;
    rows.set(row.id, done.value);
    sent.set(row.id, (sent.get(row.id) ?? new Set()).add(to.name));
  }
  // Two lists may count the same generation: that something has the form doesn't say that it has the key.
  const isWhole = (row: Row) => contentIn(row).every((name) => sent.get(row.id)?.has(name) === true);
  return [...rows.values()].every((row) => isWhole(row) && leftOf(state, row) === 0) ? rows : null;
}

/** What moves, as it was read. */
interface Moving {
  readonly tree: { readonly isWhole: boolean };
  readonly moving: readonly Row[];
  /** What its device has sent; absent: nothing. */
  readonly along: readonly Reformed[] | undefined;
}

/**
 * The rows in the form that they have where they go; undefined: the one that they have. Or why they can't go: there are too many, or
 * their device has to send them anew, or to open them first.
 */
export async function formedRows(
  tx: CrossingReads,
  sides: CrossingScopes,
  { tree, moving, along }: Moving,
): Promise<ReadonlyMap<Id, Row> | undefined | 'limit' | 'reseal'> {
  if (along === undefined) return (await crossingProblem(tx, sides, { tree, moving })) ?? undefined;
  return tree.isWhole ? (rowsAlong(moving, along, sides.to.before) ?? 'reseal') : 'limit';
}
