// The disk of a simulated device: refuses for a moment or for a while, loses rows, finds records damaged, is emptied under
// the running app. What the browser's storage promises about each of these (web/platform/storage/indexeddb.ts) it does too.
import { createIdSource, type Id } from '#core/ids.ts';
import { applyBatch, MemoryContents, stateOf } from '#sync/replica/memory-storage.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { DeviceMeta, DeviceStorage, StorageBatch, StoredState } from '#sync/replica/ports.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';
import type { Scheduler } from './scheduler.ts';

export interface DiskFaults {
  /** Likelihood per write. */
  diskRefuses: number;
  /** Likelihood per crash. */
  loses: number;
}

interface DiskPorts {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly hits: Hits;
  readonly faults: DiskFaults;
  /** Strikes now and then. True: the device is gone. */
  readonly mayCrash: (likelier?: number) => boolean;
  /** All that the running app holds in memory; null while that is not complete. */
  readonly memory: () => StorageBatch | null;
  /** What one copy sent may come again under another name. */
  readonly renamed: (former: Id, waiting: Iterable<Operation>) => void;
}

/** A start is rare beside writes: crashes strike it the more often. */
const OPENING = 10;

/** What the next start finds unreadable. */
interface Damage {
  readonly rows: Set<Id>;
  readonly waiting: Set<number>;
  hasLostItself: boolean;
}

function copyContents(from: MemoryContents): MemoryContents {
  const copy = new MemoryContents();
  applyBatch(copy, {
    ...(from.meta === null ? {} : { meta: from.meta }),
    outboxAdd: [...from.outbox.values()],
    rowsPut: [...from.rows.values()],
    recoveredAdd: [...from.recovered.values()],
    journalPut: [...from.journal.values()],
  });
  return copy;
}

function empty(contents: MemoryContents): void {
  contents.meta = null;
  for (const store of [contents.outbox, contents.rows, contents.recovered, contents.journal]) store.clear();
}

export class SimulatedDisk {
  readonly contents: MemoryContents;
  /** Operations that reached it and that nobody was told were lost. */
  readonly durable = new Map<Id, Operation>();
  writesUnderWay = 0;
  private readonly ports: DiskPorts;
  private fullUntil = 0;
  private wasFull = false;
  private isEmptied = false;
  private damage: Damage = { rows: new Set(), waiting: new Set(), hasLostItself: false };

  constructor(ports: DiskPorts, contents = new MemoryContents()) {
    this.ports = ports;
    this.contents = contents;
  }

  /** Contents for another device. */
  copied(): MemoryContents {
    return copyContents(this.contents);
  }

  /** Every write is refused for so long. */
  fill(forMs: number): void {
    this.ports.hits.hit('disk full for a while');
    this.fullUntil = this.ports.scheduler.now + forMs;
    this.wasFull = true;
  }

  /** Ends whatever keeps it from taking what it is given. */
  mend(): void {
    this.fullUntil = 0;
  }

  /** The browser clears it, whether the app runs or not. */
  vanish(): void {
    if (this.contents.meta === null) return;
    this.ports.hits.hit('storage vanished');
    empty(this.contents);
    this.isEmptied = true;
  }

  /** The app is gone: what was damaged meanwhile is found by the next start. */
  afterCrash(): void {
    const { random, faults, hits } = this.ports;
    const rows = [...this.contents.rows.keys()];
    if (rows.length > 0 && random.chance(faults.loses)) {
      hits.hit('disk lost a row');
      this.contents.rows.delete(random.pick(rows));
    }
    if (rows.length > 0 && random.chance(faults.loses)) {
      hits.hit('stored rows damaged');
      const from = random.below(rows.length);
      for (const id of rows.slice(from, from + random.between(1, 20))) this.damage.rows.add(id);
    }
    const waiting = [...this.contents.outbox.keys()];
    if (waiting.length > 0 && random.chance(faults.loses)) {
      hits.hit('waiting change damaged');
      this.damage.waiting.add(random.pick(waiting));
    }
    if (this.contents.meta !== null && random.chance(faults.loses / 3)) this.damage.hasLostItself = true;
  }

