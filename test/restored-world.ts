// A server on a real file whose database can be put back to an older state, and devices of one account that come and go:
// what tests of healing are written with.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import type { Clock, Random, Timers, Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { fieldOf, isKnown, type Row, type StoredRow } from '#sync/rows/row.ts';
import type { SyncRequest } from '#wire/sync.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { restoreDatabase } from '#server/data/backup.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { shelfOf } from '#server/data/shelf.ts';
import { createExchange, type Exchange } from '#server/sync/exchange.ts';
import { heardBy, knowsAll, unknowing, type Unknown } from './simulator/unknown-types.ts';

const random: Random = {
  fill: (bytes) => {
    bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length)));
  },
  fraction: () => 0.5,
};
// Waiting is for people: what would come again after a failure comes at once.
const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs > 1_000 ? delayMs : 0);
    return () => clearTimeout(timer);
  },
};
export const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

export class Device {
  readonly contents = new MemoryContents();
  readonly world: RestoredWorld;
  isOnline = true;
  /** By how much its clock is ahead of everybody's. */
  aheadMs = 0;
  /** Called once, when the next operations have been answered, before the answer is taken in. */
  afterAnswer: (() => void) | null = null;
  /** Types of rows that this device does not know. Set it before the device starts. */
  readonly unknown: Unknown;
  /** Rows per page of an answer: few make a scope one that is read from snapshot pages. */
  maxRows: number | undefined;
  /** Rows per snapshot page. */
  pageRows = Infinity;
  /** Called before a snapshot page is read, with its number from 0. */
  beforePage: (number: number) => Promise<void> = () => Promise.resolve();
  /** Called once, before this device offers what the server has lost. */
  beforeOffer: (() => Promise<void>) | null = null;
  private pages = 0;
  /** Questions to the server that are under way. */
  asking = 0;
  /** Requests sent, newest last. */
  readonly sent: SyncRequest[] = [];
  private running: Engine | null = null;
  private nudge: (() => void) | null = null;

  constructor(world: RestoredWorld, unknown: Unknown) {
    this.world = world;
    this.unknown = unknown;
  }

  get engine(): Engine {
    assert.ok(this.running);
    return this.running;
  }

  async start(): Promise<void> {
    const { scope } = this.world;
    const storage = createMemoryStorage(this.contents);
    const { world } = this;
    const clock: Clock = { ...world.clock, now: () => world.clock.now() + this.aheadMs };
    const transport = unknowing(this.transport(), this.unknown);
    const ports = { storage, transport, clock, timers, random, checks: registerChecks };
    this.running = createEngine(ports, { scope, account: 7 });
    await this.running.open();
    await this.running.loaded();
  }

  async stop(): Promise<void> {
    await this.running?.close();
    this.running = null;
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    if (isOnline) this.nudge?.();
  }

  issue(...actions: Action[]): readonly Verdict[] {
    const { verdicts } = this.engine.replica.issue(actions);
    assert.ok(
      verdicts.every((verdict) => verdict === 'ok'),
      verdicts.join(),
    );
    return verdicts;
  }

  task(title: string, parent: Id = inboxId(this.world.scope), fields: Record<string, unknown> = {}): Id {
    const id = newId();
    this.issue({ a: 'create', id, type: 'task', fields: { title, ...fields }, place: { parent } });
    return id;
  }

  title(id: Id): unknown {
    return fieldOf(this.engine.replica.row(id), 'title');
  }

  /** Resolves when everything is on the server and everything of the server is here. */
  async synced(): Promise<void> {
    this.setOnline(true);
    const { state } = this.engine;
    for (;;) {
      this.engine.nudge();
      await new Promise((resolve) => setTimeout(resolve, 2));
      const head = await this.world.database.store.scope(this.world.scope);
      const cursor = this.contents.meta?.cursors[this.world.scope];
      const isLevel = cursor?.version === head?.version && cursor?.generation === this.world.generation;
      if (isLevel && state.get().type === 'synced' && this.contents.outbox.size === 0) return;
    }
  }

  private transport(): Transport {
    const { world } = this;
    const offline = { ok: false, problem: { type: 'offline' } } as const;
    return {
      sync: async (request) => {
        if (!this.isOnline) return offline;
        const { beforeOffer } = this;
        if (beforeOffer !== null && request.ops.some((operation) => (operation as Action).a === 'reoffer')) {
          this.beforeOffer = null;
          await beforeOffer();
        }
        this.sent.push(request);
        const maxRows = this.maxRows ?? request.maxRows;
        const raw = { ...structuredClone(request), ...(maxRows === undefined ? {} : { maxRows }) };
        this.asking += 1;
        const answer = await world.exchange.sync(world.actor, raw).finally(() => (this.asking -= 1));
        if (!this.isOnline) return offline;
        if (request.ops.length > 0) {
          const { afterAnswer } = this;
          this.afterAnswer = null;
          afterAnswer?.();
        }
        if (answer.ok) return { ok: true, value: structuredClone(answer.value) };
        return {
          ok: false,
          problem: { type: 'refused', code: answer.problem.code, message: answer.problem.message },
        };
      },
      snapshot: async (scope, place) => {
        if (!this.isOnline) return offline;
        await this.beforePage((this.pages += 1) - 1);
        const answer = await world.exchange.part(world.actor, scope, place);
        if (!answer.ok || !this.isOnline) return offline;
        const page = partFromWire(structuredClone(answer.value));
        if (page.rows.length <= this.pageRows) return { ok: true, value: page };
        const rows = page.rows.slice(0, this.pageRows);
        const after = shelfOf((rows.at(-1) ?? assert.fail()) as Row);
        return { ok: true, value: { ...page, rows, next: { part: place.part, after } } };
      },
      listen: (on) => {
        this.nudge = () => on.open();
        return () => {
          this.nudge = null;
        };
      },
    };
  }
}

