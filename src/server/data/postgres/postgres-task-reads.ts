// Reads tasks in pages on PostgreSQL.
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';
import { KeptRows } from '../kept-rows.ts';
import { jointly } from './joint-reads.ts';
import { columnsOf } from './columns.ts';
import { cellsToShownRow, readColumns, rowColumns } from '../row-columns.ts';
import {
  besideOf,
  type Branch,
  type ReadRow,
  type Surroundings,
  type TaskRange,
  type TaskReads,
} from '#api/task-reads.ts';

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
  /** As `find` for several askers: each asks for one id in one scope, and is a number. */
  findEach: {
    name: 'tasks-find-each',
    text:
      `SELECT ${COLUMNS}, v.n FROM unnest($1::bigint[], $2::text[], $3::text[]) v (n, scope, id) ` +
      'JOIN entity e ON e.scope = v.scope AND e.id = v.id',
  },
  /**
   * For several askers, each a number: tasks from $3 upwards, which stand in $2; then what lies beside the tasks $6 in the scopes $5. In one
   * statement: one snapshot.
   */
  surroundings: {
    name: 'tasks-surroundings',
    text:
      'WITH RECURSIVE walk (n, scope, id) AS (' +
      'SELECT v.n, v.scope COLLATE "C", v.id COLLATE "C" FROM unnest($1::bigint[], $2::text[], $3::text[]) v (n, scope, id) UNION ' +
      'SELECT w.n, w.scope, e.parent FROM walk w JOIN entity e ON e.scope = w.scope AND e.id = w.id ' +
      "WHERE e.type = 'task' AND e.parent IS NOT NULL) " +
      `SELECT ${SHOWN}, w.n, true FROM walk w JOIN entity e ON e.scope = w.scope AND e.id = w.id WHERE e.type = 'task' UNION ALL ` +
      `SELECT ${SHOWN}, v.n, false FROM unnest($4::bigint[], $5::text[], $6::text[]) v (n, scope, id) CROSS JOIN LATERAL (` +
      'SELECT * FROM entity x WHERE x.scope = v.scope COLLATE "C" AND x.shelf > \'h\' || v.id COLLATE "C" ' +
      "AND x.shelf < 'h' || v.id || 'z' COLLATE \"C\" AND x.type IN ('mine', 'attachment', 'comment') AND x.deleted IS NULL) e",
  },
  states: {
    name: 'scope-states',
    text: 'SELECT id, version, digest, generation, updated_clock FROM scope WHERE id = ANY($1::text[])',
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

/** What is asked for more than this goes by itself: others do not wait for it. */
const MOST_JOINED = 50;

interface Wanted {
  readonly scopes: readonly Id[];
  readonly ids: readonly Id[];
}

/** Finds rows by id; few of them in one statement for all that ask in the same turn. */
function finding(connection: PostgresConnection): TaskReads['find'] {
  const together = jointly(async (all: readonly Wanted[]) => {
    const pairs = all.flatMap(({ scopes, ids }, n) =>
      ids.flatMap((id) => scopes.map((scope) => [n, scope, id])),
    );
    const cells = await connection.short(SQL.findEach, ...columnsOf(pairs, 3));
    const found = Map.groupBy(cells, (row) => all[row.at(-1) as number]);
    const inOrder = (wanted: Wanted) => {
      const rows = new Map((found.get(wanted) ?? []).map((row) => [row[1] as Id, cellsToShownRow(row)]));
      return wanted.ids.flatMap((id) => rows.get(id) ?? []);
    };
    return new Map(all.map((wanted) => [wanted, inOrder(wanted)]));
  });
  return async (scopes, ids) => {
    if (ids.length === 0) return [];
    if (ids.length * scopes.length <= MOST_JOINED) return (await together({ scopes, ids })) ?? [];
    return (await connection.all(SQL.find, scopes, ids)).map(cellsToShownRow);
  };
}

interface Around {
  readonly scope: Id;
  readonly personal: Id;
  readonly tasks: readonly ReadRow[];
}

/** Reads what surrounds tasks; for all that ask for few in the same turn in one statement. */
function surrounding(connection: PostgresConnection, kept: KeptRows): TaskReads['surroundings'] {
  const load = async (
    all: readonly Around[],
    read: PostgresConnection['all'],
  ): Promise<ReadonlyMap<Around, Surroundings>> => {
    const upwards = all.flatMap(({ scope, tasks }, n) =>
      [...new Set(tasks.flatMap((row) => placeOf(row)?.parent ?? []))].map((parent) => [n, scope, parent]),
    );
    const beside = all.flatMap(({ scope, personal, tasks }, n) =>
      [...new Set([scope, personal])].flatMap((each) => tasks.map(({ id }) => [n, each, id])),
    );
    const found = all.map(({ tasks }) => ({
      above: new Map(tasks.map((row) => [row.id, row])),
      beside: [] as ReadRow[],
    }));
    const asked = [...columnsOf(upwards, 3), ...columnsOf(beside, 3)];
    for (const cells of await read(SQL.surroundings, ...asked)) {
      const row = kept.read(cells);
      const [n, isAbove] = cells.slice(-2);
      const own = found[n as number];
      if (isAbove === true) own?.above.set(row.id, row);
      else own?.beside.push(row);
    }
    return new Map(found.map((own, n) => [all[n] as Around, besideOf(own.beside, own.above)]));
  };
  const together = jointly((all: readonly Around[]) =>
    load(all, (statement, ...values) => connection.short(statement, ...values)),
  );
  return async (scope, personal, tasks) => {
    const nothing = besideOf([], new Map());
    if (tasks.length === 0) return nothing;
    const around = { scope, personal, tasks };
    if (tasks.length <= MOST_JOINED) return (await together(around)) ?? nothing;
    const found = await load([around], (statement, ...values) => connection.all(statement, ...values));
    return found.get(around) ?? nothing;
  };
}

/** TaskReads on PostgreSQL, with prepared statements. */
export function postgresTaskReads(connection: PostgresConnection): TaskReads {
  const kept = new KeptRows();
  // Every call asks for it, some twice.
  const frameVersion = jointly(async (scopes: readonly Id[]) => {
    const found = await connection.short(SQL.frameVersions, scopes);
    return new Map(found.map(([scope, version]) => [scope as Id, Number(version ?? 0)]));
  });
  // A page is read anew when its scope has changed.
  const stateOf = jointly(async (scopes: readonly Id[]) => {
    const found = await connection.short(SQL.states, scopes);
    return new Map(found.map(([scope, ...state]) => [scope as Id, String(state)]));
  });
  const read = (cells: readonly unknown[]) => kept.read(cells);
  const shown = async (statement: Statement, ...values: readonly unknown[]) =>
    (await connection.all(statement, ...values)).map(read);
  return {
    async recent(scope, range) {
      const name = `${scope} ${JSON.stringify(range)}`;
      const state = (await stateOf(scope)) ?? '';
      const known = kept.findPage(name, state);
      if (known !== undefined) return known;
      const rows = await shown(SQL.recent[range.status ?? 'all'], scope, ...boundsOf(range));
      return kept.keepPage(name, { state, rows });
    },
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
    find: finding(connection),
    comments: (scope, task, after, limit) =>
      shown(SQL.comments, scope, task, after?.createdAt ?? -Number.MAX_SAFE_INTEGER, after?.id ?? '', limit),
    surroundings: surrounding(connection, kept),
    settings: async (scope) => (await connection.all(SQL.settings, scope)).map(cellsToShownRow),
    frame: (scope) =>
      connection.read(async (session) => ({
        version: Number((await session.get(SQL.frameVersion, scope))?.[0] ?? 0),
        rows: (await session.all(SQL.frame, scope)).map(cellsToShownRow),
      })),
    frameVersion: async (scope) => (await frameVersion(scope)) ?? 0,
  };
}
