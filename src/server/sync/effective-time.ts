// When an operation was made, by the server's clock (SYNC-2).
import type { Operation } from '#sync/rows/operation.ts';
import type { Push } from './push-types.ts';

/** A request is not on its way for longer. */
const LONGEST_WAY_MS = 60_000;

/** The server's clock, and the effective time of the device's last operation. */
interface Known {
  readonly now: number;
  readonly lastStamp: number;
}

/**
 * When the request was sent minus the operation's age, which was measured on sending, so that neither a slow network
 * nor a slow upload makes an edit younger. A device's stamps never run backwards, and never into the future.
 */
export function effectiveTime(push: Push, operation: Operation, { now, lastStamp }: Known): number {
  const age = Math.max(0, push.request.clientNow - operation.t);
  return Math.max(sentAt(push, now) - age, Math.min(lastStamp, now));
}

/**
 * Never later than the request arrived. The device's own word counts if it is near that: farther away, its clock was
 * set since the server told it the time.
 */
function sentAt(push: Push, now: number): number {
  const { arrivedAt = now } = push;
  const { sentAt: said = arrivedAt } = push.request;
  const latest = Math.min(arrivedAt, now);
  return latest - said < LONGEST_WAY_MS ? Math.min(latest, said) : latest;
}
