// Coordinates several tabs of one copy: the leader has the network and the rows on disk; the others show its state and
// add their own operations. Covers both sides of their messages, and how a tab changes its part. Loaded with the second
// tab. Not here: who may lead (the platform's locks), the network, and what an operation does.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { TrashItem } from '../replica/replica-types.ts';
import type { Incoming } from '../exchange/incoming.ts';
import { laneIn, laneOf } from './sequences.ts';
import type { Operation } from '../rows/operation.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  Part,
  RecoveredItem,
  StorageBatch,
  StoredState,
  Timers,
} from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import type { DetachedChanges } from '../replica/replica-types.ts';
import type { StoredRow } from '../rows/row.ts';
import type { SaveQueue, SaveWatcher } from '../replica/save-queue.ts';
import type { Batch, Channel, Message, Request, SharedStatus } from './tab-messages.ts';
import { NOT_HEARD } from '../exchange/loop-state.ts';

const PING_MS = 2_000;
/** Unanswered pings after which the leader counts as gone. Counted, not timed: a tab that slept has missed nothing. */
const MOST_UNANSWERED = 5;
const RETRY_MS = 1_000;

export interface CompanyPorts {
  readonly channel: Channel;
  readonly timers: Timers;
  readonly newId: () => Id;
  /** Takes the lead from a tab that does not answer; `changed` reports when it is done. */
  steal(): void;
}

/** The part of a tab's engine that the coordinator uses; the engine implements it. */
export interface SharedCopy {
  readonly held: DeviceReplica;
  readonly saves: SaveQueue;
  readonly storage: DeviceStorage;
  meta(): DeviceMeta;
  contents(): StorageBatch | null;
  status(): SharedStatus;
  unsaved(): readonly Operation[];
  /** Sets all kept refused operations, from the disk. */
  setRecovered(items: readonly RecoveredItem[]): void;
  takeRecovered(add: readonly RecoveredItem[], remove: readonly number[]): void;
  /** Plays the part from now on: sets its flags, runs or stops the network. */
  play(part: Part): void;
  /** There is something to send. */
  hurry(): void;
  nudge(): void;
  detach(): void;
  attach(kept: DetachedChanges, isAsked: boolean): boolean;
  emptyTrash(items: readonly TrashItem[]): Promise<void>;
  update(): void;
}

const resting: SharedStatus = {
  ...NOT_HEARD,
  digest: 'unknown',
};

function without(items: readonly Operation[], gone: readonly number[], meta: DeviceMeta): Operation[] {
  const removed = new Set(gone);
  return items.filter(({ q }) => !removed.has(q) && q > laneIn(meta, laneOf(q)).acked);
}

/** Grows whenever cloud sync is turned off or on. */
function switched({ detached, ended }: DeviceMeta): number {
  if (detached !== undefined) return detached.at;
  return ended === undefined ? 0 : ended + 0.5;
}

/** Whether the disk is newer than memory in any respect. */
function isAhead(disk: DeviceMeta, memory: DeviceMeta): boolean {
  const isNewer = Object.entries(disk.cursors).some(([scope, { generation, version }]) => {
    const held = memory.cursors[scope as Id];
    return held?.generation !== generation || held.version < version;
  });
  const lanes = [0, ...Object.keys(disk.lanes ?? {}).map(Number)];
  return (
    isNewer ||
    switched(disk) > switched(memory) ||
    lanes.some((lane) => laneIn(disk, lane).acked > laneIn(memory, lane).acked)
  );
}

/** A copy as held by a disk or another tab. */
interface Image extends StoredState {
  readonly rows: ReadonlyMap<Id, StoredRow>;
}

interface Mark {
  readonly unsaved: readonly Operation[];
  readonly seq: number;
}

function fromBatch({ meta, outboxAdd = [], recoveredAdd = [], rowsPut = [] }: StorageBatch): Image {
  const known = must(meta, 'all that is known says what the copy is');
  return {
    meta: known,
    outbox: outboxAdd,
    recovered: recoveredAdd,
    rows: new Map(rowsPut.map((row) => [row.id, row])),
  };
}

/** Messages that only a leader sends. */
const LEADERS: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'welcome',
  'batch',
  'stored',
  'beat',
  'leads',
]);

/**
 * One tab's side of the coordination between tabs of a copy. Starts to listen at once; call `join`, then `ready` when
 * all rows are in memory, and `changed` whenever the platform grants or takes the lead.
 */
