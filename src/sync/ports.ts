// What the replication engine needs from the world. Every port has a real implementation (web/, server/) and a
// deterministic twin in the simulator; the engine never reaches for a clock, a socket or a disk by itself.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges, SnapshotPlace, SyncErrorCode, SyncRequest, SyncResponse } from '#wire/sync.ts';
import type { Action, Operation, Verdict } from './operation.ts';
import type { Row } from './row.ts';
import type { Trail } from './trail.ts';

export interface Clock {
  /** Wall time, milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
}

export interface Timers {
  /** Runs `work` once after `delayMs`; the returned function cancels it. 0 = soon, but after the frame being made. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs `work` as soon as keys and frames that wait have had their turn; where it is absent, `after(0, …)` does. */
  soon?(work: () => void): void;
}

export interface Random {
  fill(bytes: Uint8Array): void;
  /** Uniform in [0, 1). */
  fraction(): number;
}

/** How far a scope has been read. Opaque to everything but equality of `generation` and order of `version`. */
export interface Cursor {
  readonly generation: string;
  readonly version: number;
}

/** A scope that is being read from the start (bootstrap.ts). */
export interface Reading {
  /** Where to read on; null: every page is here, and it was not yet asked what is newer. */
  readonly next: SnapshotPlace | null;
  /** Rows so far. */
  readonly read: number;
  /** Rows in all, about; null before the server has said. */
  readonly total: number | null;
  /** Rows held from before may be wrong: what the server names counts, and what it does not name goes. */
  readonly replaces: boolean;
  /** The cursor's version when it began: what is newer comes as news. Absent in what earlier apps have stored. */
  readonly from?: number;
  /** What the scope adds up to at the cursor's version. */
  readonly digest?: { readonly version: number; readonly sum: string };
}

/** One numbering of operations, a device of its own to the server. */
export interface Lane {
  /** Random, never shared between copies; absent until the lane has something to send. */
  readonly device?: Id;
  /** The server's small number for it; 0 until the first answer, and for a profile without an account. */
  readonly deviceNumber: number;
  /** Last sequence number given out. */
  readonly seq: number;
  /** Highest sequence number whose verdict is kept on this disk. */
  readonly acked: number;
}

/** What a device knows about itself and its scopes. It is lane 0 itself. */
export interface DeviceMeta extends Lane {
  /** Names this copy. */
  readonly device: Id;
  /** Lanes of further tabs, by number. */
  readonly lanes?: Readonly<Record<number, Lane>>;
  /** The person's own scope. */
  readonly scope: Id;
  /** Integer account id, 0 without an account. */
  readonly account: number;
  readonly cursors: Readonly<Record<Id, Cursor>>;
  /** Scopes of which only a part is here. Stored together with the rows of each page. */
  readonly readings?: Readonly<Record<Id, Reading>>;
  /** How each scope was read to where it stands; absent before the first answer. */
  readonly trails?: Readonly<Record<Id, Trail>>;
  /** Server time minus this device's time at the last answer, milliseconds. */
  readonly clockOffsetMs: number;
  /** Wall time of the server's last answer; absent before the first. */
  readonly heardAt?: number;
  /** How many days the server keeps what is in the trash; absent: it has not said. */
  readonly trashDays?: number;
  /** Cloud sync is turned off on this device; absent while it is on. */
  readonly detached?: Detached;
  /** `Detached.at` of the last time it was off; absent when it never was turned on again. */
  readonly ended?: number;
}

/** Since when a copy is on its own, and what still belongs to the server's side. */
export interface Detached {
  /** Wall time of this device. */
  readonly at: number;
  /** The last number of every lane there was then: what has a later one, or another lane, is never sent. */
  readonly after: readonly number[];
}

/** An operation that was refused, kept with its content until the person deals with it. */
export interface RecoveredItem {
  readonly operation: Operation;
  readonly verdict: Verdict;
  readonly at: number;
}

/** What was done on this device in one go. Kept for a while: to be read, and to be taken back after a restart. */
export interface JournalEntry {
  /** Identity it was done under; with `q` its key. */
  readonly device: Id;
  /** Number of its first operation. */
  readonly q: number;
  readonly operations: readonly Operation[];
  /** Takes it back, in the order to be issued. What these would write is what the operations replaced. */
  readonly inverses: readonly Action[];
  /** How undo names and finds it; absent: it took something back itself, or was taken back already. */
  readonly undo?: JournalUndo;
}

