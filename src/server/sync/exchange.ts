// `/sync/v1` and `/snapshot/v1` behind their routes: operations in, verdicts and rows out. The one write path of the
// server; other writers (API, mail, links) submit operations through it as separate devices.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { features, plansFeature } from '#wire/features.ts';
import { protocolVersion } from '#wire/version.ts';
import {
  syncRequestSchema,
  type ScopeChanges,
  type SnapshotPlace,
  type SyncRequest,
  type SyncResponse,
  type WirePartPage,
  type WireSnapshotPage,
} from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { DeviceRecord, GenerationRecord, ScopeRecord, Store, WriteTransaction } from '../data/store.ts';
import { NoRoomError, takesNoWrites } from '../data/storage-trouble.ts';
import { type ChangesReader, createChangesReader, type CursorLike, type Reading } from './changes.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { readOperations } from './incoming.ts';
import { currentOf, inCurrentGeneration } from './later-generation.ts';
import { type PushContext, PushTransaction, type WrittenScope } from './push.ts';
import type { Healed, KnownDevice, Push, Pushed, PushOutcome, SyncProblem } from './push-types.ts';
import { MissingLock } from './routing.ts';
import {
  carryOn,
  endCarrying,
  type CarryRequest,
  type Moment,
  type TimedCarried,
} from '../moving/carrying.ts';
import { MOST_MOVED } from './transfer.ts';
import { flattenNotes, type FlattenRequest } from './flatten.ts';
import type { PlanRefusal } from '#api/ports.ts';
import type { Plan } from './planned.ts';
import { purgeRows, type PurgeRequest } from './purge.ts';
import { heardBy, movedInWire, SCOPES_PROTOCOL, HEALING_PROTOCOL } from './readership.ts';
import { sealingTold } from '../sealing/told.ts';
import { readingMark, toldVersions } from './reading-mark.ts';
import { RecentChanges } from './recent-changes.ts';
import { createRecovery, type Recovery, type Tidied, type TidyingWork } from './recovery.ts';
import { readPart } from './snapshot.ts';

/** Of an answer by default, and of a page of a snapshot. */
const MOST_ROWS = 2_000;
/** Oldest protocol this server still speaks. Devices keep the queue that an older one left. */
const OLDEST_PROTOCOL = 1;

const UNKNOWN_SCOPE = failed<SyncProblem>({ code: 'invalid', message: "That scope doesn't exist." });

/** A commit, for live listeners. */
export interface Published {
  readonly scope: Id;
  readonly from: number;
  readonly to: number;
  readonly changes: ScopeChanges;
}

/** A device that was answered. */
export interface HeardDevice {
  readonly device: Id;
  readonly session: Id;
  /** How far it has read everything that its account may read (reading-mark.ts); 0: unknown. */
  readonly version: number;
}

/** Replication with devices, and the write path for all other writers. Callers authenticate; permission is checked here. */
export interface Exchange {
  /** Resolves after everything acknowledged in it is durable. `waitedMs`: how long the request took to arrive. */
  sync(actor: AccountActor, request: unknown, waitedMs?: number): Promise<Result<SyncResponse, SyncProblem>>;
  snapshot(actor: AccountActor, scope: Id, after: Id | null): Promise<Result<WireSnapshotPage, SyncProblem>>;
  /** As `snapshot`, in parts: the rows a device needs first come first. */
  part(actor: AccountActor, scope: Id, place: SnapshotPlace): Promise<Result<WirePartPage, SyncProblem>>;
  /**
   * Writes what a plan decides, for writers that are no devices. Resolves after the commit with the reason of a refusal, or
   * null. Rejects when the storage fails.
   */
  carryOut(actor: AccountActor, device: Id, plan: Plan): Promise<PlanRefusal | null>;
  /** Changes since a cursor in a scope the actor may read, or null. */
  changes(
    actor: AccountActor,
    scope: Id,
    cursor: { generation: string; version: number },
  ): Promise<ScopeChanges | null>;
  /**
   * Changes since versions of the current generation, for those who ask for many readers and ask each one's permission
   * themselves. Scopes that do not exist are left out.
   */
  news: ChangesReader['sinceVersions'];
  /** Changes a scope otherwise, in one transaction, and notifies live listeners. Resolves after the commit. */
  rework(scope: Id, work: TidyingWork): Promise<Tidied | null>;
  /**
   * Removes rows for good that have been in the trash long enough, and notifies live listeners. Resolves with their ids.
   */
  purge(request: PurgeRequest): Promise<readonly Id[]>;
  /** Turns quiet notes into plain text again, and notifies live listeners. Resolves with their number. */
  flatten(request: FlattenRequest): Promise<number>;
  /**
   * Moves more of a large tree whose root has moved to another scope, and notifies live listeners. Resolves after the commit.
   */
  carry(request: CarryRequest): Promise<TimedCarried>;
  /** Removes such a move, unless another process carries it out. */
  endCarrying(request: Omit<CarryRequest, 'parents' | 'rows'>): Promise<void>;
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
}

