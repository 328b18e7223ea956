// What the search language asks of whoever holds rows: the rows and their texts, what hangs where, what is hidden, and the
// moment. A running app has all of it (client/query/world.ts); for rows at hand, table.ts makes it.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { Row } from '../row.ts';
import type { TaskIndex } from './task-index.ts';

/** Rows by id and by what they hang under. */
export interface RowSource {
  /** The person's own scope. */
  readonly scope: Id;
  row(id: Id): Row | undefined;
  /** All placed rows under a parent, trashed ones included. */
  children(parent: Id): readonly Row[];
  all(): Iterable<Row>;
}

export interface World {
  readonly replica: RowSource;
  readonly index: TaskIndex;
  /** Whether something, or what it hangs under, is in the trash. */
  readonly facts: { isHidden(id: Id): boolean };
  /** Snoozed tasks are to be shown for now, wherever they would be left out. */
  showsSnoozed(): boolean;
  context(): PhraseContext;
}
