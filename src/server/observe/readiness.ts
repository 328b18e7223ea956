// Whether this process can work right now: the database accepts writes, and the process is not shutting down.
import type { Clock } from '#sync/replica/ports.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';

const PROBE_EVERY_MS = 1_000;

/** `read only`: no space, or the database refuses writes; reads are answered. */
export type ReadyState = 'ready' | 'read only' | 'not ready';

/** The state behind `/readyz`. */
export interface Readiness {
  /** From a probe write at most a second old. */
  state(): Promise<ReadyState>;
  /** Problems for the operator that do not stop requests: a full disk, an overdue backup. */
  remarks(): readonly string[];
  /** From now on it is not ready. */
  stop(): void;
}

export interface ReadinessPorts {
  readonly clock: Clock;
  readonly probe: () => Promise<void>;
  /** Nothing new is accepted, whether or not a write would work. */
  readonly isFull: () => boolean;
  readonly remarks: () => readonly string[];
  /** Called once whenever the state becomes anything but ready. */
  readonly onFailure: (state: Exclude<ReadyState, 'ready'>, error: unknown) => void;
}

/** Readiness by the `probe` write. */
export function createReadiness({ clock, probe, isFull, remarks, onFailure }: ReadinessPorts): Readiness {
  let isStopped = false;
  let probedAt = -Infinity;
  let last: Promise<ReadyState> = Promise.resolve('not ready');
  let before: ReadyState = 'ready';

  async function ask(): Promise<ReadyState> {
    let state: ReadyState = 'ready';
    try {
      await probe();
    } catch (error) {
      state = takesNoWrites(error) ? 'read only' : 'not ready';
      if (state !== before) onFailure(state, error);
    }
    before = state;
    return state;
  }

  return {
    async state() {
      if (isStopped) return 'not ready';
      if (clock.monotonic() - probedAt >= PROBE_EVERY_MS) {
        probedAt = clock.monotonic();
        last = ask();
      }
      const state = await last;
      if (isStopped) return 'not ready';
      return state === 'ready' && isFull() ? 'read only' : state;
    },
    remarks,
    stop() {
      isStopped = true;
    },
  };
}
