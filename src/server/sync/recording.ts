// What the history keeps of an operation: the operation, and the values that it replaced.
import type { Id } from '#core/ids.ts';
import type { ActionOf, Operation, OperationHead } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { HistoryEntry } from '../data/store.ts';

/** An edit of a note is recorded as its text. */
export function recordOf(operation: Operation): Operation {
  return operation.a === 'note' ? { ...operation, update: '' } : operation;
}

/** A move as the history of the scope that the task left has it. */
export function movedAway(operation: OperationHead & ActionOf<'place'>): HistoryEntry['operation'] {
  const { a: _a, place: _place, only: _only, ...head } = operation;
  return { ...head, a: 'moved' };
}

/** The values that changes replaced. */
export function replacedIn(
  changes: readonly { readonly before: Row | undefined; readonly after: Row }[],
): HistoryEntry['before'] {
  return changes.map(({ before, after }) => ({
    id: after.id,
    fields: before === undefined ? null : replaced(before.fields, after.fields),
    ...belonging(after),
  }));
}

/** For rows that left the scope: where the topmost one was, and that the others were beneath it. */
export function replacedByLeaving(rows: readonly Row[], root: Id): HistoryEntry['before'] {
  return rows.map((row) => ({
    id: row.id,
    fields: row.id === root ? { place: placeOf(row) } : {},
    ...belonging(row),
  }));
}

/** The task whose history this belongs to as well. */
function belonging(row: Row): { readonly of?: Id } {
  if (row.type === 'mine') return { of: row.fields['of'] };
  const place = row.type === 'attachment' || row.type === 'comment' ? placeOf(row) : undefined;
  return place === undefined ? {} : { of: place.parent };
}

/** The changed registers with their earlier values; null stands for the default. */
function replaced(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const compare = (register: string): void => {
    // The merge state of a note and the seal of a comment are no values that anybody set.
    if (register !== 'notesDoc' && register !== 'seal' && before[register] !== after[register])
      values[register] = before[register] ?? null;
  };
  for (const register in before) compare(register);
  for (const register in after) if (!(register in before)) compare(register);
  return values;
}
