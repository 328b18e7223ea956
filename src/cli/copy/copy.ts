// A copy of an encrypted account that a run of the command line holds: the engine of devices, which opens what comes and seals what goes. It is
// brought into step before each call, and a write is over once the server has judged it.
import { randomFillSync } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import type { ApiActor, ApiPlan, PlannedAction, PlanOffice, PlanRefusal } from '#api/ports.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { mergeNote } from '#sync/notes/note-merging.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { noteDocOf, noteTextOf } from '#sync/notes/note.ts';
import type { Random, Timers } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { isRefusal, type Action, type Verdict } from '#sync/rows/operation.ts';
import { keepsEncrypted } from '#client/sealing/writes-locked.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import type { SealingPlatform } from '#sync/sealing/ports.ts';
import type { CopySelf } from '#wire/api/copy.ts';
import { registerChecks } from '#wire/registers.ts';
import { Failure } from '../failure.ts';
import type { CopyDisk } from './disk.ts';
import { transportOf, type Line, type Traffic } from './network.ts';
import { CopyRows } from './rows.ts';

/** The loop of the engine waits so long at least once there is nothing to do. */
const REST_MS = 20_000;
/** How often it is looked whether the copy is in step. */
const LOOK_MS = 2;
/** After so many looks it is asked again. */
const LOOKS_TO_ASK = 250;
/** A server that says nothing new for so long is given up. */
const PATIENCE_MS = 120_000;

export const random: Random = {
  fill: (bytes) => void randomFillSync(bytes),
  fraction: () => 0.5,
};

/** What a copy needs. */
export interface CopyPorts {
  readonly line: Line;
  readonly self: CopySelf;
  readonly platform: SealingPlatform;
  readonly disk: CopyDisk;
  readonly now: () => number;
}

const outdated = () =>
  new Failure(
    'access',
    'This account has a new key since, and this machine has the one of before. Add the new one with: posthaste key add',
  );

/** One run's copy. */
export class Copy implements PlanOffice {
  readonly #ports: CopyPorts;
  #engine: Engine | null = null;
  #traffic: Traffic | null = null;
  #rests = 0;
  #isPlain = false;
  /** Whether rows were kept since they were taken: also those that a key has opened that came late. */
  #isChanged = true;
  /** The rows as they were when the copy was in step last. */
  readonly rows = new CopyRows();

  constructor(ports: CopyPorts) {
    this.#ports = ports;
  }

  /** Fetches what the server has by now. Rejects with a Failure. */
  async bringUp(): Promise<void> {
    const engine = await this.#running();
    await this.#settle(engine);
    await this.#checkKey(engine);
  }

  /**
   * Whether nothing here is encrypted, neither the account nor a shared list, by the word of those who have the keys: what the server says of it
   * doesn't count.
   */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  async #running(): Promise<Engine> {
    if (this.#engine !== null) return this.#engine;
    const { line, self, platform, disk, now } = this.#ports;
    const scope = self.scope as Id;
    const { transport, traffic } = transportOf(line, scope);
    this.#traffic = traffic;
    const engine = createEngine(
      {
        checks: registerChecks,
        storage: {
          ...disk.storage,
          write: (batch) => {
            const { rowsPut = [], rowsRemove = [] } = batch;
            this.#isChanged ||= rowsPut.length + rowsRemove.length > 0;
            return disk.storage.write(batch);
          },
        },
        transport: { ...transport, sealing: () => Promise.resolve(platform) },
        clock: { now, monotonic: () => performance.now() },
        timers: this.#timers(),
        random,
      },
      { scope, account: self.account },
    );
    this.#engine = engine;
    await engine.open();
    await engine.loaded();
    engine.replica.learnToMerge(mergeNote);
    engine.replica.learnToKeep(keepsEncrypted);
    return engine;
  }

