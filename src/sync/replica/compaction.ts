// Finds waiting operations of a device that a later one of its own makes pointless.
import type { Id } from '#core/ids.ts';
import { laneOf } from '../tabs/sequences.ts';
import type { Operation } from '../rows/operation.ts';
import { isPlainRegister } from '../rows/touched.ts';

/**
 * Key of the content that a later operation with the same key rewrites completely; null: none does. Edits of a note in
 * one group contain the earlier ones.
 */
export function slotOf(operation: Operation): string | null {
  if (operation.a === 'note')
    return operation.g === undefined ? null : `${operation.id} note ${operation.seed} ${operation.g}`;
  if (operation.a !== 'set' || operation.only !== undefined || !isPlainRegister(operation.field)) return null;
  return `${operation.id} ${operation.field}`;
}

interface Own {
  /** The lane of this tab: operations of other tabs are read but never dropped. */
  readonly lane: number;
  /** Own operations up to this number may have reached the server. */
  readonly sent: number;
}

/** Sequence numbers of operations to drop, the last first. */
export function pointless(queue: readonly Operation[], { lane, sent }: Own): number[] {
  const needed = new Set(
    queue.flatMap((operation) =>
      'only' in operation && operation.only !== undefined ? [operation.only] : [],
    ),
  );
  /** By slot: the scope of the last write. One for another scope says nothing of what was seen in this one. */
  const written = new Map<string, Id>();
  const dropped: number[] = [];
  for (let index = queue.length - 1; index >= 0; index -= 1) {
    const operation = queue[index] as Operation;
    const isOwn = laneOf(operation.q) === lane;
    if (isOwn && operation.q <= sent) break;
    if (operation.a === 'complete' || operation.a === 'reopen') {
      // The record of an occurrence keeps the task as it was then.
      for (const slot of written.keys()) if (slot.startsWith(operation.id)) written.delete(slot);
    }
    // An edit of a note started from the text of an earlier write.
    if (operation.a === 'note') written.delete(`${operation.id} notes`);
    const slot = isOwn ? slotOf(operation) : null;
    if (slot === null) continue;
    if (written.get(slot) === operation.scope && !needed.has(operation.q)) dropped.push(operation.q);
    written.set(slot, operation.scope);
  }
  return dropped;
}
