// What moves of large trees between scopes read and write on SQLite, for the transaction and for the store.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { cellsToTransfer, transferCells, transferColumns } from '../record-columns.ts';
import { cellsToRow, rowColumns } from '../row-columns.ts';
import type { LeftBehind, TakenPlace, TransferRecord } from '../store.ts';
import type { Connection } from './sqlite-connection.ts';

const COLUMNS = rowColumns.join(', ');
const WHERE = `SELECT ${COLUMNS} FROM entity WHERE scope = ?`;
const RECORDS = `${WHERE} AND about = ? AND type = 'completion' LIMIT ?`;
const CHILDREN = `${WHERE} AND parent = ? ORDER BY key LIMIT ?`;
const HEIGHT =
  'WITH RECURSIVE beneath (id, level) AS (SELECT ?2, 1 UNION ' +
  'SELECT e.id, b.level + 1 FROM beneath b CROSS JOIN entity e ON e.scope = ?1 AND e.parent = b.id) ' +
  'SELECT max(level) FROM beneath';
const SAVE =
  `INSERT INTO transfer (${transferColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ` +
  'holder = excluded.holder, held_until = excluded.held_until, held_in = excluded.held_in';
/** Personal rows are in the scope of their person, wherever their task is. */
const LEFT =
  'SELECT e.id, CASE WHEN d.scope <> ?1 THEN d.id END FROM (' +
  "SELECT id, CASE type WHEN 'mine' THEN NULL ELSE coalesce(about, parent) END AS above FROM entity " +
  'WHERE scope = ?1 AND id > ?2 ORDER BY id LIMIT ?3) e LEFT JOIN directory d ON d.id = e.above ORDER BY e.id';

export function readBeneath(db: Connection, scope: Id, ids: readonly Id[], limit: number): readonly Row[] {
  const found: Row[] = [];
  for (const statement of [RECORDS, CHILDREN])
    for (const id of ids) {
      if (found.length >= limit) return found;
      found.push(...db.all(statement, scope, id, limit - found.length).map(cellsToRow));
    }
  return found;
}

export function readHeight(db: Connection, scope: Id, id: Id): number {
  return Number(db.get(HEIGHT, scope, id)?.[0] ?? 1);
}

export function readTaken(db: Connection, scope: Id, places: readonly TakenPlace[]): readonly TakenPlace[] {
  const select = 'SELECT 1 FROM entity WHERE scope = ? AND parent = ? AND key = ?';
  return places.filter(({ parent, key }) => db.get(select, scope, parent, key) !== undefined);
}

export function readTransfers(db: Connection): readonly TransferRecord[] {
  return db
    .all(`SELECT ${transferColumns} FROM transfer ORDER BY started_at, id`)
    .map((cells) => cellsToTransfer(cells));
}

export function readTransfer(db: Connection, id: Id): TransferRecord | null {
  const cells = db.get(`SELECT ${transferColumns} FROM transfer WHERE id = ?`, id);
  return cells === undefined ? null : cellsToTransfer(cells);
}

export function saveTransfer(db: Connection, transfer: TransferRecord): void {
  db.run(SAVE, ...transferCells(transfer));
}

export function endTransfer(db: Connection, id: Id): void {
  db.run('DELETE FROM transfer WHERE id = ?', id);
}

export function readLeftBehind(db: Connection, scope: Id, after: Id | null, limit: number): LeftBehind {
  const found = db.all(LEFT, scope, after ?? '', limit);
  const parents = new Set(found.flatMap(([, above]) => (above === null ? [] : [above as Id])));
  return { parents: [...parents], last: found.length < limit ? null : (found.at(-1)?.[0] as Id) };
}
