// Writes rows of a locked scope whose registers have another form and mean the same: a new version of the scope, and nothing in its history,
// as nobody has changed anything.
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ScopeSealing } from '#sync/sealing/scope-state.ts';
import type { CommentSeal } from '../access/comment-seal.ts';
import type { ScopeRecord, WriteTransaction } from '../data/store.ts';
import { marksOf } from '../push/marks.ts';
import type { Tidied } from '../sync/recovery.ts';

/** A locked scope and what its rows are brought into. */
export interface ReencodingIn {
  readonly scope: ScopeRecord;
  readonly state: ScopeSealing;
  /** Index of the current generation of the server. */
  readonly generation: number;
  readonly seal: CommentSeal | null;
}

/** Rows of a scope as they are stored; those that aren't there are left out. */
export async function loadedRows(
  tx: WriteTransaction,
  scope: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Row>> {
  const answer = await tx.load({ rows: ids.map((id) => ({ scope, id })), ancestors: [], siblings: [] });
  const stored = new Map<Id, Row>();
  for (const [id, lookup] of answer.rows) if (lookup.type === 'row') stored.set(id, lookup.row);
  return stored;
}

/** Writes the rows, whose version is the next one of the scope. */
export async function writeRows(
  tx: WriteTransaction,
  changed: readonly { readonly was: Row; readonly row: Row }[],
  { scope: before, generation, seal }: ReencodingIn,
): Promise<Tidied> {
  const { id: scope } = before;
  const version = before.version + 1;
  const digest = new DigestSum(before.digest);
  for (const { was } of changed) {
    digest.remove(was.id, was.version);
    digest.add(was.id, version);
  }
  const rows = changed.map(({ row }) => seal?.sealed(row) ?? row);
  const after = { ...before, version, digest: digest.value, generation };
  const ended = { scope, generation: before.generation, maxVersion: before.version };
  const reminding = marksOf(changed.map(({ was, row }) => ({ stored: was, row })));
  await tx.save({
    scopes: [after],
    scopeGenerations: before.generation === generation ? [] : [ended],
    rows,
    tombstones: [],
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
    ...(reminding === undefined ? {} : { reminding }),
  });
  return { before, after, rows, gone: [] };
}
