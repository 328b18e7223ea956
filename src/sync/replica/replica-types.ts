// Replication as the client sees it: a synchronous, always complete set of rows, a way to change it, and notice of
// every difference. The implementation is replica.ts (state) and engine.ts (disk and network).
import type { Id } from '#core/ids.ts';
import type { OrderLayer, StoredRows } from '../mounts/composition.ts';
import type { PlaceShared } from '../mounts/issuing.ts';
import type { MergeNote } from '../notes/note.ts';
import type { Action, Operation, Verdict } from '../rows/operation.ts';
import type {
  Detached,
  DeviceMeta,
  JournalEntry,
  RecoveredItem,
  StorageBatch,
  SyncTrouble,
} from './ports.ts';
import type { Row } from '../rows/row.ts';

/** The copy as far as `Keeps` asks it. */
export interface KeptCopy {
  readonly meta: Pick<DeviceMeta, 'lists'>;
  row(id: Id): Row | undefined;
}

/** Whether an action may not be done with a row, as it would write over what doesn't open here, or where nobody could open or seal it. */
export type Keeps = (row: Row | undefined, action: Action, copy: KeptCopy) => boolean;

/** An item in the trash, and since when. */
export interface TrashItem {
  readonly id: Id;
  readonly at: number;
}

/** The row of a member of a shared list. */
export type MemberRow = Extract<Row, { readonly type: 'member' }>;

