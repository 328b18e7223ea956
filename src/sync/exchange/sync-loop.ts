// Exchanges changes with the server: sends durable operations in order, takes in verdicts and rows, follows pokes, and
// recovers after failures. One request is under way at a time. Any request may be lost, doubled or answered late.
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import type { ScopeChanges, SyncRequest, SyncResponse } from '#wire/sync.ts';
import { namesAccount } from '#wire/features.ts';
import { protocolVersion } from '#wire/version.ts';
import { laneIn, laneOf } from '../tabs/sequences.ts';
import { type LoopState, NOT_HEARD } from './loop-state.ts';
import { becomeDevice } from './new-identity.ts';
import type { Operation } from '../rows/operation.ts';
import type { Clock, Random, RecoveredItem, Timers, Transport, TransportFailure } from '../replica/ports.ts';
import { type ReadingProgress, Readings } from './reading.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { portionsOf } from './portions.ts';
import { holdsNew } from './never-sent.ts';
import { follows, keepOnly, receive, type Received } from './taking-in.ts';
import { gated } from '../sealing/gate.ts';
import { hostOf } from './sealing-host.ts';
import { ServerTime } from './server-time.ts';
import type { SaveQueue } from '../replica/save-queue.ts';
import { learnUnknown, mayStandElsewhere, released, withheld } from './unknown-scopes.ts';
import type { StoredRow } from '../rows/row.ts';
import { stoodOf } from '../replica/generation-history.ts';
import { Verdicts, type Results } from '../replica/verdicts.ts';

const MOST_OPERATIONS = 1_000;
/** Well under the server's limit of 1 MiB for a push. */
const MOST_BYTES = 900_000;
const SAFETY_PULL_MS = 60_000;
const LONGEST_BACKOFF_MS = 60_000;
const RESTART_EVERY_MS = 600_000;
const PAGE_ROWS = 2_000;
/** Consecutive rounds without progress, and the delay of the next one after them. */
const MOST_FRUITLESS = 4;
const REST_MS = 30_000;

interface LoopPorts {
  readonly replica: DeviceReplica;
  readonly saves: SaveQueue;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  refused(items: readonly RecoveredItem[]): void;
  /**
   * This device and a restored server are together again: the server took back this many of its rows. There may be none, where others
   * brought them back before.
   */
  restored(count: number): void;
  changed(): void;
}

function outdatedBy(failure: TransportFailure): LoopState['outdated'] {
  if (failure.type !== 'refused') return null;
  if (failure.code === 'too_new') return 'server';
  return failure.code === 'too_old' ? 'app' : null;
}

/** Null when this file of the app failed to load: it is tried again. */
const loadHealing = () => import('./healing.ts').catch(() => null);

export class SyncLoop {
  readonly #ports: LoopPorts;
  readonly #readings: Readings;
  readonly #verdicts: Verdicts;
  readonly #restartedAt = new Map<Id, number>();
  /** Rows taken back by the server, not reported yet. */
  readonly #restored = new Set<Id>();
  /** What waited for a verdict when a restored scope was taken in; null: no scope was. */
  #unjudged: ReadonlySet<Id> | null = null;
  #state: LoopState = NOT_HEARD;
  #running = false;
  #again = false;
  #failures = 0;
  #fruitless = 0;
  #batchLimit = MOST_OPERATIONS;
  /** By lane: operations up to this number may have reached the server; they are never changed again. */
  readonly #maybeSent = new Map<number, number>();
  #cancelTimer: (() => void) | null = null;
  #isSoon = false;
  readonly #serverTime = new ServerTime();
  #stopListening: (() => void) | null = null;
  #closed = false;

