// Several tabs of one copy: one leads (network, rows on disk), the others show what it knows and add what is done in
// them. This is what they tell each other, on both sides, and how a tab changes its part. Loaded with the second tab.
// Not here: who may lead (locks are the platform's), the network, and what an operation does.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { TrashItem } from './emptying.ts';
import type { Incoming } from './incoming.ts';
import { laneIn, laneOf } from './lanes.ts';
import type { Operation } from './operation.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  Part,
  RecoveredItem,
  StorageBatch,
  StoredState,
  Timers,
} from './ports.ts';
import type { DeviceReplica } from './replica.ts';
import type { DetachedChanges } from './replica-types.ts';
import type { Row } from './row.ts';
import type { SaveQueue, SaveWatcher } from './save-queue.ts';
import type { Batch, Channel, Message, Request, SharedStatus } from './tab-messages.ts';
import { NOT_HEARD } from './loop-state.ts';

const PING_MS = 2_000;
/** Unanswered ones after which the leader counts as gone. Counted, not timed: a tab that slept has missed nothing. */
const MOST_UNANSWERED = 5;
const RETRY_MS = 1_000;

export interface CompanyPorts {
  readonly channel: Channel;
  readonly timers: Timers;
  readonly newId: () => Id;
  /** Takes the lead from a tab that does not answer; `changed` tells when it is done. */
  steal(): void;
}

/** What a company may do with the engine of its tab. */
export interface SharedCopy {
  readonly held: DeviceReplica;
  readonly saves: SaveQueue;
  readonly storage: DeviceStorage;
  meta(): DeviceMeta;
  contents(): StorageBatch | null;
  status(): SharedStatus;
  unsaved(): readonly Operation[];
  /** Everything refused that is kept, from the disk. */
  setRecovered(items: readonly RecoveredItem[]): void;
  takeRecovered(add: readonly RecoveredItem[], remove: readonly number[]): void;
  /** Plays the part from now on: its flags are set, the network runs or rests. */
  play(part: Part): void;
  /** Something to send has come. */
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

/** Grows with every time that cloud sync is turned off or on. */
function switched({ detached, ended }: DeviceMeta): number {
  if (detached !== undefined) return detached.at;
  return ended === undefined ? 0 : ended + 0.5;
}

/** Whether the disk knows something that memory does not. */
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

/** A copy as a disk or another tab holds it. */
interface Image extends StoredState {
  readonly rows: ReadonlyMap<Id, Row>;
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

/** What only a leader says. */
const LEADERS: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'welcome',
  'batch',
  'stored',
  'beat',
  'leads',
]);

export class Company implements SaveWatcher {
  private readonly copy: SharedCopy;
  private readonly ports: CompanyPorts;
  private readonly name: Id;
  private readonly stopListening: () => void;
  private cancelPing: () => void = () => undefined;
  /** The part this tab may play, and the one it plays. */
  private may: Part;
  private part: Part;
  /** All rows are in memory; before that, what is told is kept for later. */
  private isReady = false;
  /** Something was missed: the image must be read again. */
  private isStale = false;
  private isSettling = false;
  private isClosed = false;
  private term = '';
  private at = 0;
  private takenAt = 0;
  private later: Message[] = [];
  /** What a leader told and may not have stored: its successor does. */
  private unstored: { readonly at: number; readonly batch: Batch }[] = [];
  private onJoined: (() => void) | null = null;
  /** Came with the welcome, in place of the disk. */
  private given: StorageBatch | null = null;
  /** Done while leading and on no disk. */
  private carried: readonly Operation[] = [];
  private hasAnnounced = false;
  private unanswered = 0;
  private known: SharedStatus = resting;
  private told = '';

  constructor(copy: SharedCopy, ports: CompanyPorts, part: Part) {
    this.copy = copy;
    this.ports = ports;
    this.may = part;
    this.part = part;
    this.name = ports.newId();
    this.stopListening = ports.channel.listen((message) => this.hear(message));
    if (part === 'leader') this.term = ports.newId();
    this.ping();
  }

  /** The leader's word about the network. */
  get status(): SharedStatus {
    return this.known;
  }

  /** The disk may be read: all that the leader knows is on it, or this tab leads. */
  async join(): Promise<Part> {
    await this.welcomed();
    this.part = this.may;
    if (this.part === 'leader') this.term = this.ports.newId();
    return this.part;
  }

  /** Every row is in memory, in the part that `join` gave. */
  ready(): void {
    this.isReady = true;
    if (this.part === 'leader') this.post({ type: 'leads', term: this.term, at: this.at, follows: null });
    else if (this.given !== null) this.show(fromBatch(this.given), this.mark());
    this.given = null;
    this.announce();
    this.hearLater();
    this.settle();
  }

