// Scopes that the server does not know: it was restored to before they were made. Their rows and the operations for them
// are kept and shown; nothing is sent for them until the server knows them again, then all of it anew. That an account
// may no longer read a scope is something else.
import type { Id } from '#core/ids.ts';
import type { DeviceMeta, StorageBatch } from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { scopesOf } from '../replica/verdicts.ts';
import type { Operation } from '../rows/operation.ts';

/** Waiting operations that have to do with one of the scopes, and what is one transaction with such. */
function about(replica: DeviceReplica, scopes: ReadonlySet<Id>): ReadonlySet<Operation> {
  if (scopes.size === 0) return new Set();
  const { pending } = replica;
  const named = pending.filter((operation) =>
    scopesOf(replica, operation).some((scope) => scopes.has(scope)),
  );
  const joined = new Set(named.flatMap(({ x }) => x ?? []));
  return new Set([...named, ...pending.filter(({ x }) => x !== undefined && joined.has(x))]);
}

/** Operations that are not sent for now. */
export function withheld(replica: DeviceReplica): ReadonlySet<Operation> {
  return about(replica, new Set(replica.meta.unknown));
}

/** Whether rows are held under an unknown scope that the server may still have where they came from. */
export function mayStandElsewhere(replica: DeviceReplica): boolean {
  const { unknown = [] } = replica.meta;
  return unknown.some((scope) => replica.confirmedOf(scope).some(({ hops = 0 }) => hops > 0));
}

/**
 * Takes in which scopes the server does not know now. What was withheld for one that it knows again gets new numbers,
 * behind everything that was sent meanwhile. Returns what has to reach the disk at once; null: nothing is new.
 */
export function learnUnknown(
  replica: DeviceReplica,
  unknown: readonly Id[],
): Omit<StorageBatch, 'meta'> | null {
  const before = replica.meta.unknown ?? [];
  if (before.join() === unknown.join()) return null;
  const isBack = new Set(before.filter((scope) => !unknown.includes(scope)));
  const waiting = about(replica, isBack);
  const batch = numberedAnew(replica, waiting);
  replica.amend({ meta: unknown.length === 0 ? withoutUnknown(replica.meta) : { ...replica.meta, unknown } });
  return batch;
}

/**
 * What was withheld under these numbers and is not any more, because its rows have moved to a scope that the server knows:
 * it gets new numbers too, as the server takes nothing under a number below one that it has judged. Returns what has to
 * reach the disk before it is sent; null: nothing.
 */
export function released(
  replica: DeviceReplica,
  before: ReadonlySet<number>,
): Omit<StorageBatch, 'meta'> | null {
  if (before.size === 0) return null;
  const stays = withheld(replica);
  const free = replica.pending.filter((operation) => before.has(operation.q) && !stays.has(operation));
  return free.length === 0 ? null : numberedAnew(replica, new Set(free));
}

function withoutUnknown({ unknown: _unknown, ...meta }: DeviceMeta): DeviceMeta {
  return meta;
}

/** Gives operations of the queue new numbers, behind all others. */
function numberedAnew(replica: DeviceReplica, waiting: ReadonlySet<Operation>): Omit<StorageBatch, 'meta'> {
  const { pending } = replica;
  const numbers = new Map<number | undefined, number>();
  const anew = [...waiting].map((operation): Operation => {
    const { q, n = 0, u } = replica.setAside(operation);
    numbers.set(operation.q, q);
    const only = 'only' in operation ? numbers.get(operation.only) : undefined;
    return { ...operation, q, n, u, ...(only === undefined ? {} : { only }) };
  });
  replica.amend({ queue: [...pending.filter((operation) => !waiting.has(operation)), ...anew] });
  return { outboxAdd: anew, outboxRemove: [...waiting].map(({ q }) => q) };
}