export class Company implements SaveWatcher {
  readonly #copy: SharedCopy;
  readonly #ports: CompanyPorts;
  readonly #name: Id;
  readonly #stopListening: () => void;
  #cancelPing: () => void = () => undefined;
  /** The part this tab may play, and the one it plays now. */
  #may: Part;
  #part: Part;
  /** All rows are in memory; before that, messages are kept for later. */
  #isReady = false;
  /** A message was missed: the image must be read again. */
  #isStale = false;
  #isSettling = false;
  #isClosed = false;
  #term = '';
  #at = 0;
  #takenAt = 0;
  #later: Message[] = [];
  /** Batches that a leader announced and may not have stored: its successor stores them. */
  #unstored: { readonly at: number; readonly batch: Batch }[] = [];
  #onJoined: (() => void) | null = null;
  /** Contents that came with the welcome instead of the disk. */
  #given: StorageBatch | null = null;
  /** Operations issued while leading that are on no disk. */
  #carried: readonly Operation[] = [];
  #hasAnnounced = false;
  /** By lane: the last operation that the leader knew when it welcomed this tab. Null: nobody welcomed it. */
  #knownToLeader: ReadonlyMap<number, number> | null = null;
  #unanswered = 0;
  #known: SharedStatus = resting;
  #told = '';

  constructor(copy: SharedCopy, ports: CompanyPorts, part: Part) {
    this.#copy = copy;
    this.#ports = ports;
    this.#may = part;
    this.#part = part;
    this.#name = ports.newId();
    this.#stopListening = ports.channel.listen((message) => this.#hear(message));
    if (part === 'leader') this.#term = ports.newId();
    this.#ping();
  }

  /** The network status as the leader reports it. */
  get status(): SharedStatus {
    return this.#known;
  }

