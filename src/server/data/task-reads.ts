// The reading port of doors that show tasks one page at a time and hold no copy of their own (the API, mail, links).
// Everything here is found by an index; nothing reads a scope whole. SQLite and PostgreSQL implement it, and
// test/contracts/ holds the suite that both pass.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/row.ts';

/** A row for showing, without what merging needs. */
export type ReadRow = Omit<Row, 'stamp' | 'stamps'>;

export interface TaskRange {
  /** Null: all tasks. `done` includes the completed occurrences of repeating tasks, which are rows of their own. */
  readonly status: 'open' | 'done' | null;
  /** Only what comes later in the order than this; null: from the start. */
  readonly after: TaskMark | null;
  /** Only what was changed after this, milliseconds. */
  readonly changedAfter: number | null;
  readonly limit: number;
}

/** A place in the order: latest change first, ties by id. */
export interface TaskMark {
  readonly updatedAt: number;
  /** Comes after every task of that time when it is the highest id there could be. */
  readonly id: string;
}

/** Where a task hangs. */
export interface Branch {
  readonly id: Id;
  readonly parent: Id;
  readonly key: string;
  readonly isDone: boolean;
}

/** What a task's place and marks follow from. */
export interface Surroundings {
  /** Tasks above, by id, as far up as there are tasks. */
  readonly above: ReadonlyMap<Id, ReadRow>;
  /** What is one person's own about a task, by its id. */
  readonly mine: ReadonlyMap<Id, ReadRow>;
  /** Attachments that are not in the trash, by their task. */
  readonly attachments: ReadonlyMap<Id, readonly ReadRow[]>;
}

export interface TaskReads {
  /** Tasks of a scope that are not in the trash themselves; what hangs beneath something trashed is among them. */
  recent(scope: Id, range: TaskRange): Promise<readonly ReadRow[]>;
  /** Tasks beneath a list, folders and lists in it included, or beneath a task; nothing that is or hangs in the trash. */
  beneath(scope: Id, root: Id, range: TaskRange): Promise<readonly ReadRow[]>;
  /** Where everything beneath a root that is not in the trash hangs, parents before children. */
  branches(scope: Id, root: Id, limit: number): Promise<readonly Branch[]>;
  /** Rows by id, in whichever of these scopes they are. */
  find(scopes: readonly Id[], ids: readonly Id[]): Promise<readonly Row[]>;
  surroundings(scope: Id, personal: Id, tasks: readonly ReadRow[]): Promise<Surroundings>;
  /** Lists, labels and their groups, with the version of the newest of what frames the scope. */
  frame(scope: Id): Promise<{ readonly version: number; readonly rows: readonly Row[] }>;
  /** The version alone; 0 for an empty frame. */
  frameVersion(scope: Id): Promise<number>;
}
