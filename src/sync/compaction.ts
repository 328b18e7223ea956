// Which of a device's waiting operations a later one of its own makes pointless.
import { laneOf } from './lanes.ts';
import type { Operation } from './operation.ts';
import { isPlainRegister } from './touched.ts';

/** What a later operation writes again, all of it; null: nothing does. Edits of a note made in one go hold the earlier ones. */
export function slotOf(operation: Operation): string | null {
  if (operation.a === 'note')
    return operation.g === undefined ? null : `${operation.id} note ${operation.seed} ${operation.g}`;
  if (operation.a !== 'set' || operation.only !== undefined || !isPlainRegister(operation.field)) return null;
  return `${operation.id} ${operation.field}`;
}

interface Own {
  /** The tab that asks: another one's operations are looked at and never dropped. */
  readonly lane: number;
  /** Own operations up to this number may have reached the server. */
  readonly sent: number;
}

/** Sequence numbers of what may be dropped, the last first. */
export function pointless(queue: readonly Operation[], { lane, sent }: Own): number[] {
  const needed = new Set(
    queue.flatMap((operation) =>
      'only' in operation && operation.only !== undefined ? [operation.only] : [],
    ),
  );
  const written = new Set<string>();
  const dropped: number[] = [];
  for (let index = queue.length - 1; index >= 0; index -= 1) {
    const operation = queue[index] as Operation;
    const isOwn = laneOf(operation.q) === lane;
    if (isOwn && operation.q <= sent) break;
    if (operation.a === 'complete' || operation.a === 'reopen') {
      // The record of an occurrence keeps what the task was then.
      for (const slot of written) if (slot.startsWith(operation.id)) written.delete(slot);
    }
    // An edit of a note started from the text that an earlier write made.
    if (operation.a === 'note') written.delete(`${operation.id} notes`);
    const slot = isOwn ? slotOf(operation) : null;
    if (slot === null) continue;
    if (written.has(slot) && !needed.has(operation.q)) dropped.push(operation.q);
    written.add(slot);
  }
  return dropped;
}
