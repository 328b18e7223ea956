// What moves of large trees between scopes read and write on SQLite, for the transaction and for the store.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { cellsToTransfer, departureCells, transferCells, transferColumns } from '../record-columns.ts';
import { cellsToRow, rowColumns } from '../row-columns.ts';
import type { Departure, LeftBehind, TakenPlace, TransferRecord } from '../store.ts';
import type { Connection } from './sqlite-connection.ts';

/** The ids come in one statement, and in their order: a loop over them within SQLite costs a tenth of one statement for each. */
const OF_IDS = `SELECT ${rowColumns.map((column) => `e.${column}`).join(', ')} FROM json_each(?2) j CROSS JOIN entity e ON e.scope = ?1`;
const IS_RECORD = "e.about = j.value AND e.type = 'completion'";
const RECORDS = `${OF_IDS} AND ${IS_RECORD} LIMIT ?3`;
const CHILDREN = `${OF_IDS} AND e.parent = j.value LIMIT ?3`;
const PARENTS =
  'SELECT j.value FROM json_each(?2) j WHERE ' +
  'EXISTS (SELECT 1 FROM entity e WHERE e.scope = ?1 AND e.parent = j.value) OR ' +
  `EXISTS (SELECT 1 FROM entity e WHERE e.scope = ?1 AND ${IS_RECORD})`;
const LIVING =
  'SELECT d.id, d.scope FROM json_each(?1) j CROSS JOIN directory d ON d.id = j.value ' +
  'CROSS JOIN entity e ON e.scope = d.scope AND e.id = d.id';
/** Only what has something beneath it goes through the recursion: of most trees that is a small part. */
const HEIGHT =
  'WITH RECURSIVE beneath (id, level) AS (SELECT ?2, 1 UNION ' +
  'SELECT e.id, b.level + 1 FROM beneath b CROSS JOIN entity e ON e.scope = ?1 AND e.parent = b.id ' +
  'WHERE EXISTS (SELECT 1 FROM entity c WHERE c.scope = ?1 AND c.parent = e.id)) ' +
  'SELECT max(level) + EXISTS (SELECT 1 FROM entity c WHERE c.scope = ?1 AND c.parent = ?2) FROM beneath';
const TAKEN =
  'SELECT j.key FROM json_each(?2) j WHERE EXISTS ' +
  '(SELECT 1 FROM entity e WHERE e.scope = ?1 AND e.parent = j.value ->> 0 AND e.key = j.value ->> 1)';
const SAVE =
  `INSERT INTO transfer (${transferColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ` +
  'holder = excluded.holder, held_until = excluded.held_until, held_in = excluded.held_in';
/** Personal rows are in the scope of their person, wherever their task is. */
const LEFT =
  'SELECT e.id, CASE WHEN d.scope <> ?1 THEN d.id END FROM (' +
  "SELECT id, CASE type WHEN 'mine' THEN NULL ELSE coalesce(about, parent) END AS above FROM entity " +
  'WHERE scope = ?1 AND id > ?2 ORDER BY id LIMIT ?3) e LEFT JOIN directory d ON d.id = e.above ORDER BY e.id';

export function readBeneath(db: Connection, scope: Id, ids: readonly Id[], limit: number): readonly Row[] {
  const asked = JSON.stringify(ids);
  const records = db.all(RECORDS, scope, asked, limit);
  const left = limit - records.length;
  const children = left > 0 ? db.all(CHILDREN, scope, asked, left) : [];
  return [...records, ...children].map(cellsToRow);
}

export function readParents(db: Connection, scope: Id, ids: readonly Id[]): readonly Id[] {
  return db.all(PARENTS, scope, JSON.stringify(ids)).map(([id]) => id as Id);
}

export function readLiving(db: Connection, ids: readonly Id[]): ReadonlyMap<Id, Id> {
  const found = db.all(LIVING, JSON.stringify(ids));
  return new Map(found.map(([id, scope]) => [id as Id, scope as Id]));
}

export function readHeight(db: Connection, scope: Id, id: Id): number {
  return Number(db.get(HEIGHT, scope, id)?.[0] ?? 1);
}

export function readTaken(db: Connection, scope: Id, places: readonly TakenPlace[]): readonly TakenPlace[] {
  const asked = JSON.stringify(places.map(({ parent, key }) => [parent, key]));
  return db.all(TAKEN, scope, asked).flatMap(([at]) => places[Number(at)] ?? []);
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

/** Of rows that all move from one scope to the same other one: what belongs to them goes along, the rows are the caller's. */
export function saveDepartures(db: Connection, departures: readonly Departure[]): void {
  const [first] = departures;
  if (first === undefined) return;
  const { scope, to, at } = first;
  const ids = JSON.stringify(departures.map(({ id }) => id));
  const those = 'IN (SELECT value FROM json_each(?))';
  db.run(`DELETE FROM entity WHERE scope = ? AND id ${those}`, scope, ids);
  for (const departure of departures)
    db.run(
      'INSERT OR REPLACE INTO tombstone (id, version, scope, at, moved_to, moved_hops, was_version, moved_version) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...departureCells(departure),
    );
  // One that was made in this batch is new to the directory.
  db.run(
    'INSERT INTO directory (id, scope) SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET scope = excluded.scope',
    to,
    ids,
  );
  db.run(`UPDATE OR REPLACE note_epoch SET scope = ? WHERE scope = ? AND note ${those}`, to, scope, ids);
  db.run(
    `UPDATE mail_address SET scope = ?, sealed_in = coalesce(sealed_in, scope) WHERE scope = ? AND list ${those}`,
    to,
    scope,
    ids,
  );
  db.run(`UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE task ${those}`, ids);
  for (const { hash } of departures)
    if (hash !== undefined)
      db.run(
        'INSERT INTO blob (scope, hash, bytes, created_at) SELECT ?, hash, bytes, ? FROM blob ' +
          'WHERE scope = ? AND hash = ? ON CONFLICT DO UPDATE SET created_at = excluded.created_at',
        to,
        at,
        scope,
        hash,
      );
}
