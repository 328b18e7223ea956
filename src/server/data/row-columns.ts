// How a row is stored in a table: registers and stamps as JSON, and beside them the columns for queries and indexes. Both
// engines use the same form, so a copy moves between them unchanged.
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { type LooseRow, asRow, type Fields, type Row, type Stamp } from '#sync/rows/row.ts';
import { mayBeSealed, withoutSealed } from '#api/sealed-reads.ts';
import { part, shelfOf } from './shelf.ts';
import type { ReadRow } from '#api/task-reads.ts';

/** In the order of `rowToCells` and `cellsToRow`. */
export const rowColumns = [
  'scope',
  'id',
  'type',
  'version',
  'parent',
  'key',
  'status',
  'deleted',
  'created_at',
  'updated_at',
  'fields',
  'stamp',
  'stamps',
  'about',
  'shelf',
  'hops',
] as const;

export type RowCells = [
  scope: string,
  id: string,
  type: string,
  version: number,
  parent: string | null,
  key: string | null,
  status: string | null,
  deleted: number | null,
  createdAt: number,
  updatedAt: number,
  fields: string,
  stamp: string,
  stamps: string | null,
  about: string | null,
  shelf: string,
  hops: number,
];

function statusOf(fields: Fields): 'done' | 'cleared' | null {
  if (typeof part(fields, 'status', 'cleared') === 'number') return 'cleared';
  return typeof part(fields, 'status', 'done') === 'number' ? 'done' : null;
}

/** The task or list that a row describes; the row is deleted with it. */
function aboutOf(row: Row): string | null {
  const about =
    row.type === 'completion' ? row.fields['task'] : row.type === 'mine' ? row.fields['of'] : null;
  return typeof about === 'string' ? about : null;
}

/** The columns of a row; those besides the JSON are derived from it. */
export function rowToCells(row: Row): RowCells {
  const parent = part(row.fields, 'place', 'parent');
  const key = part(row.fields, 'place', 'key');
  const hangs = typeof parent === 'string' && typeof key === 'string';
  const deleted = part(row.fields, 'del', 'at');
  return [
    row.scope,
    row.id,
    row.type,
    row.version,
    hangs ? parent : null,
    hangs ? key : null,
    statusOf(row.fields),
    typeof deleted === 'number' ? deleted : null,
    row.createdAt,
    row.updatedAt,
    JSON.stringify(row.fields),
    JSON.stringify(row.stamp),
    row.stamps ? JSON.stringify(row.stamps) : null,
    aboutOf(row),
    shelfOf(row),
    row.hops ?? 0,
  ];
}

/** Reads a whole row, stamps included; the inverse of `rowToCells`. Derived columns are ignored. */
export function cellsToRow(cells: readonly unknown[]): Row {
  const [scope, id, type, version, , , , , createdAt, updatedAt, fields, stamp, stamps, , , hops] =
    cells as RowCells;
  const row: LooseRow = {
    id: id as Id,
    type: type as EntityType,
    scope: scope as Id,
    version,
    fields: JSON.parse(fields) as Fields,
    stamp: JSON.parse(stamp) as Stamp,
    createdAt,
    updatedAt,
    ...(hops > 0 ? { hops } : {}),
  };
  return asRow(stamps === null ? row : { ...row, stamps: JSON.parse(stamps) as Record<string, Stamp> });
}

/** Columns for reading only, in the order of `cellsToReadRow`: the stamps would cost as much as all the rest. */
export const readColumns = ['scope', 'id', 'type', 'version', 'created_at', 'updated_at', 'fields'] as const;

/** Reads a row from `readColumns`, without what merging needs. */
export function cellsToReadRow(cells: readonly unknown[]): ReadRow {
  const [scope, id, type, version, createdAt, updatedAt, fields] = cells;
  const row = {
    id: id as Id,
    type: type as EntityType,
    scope: scope as Id,
    version: version as number,
    fields: JSON.parse(fields as string) as Fields,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  } as ReadRow;
  return mayBeSealed(fields as string) ? withoutSealed(row) : row;
}

/** As `cellsToRow`, for rows that are shown: without what is sealed in them (sealed-reads.ts). */
export function cellsToShownRow(cells: readonly unknown[]): Row {
  const row = cellsToRow(cells);
  return mayBeSealed((cells as RowCells)[10]) ? withoutSealed(row) : row;
}

/** The place on the shelf, from the columns of `rowToCells`. */
export function placeOf(cells: readonly unknown[]): string {
  return (cells as RowCells)[14];
}
