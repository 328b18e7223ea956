// The position of a row in the one order in which a scope is read from the start: first the context (lists, labels,
// settings), then open tasks, then done ones, the latest quarter first. The same for both engines.
// The place depends only on the row, so it changes only when the row gets a new version. That is why a device can read page
// by page without a transaction around it: it first notes the scope's version V0, and afterwards asks for everything newer.
// A row whose version is V0 or less has not moved since V0, so the pages contain it exactly once, no matter what is written
// meanwhile; every other row is newer than V0, or has a tombstone newer than V0, and comes with the question for everything
// newer. No clock is involved: the border between hot and cold is only a name for a place in the order, and reading
// continues from the last place wherever the border is by then.
import type { Fields, Row } from '#sync/rows/row.ts';
import type { SnapshotPart } from '#wire/sync.ts';

/** About a quarter of a year: done tasks are grouped by quarters, and by id inside one. */
export const SHELF_MS = 90 * 24 * 60 * 60 * 1_000;
const LAST_SHELF = 9_999;
const FRAME = 'a';
const OPEN = 'h';
const DONE = 'k';
const END = 'z';

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * One value inside a register; undefined: none. Registers may contain values that this version does not know (from a newer
 * client, or sealed text), so their form is checked, never assumed.
 */
export function part(fields: Fields, register: string, name: string): unknown {
  const value = fields[register];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The latest comes first. */
function doneShelf(at: number): string {
  const quarter = Math.min(LAST_SHELF, Math.max(0, Math.floor(at / SHELF_MS)));
  return DONE + String(LAST_SHELF - quarter).padStart(4, '0');
}

/** The place of a row, unique in its scope. */
export function shelfOf(row: Row): string {
  switch (row.type) {
    case 'task': {
      const done = part(row.fields, 'status', 'done');
      if (typeof done !== 'number') return OPEN + row.id;
      return doneShelf(number(part(row.fields, 'status', 'cleared')) || done) + row.id;
    }
    case 'completion':
      return doneShelf(number(row.fields['at'])) + row.id;
    case 'mine':
      return OPEN + String(row.fields['of']) + row.id;
    case 'attachment':
    case 'comment':
      return OPEN + String(part(row.fields, 'place', 'parent')) + row.id;
    default:
      return FRAME + row.id;
  }
}

/** The bounds of a part. Tasks done in the last 90 days are hot, and up to 90 days more. */
export function boundsOf(name: SnapshotPart, now: number): { readonly from: string; readonly to: string } {
  const cold = doneShelf(now - 2 * SHELF_MS);
  if (name === 'frame') return { from: FRAME, to: OPEN };
  return name === 'hot' ? { from: OPEN, to: cold } : { from: cold, to: END };
}
