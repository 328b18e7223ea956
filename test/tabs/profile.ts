// A browser profile with several tabs in virtual time: production engines and companies on one disk that is fenced as
// IndexedDB is, with locks and a channel of its own. Tabs crash, freeze, wake and take the lead by force.
import { createIdSource, type Id } from '#core/ids.ts';
import { Company } from '#sync/tabs/coordinator.ts';
import type { Message } from '#sync/tabs/tab-messages.ts';
import { createEngine, type ShareableEngine } from '#sync/exchange/engine.ts';
import { applyBatch, MemoryContents, stateOf } from '#sync/replica/memory-storage.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceStorage, Part, StorageBatch, Timers, Transport } from '#sync/replica/ports.ts';
import type { Issued } from '#sync/replica/replica-types.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SeededRandom } from '../simulator/random.ts';
import type { Scheduler } from '../simulator/scheduler.ts';
import { EPOCH_MS } from '../simulator/server.ts';

export interface ProfileFaults {
  /** Likelihood per write. */
  diskRefuses: number;
  /** Likelihood per write that the tab is gone before or after it. */
  crashes: number;
}

export interface ProfilePorts {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly scope: Id;
  /** 0 without an account. */
  readonly account: number;
  readonly faults: ProfileFaults;
  /** Null without an account. */
  transportFor(tab: Tab): Transport | null;
}

export class BrowserProfile {
  readonly contents = new MemoryContents();
  readonly tabs: Tab[] = [];
  /** Operations that were on the disk, by their own id. */
  readonly durable = new Map<Id, Operation>();
  readonly ports: ProfilePorts;
  epoch = 0;
  leader: Tab | null = null;
  readonly waiting: Tab[] = [];
  takeovers = 0;

  constructor(ports: ProfilePorts) {
    this.ports = ports;
  }

  get living(): readonly Tab[] {
    return this.tabs.filter((tab) => tab.isAlive);
  }

  openTab(): Tab {
    const used = new Set(this.living.map(({ lane }) => lane));
    let lane = 0;
    while (used.has(lane)) lane += 1;
    const tab = new Tab(this, lane);
    this.tabs.push(tab);
    if (this.leader === null) this.leader = tab;
    else this.waiting.push(tab);
    tab.start(this.leader === tab ? 'leader' : 'follower');
    return tab;
  }

  /** The browser gives the lock on. */
  left(tab: Tab): void {
    const at = this.waiting.indexOf(tab);
    if (at !== -1) this.waiting.splice(at, 1);
    if (this.leader !== tab) return;
    this.leader = this.waiting.shift() ?? null;
    this.leader?.change('leader');
  }

  steal(tab: Tab): void {
    if (this.leader === tab) return;
    this.takeovers += 1;
    const before = this.leader;
    const at = this.waiting.indexOf(tab);
    if (at !== -1) this.waiting.splice(at, 1);
    this.leader = tab;
    if (before?.isAlive === true) {
      this.waiting.push(before);
      before.change('follower');
    }
    tab.change('leader');
  }

  broadcast(from: Tab, message: Message): void {
    const text = JSON.stringify(message);
    for (const tab of this.living) if (tab !== from) tab.tell(text);
  }
}

export class Tab {
  readonly name: string;
  readonly lane: number;
  isAlive = true;
  isReady = false;
  isFrozen = false;
  engine: ShareableEngine | null = null;
  done: Issued[] = [];
  undone: Issued[] = [];
  writesUnderWay = 0;
  private company: Company | null = null;
  private readonly profile: BrowserProfile;
  private readonly inbox: string[] = [];
  private backlog: (() => void)[] = [];
  private epoch = 0;
  private readonly bootedAt: number;

  constructor(profile: BrowserProfile, lane: number) {
    this.profile = profile;
    this.lane = lane;
    this.name = `tab ${profile.tabs.length + 1} in lane ${lane}`;
    this.bootedAt = profile.ports.scheduler.now;
  }

  start(part: Part): void {
    const { scheduler, random, account, scope } = this.profile.ports;
    const engine = createEngine(
      {
        storage: this.storage(),
        transport: this.profile.ports.transportFor(this),
        clock: {
          now: () => EPOCH_MS + scheduler.now,
          monotonic: () => scheduler.now - this.bootedAt,
        },
        timers: this.timers,
        random,
        lane: this.lane,
        checks: registerChecks,
      },
      { scope, account },
    );
    this.engine = engine;
    if (part === 'follower') this.join(engine, part);
    void engine
      .open()
      .then(() => engine.loaded())
      .then(() => {
        this.isReady = true;
      });
  }

