// Work in portions, so that a key never waits for work that can be done after it.
import type { IsOver } from '#sync/query/scan.ts';
import type { Replica } from '#sync/replica/replica-types.ts';

/** Tells when that many milliseconds from now have passed. A clock that was set back ends the portion, too. */
export function within(replica: Pick<Replica, 'now'>, ms: number): IsOver {
  const start = replica.now();
  return () => Math.abs(replica.now() - start) >= ms;
}
