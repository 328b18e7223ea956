// Whether this process can do its work right now: the database takes writes, and it is not on its way out.
import type { Clock } from '#sync/ports.ts';

const PROBE_EVERY_MS = 1_000;

export interface Readiness {
  /** From a write at most a second old. */
  isReady(): Promise<boolean>;
  /** What needs somebody's attention although requests are answered: a full disk, an overdue backup. */
  remarks(): readonly string[];
  /** From now on the answer is no. */
  stop(): void;
}

export interface ReadinessPorts {
  readonly clock: Clock;
  readonly probe: () => Promise<void>;
  readonly remarks: () => readonly string[];
  /** Told once whenever the answer turns from yes to no. */
  readonly onFailure: (error: unknown) => void;
}

export function createReadiness({ clock, probe, remarks, onFailure }: ReadinessPorts): Readiness {
  let isStopped = false;
  let probedAt = -Infinity;
  let last: Promise<boolean> = Promise.resolve(false);
  let wasReady = true;

  async function ask(): Promise<boolean> {
    try {
      await probe();
      wasReady = true;
      return true;
    } catch (error) {
      if (wasReady) onFailure(error);
      wasReady = false;
      return false;
    }
  }

  return {
    async isReady() {
      if (isStopped) return false;
      if (clock.monotonic() - probedAt >= PROBE_EVERY_MS) {
        probedAt = clock.monotonic();
        last = ask();
      }
      return (await last) && !isStopped;
    },
    remarks,
    stop() {
      isStopped = true;
    },
  };
}
