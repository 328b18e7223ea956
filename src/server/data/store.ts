// The Store port: how the write path and the read path of replication access durable storage.
// SQLite and PostgreSQL implement it; test/contracts/ has the suite that both pass.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Operation, OperationHead, Verdict } from '#sync/rows/operation.ts';
import type { ScopeSealing } from '#sync/sealing/scope-state.ts';

/** A person's own scope, or that of a shared list. */
export type ScopeKind = 'personal' | 'list';

/** The head of a unit of replication: everything that changes with every write. */
export interface ScopeRecord {
  readonly id: Id;
  readonly kind: ScopeKind;
  /** Account number of the owner. */
  readonly owner: number;
  /** Bumped once per atomic change, under the scope's lock: commit order is version order. */
  readonly version: number;
  /** Tombstones up to this version have been deleted: a cursor from before must start again. */
  readonly horizon: number;
  /** Additive sum over (id, version) of its rows, 16 hex digits (sync/rows/digest.ts). */
  readonly digest: string;
  /** Index of the generation in which it was last written. */
  readonly generation: number;
  /** The last assigned `updated_at`, milliseconds; strictly increasing. */
  readonly updatedClock: number;
  /** Until then devices may bring back what a restored database has lost; 0: not healing. */
  readonly healingUntil: number;
  /** The lowest protocol version of a device that may read it. Read only: `save` leaves it as it is. */
  readonly minSchema: number;
  /** The list that a shared scope is. Read only, likewise. Absent: there is none, or it is not recorded. */
  readonly root?: Id;
  /** Where it stands on its way to being sealed and back. Read only, likewise. Absent: it never was on that way. */
  readonly sealing?: ScopeSealing;
}

/** What is kept about the sealing of a scope. */
export interface SealingRecord {
  readonly state: ScopeSealing;
  /** As it came; null: there is none. */
  readonly directory: { readonly body: string; readonly mac: string } | null;
  /** Of the directory. */
  readonly number: number;
  /** Of the account key, by name. */
  readonly wraps: Readonly<Record<string, string>>;
  readonly wrapsVersion: number;
  /** The history may hold values from before the scope was sealed. */
  readonly wasPlain: boolean;
  /** What was removed may still be in files of the database. */
  readonly lingers: boolean;
}

/** A scope to be made. */
export interface NewScope {
  readonly id: Id;
  readonly kind: ScopeKind;
  readonly owner: number;
  /** Of a shared scope: its list. */
  readonly root?: Id;
  /** Absent: 1. */
  readonly minSchema?: number;
  /** When its owner joins, milliseconds; absent: unknown. */
  readonly at?: number;
}

/** A writer known to the server: a device, or a program that writes like one. */
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

/** What is known about an id. `elsewhere` names its scope. */
export type Lookup =
  | { readonly type: 'row'; readonly row: Row }
  | { readonly type: 'tombstone' }
  | { readonly type: 'elsewhere'; readonly scope: Id }
  | { readonly type: 'unknown' };

/** What a scope keeps of a row that moved to another scope. */
export interface MovedAway {
  /** The scope that it left. */
  readonly scope: Id;
  readonly id: Id;
  readonly to: Id;
  /** Its hop counter there. */
  readonly hops: number;
  /** Its last version in the scope that it left. */
  readonly was: number;
  /** Its first version in the scope that it moved to. */
  readonly version: number;
}

/** A read of neighbors among the children of a parent, in key order. */
export interface SiblingQuery {
  readonly scope: Id;
  readonly parent: Id;
  /** Exclusive; null starts at the end the direction comes from. */
  readonly from: string | null;
  readonly direction: 'ascending' | 'descending';
  readonly limit: number;
}

/** A child of a parent, with its order key. */
export interface Sibling {
  readonly id: Id;
  readonly key: string;
  /** Of its last change of any kind. */
  readonly version: number;
}

/** A stored epoch of a note (sync/notes/note.ts). */
export interface NoteEpochRecord {
  readonly scope: Id;
  readonly note: Id;
  readonly seed: Id;
  readonly state: string | null;
  readonly text: string;
  /** When it ended, milliseconds; 0 while its edits continue in the row itself. */
  readonly at: number;
}

/** Everything a transaction wants to read in one bulk call. */
export interface ReadSet {
  readonly rows: readonly { readonly scope: Id; readonly id: Id }[];
  /** Each of these with all its ancestors inside its scope. */
  readonly ancestors: readonly { readonly scope: Id; readonly id: Id }[];
  /** Trashed siblings included: they keep their key. */
  readonly siblings: readonly SiblingQuery[];
  readonly noteEpochs?: readonly Pick<NoteEpochRecord, 'scope' | 'note' | 'seed'>[];
}

