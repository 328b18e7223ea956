// The changes of a scope as one reader hears them: who may not read the scope that a row moved to hears that it is gone, and
// never where it went.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { MovedAway } from '../data/store.ts';

/** The first protocol whose devices bring back rows that a restored server has lost. */
export const HEALING_PROTOCOL = 2;
/** The first protocol that knows of several scopes: of rows that moved, and of scopes that are unknown. */
export const SCOPES_PROTOCOL = 6;
/** The first protocol in which a scope may be sealed. */
export const SEALING_PROTOCOL = 8;

/** The first protocol whose devices can show a shared list (docs/decisions/0026). */
export const SHARED_PROTOCOL = 7;

/** Rows that moved away, as changes name them; nothing if there are none. */
export function movedInWire(moves: readonly MovedAway[]): Pick<ScopeChanges, 'moved'> {
  if (moves.length === 0) return {};
  return { moved: moves.map(({ id, to, hops, was, version }) => [id, to, hops, was, version]) };
}

/** The changes for somebody who may read these other scopes. */
export function heardBy(changes: ScopeChanges, mayRead: (scope: Id) => boolean): ScopeChanges {
  const { moved, ...rest } = changes;
  if (moved === undefined) return changes;
  const named = moved.filter(([, to]) => mayRead(to as Id));
  const gone = moved.filter(([, to]) => !mayRead(to as Id)).map(([id]) => id);
  return { ...rest, gone: [...rest.gone, ...gone], ...(named.length === 0 ? {} : { moved: named }) };
}
