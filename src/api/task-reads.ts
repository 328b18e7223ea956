// The reading port of server code that shows tasks in pages and has no replica (the API, mail, links).
// Every read uses an index; none reads a whole scope. SQLite and PostgreSQL implement it, and test/contracts/ has the suite
// that both pass.
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';

/** A row for display, without the stamps that merging needs. */
export type ReadRow = Row extends infer R ? (R extends Row ? Omit<R, 'stamp' | 'stamps'> : never) : never;

/** A page of tasks, the latest changed first. */
export interface TaskRange {
  /** Null: all tasks. `done` includes completed occurrences of repeating tasks, which are separate rows. */
  readonly status: 'open' | 'done' | null;
  /** Only tasks after this in the order; null: from the start. */
  readonly after: TaskMark | null;
  /** Only tasks changed after this, milliseconds. */
  readonly changedAfter: number | null;
  readonly limit: number;
}

/** A place in the order: latest change first, ties by id. */
export interface TaskMark {
  readonly updatedAt: number;
  /** After every task of that time if it is the highest possible id. */
  readonly id: string;
}

/** A place among the comments of a task: oldest first, ties by id. */
export interface CommentMark {
  readonly createdAt: number;
  readonly id: string;
}

/** The position of a task. */
export interface Branch {
  readonly id: Id;
  readonly parent: Id;
  readonly key: string;
  readonly isDone: boolean;
}

/** Everything that a task's position and marks depend on. */
export interface Surroundings {
  /** Ancestor tasks by id, up to the list. */
  readonly above: ReadonlyMap<Id, ReadRow>;
  /** Personal rows by task. */
  readonly mine: ReadonlyMap<Id, ReadRow>;
  /** Attachments not in the trash, by task. */
  readonly attachments: ReadonlyMap<Id, readonly ReadRow[]>;
  /** How many comments not in the trash, by task. */
  readonly comments: ReadonlyMap<Id, number>;
}

/** Indexed reads of tasks; committed data only. */
export interface TaskReads {
  /** Tasks of a scope that are not in the trash themselves; descendants of trashed ones are included. */
  recent(scope: Id, range: TaskRange): Promise<readonly ReadRow[]>;
  /** Tasks beneath a list, with the folders and lists in it, or beneath a task; trashed subtrees are excluded. */
  beneath(scope: Id, root: Id, range: TaskRange): Promise<readonly ReadRow[]>;
  /** Positions of all untrashed descendants of a root, parents before children. */
  branches(scope: Id, root: Id, limit: number): Promise<readonly Branch[]>;
  /** Rows by id, from any of these scopes. */
  find(scopes: readonly Id[], ids: readonly Id[]): Promise<readonly Row[]>;
  /** Comments of a task that are not in the trash, the oldest first; those after one of them, or from the start. */
  comments(scope: Id, task: Id, after: CommentMark | null, limit: number): Promise<readonly ReadRow[]>;
  surroundings(scope: Id, personal: Id, tasks: readonly ReadRow[]): Promise<Surroundings>;
  /** Settings of a personal scope. */
  settings(scope: Id): Promise<readonly Row[]>;
  /** Lists, labels and their groups, with the newest version among them. */
  frame(scope: Id): Promise<{ readonly version: number; readonly rows: readonly Row[] }>;
  /** That version alone; 0: none of them exist. */
  frameVersion(scope: Id): Promise<number>;
}

/** Groups the rows found beside tasks by their task. */
export function besideOf(rows: readonly ReadRow[], above: ReadonlyMap<Id, ReadRow>): Surroundings {
  const mine = new Map<Id, ReadRow>();
  const attachments = new Map<Id, ReadRow[]>();
  const comments = new Map<Id, number>();
  for (const row of rows) {
    if (row.type === 'mine') mine.set(row.fields.of, row);
    if (row.type === 'comment') {
      const { parent } = row.fields.place;
      comments.set(parent, (comments.get(parent) ?? 0) + 1);
    }
    const task = row.type === 'attachment' ? placeOf(row)?.parent : undefined;
    if (task === undefined) continue;
    const known = attachments.get(task);
    if (known) known.push(row);
    else attachments.set(task, [row]);
  }
  return { above, mine, attachments, comments };
}