export interface ExchangePorts {
  readonly store: Store;
  readonly clock: Clock;
  /** Oldest first, the current one last (Store.openGeneration). One is appended later if a full disk delayed it. */
  readonly generations: readonly GenerationRecord[];
  /** Reads `generations` again: another process may have opened one. Absent: there is no other. */
  readGenerations?(): Promise<void>;
  /** Called before anything is read or written; throws while this process may not. */
  beforeServing?(): void;
  /** Called before anything is written: opens the generation of this start if necessary, or rejects. */
  beforeWriting?(): Promise<void>;
  /** Whether the disk has space for more; absent: always. */
  hasRoom?(): boolean;
  publish(change: Published): void;
  nextTurn(work: () => void): void;
  /** How long housekeeping keeps trashed rows. */
  readonly trashDays?: number;
  /** Accounts of this server have plans. */
  readonly hasPlans?: boolean;
  /** Oldest accepted protocol; differs from this program's own only in tests. */
  readonly oldestProtocol?: number;
  /** A device contacted this server and was answered. */
  heard?(of: HeardDevice): void;
  /** A device has seen more of a scope than the database holds: an older state was restored. */
  wentBack?(scope: Id): void;
  /** Devices have brought back lost rows. */
  healed?(healed: Healed): void;
  /** The merge state of a note could not be read. */
  damagedNote?(note: Id): void;
  /** Rows that move to another scope at once at most; absent: as many as others can wait for. */
  readonly mostMoved?: number;
  /** Signs comments; absent: they are not signed. */
  readonly seal?: PushContext['seal'];
  /** A larger tree has begun to move: `carry` takes the rest of it along. */
  moving?(): void;
  /** A write may affect reminders. */
  reminding?(): void;
  /** Called after each group commit: number of pushes, duration. */
  measured?(group: { readonly pushes: number; readonly operations: number; readonly ms: number }): void;
}

/** Replication over a store; concurrent pushes share a commit. */
export function createExchange(ports: ExchangePorts): Exchange {
  return new RunningExchange(ports);
}

const REMEMBERED_DEVICES = 50_000;

class RunningExchange implements Exchange {
  readonly #ports: ExchangePorts;
  readonly #recent = new RecentChanges();
  readonly #reader: ChangesReader;
  readonly #recovery: Recovery;
  readonly #oldest: number;
  readonly #devices = new Map<Id, KnownDevice>();
  readonly #group: GroupCommit<Push, PushOutcome>;