/** The answer to a ReadSet. */
export interface ReadAnswer {
  /** One entry for every requested row and every ancestor found. Key: the id. */
  readonly rows: ReadonlyMap<Id, Lookup>;
  /** In the order of the queries, each in the order of its direction. */
  readonly siblings: readonly (readonly Sibling[])[];
  /** Existing ones only. */
  readonly noteEpochs?: readonly NoteEpochRecord[];
}

/** A verdict kept for a device that may ask again. */
export interface StoredResult {
  readonly device: Id;
  readonly seq: number;
  /** The operation's own id. */
  readonly operation: Id;
  readonly verdict: Verdict;
}

/** In the history of a scope that a row left for another one: who may read this scope may not know the other. */
export interface MovedRecord extends OperationHead {
  readonly a: 'moved';
  readonly id: Id;
}

/** One applied operation with the values it replaced: the server's history. */
export interface HistoryEntry {
  readonly scope: Id;
  readonly version: number;
  readonly account: number;
  /** Device number. */
  readonly device: number;
  readonly at: number;
  readonly operation: Operation | MovedRecord;
  /** Earlier registers of every row it changed. Null: the row did not exist. */
  readonly before: readonly {
    readonly id: Id;
    readonly fields: Readonly<Record<string, unknown>> | null;
    /** The task of a personal row or attachment. */
    readonly of?: Id;
  }[];
}

/** Which history to read: of one entity, of its present subtree, or of the whole scope. */
export interface HistoryRange {
  readonly id?: Id;
  /** Includes the subtree of `id`. */
  readonly isTree?: boolean;
  /** Only entries older than this version. */
  readonly before?: number;
  /** The last month is enough: what lies farther away is left out. */
  readonly isRecent?: boolean;
  readonly limit: number;
}

/** An operation that waits until the row it names is brought back. */
export interface ParkedOperation {
  /** Order of arrival; absent before it is saved. */
  readonly number?: number;
  readonly scope: Id;
  readonly target: Id;
  readonly account: number;
  /** The account's present role in the scope; null: no longer a member. */
  readonly role: 'owner' | 'member' | null;
  /** Device number. */
  readonly device: number;
  readonly at: number;
  readonly until: number;
  readonly operation: Operation;
}

/**
 * The move of a tree that was too large to move at once: its root has moved, and what is beneath it follows. Where it stands is
 * told by the rows alone: what is left behind is what is in a scope that its parent is not in.
 */
export interface TransferRecord {
  /** The operation that moved the root. */
  readonly id: Id;
  /** The scope that is left. */
  readonly from: Id;
  readonly root: Id;
  readonly startedAt: number;
  /** Account number. */
  readonly author: number;
  /** Device number. */
  readonly device: number;
  /** The process that carries it out, if any, until when, and in which generation. */
  readonly holder: Id | null;
  readonly heldUntil: number;
  readonly heldIn: number;
}

/**
 * Two labels that stand for each other, for one account: a task that carries the one carries the other in the other scope.
 */
export interface LabelTwin {
  readonly account: number;
  /** The label that was first: of the person, or of a list from which a task went on to another list. */
  readonly personalLabel: Id;
  /** The scope of the other one. */
  readonly scope: Id;
  readonly sharedLabel: Id;
}

/** A place that at most one row can have. */
export interface TakenPlace {
  readonly parent: Id;
  readonly key: string;
}

/** A page of the ids of a scope, in which some rows are left behind. */
export interface LeftBehind {
  /** Parents of rows of this page, or the tasks of records, that are in another scope. */
  readonly parents: readonly Id[];
  /** Where to continue; null: nothing comes after. */
  readonly last: Id | null;
}

/** Changes that may affect reminders (server/push/). */
export interface ReminderMarks {
  /** Tasks with reminders in a personal row, by the scope of that person. */
  readonly held: readonly { readonly scope: Id; readonly task: Id }[];
  /** New tasks, and those whose dates or status changed. */
  readonly tasks: readonly Id[];
  /** Scopes whose person changed when days ring. */
  readonly scopes: readonly Id[];
  /** Who is to be told of a task. */
  readonly told: readonly NoticeMark[];
}

/** Somebody has mentioned a person, or given them a task. The last notice of a person and a task stands. */
export interface NoticeMark {
  readonly account: number;
  readonly task: Id;
  readonly kind: 'mention' | 'assigned';
  /** In which they are mentioned; empty: none. */
  readonly comment: Id | '';
  /** Account number of who did it. */
  readonly author: number;
}

/**
 * A row that leaves a scope for another one. What it is there is among `rows`, unless it moved on. Its merged notes, its mail
 * address and the content of its file go with it; the history of the scope that it left stays as it is.
 */
export interface Departure extends MovedAway {
  /** Version of the scope that it left, with which it is gone there. */
  readonly left: number;
  /** When, milliseconds. */
  readonly at: number;
  /** The content that it names, for attachments: held there as if it were new, so that no sweep takes it meanwhile. */
  readonly hash?: string;
}

