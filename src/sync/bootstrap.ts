// Reads scopes from the start, page by page, when the server says that a cursor alone does not do: a new device, or one
// that was away for too long. When to read and what to do about a failure is sync-loop.ts.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { Transport, TransportFailure } from './ports.ts';
import type { DeviceReplica } from './replica.ts';
import type { SaveQueue } from './save-queue.ts';

interface BootstrapPorts {
  readonly replica: DeviceReplica;
  readonly saves: SaveQueue;
  readonly transport: Transport;
  changed(): void;
  isClosed(): boolean;
}

/** A scope being read. */
interface Bootstrap {
  readonly target: ScopeChanges;
  after: Id | null;
  readonly seen: Set<Id>;
}

export class Bootstraps {
  private readonly ports: BootstrapPorts;
  private readonly underWay = new Map<Id, Bootstrap>();

  constructor(ports: BootstrapPorts) {
    this.ports = ports;
  }

  /** How many scopes are not read to their end. */
  get size(): number {
    return this.underWay.size;
  }

  /** The scope has to be read from its first page; a reading under way starts again. */
  begin(target: ScopeChanges): void {
    this.underWay.set(target.scope, { target, after: null, seen: new Set() });
  }

  /** Reads on. Null: everything is read, or the copy was closed. */
  async run(): Promise<TransportFailure | null> {
    for (const bootstrap of this.underWay.values()) {
      const failure = await this.read(bootstrap);
      if (failure !== null) return failure;
    }
    return null;
  }

  private async read(bootstrap: Bootstrap): Promise<TransportFailure | null> {
    const { replica, saves, transport } = this.ports;
    const { target, seen } = bootstrap;
    for (;;) {
      const answer = await transport.snapshot(target.scope, bootstrap.after);
      if (this.ports.isClosed()) return null;
      if (!answer.ok) return answer.failure;
      for (const row of answer.value.rows) seen.add(row.id);
      saves.add({ rowsPut: replica.receivePage(answer.value.rows, target.resync === true) });
      bootstrap.after = answer.value.next;
      this.ports.changed();
      if (answer.value.next === null) break;
    }
    saves.add({ rowsRemove: replica.keepOnly(target.scope, seen) });
    replica.setCursor(target.scope, { generation: target.generation, version: target.to });
    saves.add({});
    this.underWay.delete(target.scope);
    return null;
  }
}
