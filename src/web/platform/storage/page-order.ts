// The order in which rows lie in compacted pages, and in which a start wants the pages. Making the pages is compaction.ts.
import type { EntityType } from '#core/model.ts';
import type { StoredRow } from '#sync/rows/row.ts';
import type { PageEntry } from './device-database.ts';
import { decodePage, type RowPage } from './row-page.ts';

const FRAME_TYPES: ReadonlySet<StoredRow['type']> = new Set<EntityType>([
  'list',
  'label',
  'labelGroup',
  'setting',
  'mount',
  'member',
]);

/** Lists, where they stand, labels and settings come first: the first screen needs all of them. */
export function isFrame(row: StoredRow): boolean {
  return FRAME_TYPES.has(row.type);
}

export const FRAME = '0';
export const OTHER = '1';

/** Rows are paged in this order; ids made by devices sort by age, so what changes together lies together. */
export function pageOrder(row: StoredRow): string {
  return (isFrame(row) ? FRAME : OTHER) + row.id;
}

/** Where a page begins: the order of its first row. */
export function firstOrder(page: RowPage): string {
  const first = decodePage(page)[0];
  return first ? pageOrder(first) : '';
}

/** Pages in the order in which a start wants them: lists and labels, then the newest rows. */
export function loadOrder(pages: readonly PageEntry[]): readonly PageEntry[] {
  // The page that holds the last lists may begin before the first task.
  const firstOther = pages.findIndex(({ from }) => from.startsWith(OTHER));
  const split = firstOther === -1 ? pages.length : firstOther;
  return [...pages.slice(0, split), ...pages.slice(split).toReversed()];
}
