// What is kept about the sealing of a scope, on SQLite.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { cellsToRow } from '../row-columns.ts';
import { cellsToSealing, mustHave, sealingCells, sealingSql, stateCells } from '../sealing-columns.ts';
import type { SealingRecord } from '../store.ts';
import type { Connection } from './sqlite-connection.ts';

export const readSealing = (db: Connection, scope: Id): SealingRecord =>
  cellsToSealing(mustHave(db.get(sealingSql.read, scope)));

export function saveSealing(db: Connection, scope: Id, record: SealingRecord): void {
  db.run(sealingSql.state, ...stateCells(scope, record));
  db.run(sealingSql.save, ...sealingCells(scope, record));
}

export const readSince = (db: Connection, scope: Id, version: number, limit: number): readonly Row[] =>
  db.all(sealingSql.since, scope, version, limit).map(cellsToRow);

export const readMerging = (db: Connection, scope: Id): readonly Row[] =>
  db.all(sealingSql.merging, scope).map(cellsToRow);

export function forgetBefore(db: Connection, scope: Id): void {
  for (const statement of sealingSql.forget) db.run(statement, scope);
}
