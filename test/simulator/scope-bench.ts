// The server of histories of several scopes (scopes.ts): production exchange and production store without a clock of their
// own, for one history after the other.
import type { Id } from '#core/ids.ts';
import { migrate, migrations } from '#server/data/migrate.ts';
import { SqliteConnection } from '#server/data/sqlite/sqlite-connection.ts';
import { sqliteMigratable } from '#server/data/sqlite/sqlite-schema.ts';
import type { SqliteStore } from '#server/data/sqlite/sqlite-store.ts';
import type { Store, WriteTransaction } from '#server/data/store.ts';
import type { createMover } from '#server/moving/mover.ts';
import type { createExchange, Exchange } from '#server/sync/exchange.ts';
import type * as takingIn from '#sync/exchange/taking-in.ts';
import type * as unknownScopes from '#sync/exchange/unknown-scopes.ts';
import type { DeviceReplica } from '#sync/replica/replica.ts';
import type { Verdicts } from '#sync/replica/verdicts.ts';
import { MOST_MOVED } from './scope-mover.ts';

export const EPOCH_MS = Date.UTC(2026, 0, 1);

/** What is driven: the production code, or altered copies of it. */
export interface ScopesSubject {
  readonly DeviceReplica: typeof DeviceReplica;
  readonly takingIn: Pick<typeof takingIn, 'follows' | 'receive' | 'receivePage' | 'keepOnly'>;
  readonly unknownScopes: Pick<typeof unknownScopes, 'learnUnknown' | 'released' | 'withheld'>;
  readonly Verdicts: typeof Verdicts;
  readonly createExchange: typeof createExchange;
  readonly createMover: typeof createMover;
  readonly SqliteStore: typeof SqliteStore;
}

/** What the storage of the server does to a commit. */
export type CommitFault = 'rolled back' | 'unanswered' | null;

/** The storage failed, as it was told to. */
export class StorageFault extends Error {}

/**
 * What happens between an exchange and its store. A commit fails, or fails to say that it succeeded. What a transaction looks
 * up before it locks may be what was true before the last commit: as where another one moves rows while this one waits for
 * its locks.
 */
export class StoreFaults {
  /** What happens to the next commit. */
  next: () => CommitFault = () => null;
  /** Whether the next look comes too early. */
  isEarly: () => boolean = () => false;
  /** Where the rows were that the last commit moved. */
  #left = new Map<Id, Id>();

  around(store: Store): Store {
    return new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (name !== 'write') return target[name].bind(target);
        return (work: Parameters<Store['write']>[0]) => this.#write(target, work);
      },
    });
  }

  async #write(store: Store, work: Parameters<Store['write']>[0]): Promise<unknown> {
    const fault = this.next();
    const done = await store.write(async (tx) => {
      const result = await work(this.#late(tx));
      if (fault === 'rolled back') throw new StorageFault(fault);
      return result;
    });
    if (fault === 'unanswered') throw new StorageFault(fault);
    return done;
  }

  #late(tx: WriteTransaction): WriteTransaction {
    return new Proxy(tx, {
      get: (target, name: keyof WriteTransaction) => {
        if (name === 'whereabouts')
          return async (ids: readonly Id[]) => {
            const found = new Map(await target.whereabouts(ids));
            for (const [id, scope] of this.#left) if (found.has(id) && this.isEarly()) found.set(id, scope);
            return found;
          };
        if (name === 'save')
          return (batch: Parameters<WriteTransaction['save']>[0]) => {
            this.#left = new Map(
              (batch.departures ?? []).toReversed().map(({ id, scope }): [Id, Id] => [id, scope]),
            );
            return target.save(batch);
          };
        return target[name].bind(target);
      },
    });
  }
}

/** A server, for one history after the other. */
export interface Bench {
  readonly subject: ScopesSubject;
  readonly exchange: Exchange;
  readonly store: Store;
  readonly faults: StoreFaults;
  /** Notes that an account has left a scope, or belongs to it again. */
  readonly noteMember: (account: number, scope: Id, hasLeft: boolean) => Promise<void>;
  /** Of server and devices alike: how clocks differ is world.ts's. */
  readonly clock: { now: number };
}

export async function openBench(subject: ScopesSubject): Promise<Bench> {
  const connection = new SqliteConnection(':memory:', () => undefined);
  await migrate(
    sqliteMigratable(connection, () => undefined),
    migrations,
  );
  const store = new subject.SqliteStore(connection);
  const clock = { now: EPOCH_MS };
  const faults = new StoreFaults();
  const exchange = subject.createExchange({
    store: faults.around(store),
    clock: { now: () => clock.now, monotonic: () => clock.now },
    generations: await store.openGeneration('scopes', EPOCH_MS),
    publish: () => undefined,
    mostMoved: MOST_MOVED,
    nextTurn: (work) => queueMicrotask(work),
  });
  const noteMember = (account: number, scope: Id, hasLeft: boolean): Promise<void> =>
    connection.write((writer) => {
      writer.run('DELETE FROM former_member WHERE account = ? AND scope = ?', account, scope);
      const insert = 'INSERT INTO former_member (account, scope, left_at) VALUES (?, ?, ?)';
      if (hasLeft) writer.run(insert, account, scope, clock.now);
    });
  return { subject, exchange, store, faults, noteMember, clock };
}
