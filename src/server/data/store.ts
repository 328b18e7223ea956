// The Store port: how the write path and the read path of replication reach durable storage.
// SQLite and PostgreSQL implement it; test/contracts/ holds the one suite that both pass.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/row.ts';
import type { Operation, Verdict } from '#sync/operation.ts';

export type ScopeKind = 'personal' | 'list';

/** The head of a unit of replication. Everything that changes with every write stands here. */
export interface ScopeRecord {
  readonly id: Id;
  readonly kind: ScopeKind;
  /** Account number of the owner. */
  readonly owner: number;
  /** Bumped once per atomic change, under the scope's lock: commit order is version order. */
  readonly version: number;
  /** Versions at or below this have lost their tombstones: a cursor from before must start again. */
  readonly horizon: number;
  /** Additive sum over (id, version) of its rows, 16 hex digits (sync/digest.ts). */
  readonly digest: string;
  /** Index of the generation in which it was last written. */
  readonly generation: number;
  /** Last `updated_at` given out, milliseconds; strictly increasing. */
  readonly updatedClock: number;
  /** Until then devices may bring back what a restored database has lost; 0: nothing was lost. */
  readonly healingUntil: number;
}

export interface DeviceRecord {
  readonly id: Id;
  /** Small and unique on this server; 0 never occurs. */
  readonly number: number;
  readonly account: number;
  readonly lastSeq: number;
  readonly ackedSeq: number;
  /** Effective time of its last operation: stamps of one device never run backwards. */
  readonly lastStamp: number;
}

/** What is known about an id. `elsewhere` names the scope that holds it. */
export type Lookup =
  | { readonly type: 'row'; readonly row: Row }
  | { readonly type: 'tombstone' }
  | { readonly type: 'elsewhere'; readonly scope: Id }
  | { readonly type: 'unknown' };

export interface SiblingQuery {
  readonly scope: Id;
  readonly parent: Id;
  /** Exclusive; null starts at the end the direction comes from. */
  readonly from: string | null;
  readonly direction: 'ascending' | 'descending';
  readonly limit: number;
}

export interface Sibling {
  readonly id: Id;
  readonly key: string;
}

/** A kept epoch of a note (sync/note.ts). */
export interface NoteEpochRecord {
  readonly scope: Id;
  readonly note: Id;
  readonly seed: Id;
  readonly state: string | null;
  readonly text: string;
  /** When it ended, milliseconds; 0 while its edits go on in the row itself. */
  readonly at: number;
}

export interface ReadSet {
  readonly rows: readonly { readonly scope: Id; readonly id: Id }[];
  /** Each of these with all its ancestors inside its scope. */
  readonly ancestors: readonly { readonly scope: Id; readonly id: Id }[];
  /** Trashed siblings included: they keep their key. */
  readonly siblings: readonly SiblingQuery[];
  readonly noteEpochs?: readonly Pick<NoteEpochRecord, 'scope' | 'note' | 'seed'>[];
}

export interface ReadAnswer {
  /** One entry for every row asked for, and for every ancestor met. Key: the id. */
  readonly rows: ReadonlyMap<Id, Lookup>;
  /** In the order of the queries, each in the order of its direction. */
  readonly siblings: readonly (readonly Sibling[])[];
  /** Those that are there. */
  readonly noteEpochs?: readonly NoteEpochRecord[];
}

export interface StoredResult {
  readonly device: Id;
  readonly seq: number;
  /** The operation's own id. */
  readonly operation: Id;
  readonly verdict: Verdict;
}

/** One applied operation with what it replaced: the server's history. */
export interface HistoryEntry {
  readonly scope: Id;
  readonly version: number;
  readonly account: number;
  /** Device number. */
  readonly device: number;
  readonly at: number;
  readonly operation: Operation;
  /** Registers before, of every row it changed. Null: the row did not exist. */
  readonly before: readonly {
    readonly id: Id;
    readonly fields: Readonly<Record<string, unknown>> | null;
    /** The task it belongs to: of what is one's own about it, and of an attachment. */
    readonly of?: Id;
  }[];
}

/** Which of a scope's history is wanted: of one entity, of it and everything beneath it now, or all of it. */
export interface HistoryRange {
  readonly id?: Id;
  /** Also what hangs beneath `id`. */
  readonly isTree?: boolean;
  /** Only what is older than this version. */
  readonly before?: number;
  readonly limit: number;
}

/** An operation that waits for the id it names. */
export interface ParkedOperation {
  /** Order of arrival; absent before it is saved. */
  readonly number?: number;
  readonly scope: Id;
  readonly target: Id;
  readonly account: number;
  /** Of the account in the scope at present; null: none any more. */
  readonly role: 'owner' | 'member' | null;
  /** Device number. */
  readonly device: number;
  readonly at: number;
  readonly until: number;
  readonly operation: Operation;
}

