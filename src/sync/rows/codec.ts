// Converts rows between memory and the wire.
import type { Id } from '#core/ids.ts';
import type { WirePartPage, WireRow } from '#wire/sync.ts';
import type { PartPage } from '../replica/ports.ts';
import { asRow, type StoredRow } from './row.ts';

/** The row in its sent form, without copying its fields and stamps. */
export function rowToWire(row: StoredRow): WireRow {
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
    ...(row.hops === undefined ? {} : { h: row.hops }),
  };
}

/** The row in its form in memory. Trusts the registers: the server has checked them. */
export function rowFromWire(wire: WireRow, scope: Id): StoredRow {
  return asRow({
    id: wire.id,
    type: wire.type,
    scope,
    version: wire.v,
    fields: wire.f,
    stamp: wire.m,
    ...(wire.fm === undefined ? {} : { stamps: wire.fm }),
    createdAt: wire.c,
    updatedAt: wire.u,
    ...(wire.h === undefined ? {} : { hops: wire.h }),
  });
}

/** A page of a snapshot in its form in memory. */
export function partFromWire({ scope, rows, next, total, generation }: WirePartPage): PartPage {
  return {
    rows: rows.map((row) => rowFromWire(row, scope as Id)),
    next,
    ...(total === undefined ? {} : { total }),
    ...(generation === undefined ? {} : { generation }),
  };
}
