// The Store port on PostgreSQL: transactions overlap and wait for each other at the scopes they lock. The statements of the
// write path are in postgres-transaction.ts.
import { must } from '#core/assert.ts';
import { jointly } from './joint-reads.ts';
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { HistoryGroups } from '../history-groups/groups.ts';
import { emptyPage, pageOf, pageOfVersion } from '../page.ts';
import type { PostgresConnection, Session, Statement } from './postgres-connection.ts';
import { refuseIfTooNew } from './postgres-fence.ts';
import { readHistory } from './postgres-history.ts';
import { readLeftBehind, readTransfers } from './postgres-transfers.ts';
import { PostgresTransaction } from './postgres-transaction.ts';
import { cellsToScope, scopeColumns, tombstoneColumns } from '../record-columns.ts';
import { cellsToRow, placeOf, rowColumns } from '../row-columns.ts';
import type {
  ChangesAsked,
  HeadedPage,
  GenerationRecord,
  HistoryEntry,
  HistoryRange,
  LeftBehind,
  NewScope,
  ScopeRecord,
  ShelvedRow,
  Store,
  TransferRecord,
  WriteTransaction,
} from '../store.ts';

const COLUMNS = rowColumns.join(', ');

const SQL = {
  createScope: {
    name: 'create-scope',
    text:
      'INSERT INTO scope (id, kind, owner, version, horizon, digest, generation, updated_clock, min_schema, root) ' +
      'VALUES ($1, $2, $3, 0, 0, $4, (SELECT coalesce(max(idx), 0) FROM generation), 0, $5, $6)',
  },
  addOwner: {
    name: 'add-owner',
    text: "INSERT INTO member (scope, account, role, joined_at) VALUES ($1, $2, 'owner', $3)",
  },
  scope: {
    name: 'scope',
    text: `SELECT ${scopeColumns} FROM scope WHERE id = $1`,
  },
  scopes: { name: 'scopes', text: `SELECT ${scopeColumns} FROM scope WHERE id = ANY($1)` },
  scopesOf: {
    name: 'scopes-of',
    text: 'SELECT account, scope, role FROM member WHERE account = ANY($1::bigint[]) ORDER BY scope',
  },
  membersOf: { name: 'members-of', text: 'SELECT account FROM member WHERE scope = $1 ORDER BY account' },
  leftBy: {
    name: 'left-by',
    text: 'SELECT scope FROM former_member WHERE account = $1 AND scope = ANY($2::text[])',
  },
  rowsSince: {
    name: 'rows-since',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND version > $2 ORDER BY version LIMIT $3`,
  },
  goneSince: {
    name: 'gone-since',
    text: `SELECT ${tombstoneColumns} FROM tombstone WHERE scope = $1 AND version > $2 ORDER BY version LIMIT $3`,
  },
  above: {
    name: 'rows-above',
    text:
      'WITH RECURSIVE walk (above) AS (' +
      'SELECT parent FROM entity WHERE scope = $1 AND version > $2 AND version <= $3 AND parent IS NOT NULL UNION ' +
      'SELECT e.parent FROM walk w JOIN entity e ON e.scope = $1 AND e.id = w.above WHERE e.parent IS NOT NULL) ' +
      `SELECT ${COLUMNS} FROM walk w JOIN entity e ON e.scope = $1 AND e.id = w.above WHERE e.version > $3 ORDER BY e.version`,
  },
  rowsOfVersion: {
    name: 'rows-of-version',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND version = $2`,
  },
  goneInVersion: {
    name: 'gone-in-version',
    text: `SELECT ${tombstoneColumns} FROM tombstone WHERE scope = $1 AND version = $2`,
  },
  snapshot: {
    name: 'snapshot',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3`,
  },
  shelf: {
    name: 'shelf',
    text: `SELECT ${COLUMNS} FROM entity WHERE scope = $1 AND shelf > $2 AND shelf < $3 ORDER BY shelf LIMIT $4`,
  },
  countShelf: {
    name: 'count-shelf',
    text:
      'SELECT count(*), max(shelf) FROM (SELECT shelf FROM entity WHERE scope = $1 AND shelf > $2 ' +
      'ORDER BY shelf LIMIT $3) AS counted',
  },
  // Two servers that start at once must not get the same index.
  lockGenerations: { name: 'lock-generations', text: 'LOCK TABLE generation IN SHARE ROW EXCLUSIVE MODE' },
  addGeneration: {
    name: 'add-generation',
    text: 'INSERT INTO generation (idx, nonce, opened_at) SELECT coalesce(max(idx), 0) + 1, $1, $2 FROM generation',
  },
  generations: { name: 'generations', text: 'SELECT idx, nonce FROM generation ORDER BY idx' },
  versionAtEnd: {
    name: 'version-at-end',
    text:
      'SELECT s.generation, coalesce((SELECT g.max_version FROM scope_generation g WHERE g.scope = s.id ' +
      'AND g.generation <= $2 ORDER BY g.generation DESC LIMIT 1), 0) FROM scope s WHERE s.id = $1',
  },
  probe: { name: 'probe', text: 'UPDATE probe SET count = count + 1 WHERE id = 1' },
} as const satisfies Record<string, Statement>;

function byId(found: readonly (readonly unknown[])[]): Map<Id, ScopeRecord> {
  return new Map(found.map(cellsToScope).map((scope) => [scope.id, scope]));
}

interface Membership {
  readonly scope: Id;
  readonly role: 'owner' | 'member';
}

function membershipsOf(found: readonly (readonly unknown[])[]): ReadonlyMap<number, readonly Membership[]> {
  const all = new Map<number, Membership[]>();
  for (const [account, scope, role] of found) {
    const own = all.get(account as number) ?? [];
    all.set(account as number, own);
    own.push({ scope: scope as Id, role: role as Membership['role'] });
  }
  return all;
}

async function changesSince(session: Session, scope: Id, from: number, maxRows: number): Promise<HeadedPage> {
  const [found, cells, tombstones] = await Promise.all([
    session.get(SQL.scope, scope),
    session.all(SQL.rowsSince, scope, from, maxRows + 1),
    session.all(SQL.goneSince, scope, from, maxRows + 1),
  ]);
  const head = cellsToScope(must(found, 'changes are asked of a scope that exists'));
  const page = pageOf({ head, cells, tombstones, from, maxRows });
  const above = async ({ to }: { readonly to: number }) =>
    (await session.all(SQL.above, scope, from, to)).map(cellsToRow);
  if (page.type === 'page') {
    return page.page.more ? { ...page.page, above: await above(page.page) } : page.page;
  }
  const rows = await session.all(SQL.rowsOfVersion, scope, page.version);
  const gone = await session.all(SQL.goneInVersion, scope, page.version);
  const whole = pageOfVersion(head, page.version, { cells: rows, tombstones: gone });
  return whole.more ? { ...whole, above: await above(whole) } : whole;
}

/** The Store on a PostgreSQL database, shared by several server processes. */
export class PostgresStore implements Store {
  readonly #connection: PostgresConnection;
  readonly #groups: HistoryGroups | null;
  readonly #scope: (id: Id) => Promise<ScopeRecord | undefined>;
  readonly #scopesOf: (account: number) => Promise<readonly Membership[] | undefined>;

  /** `groups`: where older history lies; null: it is all beside the rows. */
  constructor(connection: PostgresConnection, groups: HistoryGroups | null = null) {
    this.#connection = connection;
    this.#groups = groups;
    // Every request asks for both.
    this.#scope = jointly(async (ids: readonly Id[]) => byId(await connection.short(SQL.scopes, ids)));
    this.#scopesOf = jointly(async (accounts: readonly number[]) =>
      membershipsOf(await connection.short(SQL.scopesOf, accounts)),
    );
  }

  write<T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    return this.#connection.writeAtOnce(async (session) => {
      const transaction = new PostgresTransaction(session);
      const result = await work(transaction);
      transaction.finish();
      return result;
    });
  }

  createScope(scope: NewScope): Promise<void> {
    const { id, kind, owner, minSchema = 1, root = null, at = 0 } = scope;
    return this.#connection.write(async (session) => {
      await refuseIfTooNew(session.client, minSchema);
      await session.run(SQL.createScope, id, kind, owner, '0'.repeat(16), minSchema, root);
      await session.run(SQL.addOwner, id, owner, at);
    });
  }

  async scope(id: Id): Promise<ScopeRecord | null> {
    return (await this.#scope(id)) ?? null;
  }

  async scopesOf(account: number): Promise<readonly Membership[]> {
    return (await this.#scopesOf(account)) ?? [];
  }

  async membersOf(scope: Id): Promise<readonly number[]> {
    return (await this.#connection.all(SQL.membersOf, scope)).map(([account]) => account as number);
  }

  async leftBy(account: number, scopes: readonly Id[]): Promise<ReadonlySet<Id>> {
    return new Set((await this.#connection.all(SQL.leftBy, account, scopes)).map(([scope]) => scope as Id));
  }

  changes(scope: Id, from: number, maxRows: number): Promise<HeadedPage> {
    return this.#connection.read((session) => changesSince(session, scope, from, maxRows));
  }

  async scopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>> {
    return byId(await this.#connection.short(SQL.scopes, ids));
  }

  changesOf(asked: readonly ChangesAsked[]): Promise<ReadonlyMap<Id, HeadedPage>> {
    return this.#connection.read(async (session) => {
      const ids = asked.map(({ scope }) => scope);
      const heads = byId(await session.all(SQL.scopes, ids));
      const pages = await Promise.all(
        asked.map(async ({ scope, from, maxRows }): Promise<[Id, HeadedPage][]> => {
          const head = heads.get(scope);
          if (head === undefined) return [];
          const isNewer = head.version > from;
          return [
            [scope, isNewer ? await changesSince(session, scope, from, maxRows) : emptyPage(head, from)],
          ];
        }),
      );
      return new Map(pages.flat());
    });
  }

  async snapshot(scope: Id, after: Id | null, limit: number): Promise<readonly Row[]> {
    return (await this.#connection.all(SQL.snapshot, scope, after ?? '', limit)).map(cellsToRow);
  }

  async shelf(
    scope: Id,
    { after, to, limit }: { readonly after: string; readonly to: string; readonly limit: number },
  ): Promise<readonly ShelvedRow[]> {
    const found = await this.#connection.all(SQL.shelf, scope, after, to, limit);
    return found.map((cells) => ({ row: cellsToRow(cells), place: placeOf(cells) }));
  }

  async countShelf(
    scope: Id,
    after: string,
    limit: number,
  ): Promise<{ readonly count: number; readonly last: string | null }> {
    const [cells = [0, null]] = await this.#connection.all(SQL.countShelf, scope, after, limit);
    const count = Number(cells[0]);
    return { count, last: count < limit ? null : (cells[1] as string) };
  }

  transfers(): Promise<readonly TransferRecord[]> {
    return readTransfers(this.#connection);
  }

  leftBehind(scope: Id, after: Id | null, limit: number): Promise<LeftBehind> {
    return readLeftBehind(this.#connection, scope, after, limit);
  }

  openGeneration(nonce: string, at: number): Promise<readonly GenerationRecord[]> {
    return this.#connection.write(async (session) => {
      await session.run(SQL.lockGenerations);
      await session.run(SQL.addGeneration, nonce, at);
      const found = await session.all(SQL.generations);
      return found.map(([index, name]) => ({ index: index as number, nonce: name as string }));
    });
  }

  async versionAtEndOf(scope: Id, index: number): Promise<number | null> {
    const [cells] = await this.#connection.all(SQL.versionAtEnd, scope, index);
    return cells && index < (cells[0] as number) ? (cells[1] as number) : null;
  }

  history(scope: Id, of: HistoryRange): Promise<readonly HistoryEntry[]> {
    return readHistory(this.#connection, this.#groups, scope, of);
  }

  async probe(): Promise<void> {
    await this.#connection.all(SQL.probe);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
