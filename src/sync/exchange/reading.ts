// The stored state of scopes that are being read from the start: the starting point of each, and the progress of all.
// Reading them is bootstrap.ts, which is loaded when there is something to read.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges, SnapshotPlace } from '#wire/sync.ts';
import type { BootstrapPorts, Bootstraps } from './bootstrap.ts';
import type { Operation } from '../rows/operation.ts';
import type { DeviceMeta, Reading } from '../replica/ports.ts';
import { scopesOf } from '../replica/verdicts.ts';
import type { StoredRow } from '../rows/row.ts';

export const FIRST_PLACE: SnapshotPlace = { part: 'frame', after: null };

/** A reading that starts at this answer. */
export function readingOf({ to, resync, digest }: ScopeChanges): Reading {
  const sum = digest === undefined ? {} : { digest: { version: to, sum: digest } };
  return { next: FIRST_PLACE, read: 0, total: null, replaces: resync === true, from: to, ...sum };
}

export function readingsOf(meta: DeviceMeta): readonly (readonly [Id, Reading])[] {
  return Object.entries(meta.readings ?? {}) as [Id, Reading][];
}

export interface ReadingProgress {
  readonly read: number;
  /** Null until the server has sent it. */
  readonly total: number | null;
}

/** The part that is always loaded: it loads bootstrap.ts when a scope has to be read, and passes calls on to it. */
export class Readings {
  readonly #ports: BootstrapPorts;
  /** Null until there was something to read. */
  loaded: Bootstraps | null = null;
  #isLoading = false;
  #isClosed = false;

  constructor(ports: BootstrapPorts) {
    this.#ports = ports;
  }

  /** Over all scopes being read; null when there is none. */
  get progress(): ReadingProgress | null {
    const readings = readingsOf(this.#ports.replica.meta);
    let read = 0;
    let total: number | null = 0;
    for (const [, reading] of readings) {
      read += reading.read;
      total = total === null || reading.total === null ? null : total + Math.max(reading.total, reading.read);
    }
    return readings.length === 0 ? null : { read, total };
  }

  has(scope: Id): boolean {
    return this.#ports.replica.meta.readings?.[scope] !== undefined;
  }

  /** Whether an operation was judged at a version that only the pages may bring. */
  mayHold(operation: Operation): boolean {
    const { replica } = this.#ports;
    return scopesOf(replica, operation).some((scope) => {
      const reading = replica.meta.readings?.[scope];
      // What it had seen of another scope says nothing of this one.
      return reading && (scope !== operation.scope || operation.b < (reading.from ?? Infinity));
    });
  }

  /** Starts to read the scope from its first page; the cursor moves to the answer's position. */
  begin(target: ScopeChanges): void {
    const { replica, saves } = this.#ports;
    const { scope, generation, to } = target;
    replica.setCursor(scope, { generation, version: to });
    replica.setReading(scope, readingOf(target));
    saves.add({});
    this.#ports.changed();
    this.loaded?.begin(scope);
    this.wake();
  }

  /** The scope was answered completely, or may no longer be read. */
  end(scope: Id): void {
    this.loaded?.end(scope);
    this.#ports.replica.setReading(scope, null);
  }

  /** Whether a changed row counts regardless of the held version. */
  replaces(row: StoredRow): boolean {
    // Before the first page is requested, any held row may be wrong.
    return this.loaded?.replaces(row) ?? this.#ports.replica.meta.readings?.[row.scope]?.replaces === true;
  }

  /** Reads on, unless it is waiting after a failure. */
  wake(): void {
    if (this.loaded !== null) this.loaded.wake();
    else if (!this.#isClosed && !this.#isLoading && this.progress !== null) void this.#load();
  }

  /** Reads on at once, whatever failed before. */
  nudge(): void {
    if (this.loaded === null) this.wake();
    else this.loaded.nudge();
  }

  close(): void {
    this.#isClosed = true;
    this.loaded?.close();
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    try {
      const program = await import('./bootstrap.ts');
      if (this.#isClosed) return;
      this.loaded = new program.Bootstraps(this.#ports);
      this.loaded.wake();
    } catch {
      // A file of the app failed to load: the next successful exchange tries again.
    } finally {
      this.#isLoading = false;
    }
  }
}
