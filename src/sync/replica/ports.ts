// The ports of the replication engine. Every port has a real implementation (web/, server/) and a deterministic twin in
// the simulator; the engine never uses a clock, a socket or a disk directly.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { ScopeChanges, SnapshotPlace, SyncErrorCode, SyncRequest, SyncResponse } from '#wire/sync.ts';
import type { Action, HeardVerdict, Operation } from '../rows/operation.ts';
import type { StoredRow } from '../rows/row.ts';
import type { SealingPlatform } from '../sealing/ports.ts';
import type { Trail } from './generation-history.ts';

/** The device's clocks: one to date operations with, one to measure with. */
export interface Clock {
  /** Wall time, milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that never jump. */
  monotonic(): number;
}

/** Delayed work. Timers may be late (a background tab), never early. */
export interface Timers {
  /** Runs `work` once after `delayMs`; the returned function cancels it. 0 = soon, but after the current frame. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs `work` as soon as waiting keys and frames have had their turn; if absent, `after(0, …)` is used. */
  soon?(work: () => void): void;
}

/** Randomness: `fill` for ids, `fraction` to spread retries over time. */
export interface Random {
  fill(bytes: Uint8Array): void;
  /** Uniform in [0, 1). */
  fraction(): number;
}

/** How far a scope has been read. Opaque except for equality of `generation` and order of `version`. */
export interface Cursor {
  readonly generation: string;
  readonly version: number;
}

/** Progress of a scope that is being read from the start (bootstrap.ts). */
export interface Reading {
  /** Where to go on; null: every page is here, but the changes since then were not requested yet. */
  readonly next: SnapshotPlace | null;
  /** Rows read so far. */
  readonly read: number;
  /** Approximate number of all rows; null until the server has sent it. */
  readonly total: number | null;
  /** Rows from before may be wrong: the server's rows replace them, and rows that it does not send are removed. */
  readonly replaces: boolean;
  /** The cursor's version at the start: newer rows arrive as changes. Absent in readings stored by earlier apps. */
  readonly from?: number;
  /** The scope's digest at the cursor's version. */
  readonly digest?: { readonly version: number; readonly sum: string };
}

/** One numbering of operations; to the server, a device of its own. */
export interface Lane {
  /** Random, never shared between copies; absent until the lane has something to send. */
  readonly device?: Id;
  /** The server's small number for it; 0 until the first answer, and for a profile without an account. */
  readonly deviceNumber: number;
  /** Last sequence number given out. */
  readonly seq: number;
  /** Highest sequence number with a verdict on this disk. */
  readonly acked: number;
}

/** The state of a device and its scopes, as it is stored. Its own fields are lane 0. */
export interface DeviceMeta extends Lane {
  /** Identifies this copy. */
  readonly device: Id;
  /** Lanes of further tabs, by number. */
  readonly lanes?: Readonly<Record<number, Lane>>;
  /** The person's own scope. */
  readonly scope: Id;
  /** Integer account id, 0 without an account. */
  readonly account: number;
  readonly cursors: Readonly<Record<Id, Cursor>>;
  /** Scopes that the server does not know, as its last answer said; absent: none. What is for them is not sent. */
  readonly unknown?: readonly Id[];
  /** Scopes that are only partly here. Stored together with the rows of each page. */
  readonly readings?: Readonly<Record<Id, Reading>>;
  /** The way in which each scope was read to its cursor; absent before the first answer. */
  readonly trails?: Readonly<Record<Id, Trail>>;
  /** Server time minus this device's time at the last answer, milliseconds. */
  readonly clockOffsetMs: number;
  /** Wall time of the server's last answer; absent before the first. */
  readonly heardAt?: number;
  /** How many days the server keeps the trash; absent: it has not sent it. */
  readonly trashDays?: number;
  /** What the server's last answer said that it can do (wire/features.ts); absent: it has not sent it. */
  readonly features?: readonly string[];
  /** The server has said that the person's own scope is sealed, or was; absent: it never has. */
  readonly sealed?: true;
  /** It isn't plain now: the server can neither open rows that go from it to another scope nor seal those that come. */
  readonly apart?: true;
  /** Where it is `apart`: this device can, so rows go and come. */
  readonly bridge?: true;
  /** Lists that stay encrypted, by their scopes: whether this copy has the key. */
  readonly lists?: Readonly<Record<Id, 'open' | 'locked'>>;
  /** What came by the inbox of the scope and isn't sealed anew yet; absent: nothing. */
  readonly inbox?: InboxMeta;
  /** Cloud sync is turned off on this device; absent while it is on. */
  readonly detached?: Detached;
  /** `Detached.at` of the last time it was off; absent if it was never turned on again. */
  readonly ended?: number;
}

/** By row: registers that programs or mail have written, as of a version. */
export type InboxMeta = Readonly<Record<Id, { readonly version: number; readonly names: readonly string[] }>>;

/** Since when a copy is detached, and which operations still belong to the server. */
export interface Detached {
  /** Wall time of this device. */
  readonly at: number;
  /** The last number of every lane at that time: operations with a later one, or of another lane, are never sent. */
  readonly after: readonly number[];
}

/** A refused operation, kept with its content until the person deals with it. */
export interface RecoveredItem {
  readonly operation: Operation;
  readonly verdict: HeardVerdict;
  readonly at: number;
  /** The name of the list that it was made in, as it was called then; absent: not known, or it wasn't in a list. */
  readonly list?: string;
}

