// The network of a simulated world: latency, losses, repetitions, answers that never come, pages cut small, and a live
// channel on which anything may be late, doubled or missing. Everything crosses as JSON, as on the wire.
import type { Id } from '#core/ids.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import type {
  LiveListener,
  PartPage,
  Transport,
  TransportAnswer,
  TransportFailure,
} from '#sync/replica/ports.ts';
import {
  syncResponseSchema,
  type ScopeChanges,
  type SyncErrorCode,
  type SyncRequest,
  type SyncResponse,
  type SnapshotPlace,
} from '#wire/sync.ts';
import type { Row } from '#sync/rows/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { shelfOf } from '#server/data/shelf.ts';
import type { Published } from '#server/sync/exchange.ts';
import { heardBy } from '#server/sync/readership.ts';
import type { SimulatedDevice } from './device.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';
import { settled, type Scheduler } from './scheduler.ts';
import { startOf, type SimulatedServer } from './server.ts';

export interface NetworkFaults {
  /** Likelihood that a request meets with something. */
  requests: number;
  /** Likelihood that a live message does. */
  messages: number;
  /** Likelihood that a page is cut to a few rows. */
  smallPages: number;
}

interface NetworkPorts {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly hits: Hits;
  readonly faults: NetworkFaults;
  server(): SimulatedServer;
}

const fates = [
  'request lost',
  'request repeated',
  'answer lost',
  'answer lost',
  'answer cut short',
  'server error before the effect',
  'server error after the effect',
  'late',
] as const;
type Fate = (typeof fates)[number] | 'arrives';

const offline: TransportFailure = { type: 'offline' };

export class Network {
  /** Operations whose acceptance a device was told, by their own id. */
  readonly acknowledged = new Set<Id>();
  readonly problems: string[] = [];
  /** Called when a device that showed these rows has heard that they are gone, from a server that has ended since: its nth start. */
  heardLate: ((device: SimulatedDevice, rows: ReadonlySet<Id>, start: number) => void) | null = null;
  private readonly ports: NetworkPorts;
  private readonly listeners = new Map<SimulatedDevice, LiveListener>();

  constructor(ports: NetworkPorts) {
    this.ports = ports;
  }

  transportFor(device: SimulatedDevice, isAlive: () => boolean): Transport {
    return {
      sync: (request) => this.sync(device, request, isAlive),
      snapshot: (scope, place) => this.exchange(device, isAlive, () => this.snapshot(device, scope, place)),
      listen: (on) => {
        this.listeners.set(device, on);
        this.ports.scheduler.after(this.latency(), () => {
          if (isAlive() && device.isOnline) on.open();
        });
        return () => this.forget(device);
      },
    };
  }

  /** What exists, for those who guess well. */
  knownIds(scope: Id): readonly Id[] {
    return [...(this.ports.server().oracle.scopes.get(scope)?.model.rows.keys() ?? [])];
  }

  forget(device: SimulatedDevice): void {
    this.listeners.delete(device);
  }

  setOnline(device: SimulatedDevice, isOnline: boolean): void {
    device.isOnline = isOnline;
    if (isOnline) this.listeners.get(device)?.open();
  }

  /** Sends a commit to everybody who follows the scope. */
  publish(change: Published): void {
    const { random, faults } = this.ports;
    for (const [device, listener] of this.listeners) {
      if (!this.mayRead(device, change.scope)) continue;
      const copies = random.chance(faults.messages) ? random.below(3) : 1;
      for (let copy = 0; copy < copies; copy += 1) this.tell(device, listener, change);
    }
  }

  private tell(device: SimulatedDevice, listener: LiveListener, change: Published): void {
    const { random, scheduler, hits, faults } = this.ports;
    const delay = random.chance(faults.messages) ? random.between(1, 3_000) : this.latency();
    scheduler.after(delay, () => {
      if (!device.isOnline || this.listeners.get(device) !== listener) return;
      if (random.chance(0.4)) {
        listener.poke(change.scope, change.to);
        return;
      }
      hits.hit('delta taken');
      const heard = overTheWire(heardBy(change.changes, (scope) => this.mayRead(device, scope)));
      this.noteLate(device, [heard]);
      listener.delta(heard);
    });
  }

