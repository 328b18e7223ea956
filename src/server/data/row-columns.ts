// How a row lies in a table: registers and stamps as JSON, and beside them the columns that queries and indexes need.
// Both engines use the same form, so a copy moves between them unchanged.
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Fields, Row, Stamp } from '#sync/row.ts';
import { part, shelfOf } from './shelf.ts';

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
];

function statusOf(fields: Fields): 'done' | 'cleared' | null {
  if (typeof part(fields, 'status', 'cleared') === 'number') return 'cleared';
  return typeof part(fields, 'status', 'done') === 'number' ? 'done' : null;
}

/** The task or list that a row says something about; it goes when that goes. */
function aboutOf(row: Row): string | null {
  const about =
    row.type === 'completion' ? row.fields['task'] : row.type === 'mine' ? row.fields['of'] : null;
  return typeof about === 'string' ? about : null;
}

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
  ];
}

export function cellsToRow(cells: readonly unknown[]): Row {
  const [scope, id, type, version, , , , , createdAt, updatedAt, fields, stamp, stamps] = cells as RowCells;
  const row: Row = {
    id: id as Id,
    type: type as EntityType,
    scope: scope as Id,
    version,
    fields: JSON.parse(fields) as Fields,
    stamp: JSON.parse(stamp) as Stamp,
    createdAt,
    updatedAt,
  };
  return stamps === null ? row : { ...row, stamps: JSON.parse(stamps) as Record<string, Stamp> };
}

/** Columns of what is only shown, in the order of `cellsToReadRow`: reading the stamps would cost as much as all the rest. */
export const readColumns = ['scope', 'id', 'type', 'version', 'created_at', 'updated_at', 'fields'] as const;

export function cellsToReadRow(cells: readonly unknown[]): Omit<Row, 'stamp' | 'stamps'> {
  const [scope, id, type, version, createdAt, updatedAt, fields] = cells;
  return {
    id: id as Id,
    type: type as EntityType,
    scope: scope as Id,
    version: version as number,
    fields: JSON.parse(fields as string) as Fields,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  };
}

/** Place on the shelf, of the same cells. */
export function placeOf(cells: readonly unknown[]): string {
  return (cells as RowCells)[14];
}