export class RestoredWorld {
  readonly scope = newId();
  readonly actor: AccountActor = {
    type: 'account',
    account: 7,
    session: newId(),
    kind: 'web',
    personalScope: this.scope,
    roles: new Map([[this.scope, 'owner']]),
  };
  readonly devices: Device[] = [];
  readonly healed = { rows: 0, parked: 0, unparked: 0, wentBack: 0 };
  generation = '';
  /** What everybody's clock shows. */
  readonly clock: Clock = {
    now: () => Date.now() + this.passed,
    monotonic: () => performance.now() + this.passed,
  };
  private passed = 0;
  private readonly root: string;
  private open: { database: Database; exchange: Exchange } | null = null;
  private backups = 0;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<RestoredWorld> {
    const world = new RestoredWorld(await mkdtemp(join(tmpdir(), 'posthaste-healing-')));
    await world.start();
    await world.database.store.createScope({ id: world.scope, kind: 'personal', owner: 7 });
    return world;
  }

  get database(): Database {
    assert.ok(this.open);
    return this.open.database;
  }

  get exchange(): Exchange {
    assert.ok(this.open);
    return this.open.exchange;
  }

  async device(unknown = knowsAll): Promise<Device> {
    const device = new Device(this, unknown);
    this.devices.push(device);
    await device.start();
    return device;
  }

  async backup(): Promise<string> {
    const file = join(this.root, `backup-${(this.backups += 1)}`);
    await this.database.backup(file);
    return file;
  }

  /**
   * What is written from now on is later than what was written before, whoever wrote it: the server knows a device's clock only
   * as exactly as a request takes, which on a busy machine is longer than what lies between two lines of a test. Devices are
   * offline until they are asked.
   */
  async pass(ms = 60_000): Promise<void> {
    for (const device of this.devices) device.setOnline(false);
    // A question that is still on its way would count this as the time that it took.
    while (this.devices.some(({ asking }) => asking > 0))
      await new Promise((resolve) => setImmediate(resolve));
    this.passed += ms;
  }

  /** Puts the database back and starts the server again. Devices are offline until they are asked. */
  async restore(file: string): Promise<void> {
    await this.pass();
    await this.exchange.idle();
    await this.database.close();
    await restoreDatabase({ dataDir: this.data, from: file });
    await this.start();
  }

  /** What was removed up to now is forgotten: whoever was away since before has to read the scope again. */
  async raiseHorizon(): Promise<void> {
    await this.database.store.write(async (tx) => {
      const head = (await tx.lockScopes([this.scope])).get(this.scope) ?? assert.fail();
      const none = { scopeGenerations: [], rows: [], tombstones: [], devices: [], results: [] };
      const scopes = [{ ...head, horizon: head.version }];
      await tx.save({ ...none, scopes, forgetResults: [], history: [] });
    });
  }

  async rows(): Promise<ReadonlyMap<Id, Row>> {
    const rows = await this.database.store.snapshot(this.scope, null, 1_000_000);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Everybody heard everything: all copies are equal, nothing waits. */
  async settle(order: readonly Device[] = this.devices): Promise<void> {
    for (let round = 0; round < 3; round += 1) for (const device of order) await device.synced();
    const rows = await this.rows();
    const digest = new DigestSum();
    for (const row of rows.values()) digest.add(row.id, row.version);
    const head = await this.database.store.scope(this.scope);
    assert.equal(head?.digest, digest.value, 'the sum of the scope is that of its rows');
    for (const device of order) {
      const shown = [...device.engine.replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const heard = [...rows.values()].map((row): StoredRow => heardBy(device.unknown, row));
      assert.deepEqual(
        shown,
        heard.filter(isKnown).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
      assert.deepEqual(device.contents.rows, new Map(heard.map((row) => [row.id, row])), 'on disk too');
      assert.equal(device.contents.outbox.size, 0);
      assert.notEqual(device.engine.facts().digest, 'different');
    }
  }

  async close(): Promise<void> {
    for (const device of this.devices) await device.stop();
    await this.exchange.idle();
    await this.database.close();
    await rm(this.root, { recursive: true });
  }

  private get data(): string {
    return join(this.root, 'data');
  }

  private async start(): Promise<void> {
    const database = await openDatabase({ dataDir: this.data });
    this.generation = newId();
    const generations = await database.store.openGeneration(this.generation, this.clock.now());
    const exchange = createExchange({
      store: database.store,
      clock: this.clock,
      generations,
      publish: () => undefined,
      nextTurn: (work) => setImmediate(work),
      wentBack: () => {
        this.healed.wentBack += 1;
      },
      healed: ({ rows, parked, unparked }) => {
        this.healed.rows += rows;
        this.healed.parked += parked;
        this.healed.unparked += unparked;
      },
    });
    this.open = { database, exchange };
  }
}