  constructor(ports: LoopPorts) {
    this.#ports = {
      ...ports,
      transport: gated(
        ports.transport,
        hostOf(ports, () => this.nudge()),
      ),
    };
    this.#readings = new Readings({ ...this.#ports, wake: () => this.wake() });
    this.#verdicts = new Verdicts(ports.replica);
    for (const { q } of ports.replica.pending) this.#noteSent(q);
  }

  get status(): LoopState {
    return { ...this.#state, judged: this.#verdicts.size };
  }

  start(): void {
    const { replica, transport } = this.#ports;
    this.#stopListening = transport.listen({
      hello: () => ({ device: replica.meta.device, cursors: replica.meta.cursors }),
      poke: (scope, version) => {
        if ((replica.meta.cursors[scope]?.version ?? -1) < version) this.wake();
      },
      delta: (changes) => this.#takeDelta(changes),
      open: () => this.nudge(),
      // A request gets the server's own answer about it, and reports that.
      signedOut: () => this.nudge(),
    });
    this.wake();
    this.#readings.wake();
    void this.#showOffers();
  }

  /** What waits and may be sent. */
  get #queue(): readonly Operation[] {
    const { replica } = this.#ports;
    const held = withheld(replica);
    return held.size === 0 ? replica.pending : replica.pending.filter((operation) => !held.has(operation));
  }

  /** Operations without a verdict of the server, as far as this run knows. */
  get unsent(): readonly Operation[] {
    return this.#ports.replica.pending.filter(({ q }) => !this.#verdicts.isHeld(q));
  }

  /** Progress of scopes that are read from the start; null when there are none. */
  get progress(): ReadingProgress | null {
    return this.#readings.progress;
  }

  /** Tries now, whatever failed before. */
  nudge(): void {
    this.#failures = 0;
    this.wake();
    this.#readings.nudge();
  }

  /** There is something to send or fetch. */
  wake(): void {
    if (this.#closed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    if (this.#failures === 0) this.#schedule(0);
  }

  /**
   * The disk has taken something. If that is what was never sent, its frame is over: it is sent without waiting for another one, after keys
   * that came meanwhile.
   */
  saved(): void {
    const { timers, replica, saves } = this.#ports;
    const isNew = replica.ages.areKnown && holdsNew(this.#queue, this.#maybeSent, saves);
    if (!isNew || this.#running || timers.soon === undefined) return this.wake();
    // A round that began meanwhile looks for itself whether there is more.
    timers.soon(() => void (this.#running || this.hurry()));
  }

  /** At once, also in a background tab, whose timers are slow. */
  hurry(): void {
    if (this.#running || this.#closed || this.#failures > 0) this.wake();
    else {
      this.#cancelTimer?.();
      this.#cancelTimer = null;
      void this.#run();
    }
  }

  close(): void {
    this.#closed = true;
    this.#readings.close();
    this.#cancelTimer?.();
    this.#stopListening?.();
  }

  #schedule(delayMs: number): void {
    // Repeated wakes must not postpone it.
    if (delayMs === 0 && this.#isSoon && this.#cancelTimer !== null) return;
    this.#cancelTimer?.();
    this.#isSoon = delayMs === 0;
    this.#cancelTimer = this.#ports.timers.after(delayMs, () => {
      this.#cancelTimer = null;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#running || this.#closed) return;
    this.#running = true;
    let failure: TransportFailure | null = null;
    do {
      this.#again = false;
      failure = await this.#round();
    } while (failure === null && this.#again && !this.#closed);
    this.#running = false;
    if (this.#closed) return;
    if (failure === null) this.#schedule(SAFETY_PULL_MS);
    else this.#comeBack(failure);
    this.#ports.changed();
  }

  #comeBack(failure: TransportFailure): void {
    this.#failures += 1;
    const backoff = Math.min(LONGEST_BACKOFF_MS, 500 * 2 ** Math.min(this.#failures, 8));
    const wait = failure.type === 'busy' ? failure.retryAfterMs : backoff;
    this.#schedule(wait * (0.5 + this.#ports.random.fraction() / 2));
  }

  /** One request and everything that its answer requires. Null = all went well. */
  async #round(): Promise<TransportFailure | null> {
    const { transport } = this.#ports;
    this.#saveCorrected();
    const operations = this.#sendable();
    const lane = laneOf(operations[0]?.q ?? 0);
    const request = this.#requestOf(operations, lane);
    this.#readings.loaded?.asking();
    const sent = await transport.sync(request);
    if (this.#closed) return null;
    if (!sent.ok) return this.#failed(sent.problem, operations);
    this.#failures = 0;
    this.#batchLimit = MOST_OPERATIONS;
    await this.#takeAhead(sent.value);
    if (this.#closed) return null;
    this.#takeIn(sent.value, operations);
    const unhealed = await this.#heal(sent.value.changes);
    if (this.#closed) return null;
    if (unhealed !== null) return this.#failed(unhealed);
    this.#readings.wake();
    // A key that comes is news for which it tries again.
    if (sent.value.isLocked === true)
      return this.#failed({ type: 'busy', retryAfterMs: REST_MS, trouble: 'locked' });
    if (this.#isFruitless(sent.value, operations))
      return this.#failed({ type: 'busy', retryAfterMs: REST_MS });
    this.#setState({
      asked: true,
      online: true,
      signedOut: false,
      outdated: null,
      trouble: sent.value.hasNoKey === true ? 'locked' : null,
      fetching: this.#readings.progress !== null || sent.value.changes.some((change) => change.more),
    });
    if (this.#sendable().length > 0) this.#again = true;
    return null;
  }

  /** Whether this was one of several rounds without progress: continuing at once would never end. */
  #isFruitless({ results, changes }: SyncResponse, sent: readonly Operation[]): boolean {
    const wentBack = changes.some(({ rollback }) => rollback !== undefined);
    const isStuck = changes.some(
      (change) => change.more && change.bootstrap !== true && change.to <= change.from,
    );
    this.#fruitless =
      wentBack || isStuck || (sent.length > 0 && results.length === 0) ? this.#fruitless + 1 : 0;
    return this.#fruitless >= MOST_FRUITLESS;
  }

  #saveCorrected(): void {
    const { replica, saves } = this.#ports;
    const corrected = replica.corrected();
    if (corrected.length > 0) saves.add({ outboxAdd: corrected });
  }

  #requestOf(operations: readonly Operation[], lane: number): SyncRequest {
    const { meta } = this.#ports.replica;
    const { device, acked } = laneIn(meta, lane);
    const stood = stoodOf(meta);
    return {
      schema: protocolVersion,
      device: must(device, 'what is sent has an identity'),
      ...(meta.features?.includes(namesAccount) === true ? { account: meta.account } : {}),
      ...this.#serverTime.dated(operations, Math.round(this.#ports.clock.now())),
      ack: this.#ports.saves.idle ? acked : Math.min(acked, this.#ackedOnDisk.get(lane) ?? 0),
      cursors: { ...meta.cursors },
      ...(stood === undefined ? {} : { stood }),
      maxRows: PAGE_ROWS,
    };
  }

  /** Operations after this number wait for the disk. */
  #heldFrom = Infinity;
  #holds = 0;
  /** The identity that a lane would send under is not on the disk. */
  #isUnnamed = false;

  /** By lane: highest acknowledged number known to be on disk. */
  readonly #ackedOnDisk = new Map<number, number>();

  /** Numbers that were passed over when operations were last sent. */
  #withheld: ReadonlySet<number> = new Set();

  /** Lets go of what is not withheld any more. Returns whether there was any. */
  #release(): boolean {
    const { replica, saves } = this.#ports;
    const anew = released(replica, this.#withheld);
    if (anew !== null) saves.add(anew);
    this.#withheld = new Set([...withheld(replica)].map(({ q }) => q));
    return anew !== null;
  }

  #noteSent(q: number): void {
    const lane = laneOf(q);
    this.#maybeSent.set(lane, Math.max(q, this.#maybeSent.get(lane) ?? 0));
  }

  /** The longest sendable start of the queue: of one lane, durable (unless the disk fails), within the limits. */
  #sendable(): Operation[] {
    const { replica, saves } = this.#ports;
    const dropped = replica.compact(this.#maybeSent.get(replica.lane) ?? 0);
    if (dropped.length > 0) this.#saveFirst(dropped, Math.min(...dropped));
    this.#release();
    const open = this.#queue.filter(({ q }) => !this.#verdicts.isHeld(q));
    const lane = laneOf(open[0]?.q ?? 0);
    if (laneIn(replica.meta, lane).device === undefined) this.#becomeNewDevice(lane);
    if (!replica.ages.areKnown) return [];
    const operations: Operation[] = [];
    let bytes = 0;
    for (const operation of open) {
      // Another lane's operations may depend on these.
      if (laneOf(operation.q) !== lane) break;
      if (operation.off !== undefined) continue;
      if (operations.length === this.#batchLimit || (!saves.failing && !saves.isDurable(operation.q))) break;
      if (operation.q > this.#heldFrom && !this.#goesUnsaved(operation)) break;
      bytes += JSON.stringify(operation).length * 3;
      if (bytes > MOST_BYTES && operations.length > 0) break;
      operations.push(operation);
    }
    for (const { q } of operations.slice(-1)) this.#noteSent(q);
    return operations;
  }

  /**
   * Whether an operation is sent although the disk refuses what it waits for: rather than not at all. But under an identity that
   * is on no disk only what is on none either: another tab, or the next start, would send it again under another one.
   */
  #goesUnsaved({ q }: Operation): boolean {
    const { saves } = this.#ports;
    return saves.failing && !(this.#isUnnamed && saves.isDurable(q));
  }

  /**
   * Holds back operations after `from` until the disk has the change: dropped operations, which would return after a
   * crash with numbers that the server has already passed, or a new name of this copy, which would be forgotten after
   * it was used.
   */
  #saveFirst(dropped: readonly number[], from: number): void {
    const { saves } = this.#ports;
    this.#heldFrom = Math.min(this.#heldFrom, from);
    this.#holds += 1;
    saves.add({ outboxRemove: dropped });
    void saves.flushed().then(() => {
      this.#holds -= 1;
      if (this.#holds === 0) {
        this.#heldFrom = Infinity;
        this.#isUnnamed = false;
      }
      this.wake();
    });
  }

  /** Takes in what can come ahead of a large answer, with a turn for keys and frames after each portion. */
  async #takeAhead({ changes }: SyncResponse): Promise<void> {
    const { replica, saves, timers } = this.#ports;
    const isRead = (scope: Id): boolean => !this.#readings.has(scope);
    for (const portion of portionsOf(changes, replica.meta.cursors, isRead)) {
      const { rowsPut, rowsRemove } = receive(replica, { results: [], changes: portion, left: [] });
      saves.add({ rowsPut, rowsRemove });
      await new Promise<void>((resolve) => {
        if (timers.soon === undefined) timers.after(0, resolve);
        else timers.soon(resolve);
      });
      if (this.#closed) return;
    }
  }

  #takeIn(response: SyncResponse, sent: readonly Operation[]): void {
    const { replica, saves, clock } = this.#ports;
    // `heal` takes in scopes that were restored to an older state. What other scopes have comes again after that: it may be of
    // the same rows, older than what is held of them and has to be offered.
    const isRestored = response.changes.some((change) => change.rollback !== undefined);
    const usual = isRestored ? [] : response.changes;
    const bootstraps = usual.filter((change) => change.bootstrap === true);
    const changes = usual.filter((change) => change.bootstrap !== true);
    const clockOffsetMs = response.serverNow - Math.round(clock.now());
    this.#serverTime.learn(clockOffsetMs);
    this.#serverTime.forget(response.results.map(([q]) => q));
    this.#learnFeatures(response);
    const lane = laneOf(sent[0]?.q ?? 0);
    const anew = learnUnknown(replica, response.unknown ?? []);
    if (anew !== null) saves.add(anew);
    const held = new Set([...withheld(replica)].map(({ q }) => q));
    // A server that does not know the scope can only refuse what is for it.
    const judged = response.results.filter(([q]) => !held.has(q));
    this.#verdicts.heard(judged, response.changes);
    const results = this.#verdicts.due(this.#queue, lane, (operation) => this.#readings.mayHold(operation));
    const received = receive(replica, {
      results,
      changes,
      left: response.left,
      lane,
      // What is held still has the numbers of the other history.
      ...(isRestored ? {} : { deviceNumber: response.deviceNumber }),
      clockOffsetMs,
      replaces: (row) => this.#readings.replaces(row),
    });
    this.#saveCorrected();
    this.#save(received, results);
    for (const change of changes) {
      if (change.resync === true)
        saves.add({ rowsRemove: keepOnly(replica, change.scope, new Set(change.rows.map((row) => row.id))) });
      if (change.resync === true) this.#readings.end(change.scope);
      if (change.more) this.#again = true;
    }
    for (const scope of response.left) this.#readings.end(scope);
    for (const change of changes) this.#readings.loaded?.noted(change);
    const read = this.#readings.loaded?.answered(response.changes) ?? [];
    for (const target of bootstraps) this.#readings.begin(target);
    for (const scope of [...received.unequal, ...read])
      if (!this.#readings.has(scope)) this.#startAgain(scope);
    for (const other of this.#verdicts.lanes)
      this.#settle(
        other,
        this.#verdicts.due(this.#queue, other, (operation) => this.#readings.mayHold(operation)),
      );
    this.#countRestored(response, sent);
    this.#ports.changed();
  }

  /** An older server, which does not say what it can do, can do nothing of it. What is saved next contains it. */
  #learnFeatures({ features = [] }: SyncResponse): void {
    const { meta } = this.#ports.replica;
    if (features.join() !== (meta.features ?? []).join())
      this.#ports.replica.amend({ meta: { ...meta, features } }, null);
  }

  /** Applies verdicts whose rows came with an earlier answer. */
  #settle(lane: number, results: Results): void {
    if (results.length === 0) return;
    this.#save(receive(this.#ports.replica, { results, changes: [], left: [], lane }), results);
  }

  #save({ rowsPut, rowsRemove, outboxRemove, refused }: Received, results: Results): void {
    const { saves } = this.#ports;
    saves.add({ rowsPut, rowsRemove, outboxRemove, recoveredAdd: refused });
    void saves.flushed().then(() => {
      for (const [q] of results.slice(-1))
        this.#ackedOnDisk.set(laneOf(q), Math.max(q, this.#ackedOnDisk.get(laneOf(q)) ?? 0));
    });
    if (refused.length > 0) this.#ports.refused(refused);
  }

  /**
   * Handles scopes that the server holds in an older state than this device: nothing changes before a scope is
   * completely here.
   */
  async #heal(changes: readonly ScopeChanges[]): Promise<TransportFailure | null> {
    const { replica, saves, transport } = this.#ports;
    const rolledBack = changes.filter((change) => change.rollback !== undefined);
    if (rolledBack.length === 0) return null;
    const healing = await loadHealing();
    if (healing === null) return { type: 'offline' };
    const healed: ScopeChanges[] = [];
    const elsewhere: StoredRow[] = [];
    let failure: TransportFailure | null = null;
    for (const change of rolledBack) {
      const read = await healing.freshRows(transport, change);
      if (this.#closed) return null;
      if (!read.ok) {
        failure = read.problem;
        break;
      }
      this.#readings.end(change.scope);
      this.#verdicts.forget(replica.pending, change.scope);
      const taken = healing.heal(replica, change, read.value);
      saves.add(taken.batch);
      if (taken.batch.recoveredAdd.length > 0) this.#ports.refused(taken.batch.recoveredAdd);
      healed.push(change);
      elsewhere.push(...taken.elsewhere);
      this.#again = true;
    }
    const unhealed = new Set(rolledBack.slice(healed.length).map(({ scope }) => scope));
    saves.add({ rowsPut: healing.takeElsewhere(replica, elsewhere, unhealed) });
    if (healed.length > 0) this.#unjudged = new Set([...replica.pending].map(({ u }) => u));
    for (const { scope, bootstrap, digest } of healed)
      if (bootstrap !== true && digest !== undefined && digest !== replica.digestOf(scope))
        this.#startAgain(scope);
    this.#ports.changed();
    return failure;
  }

  /** Shows offers that an earlier run left in the queue. */
  async #showOffers(): Promise<void> {
    const { replica } = this.#ports;
    if (replica.pending.some(({ a }) => a === 'reoffer')) (await loadHealing())?.showOffers(replica);
  }

  /**
   * Reports how many rows the server took back from this device, once all were judged, and whatever waited before them: what was
   * made just then may be elsewhere by now.
   */
  #countRestored({ results }: SyncResponse, sent: readonly Operation[]): void {
    const { pending } = this.#ports.replica;
    const verdicts = new Map(results);
    const offers = sent.filter(({ a, q }) => a === 'reoffer' && verdicts.has(q));
    for (const { id, q } of offers) if (verdicts.get(q) === 'ok') this.#restored.add(id);
    // Those of an earlier run, too.
    if (offers.length > 0) this.#unjudged ??= new Set();
    const unjudged = this.#unjudged;
    if (unjudged === null || pending.some(({ a, u }) => a === 'reoffer' || unjudged.has(u))) return;
    this.#unjudged = null;
    this.#ports.restored(this.#restored.size);
    this.#restored.clear();
  }

  /** The rows do not have the server's digest: reads the scope again, keeping the queue. */
  #startAgain(scope: Id): void {
    const now = this.#ports.clock.monotonic();
    // A digest that stays different is a defect: reading everything again and again would not repair it.
    if (now - (this.#restartedAt.get(scope) ?? -Infinity) < RESTART_EVERY_MS) return;
    if (mayStandElsewhere(this.#ports.replica)) return;
    this.#restartedAt.set(scope, now);
    this.#ports.replica.setCursor(scope, { generation: 'unequal', version: 0 });
    this.#ports.saves.add({});
    this.#again = true;
  }

  #takeDelta(change: ScopeChanges): void {
    if (this.#closed) return;
    const { replica, saves } = this.#ports;
    const cursor = replica.meta.cursors[change.scope];
    if (cursor !== undefined && cursor.generation === change.generation && change.to <= cursor.version)
      return;
    const isNext = follows(replica, change, this.#verdicts.isBehind);
    if (this.#running || !isNext || this.#readings.has(change.scope)) {
      this.wake();
      return;
    }
    const received = receive(replica, { results: [], changes: [change], left: [] });
    saves.add({ rowsPut: received.rowsPut, rowsRemove: received.rowsRemove });
    for (const scope of received.unequal) this.#startAgain(scope);
    const isReleased = this.#release();
    if (received.isTorn) this.#verdicts.tear();
    // What moved is asked for in its new scope, and in the one that it left.
    const hasMoved = received.isTorn || change.moved !== undefined;
    if (received.unequal.length > 0 || hasMoved || isReleased) this.wake();
  }

  #failed(failure: TransportFailure, operations: readonly Operation[] = []): TransportFailure | null {
    const online = failure.type === 'refused' || failure.type === 'busy';
    this.#setState({
      ...this.#state,
      asked: true,
      online,
      signedOut: failure.type === 'signedOut',
      // Without any answer, the known state stays.
      outdated: failure.type === 'offline' ? this.#state.outdated : outdatedBy(failure),
      trouble: failure.type === 'busy' ? (failure.trouble ?? null) : null,
    });
    if (failure.type !== 'refused') return failure;
    if (failure.code === 'device_conflict' && operations.length > 1) {
      // One by one, operations known to the server get their verdict; only the others are sent under a new name.
      this.#batchLimit = Math.max(1, Math.floor(operations.length / 2));
      this.#again = true;
      return null;
    }
    if (failure.code === 'device_conflict') {
      this.#becomeNewDevice(laneOf(operations[0]?.q ?? 0));
      this.#fruitless += 1;
      return this.#fruitless < MOST_FRUITLESS ? null : { type: 'busy', retryAfterMs: REST_MS };
    }
    if ((failure.code === 'too_large' || failure.code === 'invalid') && operations.length > 0) {
      if (operations.length > 1) this.#batchLimit = Math.max(1, Math.floor(operations.length / 2));
      else this.#setAside(operations[0] as Operation);
      this.#again = true;
      return null;
    }
    return failure;
  }

  /** The lane has no identity yet, or one that others use too: it sends its queue under a new one. */
  #becomeNewDevice(lane: number): void {
    const { replica } = this.#ports;
    // Under the new identity they would be applied twice.
    this.#settle(lane, this.#verdicts.allOf(this.#queue, lane));
    this.#isUnnamed = true;
    this.#saveFirst(becomeDevice(replica, replica.newId(), lane), 0);
    this.#maybeSent.delete(lane);
    this.#ackedOnDisk.delete(lane);
    this.#again = true;
  }

  /** The server cannot read this operation at all: it must not block the others. */
  #setAside(operation: Operation): void {
    const { replica, saves } = this.#ports;
    const lane = laneOf(operation.q);
    const results = [[operation.q, 'invalid']] as const;
    const received = receive(replica, { results, changes: [], left: [], lane, isOwn: true });
    saves.add({ outboxRemove: received.outboxRemove, recoveredAdd: received.refused });
    this.#ports.refused(received.refused);
  }

  #setState(state: LoopState): void {
    const names = ['asked', 'online', 'signedOut', 'outdated', 'trouble', 'fetching'] as const;
    if (names.every((name) => state[name] === this.#state[name])) return;
    this.#state = state;
    this.#ports.changed();
  }
}
