// One device of a simulated world: the production engine on a disk that refuses, loses what was not durable at a crash
// and can be copied, with a clock that jumps.
import type { Id } from '#core/ids.ts';
import { applyBatch, MemoryContents, stateOf } from '#sync/memory-storage.ts';
import type { Operation } from '#sync/operation.ts';
import type { Clock, DeviceStorage, StorageBatch, StoredState, Timers } from '#sync/ports.ts';
import type { Engine, Issued } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import type { Hits } from './hits.ts';
import type { Network } from './network.ts';
import type { SeededRandom } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { EPOCH_MS } from './server.ts';
import type { Subject } from './subject.ts';

export interface DeviceFaults {
  /** Likelihood per write. */
  diskRefuses: number;
  /** Likelihood per write or request. */
  crashes: number;
  /** Likelihood per crash. */
  loses: number;
}

export interface DevicePorts {
  readonly subject: Subject;
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly network: Network;
  readonly hits: Hits;
  readonly faults: DeviceFaults;
  /** Of the device's clock against true time. */
  readonly clockOffsetMs: number;
}

function copyContents(from: MemoryContents): MemoryContents {
  const copy = new MemoryContents();
  copy.meta = from.meta;
  for (const [q, operation] of from.outbox) copy.outbox.set(q, operation);
  for (const [id, row] of from.rows) copy.rows.set(id, row);
  for (const [q, item] of from.recovered) copy.recovered.set(q, item);
  return copy;
}

export class SimulatedDevice {
  readonly name: string;
  readonly actor: AccountActor;
  contents: MemoryContents;
  /** Null while the app is not running. */
  engine: Engine | null = null;
  /** All stored rows are in memory: the person can work. */
  isReady = false;
  isOnline = true;
  clockOffsetMs: number;
  writesUnderWay = 0;
  /** What the person did since the start, for undo. */
  done: Issued[] = [];
  undone: Issued[] = [];
  /** Operations that reached this disk. */
  readonly durable = new Map<Id, Operation>();
  private readonly ports: DevicePorts;
  private incarnation = 0;
  private bootedAt = 0;

  constructor(name: string, actor: AccountActor, ports: DevicePorts, contents = new MemoryContents()) {
    this.name = name;
    this.actor = actor;
    this.ports = ports;
    this.contents = contents;
    this.clockOffsetMs = ports.clockOffsetMs;
  }

  boot(): void {
    if (this.engine !== null) return;
    const mine = (this.incarnation += 1);
    const { subject, scheduler, random, network } = this.ports;
    this.bootedAt = scheduler.now;
    this.writesUnderWay = 0;
    const isAlive = (): boolean => mine === this.incarnation;
    const clock: Clock = {
      now: () => EPOCH_MS + scheduler.now + this.clockOffsetMs,
      monotonic: () => scheduler.now - this.bootedAt,
    };
    const timers: Timers = {
      after: (delayMs, work) =>
        scheduler.after(delayMs, () => {
          if (isAlive()) work();
        }),
    };
    const transport = network.transportFor(this, isAlive);
    const engine = subject.createEngine(
      { storage: this.storage(isAlive), transport, clock, timers, random },
      { scope: this.actor.personalScope, account: this.actor.account },
    );
    this.engine = engine;
    void this.open(engine, isAlive);
  }

  crash(): void {
    if (this.engine === null) return;
    const { hits, faults, random, scheduler } = this.ports;
    hits.hit('device crashed');
    this.leave();
    if (random.chance(faults.loses) && this.contents.rows.size > 0) {
      hits.hit('disk lost a row');
      this.contents.rows.delete(random.pick([...this.contents.rows.keys()]));
    }
    scheduler.after(random.between(10, 20_000), () => {
      hits.hit('device restarted from disk');
      this.boot();
    });
  }

  /** Ends the app without ceremony. */
  leave(): void {
    this.incarnation += 1;
    this.engine = null;
    this.isReady = false;
    this.done = [];
    this.undone = [];
    this.ports.network.forget(this);
  }

  /** Another device that starts with a copy of this one's disk. */
  copy(name: string): SimulatedDevice {
    const copy = new SimulatedDevice(
      name,
      this.actor,
      { ...this.ports, random: this.ports.random.fork() },
      copyContents(this.contents),
    );
    for (const [id, operation] of this.durable) copy.durable.set(id, operation);
    return copy;
  }

  /** A crash that strikes now and then, at any await of disk and network. True: it did. */
  mayCrash(): boolean {
    if (!this.ports.random.chance(this.ports.faults.crashes)) return false;
    this.crash();
    return true;
  }

  private async open(engine: Engine, isAlive: () => boolean): Promise<void> {
    await engine.open();
    await engine.loaded();
    if (isAlive()) this.isReady = true;
  }

  private storage(isAlive: () => boolean): DeviceStorage {
    const { scheduler, random } = this.ports;
    const contents = this.contents;
    const never = new Promise<never>(() => {});
    async function* pages(): AsyncGenerator<readonly Row[]> {
      const rows = [...contents.rows.values()];
      const size = random.between(3, 40);
      for (let start = 0; start < rows.length; start += size) {
        await scheduler.wait(1);
        if (!isAlive()) await never;
        yield rows.slice(start, start + size);
      }
    }
    return {
      open: async (): Promise<StoredState | null> => {
        await scheduler.wait(1);
        return isAlive() ? stateOf(contents) : never;
      },
      rows: () => pages(),
      journal: () => Promise.resolve([...contents.journal.values()]),
      write: (batch) => this.write(batch, isAlive),
      clear: () => Promise.reject(new Error('Nothing in a simulated world clears a disk.')),
      close: () => undefined,
    };
  }

  private write(batch: StorageBatch, isAlive: () => boolean): Promise<void> {
    const { scheduler, random, faults, hits } = this.ports;
    this.writesUnderWay += 1;
    return new Promise((resolve, reject) => {
      scheduler.after(random.between(0, 15), () => {
        if (!isAlive() || this.mayCrash()) return;
        this.writesUnderWay -= 1;
        if (random.chance(faults.diskRefuses)) {
          hits.hit('disk refused');
          reject(new Error('The simulated disk is full.'));
          return;
        }
        applyBatch(this.contents, batch);
        for (const operation of batch.outboxAdd ?? []) this.durable.set(operation.u, operation);
        if ((batch.recoveredAdd ?? []).length > 0) hits.hit('refused and recovered');
        if (!this.mayCrash()) resolve();
      });
    });
  }
}