/** One entity before and after; undefined = absent. The unit of change by which every index is updated. */
export interface RowChange {
  readonly id: Id;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Why rows changed: an own command, news from the server, or pages arriving from disk at start-up. */
export type ChangeCause = 'local' | 'remote' | 'load';

/** The result of `issue`: what was queued, what was refused, and how to undo it. */
export interface Issued {
  /** The queued operations; actions that the prediction refuses are not queued. */
  readonly operations: readonly Operation[];
  /** One for each action. */
  readonly verdicts: readonly Verdict[];
  readonly changes: readonly RowChange[];
  /** Undoes exactly this, in the order to be issued; each acts only where nothing newer was written. */
  readonly inverses: readonly Action[];
}

/**
 * All rows of a copy in memory, with predictions over the confirmed ones, as their person sees them: a shared list stands where
 * its mount says. DeviceReplica holds them as they are stored; the engine hands out a facade (exchange/facade.ts) that
 * composes them and saves every issue.
 */
export interface Replica {
  /** The person's own scope. */
  readonly scope: Id;
  /** That, and those of the shared lists that are held. */
  readonly scopes: readonly Id[];
  /** Number of the account, 0 without one. */
  readonly account: number;
  /** The row as the person sees it: the confirmed row with own pending operations over it. */
  row(id: Id): Row | undefined;
  /** All placed rows under a parent, trashed ones included, in order (key, then id). The array is live: do not keep it. */
  children(parent: Id): readonly Row[];
  /** Every row once, in no particular order; of shared lists neither mounts nor members. */
  all(): Iterable<Row>;
  /** The rows of all who belong, or belonged, to the list at the top of a scope, in no particular order. Changes of them are told as they are. */
  members(scope: Id): readonly MemberRow[];
  readonly size: number;
  /** Provides the merging of note edits; before that, an edit shows its author's text. */
  learnToMerge(merge: MergeNote): void;
  /** From then on what `keeps` is true of is forbidden. */
  learnToKeep(keeps: Keeps): void;
  /**
   * Provides the placing of shared lists (mounts/issuing.ts); before that, it is refused. `layer`: what orders tasks as the person
   * does (mounts/own-order.ts); before that, they have the order that everybody sees.
   */
  learnToPlace(place: PlaceShared, layer?: (stored: StoredRows) => OrderLayer): void;
  newId(): Id;
  now(): number;
  /**
   * Predicts and queues actions in order; when this returns, all their changes are visible, and listeners have been
   * called once. Never waits. Work is proportional to the actions. `group` joins several calls to one undo group.
   * `forAll`: tasks are placed for everybody, also where the person has an order of their own.
   */
  issue(
    actions: readonly Action[],
    options?: { readonly group?: Id; readonly atomic?: boolean; readonly forAll?: boolean },
  ): Issued;
  /** Called once per `issue`, answer or page, after all of it is in place. Returns the unsubscription. */
  subscribe(listener: (changes: readonly RowChange[], cause: ChangeCause) => void): () => void;
}

/** The honest state of a copy for the status bar. */
export type SyncState =
  /** Everything is on the server. */
  | { readonly type: 'synced' }
  /** Everything is on this device's disk; `waiting` operations have not reached the server. */
  | {
      readonly type: 'onDevice';
      readonly waiting: number;
      readonly online: boolean;
      /** The first request has no result yet: not known to be offline. */
      readonly asking?: true;
      /** The server is reachable but accepts nothing now, or what waits can't be sealed. */
      readonly trouble?: SyncTrouble;
    }
  /** The disk has not (yet) confirmed some changes. `failing`: it refused, and the app keeps trying. */
  | { readonly type: 'unsaved'; readonly waiting: number; readonly failing: boolean }
  /** No account: this device's disk is the only copy. */
  | { readonly type: 'local' }
  /** The session is over; work continues locally. */
  | { readonly type: 'signedOut'; readonly waiting: number }
  /** App and server speak different versions: everything stays on this device's disk until the older one is updated. */
  | { readonly type: 'outdated'; readonly which: 'app' | 'server'; readonly waiting: number }
  /**
   * Cloud sync is off: `made` operations stay here for good, `waiting` older ones are sent when it is turned on again.
   */
  | { readonly type: 'detached'; readonly waiting: number; readonly made: number }
  /**
   * The browser keeps nothing: whatever has not reached the server (`waiting`; without an account everything) is lost
   * with the tab.
   */
  | {
      readonly type: 'volatile';
      readonly waiting: number;
      readonly account: boolean;
      readonly online: boolean;
      readonly signedOut: boolean;
      /** Cloud sync is off. */
      readonly detached: boolean;
    }
  /**
   * Rows are being loaded from the server, or from this device's disk. `progress`: how many of how many (null: not
   * known yet).
   */
  | {
      readonly type: 'loading';
      readonly progress?: { readonly read: number; readonly total: number | null };
    };

/** Details about this copy at one moment. */
export interface SyncFacts {
  readonly device: Id;
  /** The server's small number for this device; 0 before the first answer. */
  readonly deviceNumber: number;
  /** Operations that the server has not confirmed, oldest first. Live: do not keep it. */
  readonly pending: readonly Operation[];
  /** Number of changes made here that the disk has not confirmed. */
  readonly unsaved: number;
  /** Wall time of the server's last answer, also one of an earlier run; null before the first. */
  readonly heardAt: number | null;
  /** Highest sequence number the server has confirmed; 0 before the first. */
  readonly acked: number;
  /** Whether the rows have the digest that the server last sent; unknown while one of them is ahead. */
  readonly digest: 'equal' | 'different' | 'unknown';
  /** Server time minus this device's time, milliseconds. */
  readonly clockOffsetMs: number;
  /** Stored rows that could not be read at the start. */
  readonly unreadable: number;
  /** Null while cloud sync is on. */
  readonly detached: Detached | null;
  /** The person's own scope is sealed, or on its way there or back. */
  readonly isApart: boolean;
  /** Lists that stay encrypted, by their scopes; absent: none. */
  readonly lists?: DeviceMeta['lists'] | undefined;
  /** How many days the server keeps the trash; null: it has not sent it, or nothing is removed automatically. */
  readonly trashDays: number | null;
  /** What the server's last answer said that it can do beyond its protocol version (wire/features.ts). */
  readonly features: readonly string[];
  /** The whole of the person's scope has been read from the server at least once, and nothing is being read now. */
  readonly isWhole: boolean;
}

/** The changes made on a detached copy. */
export interface DetachedChanges extends Detached {
  /** All operations issued since, oldest first. */
  readonly operations: readonly Operation[];
  /** Their changes of rows: `before` is the row when all of them are dropped. */
  readonly rows: readonly RowChange[];
}

/**
 * The recent changes on this device, also without an account. Saved with the operations they are about, never before.
 */
export interface DeviceJournal {
  /** The identity of entries made now. */
  readonly device: Id;
  /** The lane in which this tab numbers its operations (sequences.ts). */
  readonly lane: number;
  /** Adds entries, or replaces those of the same key. Call it in the same turn as the `issue` they are about. */
  put(entries: readonly JournalEntry[]): void;
  /** All kept entries, oldest first; null until they were read. */
  readonly all: readonly JournalEntry[] | null;
  /** `isAnew`: reads the disk again, for entries that other tabs have written since. */
  read(isAnew?: boolean): Promise<readonly JournalEntry[]>;
}

/** The replica with its disk and network: what a running app holds. */
export interface Engine {
  readonly replica: Replica;
  readonly state: { get(): SyncState; subscribe(listener: () => void): () => void };
  readonly recovered: { get(): readonly RecoveredItem[]; subscribe(listener: () => void): () => void };
  readonly journal: DeviceJournal;
  /** How many rows a restored server has taken back from this device since the start. */
  readonly restored: { get(): number; subscribe(listener: () => void): () => void };
  dropRecovered(seqs: readonly number[]): void;
  /** Puts an action among the recovered changes without applying it: a text that another one replaces. */
  recover(action: Action): void;
  /**
   * The same for an action made while cloud sync was off (`off`: since when) that came too late to be dropped with the
   * others.
   */
  recover(action: Action, off: number): void;
  facts(): SyncFacts;
  /** Operations issued here, also without an account, that this device's disk has not confirmed; oldest first. */
  unsaved(): readonly Operation[];
  /**
   * All content, to be written to an empty disk; null while stored rows are still being read. A tab that may not write to the
   * disk has it only `toRead`.
   */
  contents(toRead?: boolean): StorageBatch | null;
  /** Loads the most needed rows and resolves when the first screen can be drawn; the rest arrives as `load` changes. */
  open(): Promise<void>;
  /** Resolves when every stored row is in memory. */
  loaded(): Promise<void>;
  /**
   * Without an account: removes for good the named items that are still in the trash, in every tab. Resolves when they
   * are gone from memory (of another tab: requested); the disk follows.
   */
  emptyTrash(items: readonly TrashItem[]): Promise<void>;
  /** Asks for a synchronisation soon (a poke, a regained network, a focused window). */
  nudge(): void;
  /** Turns cloud sync off: from this moment nothing is sent or fetched, and operations issued later never are. */
  detach(): void;
  /** Null while cloud sync is on. */
  detachedChanges(): DetachedChanges | null;
  /**
   * Drops all operations issued since `detach`, in memory at once and on the disk in one step, then turns cloud sync on
   * again. False, without any effect, when an operation was issued that is not in `kept`. Operations made in another
   * tab at the same time go to Recovered; with `isAsked`, where the person has already been told yes, so do all others
   * that are not in `kept`.
   */
  attach(kept: DetachedChanges, isAsked?: boolean): boolean;
  /** Resolves when everything issued before is durable on this device. */
  flushed(): Promise<void>;
  /** Stops. Waits for the disk unless it refuses: what `unsaved` then returns is in memory only. */
  close(): Promise<void>;
}
