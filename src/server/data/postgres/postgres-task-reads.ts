// Reads tasks in pages on PostgreSQL.
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';
import { KeptRows } from '../kept-rows.ts';
import { jointly } from './joint-reads.ts';
import { cellsToShownRow, readColumns, rowColumns } from '../row-columns.ts';
import { besideOf, type Branch, type ReadRow, type TaskRange, type TaskReads } from '#api/task-reads.ts';

const COLUMNS = rowColumns.map((column) => `e.${column}`).join(', ');
const SHOWN = readColumns.map((column) => `e.${column}`).join(', ');
/** Done tasks include completed occurrences of repeating tasks. */
const KIND = {
  all: "e.type = 'task'",
  open: "e.type = 'task' AND e.status IS NULL",
  done: "(e.type = 'task' AND e.status IS NOT NULL OR e.type = 'completion')",
} as const;
type Status = keyof typeof KIND;

const ABOUT =
  " UNION ALL SELECT o.id, 'task' FROM tree t JOIN entity o ON o.scope = $1 AND o.about = t.id " +
  "WHERE o.type = 'completion' AND o.deleted IS NULL";

const recent = (status: Status): Statement => ({
  name: `tasks-recent-${status}`,
  text:
    `SELECT ${SHOWN} FROM entity e WHERE e.scope = $1 AND ${KIND[status]} AND e.deleted IS NULL ` +
    'AND e.updated_at <= $2 AND (e.updated_at < $2 OR e.id > $3) AND e.updated_at > $4 ' +
    'ORDER BY e.updated_at DESC, e.id LIMIT $5',
});

const beneath = (status: Status): Statement => ({
  name: `tasks-beneath-${status}`,
  text:
    'WITH RECURSIVE tree (id, type) AS (SELECT $2::text COLLATE "C", NULL::text UNION ALL ' +
    'SELECT e.id, e.type FROM tree t JOIN entity e ON e.scope = $1 AND e.parent = t.id ' +
    "WHERE e.deleted IS NULL AND e.type IN ('task', 'list')) " +
    `SELECT ${SHOWN} FROM (SELECT id, type FROM tree${status === 'done' ? ABOUT : ''}) t ` +
    `JOIN entity e ON e.scope = $1 AND e.id = t.id WHERE t.type = 'task' AND ${KIND[status]} ` +
    'AND e.updated_at <= $3 AND (e.updated_at < $3 OR e.id > $4) AND e.updated_at > $5 ' +
    'ORDER BY e.updated_at DESC, e.id LIMIT $6',
});

const byStatus = (make: (status: Status) => Statement) =>
  ({ open: make('open'), done: make('done'), all: make('all') }) as const;

/** What lies beside the tasks $3 in a scope. */
const besideIn = (scope: string) =>
  `SELECT ${SHOWN}, false FROM unnest($3::text[]) v (id) CROSS JOIN LATERAL (` +
  `SELECT * FROM entity x WHERE x.scope = ${scope} AND x.shelf > 'h' || v.id COLLATE "C" AND x.shelf < 'h' || v.id || 'z' COLLATE "C" ` +
  "AND x.type IN ('mine', 'attachment', 'comment') AND x.deleted IS NULL) e";

