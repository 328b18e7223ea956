// What the client program sees of replication: a synchronous, always complete picture of the rows, a way to change
// it, and news of every difference. The implementation is replica.ts (state) and engine.ts (disk and network).
import type { TrashItem } from './emptying.ts';
import type { Id } from '#core/ids.ts';
import type { MergeNote } from './note.ts';
import type { Action, Operation, Verdict } from './operation.ts';
import type { Detached, JournalEntry, RecoveredItem, ServerTrouble, StorageBatch } from './ports.ts';
import type { Row } from './row.ts';

/** One entity before and after; undefined = absent. The unit of change that every index is kept by. */
export interface RowChange {
  readonly id: Id;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Why rows changed: an own command, news from the server, or pages arriving from disk at start-up. */
export type ChangeCause = 'local' | 'remote' | 'load';

export interface Issued {
  /** What was queued; actions predicted to be refused are not queued. */
  readonly operations: readonly Operation[];
  /** One per action asked for. */
  readonly verdicts: readonly Verdict[];
  readonly changes: readonly RowChange[];
  /** Takes exactly this back, in the order to be issued; each acts only where nothing newer was written. */
  readonly inverses: readonly Action[];
}

export interface Replica {
  /** The person's own scope. */
  readonly scope: Id;
  /** Number of the account, 0 without one. */
  readonly account: number;
  /** The row as the person sees it: confirmed state with own pending operations over it. */
  row(id: Id): Row | undefined;
  /** All placed rows under a parent, trashed ones included, in order (key, then id). The array is live: do not keep it. */
  children(parent: Id): readonly Row[];
  /** Every row once, in no particular order. */
  all(): Iterable<Row>;
  readonly size: number;
  /** Gives what merges edits of notes; before, an edit shows its author's text. */
  learnToMerge(merge: MergeNote): void;
  newId(): Id;
  now(): number;
  /**
   * Predicts and queues actions in order; all that they change is visible when this returns, and listeners have been
   * told once. Never waits. Work is proportional to the actions. `group` joins several calls to one undo group.
   */
  issue(actions: readonly Action[], options?: { readonly group?: Id; readonly atomic?: boolean }): Issued;
  /** Called once per `issue`, answer or page, after all of it is in place. Returns the unsubscription. */
  subscribe(listener: (changes: readonly RowChange[], cause: ChangeCause) => void): () => void;
}

/** What the status bar may honestly say. */
export type SyncState =
  /** Everything is on the server. */
  | { readonly type: 'synced' }
  /** Everything is on this device's disk; `waiting` operations have not reached the server. */
  | {
      readonly type: 'onDevice';
      readonly waiting: number;
      readonly online: boolean;
      /** Nothing has come of the first request yet: not known to be offline. */
      readonly asking?: true;
      /** The server can be reached and takes nothing now. */
      readonly trouble?: ServerTrouble;
    }
  /** The disk has not (yet) confirmed some changes. `failing`: it refused, and trying again goes on. */
  | { readonly type: 'unsaved'; readonly waiting: number; readonly failing: boolean }
  /** No account: this device's disk is the only copy. */
  | { readonly type: 'local' }
  /** The session is over; work goes on here. */
  | { readonly type: 'signedOut'; readonly waiting: number }
  /** App and server speak different versions: everything stays on this device's disk until the older one is updated. */
  | { readonly type: 'outdated'; readonly which: 'app' | 'server'; readonly waiting: number }
  /** Cloud sync is off: `made` operations stay here for good, `waiting` older ones are sent when it is turned on again. */
  | { readonly type: 'detached'; readonly waiting: number; readonly made: number }
  /** The browser keeps nothing: what has not reached the server (`waiting`; without an account all of it) ends with the tab. */
  | {
      readonly type: 'volatile';
      readonly waiting: number;
      readonly account: boolean;
      readonly online: boolean;
      readonly signedOut: boolean;
      /** Cloud sync is off. */
      readonly detached: boolean;
    }
  /** Rows are on their way from the server, or from this device's disk. `progress`: how many of how many (null: not known yet). */
  | {
      readonly type: 'loading';
      readonly progress?: { readonly read: number; readonly total: number | null };
    };

/** What there is to know about this copy, at one moment. */
export interface SyncFacts {
  readonly device: Id;
  /** The server's small number for this device; 0 before the first answer. */
  readonly deviceNumber: number;
  /** Operations that the server has not confirmed, oldest first. Live: do not keep it. */
  readonly pending: readonly Operation[];
  /** How many of the changes made here the disk has not confirmed. */
  readonly unsaved: number;
  /** Wall time of the server's last answer, also one of an earlier run; null before the first. */
  readonly heardAt: number | null;
  /** Highest sequence number the server has confirmed; 0 before the first. */
  readonly acked: number;
  /** Whether the rows add up to what the server last said; unknown while one of them is ahead. */
  readonly digest: 'equal' | 'different' | 'unknown';
  /** Server time minus this device's time, milliseconds. */
  readonly clockOffsetMs: number;
  /** Stored rows that could not be read at the start. */
  readonly unreadable: number;
  /** Null while cloud sync is on. */
  readonly detached: Detached | null;
  /** How many days the server keeps what is in the trash; null: it has not said, or nothing goes by itself. */
  readonly trashDays: number | null;
  /** Everything of the person's scope has been read from the server at least once, and nothing is being read now. */
  readonly isWhole: boolean;
}

/** What was made on a copy that is on its own. */
export interface DetachedChanges extends Detached {
  /** Everything issued since, oldest first. */
  readonly operations: readonly Operation[];
  /** What it made of the rows: before = as they will be when all of it is dropped. */
  readonly rows: readonly RowChange[];
}

/** What was done on this device lately, also without an account. Written with what it is about, never before it. */
export interface DeviceJournal {
  /** The identity that entries of now belong to. */
  readonly device: Id;
  /** The lane in which this tab numbers what it does (lanes.ts). */
  readonly lane: number;
  /** Adds entries, or replaces those of the same key. Call in the turn that issued what they hold. */
  put(entries: readonly JournalEntry[]): void;
  /** All that is kept, oldest first; null while it has not been read. */
  readonly all: readonly JournalEntry[] | null;
  /** `isAnew`: looks at the disk again, for what other tabs have written since. */
  read(isAnew?: boolean): Promise<readonly JournalEntry[]>;
}

/** The replica with its disk and network: what a running app holds. */
export interface Engine {
  readonly replica: Replica;
  readonly state: { get(): SyncState; subscribe(listener: () => void): () => void };
  readonly recovered: { get(): readonly RecoveredItem[]; subscribe(listener: () => void): () => void };
  readonly journal: DeviceJournal;
  /** How many rows a server that was put back to an older state took back from this device since the start. */
  readonly restored: { get(): number; subscribe(listener: () => void): () => void };
  dropRecovered(seqs: readonly number[]): void;
  /** Keeps an action among the recovered without making it: a text that another one replaces. */
  recover(action: Action): void;
  /** The same for one that was made while cloud sync was off (`off`: since when), and that came too late to stay. */
  recover(action: Action, off: number): void;
  facts(): SyncFacts;
  /** Operations issued here, also without an account, that this device's disk has not confirmed; oldest first. */
  unsaved(): readonly Operation[];
  /** All that is held, to be written to an empty disk; null while stored rows are still being read. */
  contents(): StorageBatch | null;
  /** Loads the most wanted rows and resolves when the first screen can be drawn; the rest streams in as `load` changes. */
  open(): Promise<void>;
  /** Resolves when every stored row is in memory. */
  loaded(): Promise<void>;
  /**
   * Without an account: removes for good what still lies in the trash as named, in every tab. Resolves when it is gone
   * from memory (of another tab: asked for); the disk follows.
   */
  emptyTrash(items: readonly TrashItem[]): Promise<void>;
  /** Asks for a synchronisation soon (a poke, a regained network, a focused window). */
  nudge(): void;
  /** Turns cloud sync off: from this moment nothing is sent or fetched, and nothing issued later ever is. */
  detach(): void;
  /** Null while cloud sync is on. */
  detachedChanges(): DetachedChanges | null;
  /**
   * Drops everything issued since `detach`, in memory at once and on the disk in one step, then turns cloud sync on
   * again. False, and nothing happens, when something was issued that is not among what was kept. What another tab makes
   * at the same time goes to Recovered; `isAsked`: so does all that is not among it, where the person was told yes already.
   */
  attach(kept: DetachedChanges, isAsked?: boolean): boolean;
  /** Resolves when all that was issued before is durable on this device. */
  flushed(): Promise<void>;
  /** Stops. Waits for the disk unless it refuses: what `unsaved` then still holds is in memory only. */
  close(): Promise<void>;
}
