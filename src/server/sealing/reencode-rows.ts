// Brings registers of a scope into their new form, in one transaction: those whose value is still the one that was read.
import type { Id } from '#core/ids.ts';
import { reencoded } from '#sync/sealing/reencoding.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import type { Reencode, Reencoded } from '#wire/sealing.ts';
import type { WriteTransaction } from '../data/store.ts';
import type { Tidied } from '../sync/recovery.ts';
import { loadedRows, writeRows, type ReencodingIn } from './written-rows.ts';

/** The answer, with what was written; null: nothing was. */
export async function reencodeRows(
  tx: WriteTransaction,
  items: Reencode['items'],
  reencoding: ReencodingIn,
): Promise<Reencoded & { readonly tidied: Tidied | null }> {
  const { scope, state } = reencoding;
  const version = scope.version + 1;
  const stored = await loadedRows(tx, scope.id, [...new Set(items.map(({ id }) => id as Id))]);
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
    const done = reencoded(row, { from, to, stamp }, { state, version });
    if (done.ok && isAllowed) {
      now.set(id, done.value);
      changed.add(id);
    } else skipped.push([index, done.ok ? 'form' : done.problem.type]);
  }
  if (changed.size === 0) return { done: 0, skipped, tidied: null };
  const pairs = [...changed].flatMap((id) => {
    const [was, row] = [stored.get(id), now.get(id)];
    return was === undefined || row === undefined ? [] : [{ was, row }];
  });
  const tidied = await writeRows(tx, pairs, reencoding);
  return { done: items.length - skipped.length, skipped, tidied };
}
