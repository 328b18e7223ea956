// Short questions to rows: place, completion, cleared, archived, trashed, name.
import type { Place, Status } from '#core/model.ts';
import type { When } from '#core/when.ts';
import { fieldOf, type OpaqueRow, type Row, type Said, type TaskRow } from './row.ts';

export type { Said };

/** The place of a row; undefined for types without one. */
export function placeOf(row: Said | OpaqueRow | undefined): Place | undefined {
  return fieldOf(row, 'place');
}

/** The status of a row. A record of a completed occurrence has been done since its completion. */
export function statusOf(row: Said | undefined): Status {
  if (row?.type === 'completion') return { done: row.fields.at };
  return fieldOf(row, 'status') ?? null;
}

/** Whether it is complete, cleared or not. */
export function isDone(row: Said | undefined): boolean {
  return statusOf(row) !== null;
}

/** Whether it was trashed itself; something above it may be in the trash all the same. */
export function isTrashed(row: Said | undefined): boolean {
  return (fieldOf(row, 'del') ?? null) !== null;
}

/** Whether it is complete and cleared. */
export function isCleared(row: Said | undefined): boolean {
  return statusOf(row)?.cleared !== undefined;
}

/** Whether an outline shows this row, as far as its own registers decide. */
export function isShown(row: Row | undefined): row is TaskRow {
  return row?.type === 'task' && !isTrashed(row) && !isCleared(row);
}

/** Whether it is a list that was archived itself. */
export function isArchived(row: Said): boolean {
  return (fieldOf(row, 'archivedAt') ?? null) !== null;
}

/** The title of a task, or of one of its completed occurrences; the name of a list. */
export function nameOf(row: Said | undefined): string {
  if (!row) return '';
  if (row.type === 'task' || row.type === 'completion') return row.fields.title ?? '';
  const name = fieldOf(row, 'name') ?? '';
  return name === '' && fieldOf(row, 'listType') === 'inbox' ? 'Inbox' : name;
}

/** The number of the current occurrence of a repeating task, from 0. */
export function occurrenceOf(row: Said): number {
  return fieldOf(row, 'occ') ?? 0;
}

/** Due and start date of a task or of a completed occurrence. */
export function datesOf(row: Said | undefined): Readonly<Record<'due' | 'start', When | null>> {
  return { due: fieldOf(row, 'due') ?? null, start: fieldOf(row, 'start') ?? null };
}
