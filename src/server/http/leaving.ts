// How a server that is told to stop leaves the others to go on: for a while it answers as before and says that it isn't ready, so that
// whoever hands requests out hands it no more. Each connection ends after its next answer.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Time for a proxy that asks every two seconds whether it is ready, and believes the second answer. */
export const USUAL_DRAIN_MS = 5_000;

/** What it depends on how long it takes. */
export interface LeavingPorts {
  /** How long it answers; null: by whether there are others. */
  readonly drainMs: number | null;
  /** The processes that are there, this one included. */
  readonly nodes: () => readonly string[];
}

/** The leave of one server. */
export interface Leaving {
  /** Called before each answer. */
  answering(response: ServerResponse): void;
  /** Resolves when nobody should be sending requests any more. */
  begin(): Promise<void>;
}

/** Alone it leaves at once: nobody would answer instead of it. */
export function createLeaving({ drainMs, nodes }: LeavingPorts): Leaving {
  let isLeaving = false;
  return {
    answering(response) {
      if (isLeaving) response.shouldKeepAlive = false;
    },
    async begin() {
      isLeaving = true;
      const waitMs = drainMs ?? (nodes().length > 1 ? USUAL_DRAIN_MS : 0);
      if (waitMs > 0) await delay(waitMs);
    },
  };
}
