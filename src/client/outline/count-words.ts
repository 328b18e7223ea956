// What a place holds, as it is counted: under its name for the eye, beside it for screen readers.
import { counted } from '#core/counted.ts';
import type { HeaderView } from '../app/view.ts';

/** Where it is not open tasks. */
const THINGS: Readonly<Partial<Record<HeaderView['kind'], string>>> = {
  task: 'open subtask',
  folder: 'list',
  smart: 'task',
  search: 'task',
  trash: 'item',
};

/** "3 open tasks", "2 lists"; "…" while they are being counted; empty for none. */
export function countOf({ kind, count }: Pick<HeaderView, 'kind' | 'count'>): string {
  if (count === null) return '…';
  return count === 0 ? '' : counted(count, THINGS[kind] ?? 'open task');
}
