// A few numbers about a profile's database, kept apart from it: when the database is gone at the next start,
// they tell that, and what was lost (storage-loss.ts). Written behind what is stored, never ahead of it.
import { readRecord } from '#core/json.ts';
import { isId, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { SmallStorage } from './local-storage.ts';

export interface SentinelRecord {
  /** The device id that the database holds. */
  readonly store: Id;
  /** Changes that had not reached the server; 0 without an account. */
  readonly waiting: number;
  /** Rows that were only here: all of them without an account, else 0. */
  readonly onlyHere: number;
  readonly savedAt: number;
}

const WRITE_MS = 300;

/** The record of one profile, in the small storage. */
export interface Sentinel {
  /** Null when nothing was ever stored, or nothing readable was kept. */
  read(): SentinelRecord | null;
  write(record: SentinelRecord): void;
  forget(): void;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** A record that cannot be written is only logged: the data itself does not depend on it. */
export function createSentinel(storage: SmallStorage, profile: Id): Sentinel {
  const key = `posthaste.sentinel.${profile}`;
  return {
    read() {
      const { store, waiting, onlyHere, savedAt } = readRecord(storage.getItem(key));
      // Not ours any more: then nothing is known, as on a new device.
      if (!isId(store)) return null;
      return { store, waiting: count(waiting), onlyHere: count(onlyHere), savedAt: count(savedAt) };
    },
    write(record) {
      try {
        storage.setItem(key, JSON.stringify(record));
      } catch (error) {
        console.warn('Couldn’t keep the record about this device’s storage.', error);
      }
    },
    forget: () => storage.removeItem(key),
  };
}

/** Keeps the record behind what the engine has stored. The returned function writes a last time and stops. */
export function keepSentinel(
  engine: Engine,
  sentinel: Sentinel,
  { now, isOnlyCopy }: { readonly now: () => number; readonly isOnlyCopy: boolean },
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const state = engine.state.get();
    if (state.type === 'loading') return;
    const { device, pending } = engine.facts();
    const onlyHere = isOnlyCopy ? engine.replica.size : 0;
    sentinel.write({ store: device, waiting: pending.length, onlyHere, savedAt: now() });
  }

  const soon = () => {
    timer ??= setTimeout(write, WRITE_MS);
  };
  const stopState = engine.state.subscribe(soon);
  window.addEventListener('pagehide', write, { signal: stopping.signal });
  document.addEventListener('visibilitychange', write, { signal: stopping.signal });
  soon();
  return () => {
    stopState();
    stopping.abort();
    write();
  };
}
