// Messages between the processes of one installation. They only shorten delays: the next pull makes up for a lost one. In a
// single process this is a list of listeners.
import { randomUUID } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import type { PresenceNews } from '#wire/presence.ts';
import type { ScopeChanges } from '#wire/sync.ts';

export type BusMessage =
  /** A scope reached version `to`, or `askAnew`. The rows are included only inside the process that wrote them. */
  | { readonly type: 'changed'; readonly scope: Id; readonly to: number; readonly changes?: ScopeChanges }
  /** Sessions have ended. */
  | { readonly type: 'ended'; readonly sessions: readonly Id[] }
  /** The roles of these accounts have changed. */
  | { readonly type: 'roles'; readonly accounts: readonly number[] }
  /** Where people are in shared lists, as another process knows it. */
  | { readonly type: 'presence'; readonly news: PresenceNews }
  /** A run of a macro waits for a device of the account. */
  | { readonly type: 'runs'; readonly account: number }
  /** Calendars of the account, or their events, have changed. */
  | { readonly type: 'calendars'; readonly account: number }
  /** The plan of the account is another than before. */
  | { readonly type: 'plan'; readonly account: number }
  /** These public links were changed, paused or deleted. */
  | { readonly type: 'link'; readonly links: readonly Id[] }
  /** Messages of other processes may have been lost, or not understood: whoever listens looks for itself. */
  | { readonly type: 'missed' };

/** No version: something else of a scope is new, as who has its keys. Its devices ask, whatever they were told. */
export const askAnew = Number.MAX_SAFE_INTEGER;

/** Delivers messages to all processes, including this one. Delivery is not guaranteed. */
export interface Bus {
  /** There are, or may be, other processes. */
  readonly isShared: boolean;
  /** Names this process to the others. */
  readonly node: string;
  /** The processes that were heard lately, this one included. While nothing is heard: those of before. */
  nodes(): readonly string[];
  /** Returns at once; called after the event is durable. */
  publish(message: BusMessage): void;
  /** Listeners are called in order, one message after another. The result unsubscribes. */
  subscribe(listener: (message: BusMessage) => void): () => void;
  /** Sends waiting messages. */
  close(): Promise<void>;
}

/** A bus within this process; listeners run synchronously. */
export function createBus(): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  const node = randomUUID();
  return {
    isShared: false,
    node,
    nodes: () => [node],
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
