// Notices that a scope was put back to an older state, says how far its history goes, and keeps it open for a while to
// what its devices bring back. Not here: merging that (sync/reoffer.ts) and what waits for it (parking.ts).
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';

const DAY = 86_400_000;
/** How long after a device noticed it a scope takes back what was lost. */
const HEALING_MS = 30 * DAY;
/** More generations than this make a device offer more than it would have to. */
const MOST_GENERATIONS = 64;

export function isHealing(scope: Pick<ScopeRecord, 'healingUntil'>, now: number): boolean {
  return scope.healingUntil > now;
}

type Known = NonNullable<ScopeChanges['rollback']>['known'];

export interface Recovery {
  /** Newest first, each with the scope's version at its end; without the current one when that itself went back. */
  known(head: ScopeRecord, currentWentBack: boolean): Promise<Known>;
  /** The scope takes offers from now on. Resolves when that is durable; true: it did not before. */
  begin(scope: Id, now: number): Promise<boolean>;
}

export function createRecovery(store: Store, generations: readonly GenerationRecord[]): Recovery {
  const current = generations.at(-1)?.nonce;
  return {
    async known(head, currentWentBack) {
      const found: Known = [];
      for (const { index, nonce } of generations.slice(-MOST_GENERATIONS).toReversed()) {
        if (nonce === current && currentWentBack) continue;
        found.push([nonce, (await store.versionAtEndOf(head.id, index)) ?? head.version]);
      }
      return found;
    },
    async begin(id, now) {
      const held = await store.scope(id);
      // Once a day is enough: whoever invents cursors shall not make the server write.
      if (held === null || held.healingUntil > now + HEALING_MS - DAY) return false;
      return store.write(async (tx) => {
        const scope = (await tx.lockScopes([id])).get(id);
        if (scope === undefined) return false;
        await tx.save({
          scopes: [{ ...scope, healingUntil: now + HEALING_MS }],
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
