// Rows between memory and the wire.
import type { Id } from '#core/ids.ts';
import type { WirePartPage, WireRow } from '#wire/sync.ts';
import type { PartPage } from './ports.ts';
import type { Row } from './row.ts';

export function rowToWire(row: Row): WireRow {
  const stamps = row.stamps === undefined ? {} : { fm: row.stamps as WireRow['fm'] & object };
  return {
    id: row.id,
    type: row.type,
    v: row.version,
    f: row.fields,
    m: row.stamp as WireRow['m'],
    ...stamps,
    c: row.createdAt,
    u: row.updatedAt,
  };
}

export function rowFromWire(wire: WireRow, scope: Id): Row {
  return {
    id: wire.id,
    type: wire.type,
    scope,
    version: wire.v,
    fields: wire.f,
    stamp: wire.m,
    ...(wire.fm === undefined ? {} : { stamps: wire.fm }),
    createdAt: wire.c,
    updatedAt: wire.u,
  };
}

export function partFromWire({ scope, rows, next, total, generation }: WirePartPage): PartPage {
  return {
    rows: rows.map((row) => rowFromWire(row, scope as Id)),
    next,
    ...(total === undefined ? {} : { total }),
    ...(generation === undefined ? {} : { generation }),
  };
}
