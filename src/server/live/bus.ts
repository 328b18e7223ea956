// How the processes of one installation tell each other what happened. Messages shorten delays and nothing else: one that
// is lost is made up for by the next pull. In one process this is a list of listeners.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';

export type BusMessage =
  /** A scope reached version `to`. The rows ride along only inside the process that wrote them. */
  | { readonly type: 'changed'; readonly scope: Id; readonly to: number; readonly changes?: ScopeChanges }
  /** Sessions are over. */
  | { readonly type: 'ended'; readonly sessions: readonly Id[] };

export interface Bus {
  /** Returns at once; called after what it tells is durable. */
  publish(message: BusMessage): void;
  /** Listeners are called in order, one message after another. The result unsubscribes. */
  subscribe(listener: (message: BusMessage) => void): () => void;
  /** Sends what is waiting. */
  close(): Promise<void>;
}

export function createBus(): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  return {
    publish(message) {
      for (const listener of listeners) listener(message);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => listeners.clear(),
  };
}