/** One gesture on this device. Kept for a while, to be shown, and to be undone after a restart. */
export interface JournalEntry {
  /** Identity it was made under; with `q` its key. */
  readonly device: Id;
  /** Number of its first operation. */
  readonly q: number;
  readonly operations: readonly Operation[];
  /** Undoes it, in the order to be issued. Their values are the ones that the operations replaced. */
  readonly inverses: readonly Action[];
  /** How undo names and finds it; absent: it was an undo itself, or was undone already. */
  readonly undo?: JournalUndo;
}

export interface JournalUndo {
  readonly label: string;
  readonly cursor: Id | null;
  /** Registers whose former content came from this device, with the number of the operation that wrote it. */
  readonly replaced: readonly (readonly [register: string, q: number])[];
}

export type JournalKey = readonly [device: Id, q: number];

/** A tab's role for its copy: the leader has the network and the rows, followers only add their own operations. */
export type Part = 'leader' | 'follower';

/** The stored state at start-up, without the rows. */
export interface StoredState {
  readonly meta: DeviceMeta;
  readonly outbox: readonly Operation[];
  readonly recovered: readonly RecoveredItem[];
}

/** One durable step. All of it is stored, or nothing. */
export interface StorageBatch {
  readonly meta?: DeviceMeta;
  /** Last number given out in its lane, if another tab writes `meta`. */
  readonly seq?: number;
  /** Replaces operations of the same sequence number. */
  readonly outboxAdd?: readonly Operation[];
  readonly outboxRemove?: readonly number[];
  readonly rowsPut?: readonly StoredRow[];
  readonly rowsRemove?: readonly Id[];
  readonly recoveredAdd?: readonly RecoveredItem[];
  readonly recoveredRemove?: readonly number[];
  /** Replaces entries of the same key. */
  readonly journalPut?: readonly JournalEntry[];
  readonly journalRemove?: readonly JournalKey[];
}

/**
 * A device's disk. Batches must be stored in the order given; a batch is durable when its promise resolves, and a
 * rejected one must leave nothing behind. `write` may be called while an earlier one is under way.
 */
export interface DeviceStorage {
  /**
   * True: nothing survives the tab (a browser that refuses storage). Durable then means nothing, and the status says
   * so.
   */
  readonly isVolatile?: boolean;
  /**
   * Stored rows that could not be read since `open`, known when `rows` has ended; absent or 0: the copy is complete.
   */
  readonly unreadable?: number;
  /**
   * Null on a fresh device. After an `open` as leader this tab may write everything, and no earlier leader may any
   * more; a follower adds its own operations. Called again when a tab changes its part.
   */
  open(part?: Part): Promise<StoredState | null>;
  /** Confirmed rows in pages, the most needed ones first; the caller may take its time between pages. */
  rows(): AsyncIterable<readonly StoredRow[]>;
  /** The recent entries, in no particular order. Not needed to start. */
  journal(): Promise<readonly JournalEntry[]>;
  write(batch: StorageBatch): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
  close(): void;
}

/** Why a reachable server accepts nothing now: no room on its disk, or another problem of its own. */
export type ServerTrouble = 'full' | 'failing';

/** Why changes wait although the server is there. `locked`: they are to be sealed, and this device has no key. */
export type SyncTrouble = ServerTrouble | 'locked';

/** The server's answer, and whether operations were held back for want of a key. */
export interface Exchanged extends SyncResponse {
  readonly isLocked?: boolean;
  /** The person's own scope isn't plain, and this device has no key for it. */
  readonly hasNoKey?: boolean;
}

/** Why a request has no answer. Only `refused` and `signedOut` are the server's word; the others are retried. */
export type TransportFailure =
  | { readonly type: 'offline' }
  | { readonly type: 'signedOut' }
  | { readonly type: 'busy'; readonly retryAfterMs: number; readonly trouble?: SyncTrouble }
  | { readonly type: 'refused'; readonly code: SyncErrorCode; readonly message: string };

/**
 * The answer to a request, or the reason why there is none. A transport reports failures this way and never rejects.
 */
export type TransportAnswer<T> = Result<T, TransportFailure>;

/** The network. A request may be answered late, twice or never; repeating it must be harmless. */
export interface Transport {
  sync(request: SyncRequest): Promise<TransportAnswer<Exchanged>>;
  /** One page of a scope's rows, from a place that the previous page named. */
  snapshot(scope: Id, place: SnapshotPlace): Promise<TransportAnswer<PartPage>>;
  /** Opens the live channel and keeps it open until the returned function is called. */
  listen(on: LiveListener): () => void;
  /** Loads what this device has for scopes that are sealed. Absent: it can't open any. Rejects where it can't be loaded now. */
  readonly sealing?: () => Promise<SealingPlatform>;
}

/** News from the live channel. Any of it may be lost, late or doubled: it only shortens the delay. */
export interface LiveListener {
  /** The device and its cursors, which the channel sends when it opens, so that the server can send deltas. */
  hello(): { readonly device: Id; readonly cursors: Readonly<Record<Id, Cursor>> };
  poke(scope: Id, version: number): void;
  delta(changes: ScopeChanges): void;
  open(): void;
  /** The server has ended the session. */
  signedOut(): void;
}

/** One page of a scope's rows, read from the start. */
export interface PartPage {
  readonly rows: readonly StoredRow[];
  /** Null on the last page. */
  readonly next: SnapshotPlace | null;
  /** Approximate number of rows in the scope; on the first page. */
  readonly total?: number;
  /** Generation of the server that read it; absent: unknown. */
  readonly generation?: string;
}
