// Reads tasks in pages on SQLite.
import type { Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { must } from '#core/assert.ts';
import { KeptRows } from '../kept-rows.ts';
import { cellsToShownRow, readColumns, rowColumns } from '../row-columns.ts';
import type { Connection, SqliteConnection } from './sqlite-connection.ts';
import { besideOf, type Branch, type ReadRow, type TaskRange, type TaskReads } from '#api/task-reads.ts';

const COLUMNS = rowColumns.map((column) => `e.${column}`).join(', ');
const SHOWN = readColumns.map((column) => `e.${column}`).join(', ');
/** Done tasks include completed occurrences of repeating tasks. */
const KIND = {
  all: "e.type = 'task'",
  open: "e.type = 'task' AND e.status IS NULL",
  done: "(e.type = 'task' AND e.status IS NOT NULL OR e.type = 'completion')",
} as const;

const kindOf = ({ status }: TaskRange) => KIND[status ?? 'all'];
const boundsOf = ({ after, changedAfter, limit }: TaskRange) =>
  [
    after?.updatedAt ?? Number.MAX_SAFE_INTEGER,
    after?.id ?? '',
    changedAfter ?? -Number.MAX_SAFE_INTEGER,
    limit,
  ] as const;

/** One statement per status, so that the partial index of open tasks is used. */
const recent = (range: TaskRange, columns: string) =>
  `SELECT ${columns} FROM entity e WHERE e.scope = ?1 AND ${kindOf(range)} AND e.deleted IS NULL ` +
  'AND e.updated_at <= ?2 AND (e.updated_at < ?2 OR e.id > ?3) AND e.updated_at > ?4 ' +
  'ORDER BY e.updated_at DESC, e.id LIMIT ?5';

/** Whatever changes a row changes these; a restored database counts from an earlier version on, in another generation. */
const STATE = 'SELECT version, digest, generation, updated_clock FROM scope WHERE id = ?';
const MARKS = 'e.id, e.version, e.updated_at';
/** Of a page, rows that are not kept are read one by one up to this number, else all at once. */
const FEW = 32;

/** Most rows of a page that is asked for again have not changed: of these no more than their versions is read. */
function recentRows(reader: Connection, kept: KeptRows, scope: Id, range: TaskRange): readonly ReadRow[] {
  const marks = reader.all(recent(range, MARKS), scope, ...boundsOf(range));
  const found = marks.map(([id, version, updatedAt]) =>
    kept.find({ scope, id: id as Id, version: version as number, updatedAt: updatedAt as number }),
  );
  if (found.filter((row) => row === undefined).length > FEW)
    return reader.all(recent(range, SHOWN), scope, ...boundsOf(range)).map((cells) => kept.read(cells));
  return found.map((row, at) => {
    if (row !== undefined) return row;
    const id = must(marks[at], 'a row has its mark')[0] as Id;
    return kept.read(must(reader.get(ABOVE, scope, id), 'a snapshot does not change'));
  });
}

/** Lists and tasks beneath ?2, level by level. CROSS JOIN keeps the order of the tables: the small one leads. */
const TREE =
  'WITH RECURSIVE tree (id, type) AS (SELECT ?2, NULL UNION ALL ' +
  'SELECT e.id, e.type FROM tree t CROSS JOIN entity e ON e.scope = ?1 AND e.parent = t.id ' +
  "WHERE e.deleted IS NULL AND e.type IN ('task', 'list')) ";

/** Ids of the tasks in the tree, and of their completed occurrences for `done`. */
const named = ({ status }: TaskRange) =>
  "SELECT id FROM tree WHERE type = 'task'" +
  (status === 'done'
    ? ' UNION ALL SELECT o.id FROM tree t CROSS JOIN entity o ON o.scope = ?1 AND o.about = t.id ' +
      "WHERE o.type = 'completion' AND o.deleted IS NULL"
    : '');

const beneath = (range: TaskRange) =>
  `${TREE} SELECT ${SHOWN} FROM entity e WHERE e.scope = ?1 AND e.id IN (` +
  `SELECT e.id FROM (${named(range)}) n CROSS JOIN entity e ON e.scope = ?1 AND e.id = n.id WHERE ${kindOf(range)} ` +
  `AND e.updated_at <= ?3 AND (e.updated_at < ?3 OR e.id > ?4) AND e.updated_at > ?5 ` +
  'ORDER BY e.updated_at DESC, e.id LIMIT ?6) ORDER BY e.updated_at DESC, e.id';

const BRANCHES =
  'WITH RECURSIVE tree (id, parent, key, status) AS (' +
  'SELECT id, parent, key, status FROM entity WHERE scope = ?1 AND parent = ?2 AND deleted IS NULL ' +
  "AND type IN ('task', 'list') UNION ALL " +
  'SELECT e.id, e.parent, e.key, e.status FROM tree t CROSS JOIN entity e ON e.scope = ?1 AND e.parent = t.id ' +
  "WHERE e.deleted IS NULL AND e.type IN ('task', 'list')) SELECT id, parent, key, status FROM tree LIMIT ?3";

const ABOVE = `SELECT ${SHOWN} FROM entity e WHERE e.scope = ? AND e.id = ?`;
const ROW = `SELECT ${COLUMNS} FROM entity e WHERE e.scope = ? AND e.id = ?`;
/** Marks, comments and attachments of the tasks in a JSON list; they are on the shelf right behind an open task. */
const BESIDE =
  `SELECT ${SHOWN} FROM json_each(?2) j CROSS JOIN entity e ON e.scope = ?1 ` +
  "AND e.shelf > 'h' || j.value AND e.shelf < 'h' || j.value || 'z' AND e.type IN ('mine', 'attachment', 'comment') AND e.deleted IS NULL";
/** They are on the shelf behind an open task, also when it is done. */
const COMMENTS =
  `SELECT ${SHOWN} FROM entity e WHERE e.scope = ?1 AND e.shelf > 'h' || ?2 AND e.shelf < 'h' || ?2 || 'z' ` +
  "AND e.type = 'comment' AND e.deleted IS NULL AND e.created_at >= ?3 AND (e.created_at > ?3 OR e.id > ?4) " +
  'ORDER BY e.created_at, e.id LIMIT ?5';
const FRAME =
  `SELECT ${COLUMNS} FROM entity e WHERE e.scope = ? AND e.shelf < 'h' AND e.type IN ('list', 'label', 'labelGroup', 'mount') ` +
  'ORDER BY e.parent, e.key';
const SETTINGS = `SELECT ${COLUMNS} FROM entity e WHERE e.scope = ? AND e.shelf < 'h' AND e.type = 'setting' ORDER BY e.id`;
const FRAME_VERSION = "SELECT coalesce(max(version), 0) FROM entity WHERE scope = ? AND shelf < 'h'";

function aboveOf(reader: Connection, kept: KeptRows, scope: Id, tasks: readonly ReadRow[]): Map<Id, ReadRow> {
  const known = new Map(tasks.map((row) => [row.id, row]));
  const above = new Map<Id, ReadRow>();
  const asked = new Set<Id>();
  for (const task of tasks) {
    for (let id = placeOf(task)?.parent; id !== undefined && !asked.has(id);) {
      asked.add(id);
      const cells = known.has(id) ? undefined : reader.get(ABOVE, scope, id);
      const row: ReadRow | undefined = known.get(id) ?? (cells && kept.read(cells));
      if (row?.type !== 'task') break;
      above.set(id, row);
      id = placeOf(row)?.parent;
    }
  }
  return above;
}

/** TaskReads on SQLite, from snapshots beside the writer. */
export function sqliteTaskReads(connection: SqliteConnection): TaskReads {
  const kept = new KeptRows();
  const read = (cells: readonly unknown[]) => kept.read(cells);
  const beside = (reader: Connection, scope: Id, ids: string) => reader.all(BESIDE, scope, ids).map(read);
  return {
    recent: (scope, range) =>
      connection.read((reader) => {
        const state = String(reader.get(STATE, scope));
        return kept.page(`${scope} ${JSON.stringify(range)}`, state, () =>
          recentRows(reader, kept, scope, range),
        );
      }),
    beneath: (scope, root, range) =>
      connection.read((reader) => reader.all(beneath(range), scope, root, ...boundsOf(range)).map(read)),
    branches: (scope, root, limit) =>
      connection.readOne((reader) =>
        reader.all(BRANCHES, scope, root, limit).map(([id, parent, key, status]): Branch => ({
          id: id as Id,
          parent: parent as Id,
          key: key as string,
          isDone: status !== null,
        })),
      ),
    find(scopes, ids) {
      const rows = (reader: Connection) =>
        ids.flatMap((id) =>
          scopes.flatMap((scope) => {
            const cells = reader.get(ROW, scope, id);
            return cells ? [cellsToShownRow(cells)] : [];
          }),
        );
      return ids.length * scopes.length === 1 ? connection.readOne(rows) : connection.read(rows);
    },
    comments: (scope, task, after, limit) =>
      connection.readOne((reader) =>
        reader
          .all(COMMENTS, scope, task, after?.createdAt ?? -Number.MAX_SAFE_INTEGER, after?.id ?? '', limit)
          .map(read),
      ),
    surroundings: (scope, personal, tasks) =>
      connection.read((reader) => {
        const above = aboveOf(reader, kept, scope, tasks);
        const ids = JSON.stringify(tasks.map(({ id }) => id));
        const own = beside(reader, scope, ids);
        const rows = personal === scope ? own : [...own, ...beside(reader, personal, ids)];
        return besideOf(rows, above);
      }),
    settings: (scope) => connection.readOne((reader) => reader.all(SETTINGS, scope).map(cellsToShownRow)),
    frame: (scope) =>
      connection.read((reader) => ({
        version: Number(reader.get(FRAME_VERSION, scope)?.[0] ?? 0),
        rows: reader.all(FRAME, scope).map(cellsToShownRow),
      })),
    frameVersion: (scope) =>
      connection.readOne((reader) => Number(reader.get(FRAME_VERSION, scope)?.[0] ?? 0)),
  };
}
