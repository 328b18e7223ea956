// Write-behind, in order: gathers changes for the disk into one atomic batch at a time and retries until the disk
// accepts it. Nothing gathered is dropped; `failing` shows a failure.
import type { Id } from '#core/ids.ts';
import { laneIn } from '../tabs/sequences.ts';
import type { Operation } from '../rows/operation.ts';
import type {
  DeviceMeta,
  DeviceStorage,
  JournalEntry,
  JournalKey,
  RecoveredItem,
  StorageBatch,
  Timers,
} from './ports.ts';
import type { StoredRow } from '../rows/row.ts';

interface Gathered {
  readonly outboxAdd: Map<number, Operation>;
  readonly outboxRemove: Set<number>;
  readonly rowsPut: Map<Id, StoredRow>;
  readonly rowsRemove: Set<Id>;
  recoveredAdd: RecoveredItem[];
  readonly recoveredRemove: Set<number>;
  /** By key; an array: an entry to remove. */
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

/** Observes the batches on their way to the disk, to announce them to the other tabs. */
export interface SaveWatcher {
  added(batch: Omit<StorageBatch, 'meta'>): void;
  /** Everything added so far is being written. */
  taken(): void;
  stored(batch: StorageBatch): void;
}

/** The queue of writes to a device's disk. `onChange` is called after every attempt. */
export class SaveQueue {
  watcher: SaveWatcher | null = null;
  /** Another tab leads: only operations made in this one may be written. */
  #isLimited = false;

  readonly #storage: DeviceStorage;
  readonly #timers: Timers;
  readonly #currentMeta: () => DeviceMeta;
  readonly #lane: number;
  readonly #onChange: () => void;
  #next = nothing();
  #dirty = false;
  #underWay: Gathered | null = null;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;
  #waiters: (() => void)[] = [];
  #triers: (() => void)[] = [];
  #closed = false;

  constructor(ports: {
    storage: DeviceStorage;
    timers: Timers;
    meta: () => DeviceMeta;
    onChange: () => void;
    lane?: number;
  }) {
    this.#storage = ports.storage;
    this.#timers = ports.timers;
    this.#currentMeta = ports.meta;
    this.#onChange = ports.onChange;
    this.#lane = ports.lane ?? 0;
  }

  /** From now on only own operations are written; everything else gathered is up to the leader. */
  limit(isLimited: boolean): void {
    this.#isLimited = isLimited;
    if (!isLimited) return;
    const isAuthority = this.#currentMeta().account === 0;
    for (const gathered of [this.#next, this.#underWay]) {
      if (gathered === null) continue;
      // Operations refused by this tab wait again for the new leader's verdict. A server's refusals stay.
      if (isAuthority)
        gathered.recoveredAdd = gathered.recoveredAdd.filter(
          ({ operation }) => !gathered.outboxRemove.has(operation.q),
        );
      gathered.rowsPut.clear();
      gathered.rowsRemove.clear();
      gathered.outboxRemove.clear();
    }
  }

  /** The refused operations that the disk will have once it has accepted everything. `stored`: what it has now. */
  recoveredOver(stored: readonly RecoveredItem[]): readonly RecoveredItem[] {
    const items = new Map(stored.map((item) => [item.operation.q, item]));
    for (const gathered of [this.#underWay, this.#next]) {
      for (const item of gathered?.recoveredAdd ?? []) items.set(item.operation.q, item);
      for (const q of gathered?.recoveredRemove ?? []) items.delete(q);
    }
    return [...items.values()];
  }

  /** Number of operations and own rows that are not durable yet. */
  get unsaved(): number {
    return this.#next.outboxAdd.size + (this.#underWay?.outboxAdd.size ?? 0);
  }

  get idle(): boolean {
    return !this.#dirty && this.#underWay === null;
  }

  /** The disk refused the last attempt. */
  get failing(): boolean {
    return this.#failures > 0;
  }

  isDurable(q: number): boolean {
    return !this.#next.outboxAdd.has(q) && this.#underWay?.outboxAdd.has(q) !== true;
  }

  add(batch: Omit<StorageBatch, 'meta'>): void {
    gather(this.#next, batch);
    this.#dirty = true;
    this.watcher?.added(batch);
    if (this.#underWay === null && this.#cancelTimer === null) this.#schedule(0);
  }

  /** Resolves when everything added before is durable. */
  flushed(): Promise<void> {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      if (this.#underWay === null) this.#schedule(0);
    });
  }

  /** Resolves when the disk has accepted, or refused, everything added before. */
  tried(): Promise<void> {
    if (this.idle || this.failing) return Promise.resolve();
    return new Promise((resolve) => {
      this.#triers.push(resolve);
      void this.flushed().then(resolve);
    });
  }

  /** Stops trying. What is not durable by then stays unsaved in this queue. */
  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #toBatch(gathered: Gathered): StorageBatch {
    const meta = this.#currentMeta();
    const head = this.#isLimited ? { seq: laneIn(meta, this.#lane).seq } : { meta };
    return { ...head, ...partsOf(gathered) };
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#timers.after(delayMs, () => {
      this.#cancelTimer = null;
      void this.#save();
    });
  }

  async #save(): Promise<void> {
    if (this.#closed || this.#underWay !== null || !this.#dirty) return;
    const taken = this.#next;
    this.#underWay = taken;
    this.#next = nothing();
    this.#dirty = false;
    const waiters = this.#waiters.splice(0);
    const batch = this.#toBatch(taken);
    this.watcher?.taken();
    try {
      await this.#storage.write(batch);
      this.#underWay = null;
      this.#failures = 0;
      this.watcher?.stored(batch);
      for (const wake of waiters) wake();
    } catch {
      // Goes before what was gathered since, and is retried: `failing` tells the person meanwhile.
      const later = this.#next;
      this.#next = taken;
      gather(this.#next, this.#toBatch(later));
      this.#underWay = null;
      this.#dirty = true;
      this.#waiters.unshift(...waiters);
      this.#failures += 1;
      for (const wake of this.#triers.splice(0)) wake();
    }
    // Callers that asked during this write, with nothing added since, have waited for this one.
    if (this.idle) for (const wake of [...this.#waiters.splice(0), ...this.#triers.splice(0)]) wake();
    this.#onChange();
    if (this.#dirty && !this.#closed)
      this.#schedule(
        this.#failures === 0 ? 0 : (RETRY_MS[Math.min(this.#failures, RETRY_MS.length) - 1] ?? 0),
      );
  }
}
