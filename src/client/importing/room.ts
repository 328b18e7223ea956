// Whether an account has room for what an import would bring. Said before anything is written. Pure.
import { mostImportedTasks } from '#core/formats/import/fit.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { counted, figure } from './report.ts';

/** Tasks that are here and not in the trash. */
export function countTasks(rows: Iterable<Row>): number {
  let count = 0;
  for (const row of rows) if (row.type === 'task' && !isTrashed(row)) count += 1;
  return count;
}

/** Why so many more tasks have no room; null: they have. */
export function roomProblem(here: number, more: number): string | null {
  if (more === 0 || here + more <= mostImportedTasks) return null;
  const room = Math.max(0, mostImportedTasks - here);
  const left = room === 0 ? 'There’s no room for more' : `There’s room for ${figure(room)} more`;
  return `${counted(here, 'task')} are here, and an account holds ${figure(mostImportedTasks)}. ${left}: leave out lists or completed tasks, or delete what you don’t need.`;
}
