// What of a queue is new to the server for certain.
import { laneOf } from '../tabs/sequences.ts';
import type { SaveQueue } from '../replica/save-queue.ts';
import type { Operation } from '../rows/operation.ts';

/** Whether something on the disk may go that was in no request so far. `sent`: the last number that may have been in one, by lane. */
export function holdsNew(
  queue: readonly Operation[],
  sent: ReadonlyMap<number, number>,
  saves: Pick<SaveQueue, 'isDurable'>,
): boolean {
  return queue.some(
    ({ q, off }) => off === undefined && q > (sent.get(laneOf(q)) ?? 0) && saves.isDurable(q),
  );
}