/** Changes that reminders may follow from (server/push/). */
export interface ReminderMarks {
  /** Tasks whose person's own row has reminders, by that person's scope. */
  readonly held: readonly { readonly scope: Id; readonly task: Id }[];
  /** Tasks that came, or whose dates or status changed. */
  readonly tasks: readonly Id[];
  /** Scopes whose person decided anew when days ring. */
  readonly scopes: readonly Id[];
}

export interface WriteBatch {
  /** Updates by id; the scopes were locked in this transaction. */
  readonly scopes: readonly ScopeRecord[];
  /** Highest version of a scope in a generation that ended before it was written again. */
  readonly scopeGenerations: readonly {
    readonly scope: Id;
    readonly generation: number;
    readonly maxVersion: number;
  }[];
  /** Inserts or replaces whole rows. */
  readonly rows: readonly Row[];
  /** Removes rows for good and remembers that they existed. */
  readonly tombstones: readonly {
    readonly scope: Id;
    readonly id: Id;
    readonly version: number;
    /** When; without it housekeeping counts from the time it first sees the tombstone. */
    readonly at?: number;
  }[];
  readonly devices: readonly DeviceRecord[];
  readonly results: readonly StoredResult[];
  /** Forgets results of a device up to and including this sequence number. */
  readonly forgetResults: readonly { readonly device: Id; readonly upToSeq: number }[];
  readonly history: readonly HistoryEntry[];
  /** One without a state changes neither state nor text of one that is there, only its time. */
  readonly noteEpochs?: readonly NoteEpochRecord[];
  readonly parked?: readonly ParkedOperation[];
  /** Numbers of operations that wait no longer. */
  readonly unparked?: readonly number[];
  /** What has to be looked at again for reminders. */
  readonly reminding?: ReminderMarks;
}

/** A durable transaction. Reads see its own writes. */
export interface WriteTransaction {
  /** Locks scopes in ascending id order, then reads them. Unknown ids are absent from the answer. */
  lockScopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>>;
  /** Finds devices, creating those unknown for the given account. A device of another account is returned as it is. */
  devices(
    wanted: readonly { readonly id: Id; readonly account: number }[],
  ): Promise<ReadonlyMap<Id, DeviceRecord>>;
  /** Stored verdicts of a device, of these sequence numbers. */
  results(device: Id, seqs: readonly number[]): Promise<readonly StoredResult[]>;
  load(want: ReadSet): Promise<ReadAnswer>;
  /** What waits in a scope, in the order of arrival. */
  parked(scope: Id): Promise<readonly ParkedOperation[]>;
  save(batch: WriteBatch): Promise<void>;
}

export interface ChangesPage {
  readonly rows: readonly Row[];
  readonly gone: readonly Id[];
  /** Version up to which the page is complete. */
  readonly to: number;
  readonly more: boolean;
}

export interface ShelvedRow {
  readonly row: Row;
  readonly place: string;
}

export interface GenerationRecord {
  readonly index: number;
  readonly nonce: string;
}

export interface Store {
  /**
   * Runs `work` in one transaction, durably committed when the promise resolves (fsync included) and without effect
   * when it rejects. Transactions of one process run one after another on SQLite; on PostgreSQL they may overlap and
   * are serialised by the scope locks.
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T>;

  /** Creates an empty scope and makes the account its member. */
  createScope(scope: { id: Id; kind: ScopeKind; owner: number }): Promise<void>;
  scope(id: Id): Promise<ScopeRecord | null>;
  /** Scopes an account may read, with its role. */
  scopesOf(account: number): Promise<readonly { readonly scope: Id; readonly role: 'owner' | 'member' }[]>;
  membersOf(scope: Id): Promise<readonly number[]>;

  /**
   * Committed rows and tombstones with `version > from`, oldest first, about `maxRows` of them and never part of a
   * version; `head` is the scope record of the same snapshot.
   */
  changes(scope: Id, from: number, maxRows: number): Promise<ChangesPage & { readonly head: ScopeRecord }>;
  /** Committed rows in id order after `after`. */
  snapshot(scope: Id, after: Id | null, limit: number): Promise<readonly Row[]>;
  /** Committed rows by their place on the shelf (shelf.ts), after the place `after` and before the place `to`. */
  shelf(
    scope: Id,
    of: { readonly after: string; readonly to: string; readonly limit: number },
  ): Promise<readonly ShelvedRow[]>;
  /** Counts on from a place, `limit` rows at most; `last` is where to go on, null at the end. */
  countShelf(
    scope: Id,
    after: string,
    limit: number,
  ): Promise<{ readonly count: number; readonly last: string | null }>;

  /** Opens a new generation and returns all of them, oldest first; the last is the current one. */
  openGeneration(nonce: string, at: number): Promise<readonly GenerationRecord[]>;
  /** Highest version the scope had when generation `index` ended, or null if it has not been written since. */
  versionAtEndOf(scope: Id, index: number): Promise<number | null>;

  /** History of one entity or of the scope, newest first. */
  history(scope: Id, of: HistoryRange): Promise<readonly HistoryEntry[]>;

  /** Cheap write probe for readiness. Rejects when the disk refuses. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