  private mayRead({ actor }: SimulatedDevice, scope: Id): boolean {
    return this.ports.server().actorNow(actor).roles.has(scope);
  }

  private latency(): number {
    return this.ports.random.between(5, 120);
  }

  private async sync(
    device: SimulatedDevice,
    request: SyncRequest,
    isAlive: () => boolean,
  ): Promise<TransportAnswer<SyncResponse>> {
    const { random, faults, hits } = this.ports;
    const sent = overTheWire(request);
    if (random.chance(faults.smallPages)) sent.maxRows = random.between(1, 8);
    sent.schema = device.protocol;
    if (device.protocol === 1) hits.hit('spoke protocol 1');
    const answer = await this.exchange(device, isAlive, () => this.deliver(device.actor, sent));
    if (answer.ok) this.note(sent, answer.value);
    if (answer.ok) this.noteLate(device, answer.value.changes);
    return answer;
  }

  /** One request and its answer, with what happens on the way. Never settles for a device that has crashed. */
  private exchange<T>(
    device: SimulatedDevice,
    isAlive: () => boolean,
    deliver: () => Promise<TransportAnswer<T>>,
  ): Promise<TransportAnswer<T>> {
    const { random, scheduler, hits, faults } = this.ports;
    return new Promise((resolve) => {
      const settle = (delayMs: number, answer: TransportAnswer<T>): void => {
        scheduler.after(delayMs, () => {
          if (!isAlive() || device.mayCrash()) return;
          resolve(device.isOnline ? answer : { ok: false, problem: offline });
        });
      };
      if (!device.isOnline) {
        settle(1, { ok: false, problem: offline });
        return;
      }
      const fate: Fate = random.chance(faults.requests) ? random.pick(fates) : 'arrives';
      if (fate === 'request lost') {
        settle(random.between(100, 10_000), { ok: false, problem: offline });
        return;
      }
      if (fate === 'server error before the effect') {
        hits.hit(fate);
        settle(20, this.serverError());
        return;
      }
      if (device.mayCrash()) return;
      if (fate === 'request repeated') {
        // A second copy arrives some time later; nobody waits for its answer.
        hits.hit(fate);
        scheduler.after(random.between(1, 20_000), () => void deliver());
      }
      const there = fate === 'late' ? random.between(500, 9_000) : this.latency();
      scheduler.after(there, () => {
        void deliver().then((answer) => {
          const isLost = fate === 'answer lost';
          settle(isLost ? random.between(100, 10_000) : this.latency(), this.wayBack(fate, answer));
        });
      });
    });
  }

  /** What becomes of an answer before it is read. */
  private wayBack<T>(fate: Fate, answer: TransportAnswer<T>): TransportAnswer<T> {
    const { hits, random } = this.ports;
    if (fate === 'answer lost') {
      hits.hit(fate);
      return { ok: false, problem: offline };
    }
    if (fate === 'server error after the effect') {
      hits.hit(fate);
      return this.serverError();
    }
    if (fate !== 'answer cut short' || !answer.ok) return answer;
    hits.hit(fate);
    const text = JSON.stringify(answer.value);
    if (isJson(text.slice(0, random.below(text.length)))) this.problems.push('a cut answer could be read');
    return { ok: false, problem: offline };
  }

  private serverError(): TransportAnswer<never> {
    return { ok: false, problem: { type: 'busy', retryAfterMs: this.ports.random.between(100, 5_000) } };
  }

