// Where a page of changes ends, for both engines. A version is one atomic change, so a page contains all of it or nothing.
import type { Id } from '#core/ids.ts';
import { cellsToMoved } from './record-columns.ts';
import { cellsToRow } from './row-columns.ts';
import type { ChangesPage, HeadedPage, ScopeRecord } from './store.ts';

type Cells = readonly (readonly unknown[])[];
type Page = HeadedPage;

/** Rows as in `rowColumns`, tombstones as in `tombstoneColumns`, both in version order. */
interface Found {
  readonly cells: Cells;
  readonly tombstones: Cells;
}

const versionOf = (row: readonly unknown[]): number => row[3] as number;
const versionGone = (tombstone: readonly unknown[]): number => tombstone[1] as number;

/** The rows that are gone for good, and those that moved away. */
function readTombstones(tombstones: Cells): Pick<ChangesPage, 'gone' | 'moved'> {
  const moved = tombstones.map(cellsToMoved).filter((move) => move !== null);
  const away = new Set(moved.map(({ id }) => id));
  return { gone: tombstones.map(([id]) => id as Id).filter((id) => !away.has(id)), moved };
}

/**
 * The page of these rows and tombstones, each read with a limit of `maxRows + 1`. If one version is larger than a page, its
 * number instead: read all of it and call `pageOfVersion`.
 */
export function pageOf(
  found: Found & { readonly head: ScopeRecord; readonly from: number; readonly maxRows: number },
): { readonly type: 'page'; readonly page: Page } | { readonly type: 'version'; readonly version: number } {
  const { head, cells, tombstones, from, maxRows } = found;
  if (cells.length + tombstones.length <= maxRows) {
    const to = Math.max(from, head.version);
    const rows = cells.map(cellsToRow);
    return { type: 'page', page: { head, rows, ...readTombstones(tombstones), to, more: false } };
  }
  const versions = [...cells.map(versionOf), ...tombstones.map(versionGone)].toSorted((a, b) => a - b);
  const first = versions[0] ?? 0;
  const end = versions[maxRows] ?? 0;
  if (end === first) return { type: 'version', version: first };
  const rows = cells.filter((row) => versionOf(row) < end).map(cellsToRow);
  const gone = readTombstones(tombstones.filter((tombstone) => versionGone(tombstone) < end));
  // `end` is the next version with content, so empty ones before it belong to this page.
  return { type: 'page', page: { head, rows, ...gone, to: end - 1, more: true } };
}

/** The page of a scope in which nothing is newer than `from`. */
export function emptyPage(head: ScopeRecord, from: number): Page {
  return { head, rows: [], gone: [], moved: [], to: from, more: false };
}

/** A page of one whole version. */
export function pageOfVersion(head: ScopeRecord, version: number, { cells, tombstones }: Found): Page {
  const more = version < head.version;
  return { head, rows: cells.map(cellsToRow), ...readTombstones(tombstones), to: version, more };
}