  /** The disk is another leader's although this tab holds the lead: it is taken again. */
  fenced(): void {
    this.isStale = true;
    this.settle();
  }

  /** The platform's word: this tab may lead, or may not any more. */
  changed(part: Part): void {
    this.may = part;
    if (part === 'leader') this.onJoined?.();
    this.settle();
  }

  ask(request: Request): void {
    this.post(request);
  }

  /** Tells what is known of the network, where it is news. */
  tellStatus(): void {
    if (this.part !== 'leader' || !this.isReady) return;
    const status = this.copy.status();
    const text = JSON.stringify(status);
    if (text === this.told) return;
    this.told = text;
    this.post({ type: 'beat', term: this.term, status });
  }

  close(): void {
    this.isClosed = true;
    this.cancelPing();
    this.stopListening();
  }

  // What goes to the disk (SaveWatcher).

  added(batch: Omit<StorageBatch, 'meta'>): void {
    const { outboxAdd: _own, seq: _seq, journalPut: _done, journalRemove: _old, ...rest } = batch;
    if (this.part === 'leader') {
      this.at += 1;
      const { term, at } = this;
      this.post({ type: 'batch', term, at, batch: { ...rest, meta: this.copy.meta() } });
    } else if (rest.recoveredAdd !== undefined || rest.recoveredRemove !== undefined)
      this.post({ type: 'recovered', add: rest.recoveredAdd ?? [], remove: rest.recoveredRemove ?? [] });
  }

  taken(): void {
    this.takenAt = this.at;
  }

  stored({ outboxAdd = [] }: StorageBatch): void {
    if (outboxAdd.length > 0) {
      this.announce();
      // What was taken back while it was being written has been told to be gone.
      const waiting = new Set(this.copy.held.pending.map(({ q }) => q));
      const operations = outboxAdd.filter(({ q }) => waiting.has(q));
      if (operations.length > 0) this.post({ type: 'made', operations });
    }
    if (this.part === 'leader') this.post({ type: 'stored', term: this.term, at: this.takenAt });
  }

  /** What an earlier tab of this lane wrote and did not live to tell comes before what is made now. */
  private announce(): void {
    if (this.hasAnnounced) return;
    this.hasAnnounced = true;
    const { held, saves } = this.copy;
    const operations = held.pending.filter(({ q }) => laneOf(q) === held.lane && saves.isDurable(q));
    if (operations.length > 0) this.post({ type: 'made', operations });
  }

  private post(message: Message): void {
    if (!this.isClosed) this.ports.channel.post(message);
  }

  private hear(message: Message): void {
    if (this.isClosed) return;
    if (LEADERS.has(message.type)) this.unanswered = 0;
    if (message.type === 'leads' && this.onJoined !== null) this.post({ type: 'hello', from: this.name });
    switch (message.type) {
      case 'hello':
        void this.welcome(message.from);
        return;
      case 'ping':
        if (this.may === 'leader')
          this.post({
            type: 'beat',
            term: this.part === 'leader' && this.isReady ? this.term : null,
            status: this.part === 'leader' ? this.copy.status() : this.known,
          });
        return;
      case 'nudge':
        if (this.part === 'leader') this.copy.nudge();
        return;
      case 'detach':
        if (this.part === 'leader') this.copy.detach();
        return;
      case 'attach':
        if (this.part === 'leader') this.copy.attach(message.kept, true);
        return;
      case 'empty':
        // Where that part cannot be loaded nothing goes; the person sees it and asks again.
        if (this.part === 'leader') this.copy.emptyTrash(message.items).catch(() => undefined);
        return;
      case 'welcome':
        if (message.to !== this.name || this.onJoined === null) return;
        // What was told before is on the disk.
        this.later = this.later.filter(
          (told) => told.type !== 'batch' || told.term !== message.term || told.at > message.at,
        );
        ({ term: this.term, at: this.at, status: this.known, contents: this.given } = message);
        this.onJoined();
        return;
      default:
        if (this.isReady) this.take(message);
        else this.later.push(message);
    }
  }

  /** What changes this tab's picture. */
  private take(message: Message): void {
    if (message.type === 'made') this.takeMade(message.operations);
    else if (message.type === 'recovered') this.copy.takeRecovered(message.add, message.remove);
    else if (this.part === 'leader') return;
    else if (message.type === 'batch') this.takeBatch(message);
    else if (message.type === 'stored') {
      if (message.term === this.term) this.unstored = this.unstored.filter(({ at }) => at > message.at);
    } else if (message.type === 'leads') {
      if (message.term === this.term) return;
      const { follows } = message;
      if (follows?.term !== this.term || follows.at !== this.at) this.isStale = true;
      ({ term: this.term, at: this.at } = message);
      this.settle();
    } else if (message.type === 'beat') {
      if (message.term === null) return;
      this.known = message.status;
      if (message.term !== this.term) this.isStale = true;
      this.copy.update();
      this.settle();
    }
  }

