// What tabs of one copy tell each other, and the channel that carries it. What becomes of it is company.ts.
import type { TrashItem } from './emptying.ts';
import type { LoopState } from './loop-state.ts';
import type { Operation } from './operation.ts';
import type { DeviceMeta, RecoveredItem, StorageBatch } from './ports.ts';
import type { DetachedChanges, SyncFacts } from './replica-types.ts';

/** What the leader knows about the network and the others show. */
export interface SharedStatus extends LoopState {
  readonly digest: SyncFacts['digest'];
}

/** A batch for the disk, without what each tab writes itself. */
export type Batch = Omit<StorageBatch, 'outboxAdd' | 'seq' | 'journalPut' | 'journalRemove'> & {
  readonly meta: DeviceMeta;
};

/** Names one leadership and how many batches it has told. */
export interface Point {
  readonly term: string;
  readonly at: number;
}

/** What tabs tell each other. */
export type Message =
  /** Somebody wants to know everything: what is only in the leader's memory goes to the disk, then it is welcome. */
  | { readonly type: 'hello'; readonly from: string }
  | ({
      readonly type: 'welcome';
      readonly to: string;
      readonly status: SharedStatus;
      /** All that is known, where the disk refuses to take it. */
      readonly contents: StorageBatch | null;
    } & Point)
  /** What the leader changed, before it is on the disk. */
  | ({ readonly type: 'batch'; readonly batch: Batch } & Point)
  | ({ readonly type: 'stored' } & Point)
  /** Operations that are durable. */
  | { readonly type: 'made'; readonly operations: readonly Operation[] }
  | { readonly type: 'recovered'; readonly add: readonly RecoveredItem[]; readonly remove: readonly number[] }
  | { readonly type: 'ping' }
  /** The leader is there; without a term it is still getting ready. */
  | { readonly type: 'beat'; readonly term: string | null; readonly status: SharedStatus }
  | ({ readonly type: 'leads'; readonly follows: Point | null } & Point)
  | Request;

/** What only the leader can do. */
export type Request =
  | { readonly type: 'nudge' }
  | { readonly type: 'detach' }
  | { readonly type: 'attach'; readonly kept: DetachedChanges }
  | { readonly type: 'empty'; readonly items: readonly TrashItem[] };

/** Everybody else's ears; one's own messages do not come back. */
export interface Channel {
  post(message: Message): void;
  /** Returns the unsubscription. */
  listen(on: (message: Message) => void): () => void;
}