const SQL = {
  recent: byStatus(recent),
  beneath: byStatus(beneath),
  branches: {
    name: 'task-branches',
    text:
      'WITH RECURSIVE tree (id, parent, key, status, depth) AS (' +
      'SELECT id, parent, key, status, 0 FROM entity WHERE scope = $1 AND parent = $2 AND deleted IS NULL ' +
      "AND type IN ('task', 'list') UNION ALL " +
      'SELECT e.id, e.parent, e.key, e.status, t.depth + 1 FROM tree t JOIN entity e ON e.scope = $1 AND e.parent = t.id ' +
      "WHERE e.deleted IS NULL AND e.type IN ('task', 'list')) " +
      'SELECT id, parent, key, status FROM tree ORDER BY depth LIMIT $3',
  },
  find: {
    name: 'tasks-find',
    text:
      `SELECT ${COLUMNS} FROM unnest($2::text[]) WITH ORDINALITY v (id, n) ` +
      'JOIN entity e ON e.scope = ANY($1::text[]) AND e.id = v.id ORDER BY v.n',
  },
  /**
   * Tasks above $2, which stand in $1; then what lies beside the tasks $3, there and in the scope $4, which may be null. In one statement: one
   * snapshot.
   */
  surroundings: {
    name: 'tasks-surroundings',
    text:
      'WITH RECURSIVE walk (id) AS (SELECT v.id COLLATE "C" FROM unnest($2::text[]) v (id) UNION ' +
      "SELECT e.parent FROM walk w JOIN entity e ON e.scope = $1 AND e.id = w.id WHERE e.type = 'task' AND e.parent IS NOT NULL) " +
      `SELECT ${SHOWN}, true FROM walk w JOIN entity e ON e.scope = $1 AND e.id = w.id WHERE e.type = 'task' ` +
      `UNION ALL ${besideIn('$1')} UNION ALL ${besideIn('$4')}`,
  },
  comments: {
    name: 'task-comments',
    text:
      `SELECT ${SHOWN} FROM entity e WHERE e.scope = $1 AND e.shelf > 'h' || $2::text COLLATE "C" ` +
      "AND e.shelf < 'h' || $2::text || 'z' COLLATE \"C\" AND e.type = 'comment' AND e.deleted IS NULL " +
      'AND e.created_at >= $3 AND (e.created_at > $3 OR e.id > $4) ORDER BY e.created_at, e.id LIMIT $5',
  },
  frame: {
    name: 'task-frame',
    text:
      `SELECT ${COLUMNS} FROM entity e WHERE e.scope = $1 AND e.shelf < 'h' AND e.type IN ('list', 'label', 'labelGroup', 'mount') ` +
      'ORDER BY e.parent, e.key',
  },
  settings: {
    name: 'task-settings',
    text: `SELECT ${COLUMNS} FROM entity e WHERE e.scope = $1 AND e.shelf < 'h' AND e.type = 'setting' ORDER BY e.id`,
  },
  frameVersion: {
    name: 'task-frame-version',
    text: "SELECT coalesce(max(version), 0) FROM entity WHERE scope = $1 AND shelf < 'h'",
  },
  frameVersions: {
    name: 'task-frame-versions',
    text:
      'SELECT s.scope, v.version FROM unnest($1::text[]) s (scope) CROSS JOIN LATERAL (' +
      'SELECT max(version) AS version FROM entity WHERE scope = s.scope COLLATE "C" AND shelf < \'h\') v',
  },
} as const;

const boundsOf = ({ after, changedAfter, limit }: TaskRange) => [
  after?.updatedAt ?? Number.MAX_SAFE_INTEGER,
  after?.id ?? '',
  changedAfter ?? -Number.MAX_SAFE_INTEGER,
  limit,
];

/** TaskReads on PostgreSQL, with prepared statements. */
export function postgresTaskReads(connection: PostgresConnection): TaskReads {
  const kept = new KeptRows();
  // Every call asks for it, some twice.
  const frameVersion = jointly(async (scopes: readonly Id[]) => {
    const found = await connection.all(SQL.frameVersions, scopes);
    return new Map(found.map(([scope, version]) => [scope as Id, Number(version ?? 0)]));
  });
  const read = (cells: readonly unknown[]) => kept.read(cells);
  const shown = async (statement: Statement, ...values: readonly unknown[]) =>
    (await connection.all(statement, ...values)).map(read);
  return {
    recent: (scope, range) => shown(SQL.recent[range.status ?? 'all'], scope, ...boundsOf(range)),
    beneath: (scope, root, range) =>
      shown(SQL.beneath[range.status ?? 'all'], scope, root, ...boundsOf(range)),
    async branches(scope, root, limit) {
      const found = await connection.all(SQL.branches, scope, root, limit);
      return found.map(([id, parent, key, status]): Branch => ({
        id: id as Id,
        parent: parent as Id,
        key: key as string,
        isDone: status !== null,
      }));
    },
    find: async (scopes, ids) =>
      ids.length === 0 ? [] : (await connection.all(SQL.find, scopes, ids)).map(cellsToShownRow),
    comments: (scope, task, after, limit) =>
      shown(SQL.comments, scope, task, after?.createdAt ?? -Number.MAX_SAFE_INTEGER, after?.id ?? '', limit),
    async surroundings(scope, personal, tasks) {
      if (tasks.length === 0) return besideOf([], new Map());
      const above = new Map(tasks.map((row) => [row.id, row]));
      const parents = [...new Set(tasks.flatMap((row) => placeOf(row)?.parent ?? []))];
      const ids = tasks.map(({ id }) => id);
      const other = personal === scope ? null : personal;
      const beside: ReadRow[] = [];
      for (const cells of await connection.all(SQL.surroundings, scope, parents, ids, other)) {
        const row = read(cells);
        if (cells.at(-1) === true) above.set(row.id, row);
        else beside.push(row);
      }
      return besideOf(beside, above);
    },
    settings: async (scope) => (await connection.all(SQL.settings, scope)).map(cellsToShownRow),
    frame: (scope) =>
      connection.read(async (session) => ({
        version: Number((await session.get(SQL.frameVersion, scope))?.[0] ?? 0),
        rows: (await session.all(SQL.frame, scope)).map(cellsToShownRow),
      })),
    frameVersion: async (scope) => (await frameVersion(scope)) ?? 0,
  };
}