  constructor(ports: ExchangePorts) {
    this.#ports = ports;
    const { store, generations } = ports;
    const readGenerations = async () => await ports.readGenerations?.();
    const recent = this.#recent;
    this.#recovery = createRecovery({
      ...ports,
      forget: (scope) => recent.forget(scope),
      tidy: (scope, work) => this.#tidy(scope, work),
    });
    this.#reader = createChangesReader({
      store,
      recent,
      generations,
      readGenerations,
      recovery: this.#recovery,
    });
    this.#oldest = ports.oldestProtocol ?? OLDEST_PROTOCOL;
    this.#group = createGroupCommit({
      commit: (pushes) => this.#commit(pushes),
      nextTurn: (work) => ports.nextTurn(work),
    });
  }

  sync(actor: AccountActor, raw: unknown, waitedMs = 0): Promise<Result<SyncResponse, SyncProblem>> {
    const arrivedAt = Math.round(this.#ports.clock.now() - waitedMs);
    return this.#serve(() => this.#sync(actor, raw, arrivedAt));
  }

  /** Whatever it was doing when it met a later generation it does from the start: what was committed has its verdicts. */
  async #serve<T>(work: () => Promise<T>): Promise<T> {
    return await inCurrentGeneration(
      async () => await this.#ports.readGenerations?.(),
      async () => {
        this.#ports.beforeServing?.();
        return await work();
      },
    );
  }

  async #sync(
    actor: AccountActor,
    raw: unknown,
    arrivedAt: number,
  ): Promise<Result<SyncResponse, SyncProblem>> {
    const parsed = syncRequestSchema.safeParse(raw);
    if (!parsed.success) return failed({ code: 'invalid', message: describe(parsed.error.issues[0]) });
    const request = parsed.data;
    if (request.schema > protocolVersion) {
      const message = 'This server uses an older protocol. Update the server.';
      return failed({ code: 'too_new', message });
    }
    if ((request.account ?? actor.account) !== actor.account) {
      const message = 'Somebody else is signed in here. Sign in again to sync.';
      return failed({ code: 'signed_out', message });
    }
    if (request.schema < this.#oldest || (await this.#isTooOldFor(actor, request))) {
      const message = 'This server uses a newer protocol. Update the app.';
      return failed({ code: 'too_old', message });
    }
    // The bases of a device that saw more than the database holds say nothing about the present rows: it rebases first.
    const isBeyond = await this.#isBeyond(actor, request);
    const outcome = await this.#push(actor, isBeyond ? { ...request, ops: [] } : request, arrivedAt);
    if (!outcome.ok) return outcome;
    const response: SyncResponse = {
      serverNow: Math.round(this.#ports.clock.now()),
      deviceNumber: outcome.value.device.number,
      account: actor.account,
      personalScope: actor.personalScope,
      results: outcome.value.results.map(([seq, verdict]) => [seq, verdict]),
      ...(outcome.value.reseal === true ? { reseal: true } : {}),
      ...(await this.#read(actor, request, outcome.value)),
      minSchema: this.#oldest,
      features: this.#ports.hasPlans === true ? [...features, plansFeature] : [...features],
      ...(this.#ports.trashDays === undefined ? {} : { trashDays: this.#ports.trashDays }),
    };
    this.#ports.heard?.({
      device: request.device,
      session: actor.session,
      version: readingMark(toldVersions(actor, request, response)),
    });
    return ok(response);
  }

  async carryOut(actor: AccountActor, device: Id, plan: Plan): Promise<PlanRefusal | null> {
    const request: SyncRequest = {
      schema: protocolVersion,
      device,
      clientNow: Math.round(this.#ports.clock.now()),
      ops: [],
      ack: 0,
      cursors: {},
    };
    if (this.#ports.hasRoom?.() === false) throw new NoRoomError();
    const outcome = await this.#serve(() => this.#group.submit({ actor, request, operations: [], plan }));
    if (!outcome.ok) return 'device';
    this.#ports.heard?.({ device, session: actor.session, version: 0 });
    return outcome.value.refused ?? null;
  }

  async snapshot(
    actor: AccountActor,
    scope: Id,
    after: Id | null,
  ): Promise<Result<WireSnapshotPage, SyncProblem>> {
    if (!authorise(actor, { type: 'scope.read', scope }).allowed) return UNKNOWN_SCOPE;
    const rows = await this.#serve(() => this.#ports.store.snapshot(scope, after, MOST_ROWS));
    const next = rows.length === MOST_ROWS ? (rows.at(-1)?.id ?? null) : null;
    return ok({ scope, rows: rows.map(rowToWire), next });
  }

  async part(
    actor: AccountActor,
    scope: Id,
    place: SnapshotPlace,
  ): Promise<Result<WirePartPage, SyncProblem>> {
    if (!authorise(actor, { type: 'scope.read', scope }).allowed) return UNKNOWN_SCOPE;
    const { store, clock } = this.#ports;
    const nextTurn = (work: () => void): void => this.#ports.nextTurn(work);
    return this.#serve(async () => {
      const { generation } = this.#reader;
      return ok(await readPart(scope, place, { store, now: clock.now(), generation, nextTurn }));
    });
  }

  async changes(
    actor: AccountActor,
    scope: Id,
    cursor: { generation: string; version: number },
  ): Promise<ScopeChanges | null> {
    if (!authorise(actor, { type: 'scope.read', scope }).allowed) return null;
    const change = await this.#serve(() => this.#reader.since(scope, cursor, MOST_ROWS));
    return (
      change && heardBy(change, (other) => authorise(actor, { type: 'scope.read', scope: other }).allowed)
    );
  }

  news(...asked: Parameters<ChangesReader['sinceVersions']>): Promise<readonly ScopeChanges[]> {
    return this.#serve(() => this.#reader.sinceVersions(...asked));
  }

  rework(scope: Id, work: TidyingWork): Promise<Tidied | null> {
    return this.#tidy(scope, work);
  }

  async purge(request: PurgeRequest): Promise<readonly Id[]> {
    const purged = await this.#tidy(request.scope, async (tx, moment) => {
      const done = await purgeRows(tx, request, moment);
      return done && { ...done, rows: [] };
    });
    return purged?.gone ?? [];
  }

  async flatten(request: FlattenRequest): Promise<number> {
    const done = await this.#tidy(request.scope, async (tx, moment) => {
      const flat = await flattenNotes(tx, request, moment);
      return flat && { ...flat, gone: [] };
    });
    return done?.rows.length ?? 0;
  }

  #tidy(scope: Id, work: Tidying['work']): Promise<Tidied | null> {
    return this.#serve(() => tidy(scope, { ports: this.#ports, recent: this.#recent, work }));
  }

  carry(request: CarryRequest): Promise<TimedCarried> {
    return this.#serve(async () => {
      const { generation } = this.#reader;
      const { clock } = this.#ports;
      let startedAt = clock.monotonic();
      const carried = await this.#alone((tx, moment) => {
        startedAt = clock.monotonic();
        return carryOn(tx, request, moment);
      });
      if (carried.type !== 'carried') return { ...carried, tookMs: clock.monotonic() - startedAt };
      if (carried.moved > 0) this.#ports.reminding?.();
      for (const { before, after, rows, departures } of carried.scopes) {
        const { id: scope, digest } = after;
        this.#recent.forget(scope);
        this.#ports.nextTurn(() => this.#recent.forget(scope));
        const span = { from: before.version, to: after.version };
        const news = { rows: rows.map(rowToWire), gone: [], ...movedInWire(departures), more: false, digest };
        this.#ports.publish({ scope, ...span, changes: { scope, generation, ...span, ...news } });
      }
      return { ...carried, tookMs: clock.monotonic() - startedAt };
    });
  }

  endCarrying(request: Omit<CarryRequest, 'parents' | 'rows'>): Promise<void> {
    return this.#serve(() => this.#alone((tx, moment) => endCarrying(tx, request, moment)));
  }

  /** A transaction of its own. */
  async #alone<T>(work: (tx: WriteTransaction, moment: Moment) => Promise<T>): Promise<T> {
    const { store, clock, generations } = this.#ports;
    await this.#ports.beforeWriting?.();
    const moment = { now: Math.round(clock.now()), generation: currentOf(generations).index };
    return await store.write((tx) => work(tx, moment));
  }

  idle(): Promise<void> {
    return this.#group.idle();
  }

  async #push(actor: AccountActor, request: SyncRequest, arrivedAt: number): Promise<PushOutcome> {
    const operations = readOperations(request.ops);
    if (operations === null)
      return failed({ code: 'invalid', message: 'Operations must be numbered in ascending order.' });
    const known = this.#devices.get(request.device);
    const isAhead = request.schema >= HEALING_PROTOCOL && request.ack > (known?.lastSeq ?? 0);
    const push = { actor, request, arrivedAt, operations };
    if (operations.length > 0) return this.#group.submit(push);
    if (known?.account !== actor.account || isAhead) return this.#submitQuestion(push);
    const { number, account, acked, lastSeq } = known;
    const device = { id: request.device, number, account, lastSeq, ackedSeq: acked, lastStamp: 0 };
    return ok({ device, results: [] });
  }

  /** A device that only reads is answered even when nothing can be written: as a device without a number. */
  async #submitQuestion(push: Push): Promise<PushOutcome> {
    try {
      return await this.#group.submit(push);
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
      const { device: id, ack } = push.request;
      const known = this.#devices.get(id);
      const nobody = { id, number: 0, account: push.actor.account, lastSeq: ack, ackedSeq: 0, lastStamp: 0 };
      return ok({ device: { ...nobody, number: known?.number ?? 0 }, results: [] });
    }
  }

  async #commit(pushes: readonly Push[]): Promise<readonly PushOutcome[]> {
    const { store, clock } = this.#ports;
    const started = clock.monotonic();
    await this.#ports.beforeWriting?.();
    const generation = currentOf(this.#ports.generations).index;
    const { mostMoved = MOST_MOVED, seal = null } = this.#ports;
    const context = { now: Math.round(clock.now()), generation, mostMoved, seal };
    const done = await writePushes(pushes, { store, recent: this.#recent, context });
    const { outcomes, written, heads, healed, damaged, isReminding, isMoving } = done;
    for (const note of damaged) this.#ports.damagedNote?.(note);
    if (isReminding) this.#ports.reminding?.();
    if (isMoving) this.#ports.moving?.();
    if (healed.rows + healed.parked + healed.unparked > 0) this.#ports.healed?.(healed);
    for (const scope of written) this.#announce(scope);
    for (const outcome of outcomes) if (outcome.ok) this.#remember(outcome.value.device);
    const operations = pushes.reduce((sum, push) => sum + push.operations.length, 0);
    this.#ports.measured?.({ pushes: pushes.length, operations, ms: clock.monotonic() - started });
    return outcomes.map((outcome) => (outcome.ok ? ok({ ...outcome.value, heads }) : outcome));
  }

  #remember({ id, number, account, ackedSeq, lastSeq }: DeviceRecord): void {
    if (this.#devices.size > REMEMBERED_DEVICES) this.#devices.clear();
    this.#devices.set(id, { number, account, acked: ackedSeq, lastSeq });
  }

  #announce({ before, after, set }: WrittenScope): void {
    const moved = movedInWire(set.departures());
    const rows = [...set.writes()].map(({ row }) => row).toSorted((a, b) => a.version - b.version);
    const { id: scope, digest } = after;
    const span = { from: before.version, to: after.version };
    // What moved away is not among what is remembered.
    if (moved.moved === undefined) this.#recent.add(scope, { ...span, digest, rows });
    else this.#recent.forget(scope);
    const { generation } = this.#reader;
    const news = { rows: rows.map(rowToWire), gone: [], ...moved, more: false, digest };
    const changes = { scope, generation, ...span, ...news };
    this.#ports.publish({ scope, ...span, changes });
  }

  /**
   * Whether a scope that the device would get holds what its protocol version does not know. A scope that begins to while
   * this answer is being made is told of at the next request.
   */
  async #isTooOldFor(actor: AccountActor, { schema }: SyncRequest): Promise<boolean> {
    if (schema === protocolVersion) return false;
    for (const scope of actor.roles.keys()) {
      if (!authorise(actor, { type: 'scope.read', scope }).allowed) continue;
      if (((await this.#ports.store.scope(scope))?.minSchema ?? 1) > schema) return true;
    }
    return false;
  }

  /** Whether the device's cursor, in a scope that it may read, is outside this server's history. */
  async #isBeyond(actor: AccountActor, { schema, cursors, stood }: SyncRequest): Promise<boolean> {
    if (schema < HEALING_PROTOCOL) return false;
    for (const [scope, cursor] of Object.entries({ ...cursors, ...stood }) as [Id, CursorLike][])
      if (actor.roles.has(scope) && (await this.#reader.isBeyond(scope, cursor))) return true;
    return false;
  }

  async #read(
    actor: AccountActor,
    request: SyncRequest,
    { isAhead = false, heads: known }: Pushed,
  ): Promise<Pick<SyncResponse, 'changes' | 'left' | 'unknown' | 'sealing'>> {
    const changes: ScopeChanges[] = [];
    const held = new Map(Object.entries(request.cursors) as [Id, CursorLike][]);
    const stood = new Map(Object.entries(request.stood ?? {}) as [Id, CursorLike][]);
    const mayRead = (scope: Id) => authorise(actor, { type: 'scope.read', scope }).allowed;
    const hearsOf = (scope: Id) => request.schema >= SCOPES_PROTOCOL && mayRead(scope);
    const asked = [...actor.roles.keys()].filter(mayRead).map((scope) => {
      const cursor = held.get(scope) ?? null;
      const before = stood.get(scope);
      const isSaid = cursor?.version === 0 || (before?.version ?? 0) > (cursor?.version ?? Infinity);
      return { scope, cursor, seen: { isAhead, stood: isSaid ? before : undefined } };
    });
    let heads: ReadonlyMap<Id, ScopeRecord> | undefined;
    const find = (how: Pick<Reading, 'known'>) => {
      heads = undefined;
      const maxRows = request.maxRows ?? MOST_ROWS;
      return this.#reader.all(asked, { ...how, maxRows, seen: (seen) => (heads = seen) });
    };
    const first = await find({ known });
    const found = (await this.#recovery.begin(first, asked)) ? await find({}) : first;
    for (const change of found) {
      if (!isNews(change, held.get(change.scope))) continue;
      const heard = heardBy(change, hearsOf);
      const { rollback: _rollback, ...plain } = heard;
      changes.push(request.schema < HEALING_PROTOCOL ? plain : heard);
    }
    const unreadable = [...held.keys()].filter((scope) => !mayRead(scope));
    const sealing = await sealingTold(actor, { schema: request.schema, heads, store: this.#ports.store });
    return { changes, ...sealing, ...(await this.#withoutAccess(actor, unreadable, request.schema)) };
  }

  /** Scopes that a device holds and its account may not read: those it has left, and those it never belonged to. */
  async #withoutAccess(
    { account }: AccountActor,
    scopes: readonly Id[],
    schema: number,
  ): Promise<Pick<SyncResponse, 'left' | 'unknown'>> {
    // An older device knows one answer, and has one scope of its own.
    if (scopes.length === 0 || schema < SCOPES_PROTOCOL) return { left: [...scopes] };
    const known = await this.#ports.store.leftBy(account, scopes);
    const left = scopes.filter((scope) => known.has(scope));
    const unknown = scopes.filter((scope) => !known.has(scope));
    return unknown.length === 0 ? { left } : { left, unknown };
  }
}

interface Tidying {
  readonly ports: ExchangePorts;
  readonly recent: RecentChanges;
  readonly work: TidyingWork;
}

async function tidy(scope: Id, { ports, recent, work }: Tidying): Promise<Tidied | null> {
  await ports.beforeWriting?.();
  const { index, nonce } = currentOf(ports.generations);
  const moment = { now: Math.round(ports.clock.now()), generation: index };
  try {
    const tidied = await ports.store.write((tx) => work(tx, moment));
    if (tidied === null) return null;
    const { before, after, rows, gone } = tidied;
    if (before.version === after.version) return tidied;
    const span = { scope, from: before.version, to: after.version };
    const news = { rows: rows.map(rowToWire), gone: [...gone], more: false, digest: after.digest };
    ports.publish({ ...span, changes: { ...span, generation: nonce, ...news } });
    return tidied;
  } finally {
    // Also after a failure: the commit may have happened. And again for a group being announced just now.
    recent.forget(scope);
    ports.nextTurn(() => recent.forget(scope));
  }
}

/** Rows that move while a push waits for its locks make it run again, with more of them. */
const MOST_ATTEMPTS = 5;

interface Writing {
  readonly store: Store;
  readonly recent: RecentChanges;
  readonly context: PushContext;
}

async function writePushes(
  pushes: readonly Push[],
  { store, recent, context }: Writing,
): Promise<{
  readonly outcomes: readonly PushOutcome[];
  readonly written: readonly WrittenScope[];
  readonly heads: ReadonlyMap<Id, ScopeRecord>;
  readonly healed: Healed;
  readonly damaged: readonly Id[];
  readonly isReminding: boolean;
  readonly isMoving: boolean;
}> {
  const alsoLock = new Set<Id>();
  for (let attempt = 1; ; attempt += 1) {
    const touched = new Set<Id>();
    try {
      return await store.write(async (tx) => {
        const transaction = new PushTransaction(tx, { ...context, alsoLock });
        await transaction.open(pushes);
        for (const scope of transaction.locked) touched.add(scope);
        const outcomes: PushOutcome[] = [];
        for (const push of pushes) outcomes.push(await transaction.run(push));
        await transaction.applyParked();
        const { batch, written, heads, healed, damaged } = transaction.finish();
        const ends = (batch.departures ?? []).flatMap(({ scope, to }) => [scope, to]);
        for (const scope of new Set(ends)) await tx.raiseMinSchema(scope, SCOPES_PROTOCOL);
        const { isReminding } = await tx.save(batch);
        const isMoving = (batch.transfers ?? []).length > 0;
        return { outcomes, written, heads, healed, damaged, isReminding, isMoving };
      });
    } catch (error) {
      if (error instanceof MissingLock && attempt < MOST_ATTEMPTS) {
        for (const scope of error.scopes) alsoLock.add(scope);
        continue;
      }
      // A commit whose answer was lost may have happened: the cached changes of these scopes may lack it.
      for (const scope of touched) recent.forget(scope);
      throw error;
    }
  }
}

/** Whether the answer contains anything new for the device, if only that its cursor belongs to an older generation. */
function isNews(
  change: ScopeChanges,
  cursor: { readonly generation: string; readonly version: number } | undefined,
): boolean {
  if (cursor === undefined || change.resync === true || change.more) return true;
  return change.to !== cursor.version || change.generation !== cursor.generation;
}

function describe(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  if (issue === undefined) return 'The request is invalid.';
  // The path may repeat input, which has no bounds.
  const path = issue.path.join('.').slice(0, 200) || 'request';
  return `${path}: ${issue.message.slice(0, 200)}`;
}
