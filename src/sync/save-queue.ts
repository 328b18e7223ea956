// Writes behind, in order: gathers what has to reach the disk into one atomic batch at a time and tries again until
// the disk takes it. What is gathered is never dropped; a failure is visible to whoever asks.
import type { Id } from '#core/ids.ts';
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

function toBatch(gathered: Gathered, meta: DeviceMeta): StorageBatch {
  const journal = [...gathered.journal.values()];
  return {
    meta,
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

export class SaveQueue {
  private readonly storage: DeviceStorage;
  private readonly timers: Timers;
  private readonly currentMeta: () => DeviceMeta;
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
  }) {
    this.storage = ports.storage;
    this.timers = ports.timers;
    this.currentMeta = ports.meta;
    this.onChange = ports.onChange;
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
    try {
      await this.storage.write(toBatch(taken, this.currentMeta()));
      this.underWay = null;
      this.failures = 0;
      for (const wake of waiters) wake();
    } catch {
      // Put back before what came after it, and try again: `failing` tells the person meanwhile.
      const later = this.next;
      this.next = taken;
      gather(this.next, toBatch(later, this.currentMeta()));
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
