// The server of a simulated world: production exchange and production database (SQLite in memory), with a clock that can
// be set, commits that can fail on either side of their durability, crashes and restarts.
import type { Id } from '#core/ids.ts';
import { DigestSum } from '#sync/digest.ts';
import type { Row } from '#sync/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { Store, WriteBatch, WriteTransaction } from '#server/data/store.ts';
import type { Exchange, Published } from '#server/sync/exchange.ts';
import type { Hits } from './hits.ts';
import { Oracle } from './oracle.ts';
import type { SeededRandom } from './random.ts';
import { settled, type Scheduler } from './scheduler.ts';
import type { Subject } from './subject.ts';

/** 2026-03-01T00:00Z: where virtual time starts. */
export const EPOCH_MS = Date.UTC(2026, 2, 1);

export interface ServerPorts {
  readonly subject: Subject;
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly hits: Hits;
  /** Likelihood that a commit fails. */
  commitFaults: number;
  readonly publish: (change: Published) => void;
}

type CommitFault = 'none' | 'rolledBack' | 'unanswered';

export class SimulatedServer {
  readonly oracle: Oracle;
  clockOffsetMs = 0;
  /** Null while it is down. */
  exchange: Exchange | null = null;
  incarnation = 0;
  /** Resolves, with null, when the present process ends. */
  ended: Promise<null> = Promise.resolve(null);
  private end: (nothing: null) => void = () => undefined;
  private readonly ports: ServerPorts;
  private database: Database | null = null;

  constructor(ports: ServerPorts) {
    this.ports = ports;
    this.oracle = new Oracle(ports.hits);
  }

  get store(): Store {
    if (this.database === null) throw new Error('The simulated server was never opened.');
    return this.database.store;
  }

  now(): number {
    return EPOCH_MS + this.ports.scheduler.now + this.clockOffsetMs;
  }

  async open(accounts: readonly AccountActor[]): Promise<void> {
    this.database = await openDatabase({ dataDir: ':memory:' });
    for (const { account, personalScope } of accounts) {
      await this.store.createScope({ id: personalScope, kind: 'personal', owner: account });
      this.oracle.open(personalScope);
    }
    await this.start();
  }

  async start(): Promise<void> {
    const mine = (this.incarnation += 1);
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    const { subject, scheduler, publish } = this.ports;
    const generations = await this.store.openGeneration(`generation-${mine}`, Math.round(this.now()));
    this.exchange = subject.createExchange({
      store: this.faultyStore(),
      clock: { now: () => this.now(), monotonic: () => scheduler.now },
      generations,
      publish: (change) => {
        if (mine === this.incarnation) publish(change);
      },
      nextTurn: (work) => {
        scheduler.after(0, () => {
          if (mine === this.incarnation) work();
        });
      },
    });
  }

  /** The process is gone: requests under way get no answer. It comes back by `start`. */
  crash(): void {
    if (this.exchange === null) return;
    this.exchange = null;
    this.incarnation += 1;
    this.end(null);
    this.ports.scheduler.after(this.ports.random.between(50, 5_000), () => {
      this.ports.hits.hit('server restarted');
      void this.restart();
    });
  }

  async close(): Promise<void> {
    this.exchange = null;
    this.incarnation += 1;
    await settled();
    await this.database?.close();
  }

