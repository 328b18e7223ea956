// What moves of large trees between scopes read and write on PostgreSQL, for the transaction and for the store.
import type { Id } from '#core/ids.ts';
import { cellsToTransfer, transferCells, transferColumns } from '../record-columns.ts';
import { cellsToRow, rowColumns } from '../row-columns.ts';
import type { Row } from '#sync/rows/row.ts';
import type { LeftBehind, TakenPlace, TransferRecord } from '../store.ts';
import type { Session, Statement } from './postgres-connection.ts';

/** A transaction, or a connection without one. */
type Reading = Pick<Session, 'all'>;

const COLUMNS = rowColumns.join(', ');

const SQL = {
  records: {
    name: 'records-of',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND about = ANY($2::text[]) AND type = 'completion' LIMIT $3`,
  },
  children: {
    name: 'children-of',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND parent = ANY($2::text[]) ORDER BY parent, key LIMIT $3`,
  },
  parents: {
    name: 'parents-among',
    text:
      'SELECT v.id FROM unnest($2::text[]) v (id) WHERE ' +
      'EXISTS (SELECT 1 FROM entity e WHERE e.scope = $1 AND e.parent = v.id) OR ' +
      "EXISTS (SELECT 1 FROM entity e WHERE e.scope = $1 AND e.about = v.id AND e.type = 'completion')",
  },
  living: {
    name: 'living',
    text:
      'SELECT d.id, d.scope FROM directory d JOIN entity e ON e.scope = d.scope AND e.id = d.id ' +
      'WHERE d.id = ANY($1::text[])',
  },
  height: {
    name: 'height',
    text:
      'WITH RECURSIVE beneath (id, level) AS (SELECT $2::text COLLATE "C", 1 UNION ' +
      'SELECT e.id, b.level + 1 FROM beneath b JOIN entity e ON e.scope = $1 AND e.parent = b.id) ' +
      'SELECT max(level)::bigint FROM beneath',
  },
  taken: {
    name: 'taken',
    text:
      'SELECT v.parent, v.key FROM unnest($2::text[], $3::text[]) v (parent, key) WHERE EXISTS (SELECT 1 FROM entity e ' +
      'WHERE e.scope = $1 AND e.parent = v.parent AND e.key = v.key)',
  },
  transfers: {
    name: 'transfers',
    text: `SELECT ${transferColumns} FROM transfer ORDER BY started_at, id`,
  },
  transfer: {
    name: 'transfer',
    text: `SELECT ${transferColumns} FROM transfer WHERE id = $1 FOR UPDATE`,
  },
  save: {
    name: 'save-transfer',
    text:
      `INSERT INTO transfer (${transferColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ` +
      'ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until, held_in = excluded.held_in',
  },
  end: { name: 'end-transfer', text: 'DELETE FROM transfer WHERE id = $1' },
  // Personal rows are in the scope of their person, wherever their task is.
  left: {
    name: 'left-behind',
    text:
      'SELECT e.id, CASE WHEN d.scope <> $1 THEN d.id END FROM (' +
      "SELECT id, CASE type WHEN 'mine' THEN NULL ELSE coalesce(about, parent) END AS above FROM entity " +
      'WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3) e LEFT JOIN directory d ON d.id = e.above ORDER BY e.id',
  },
} as const satisfies Record<string, Statement>;

export async function readBeneath(
  session: Session,
  scope: Id,
  ids: readonly Id[],
  limit: number,
): Promise<readonly Row[]> {
  const records = await session.all(SQL.records, scope, ids, limit);
  const left = limit - records.length;
  const children = left > 0 ? await session.all(SQL.children, scope, ids, left) : [];
  return [...records, ...children].map(cellsToRow);
}

export async function readParents(session: Session, scope: Id, ids: readonly Id[]): Promise<readonly Id[]> {
  const found = ids.length > 0 ? await session.all(SQL.parents, scope, ids) : [];
  return found.map(([id]) => id as Id);
}

export async function readLiving(session: Session, ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
  const found = ids.length > 0 ? await session.all(SQL.living, ids) : [];
  return new Map(found.map(([id, scope]) => [id as Id, scope as Id]));
}

export async function readHeight(session: Session, scope: Id, id: Id): Promise<number> {
  return Number((await session.get(SQL.height, scope, id))?.[0] ?? 1);
}

export async function readTaken(
  session: Session,
  scope: Id,
  places: readonly TakenPlace[],
): Promise<readonly TakenPlace[]> {
  if (places.length === 0) return [];
  const [parents, keys] = [places.map(({ parent }) => parent), places.map(({ key }) => key)];
  const found = await session.all(SQL.taken, scope, parents, keys);
  return found.map(([parent, key]) => ({ parent: parent as Id, key: key as string }));
}

export async function readTransfers(session: Reading): Promise<readonly TransferRecord[]> {
  return (await session.all(SQL.transfers)).map(cellsToTransfer);
}

/** Locks it. */
export async function readTransfer(session: Session, id: Id): Promise<TransferRecord | null> {
  const cells = await session.get(SQL.transfer, id);
  return cells ? cellsToTransfer(cells) : null;
}

export async function saveTransfer(session: Session, transfer: TransferRecord): Promise<void> {
  await session.run(SQL.save, ...transferCells(transfer));
}

export async function endTransfer(session: Session, id: Id): Promise<void> {
  await session.run(SQL.end, id);
}

export async function readLeftBehind(
  session: Reading,
  scope: Id,
  after: Id | null,
  limit: number,
): Promise<LeftBehind> {
  const found = await session.all(SQL.left, scope, after ?? '', limit);
  const parents = new Set(found.flatMap(([, above]) => (above === null ? [] : [above as Id])));
  return { parents: [...parents], last: found.length < limit ? null : (found.at(-1)?.[0] as Id) };
}
