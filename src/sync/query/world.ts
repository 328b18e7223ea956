// The query context: everything that the search language needs from the owner of rows. A running app has its own
// (client/query/world.ts); for given rows, row-table.ts makes it.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { Row } from '../rows/row.ts';
import type { TaskIndex } from './task-index.ts';

/** Rows by id and by parent. */
export interface RowSource {
  /** The person's own scope. */
  readonly scope: Id;
  row(id: Id): Row | undefined;
  /** All placed rows under a parent, trashed ones included. */
  children(parent: Id): readonly Row[];
  all(): Iterable<Row>;
}

/** The data that queries run on. Its implementation keeps the index up to date with the rows. */
export interface World {
  readonly replica: RowSource;
  readonly index: TaskIndex;
  /** Whether an entity, or anything above it, is in the trash. */
  readonly facts: { isHidden(id: Id): boolean };
  /** The people of shared lists, also those who have left; somebody in several lists more than once. */
  people(): Iterable<{ readonly account: number; readonly name: string }>;
  /** Own account number; 0: none. */
  readonly account: number;
  /** Whether snoozed tasks are shown for now, even where they would be left out. */
  showsSnoozed(): boolean;
  context(): PhraseContext;
}
