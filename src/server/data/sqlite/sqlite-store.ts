// The Store port on SQLite: one writer, snapshots read beside it. The statements of the write path are in
// sqlite-transaction.ts.
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { cellsToHistory } from '../history-columns.ts';
import { emptyPage, pageOf, pageOfVersion } from '../page.ts';
import { cellsToScope, tombstoneColumns } from '../record-columns.ts';
import { cellsToRow, placeOf, rowColumns } from '../row-columns.ts';
import type { Connection, SqliteConnection } from './sqlite-connection.ts';
import { SQL, SqliteTransaction } from './sqlite-transaction.ts';
import { readLeftBehind, readTransfers } from './sqlite-transfers.ts';
import {
  type ChangesAsked,
  type HeadedPage,
  type GenerationRecord,
  type HistoryEntry,
  type HistoryRange,
  type LeftBehind,
  type NewScope,
  type ScopeRecord,
  type ShelvedRow,
  type Store,
  type TransferRecord,
  type WriteTransaction,
} from '../store.ts';
import type { Row } from '#sync/rows/row.ts';

const COLUMNS = rowColumns.join(', ');
const HISTORY_COLUMNS =
  'h.scope, h.version, h.seq, h.entity, h.account, h.device, h.at, h.operation, h.replaced';

const ABOVE =
  'WITH RECURSIVE walk (above) AS (' +
  'SELECT parent FROM entity WHERE scope = ?1 AND version > ?2 AND version <= ?3 AND parent IS NOT NULL UNION ' +
  'SELECT e.parent FROM walk w CROSS JOIN entity e ON e.scope = ?1 AND e.id = w.above WHERE e.parent IS NOT NULL) ' +
  `SELECT ${COLUMNS} FROM walk w CROSS JOIN entity e ON e.scope = ?1 AND e.id = w.above WHERE e.version > ?3 ORDER BY e.version`;
const SHELF = `SELECT ${COLUMNS} FROM entity WHERE scope = ? AND shelf > ? AND shelf < ? ORDER BY shelf LIMIT ?`;
const COUNT_SHELF =
  'SELECT count(*), max(shelf) FROM (SELECT shelf FROM entity WHERE scope = ? AND shelf > ? ORDER BY shelf LIMIT ?)';

function scopesIn(db: Connection, ids: readonly Id[]): Map<Id, ScopeRecord> {
  const found = db.all(SQL.scopes, JSON.stringify(ids)).map(cellsToScope);
  return new Map(found.map((scope) => [scope.id, scope]));
}

function changesSince(db: Connection, scope: Id, from: number, maxRows: number): HeadedPage {
  const head = cellsToScope(must(db.get(SQL.scope, scope), 'changes are asked of a scope that exists'));
  const limit = maxRows + 1;
  const cells = db.all(
    `SELECT ${COLUMNS} FROM entity WHERE scope = ? AND version > ? ORDER BY version LIMIT ?`,
    scope,
    from,
    limit,
  );
  const tombstones = db.all(
    `SELECT ${tombstoneColumns} FROM tombstone WHERE scope = ? AND version > ? ORDER BY version LIMIT ?`,
    scope,
    from,
    limit,
  );
  const page = pageOf({ head, cells, tombstones, from, maxRows });
  const above = ({ to }: { readonly to: number }) => db.all(ABOVE, scope, from, to).map(cellsToRow);
  if (page.type === 'page') return page.page.more ? { ...page.page, above: above(page.page) } : page.page;
  const rows = db.all(`SELECT ${COLUMNS} FROM entity WHERE scope = ? AND version = ?`, scope, page.version);
  const gone = db.all(
    `SELECT ${tombstoneColumns} FROM tombstone WHERE scope = ? AND version = ?`,
    scope,
    page.version,
  );
  const whole = pageOfVersion(head, page.version, { cells: rows, tombstones: gone });
  return whole.more ? { ...whole, above: above(whole) } : whole;
}

