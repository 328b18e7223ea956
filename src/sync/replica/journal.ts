// The recent changes made on this device: in memory once read or written, on the disk for a limited time. No rows are
// rebuilt from it; undo and the history read it. The caller of `issue` decides what an entry holds.
import type { Id } from '#core/ids.ts';
import { laneOf } from '../tabs/sequences.ts';
import type { Clock, DeviceStorage, JournalEntry, JournalKey, StorageBatch, Timers } from './ports.ts';
import type { DeviceJournal } from './replica-types.ts';

/** New entries before the journal is pruned again. */
const PRUNE_EVERY = 200;
const PRUNE_AFTER_MS = 5_000;

interface JournalPorts {
  readonly storage: Pick<DeviceStorage, 'journal'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly device: () => Id;
  readonly lane: () => number;
  readonly save: (batch: Omit<StorageBatch, 'meta'>) => void;
}

const keyOf = ({ device, q }: JournalEntry): JournalKey => [device, q];
const timeOf = ({ operations }: JournalEntry): number => operations.at(-1)?.t ?? 0;
function inOrder(a: JournalEntry, b: JournalEntry): number {
  // Numbers of different tabs cannot be compared.
  if (a.device === b.device && laneOf(a.q) === laneOf(b.q)) return a.q - b.q;
  return timeOf(a) - timeOf(b) || (a.device < b.device ? -1 : 1);
}

/**
 * The journal in memory, over the stored one. Saves through the save queue, so an entry never reaches the disk before
 * its operations.
 */
export class Journal implements DeviceJournal {
  readonly #ports: JournalPorts;
  readonly #entries = new Map<string, JournalEntry>();
  #reading: Promise<void> | null = null;
  #isRead = false;
  #unpruned = 0;
  #cancel: (() => void) | null = null;

  constructor(ports: JournalPorts) {
    this.#ports = ports;
  }

  get device(): Id {
    return this.#ports.device();
  }

  get lane(): number {
    return this.#ports.lane();
  }

  /** The entries in memory: all of them once the disk was read. */
  get held(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  get all(): readonly JournalEntry[] | null {
    return this.#isRead ? this.held.toSorted(inOrder) : null;
  }

  /** The disk is new: there is nothing to read. */
  begin(): void {
    this.#isRead = true;
  }

  put(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#entries.set(keyOf(entry).join(' '), entry);
    this.#ports.save({ journalPut: entries });
    this.#unpruned += entries.length;
    if (this.#unpruned >= PRUNE_EVERY && this.#isRead) this.#pruneSoon();
  }

  /** Forgets entries that are only about purged rows; call after everything was read. */
  forget(ids: ReadonlySet<Id>): void {
    const about = this.held.filter(({ operations }) => operations.every(({ id }) => ids.has(id)));
    if (about.length === 0) return;
    for (const entry of about) this.#entries.delete(keyOf(entry).join(' '));
    this.#ports.save({ journalRemove: about.map(keyOf) });
  }

  async read(isAnew = false): Promise<readonly JournalEntry[]> {
    if (isAnew || !this.#isRead) await (this.#reading ??= this.#readStored());
    return this.held.toSorted(inOrder);
  }

  close(): void {
    this.#cancel?.();
  }

  async #readStored(): Promise<void> {
    let stored: readonly JournalEntry[];
    try {
      stored = await this.#ports.storage.journal();
    } finally {
      this.#reading = null;
    }
    for (const entry of stored) {
      const key = keyOf(entry).join(' ');
      // An entry in memory is newer.
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    }
    this.#isRead = true;
    this.#pruneSoon();
  }

  #pruneSoon(): void {
    this.#unpruned = 0;
    this.#cancel ??= this.#ports.timers.after(PRUNE_AFTER_MS, () => {
      this.#cancel = null;
      void this.#prune();
    });
  }

  async #prune(): Promise<void> {
    const expiry = await import('./journal-expiry.ts').catch(() => null);
    // Only housekeeping: if it cannot be loaded now, it is tried again later.
    if (expiry === null) return;
    const expired = expiry.expiredEntries(this.held.toSorted(inOrder), this.#ports.clock.now());
    if (expired.length === 0) return;
    for (const key of expired) this.#entries.delete(key.join(' '));
    this.#ports.save({ journalRemove: expired });
  }
}