  /** The storage of one run of the app. */
  storage(isAlive: () => boolean): DeviceStorage {
    const { scheduler } = this.ports;
    const never = new Promise<never>(() => {});
    let unreadable = 0;
    this.writesUnderWay = 0;
    return {
      get unreadable() {
        return unreadable;
      },
      open: async (): Promise<StoredState | null> => {
        await scheduler.wait(1);
        if (!isAlive()) return never;
        if (this.contents.meta !== null && this.ports.mayCrash(OPENING)) {
          this.ports.hits.hit('device crashed while it opened its disk');
          return never;
        }
        unreadable += this.examine();
        return stateOf(this.contents);
      },
      rows: () => {
        unreadable += this.putDamagedAside();
        return this.pages(isAlive, never);
      },
      journal: () => Promise.resolve([...this.contents.journal.values()]),
      write: (batch) => this.write(batch, isAlive),
      clear: () => Promise.reject(new Error('Nothing in a simulated world clears a disk.')),
      close: () => undefined,
    };
  }

  /** Rows that cannot be read go; returns how many. */
  private putDamagedAside(): number {
    const { rows } = this.damage;
    const { size } = rows;
    for (const id of rows) this.contents.rows.delete(id);
    rows.clear();
    return size;
  }

  private async *pages(isAlive: () => boolean, never: Promise<never>): AsyncGenerator<readonly StoredRow[]> {
    const { scheduler, random, hits } = this.ports;
    const rows = [...this.contents.rows.values()];
    const size = random.between(3, 40);
    for (let start = 0; start < rows.length; start += size) {
      await scheduler.wait(1);
      if (!isAlive()) await never;
      if (this.ports.mayCrash(OPENING)) {
        hits.hit('device crashed while it read rows');
        await never;
      }
      yield rows.slice(start, start + size);
    }
  }

  /** Puts aside what cannot be read, and says so: then it is not lost in silence. Returns what calls for a fresh read. */
  private examine(): number {
    const { contents, damage } = this;
    if (this.isEmptied) {
      this.ports.hits.hit('storage gone at the next start');
      this.durable.clear();
      this.isEmptied = false;
    }
    for (const q of damage.waiting) {
      const operation = contents.outbox.get(q);
      if (operation !== undefined) this.durable.delete(operation.u);
      contents.outbox.delete(q);
    }
    damage.waiting.clear();
    const { meta } = contents;
    const isLost = damage.hasLostItself && meta !== null;
    damage.hasLostItself = false;
    if (!isLost) return 0;
    this.ports.hits.hit('own record damaged');
    this.ports.renamed(meta.device, contents.outbox.values());
    contents.meta = this.newIdentity(meta);
    return 1;
  }

  private newIdentity({ scope, account }: DeviceMeta): DeviceMeta {
    const { random } = this.ports;
    const newId = createIdSource({ now: () => 0, random: (bytes) => random.fill(bytes) });
    const seq = Math.max(0, ...this.contents.outbox.keys(), ...this.contents.recovered.keys());
    return { device: newId(), deviceNumber: 0, scope, account, seq, acked: 0, cursors: {}, clockOffsetMs: 0 };
  }

  private write(batch: StorageBatch, isAlive: () => boolean): Promise<void> {
    const { scheduler, random, mayCrash } = this.ports;
    this.writesUnderWay += 1;
    return new Promise((resolve, reject) => {
      scheduler.after(random.between(0, 15), () => {
        if (!isAlive() || mayCrash()) return;
        this.writesUnderWay -= 1;
        const refusal = this.refusal();
        if (refusal !== null) reject(new Error(refusal));
        else if (this.put(batch)) {
          if (!mayCrash()) resolve();
        } else reject(new Error('The simulated disk was emptied.'));
      });
    });
  }

  private refusal(): string | null {
    const { scheduler, random, faults, hits } = this.ports;
    if (scheduler.now < this.fullUntil) return 'The simulated disk is full.';
    if (this.wasFull) hits.hit('disk took it again');
    this.wasFull = false;
    if (!random.chance(faults.diskRefuses)) return null;
    hits.hit('disk refused');
    return 'The simulated disk refuses.';
  }

  /** False: it was emptied, and the app does not hold everything in memory yet. */
  private put(batch: StorageBatch): boolean {
    const { hits } = this.ports;
    let written = batch;
    if (this.isEmptied) {
      const all = this.ports.memory();
      if (all === null) return false;
      hits.hit('storage written anew');
      empty(this.contents);
      this.isEmptied = false;
      written = all;
    }
    applyBatch(this.contents, written);
    for (const operation of written.outboxAdd ?? []) this.durable.set(operation.u, operation);
    if ((batch.recoveredAdd ?? []).length > 0) hits.hit('refused and recovered');
    return true;
  }
}
