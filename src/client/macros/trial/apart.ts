// What this device holds, once more: rows that can be changed without anybody noticing, and an engine for an app that runs on
// them. Nothing reaches a disk, a network or the rows it was made of. Rows are shared, as they never change; what grows with
// their number is the index over them.
import type { Id } from '#core/ids.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import { mergeNote } from '#sync/notes/note-session.ts';
import type { StorageBatch } from '#sync/replica/ports.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import type { Engine, Replica } from '#sync/replica/replica-types.ts';
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

function replicaOf(of: Replica, { meta, outboxAdd = [], rowsPut = [] }: StorageBatch): Replica {
  if (meta === undefined) throw new Error('What this device holds has no state.');
  const now = () => of.now();
  const inner = new DeviceReplica(meta, outboxAdd, {
    clock: { now, monotonic: now },
    random: randomOf(() => of.newId()),
    checks: registerChecks,
  });
  inner.load(rowsPut);
  inner.learnToMerge(mergeNote);
  inner.loaded();
  return createFacade(inner, () => undefined);
}

/** What it says now, for good. */
const still = <T>({ get }: Pick<Signal<T>, 'get'>): Signal<T> => createSignal(get());

const nothing = () => undefined;
const resolved = () => Promise.resolve();

/** An engine over a copy of all rows; null while rows are still being read. It says of the rest what the first one says now. */
export function engineApart(of: Engine): Engine | null {
  const contents = of.contents(true);
  if (contents === null) return null;
  const { device, lane } = of.journal;
  return {
    replica: replicaOf(of.replica, contents),
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
    loaded: resolved,
    flushed: resolved,
    close: resolved,
  };
}
