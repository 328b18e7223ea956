// Detects that a scope was restored to an older state, tells how far its history goes, and keeps it open for a while to
// rows that its devices bring back. Not here: merging those (sync/exchange/reoffer.ts) and operations that wait for them
// (parking.ts).
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';

/** How long after its detection by a device a scope takes back lost rows. */
const HEALING_MS = 30 * DAY_MS;
/** With more generations than this a device offers more than necessary. */
const MOST_GENERATIONS = 64;

/** Until when a scope that is found older at this time takes back lost rows. */
export const healingFrom = (now: number): number => now + HEALING_MS;

/** Whether a scope takes back at this time what a restored database has lost. */
export function isHealing(scope: Pick<ScopeRecord, 'healingUntil'>, now: number): boolean {
  return scope.healingUntil > now;
}

type Known = NonNullable<ScopeChanges['rollback']>['known'];

export interface Recovery {
  /** Newest first, each with the scope's version at its end; without the current one when that itself went back. */
  known(head: ScopeRecord, currentWentBack: boolean): Promise<Known>;
  /** Lets the scope accept offers from now on. Resolves when that is durable; true: it did not before. */
  begin(scope: Id, now: number): Promise<boolean>;
}

export function createRecovery(store: Store, generations: readonly GenerationRecord[]): Recovery {
  return {
    async known(head, currentWentBack) {
      const found: Known = [];
      const current = generations.at(-1)?.nonce;
      for (const { index, nonce } of generations.slice(-MOST_GENERATIONS).toReversed()) {
        if (nonce === current && currentWentBack) continue;
        found.push([nonce, (await store.versionAtEndOf(head.id, index)) ?? head.version]);
      }
      return found;
    },
    async begin(id, now) {
      const held = await store.scope(id);
      // Once a day is enough: invented cursors must not make the server write.
      if (held === null || held.healingUntil > now + HEALING_MS - DAY_MS) return false;
      return store.write(async (tx) => {
        const scope = (await tx.lockScopes([id])).get(id);
        if (scope === undefined) return false;
        await tx.save({
          scopes: [{ ...scope, healingUntil: healingFrom(now) }],
          scopeGenerations: [],
          rows: [],
          tombstones: [],
          devices: [],
          results: [],
          forgetResults: [],
          history: [],
        });
        return !isHealing(scope, now);
      });
    },
  };
}
