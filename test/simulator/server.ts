// The server of a simulated world: production exchange and production database (SQLite in memory), with a clock that can
// be set, commits that can fail on either side of their durability, crashes and restarts.
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { createSealing } from '#server/accounts/sealing.ts';
import { createPace } from '#server/care/pace.ts';
import { dateUndated, forgetTombstones } from '#server/care/pruning.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { Store, WriteBatch, WriteTransaction } from '#server/data/store.ts';
import { createCommentSeal } from '#server/access/comment-seal.ts';
import type { Exchange, Published } from '#server/sync/exchange.ts';
import { MissingLock } from '#server/sync/routing.ts';
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
  /** Likelihood that the process ends while it reads. */
  readFaults: number;
  readonly publish: (change: Published) => void;
}

const GENERATION = 'generation-';

/** At which start of the server a generation began. */
export const startOf = (generation: string): number => Number(generation.slice(GENERATION.length));

type CommitFault = 'none' | 'rolledBack' | 'unanswered';

export class SimulatedServer {
  readonly oracle: Oracle;
  clockOffsetMs = 0;
  /** Null while it is down. */
  exchange: Exchange | null = null;
  incarnation = 0;
  /** Why it cannot speak with these devices for now: its own version of the program is too old, or theirs. */
  skew: 'too_new' | 'too_old' | null = null;
  /** How far tombstones were forgotten. */
  readonly horizons = new Map<Id, number>();
  /** What somebody may read now. */
  actorNow: (actor: AccountActor) => AccountActor = (actor) => actor;
  /** What a start does before the server answers. */
  beforeStart: (database: Database) => Promise<void> = () => Promise.resolve();
  /** Resolves, with null, when the present process ends. */
  ended: Promise<null> = Promise.resolve(null);
  private end: (nothing: null) => void = () => undefined;
  private readonly ports: ServerPorts;
  private database: Database | null = null;
  /** What the next start finds in place of the present database. */
  private other: Database | null = null;

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
    const generations = await this.store.openGeneration(`${GENERATION}${mine}`, Math.round(this.now()));
    this.exchange = subject.createExchange({
      store: this.faultyStore(),
      clock: { now: () => this.now(), monotonic: () => scheduler.now },
      generations,
      seal: createCommentSeal(createSealing(new Uint8Array(32))),
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

  get present(): Database {
    if (this.database === null) throw new Error('The simulated server was never opened.');
    return this.database;
  }

  /** The process ends, and starts again on another state of its database. */
  putBack(database: Database): void {
    this.other = database;
    this.crash();
  }

  private async restart(): Promise<void> {
    if (this.other !== null) {
      await this.database?.close();
      this.database = this.other;
      this.other = null;
    }
    await this.beforeStart(this.present);
    if (this.ports.random.chance(0.2))
      for (const scope of this.oracle.scopes.keys()) await this.raiseHorizon(scope);
    await this.start();
  }

  /** Housekeeping after a long time: what was removed long ago is forgotten, for devices that were heard and for all. */
  async prune(): Promise<void> {
    const { database } = this;
    if (database === null || this.exchange === null) return;
    const ports = { db: database.db, pace: createPace((work) => work()), now: Math.round(this.now()) };
    await dateUndated(ports);
    const forgotten = await forgetTombstones(ports);
    this.ports.hits.hit('tombstones forgotten', forgotten);
    for (const scope of this.oracle.scopes.keys()) {
      const head = await this.store.scope(scope);
      this.horizons.set(scope, Math.max(head?.horizon ?? 0, this.horizons.get(scope) ?? 0));
    }
  }

  /** Asks the server to remove some trashed subtrees for good, as its housekeeping does: leaves first, in small steps. */
  async purge(scope: Id): Promise<void> {
    const { random, hits } = this.ports;
    const rows = await this.rowsOf(scope);
    const isTrash = (row: Row): boolean => fieldOf(row, 'del') !== undefined && row.type !== 'completion';
    const going = [...rows.values()].filter((row) => isTrash(row) && random.chance(0.5)).map(({ id }) => id);
    for (const id of going) {
      for (const row of rows.values()) {
        const isBeneath = fieldOf(row, 'place')?.parent === id || fieldOf(row, 'task') === id;
        if (isBeneath && !going.includes(row.id)) going.push(row.id);
      }
    }
    const ids = going.toReversed();
    while (ids.length > 0 && this.exchange !== null) {
      const request = {
        scope,
        ids: ids.splice(0, random.between(1, 5)),
        trashedBefore: Number.MAX_SAFE_INTEGER,
      };
      try {
        hits.hit('rows purged', (await this.exchange.purge(request)).length);
      } catch (error) {
        if (!(error instanceof SimulatedFault)) throw error;
      }
    }
  }

  /** Asks the server to make notes plain text that nobody edited for so long. */
  async flatten(scope: Id, quietMs: number): Promise<void> {
    const rows = await this.rowsOf(scope);
    const notes = [...rows.values()]
      .filter((held) => fieldOf(held, 'notesDoc') !== undefined)
      .map(({ id }) => id);
    if (notes.length === 0 || this.exchange === null) return;
    try {
      const request = { scope, notes, quietSince: Math.round(this.now()) - quietMs };
      this.ports.hits.hit('note made plain', await this.exchange.flatten(request));
    } catch (error) {
      if (!(error instanceof SimulatedFault)) throw error;
    }
  }

  /** Whoever was away from before now starts again: its tombstones are forgotten. */
  private async raiseHorizon(scope: Id): Promise<void> {
    await this.store.write(async (tx) => {
      const head = (await tx.lockScopes([scope])).get(scope);
      if (head === undefined) throw new Error('A scope is missing.');
      this.horizons.set(scope, head.version);
      await tx.save({
        scopes: [{ ...head, horizon: head.version }],
        scopeGenerations: [],
        rows: [],
        tombstones: [],
        devices: [],
        results: [],
        forgetResults: [],
        history: [],
      });
    });
  }

  private faultyStore(): Store {
    const { store } = this;
    const mine = this.incarnation;
    // Bound to the store itself: it keeps its state in private fields.
    const passing: Store = {
      write: (work) => this.write(mine, work),
      createScope: (scope) => store.createScope(scope),
      scope: (id) => this.read(mine, () => store.scope(id)),
      scopesOf: (account) => store.scopesOf(account),
      membersOf: (scope) => store.membersOf(scope),
      leftBy: (account, scopes) => store.leftBy(account, scopes),
      changes: (scope, from, maxRows) => this.read(mine, () => store.changes(scope, from, maxRows)),
      scopes: (ids) => this.read(mine, () => store.scopes(ids)),
      changesOf: (asked) => this.read(mine, () => store.changesOf(asked)),
      snapshot: (scope, after, limit) => this.read(mine, () => store.snapshot(scope, after, limit)),
      shelf: (scope, of) => this.read(mine, () => store.shelf(scope, of)),
      countShelf: (scope, after, limit) => this.read(mine, () => store.countShelf(scope, after, limit)),
      transfers: () => store.transfers(),
      leftBehind: (scope, after, limit) => store.leftBehind(scope, after, limit),
      openGeneration: (nonce, at) => store.openGeneration(nonce, at),
      versionAtEndOf: (scope, index) => this.read(mine, () => store.versionAtEndOf(scope, index)),
      history: (scope, of) => store.history(scope, of),
      probe: () => store.probe(),
      close: () => store.close(),
    };
    return passing;
  }

  private read<T>(mine: number, work: () => Promise<T>): Promise<T> {
    const { random, readFaults, hits } = this.ports;
    if (mine !== this.incarnation || !random.chance(readFaults)) return work();
    hits.hit('server crashed while reading');
    this.crash();
    return Promise.reject(new SimulatedFault('The simulated process ended.'));
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
      // Whatever was not made up here is a defect: the write path must not offer what the database refuses. Without all of its
      // locks a transaction runs again.
      if (!(error instanceof SimulatedFault || error instanceof MissingLock))
        this.oracle.problems.push(`a commit failed: ${String(error)}`);
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
      whereabouts: (ids) => tx.whereabouts(ids),
      living: (ids) => tx.living(ids),
      moves: (places) => tx.moves(places),
      tree: (scope, id, limit) => tx.tree(scope, id, limit),
      beneath: (scope, ids, limit) => tx.beneath(scope, ids, limit),
      parentsAmong: (scope, ids) => tx.parentsAmong(scope, ids),
      height: (scope, id) => tx.height(scope, id),
      taken: (scope, places) => tx.taken(scope, places),
      transfers: () => tx.transfers(),
      transfer: (id) => tx.transfer(id),
      endTransfer: (id) => tx.endTransfer(id),
      labelTwins: (account, labels) => tx.labelTwins(account, labels),
      parked: (scope) => tx.parked(scope),
      roleIn: (scope, account) => tx.roleIn(scope, account),
      raiseMinSchema: (scope, version) => tx.raiseMinSchema(scope, version),
      sealing: (scope) => tx.sealing(scope),
      saveSealing: (scope, record) => tx.saveSealing(scope, record),
      rowsSince: (scope, version, limit) => tx.rowsSince(scope, version, limit),
      mergingNotes: (scope) => tx.mergingNotes(scope),
      forgetBefore: (scope) => tx.forgetBefore(scope),
      save: (batch) => {
        this.saved = batch;
        return tx.save(batch);
      },
    };
  }
}