/** Everything one transaction saves, applied as a whole. */
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
  /**
   * Removes rows for good and remembers that they existed. Takes their history along, that in scopes they once left
   * too.
   */
  readonly tombstones: readonly {
    readonly scope: Id;
    readonly id: Id;
    readonly version: number;
    /** When; absent: housekeeping counts from when it first sees the tombstone. */
    readonly at?: number;
  }[];
  /** In the order of the moves. */
  readonly departures?: readonly Departure[];
  readonly devices: readonly DeviceRecord[];
  readonly results: readonly StoredResult[];
  /**
   * Forgets results of a device after one sequence number (those up to it are gone), up to and including another. Without the lower one
   * PostgreSQL would go through all that were deleted and not yet vacuumed.
   */
  readonly forgetResults: readonly {
    readonly device: Id;
    readonly afterSeq: number;
    readonly upToSeq: number;
  }[];
  readonly history: readonly HistoryEntry[];
  /** One without a state only changes the time of an existing epoch. */
  readonly noteEpochs?: readonly NoteEpochRecord[];
  readonly parked?: readonly ParkedOperation[];
  /** Moves that begin, or go on. */
  readonly transfers?: readonly TransferRecord[];
  /** A label has one twin in a scope: the last one. */
  readonly labelTwins?: readonly LabelTwin[];
  /** Numbers of operations that no longer wait. */
  readonly unparked?: readonly number[];
  /** Tasks whose reminders have to be computed again. */
  readonly reminding?: ReminderMarks;
}

/** What came of a batch. */
export interface Saved {
  /** Some reminder has to be computed again, or somebody to be told. */
  readonly isReminding: boolean;
}

