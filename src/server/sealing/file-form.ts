// Makes an attachment name its content in the new form, in one transaction: if it still names the one that was read. And how many are still to
// be brought there. The contents themselves were uploaded before, as all are (server/files).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { withFields, type Row } from '#sync/rows/row.ts';
import {
  hasLists,
  isFileInForm,
  isInForm,
  openForm,
  sealsIn,
  type FileFields,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import type { FileForm, FileFormed } from '#wire/sealing.ts';
import type { Tables } from '../data/tables.ts';
import type { WriteTransaction } from '../data/store.ts';
import type { Tidied } from '../sync/recovery.ts';
import { loadedRows, writeRows, type ReencodingIn } from './written-rows.ts';

/** The row that names the new content; a problem: it stays. */
function formed(
  row: Row,
  { from, to }: FileForm,
  { scope, state: now }: ReencodingIn,
): Row | FileFormed['done'] {
  // What is on its way out of the scope is opened.
  const state = hasLists(now) && to.content === null ? openForm(now) : now;
  if (row.type !== 'attachment' || row.fields.hash !== from) return 'changed';
  // With which key a content is sealed only devices know: one that came from another scope is sealed anew.
  const isAnew = sealsIn(state) && to.content !== null && to.hash !== from;
  if (isFileInForm(state, row.fields) && !isAnew) return 'changed';
  const { hash, sizeBytes, content } = to;
  const register = { name: 'content', value: content };
  const isGood =
    isFileInForm(state, to) &&
    isInForm(state, 'attachment', register) &&
    sealedChecks.register('attachment', 'content', content) === null;
  if (!isGood) return 'form';
  const { content: _before, ...others } = row.fields;
  const fields = { ...others, hash, sizeBytes, ...(content === null ? {} : { content }) };
  return { ...withFields(row, fields), version: scope.version + 1 };
}

/** The answer, with what was written; null: nothing was. */
export async function formFile(
  tx: WriteTransaction,
  asked: FileForm,
  reencoding: ReencodingIn,
): Promise<FileFormed & { readonly tidied: Tidied | null }> {
  const was = (await loadedRows(tx, reencoding.scope.id, [asked.id as Id])).get(asked.id as Id);
  const row = was === undefined ? 'changed' : formed(was, asked, reencoding);
  if (was === undefined || typeof row === 'string')
    return { done: typeof row === 'string' ? row : 'changed', tidied: null };
  return { done: 'done', tidied: await writeRows(tx, [{ was, row }], reencoding) };
}

/** Contents of a scope that are not in the form that its state leads to. */
export async function filesLeft(db: Kysely<Tables>, scope: Id, state: ScopeSealing): Promise<number> {
  const rows = await db
    .selectFrom('entity')
    .select('fields')
    .where('scope', '=', scope)
    .where('type', '=', 'attachment')
    .execute();
  return rows.filter(({ fields }) => !isFileInForm(state, JSON.parse(fields) as FileFields)).length;
}
