// Detects that a scope was restored to an older state, tells how far its history goes, and keeps it open for a while to
// rows that its devices bring back. Not here: merging those (sync/exchange/reoffer.ts) and operations that wait for them
// (parking.ts).
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Row } from '#sync/rows/row.ts';
import type { GenerationRecord, ScopeRecord, Store, WriteTransaction } from '../data/store.ts';
import type { ScopeAsked } from './changes.ts';
import { refuseLater } from './later-generation.ts';

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

/** What housekeeping changed in a scope. */
export interface Tidied {
  readonly before: ScopeRecord;
  readonly after: ScopeRecord;
  readonly rows: readonly Row[];
  readonly gone: readonly Id[];
}

/** Null: nothing to do. */
export type TidyingWork = (
  tx: WriteTransaction,
  moment: { readonly now: number; readonly generation: number },
) => Promise<Tidied | null>;

export interface Recovery {
  /** Newest first, each with the scope's version at its end; without the current one when that itself went back. */
  known(head: ScopeRecord, currentWentBack: boolean): Promise<Known>;
  /**
   * Lets scopes that were found older accept offers from now on. Resolves when that is durable; true: the device has to hear of
   * it before it offers anything, by an answer that is read after this.
   */
  begin(changes: readonly ScopeChanges[], asked: readonly ScopeAsked[]): Promise<boolean>;
}

interface RecoveryPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly generations: readonly GenerationRecord[];
  /** Forgets the recent changes of a scope. */
  readonly forget: (scope: Id) => void;
  /** Writes, and tells live listeners. */
  readonly tidy: (scope: Id, work: TidyingWork) => Promise<Tidied | null>;
  /** A scope takes back what was lost, and did not before. */
  readonly wentBack?: (scope: Id) => void;
}

export function createRecovery(ports: RecoveryPorts): Recovery {
  const { store, clock, generations, forget, tidy } = ports;

  /** The scope's version from which on it accepts offers, or a later one; null: another request is opening it. */
  async function opened(scope: Id, isWithin: boolean): Promise<number | null> {
    const now = Math.round(clock.now());
    const held = await store.scope(scope);
    if (held === null || !isToBeOpened(held, now)) return held?.version ?? 0;
    const done = await tidy(scope, (tx, moment) => openToOffers(tx, scope, { ...moment, isWithin }));
    if (done !== null && !isHealing(done.before, now)) ports.wentBack?.(scope);
    return done?.after.version ?? null;
  }

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
    async begin(changes, asked) {
      const stood = new Map(asked.map(({ scope, cursor, seen }) => [scope, seen?.stood ?? cursor]));
      let isNews = false;
      for (const { scope, rollback, generation, to } of changes) {
        if (rollback === undefined) continue;
        forget(scope);
        const version = await opened(scope, stood.get(scope)?.generation === generation);
        isNews ||= version === null || version > to;
      }
      return isNews;
    },
  };
}

/** Whether a scope that is found older at this time has to be opened to offers, or for longer. */
function isToBeOpened({ healingUntil }: ScopeRecord, now: number): boolean {
  // Once a day is enough: invented cursors must not make the server write.
  return healingUntil <= healingFrom(now) - DAY_MS;
}

/** When a scope is found older, and how. */
interface Finding {
  readonly now: number;
  /** The present generation. */
  readonly generation: number;
  /** It went back within the present generation: a version more would look like one of those that are lost. */
  readonly isWithin: boolean;
}

/**
 * Lets a scope accept offers from now on. That it does is a version of its own: a device that has heard of it, and is about to
 * bring back what it holds, is ahead of a server that is put back once more, to before that, and finds it older again.
 * Null: there is nothing to do.
 */
export async function openToOffers(
  tx: WriteTransaction,
  id: Id,
  { now, generation, isWithin }: Finding,
): Promise<Tidied | null> {
  const before = (await tx.lockScopes([id])).get(id);
  if (before === undefined || !isToBeOpened(before, now)) return null;
  refuseLater(before, generation);
  const written = isWithin ? {} : { version: before.version + 1, generation };
  const after = { ...before, ...written, healingUntil: healingFrom(now) };
  const isFirst = !isWithin && before.generation !== generation;
  const ended = { scope: id, generation: before.generation, maxVersion: before.version };
  await tx.save({
    scopes: [after],
    scopeGenerations: isFirst ? [ended] : [],
    rows: [],
    tombstones: [],
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
  });
  return { before, after, rows: [], gone: [] };
}
