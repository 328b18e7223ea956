// What a scope takes as the content of attachments, as far as its form goes: one that is sealed takes nothing that doesn't begin as sealed
// contents do, unless something is opened there to leave it. Whether it opens only its devices know.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { SEALED_FILE_HEAD_BYTES, sealedFileBytes, sealedFileGeneration } from '#core/sealing/files.ts';
import { isListGeneration } from '#core/sealing/keys.ts';
import { concat } from '#core/sealing/bytes.ts';
import { listsOn, neverSealed, sealsIn, type ScopeSealing } from '#sync/sealing/scope-state.ts';
import { fileLimits } from '#wire/files.ts';
import { cellsToState } from '../data/sealing-columns.ts';
import type { Tables } from '../data/tables.ts';

/** The largest content of any form. */
export const MOST_SENT_BYTES = sealedFileBytes(fileLimits.fileBytes);

/** The state of a scope. */
export async function sealingOf(db: Kysely<Tables>, scope: Id): Promise<ScopeSealing> {
  const row = await db
    .selectFrom('scope')
    .select(['sealing_phase', 'sealing_generation', 'sealing_lists'])
    .where('id', '=', scope)
    .executeTakeFirst();
  if (row === undefined) return neverSealed;
  const { sealing_phase: phase, sealing_generation: generation, sealing_lists: lists } = row;
  return cellsToState(phase, generation, lists) ?? neverSealed;
}

/** How large a content may be: a scope that ever was sealed may get one that was sealed before its person turned that off. */
export const mostSentBytes = ({ generation }: ScopeSealing): number =>
  generation === 0 ? fileLimits.fileBytes : MOST_SENT_BYTES;

/** A content on its way, with its first bytes looked at. */
export interface LookedAt {
  readonly isTaken: boolean;
  /** The whole content, these bytes included. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Whether a scope in this state takes the content. What it doesn't take is read no further. */
export async function lookedAt(state: ScopeSealing, content: ReadableStream<Uint8Array>): Promise<LookedAt> {
  if (!sealsIn(state) || listsOn(state, 'open').length > 0) return { isTaken: true, content };
  const reader = content.getReader();
  let head: Uint8Array = new Uint8Array();
  while (head.length < SEALED_FILE_HEAD_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    head = concat(head, value);
  }
  const generation = sealedFileGeneration(head);
  // One that was sealed for a list may wait until its task has come back from there.
  const isOfList = generation !== null && isListGeneration(generation);
  const isTaken = generation !== null && (isOfList || generation <= state.generation);
  if (!isTaken) await reader.cancel();
  async function* whole(): AsyncIterable<Uint8Array> {
    yield head;
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  }
  return { isTaken, content: whole() };
}