export interface JournalUndo {
  readonly label: string;
  readonly cursor: Id | null;
  /** Registers whose former content was this device's own, with the number of the operation that wrote that. */
  readonly replaced: readonly (readonly [register: string, q: number])[];
}

export type JournalKey = readonly [device: Id, q: number];

/** What a tab does for its copy: one leads (network, rows), the others only add what is done in them. */
export type Part = 'leader' | 'follower';

/** What is on disk at start-up besides rows. */
export interface StoredState {
  readonly meta: DeviceMeta;
  readonly outbox: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

/** One durable step. All of it is stored, or nothing. */
export interface StorageBatch {
  readonly meta?: DeviceMeta;
  /** Last number given out in its lane, where `meta` is another tab's to write. */
  readonly seq?: number;
  /** Replaces operations of the same sequence number. */
  readonly outboxAdd?: readonly Operation[];
  readonly outboxRemove?: readonly number[];
  readonly rowsPut?: readonly Row[];
  readonly rowsRemove?: readonly Id[];
  readonly recoveredAdd?: readonly RecoveredItem[];
  readonly recoveredRemove?: readonly number[];
  /** Replaces entries of the same key. */
  readonly journalPut?: readonly JournalEntry[];
  readonly journalRemove?: readonly JournalKey[];
}

/**
 * A device's disk. Batches are stored in the order given; a batch is durable when its promise resolves, and a
 * rejected one left nothing behind. `write` may be called while an earlier one is under way.
 */
export interface DeviceStorage {
  /** True: nothing survives the tab (a browser that refuses storage). Durable then means nothing, and the status says so. */
  readonly isVolatile?: boolean;
  /** Stored rows that could not be read since `open`, known when `rows` has ended; absent or 0: the copy is whole. */
  readonly unreadable?: number;
  /**
   * Null on a fresh device. Who opens it as the leader may write everything, and no earlier leader may any more; a
   * follower adds its own operations. Called again when a tab changes its part.
   */
  open(part?: Part): Promise<StoredState | null>;
  /** Confirmed rows, the most wanted first, in pages; the iteration may be consumed slowly. */
  rows(): AsyncIterable<readonly Row[]>;
  /** What was done here lately, in no particular order. Not needed to start. */
  journal(): Promise<readonly JournalEntry[]>;
  write(batch: StorageBatch): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
  close(): void;
}

/** Why a server that can be reached takes nothing now: no room on its disk, or something else it has to get over. */
export type ServerTrouble = 'full' | 'failing';

/** Why a request brought no answer. Only `refused` and `signedOut` are the server's word; the rest is retried. */
export type TransportFailure =
  | { readonly type: 'offline' }
  | { readonly type: 'signedOut' }
  | { readonly type: 'busy'; readonly retryAfterMs: number; readonly trouble?: ServerTrouble }
  | { readonly type: 'refused'; readonly code: SyncErrorCode; readonly message: string };

export type TransportAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: TransportFailure };

/** The network. A request may be answered late, twice or never; sending it again must be harmless. */
export interface Transport {
  sync(request: SyncRequest): Promise<TransportAnswer<SyncResponse>>;
  /** One page of a scope's rows, from a place that the page before it named. */
  snapshot(scope: Id, place: SnapshotPlace): Promise<TransportAnswer<PartPage>>;
  /** Opens the live channel and keeps it open until the returned function is called. */
  listen(on: LiveListener): () => void;
}

/** News from the live channel. Any of it may be lost, late or doubled: it only shortens the delay. */
export interface LiveListener {
  /** What the channel says it holds when it opens, so that deltas can be sent. */
  hello(): { readonly device: Id; readonly cursors: Readonly<Record<Id, Cursor>> };
  poke(scope: Id, version: number): void;
  delta(changes: ScopeChanges): void;
  open(): void;
  /** The server says that the session is over. */
  signedOut(): void;
}

export interface PartPage {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly next: SnapshotPlace | null;
  /** Rows of the scope, about; with the first page. */
  readonly total?: number;
  /** Generation of the server that read it; absent: it does not say. */
  readonly generation?: string;
}