  private takeMade(operations: readonly Operation[]): void {
    const { held: replica, saves } = this.copy;
    const held = new Set(replica.pending.map(({ q }) => q));
    const isNew = ({ q }: Operation) => !held.has(q) && q > laneIn(replica.meta, laneOf(q)).acked;
    const fresh = operations.filter((operation) => isNew(operation) && laneOf(operation.q) !== replica.lane);
    if (this.part === 'leader' && replica.account === 0) {
      const { rowsPut, outboxRemove, refused } = replica.judge(fresh);
      saves.add({ rowsPut, outboxRemove, recoveredAdd: refused });
      if (refused.length > 0) this.copy.takeRecovered(refused, []);
      return;
    }
    if (fresh.length > 0) replica.amend({ queue: [...replica.pending, ...fresh] });
    if (this.part === 'leader') this.copy.hurry();
    else this.copy.update();
  }

  private takeBatch({ term, at, batch }: Extract<Message, { type: 'batch' }>): void {
    // An earlier leader's last words: what counts of them is on the disk, and was read from there.
    if (term !== this.term) return;
    if (at <= this.at) return;
    if (at !== this.at + 1) {
      this.isStale = true;
      this.settle();
      return;
    }
    this.at = at;
    this.unstored.push({ at, batch });
    const { held: replica } = this.copy;
    const { meta, rowsPut = [], rowsRemove = [], outboxRemove = [] } = batch;
    const incoming: Incoming = new Map(rowsPut.map((row) => [row.id, row]));
    for (const id of rowsRemove) incoming.set(id, null);
    replica.amend({ meta, queue: without(replica.pending, outboxRemove, meta), incoming });
    this.withdraw(outboxRemove);
    this.copy.takeRecovered(batch.recoveredAdd ?? [], batch.recoveredRemove ?? []);
    this.copy.update();
  }

  /** What is settled before the disk took it needs no place there. */
  private withdraw(settled: readonly number[]): void {
    const { held, saves } = this.copy;
    const late = settled.filter((q) => laneOf(q) === held.lane && !saves.isDurable(q));
    if (late.length > 0) saves.add({ outboxRemove: late });
  }

  private async welcome(to: string): Promise<void> {
    if (this.part !== 'leader' || !this.isReady) return;
    const { saves } = this.copy;
    const { term, at } = this;
    await saves.tried();
    if (this.part !== 'leader' || term !== this.term) return;
    const contents = saves.failing ? this.copy.contents() : null;
    const point = contents === null ? { term, at } : { term, at: this.at };
    this.post({ type: 'welcome', to, ...point, status: this.copy.status(), contents });
  }

  /** Waits for a leader's welcome, or for leading oneself. */
  private welcomed(): Promise<void> {
    this.later = [];
    if (this.may === 'leader') return Promise.resolve();
    return new Promise((resolve) => {
      this.onJoined = () => {
        this.onJoined = null;
        resolve();
      };
      this.post({ type: 'hello', from: this.name });
    });
  }

  private hearLater(): void {
    const { later } = this;
    this.later = [];
    for (const message of later) this.take(message);
  }

  private ping(): void {
    this.cancelPing = this.ports.timers.after(PING_MS, () => {
      if (this.isClosed) return;
      this.ping();
      if (this.may === 'leader') return;
      this.unanswered += 1;
      if (this.unanswered > MOST_UNANSWERED) {
        this.unanswered = 0;
        this.ports.steal();
      }
      this.post({ type: 'ping' });
      // A welcome may have been lost with the leader that was asked for it.
      if (this.onJoined !== null) this.post({ type: 'hello', from: this.name });
    });
  }

  /** Changes the part until it is the one this tab may play, and reads what was missed. One at a time. */
  private settle(): void {
    if (this.isSettling || !this.isReady || this.isClosed) return;
    if (this.may === this.part && !this.isStale) return;
    this.isSettling = true;
    this.isReady = false;
    this.step().then(
      () => this.settled(),
      () => {
        // The disk did not answer: again, a little later.
        this.ports.timers.after(RETRY_MS, () => this.settled());
      },
    );
  }

  private settled(): void {
    this.isSettling = false;
    if (this.isClosed) return;
    this.isReady = true;
    this.hearLater();
    this.settle();
  }

