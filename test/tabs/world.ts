// One profile in several tabs and the server it synchronises with, in virtual time: what happens at random, coming to rest,
// and what must hold then.
import assert from 'node:assert/strict';
import { createIdSource, type Id } from '#core/ids.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { LiveListener, Transport } from '#sync/replica/ports.ts';
import { isKnown, type StoredRow } from '#sync/rows/row.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { Hits } from '../simulator/hits.ts';
import { production } from '../simulator/production.ts';
import { SeededRandom } from '../simulator/random.ts';
import { Scheduler } from '../simulator/scheduler.ts';
import { EPOCH_MS, SimulatedServer } from '../simulator/server.ts';
import { heardBy, knowsAll, unknowing, type Unknown } from '../simulator/unknown-types.ts';
import { act } from '../simulator/user.ts';
import { BrowserProfile, type ProfileFaults, type Tab } from './profile.ts';

const HISTORY_MS = 90_000;
const REST_MS = 400_000;

export class World {
  readonly random: SeededRandom;
  readonly scheduler: Scheduler;
  readonly server: SimulatedServer;
  readonly profile: BrowserProfile;
  readonly faults: ProfileFaults = { diskRefuses: 0, crashes: 0 };
  isOnline = true;
  /** Operations that any tab put into a request, by their own id. */
  readonly sent = new Set<Id>();
  private readonly listeners = new Map<Tab, LiveListener>();
  private readonly actor: AccountActor;
  private readonly unknown: Unknown;

  /** `unknown`: types of rows that the app in all tabs does not know once the server sends them. */
  constructor(seed: number, hasAccount: boolean, unknown = knowsAll) {
    this.unknown = unknown;
    this.random = new SeededRandom(seed);
    this.scheduler = new Scheduler(this.random.fork());
    const newId = createIdSource({ now: () => EPOCH_MS, random: (bytes) => this.random.fill(bytes) });
    const personalScope = newId();
    this.actor = {
      type: 'account',
      account: 1,
      session: newId(),
      kind: 'web',
      personalScope,
      roles: new Map([[personalScope, 'owner']]),
    };
    this.server = new SimulatedServer({
      subject: production,
      scheduler: this.scheduler,
      random: this.random.fork(),
      hits: new Hits(),
      commitFaults: 0,
      readFaults: 0,
      publish: (change) => {
        for (const [tab, listener] of this.listeners)
          tab.later(this.random.between(5, 100), () => {
            if (this.isOnline) listener.poke(change.scope, change.to);
          });
      },
    });
    this.profile = new BrowserProfile({
      scheduler: this.scheduler,
      random: this.random.fork(),
      scope: personalScope,
      account: hasAccount ? 1 : 0,
      faults: this.faults,
      transportFor: (tab) => (hasAccount ? unknowing(this.transportFor(tab), unknown) : null),
    });
  }

  async open(): Promise<void> {
    await this.server.open([this.actor]);
  }

  private transportFor(tab: Tab): Transport {
    const { server, actor, random, scheduler } = this;
    /** Requests reach the server whatever becomes of the tab; answers may be lost. */
    const exchanged = <T>(ask: () => Promise<T>) =>
      new Promise<T | null>((resolve) => {
        scheduler.after(random.between(5, 100), () => {
          if (!this.isOnline) {
            tab.later(1, () => resolve(null));
            return;
          }
          void ask().then((answer) => {
            const isLost = random.chance(0.05);
            tab.later(isLost ? 5_000 : random.between(5, 100), () => resolve(isLost ? null : answer));
          });
        });
      });
    const offline = { ok: false, problem: { type: 'offline' } } as const;
    return {
      sync: async (request) => {
        const { exchange } = server;
        assert.ok(exchange);
        for (const { u } of request.ops as readonly Operation[]) this.sent.add(u);
        const sent = structuredClone(request);
        const answer = await exchanged(() => {
          const at = Math.round(server.now());
          server.oracle.arrived(actor, { clientNow: sent.clientNow, sentAt: sent.sentAt, at }, sent.ops);
          return exchange.sync(actor, sent);
        });
        if (answer === null) return offline;
        if (answer.ok) return { ok: true, value: structuredClone(answer.value) };
        return {
          ok: false,
          problem: { type: 'refused', code: answer.problem.code, message: answer.problem.message },
        };
      },
      snapshot: async (scope, place) => {
        const { exchange } = server;
        assert.ok(exchange);
        const answer = await exchanged(() => exchange.part(actor, scope, place));
        if (answer === null || !answer.ok) return offline;
        return { ok: true, value: partFromWire(structuredClone(answer.value)) };
      },
      listen: (on) => {
        this.listeners.set(tab, on);
        return () => this.listeners.delete(tab);
      },
    };
  }

