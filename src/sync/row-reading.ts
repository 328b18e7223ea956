// What rows say in one word: where something hangs, whether it is done, cleared, archived or in the trash, what it is called.
import type { Place, Status } from '#core/model.ts';
import type { Row } from './row.ts';

/** As much of a row as says it. */
type Said = Pick<Row, 'type' | 'fields'>;

export function placeOf(row: Said | undefined): Place | undefined {
  return row?.fields.place as Place | undefined;
}

/** The record of a completed occurrence is done since then. */
export function statusOf(row: Said | undefined): Status {
  if (row?.type === 'completion') return { done: row.fields.at as number };
  return (row?.fields.status as Status | undefined) ?? null;
}

export function isDone(row: Said | undefined): boolean {
  return statusOf(row) !== null;
}

export function isTrashed(row: Said | undefined): boolean {
  return (row?.fields.del ?? null) !== null;
}

export function isCleared(row: Said | undefined): boolean {
  return statusOf(row)?.cleared !== undefined;
}

/** Whether an outline shows this row, as far as the row itself decides. */
export function isShown(row: Row | undefined): row is Row {
  return row?.type === 'task' && !isTrashed(row) && !isCleared(row);
}

export function isArchived(row: Said): boolean {
  return ((row.fields.archivedAt as number | null | undefined) ?? null) !== null;
}

/** The title of a task, or of one of its completed occurrences; the name of a list. */
export function nameOf(row: Said | undefined): string {
  if (!row) return '';
  if (row.type === 'task' || row.type === 'completion') return (row.fields.title as string | undefined) ?? '';
  const name = (row.fields.name as string | undefined) ?? '';
  return name === '' && row.fields.listType === 'inbox' ? 'Inbox' : name;
}