  /** As in a browser: who is alone has no company until somebody speaks. */
  private join(engine: ShareableEngine, part: Part = 'leader'): void {
    const { random, scheduler } = this.profile.ports;
    const newId = createIdSource({
      now: () => EPOCH_MS + scheduler.now,
      random: (bytes) => random.fill(bytes),
    });
    engine.share(
      (copy) =>
        (this.company = new Company(
          copy,
          {
            channel: {
              post: (message) => this.profile.broadcast(this, message),
              listen: (on) => {
                this.onMessage = on;
                return () => undefined;
              },
            },
            timers: this.timers,
            newId,
            steal: () => this.profile.steal(this),
          },
          part,
        )),
    );
  }

  private onMessage: (message: Message) => void = () => undefined;

  tell(text: string): void {
    this.inbox.push(text);
    // In order, like a channel; how late is another matter.
    this.later(this.profile.ports.random.between(1, 30), () => {
      const next = this.inbox.shift();
      if (next === undefined) return;
      if (this.company === null && this.engine !== null) this.join(this.engine);
      this.onMessage(JSON.parse(next) as Message);
    });
  }

  /** Each change is told, also to a tab that slept through several: it asks for the lead again only when it has heard of losing it. */
  change(part: Part): void {
    this.later(1, () => {
      if (this.company === null && this.engine !== null) this.join(this.engine);
      this.company?.changed(part);
    });
  }

  /** Gone at once; the browser frees its locks. */
  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.isReady = false;
    this.profile.left(this);
  }

  async close(): Promise<void> {
    await this.engine?.close();
    this.crash();
  }

  freeze(): void {
    this.isFrozen = true;
  }

  wake(): void {
    this.isFrozen = false;
    for (const work of this.backlog.splice(0)) work();
  }

  /** Everything that happens to a tab comes through here: not after its end, not while it is frozen. */
  later(delayMs: number, work: () => void): () => void {
    let isCancelled = false;
    const run = () => {
      if (!this.isAlive || isCancelled) return;
      if (this.isFrozen) this.backlog.push(run);
      else work();
    };
    this.profile.ports.scheduler.after(delayMs, run);
    return () => {
      isCancelled = true;
    };
  }

  private readonly timers: Timers = { after: (delayMs, work) => this.later(delayMs, work) };

  private wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.later(delayMs, resolve);
    });
  }

  private storage(): DeviceStorage {
    const { profile } = this;
    const { contents } = profile;
    const wait = (delayMs: number) => this.wait(delayMs);
    return {
      open: async (part = 'leader') => {
        await wait(2);
        if (part === 'leader') this.epoch = profile.epoch += 1;
        const state = stateOf(contents);
        await wait(1);
        return state;
      },
      async *rows() {
        const rows = [...contents.rows.values()];
        for (let start = 0; start < rows.length; start += 20) {
          await wait(1);
          yield rows.slice(start, start + 20);
        }
      },
      journal: () => Promise.resolve([...contents.journal.values()]),
      write: (batch) => this.write(batch),
      clear: () => Promise.reject(new Error('Nothing clears this disk.')),
      close: () => undefined,
    };
  }

  /** The browser writes also while the tab is frozen; the tab hears of it later. */
  private write(batch: StorageBatch): Promise<void> {
    const { profile } = this;
    const { scheduler, random, faults } = profile.ports;
    this.writesUnderWay += 1;
    return new Promise((resolve, reject) => {
      scheduler.after(random.between(0, 15), () => {
        if (!this.isAlive) return;
        if (random.chance(faults.crashes)) {
          this.crash();
          return;
        }
        this.writesUnderWay -= 1;
        const isFenced = batch.meta !== undefined && this.epoch !== profile.epoch;
        if (isFenced || random.chance(faults.diskRefuses)) {
          this.later(0, () => {
            if (isFenced) this.company?.fenced();
            reject(new Error(isFenced ? 'Another tab leads.' : 'The simulated disk is full.'));
          });
          return;
        }
        applyBatch(profile.contents, batch);
        for (const operation of batch.outboxAdd ?? []) profile.durable.set(operation.u, operation);
        if (random.chance(faults.crashes)) this.crash();
        else this.later(0, resolve);
      });
    });
  }
}