  async rowsOf(scope: Id): Promise<ReadonlyMap<Id, Row>> {
    const rows = await this.store.snapshot(scope, null, 1_000_000);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async restart(): Promise<void> {
    // Housekeeping happens while nothing is cached.
    if (this.ports.random.chance(0.5)) for (const scope of this.oracle.scopes.keys()) await this.purge(scope);
    await this.start();
  }

  /** Removes some trashed subtrees for good, as the purge job does, and sometimes forgets the tombstones before it. */
  private async purge(scope: Id): Promise<void> {
    const rows = await this.rowsOf(scope);
    const roots = [...rows.values()].filter(
      (row) => row.fields['del'] !== undefined && row.type !== 'completion' && this.ports.random.chance(0.5),
    );
    if (roots.length === 0) return;
    const gone = new Set(roots.map(({ id }) => id));
    for (let size = -1; size !== gone.size;) {
      size = gone.size;
      for (const row of rows.values())
        if (gone.has((row.fields['place'] as { parent: Id } | undefined)?.parent as Id)) gone.add(row.id);
    }
    const version = await this.store.write(async (tx) => {
      const head = (await tx.lockScopes([scope])).get(scope);
      if (head === undefined) throw new Error('A scope is missing.');
      const digest = new DigestSum(head.digest);
      for (const id of gone) digest.remove(id, rows.get(id)?.version ?? 0);
      const next = head.version + 1;
      const horizon = this.ports.random.chance(0.3) ? next : head.horizon;
      await tx.save({
        scopes: [{ ...head, version: next, horizon, digest: digest.value }],
        scopeGenerations: [],
        rows: [],
        tombstones: [...gone].map((id) => ({ scope, id, version: next })),
        devices: [],
        results: [],
        forgetResults: [],
        history: [],
      });
      return next;
    });
    this.ports.hits.hit('rows purged', gone.size);
    this.oracle.purged(scope, [...gone], version);
  }

  private faultyStore(): Store {
    const { store } = this;
    const mine = this.incarnation;
    // Bound to the store itself: it keeps its state in private fields.
    const passing: Store = {
      write: (work) => this.write(mine, work),
      createScope: (scope) => store.createScope(scope),
      scope: (id) => store.scope(id),
      scopesOf: (account) => store.scopesOf(account),
      membersOf: (scope) => store.membersOf(scope),
      changes: (scope, from, maxRows) => store.changes(scope, from, maxRows),
      snapshot: (scope, after, limit) => store.snapshot(scope, after, limit),
      openGeneration: (nonce, at) => store.openGeneration(nonce, at),
      versionAtEndOf: (scope, index) => store.versionAtEndOf(scope, index),
      history: (scope, of) => store.history(scope, of),
      probe: () => store.probe(),
      close: () => store.close(),
    };
    return passing;
  }

  private drawFault(): CommitFault {
    const { random, commitFaults } = this.ports;
    if (!random.chance(commitFaults)) return 'none';
    return random.chance(0.5) ? 'rolledBack' : 'unanswered';
  }

  private async write<T>(mine: number, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    const fault = this.drawFault();
    const crashes = fault !== 'none' && this.ports.random.chance(0.5);
    const spied = new Spy(this.ports.hits);
    const fail = (): never => {
      this.ports.hits.hit(fault === 'rolledBack' ? 'group failed' : 'commit unanswered');
      if (crashes && mine === this.incarnation) this.crash();
      throw new SimulatedFault('The simulated disk failed.');
    };
    const commit = this.store.write(async (tx) => {
      const done = await work(spied.around(tx));
      return fault === 'rolledBack' ? fail() : done;
    });
    const result = await commit.catch((error: unknown) => {
      // Whatever was not made up here is a defect: the write path must not offer what the database refuses.
      if (!(error instanceof SimulatedFault)) this.oracle.problems.push(`a commit failed: ${String(error)}`);
      throw error;
    });
    if (spied.saved !== null) this.oracle.committed(spied.saved, spied.numbers, Math.round(this.now()));
    return fault === 'unanswered' ? fail() : result;
  }
}

class SimulatedFault extends Error {}

/** Sees what a transaction does. */
class Spy {
  saved: WriteBatch | null = null;
  readonly numbers = new Map<Id, number>();
  private readonly hits: Hits;
  private loads = 0;
  private scopes = 0;

  constructor(hits: Hits) {
    this.hits = hits;
  }

  around(tx: WriteTransaction): WriteTransaction {
    return {
      lockScopes: async (ids) => {
        const found = await tx.lockScopes(ids);
        this.scopes = found.size;
        return found;
      },
      devices: async (wanted) => {
        const devices = await tx.devices(wanted);
        for (const [id, { number }] of devices) this.numbers.set(id, number);
        return devices;
      },
      results: async (device, seqs) => {
        const results = await tx.results(device, seqs);
        if (results.length > 0) this.hits.hit('answered again');
        return results;
      },
      load: (want) => {
        this.loads += 1;
        if (this.loads > this.scopes) this.hits.hit('read missing and loaded');
        return tx.load(want);
      },
      save: (batch) => {
        this.saved = batch;
        return tx.save(batch);
      },
    };
  }
}