  /** Brings a request to the server, if there is one. */
  async deliver(actor: AccountActor, request: SyncRequest): Promise<TransportAnswer<SyncResponse>> {
    const server = this.ports.server();
    const { exchange, ended } = server;
    if (exchange === null) return { ok: false, problem: offline };
    if (server.skew !== null) return refused(server.skew, 'One of the two has to be updated.');
    this.noteReturn(server, request);
    const { clientNow, sentAt } = request;
    server.oracle.arrived(actor, { clientNow, sentAt, at: Math.round(server.now()) }, request.ops);
    try {
      const answer = await Promise.race([exchange.sync(server.actorNow(actor), overTheWire(request)), ended]);
      if (answer === null) return { ok: false, problem: offline };
      if (!answer.ok) {
        if (answer.problem.code === 'device_conflict') this.ports.hits.hit('device conflict');
        return refused(answer.problem.code, answer.problem.message);
      }
      const response = overTheWire(answer.value);
      const parsed = syncResponseSchema.safeParse(response);
      if (!parsed.success) this.problems.push(`an answer breaks its schema: ${parsed.error.message}`);
      this.countChanges(response);
      return { ok: true, value: response };
    } catch {
      return { ok: false, problem: { type: 'busy', retryAfterMs: 1_000 } };
    }
  }

  private async snapshot(
    device: SimulatedDevice,
    scope: Id,
    place: SnapshotPlace,
  ): Promise<TransportAnswer<PartPage>> {
    const { random, faults } = this.ports;
    const server = this.ports.server();
    const { exchange, ended } = server;
    if (exchange === null) return { ok: false, problem: offline };
    const actor = server.actorNow(device.actor);
    const answer = await Promise.race([exchange.part(actor, scope, place), ended]).catch(() => null);
    if (answer === null) return { ok: false, problem: offline };
    if (!answer.ok) return refused(answer.problem.code, answer.problem.message);
    const page = partFromWire(overTheWire(answer.value));
    const size = random.chance(faults.smallPages) ? random.between(1, 10) : page.rows.length;
    if (size >= page.rows.length) return { ok: true, value: page };
    const rows = page.rows.slice(0, size);
    const next = { part: place.part, after: shelfOf(rows.at(-1) as Row) };
    return { ok: true, value: { ...page, rows, next } };
  }

  /** A device that was away for longer than the server remembers what was removed. */
  private noteReturn(server: SimulatedServer, request: SyncRequest): void {
    const isBehind = Object.entries(request.cursors).some(
      ([scope, { version }]) => version > 0 && version < (server.horizons.get(scope as Id) ?? 0),
    );
    if (isBehind && request.ops.length > 0) this.ports.hits.hit('came back beyond the horizon with a queue');
  }

  private note(request: SyncRequest, response: SyncResponse): void {
    const verdicts = new Map(response.results);
    // A server that went back judges nothing before the device stands where it stands.
    const isWithheld = response.changes.some(({ rollback }) => rollback !== undefined);
    for (const operation of request.ops as { q: number; u: Id }[]) {
      if (!verdicts.has(operation.q) && !isWithheld)
        this.problems.push(`operation ${operation.u} got no verdict`);
      if (verdicts.get(operation.q) === 'ok') this.acknowledged.add(operation.u);
    }
  }

  /** The device is about to hear this. */
  private noteLate(device: SimulatedDevice, changes: readonly ScopeChanges[]): void {
    const { heardLate } = this;
    if (heardLate === null) return;
    for (const { generation, gone } of changes) {
      const start = startOf(generation);
      const shown = new Set(gone.filter((id) => device.engine?.replica.row(id) !== undefined));
      if (shown.size > 0 && start !== this.ports.server().incarnation)
        void settled().then(() => heardLate(device, shown, start));
    }
  }

  private countChanges(response: SyncResponse): void {
    const { hits } = this.ports;
    for (const change of response.changes) {
      if (change.resync === true) hits.hit('resync');
      if (change.bootstrap === true) hits.hit('bootstrap');
      else if (change.more) hits.hit('page with more to come');
    }
  }
}

function refused(code: SyncErrorCode, message: string): TransportAnswer<never> {
  return {
    ok: false,
    problem: code === 'signed_out' ? { type: 'signedOut' } : { type: 'refused', code, message },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