/** A durable transaction. Reads see its own writes. */
export interface WriteTransaction {
  /** Locks scopes in ascending id order, then reads them. Unknown ids are absent from the answer. */
  lockScopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>>;
  /** Finds devices, creating unknown ones for the given account. A device of another account is returned as it is. */
  devices(
    wanted: readonly { readonly id: Id; readonly account: number }[],
  ): Promise<ReadonlyMap<Id, DeviceRecord>>;
  /** Stored verdicts of a device for these sequence numbers. */
  results(device: Id, seqs: readonly number[]): Promise<readonly StoredResult[]>;
  load(want: ReadSet): Promise<ReadAnswer>;
  /** The scope of each of these ids, purged ones included. Unknown ids are absent from the answer. */
  whereabouts(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>>;
  /** As `whereabouts`, without purged ones. */
  living(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>>;
  /** Which of these rows left these scopes for another one, and how. */
  moves(places: readonly { readonly scope: Id; readonly id: Id }[]): Promise<readonly MovedAway[]>;
  /**
   * A row with everything beneath it and the records of its completions, about `limit` rows at most: more than that means
   * that there are more.
   */
  tree(scope: Id, id: Id, limit: number): Promise<readonly Row[]>;
  /**
   * The children of these ids in a scope, and the records of their completions, which come first; `limit` rows at most. The
   * ids themselves may be in another scope.
   */
  beneath(scope: Id, ids: readonly Id[], limit: number): Promise<readonly Row[]>;
  /** Those of these ids that have anything beneath them in a scope, in the sense of `beneath`. */
  parentsAmong(scope: Id, ids: readonly Id[]): Promise<readonly Id[]>;
  /** How many levels the tree of a row has in its scope, the row itself being one. */
  height(scope: Id, id: Id): Promise<number>;
  /** Those of these places that a row of the scope has. */
  taken(scope: Id, places: readonly TakenPlace[]): Promise<readonly TakenPlace[]>;
  /** Moves of large trees that are under way. */
  transfers(): Promise<readonly TransferRecord[]>;
  /** One of them, locked; null: it is over. */
  transfer(id: Id): Promise<TransferRecord | null>;
  endTransfer(id: Id): Promise<void>;
  /** What stands for these labels, and for what they stand, for an account; also what stands for the same label elsewhere. */
  labelTwins(account: number, labels: readonly Id[]): Promise<readonly LabelTwin[]>;
  /** Waiting operations of a scope, in the order of arrival. */
  parked(scope: Id): Promise<readonly ParkedOperation[]>;
  /** What an account is in a scope at present; null: nothing. */
  roleIn(scope: Id, account: number): Promise<ParkedOperation['role']>;
  save(batch: WriteBatch): Promise<Saved>;
  /**
   * From now on only devices of this protocol version or a later one may read a locked scope. For the transaction that
   * first writes what earlier ones do not know. Never lowers what the scope asks for already.
   */
  raiseMinSchema(scope: Id, version: number): Promise<void>;
  /** What is kept about the sealing of a locked scope. */
  sealing(scope: Id): Promise<SealingRecord>;
  /** Replaces it, the state of the scope included. */
  saveSealing(scope: Id, record: SealingRecord): Promise<void>;
  /** Rows of a locked scope with a later version, the oldest first. */
  rowsSince(scope: Id, version: number, limit: number): Promise<readonly Row[]>;
  /** Rows of a locked scope whose notes have a merge state. */
  mergingNotes(scope: Id): Promise<readonly Row[]>;
  /**
   * Removes what a locked scope remembers of its rows besides the rows: history, earlier texts of notes, runs of
   * macros.
   */
  forgetBefore(scope: Id): Promise<void>;
}

/** A page of the changes of a scope; whole versions only. */
export interface ChangesPage {
  readonly rows: readonly Row[];
  /** If `more`: ancestors of these rows that are newer than `to`. They come again in a later page. */
  readonly above?: readonly Row[];
  /** Purged rows. */
  readonly gone: readonly Id[];
  readonly moved: readonly MovedAway[];
  /** Version up to which the page is complete. */
  readonly to: number;
  readonly more: boolean;
}

/** What is asked of a scope when several are read at once. */
export interface ChangesAsked {
  readonly scope: Id;
  readonly from: number;
  readonly maxRows: number;
}

/** A page with the record of its scope, from one snapshot. */
export type HeadedPage = ChangesPage & { readonly head: ScopeRecord };

/** A row with its place on the shelf (shelf.ts). */
export interface ShelvedRow {
  readonly row: Row;
  readonly place: string;
}

/** One generation of the server's history: a run of the installation (care/generations.ts), or a part of one. */
export interface GenerationRecord {
  readonly index: number;
  readonly nonce: string;
}

/** Durable storage of replicated data. Implementations pass test/contracts/. */
export interface Store {
  /**
   * Runs `work` in one transaction, durably committed when the promise resolves (fsync included) and without effect when it
   * rejects. Transactions of one process run one after another on SQLite; on PostgreSQL they may overlap and are serialized
   * by the scope locks.
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T>;

  /** Creates an empty scope and makes the account its member. Rejects if there is one of this id. */
  createScope(scope: NewScope): Promise<void>;
  scope(id: Id): Promise<ScopeRecord | null>;
  /** The scopes an account may read, with its role. */
  scopesOf(account: number): Promise<readonly { readonly scope: Id; readonly role: 'owner' | 'member' }[]>;
  membersOf(scope: Id): Promise<readonly number[]>;
  /** Those of these scopes that the account is known to have left. */
  leftBy(account: number, scopes: readonly Id[]): Promise<ReadonlySet<Id>>;

  /**
   * Committed rows and tombstones with `version > from`, oldest first, about `maxRows` of them and never part of a version;
   * `head` is the scope record of the same snapshot. A page before the head also includes ancestors of its rows that are
   * newer than the page, so that no device sees a new place under an old tree.
   */
  changes(scope: Id, from: number, maxRows: number): Promise<HeadedPage>;
  /** The records of those of these scopes that exist, in one snapshot and one statement. */
  scopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>>;
  /**
   * As `changes`, of several scopes in one snapshot: of a row that moves from one to another both sides are there, or neither
   * is. Scopes that do not exist are left out. Of scopes without anything newer only the records are read.
   */
  changesOf(asked: readonly ChangesAsked[]): Promise<ReadonlyMap<Id, HeadedPage>>;
  /** Committed rows in id order after `after`. */
  snapshot(scope: Id, after: Id | null, limit: number): Promise<readonly Row[]>;
  /** Committed rows by their place on the shelf (shelf.ts), after the place `after` and before the place `to`. */
  shelf(
    scope: Id,
    of: { readonly after: string; readonly to: string; readonly limit: number },
  ): Promise<readonly ShelvedRow[]>;
  /** Counts from a place on, `limit` rows at most; `last` is where to continue, null at the end. */
  countShelf(
    scope: Id,
    after: string,
    limit: number,
  ): Promise<{ readonly count: number; readonly last: string | null }>;

  /** Moves of large trees that are under way. */
  transfers(): Promise<readonly TransferRecord[]>;
  /** Looks through the rows of a scope in id order after `after`, `limit` of them, for what is left behind by such a move. */
  leftBehind(scope: Id, after: Id | null, limit: number): Promise<LeftBehind>;

  /** Opens a new generation and returns all of them, oldest first; the last is the current one. */
  openGeneration(nonce: string, at: number): Promise<readonly GenerationRecord[]>;
  /** Highest version the scope had when generation `index` ended; null: not written since. */
  versionAtEndOf(scope: Id, index: number): Promise<number | null>;

  /** History of one entity or of the scope, newest first. */
  history(scope: Id, of: HistoryRange): Promise<readonly HistoryEntry[]>;

  /** Cheap write probe for readiness. Rejects when the disk refuses. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