  /** What is due at once is done; nothing waits in the background for later. */
  #timers(): Timers {
    return {
      after: (delayMs, work) => {
        if (delayMs >= REST_MS) this.#rests += 1;
        const timer = delayMs === 0 ? setImmediate(work) : undefined;
        return () => clearImmediate(timer);
      },
    };
  }

  /** Resolves once everything is sent and fetched. */
  async #settle(engine: Engine): Promise<void> {
    const rests = this.#rests;
    const traffic = this.#traffic;
    if (traffic === null) return;
    traffic.failure = null;
    engine.nudge();
    let [heard, until] = [traffic.heard, performance.now() + PATIENCE_MS];
    let looks = 0;
    let asked = rests;
    const isThere = () =>
      this.#rests > rests &&
      traffic.open === 0 &&
      engine.state.get().type === 'synced' &&
      engine.facts().isWhole;
    while (!isThere()) {
      if (traffic.failure !== null && traffic.open === 0) await this.#giveUp(traffic);
      if (traffic.heard > heard) [heard, until] = [traffic.heard, performance.now() + PATIENCE_MS];
      if (performance.now() > until)
        throw new Failure('offline', "The server doesn't answer in full. Try again.");
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      // What has to be made ready first goes with the next try, once this one is over.
      looks += 1;
      if (looks % LOOKS_TO_ASK !== 0 || this.#rests === asked || traffic.open > 0) continue;
      asked = this.#rests;
      engine.nudge();
    }
    await engine.flushed();
    if (this.#isChanged) this.rows.take(this.#ports.disk.contents.rows.values());
    this.#isChanged = false;
  }

  /** What can't be sent now isn't sent later: who asked for it hears that it wasn't done. */
  async #giveUp({ failure, error }: Traffic): Promise<never> {
    await this.close();
    if (failure?.type === 'offline') throw error;
    if (failure?.type === 'signedOut')
      throw new Failure('access', 'The token is missing or invalid. Sign in with: posthaste login');
    if (failure?.type === 'busy')
      throw new Failure('limit', 'The server takes nothing more for now. Try again later.', {
        retryMs: failure.retryAfterMs,
      });
    throw new Failure('refused', failure?.type === 'refused' ? failure.message : 'The server refused it.');
  }

  async #checkKey(engine: Engine): Promise<void> {
    const { platform, self } = this.#ports;
    const keys = new DeviceKeys(platform, { account: self.account, scope: self.scope as Id });
    await keys.load();
    const hasLists = Object.keys(engine.facts().lists ?? {}).length > 0;
    this.#isPlain = keys.directory?.state.phase === 'plain' && !hasLists;
    const said = this.#traffic?.sealing;
    if (said === undefined) return;
    keys.hears(said);
    if (keys.isBehind) throw outdated();
  }

  async carryOut(_actor: ApiActor, _device: Id, plan: ApiPlan): Promise<PlanRefusal | null> {
    const engine = await this.#running();
    const { rows } = this;
    const actions = plan.decide({
      row(scope, id) {
        const row = rows.row(id);
        return row?.scope === scope ? row : undefined;
      },
      absence: (_scope, id) => (rows.row(id) === undefined ? 'unknown' : 'elsewhere'),
    });
    if (actions === null) return 'by plan';
    if (actions.length === 0) return null;
    const refused = this.#issue(engine, actions);
    if (refused !== null) {
      // Nothing of it was sent, and nothing will be.
      await this.close();
      return refused;
    }
    const sent = new Map<string, number>();
    for (const [at, { action }] of actions.entries()) if (!sent.has(action.id)) sent.set(action.id, at);
    await this.#settle(engine);
    const [item, ...more] = engine.recovered.get();
    if (item === undefined) return null;
    engine.dropRecovered([item, ...more].map(({ operation }) => operation.q));
    return { verdict: item.verdict as Verdict, index: sent.get(item.operation.id) ?? 0 };
  }

  /** Issues the actions of a plan, each of its atomic changes as one. Returns what the prediction refuses. */
  #issue({ replica }: Engine, planned: readonly PlannedAction[]): PlanRefusal | null {
    const changes = Map.groupBy(planned.entries(), ([, { x }]) => x);
    for (const entries of changes.values()) {
      const actions = entries.map(([, { action }]) => this.#asDevice(replica, action));
      const group = entries[0]?.[1].g;
      const { verdicts } = replica.issue(actions, { atomic: true, ...(group && { group }) });
      const at = verdicts.findIndex((verdict) => isRefusal(verdict));
      if (at >= 0) return { verdict: verdicts[at] ?? 'invalid', index: entries[at]?.[0] ?? 0 };
    }
    return null;
  }

  /** A note is changed as an editor does it, so that it merges with what others write. */
  #asDevice(replica: Engine['replica'], action: Action): Action {
    if (action.a !== 'set' || action.field !== 'notes') return action;
    const row = replica.row(action.id);
    if (row === undefined) return action;
    const session = new NoteSession(() => {
      const four = new Uint32Array(1);
      randomFillSync(four);
      return four[0] ?? 0;
    });
    session.load(noteTextOf(row), noteDocOf(row));
    const to = typeof action.value === 'string' ? action.value : '';
    return { a: 'note', id: action.id, ...session.change(to, true) };
  }

  /** Ends. What wasn't sent is dropped. */
  async close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = null;
    await engine?.close();
    const { contents } = this.#ports.disk;
    contents.outbox.clear();
    contents.recovered.clear();
    contents.journal.clear();
  }
}
