// The messages between tabs of one copy, and the channel that carries them. coordinator.ts handles them.
import type { TrashItem } from '../replica/replica-types.ts';
import type { LoopState } from '../exchange/loop-state.ts';
import type { Operation } from '../rows/operation.ts';
import type { DeviceMeta, RecoveredItem, StorageBatch } from '../replica/ports.ts';
import type { DetachedChanges, SyncFacts } from '../replica/replica-types.ts';

/** What the leader knows about the network; the other tabs show it. */
export interface SharedStatus extends LoopState {
  readonly digest: SyncFacts['digest'];
}

/** A batch for the disk, without the parts that each tab writes itself. */
export type Batch = Omit<StorageBatch, 'outboxAdd' | 'seq' | 'journalPut' | 'journalRemove'> & {
  readonly meta: DeviceMeta;
};

/** Identifies one leadership and the number of its batches so far. */
export interface Point {
  readonly term: string;
  readonly at: number;
}

/** Messages between tabs. */
export type Message =
  /** A tab asks for everything: the leader writes its memory to the disk, then sends the welcome. */
  | { readonly type: 'hello'; readonly from: string }
  | ({
      readonly type: 'welcome';
      readonly to: string;
      readonly status: SharedStatus;
      /** All that the leader knows, if the disk refuses to take it. */
      readonly contents: StorageBatch | null;
      /** The last known operation of each lane; absent in a tab of an earlier version. */
      readonly last?: readonly number[];
    } & Point)
  /** A change by the leader, before it is on the disk. */
  | ({ readonly type: 'batch'; readonly batch: Batch } & Point)
  | ({ readonly type: 'stored' } & Point)
  /** Operations that are durable. */
  | { readonly type: 'made'; readonly operations: readonly Operation[] }
  | { readonly type: 'recovered'; readonly add: readonly RecoveredItem[]; readonly remove: readonly number[] }
  | { readonly type: 'ping' }
  /** The leader is alive; without a term it is still starting. */
  | { readonly type: 'beat'; readonly term: string | null; readonly status: SharedStatus }
  | ({ readonly type: 'leads'; readonly follows: Point | null } & Point)
  | Request;

/** Requests that only the leader can carry out. */
export type Request =
  | { readonly type: 'nudge' }
  | { readonly type: 'detach' }
  | { readonly type: 'attach'; readonly kept: DetachedChanges }
  | { readonly type: 'empty'; readonly items: readonly TrashItem[] };

/** Sends to all other tabs; a tab does not get its own messages. */
export interface Channel {
  post(message: Message): void;
  /** Returns the unsubscription. */
  listen(on: (message: Message) => void): () => void;
}
