// A running copy: the replica with its disk and its network. Every change is in memory first; the disk follows at once,
// the network after the disk, and the status honestly says how far each has come.
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import type { Company, SharedCopy } from '../tabs/coordinator.ts';
import type { SharedStatus } from '../tabs/tab-messages.ts';
import { changesSince, lastHeld, lateIn, madeSince, marked, markOf } from '../replica/detached.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type { TrashItem } from '../replica/replica-types.ts';
import { createFacade } from './facade.ts';
import { Hearing } from './server-observer.ts';
import { Journal } from '../replica/journal.ts';
import type { Action, Operation } from '../rows/operation.ts';
import type {
  Clock,
  Detached,
  DeviceMeta,
  DeviceStorage,
  Part,
  Random,
  RecoveredItem,
  StorageBatch,
  Timers,
  Transport,
} from '../replica/ports.ts';
import type {
  DetachedChanges,
  Engine,
  Issued,
  Replica,
  SyncFacts,
  SyncState,
} from '../replica/replica-types.ts';
import { DeviceReplica } from '../replica/replica.ts';
import type { StoredRow } from '../rows/row.ts';
import { SaveQueue } from '../replica/save-queue.ts';
import { UNREAD } from '../replica/generation-history.ts';
import { NOT_HEARD } from './loop-state.ts';
import type { SyncLoop } from './sync-loop.ts';
import { watched } from '../replica/watched.ts';

export interface EnginePorts {
  readonly storage: DeviceStorage;
  /** Null for a profile without an account, and for the copy of an account that is being erased: it works on alone. */
  readonly transport: Transport | null;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** The allowed values of registers, for predictions; the server decides by its own. */
  readonly checks: RegisterChecks;
  /** The lane in which this tab numbers its operations; 0 for a copy in one tab. */
  readonly lane?: number;
}

/** An engine that can share its copy with other tabs. */
export interface ShareableEngine extends Engine {
  /** Before `open`: other tabs have the copy open. Later: other tabs join this one, which leads. */
  share(join: (copy: SharedCopy) => Company): Company;
}

/** The owner of a copy. Used when the storage is empty; otherwise the stored identity counts. */
export interface Identity {
  readonly scope: Id;
  /** 0 without an account. */
  readonly account: number;
  /** The mark of cloud sync being off, remembered outside this disk: emptying the disk does not turn it on. */
  readonly detached?: Detached | null;
}