/** With the list of a shared scope, who belongs to it. */
const PEOPLE =
  "UNION SELECT e.id FROM scope s JOIN entity e ON e.scope = s.id AND e.parent IS NULL AND e.type = 'member' " +
  'WHERE s.id = ?1 AND s.root = ?2';

function historyOf(db: Connection, scope: Id, of: HistoryRange): readonly HistoryEntry[] {
  const before = of.before ?? Number.MAX_SAFE_INTEGER;
  // Whole versions: the limit decides where to stop, so that a page can be continued with `before`.
  if (of.id === undefined) {
    const from = db.get(
      'SELECT version FROM history WHERE scope = ? AND version < ? ORDER BY version DESC, seq DESC LIMIT 1 OFFSET ?',
      scope,
      before,
      of.limit - 1,
    );
    return db
      .all(
        `SELECT ${HISTORY_COLUMNS} FROM history h WHERE scope = ? AND version < ? AND version >= ? ORDER BY version DESC, seq DESC`,
        scope,
        before,
        Number(from?.[0] ?? 0),
      )
      .map(cellsToHistory);
  }
  const beneath =
    of.isTree === true
      ? `${PEOPLE} UNION SELECT e.id FROM e_of JOIN entity e ON e.scope = ?1 AND e.parent = e_of.id`
      : '';
  const touches =
    `WITH RECURSIVE e_of (id) AS (SELECT ?2 ${beneath}) ` +
    'SELECT version, seq FROM history WHERE scope = ?1 AND entity IN e_of AND version < ?3 ' +
    'UNION SELECT version, seq FROM history_entity WHERE scope = ?1 AND entity IN e_of AND version < ?3';
  const from = db.get(
    `SELECT version FROM (${touches}) ORDER BY version DESC, seq DESC LIMIT 1 OFFSET ?4`,
    scope,
    of.id,
    before,
    of.limit - 1,
  );
  return db
    .all(
      `SELECT ${HISTORY_COLUMNS} FROM (${touches}) t JOIN history h ON h.scope = ?1 AND h.version = t.version AND h.seq = t.seq ` +
        'WHERE t.version >= ?4 ORDER BY h.version DESC, h.seq DESC',
      scope,
      of.id,
      before,
      Number(from?.[0] ?? 0),
    )
    .map(cellsToHistory);
}

