// What this device holds, once more: rows that can be changed without anybody noticing, and an engine for an app that runs on
// them. Nothing reaches a disk, a network or the rows it was made of. Rows are shared, as they never change; what grows with
// their number is the index over them.
import type { Id } from '#core/ids.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import { mergeNote } from '#sync/notes/note-session.ts';
import type { IsOver } from '#sync/query/scan.ts';
import type { StorageBatch } from '#sync/replica/ports.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import type { Engine, Replica } from '#sync/replica/replica-types.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import { registerChecks } from '#wire/registers.ts';
import { createSignal, type Signal } from '../../app/signal.ts';

/** Random bytes of an id that are used: its last ones. */
const USED_BYTES = 8;

/** Chance for a copy, drawn from the ids of what it was made of: a pure folder has none of its own. */
const randomOf = (newId: () => Id) => ({
  fraction: () => 0.5,
  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += USED_BYTES) {
      const digits = newId()
        .replaceAll('-', '')
        .slice(-2 * USED_BYTES);
      for (let n = 0; n < USED_BYTES && at + n < bytes.length; n += 1)
        bytes[at + n] = Number.parseInt(digits.slice(2 * n, 2 * n + 2), 16);
    }
  },
});

function emptyOf(of: Replica, { meta, outboxAdd = [] }: StorageBatch): DeviceReplica {
  if (meta === undefined) throw new Error('What this device holds has no state.');
  const now = () => of.now();
  return new DeviceReplica(meta, outboxAdd, {
    clock: { now, monotonic: now },
    random: randomOf(() => of.newId()),
    checks: registerChecks,
  });
}

/** Rows that are loaded at once: their index is made within a few milliseconds. */
const PAGE = 400;

/** Loads the rows page by page, as at the start of the app. `ended`: told once all of them are there. */
class Filling {
  readonly #replica: DeviceReplica;
  readonly #rows: readonly StoredRow[];
  readonly #ended: () => void;
  #at = 0;

  constructor(replica: DeviceReplica, rows: readonly StoredRow[], ended: () => void) {
    this.#replica = replica;
    this.#rows = rows;
    this.#ended = ended;
  }

  /** From 0 to 1. */
  get share(): number {
    return this.#rows.length === 0 ? 1 : Math.min(1, this.#at / this.#rows.length);
  }

  /** Goes on until the portion is over. True: all rows are there. */
  fill(isOver: IsOver): boolean {
    while (this.#at < this.#rows.length) {
      this.#replica.load(this.#rows.slice(this.#at, this.#at + PAGE));
      this.#at += PAGE;
      if (isOver() && this.#at < this.#rows.length) return false;
    }
    this.#replica.learnToMerge(mergeNote);
    this.#replica.loaded();
    this.#ended();
    return true;
  }
}

/** What it says now, for good. */
const still = <T>({ get }: Pick<Signal<T>, 'get'>): Signal<T> => createSignal(get());

const nothing = () => undefined;
const resolved = () => Promise.resolve();

/** An engine over a copy of all rows, and what brings the rows into it. */
export interface EngineApart {
  readonly engine: Engine;
  readonly filling: Pick<Filling, 'fill' | 'share'>;
}

/** Null while rows are still being read. The engine says of all but the rows what the first one says now. */
export function engineApart(of: Engine): EngineApart | null {
  const contents = of.contents(true);
  if (contents === null) return null;
  const { device, lane } = of.journal;
  const replica = emptyOf(of.replica, contents);
  const { promise: loaded, resolve: ended } = Promise.withResolvers<void>();
  const engine: Engine = {
    replica: createFacade(replica, () => undefined),
    state: still(of.state),
    recovered: still(of.recovered),
    restored: still(of.restored),
    journal: { device, lane, put: nothing, all: [], read: () => Promise.resolve([]) },
    facts: () => of.facts(),
    unsaved: () => [],
    contents: () => null,
    detachedChanges: () => of.detachedChanges(),
    dropRecovered: nothing,
    recover: nothing,
    emptyTrash: resolved,
    nudge: nothing,
    detach: nothing,
    attach: () => false,
    open: resolved,
    loaded: () => loaded,
    flushed: resolved,
    close: resolved,
  };
  return { engine, filling: new Filling(replica, contents.rowsPut ?? [], ended) };
}
