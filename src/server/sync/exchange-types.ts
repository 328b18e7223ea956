// What the doors ask of replication: the one write path and the two read paths. `createExchange` is in exchange.ts.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges, SyncErrorCode, SyncResponse, WireSnapshotPage } from '#wire/sync.ts';
import type { AccountActor } from '../access/authorise.ts';

export interface ExchangeFailure {
  readonly ok: false;
  readonly code: SyncErrorCode;
  readonly message: string;
}

export interface Exchange {
  /** Applies what is pushed and answers what is new. `request` is whatever JSON came. */
  sync(actor: AccountActor, request: unknown): Promise<{ readonly ok: true; readonly response: SyncResponse } | ExchangeFailure>;
  /** A page of a scope's rows in id order after `after`. */
  snapshot(
    actor: AccountActor,
    scope: Id,
    after: Id | null,
  ): Promise<{ readonly ok: true; readonly page: WireSnapshotPage } | ExchangeFailure>;
}

/** A scope has something newer, and is durable. `changes` when the rows are at hand. */
export interface Published {
  readonly scope: Id;
  readonly version: number;
  readonly changes?: ScopeChanges;
}