function sameState(a: SyncState, b: SyncState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Delay before a file of the app that failed to load is requested again. */
const LOAD_AGAIN_MS = 5_000;
/** Changes on a detached copy before the queue is compacted for the first time. */
const FOLD_AT = 500;

/** Makes the engine of a copy in this tab. Nothing is read or sent before `open`. */
export function createEngine(ports: EnginePorts, identity: Identity): ShareableEngine {
  return new RunningEngine(ports, identity);
}

class RunningEngine implements ShareableEngine, SharedCopy {
  readonly state = watched<SyncState>({ type: 'loading' });
  readonly recovered = watched<readonly RecoveredItem[]>([]);
  readonly restored = watched(0);
  readonly #ports: EnginePorts;
  readonly #identity: Identity;
  #inner: DeviceReplica | null = null;
  #facade: Replica | null = null;
  readonly journal: Journal;
  #queue: SaveQueue | null = null;
  /** The coordination with other tabs; null while there are none. */
  #company: Company | null = null;
  #part: Part = 'leader';
  #loop: SyncLoop | null = null;
  #hearing: Hearing;
  /** Issued operations that may not be on the disk. */
  #recent: Operation[] = [];
  /** Queue length at which the queue is compacted while cloud sync is off. */
  #foldAt = FOLD_AT;
  #loading: Promise<void> = Promise.resolve();
  #complete = false;
  #closed = false;

  constructor(ports: EnginePorts, identity: Identity) {
    this.#ports = ports;
    this.#identity = identity;
    this.#hearing = new Hearing(ports.clock, null);
    this.journal = new Journal({
      ...ports,
      device: () => this.held.meta.device,
      lane: () => this.held.lane,
      save: (batch) => this.#queue?.add(batch),
    });
  }

  get replica(): Replica {
    return must(this.#facade, 'the engine is open');
  }

  async open(): Promise<void> {
    const { storage, clock, random, checks, lane = 0 } = this.#ports;
    if (this.#company !== null) this.#part = await this.#company.join();
    const stored = await storage.open(this.#part);
    const meta = stored?.meta ?? this.#freshMeta();
    const replica = new DeviceReplica(meta, stored?.outbox ?? [], { clock, random, checks, lane });
    replica.isFollower = this.#part === 'follower';
    this.#inner = replica;
    this.#facade = createFacade(replica, (issued) => this.#afterIssue(issued));
    this.#hearing = new Hearing(clock, meta.heardAt ?? null);
    this.recovered.set(stored?.recovered ?? []);
    this.#queue = new SaveQueue({
      storage,
      timers: this.#ports.timers,
      meta: () => this.meta(),
      onChange: () => this.#afterSave(),
      lane,
    });
    this.#queue.limit(replica.isFollower);
    this.#queue.watcher = this.#company;
    if (stored === null) {
      this.journal.begin();
      this.#queue.add({});
    }
    const pages = storage.rows()[Symbol.asyncIterator]();
    const first = await pages.next();
    if (first.done !== true) replica.load(first.value);
    this.#loading = this.#loadRest(pages);
    if (first.done === true) await this.#loading;
  }

  loaded(): Promise<void> {
    return this.#loading;
  }

  dropRecovered(seqs: readonly number[]): void {
    const drop = new Set(seqs);
    this.recovered.set(this.recovered.get().filter((item) => !drop.has(item.operation.q)));
    this.#queue?.add({ recoveredRemove: seqs });
  }

  setRecovered(items: readonly RecoveredItem[]): void {
    this.recovered.set(items);
  }

  takeRecovered(add: readonly RecoveredItem[], remove: readonly number[]): void {
    if (add.length === 0 && remove.length === 0) return;
    const gone = new Set([...remove, ...add.map(({ operation }) => operation.q)]);
    this.recovered.set([...this.recovered.get().filter(({ operation }) => !gone.has(operation.q)), ...add]);
  }

  recover(action: Action, off?: number): void {
    const operation = this.held.setAside(action);
    const at = this.#ports.clock.now();
    const item: RecoveredItem =
      off === undefined
        ? { operation, verdict: 'superseded', at }
        : { operation: { ...operation, off }, verdict: 'forbidden', at };
    this.recovered.set([...this.recovered.get(), item]);
    this.#queue?.add({ recoveredAdd: [item] });
  }

  facts(): SyncFacts {
    const { meta, pending } = this.held;
    const { device, deviceNumber, acked, clockOffsetMs, features = [] } = meta;
    return {
      device,
      deviceNumber,
      pending: this.#loop?.unsent ?? pending,
      unsaved: this.unsaved().length,
      heardAt: Math.max(this.#hearing.heardAt ?? 0, meta.heardAt ?? 0) || null,
      acked,
      digest: this.#networkStatus().digest,
      clockOffsetMs,
      unreadable: this.#ports.storage.unreadable ?? 0,
      detached: meta.detached ?? null,
      isApart: meta.apart === true,
      lists: meta.lists,
      trashDays: this.#hearing.trashDays ?? meta.trashDays ?? null,
      features,
      isWhole:
        this.#complete &&
        meta.cursors[meta.scope] !== undefined &&
        meta.readings === undefined &&
        Object.values(meta.cursors).every(({ generation }) => generation !== UNREAD),
    };
  }

  unsaved(): readonly Operation[] {
    const saves = this.#queue;
    const inner = this.#inner;
    if (saves === null || inner === null || saves.idle) this.#recent = [];
    else if (inner.account !== 0 || inner.isFollower)
      this.#recent = this.#recent.filter(({ q }) => !saves.isDurable(q));
    return this.#recent;
  }

  contents(toRead = false): StorageBatch | null {
    const inner = this.#inner;
    if (inner === null || !this.#complete || (this.#part === 'follower' && !toRead)) return null;
    return {
      meta: this.meta(),
      outboxAdd: [...inner.pending],
      rowsPut: inner.stored(),
      recoveredAdd: this.recovered.get(),
      journalPut: this.journal.held,
    };
  }

  detach(): void {
    const { held } = this;
    const loop = this.#loop;
    if (this.#part === 'follower') {
      this.#company?.ask({ type: 'detach' });
      return;
    }
    if (held.account === 0 || held.meta.detached !== undefined) return;
    loop?.close();
    this.#loop = null;
    held.setDetached(markOf(held.meta, Math.round(this.#ports.clock.now())));
    // Operations issued from now on reach the disk with this mark or after it.
    this.saves.add({});
    this.update();
  }

  detachedChanges(): DetachedChanges | null {
    return changesSince(this.held);
  }

  attach(kept: DetachedChanges, isAsked = false): boolean {
    const { held, saves } = this;
    const { detached } = held.meta;
    const made = madeSince(held);
    const seqs = new Set(kept.operations.map(({ q }) => q));
    if (detached?.at !== kept.at || made === null) return false;
    // The requesting tab has kept the changes it knew and cannot be refused: the others are put aside.
    if (!isAsked && made.some(({ q }) => !seqs.has(q))) return false;
    if (this.#part === 'follower') {
      this.#company?.ask({ type: 'attach', kept });
      return true;
    }
    held.setDetached(null);
    held.withdraw(seqs);
    saves.add({ outboxRemove: [...seqs] });
    this.#recent = this.#recent.filter(({ q }) => !seqs.has(q));
    this.#putLateAside(detached);
    this.#ensureInbox();
    // Until the disk has it, a crash would bring back operations that the server must never get.
    void saves.flushed().then(() => {
      if (held.meta.detached === undefined && this.#loop === null) this.#startLoop();
      this.update();
    });
    this.update();
    return true;
  }

  async emptyTrash(items: readonly TrashItem[]): Promise<void> {
    const { emptyHere } = await import('../replica/emptying.ts');
    await emptyHere(this, items, this.#part === 'follower' ? this.#company : null);
  }

  nudge(): void {
    // A request by the person also retries the disk at once.
    if (this.#queue?.failing === true) void this.#queue.flushed();
    if (this.#part === 'follower') this.#company?.ask({ type: 'nudge' });
    this.#loop?.nudge();
  }

  flushed(): Promise<void> {
    return this.#queue?.flushed() ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.journal.close();
    this.#loop?.close();
    const queue = this.#queue;
    await queue?.tried();
    queue?.close();
    this.#company?.close();
    this.#ports.storage.close();
  }

  #freshMeta(): DeviceMeta {
    const { clock, random } = this.#ports;
    const newId = createIdSource({ now: () => clock.now(), random: (bytes) => random.fill(bytes) });
    const { scope, account, detached } = this.#identity;
    const fresh = {
      device: newId(),
      deviceNumber: 0,
      scope,
      account,
      seq: 0,
      acked: 0,
      cursors: {},
      clockOffsetMs: 0,
    };
    return marked(fresh, detached);
  }

  share(join: (copy: SharedCopy) => Company): Company {
    const company = join(this);
    this.#company = company;
    if (this.#queue !== null) this.#queue.watcher = company;
    if (this.#complete) company.ready();
    return company;
  }

  /** For the other tabs (SharedCopy). */
  get saves(): SaveQueue {
    return must(this.#queue, 'the engine is open');
  }

  get storage(): DeviceStorage {
    return this.#ports.storage;
  }

  meta(): DeviceMeta {
    return this.#hearing.addedTo(this.held.meta);
  }

  status(): SharedStatus {
    const status = this.#loop?.status ?? NOT_HEARD;
    return { ...status, digest: this.#hearing.agreement(this.held) };
  }

  play(part: Part): void {
    this.#part = part;
    this.held.isFollower = part === 'follower';
    this.saves.limit(part === 'follower');
    if (part === 'leader') this.#lead();
    else {
      this.#loop?.close();
      this.#loop = null;
    }
    this.update();
  }

  hurry(): void {
    this.#putLateAside(null);
    this.#loop?.hurry();
    this.update();
  }

  async #loadRest(pages: AsyncIterator<readonly StoredRow[]>): Promise<void> {
    const replica = must(this.#inner, 'the replica exists while its rows load');
    for (let page = await pages.next(); page.done !== true; page = await pages.next()) {
      if (this.#closed) return;
      replica.load(page.value);
    }
    this.#complete = true;
    replica.loaded();
    if (this.#part === 'leader') {
      this.#readAgainWhatIsMissing(replica);
      this.#lead();
    }
    this.#company?.ready();
    this.update();
  }

  /** Starts the work that only one tab does. */
  #lead(): void {
    const { held } = this;
    this.#hearing.learn(held.meta.heardAt);
    if (held.account === 0 && held.pending.length > 0) {
      const { rowsPut, outboxRemove, refused } = held.judge(held.pending);
      this.saves.add({ rowsPut, outboxRemove, recoveredAdd: refused });
      this.takeRecovered(refused, []);
    }
    this.#putLateAside(null);
    this.#ensureInbox();
    this.#startLoop();
  }

  #putLateAside(mark: Detached | null): void {
    const { held, saves } = this;
    if (held.meta.detached !== undefined) return;
    const late = lateIn(held.pending, mark);
    if (late.length === 0) return;
    const seqs = late.map(({ q }) => q);
    const at = this.#ports.clock.now();
    const off = mark?.at ?? at;
    const items = late.map((operation): RecoveredItem => ({
      operation: { off, ...operation },
      verdict: 'forbidden',
      at,
    }));
    held.withdraw(new Set(seqs));
    saves.add({ outboxRemove: seqs, recoveredAdd: items });
    this.takeRecovered(items, []);
  }

  /** Rows that the disk could not read are requested from the server; the queue stays. */
  #readAgainWhatIsMissing(replica: DeviceReplica): void {
    if ((this.#ports.storage.unreadable ?? 0) === 0 || replica.account === 0) return;
    for (const scope of Object.keys(replica.meta.cursors) as Id[])
      replica.setCursor(scope, { generation: 'damaged', version: 0 });
    this.#queue?.add({});
  }

  /** Every account has an Inbox; its derived id makes several creations one. */
  #ensureInbox(): void {
    const { scope } = this.replica;
    if (this.replica.row(inboxId(scope)) !== undefined) return;
    const place = { parent: listsRoot(scope), at: 'start' } as const;
    this.replica.issue([
      { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' }, place },
    ]);
  }

  #startLoop(): void {
    if (!this.#mayExchange()) return;
    import('./sync-loop.ts').then(
      (program) => this.#beginLoop(program),
      () => void this.#ports.timers.after(LOAD_AGAIN_MS, () => this.#startLoop()),
    );
  }

  #mayExchange(): boolean {
    const loop = this.#loop;
    const inner = this.#inner;
    const part = this.#part;
    if (this.#ports.transport === null || this.#closed || loop !== null || inner === null) return false;
    return part === 'leader' && inner.meta.detached === undefined;
  }

  #beginLoop(program: { readonly SyncLoop: typeof SyncLoop }): void {
    const { transport, clock, timers, random } = this.#ports;
    // Much may have happened while the code loaded.
    if (!this.#mayExchange() || transport === null || this.#inner === null || this.#queue === null) return;
    this.#loop = new program.SyncLoop({
      replica: this.#inner,
      saves: this.#queue,
      transport: this.#hearing.listenIn(transport),
      clock,
      timers,
      random,
      refused: (items) => this.recovered.set([...this.recovered.get(), ...items]),
      restored: (count) => this.restored.set(this.restored.get() + count),
      changed: () => {
        void this.#letGoOfParked();
        this.update();
      },
    });
    this.#loop.start();
  }

  #afterSave(): void {
    this.update();
    this.unsaved();
    if ((this.#inner?.pending.length ?? 0) > 0) this.#loop?.saved();
  }

  async #letGoOfParked(): Promise<void> {
    if (!this.recovered.get().some(({ verdict }) => verdict === 'parked')) return;
    const program = await import('../replica/parked.ts').catch(() => null);
    if (program === null || this.#closed) return;
    const { held } = this;
    const confirmed = (id: Id) => held.confirmed(id);
    const made = program.madeOf(this.recovered.get(), { confirmed, offsetMs: held.meta.clockOffsetMs });
    if (made.length > 0) this.dropRecovered(made);
  }

  update(): void {
    this.#company?.tellStatus();
    const next = this.#describe();
    if (!sameState(next, this.state.get())) this.state.set(next);
  }

  #describe(): SyncState {
    const inner = this.#inner;
    const saves = this.#queue;
    if (inner === null || saves === null || !this.#complete) return { type: 'loading' };
    if (saves.failing) return { type: 'unsaved', waiting: Math.max(saves.unsaved, 1), failing: true };
    if (this.#ports.storage.isVolatile === true) return this.#describeVolatile(inner);
    // Without a network, the state of the device is the whole state.
    if (inner.account === 0 || this.#ports.transport === null)
      return saves.idle ? { type: 'local' } : { type: 'unsaved', waiting: 1, failing: false };
    if (saves.unsaved > 0) return { type: 'unsaved', waiting: saves.unsaved, failing: false };
    if (inner.meta.detached !== undefined) return this.#describeDetached(inner);
    const status = this.#networkStatus();
    const waiting = Math.max(0, inner.pending.length - (status.judged ?? 0));
    if (status.signedOut) return { type: 'signedOut', waiting };
    if (status.outdated !== null && status.online)
      return { type: 'outdated', which: status.outdated, waiting };
    const { asked, online, trouble } = status;
    if (!asked) return { type: 'onDevice', waiting, online, asking: true };
    if (trouble !== null) return { type: 'onDevice', waiting, online, trouble };
    if (waiting > 0 || !online) return { type: 'onDevice', waiting, online };
    if (!status.fetching) return { type: 'synced' };
    const progress = this.#loop?.progress ?? null;
    return progress === null ? { type: 'loading' } : { type: 'loading', progress };
  }

  /** The network status as known to this tab, or as reported by the leader. */
  #networkStatus(): SharedStatus {
    return this.#part === 'follower' && this.#company !== null ? this.#company.status : this.status();
  }

  #describeVolatile({ account, pending, meta }: DeviceReplica): SyncState {
    const { online, signedOut } = this.#loop?.status ?? { online: false, signedOut: false };
    const detached = meta.detached !== undefined;
    return { type: 'volatile', waiting: pending.length, account: account !== 0, online, signedOut, detached };
  }

  #describeDetached(replica: DeviceReplica): SyncState {
    const made = madeSince(replica)?.length ?? 0;
    return { type: 'detached', waiting: replica.pending.length - made, made };
  }

  #afterIssue(issued: Issued): void {
    if (this.#inner === null || this.#queue === null) return;
    if (issued.operations.length > 0) this.#recent.push(...issued.operations);
    // Times and the clock they refer to reach the disk together.
    const corrected = this.#part === 'follower' ? [] : this.#inner.corrected();
    if (corrected.length > 0) this.#queue.add({ outboxAdd: corrected });
    if (this.#inner.account === 0 && !this.#inner.isFollower) {
      const rows = issued.changes.flatMap((change) => (change.after === undefined ? [] : [change.after]));
      if (rows.length > 0) this.#queue.add({ rowsPut: rows });
    } else if (issued.operations.length > 0) this.#queue.add({ outboxAdd: issued.operations });
    if (this.#part === 'leader') this.#foldDetached(this.#inner, this.#queue);
    this.update();
    // A failing disk is not waited for: the server is the safer place.
    if (this.#queue.failing && this.#inner.pending.length > 0) this.#loop?.wake();
  }

  /**
   * While detached nothing shortens the queue by sending it: now and then operations that later ones make pointless are
   * dropped.
   */
  #foldDetached(replica: DeviceReplica, saves: SaveQueue): void {
    if (replica.meta.detached === undefined || replica.pending.length < this.#foldAt) return;
    const dropped = replica.compact(lastHeld(replica.meta.detached, replica.lane));
    if (dropped.length > 0) saves.add({ outboxRemove: dropped });
    this.#foldAt = FOLD_AT + 2 * replica.pending.length;
  }

  /** The rows as they are stored. */
  get held(): DeviceReplica {
    return must(this.#inner, 'the engine is open');
  }
}