  private async step(): Promise<void> {
    // Also who leads again stands down first: what was decided meanwhile may be another's to decide.
    if (this.part === 'leader') {
      this.carried = [...this.copy.unsaved()];
      this.part = 'follower';
      this.isStale = true;
      this.copy.play('follower');
    }
    if (this.may === 'leader') {
      await this.lead();
      return;
    }
    await this.welcomed();
    // May lead after all: the next step does, and reads.
    if ((this.may as Part) === 'leader') return;
    this.unstored = [];
    const { given } = this;
    this.given = null;
    const mark = this.mark();
    if (given === null) this.show(await this.read(await this.copy.storage.open('follower')), mark);
    else this.show(fromBatch(given), mark);
    this.isStale = false;
  }

  private async lead(): Promise<void> {
    const { copy, ports } = this;
    const mark = this.mark();
    const stored = await copy.storage.open('leader');
    // What the earlier leader told and did not store is nowhere else; what it stored and did not tell is on the disk.
    const isBehind = stored !== null && (this.isStale || isAhead(stored.meta, copy.held.meta));
    const follows = isBehind ? null : { term: this.term, at: this.at };
    if (isBehind) this.show(await this.read(stored), mark);
    else if (stored !== null) this.takeWaiting(stored);
    if (this.may !== 'leader' || this.isClosed) {
      this.isStale = true;
      return;
    }
    const unstored = isBehind ? [] : this.unstored;
    this.isStale = false;
    this.unstored = [];
    this.part = 'leader';
    this.term = ports.newId();
    this.told = '';
    this.post({ type: 'leads', term: this.term, at: this.at, follows });
    // Older than whatever this tab decides now.
    for (const { batch } of unstored) {
      const { meta: _meta, ...rest } = batch;
      copy.saves.add(rest);
    }
    copy.play('leader');
    // An emptied disk gets everything.
    if (stored === null) copy.saves.add(copy.contents() ?? {});
  }

  private takeWaiting({ outbox, recovered }: StoredState): void {
    const { held: replica } = this.copy;
    // What the earlier leader told to be done with may wait on the disk still.
    const done = this.unstored.flatMap(({ batch }) => batch.outboxRemove ?? []);
    const waiting = without(outbox, done, replica.meta);
    const stored = new Set(waiting.map(({ q }) => q));
    replica.amend({ queue: [...replica.pending.filter(({ q }) => !stored.has(q)), ...waiting] });
    const dealtWith = new Set(this.unstored.flatMap(({ batch }) => batch.recoveredRemove ?? []));
    this.copy.takeRecovered(
      recovered.filter(({ operation }) => !dealtWith.has(operation.q)),
      [],
    );
  }

  /** What this tab may hold that is on no disk, before that is looked at. */
  private mark(): Mark {
    const { held: replica } = this.copy;
    return {
      unsaved: [...this.carried, ...this.copy.unsaved()],
      seq: laneIn(replica.meta, replica.lane).seq,
    };
  }

  private async read(stored: StoredState | null): Promise<Image> {
    if (stored === null) throw new Error('The storage of a shared copy is empty.');
    const rows = new Map<Id, Row>();
    for await (const page of this.copy.storage.rows()) for (const row of page) rows.set(row.id, row);
    return { ...stored, rows };
  }

  /** Puts an image in place of what is shown, with what this tab has not stored yet. */
  private show({ meta, outbox, recovered, rows }: Image, mark: Mark): void {
    const { held: replica, saves } = this.copy;
    const { lane } = replica;
    const { acked } = laneIn(meta, lane);
    const unsaved = mark.unsaved.filter(({ q }) => q > acked);
    const since = replica.pending.filter(({ q }) => laneOf(q) === lane && q > mark.seq);
    const waiting = new Map([...outbox, ...unsaved, ...since].map((operation) => [operation.q, operation]));
    const incoming: Incoming = new Map();
    for (const row of rows.values()) {
      // Without an account two tabs may have given one version to different things.
      const isHeld = replica.account !== 0 && replica.confirmed(row.id)?.version === row.version;
      if (!isHeld) incoming.set(row.id, row);
    }
    for (const { id } of replica.all())
      if (replica.confirmed(id) !== undefined && !rows.has(id)) incoming.set(id, null);
    replica.amend({ meta, queue: without([...waiting.values()], [], meta), incoming });
    this.withdraw(mark.unsaved.flatMap(({ q }) => (q > acked ? [] : [q])));
    if (replica.account === 0 && unsaved.length > 0) saves.add({ outboxAdd: unsaved });
    this.carried = [];
    this.copy.setRecovered(recovered);
    this.copy.update();
  }
}
