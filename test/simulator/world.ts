// One simulated history: devices, server and network live through a seed, then everything heals and is checked.
import assert from 'node:assert/strict';
import { createIdSource, listsRoot, type Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { protocolVersion } from '#wire/version.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { checkWorld } from './checks.ts';
import { SimulatedDevice, type DeviceFaults } from './device.ts';
import { befall } from './faults.ts';
import { Hits } from './hits.ts';
import { Network, type NetworkFaults } from './network.ts';
import { SeededRandom } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { EPOCH_MS, SimulatedServer, type ServerPorts } from './server.ts';
import type { Subject } from './subject.ts';
import { knowsAll, unknownIn, type Unknown } from './unknown-types.ts';
import { act, crowd } from './user.ts';

const YEAR_MS = 365 * 86_400_000;
const OLDEST_PROTOCOL = 1;
const SETTLE_MS = 3_600_000;

export interface WorldOptions {
  readonly devices: number;
  readonly accounts: number;
  /** Without it nothing goes wrong but what is asked for. */
  readonly faults: boolean;
  /** Every copy of the app speaks the newest protocol. */
  readonly areAllNew?: boolean;
  /** Types of rows that every other copy of an account does not know; absent: all know all. */
  readonly unknown?: Unknown;
}

export class World {
  readonly hits = new Hits();
  readonly random: SeededRandom;
  readonly scheduler: Scheduler;
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly devices: SimulatedDevice[] = [];
  /** People act and faults strike: not while everything comes to rest. */
  isLiving = false;
  private readonly subject: Subject;
  private readonly options: WorldOptions;
  private readonly serverPorts: ServerPorts;
  private readonly networkFaults: NetworkFaults = { requests: 0, messages: 0, smallPages: 0 };
  private readonly deviceFaults: DeviceFaults = { diskRefuses: 0, crashes: 0, loses: 0 };

  constructor(seed: number, subject: Subject, options: WorldOptions) {
    this.random = new SeededRandom(seed);
    this.subject = subject;
    this.options = options;
    const { random, hits } = this;
    this.scheduler = new Scheduler(random.fork());
    const { scheduler } = this;
    this.serverPorts = {
      subject,
      scheduler,
      random: random.fork(),
      hits,
      commitFaults: 0,
      readFaults: 0,
      publish: (change) => this.network.publish(change),
    };
    this.server = new SimulatedServer(this.serverPorts);
    this.network = new Network({
      scheduler,
      random: random.fork(),
      hits,
      faults: this.networkFaults,
      server: () => this.server,
    });
  }

  async open(): Promise<void> {
    const newId = createIdSource({ now: () => EPOCH_MS, random: (bytes) => this.random.fill(bytes) });
    const actors = Array.from({ length: this.options.accounts }, (_, index): AccountActor => {
      const personalScope = newId();
      return {
        type: 'account',
        account: index + 1,
        session: newId(),
        kind: 'web',
        personalScope,
        roles: new Map([[personalScope, 'owner']]),
      };
    });
    await this.server.open(actors);
    for (let index = 0; index < this.options.devices; index += 1) {
      const actor = actors[index % actors.length] as AccountActor;
      this.addDevice(new SimulatedDevice(`device ${index}`, actor, this.devicePorts(index)));
    }
  }

  addDevice(device: SimulatedDevice): void {
    this.devices.push(device);
    device.boot();
  }

  setFaults(level: number, without: Partial<NetworkFaults & DeviceFaults> = {}): void {
    Object.assign(this.networkFaults, {
      requests: 0.3 * level,
      messages: 0.4 * level,
      smallPages: without.smallPages ?? 0.4 * level,
    });
    Object.assign(this.deviceFaults, {
      diskRefuses: 0.03 * level,
      crashes: 0.004 * level,
      loses: without.loses ?? 0.25 * level,
    });
    Object.assign(this.serverPorts, { commitFaults: 0.04 * level, readFaults: 0.005 * level });
  }

  /** Lets the people act for a while, with whatever befalls them. */
  async live(actions: number): Promise<void> {
    const { random, scheduler } = this;
    // One history in thirty gets crowded at one spot.
    const crowds = random.chance(0.03);
    const device = (): SimulatedDevice => random.pick(this.devices);
    let left = actions;
    this.isLiving = true;
    const next = (): void => {
      if (left === 0) return;
      left -= 1;
      if (random.chance(0.06)) this.part(random.between(1_000, 40_000));
      act(device(), random);
      if (crowds && random.chance(0.2)) crowd(device(), 50);
      if (this.options.faults && random.chance(0.1)) befall(this, device());
      scheduler.after(random.chance(0.7) ? random.between(0, 300) : random.between(300, 8_000), next);
    };
    scheduler.after(500, next);
    await this.runUntil(() => left === 0, scheduler.now + 10 * YEAR_MS);
  }

  /** Ends all faults and steps until every copy has heard everything. `whenReady`: when all apps run, before they rest. */
  async settle(whenReady: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.setFaults(0);
    this.isLiving = false;
    const { scheduler } = this;
    await this.runUntil(() => this.server.exchange !== null, scheduler.now + SETTLE_MS);
    this.server.skew = null;
    for (const device of this.devices) {
      device.disk.mend();
      device.boot();
      this.network.setOnline(device, true);
    }
    await this.runUntil(() => this.devices.every((device) => device.isReady), scheduler.now + SETTLE_MS);
    await whenReady();
    await this.rest();
    // One more change of every scope: its answer carries the sum that shows a copy which lost something.
    for (const { engine, actor } of this.devices)
      for (const scope of this.server.actorNow(actor).roles.keys())
        engine?.replica.issue([
          {
            a: 'create',
            id: engine.replica.newId(),
            type: 'list',
            fields: { listType: 'list', name: 'last' },
            place: { parent: listsRoot(scope) },
          },
        ]);
    await this.rest();
  }

  private async rest(): Promise<void> {
    const isQuiet = await this.runUntilQuiet(this.scheduler.now + SETTLE_MS);
    const states = this.devices.map(({ name, engine }) => `${name} ${JSON.stringify(engine?.state.get())}`);
    assert.ok(isQuiet, `the world does not come to rest: ${states.join(', ')}`);
  }

  async check(): Promise<void> {
    const { server, devices, hits } = this;
    this.assertSound();
    await checkWorld({ server, devices, acknowledged: this.network.acknowledged, hits });
  }

  async close(): Promise<void> {
    for (const device of this.devices) device.leave();
    await this.server.close();
  }

  assertSound(): void {
    assert.deepEqual([...this.server.oracle.problems, ...this.network.problems], []);
  }

  /** Nobody hears of anybody for a while: what they do meanwhile is concurrent. */
  private part(forMs: number): void {
    const apart = this.devices.filter(() => this.random.chance(0.8));
    for (const device of apart) this.network.setOnline(device, false);
    for (const device of apart)
      this.scheduler.after(forMs + this.random.between(0, 5_000), () => this.network.setOnline(device, true));
  }

  private devicePorts(index: number) {
    const { subject, scheduler, network, hits, random } = this;
    const clockOffsetMs = this.options.faults ? random.pick([0, 0, -90_000, 4_000_000, -YEAR_MS]) : 0;
    const hasOld = this.options.faults && this.options.areAllNew !== true;
    const { accounts, unknown = knowsAll } = this.options;
    return {
      subject,
      scheduler,
      random: random.fork(),
      network,
      hits,
      faults: this.deviceFaults,
      clockOffsetMs,
      protocol: hasOld && random.chance(0.25) ? OLDEST_PROTOCOL : protocolVersion,
      unknown: Math.floor(index / accounts) % 2 === 1 ? unknown : knowsAll,
      renamed: (former: Id, waiting: Iterable<Operation>) => this.server.oracle.noteCopy(former, waiting),
    };
  }

  async runUntil(isDone: () => boolean, deadline: number): Promise<boolean> {
    const { oracle } = this.server;
    const { problems } = this.network;
    const isWrong = (): boolean => oracle.problems.length + problems.length > 0;
    const ended = await this.scheduler.runUntil(() => isWrong() || isDone(), deadline);
    this.assertSound();
    return ended;
  }

  private async runUntilQuiet(deadline: number): Promise<boolean> {
    const { scheduler } = this;
    while (scheduler.now < deadline) {
      await this.runUntil(() => this.devices.every((device) => isIdle(device)), deadline);
      if (await this.isLevel()) return true;
      const now = scheduler.now + 1_000;
      await this.runUntil(() => scheduler.now >= now, now + 120_000);
    }
    return false;
  }

  /** Whether every disk stands at the server's present version. */
  private async isLevel(): Promise<boolean> {
    for (const device of this.devices) {
      if (!isIdle(device) || device.contents.outbox.size > 0) return false;
      for (const scope of this.server.actorNow(device.actor).roles.keys()) {
        const head = await this.server.store.scope(scope);
        const cursor = device.contents.meta?.cursors[scope];
        if (
          cursor?.version !== head?.version ||
          cursor?.generation !== `generation-${this.server.incarnation}`
        )
          return false;
      }
    }
    return true;
  }
}

function isIdle(device: SimulatedDevice): boolean {
  return device.engine?.state.get().type === 'synced' && device.disk.writesUnderWay === 0;
}

export interface Outcome {
  readonly hits: Hits;
  /** A text that is equal for equal histories. */
  readonly trace: string;
  readonly steps: number;
}

/** Lives through one seed. Rejects with what is wrong. */
export async function runHistory(seed: number, subject: Subject): Promise<Outcome> {
  const shape = new SeededRandom(seed ^ 0x5bd1e995);
  const accounts = shape.between(1, 2);
  const world = new World(seed, subject, {
    devices: shape.between(2, 4),
    accounts,
    faults: shape.chance(0.9),
    unknown: unknownIn(seed),
  });
  try {
    await world.open();
    world.setFaults(shape.chance(0.15) ? 0 : shape.fraction());
    await world.live(shape.between(15, 70));
    await world.settle();
    await world.check();
    const rows: unknown[] = [];
    for (const scope of world.server.oracle.scopes.keys())
      rows.push([...(await world.server.rowsOf(scope)).values()]);
    return {
      hits: world.hits,
      trace: JSON.stringify([world.scheduler.now, world.scheduler.steps, rows]),
      steps: world.scheduler.steps,
    };
  } finally {
    await world.close();
  }
}

export function replayCommand(seed: number, mode = 'plain'): string {
  return `npm run soak -- --mode ${mode} --seed ${seed} --histories 1`;
}
