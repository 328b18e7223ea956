// Writes behind, in order: gathers what has to reach the disk into one atomic batch at a time and tries again until
// the disk takes it. What is gathered is never dropped; a failure is visible to whoever asks.
import type { Id } from '#core/ids.ts';
import { laneIn } from './lanes.ts';
import type { Operation } from './operation.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  JournalEntry,
  JournalKey,
  RecoveredItem,
  StorageBatch,
  Timers,
} from './ports.ts';
import type { Row } from './row.ts';

interface Gathered {
  readonly outboxAdd: Map<number, Operation>;
  readonly outboxRemove: Set<number>;
  readonly rowsPut: Map<Id, Row>;
  readonly rowsRemove: Set<Id>;
  readonly recoveredAdd: RecoveredItem[];
  readonly recoveredRemove: Set<number>;
  /** By key; an array: to be removed. */
  readonly journal: Map<string, JournalEntry | JournalKey>;
}

function nothing(): Gathered {
  return {
    outboxAdd: new Map(),
    outboxRemove: new Set(),
    rowsPut: new Map(),
    rowsRemove: new Set(),
    recoveredAdd: [],
    recoveredRemove: new Set(),
    journal: new Map(),
  };
}

function gather(into: Gathered, batch: Omit<StorageBatch, 'meta'>): void {
  for (const operation of batch.outboxAdd ?? []) {
    into.outboxAdd.set(operation.q, operation);
    into.outboxRemove.delete(operation.q);
  }
  for (const q of batch.outboxRemove ?? []) {
    into.outboxAdd.delete(q);
    into.outboxRemove.add(q);
  }
  for (const row of batch.rowsPut ?? []) {
    into.rowsPut.set(row.id, row);
    into.rowsRemove.delete(row.id);
  }
  for (const id of batch.rowsRemove ?? []) {
    into.rowsPut.delete(id);
    into.rowsRemove.add(id);
  }
  into.recoveredAdd.push(...(batch.recoveredAdd ?? []));
  for (const q of batch.recoveredRemove ?? []) into.recoveredRemove.add(q);
  for (const entry of batch.journalPut ?? []) into.journal.set(`${entry.device} ${entry.q}`, entry);
  for (const key of batch.journalRemove ?? []) into.journal.set(key.join(' '), key);
}

function partsOf(gathered: Gathered): Omit<StorageBatch, 'meta'> {
  const journal = [...gathered.journal.values()];
  return {
    outboxAdd: [...gathered.outboxAdd.values()],
    outboxRemove: [...gathered.outboxRemove],
    rowsPut: [...gathered.rowsPut.values()],
    rowsRemove: [...gathered.rowsRemove],
    recoveredAdd: gathered.recoveredAdd,
    recoveredRemove: [...gathered.recoveredRemove],
    journalPut: journal.filter((part) => 'q' in part),
    journalRemove: journal.filter((part): part is JournalKey => !('q' in part)),
  };
}

const RETRY_MS = [200, 1_000, 5_000, 15_000];

/** Hears what goes to the disk: the other tabs are told. */
export interface SaveWatcher {
  added(batch: Omit<StorageBatch, 'meta'>): void;
  /** All that was added until now is being written. */
  taken(): void;
  stored(batch: StorageBatch): void;
}

export class SaveQueue {
  watcher: SaveWatcher | null = null;
  /** Another tab leads: only what is done in this one may be written. */
  private isLimited = false;

  private readonly storage: DeviceStorage;
  private readonly timers: Timers;
  private readonly currentMeta: () => DeviceMeta;
  private readonly lane: number;
  private readonly onChange: () => void;
  private next = nothing();
  private dirty = false;
  private underWay: Gathered | null = null;
  private failures = 0;
  private cancelTimer: (() => void) | null = null;
  private waiters: (() => void)[] = [];
  private triers: (() => void)[] = [];
  private closed = false;

  constructor(ports: {
    storage: DeviceStorage;
    timers: Timers;
    meta: () => DeviceMeta;
    onChange: () => void;
    lane?: number;
  }) {
    this.storage = ports.storage;
    this.timers = ports.timers;
    this.currentMeta = ports.meta;
    this.onChange = ports.onChange;
    this.lane = ports.lane ?? 0;
  }

  /** From now on only own operations are written; what else was gathered is the leader's to know. */
  limit(isLimited: boolean): void {
    this.isLimited = isLimited;
    if (!isLimited) return;
    for (const gathered of [this.next, this.underWay]) {
      gathered?.rowsPut.clear();
      gathered?.rowsRemove.clear();
      gathered?.outboxRemove.clear();
    }
  }

  /** Operations and own rows not yet durable. */
  get unsaved(): number {
    return this.next.outboxAdd.size + (this.underWay?.outboxAdd.size ?? 0);
  }

  get idle(): boolean {
    return !this.dirty && this.underWay === null;
  }

  /** The disk refused at the last try. */
  get failing(): boolean {
    return this.failures > 0;
  }

  isDurable(q: number): boolean {
    return !this.next.outboxAdd.has(q) && this.underWay?.outboxAdd.has(q) !== true;
  }

  add(batch: Omit<StorageBatch, 'meta'>): void {
    gather(this.next, batch);
    this.dirty = true;
    this.watcher?.added(batch);
    if (this.underWay === null && this.cancelTimer === null) this.schedule(0);
  }

  /** Resolves when all that was added before is durable. */
  flushed(): Promise<void> {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      if (this.underWay === null) this.schedule(0);
    });
  }

  /** Resolves after the disk has taken, or refused, what was added before. */
  tried(): Promise<void> {
    if (this.idle || this.failing) return Promise.resolve();
    return new Promise((resolve) => {
      this.triers.push(resolve);
      void this.flushed().then(resolve);
    });
  }

  /** Stops trying. What is not durable then never will be by this queue. */
  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  private toBatch(gathered: Gathered): StorageBatch {
    const meta = this.currentMeta();
    const head = this.isLimited ? { seq: laneIn(meta, this.lane).seq } : { meta };
    return { ...head, ...partsOf(gathered) };
  }

  private schedule(delayMs: number): void {
    this.cancelTimer?.();
    this.cancelTimer = this.timers.after(delayMs, () => {
      this.cancelTimer = null;
      void this.save();
    });
  }

  private async save(): Promise<void> {
    if (this.closed || this.underWay !== null || !this.dirty) return;
    const taken = this.next;
    this.underWay = taken;
    this.next = nothing();
    this.dirty = false;
    const waiters = this.waiters.splice(0);
    const batch = this.toBatch(taken);
    this.watcher?.taken();
    try {
      await this.storage.write(batch);
      this.underWay = null;
      this.failures = 0;
      this.watcher?.stored(batch);
      for (const wake of waiters) wake();
    } catch {
      // Put back before what came after it, and try again: `failing` tells the person meanwhile.
      const later = this.next;
      this.next = taken;
      gather(this.next, this.toBatch(later));
      this.underWay = null;
      this.dirty = true;
      this.waiters.unshift(...waiters);
      this.failures += 1;
      for (const wake of this.triers.splice(0)) wake();
    }
    // Who asked while this write was under way, and nothing came after it, has waited for this one.
    if (this.idle) for (const wake of [...this.waiters.splice(0), ...this.triers.splice(0)]) wake();
    this.onChange();
    if (this.dirty && !this.closed)
      this.schedule(this.failures === 0 ? 0 : (RETRY_MS[Math.min(this.failures, RETRY_MS.length) - 1] ?? 0));
  }
}
