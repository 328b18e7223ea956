// One device of a simulated world: the production engine on a disk with faults of its own (disk.ts), with a clock that
// jumps, and an app that crashes at any await.
import { registerChecks } from '#wire/registers.ts';
import type { Id } from '#core/ids.ts';
import type { MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { Clock, Detached, Timers } from '#sync/replica/ports.ts';
import type { Engine, Issued, Replica } from '#sync/replica/replica-types.ts';
import { placeShared } from '#sync/mounts/issuing.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { SimulatedDisk, type DiskFaults } from './disk.ts';
import type { Hits } from './hits.ts';
import { wrongLists } from './mounts.ts';
import type { Network } from './network.ts';
import type { SeededRandom } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { EPOCH_MS } from './server.ts';
import type { Subject } from './subject.ts';
import { unknowing, type Unknown } from './unknown-types.ts';

export interface DeviceFaults extends DiskFaults {
  /** Likelihood per write, read or request. */
  crashes: number;
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
  readonly protocol: number;
  /** Types of rows that this copy of the app does not know. */
  readonly unknown: Unknown;
  /** What this copy sent under its former name, and what waits, may come again under another. */
  readonly renamed: (former: Id, waiting: Iterable<Operation>) => void;
}

export class SimulatedDevice {
  readonly name: string;
  readonly actor: AccountActor;
  readonly disk: SimulatedDisk;
  /** Null while the app is not running. */
  engine: Engine | null = null;
  /** All stored rows are in memory: the person can work. */
  isReady = false;
  isOnline = true;
  clockOffsetMs: number;
  /** The protocol that this copy of the app says it speaks. */
  readonly protocol: number;
  readonly unknown: Unknown;
  /** That cloud sync was turned off, as it is noted beside the disk: an emptied one does not turn it on. */
  detached: Detached | null = null;
  /** Called when it and a restored server are together again. */
  togetherAgain: (() => void) | null = null;
  /** What the person did since the start, for undo. */
  done: Issued[] = [];
  undone: Issued[] = [];
  private readonly ports: DevicePorts;
  private incarnation = 0;
  private bootedAt = 0;

  constructor(name: string, actor: AccountActor, ports: DevicePorts, contents?: MemoryContents) {
    this.name = name;
    this.actor = actor;
    this.ports = ports;
    this.clockOffsetMs = ports.clockOffsetMs;
    this.protocol = ports.protocol;
    this.unknown = ports.unknown;
    const { scheduler, random, hits, faults, renamed } = ports;
    this.disk = new SimulatedDisk(
      {
        scheduler,
        random,
        hits,
        faults,
        renamed,
        mayCrash: (likelier) => this.mayCrash(likelier),
        memory: () => this.engine?.contents() ?? null,
      },
      contents,
    );
  }

  get contents(): MemoryContents {
    return this.disk.contents;
  }

  boot(): void {
    if (this.engine !== null) return;
    const mine = (this.incarnation += 1);
    const { subject, scheduler, random, network } = this.ports;
    this.bootedAt = scheduler.now;
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
    const transport = unknowing(network.transportFor(this, isAlive), this.unknown);
    const engine = subject.createEngine(
      { storage: this.disk.storage(isAlive), transport, clock, timers, random, checks: registerChecks },
      { scope: this.actor.personalScope, account: this.actor.account, detached: this.detached },
    );
    this.engine = engine;
    engine.restored.subscribe(() => {
      if (isAlive()) this.togetherAgain?.();
    });
    void this.open(engine, isAlive);
  }

  crash(): void {
    if (this.engine === null) return;
    const { hits, random, scheduler } = this.ports;
    hits.hit('device crashed');
    this.leave();
    this.disk.afterCrash();
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
    const ports = { ...this.ports, random: this.ports.random.fork() };
    const copy = new SimulatedDevice(name, this.actor, ports, this.disk.copied());
    for (const [id, operation] of this.disk.durable) copy.disk.durable.set(id, operation);
    copy.detached = this.detached;
    return copy;
  }

  /** A crash that strikes now and then, at any await of disk and network. True: it did. */
  mayCrash(likelier = 1): boolean {
    if (!this.ports.random.chance(this.ports.faults.crashes * likelier)) return false;
    this.crash();
    return true;
  }

  /** Whatever is shown at any moment is a tree. */
  private watch(replica: Replica): void {
    const look = (ids: Iterable<Id>): void => {
      for (const id of ids) {
        const seen = new Set<Id>();
        for (let at: Id | undefined = id; at !== undefined; at = placeOf(replica.row(at))?.parent) {
          if (seen.has(at)) {
            this.ports.network.problems.push(`${this.name} shows ${id} in a circle`);
            return;
          }
          seen.add(at);
        }
      }
    };
    const lookAtLists = (): void => {
      const wrong = wrongLists(replica, (id) => this.isOnItsWay(id));
      if (wrong !== null) this.ports.network.problems.push(`${this.name}: ${wrong}`);
    };
    look([...replica.all()].map(({ id }) => id));
    replica.subscribe((changes) => {
      look(changes.map(({ id }) => id));
      if (changes.some(({ before, after }) => (after ?? before)?.type === 'list')) lookAtLists();
    });
  }

  /**
   * The device has heard that a list is in another scope by now, and not yet what it is there: it stays where it was, which may
   * be beneath a folder in the trash.
   */
  private isOnItsWay(id: Id): boolean {
    const row = this.engine?.contents()?.rowsPut?.find((stored) => stored.id === id);
    return row !== undefined && placeOf(row)?.parent !== row.scope;
  }

  private async open(engine: Engine, isAlive: () => boolean): Promise<void> {
    await engine.open();
    engine.replica.learnToPlace(placeShared);
    this.watch(engine.replica);
    await engine.loaded();
    if (isAlive()) this.isReady = true;
  }
}
