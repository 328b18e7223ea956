// Work in portions: a key is never kept waiting by what can be done after it.
import type { IsOver } from '#sync/query/scan.ts';
import type { Replica } from '#sync/replica-types.ts';

/** Whether so many milliseconds from now are over. A clock that was put back ends the portion, too. */
export function within(replica: Pick<Replica, 'now'>, ms: number): IsOver {
  const start = replica.now();
  return () => Math.abs(replica.now() - start) >= ms;
}