  /** Resolves when the disk may be read: it has everything that the leader knows, or this tab leads. */
  async join(): Promise<Part> {
    await this.#welcomed();
    this.#part = this.#may;
    if (this.#part === 'leader') this.#term = this.#ports.newId();
    return this.#part;
  }

  /** Call when every row is in memory, in the part that `join` returned. */
  ready(): void {
    this.#isReady = true;
    if (this.#part === 'leader') this.#post({ type: 'leads', term: this.#term, at: this.#at, follows: null });
    else if (this.#given !== null) {
      const image = fromBatch(this.#given);
      this.#show({ ...image, outbox: [...image.outbox, ...this.#untold()] }, this.#mark());
    }
    this.#given = null;
    this.#announce();
    this.#hearLater();
    this.#settle();
  }

  /** The disk belongs to another leader although this tab holds the lead: takes it again. */
  fenced(): void {
    this.#isStale = true;
    this.#settle();
  }

  /** Called by the platform: this tab may lead, or may no longer lead. */
  changed(part: Part): void {
    this.#may = part;
    if (part === 'leader') this.#onJoined?.();
    this.#settle();
  }

  ask(request: Request): void {
    this.#post(request);
  }

  /** Sends the network status if it has changed. */
  tellStatus(): void {
    if (this.#part !== 'leader' || !this.#isReady) return;
    const status = this.#copy.status();
    const text = JSON.stringify(status);
    if (text === this.#told) return;
    this.#told = text;
    this.#post({ type: 'beat', term: this.#term, status });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPing();
    this.#stopListening();
  }

  // The SaveWatcher: batches on their way to the disk.

  added(batch: Omit<StorageBatch, 'meta'>): void {
    const { outboxAdd: _own, seq: _seq, journalPut: _done, journalRemove: _old, ...rest } = batch;
    if (this.#part === 'leader') {
      this.#at += 1;
      const term = this.#term;
      const at = this.#at;
      this.#post({ type: 'batch', term, at, batch: { ...rest, meta: this.#copy.meta() } });
    } else if (rest.recoveredAdd !== undefined || rest.recoveredRemove !== undefined)
      this.#post({ type: 'recovered', add: rest.recoveredAdd ?? [], remove: rest.recoveredRemove ?? [] });
  }

  taken(): void {
    this.#takenAt = this.#at;
  }

  stored({ outboxAdd = [] }: StorageBatch): void {
    if (outboxAdd.length > 0) {
      this.#announce();
      // Operations undone while they were being written have been announced as gone.
      const waiting = new Set(this.#copy.held.pending.map(({ q }) => q));
      const operations = outboxAdd.filter(({ q }) => waiting.has(q));
      if (operations.length > 0) this.#post({ type: 'made', operations });
    }
    if (this.#part === 'leader') this.#post({ type: 'stored', term: this.#term, at: this.#takenAt });
  }

  /** Operations that an earlier tab of this lane wrote but never announced come before new ones. */
  #announce(): void {
    if (this.#hasAnnounced) return;
    this.#hasAnnounced = true;
    this.#tellUntold();
  }

  #tellUntold(): void {
    const operations = this.#untold();
    if (operations.length > 0) this.#post({ type: 'made', operations });
  }

  /** Operations on the disk that the leader may not know: a tab of any lane may have ended before it announced them. */
  #untold(): readonly Operation[] {
    const copy = this.#copy;
    const knownToLeader = this.#knownToLeader;
    const { held, saves } = copy;
    const isUntold = (q: number): boolean =>
      knownToLeader === null ? laneOf(q) === held.lane : q > (knownToLeader.get(laneOf(q)) ?? 0);
    return held.pending.filter(({ q }) => isUntold(q) && saves.isDurable(q));
  }

  #post(message: Message): void {
    if (!this.#isClosed) this.#ports.channel.post(message);
  }

  #hear(message: Message): void {
    if (this.#isClosed) return;
    if (LEADERS.has(message.type)) this.#unanswered = 0;
    if (message.type === 'leads' && this.#onJoined !== null) this.#post({ type: 'hello', from: this.#name });
    switch (message.type) {
      case 'hello':
        void this.#welcome(message.from);
        return;
      case 'ping':
        if (this.#may === 'leader')
          this.#post({
            type: 'beat',
            term: this.#part === 'leader' && this.#isReady ? this.#term : null,
            status: this.#part === 'leader' ? this.#copy.status() : this.#known,
          });
        return;
      case 'nudge':
        if (this.#part === 'leader') this.#copy.nudge();
        return;
      case 'detach':
        if (this.#part === 'leader') this.#copy.detach();
        return;
      case 'attach':
        if (this.#part === 'leader') this.#copy.attach(message.kept, true);
        return;
      case 'empty':
        // If that part cannot be loaded nothing is removed; the person sees it and asks again.
        if (this.#part === 'leader') this.#copy.emptyTrash(message.items).catch(() => undefined);
        return;
      case 'welcome':
        if (message.to !== this.#name || this.#onJoined === null) return;
        // Earlier messages are already on the disk.
        this.#later = this.#later.filter(
          (told) => told.type !== 'batch' || told.term !== message.term || told.at > message.at,
        );
        ({ term: this.#term, at: this.#at, status: this.#known, contents: this.#given } = message);
        this.#knownToLeader = new Map((message.last ?? []).map((q) => [laneOf(q), q]));
        this.#onJoined();
        return;
      default:
        if (this.#isReady) this.#take(message);
        else this.#later.push(message);
    }
  }

  /** Handles messages that change this tab's picture. */
  #take(message: Message): void {
    if (message.type === 'made') this.#takeMade(message.operations);
    else if (message.type === 'recovered') this.#copy.takeRecovered(message.add, message.remove);
    else if (this.#part === 'leader') return;
    else if (message.type === 'batch') this.#takeBatch(message);
    else if (message.type === 'stored') {
      if (message.term === this.#term) this.#unstored = this.#unstored.filter(({ at }) => at > message.at);
    } else if (message.type === 'leads') {
      if (message.term === this.#term) return;
      const { follows } = message;
      if (follows?.term !== this.#term || follows.at !== this.#at) this.#isStale = true;
      ({ term: this.#term, at: this.#at } = message);
      this.#settle();
    } else if (message.type === 'beat') {
      if (message.term === null) return;
      this.#known = message.status;
      if (message.term !== this.#term) this.#isStale = true;
      this.#copy.update();
      this.#settle();
    }
  }

  #takeMade(operations: readonly Operation[]): void {
    const { held: replica, saves } = this.#copy;
    const held = new Set(replica.pending.map(({ q }) => q));
    const isNew = ({ q }: Operation) => !held.has(q) && q > laneIn(replica.meta, laneOf(q)).acked;
    const fresh = operations.filter((operation) => isNew(operation) && laneOf(operation.q) !== replica.lane);
    if (this.#part === 'leader' && replica.account === 0) {
      const { rowsPut, outboxRemove, refused } = replica.judge(fresh);
      saves.add({ rowsPut, outboxRemove, recoveredAdd: refused });
      if (refused.length > 0) this.#copy.takeRecovered(refused, []);
      return;
    }
    if (fresh.length > 0) replica.amend({ queue: [...replica.pending, ...fresh] });
    if (this.#part === 'leader') this.#copy.hurry();
    else this.#copy.update();
  }

  #takeBatch({ term, at, batch }: Extract<Message, { type: 'batch' }>): void {
    // Late message of an earlier leader: its effect is on the disk and was read from there.
    if (term !== this.#term) return;
    if (at <= this.#at) return;
    if (at !== this.#at + 1) {
      this.#isStale = true;
      this.#settle();
      return;
    }
    this.#at = at;
    this.#unstored.push({ at, batch });
    const { held: replica } = this.#copy;
    const { meta, rowsPut = [], rowsRemove = [], outboxRemove = [] } = batch;
    const incoming: Incoming = new Map(rowsPut.map((row) => [row.id, row]));
    for (const id of rowsRemove) incoming.set(id, null);
    replica.amend({ meta, queue: without(replica.pending, outboxRemove, meta), incoming });
    this.#withdraw(outboxRemove);
    this.#copy.takeRecovered(batch.recoveredAdd ?? [], batch.recoveredRemove ?? []);
    this.#copy.update();
  }

  /** Operations settled before the disk took them need not be written. */
  #withdraw(settled: readonly number[]): void {
    const { held, saves } = this.#copy;
    const late = settled.filter((q) => laneOf(q) === held.lane && !saves.isDurable(q));
    if (late.length > 0) saves.add({ outboxRemove: late });
  }

  async #welcome(to: string): Promise<void> {
    if (this.#part !== 'leader' || !this.#isReady) return;
    const { saves } = this.#copy;
    const term = this.#term;
    const at = this.#at;
    await saves.tried();
    if (this.#part !== 'leader' || term !== this.#term) return;
    const contents = saves.failing ? this.#copy.contents() : null;
    const point = contents === null ? { term, at } : { term, at: this.#at };
    const { seq, lanes = {} } = this.#copy.held.meta;
    const last = [seq, ...Object.values(lanes).map((lane) => lane.seq)];
    this.#post({ type: 'welcome', to, ...point, status: this.#copy.status(), contents, last });
  }

  /** Waits for a leader's welcome, or until this tab leads. */
  #welcomed(): Promise<void> {
    this.#later = [];
    if (this.#may === 'leader') return Promise.resolve();
    return new Promise((resolve) => {
      this.#onJoined = () => {
        this.#onJoined = null;
        resolve();
      };
      this.#post({ type: 'hello', from: this.#name });
    });
  }

  #hearLater(): void {
    const later = this.#later;
    this.#later = [];
    for (const message of later) this.#take(message);
  }

  #ping(): void {
    this.#cancelPing = this.#ports.timers.after(PING_MS, () => {
      if (this.#isClosed) return;
      this.#ping();
      if (this.#may === 'leader') return;
      this.#unanswered += 1;
      if (this.#unanswered > MOST_UNANSWERED) {
        this.#unanswered = 0;
        this.#ports.steal();
      }
      this.#post({ type: 'ping' });
      // A welcome may have been lost with the leader that was asked for it.
      if (this.#onJoined !== null) this.#post({ type: 'hello', from: this.#name });
    });
  }

  /** Changes the part until it is the one this tab may play, and reads what was missed. One run at a time. */
  #settle(): void {
    if (this.#isSettling || !this.#isReady || this.#isClosed) return;
    if (this.#may === this.#part && !this.#isStale) return;
    this.#isSettling = true;
    this.#isReady = false;
    this.#step().then(
      () => this.#settled(),
      () => {
        // The disk did not answer: try again a little later.
        this.#ports.timers.after(RETRY_MS, () => this.#settled());
      },
    );
  }

  #settled(): void {
    this.#isSettling = false;
    if (this.#isClosed) return;
    this.#isReady = true;
    this.#hearLater();
    this.#settle();
  }

  async #step(): Promise<void> {
    // A tab that leads again also stands down first: meanwhile decisions may have become another tab's.
    if (this.#part === 'leader') {
      this.#carried = [...this.#copy.unsaved()];
      this.#part = 'follower';
      this.#isStale = true;
      this.#copy.play('follower');
    }
    if (this.#may === 'leader') {
      await this.#lead();
      return;
    }
    await this.#welcomed();
    // It may lead after all: the next step does so, and reads.
    if ((this.#may as Part) === 'leader') return;
    this.#unstored = [];
    const given = this.#given;
    this.#given = null;
    const mark = this.#mark();
    if (given === null) this.#show(await this.#read(await this.#copy.storage.open('follower')), mark);
    else this.#show(fromBatch(given), mark);
    this.#tellUntold();
    this.#isStale = false;
  }

  async #lead(): Promise<void> {
    const copy = this.#copy;
    const ports = this.#ports;
    const mark = this.#mark();
    const stored = await copy.storage.open('leader');
    // Batches that the earlier leader announced but did not store are nowhere else; those it stored but did not
    // announce are on the disk.
    const isBehind = stored !== null && (this.#isStale || isAhead(stored.meta, copy.held.meta));
    const follows = isBehind ? null : { term: this.#term, at: this.#at };
    if (isBehind) this.#show(await this.#read(stored), mark);
    else if (stored !== null) this.#takeWaiting(stored);
    if (this.#may !== 'leader' || this.#isClosed) {
      this.#isStale = true;
      return;
    }
    const unstored = isBehind ? [] : this.#unstored;
    this.#isStale = false;
    this.#unstored = [];
    this.#part = 'leader';
    this.#term = ports.newId();
    this.#told = '';
    this.#post({ type: 'leads', term: this.#term, at: this.#at, follows });
    // Older than anything this tab decides now.
    for (const { batch } of unstored) {
      const { meta: _meta, ...rest } = batch;
      copy.saves.add(rest);
    }
    copy.play('leader');
    // An emptied disk gets everything.
    if (stored === null) copy.saves.add(copy.contents() ?? {});
  }

  #takeWaiting({ outbox, recovered }: StoredState): void {
    const { held: replica } = this.#copy;
    // Operations that the earlier leader announced as done may still wait on the disk.
    const done = this.#unstored.flatMap(({ batch }) => batch.outboxRemove ?? []);
    const waiting = without(outbox, done, replica.meta);
    const stored = new Set(waiting.map(({ q }) => q));
    replica.amend({ queue: [...replica.pending.filter(({ q }) => !stored.has(q)), ...waiting] });
    const dealtWith = new Set(this.#unstored.flatMap(({ batch }) => batch.recoveredRemove ?? []));
    this.#copy.takeRecovered(
      recovered.filter(({ operation }) => !dealtWith.has(operation.q)),
      [],
    );
  }

  /** The unsaved state of this tab, taken before the disk is read. */
  #mark(): Mark {
    const { held: replica } = this.#copy;
    return {
      unsaved: [...this.#carried, ...this.#copy.unsaved()],
      seq: laneIn(replica.meta, replica.lane).seq,
    };
  }

  async #read(stored: StoredState | null): Promise<Image> {
    if (stored === null) throw new Error('The storage of a shared copy is empty.');
    const rows = new Map<Id, StoredRow>();
    for await (const page of this.#copy.storage.rows()) for (const row of page) rows.set(row.id, row);
    return { ...stored, rows };
  }

  /** Replaces the picture with an image, plus what this tab has not stored yet. */
  #show({ meta, outbox, recovered, rows }: Image, mark: Mark): void {
    const { held: replica, saves } = this.#copy;
    const { lane } = replica;
    const { acked } = laneIn(meta, lane);
    const unsaved = mark.unsaved.filter(({ q }) => q > acked);
    const since = replica.pending.filter(({ q }) => laneOf(q) === lane && q > mark.seq);
    const waiting = new Map([...outbox, ...unsaved, ...since].map((operation) => [operation.q, operation]));
    const incoming: Incoming = new Map();
    for (const row of rows.values()) {
      const held = replica.storedRow(row.id);
      // Without an account two tabs may have used one version for different content.
      const isHeld = replica.account !== 0 && held?.version === row.version && held.scope === row.scope;
      if (!isHeld) incoming.set(row.id, row);
    }
    for (const { id } of replica.stored()) if (!rows.has(id)) incoming.set(id, null);
    replica.amend({ meta, queue: without([...waiting.values()], [], meta), incoming });
    this.#withdraw(mark.unsaved.flatMap(({ q }) => (q > acked ? [] : [q])));
    if (replica.account === 0 && unsaved.length > 0) saves.add({ outboxAdd: unsaved });
    this.#carried = [];
    this.#copy.setRecovered(saves.recoveredOver(recovered));
    this.#copy.update();
  }
}
