// Brings registers of a scope into their new form, in one transaction: those whose value is still the one that was read. Nothing of it is in
// the history, as nobody has changed anything.
import type { Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Row } from '#sync/rows/row.ts';
import { reencoded } from '#sync/sealing/reencoding.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import { hasLists, openForm, type ScopeSealing } from '#sync/sealing/scope-state.ts';
import type { Reencode, Reencoded } from '#wire/sealing.ts';
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

/** The answer, with what was written; null: nothing was. */
export async function reencodeRows(
  tx: WriteTransaction,
  items: Reencode['items'],
  { scope: before, state, generation, seal }: ReencodingIn,
): Promise<Reencoded & { readonly tidied: Tidied | null }> {
  const { id: scope } = before;
  const ids = [...new Set(items.map(({ id }) => id))];
  const answer = await tx.load({ rows: ids.map((id) => ({ scope, id })), ancestors: [], siblings: [] });
  const version = before.version + 1;
  const stored = new Map<Id, Row>();
  for (const [id, lookup] of answer.rows) if (lookup.type === 'row') stored.set(id, lookup.row);
  const now = new Map(stored);
  const skipped: Reencoded['skipped'] = [];
  const changed = new Set<Id>();
  for (const [index, { id, from, to, stamp }] of items.entries()) {
    const row = now.get(id);
    if (row === undefined) {
      skipped.push([index, 'gone']);
      continue;
    }
    const isAllowed = sealedChecks.register(row.type, to.name, to.value) === null;
    // A list on its way out of the scope is opened: which rows those are the devices decide, who hold the keys.
    const form = hasLists(state) && !isEnvelope(to.value) ? openForm(state) : state;
    const done = reencoded(row, { from, to, stamp }, { state: form, version });
    if (done.ok && isAllowed) {
      now.set(id, done.value);
      changed.add(id);
    } else skipped.push([index, done.ok ? 'form' : done.problem.type]);
  }
  if (changed.size === 0) return { done: 0, skipped, tidied: null };
  const digest = new DigestSum(before.digest);
  const rows: Row[] = [];
  for (const id of changed) {
    const [was, row] = [stored.get(id), now.get(id)];
    if (was === undefined || row === undefined) continue;
    digest.remove(id, was.version);
    digest.add(id, version);
    rows.push(seal?.sealed(row) ?? row);
  }
  const after = { ...before, version, digest: digest.value, generation };
  const ended = { scope, generation: before.generation, maxVersion: before.version };
  const reminding = marksOf(rows.map((row) => ({ stored: stored.get(row.id), row })));
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
  const tidied = { before, after, rows, gone: [] };
  return { done: items.length - skipped.length, skipped, tidied };
}