  /** One thing that happens: mostly somebody types. */
  private happen(): void {
    const { profile, random } = this;
    const { living } = profile;
    const draw = random.fraction();
    const some = living.length === 0 ? null : random.pick(living);
    if (living.length === 0 || (draw < 0.04 && living.length < 5)) profile.openTab();
    else if (some === null) return;
    else if (draw < 0.06) some.crash();
    else if (draw < 0.07) void some.close();
    else if (draw < 0.1 && !some.isFrozen) some.freeze();
    else if (draw < 0.14 && some.isFrozen) some.wake();
    else if (draw < 0.15 && !some.isFrozen) profile.steal(some);
    else if (draw < 0.18) this.isOnline = random.chance(0.6);
    else if (!some.isFrozen) act(some, random);
  }

  async live(): Promise<void> {
    this.faults.diskRefuses = this.random.chance(0.3) ? 0.05 : 0;
    this.faults.crashes = this.random.chance(0.5) ? 0.004 : 0;
    for (let count = this.random.between(2, 5); count > 0; count -= 1) this.profile.openTab();
    const next = () => {
      if (this.scheduler.now > HISTORY_MS) return;
      this.happen();
      this.scheduler.after(this.random.between(1, 1_200), next);
    };
    this.scheduler.after(200, next);
    await this.scheduler.runUntil(() => false, HISTORY_MS);
  }

  /** Everything works again and everybody is heard. */
  async rest(): Promise<void> {
    this.faults.diskRefuses = 0;
    this.faults.crashes = 0;
    this.isOnline = true;
    if (this.profile.living.length === 0) this.profile.openTab();
    for (const tab of this.profile.living) if (tab.isFrozen) tab.wake();
    for (const tab of this.profile.living) tab.engine?.nudge();
    const isQuiet = () => this.profile.living.every((tab) => this.isAtRest(tab));
    const until = this.scheduler.now + REST_MS;
    // Quiet for a while, not only for a moment: something may still be on its way to another tab.
    for (let quiet = 0; quiet < 3;) {
      assert.ok(await this.scheduler.runUntil(isQuiet, until), `comes to rest: ${this.describe()}`);
      await this.scheduler.runUntil(() => false, this.scheduler.now + 3_000);
      quiet = isQuiet() ? quiet + 1 : 0;
      assert.ok(this.scheduler.now < until, `stays at rest: ${this.describe()}`);
    }
  }

  /** What a tab wrote and did not live to tell is told by the next one, whatever its lane. */
  async takeUpUntold(): Promise<void> {
    if (this.profile.contents.outbox.size === 0) return;
    this.profile.openTab();
    await this.rest();
  }

  private isAtRest(tab: Tab): boolean {
    const { engine } = tab;
    if (engine === null || !tab.isReady || tab.writesUnderWay > 0) return false;
    const { type } = engine.state.get();
    return engine.facts().pending.length === 0 && (type === 'synced' || type === 'local');
  }

  private describe(): string {
    return this.profile.living
      .map((tab) => {
        const part = this.profile.leader === tab ? 'leads' : 'follows';
        const state = tab.isReady ? JSON.stringify(tab.engine?.state.get()) : 'opening';
        return `${tab.name} ${part}, ${state}, ${tab.isReady ? tab.engine?.facts().pending.length : 0} waiting`;
      })
      .join('; ');
  }

  async check(): Promise<void> {
    const { profile, server } = this;
    const { contents } = profile;
    const isShared = profile.ports.account !== 0;
    const held = isShared ? [...(await server.rowsOf(profile.ports.scope)).values()] : contents.rows.values();
    const rows = [...held].map((row): StoredRow => heardBy(this.unknown, row));
    const expected = sorted(rows);
    const known = sorted(rows.filter(isKnown));
    assert.deepEqual(server.oracle.problems, []);
    assert.deepEqual([...server.oracle.twice], [], 'nothing is made twice');
    assert.deepEqual(sorted(contents.rows.values()), expected, 'the disk holds what the server holds');
    assert.equal(contents.outbox.size, 0, 'nothing waits on the disk');
    for (const tab of profile.living) {
      assert.ok(tab.engine);
      assert.deepEqual(sorted(tab.engine.replica.all()), known, `${tab.name} shows what the server holds`);
      assert.notEqual(tab.engine.facts().digest, 'different', `${tab.name} has the server's sum`);
      assert.deepEqual(
        tab.engine.recovered
          .get()
          .map(({ operation }) => operation.u)
          .toSorted(),
        [...contents.recovered.values()].map(({ operation }) => operation.u).toSorted(),
        `${tab.name} shows what was refused`,
      );
    }
    if (!isShared) return;
    for (const operation of profile.durable.values()) {
      const verdict = server.oracle.verdicts.get(operation.u);
      // A later write of the same tab may have made it pointless.
      const isDroppable = operation.a === 'set' || ('only' in operation && operation.only !== undefined);
      assert.ok(
        verdict !== undefined || isDroppable,
        `${operation.a} ${operation.q} never reached the server`,
      );
      assert.notEqual(verdict, 'gone', `${operation.a} ${operation.q} came before what it is about`);
    }
  }

  async close(): Promise<void> {
    for (const tab of this.profile.living) tab.crash();
    await this.server.close();
  }
}

function sorted(rows: Iterable<StoredRow>): readonly unknown[] {
  return [...rows]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => ({ ...row, stamps: row.stamps ?? {} }));
}