/** The Store on an SQLite file of this process. */
export class SqliteStore implements Store {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    return this.#connection.write(async (writer) => {
      const transaction = new SqliteTransaction(writer);
      const result = await work(transaction);
      transaction.finish();
      return result;
    });
  }

  createScope(scope: NewScope): Promise<void> {
    return this.#connection.write((writer) => {
      writer.run(
        'INSERT INTO scope (id, kind, owner, version, horizon, digest, generation, updated_clock, min_schema, root) ' +
          'VALUES (?, ?, ?, 0, 0, ?, (SELECT coalesce(max(idx), 0) FROM generation), 0, ?, ?)',
        scope.id,
        scope.kind,
        scope.owner,
        '0'.repeat(16),
        scope.minSchema ?? 1,
        scope.root ?? null,
      );
      writer.run(
        'INSERT INTO member (scope, account, role, joined_at) VALUES (?, ?, ?, ?)',
        scope.id,
        scope.owner,
        'owner',
        scope.at ?? 0,
      );
    });
  }

  scope(id: Id): Promise<ScopeRecord | null> {
    return this.#connection.readOne((reader) => {
      const cells = reader.get(SQL.scope, id);
      return cells ? cellsToScope(cells) : null;
    });
  }

  scopesOf(account: number): Promise<readonly { readonly scope: Id; readonly role: 'owner' | 'member' }[]> {
    return this.#connection.readOne((reader) =>
      reader
        .all('SELECT scope, role FROM member WHERE account = ? ORDER BY scope', account)
        .map(([scope, role]) => ({ scope: scope as Id, role: role as 'owner' | 'member' })),
    );
  }

  membersOf(scope: Id): Promise<readonly number[]> {
    return this.#connection.read((reader) =>
      reader
        .all('SELECT account FROM member WHERE scope = ? ORDER BY account', scope)
        .map(([account]) => account as number),
    );
  }

  leftBy(account: number, scopes: readonly Id[]): Promise<ReadonlySet<Id>> {
    const select = 'SELECT 1 FROM former_member WHERE account = ? AND scope = ?';
    return this.#connection.read(
      (reader) => new Set(scopes.filter((scope) => reader.get(select, account, scope) !== undefined)),
    );
  }

  changes(scope: Id, from: number, maxRows: number): Promise<HeadedPage> {
    return this.#connection.read((reader) => changesSince(reader, scope, from, maxRows));
  }

  scopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>> {
    return this.#connection.read((reader) => scopesIn(reader, ids));
  }

  changesOf(asked: readonly ChangesAsked[]): Promise<ReadonlyMap<Id, HeadedPage>> {
    return this.#connection.read((reader) => {
      const heads = scopesIn(
        reader,
        asked.map(({ scope }) => scope),
      );
      return new Map(
        asked.flatMap(({ scope, from, maxRows }) => {
          const head = heads.get(scope);
          if (head === undefined) return [];
          const isNewer = head.version > from;
          return [[scope, isNewer ? changesSince(reader, scope, from, maxRows) : emptyPage(head, from)]];
        }),
      );
    });
  }

  snapshot(scope: Id, after: Id | null, limit: number): Promise<readonly Row[]> {
    return this.#connection.read((reader) =>
      reader
        .all(
          `SELECT ${COLUMNS} FROM entity WHERE scope = ? AND id > ? ORDER BY id LIMIT ?`,
          scope,
          after ?? '',
          limit,
        )
        .map(cellsToRow),
    );
  }

  shelf(
    scope: Id,
    { after, to, limit }: { readonly after: string; readonly to: string; readonly limit: number },
  ): Promise<readonly ShelvedRow[]> {
    return this.#connection.read((reader) =>
      reader
        .all(SHELF, scope, after, to, limit)
        .map((cells) => ({ row: cellsToRow(cells), place: placeOf(cells) })),
    );
  }

  countShelf(
    scope: Id,
    after: string,
    limit: number,
  ): Promise<{ readonly count: number; readonly last: string | null }> {
    return this.#connection.read((reader) => {
      const [count, last] = reader.get(COUNT_SHELF, scope, after, limit) ?? [];
      return { count: Number(count), last: Number(count) < limit ? null : (last as string) };
    });
  }

  transfers(): Promise<readonly TransferRecord[]> {
    return this.#connection.read(readTransfers);
  }

  leftBehind(scope: Id, after: Id | null, limit: number): Promise<LeftBehind> {
    return this.#connection.read((reader) => readLeftBehind(reader, scope, after, limit));
  }

  openGeneration(nonce: string, at: number): Promise<readonly GenerationRecord[]> {
    return this.#connection.write((writer) => {
      writer.run(
        'INSERT INTO generation (idx, nonce, opened_at) VALUES ((SELECT coalesce(max(idx), 0) + 1 FROM generation), ?, ?)',
        nonce,
        at,
      );
      return writer
        .all('SELECT idx, nonce FROM generation ORDER BY idx')
        .map(([index, name]) => ({ index: index as number, nonce: name as string }));
    });
  }

  versionAtEndOf(scope: Id, index: number): Promise<number | null> {
    return this.#connection.read((reader) => {
      const head = reader.get(SQL.scope, scope);
      if (!head || index >= cellsToScope(head).generation) return null;
      const cells = reader.get(
        'SELECT max_version FROM scope_generation WHERE scope = ? AND generation <= ? ORDER BY generation DESC LIMIT 1',
        scope,
        index,
      );
      return Number(cells?.[0] ?? 0);
    });
  }

  history(scope: Id, of: HistoryRange): Promise<readonly HistoryEntry[]> {
    return this.#connection.read((reader) => historyOf(reader, scope, of));
  }

  async probe(): Promise<void> {
    await this.#connection.write((writer) => {
      writer.run('UPDATE probe SET count = count + 1 WHERE id = 1');
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
