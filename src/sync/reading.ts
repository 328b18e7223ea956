// What is remembered of scopes that are being read from the start: where each begins, and how far all have come. Reading
// them is bootstrap.ts, which is loaded when there is something to read.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges, SnapshotPlace } from '#wire/sync.ts';
import type { BootstrapPorts, Bootstraps } from './bootstrap.ts';
import type { Operation } from './operation.ts';
import type { DeviceMeta, Reading } from './ports.ts';
import type { Row } from './row.ts';

export const FIRST_PLACE: SnapshotPlace = { part: 'frame', after: null };

/** A reading that begins where this answer says. */
export function readingOf({ to, resync, digest }: ScopeChanges): Reading {
  const sum = digest === undefined ? {} : { digest: { version: to, sum: digest } };
  return { next: FIRST_PLACE, read: 0, total: null, replaces: resync === true, from: to, ...sum };
}

export function readingsOf(meta: DeviceMeta): readonly (readonly [Id, Reading])[] {
  return Object.entries(meta.readings ?? {}) as [Id, Reading][];
}

export interface ReadingProgress {
  readonly read: number;
  /** Null before the server has said. */
  readonly total: number | null;
}

/** The part that is always there: it has the reading program loaded when a scope has to be read, and passes on to it. */
export class Readings {
  private readonly ports: BootstrapPorts;
  /** Null while there was nothing to read. */
  loaded: Bootstraps | null = null;
  private isLoading = false;
  private isClosed = false;

  constructor(ports: BootstrapPorts) {
    this.ports = ports;
  }

  /** Over all scopes being read; null when there is none. */
  get progress(): ReadingProgress | null {
    const readings = readingsOf(this.ports.replica.meta);
    let read = 0;
    let total: number | null = 0;
    for (const [, reading] of readings) {
      read += reading.read;
      total = total === null || reading.total === null ? null : total + Math.max(reading.total, reading.read);
    }
    return readings.length === 0 ? null : { read, total };
  }

  has(scope: Id): boolean {
    return this.ports.replica.meta.readings?.[scope] !== undefined;
  }

  /** Whether an operation was judged at a version that only the pages may bring. */
  mayHold({ scope, b }: Operation): boolean {
    const reading = this.ports.replica.meta.readings?.[scope];
    return reading !== undefined && b < (reading.from ?? Infinity);
  }

  /** The scope has to be read from its first page; the cursor stands where the answer says from now on. */
  begin(target: ScopeChanges): void {
    const { replica, saves } = this.ports;
    const { scope, generation, to } = target;
    replica.setCursor(scope, { generation, version: to });
    replica.setReading(scope, readingOf(target));
    saves.add({});
    this.ports.changed();
    this.loaded?.begin(scope);
    this.wake();
  }

  /** The scope was answered whole, or may not be read any more. */
  end(scope: Id): void {
    this.loaded?.end(scope);
    this.ports.replica.setReading(scope, null);
  }

  /** Whether a row of the news counts whatever version is held. */
  replaces(row: Row): boolean {
    // Before the first page is asked for, what is held may be wrong without exception.
    return this.loaded?.replaces(row) ?? this.ports.replica.meta.readings?.[row.scope]?.replaces === true;
  }

  /** Reads on, unless a failure is being waited out. */
  wake(): void {
    if (this.loaded !== null) this.loaded.wake();
    else if (!this.isClosed && !this.isLoading && this.progress !== null) void this.load();
  }

  /** Reads on, whatever failed before. */
  nudge(): void {
    if (this.loaded === null) this.wake();
    else this.loaded.nudge();
  }

  close(): void {
    this.isClosed = true;
    this.loaded?.close();
  }

  private async load(): Promise<void> {
    this.isLoading = true;
    try {
      const program = await import('./bootstrap.ts');
      if (this.isClosed) return;
      this.loaded = new program.Bootstraps(this.ports);
      this.loaded.wake();
    } catch {
      // A file of the app that the network did not bring: the next exchange that succeeds tries again.
    } finally {
      this.isLoading = false;
    }
  }
}
