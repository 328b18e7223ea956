// Reads the history on PostgreSQL, and removes from it what was removed for good. Its older part may lie in another database
// (history-groups/).
import type { Id } from '#core/ids.ts';
import { cellsToHistory, withoutEntity, type HistoryCells } from '../history-columns.ts';
import { removeTouched } from '../history-groups/group-history.ts';
import type { HistoryGroups } from '../history-groups/groups.ts';
import { readOlder, readOlderPart, untilSettled } from '../history-groups/reading.ts';
import type { HistoryEntry, HistoryRange } from '../store.ts';
import type { PostgresConnection, Session, Statement } from './postgres-connection.ts';

const COLUMNS = 'h.scope, h.version, h.seq, h.entity, h.account, h.device, h.at, h.operation, h.replaced';
const BENEATH =
  // With the list of a shared scope, who belongs to it.
  "UNION SELECT e.id FROM scope s JOIN entity e ON e.scope = s.id AND e.parent IS NULL AND e.type = 'member' " +
  'WHERE s.id = $1 AND s.root = $2 ' +
  'UNION SELECT e.id FROM e_of JOIN entity e ON e.scope = $1 AND e.parent = e_of.id';

const those = (beneath: string) => `WITH RECURSIVE e_of (id) AS (SELECT $2::text COLLATE "C" ${beneath})`;

/** The history of an entity, or of its present subtree. */
function historyOf(name: string, beneath: string): Statement {
  const found = 'scope = $1 AND entity IN (SELECT id FROM e_of) AND version < $3';
  return {
    name,
    text:
      `${those(beneath)}, ` +
      `t AS (SELECT version, seq FROM history WHERE ${found} UNION SELECT version, seq FROM history_entity WHERE ${found}), ` +
      `k AS (SELECT ${COLUMNS} FROM t JOIN history h ON h.scope = $1 AND h.version = t.version AND h.seq = t.seq) ` +
      'SELECT * FROM k WHERE version >= coalesce((' +
      'SELECT version FROM k ORDER BY version DESC, seq DESC LIMIT 1 OFFSET $4), 0) ORDER BY version DESC, seq DESC',
  };
}

const SQL = {
  history: {
    name: 'history',
    text:
      `SELECT ${COLUMNS} FROM history h WHERE scope = $1 AND version < $2 AND version >= coalesce((` +
      'SELECT version FROM history WHERE scope = $1 AND version < $2 ORDER BY version DESC, seq DESC LIMIT 1 OFFSET $3' +
      '), 0) ORDER BY version DESC, seq DESC',
  },
  historyOfEntity: historyOf('history-of-entity', ''),
  historyOfTree: historyOf('history-of-tree', BENEATH),
  beneath: { name: 'history-beneath', text: `${those(BENEATH)} SELECT id FROM e_of` },
  erase: {
    name: 'erase-history',
    text:
      'DELETE FROM history h USING unnest($1::text[], $2::text[]) v (scope, id) ' +
      `WHERE h.scope = v.scope AND h.entity = v.id AND h.version <= $3 RETURNING ${COLUMNS}`,
  },
  findTouched: {
    name: 'find-touched',
    text:
      'DELETE FROM history_entity e USING unnest($1::text[], $2::text[]) v (scope, id) ' +
      'WHERE e.scope = v.scope AND e.entity = v.id AND e.version <= $3 RETURNING e.scope, e.entity, e.version, e.seq',
  },
  readReplaced: {
    name: 'read-replaced',
    text: 'SELECT replaced FROM history WHERE scope = $1 AND version = $2 AND seq = $3 FOR UPDATE',
  },
  saveReplaced: {
    name: 'save-replaced',
    text: 'UPDATE history SET replaced = $4 WHERE scope = $1 AND version = $2 AND seq = $3',
  },
  askToErase: {
    name: 'ask-to-erase',
    text:
      'INSERT INTO history_erasure AS e (scope, entity, upto, asked) SELECT v.scope, v.id, s.version, 1 ' +
      'FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) v (scope, id) JOIN scope s ON s.id = v.scope ' +
      'WHERE EXISTS (SELECT 1 FROM history_place p WHERE p.scope = v.scope) ORDER BY 1, 2 ' +
      'ON CONFLICT (scope, entity) DO UPDATE SET upto = excluded.upto, asked = e.asked + 1, done_at = NULL',
  },
} as const satisfies Record<string, Statement>;

type Reading = Pick<Session, 'all'>;

/** What is beside the rows. */
function readRecent(
  database: Reading,
  scope: Id,
  of: HistoryRange,
): Promise<readonly (readonly unknown[])[]> {
  const before = of.before ?? Number.MAX_SAFE_INTEGER;
  if (of.id === undefined) return database.all(SQL.history, scope, before, of.limit - 1);
  const statement = of.isTree === true ? SQL.historyOfTree : SQL.historyOfEntity;
  return database.all(statement, scope, of.id, before, of.limit - 1);
}

async function entitiesOf(
  session: Session,
  scope: Id,
  { id, isTree }: HistoryRange,
): Promise<Id[] | undefined> {
  if (id === undefined) return undefined;
  return isTree === true ? (await session.all(SQL.beneath, scope, id)).map(([each]) => each as Id) : [id];
}

/** The history of one entity, of its subtree or of a scope, newest first, wherever it lies. */
export async function readHistory(
  home: PostgresConnection,
  groups: HistoryGroups | null,
  scope: Id,
  of: HistoryRange,
): Promise<readonly HistoryEntry[]> {
  const recent = await readRecent(home, scope, of);
  // What is older comes after what is full already.
  if (recent.length >= of.limit || of.isRecent === true) return recent.map(cellsToHistory);
  return await untilSettled(async (isLast) => {
    const { found, part, entities } = await home.read(async (session) => ({
      part: await readOlderPart(session, scope),
      found: (await readRecent(session, scope, of)).map(cellsToHistory),
      entities: await entitiesOf(session, scope, of),
    }));
    const limit = of.limit - found.length;
    if (part === null || limit <= 0) return found;
    const before = of.before ?? Number.MAX_SAFE_INTEGER;
    const asked = { before, limit, ...(entities === undefined ? {} : { entities }) };
    const older = await readOlder(groups, scope, part, asked);
    if (older === null) return isLast ? found : null;
    return [...found, ...older];
  });
}

/**
 * Removes from the history what was removed for good: its entries, and its values in those of others, up to a version. One array for each
 * column.
 */
export async function eraseFromHistory(
  session: Session,
  places: readonly unknown[][],
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const gone = (await session.all(SQL.erase, ...places, upTo)) as unknown as HistoryCells[];
  for (const scope of new Set(gone.map(([of]) => of as Id)))
    await removeTouched(
      session,
      scope,
      gone.filter(([of]) => of === scope),
    );
  for (const [scope, entity, version, seq] of await session.all(SQL.findTouched, ...places, upTo)) {
    const cells = await session.get(SQL.readReplaced, scope, version, seq);
    if (!cells) continue;
    const replaced = withoutEntity(cells[0] as string, entity as Id);
    await session.run(SQL.saveReplaced, scope, version, seq, replaced);
  }
}

/** As `eraseFromHistory`, and asks for the same where older history lies. */
export async function eraseHistory(session: Session, places: readonly unknown[][]): Promise<void> {
  await eraseFromHistory(session, places);
  await session.run(SQL.askToErase, ...places);
}

/** Asks that everything of a scope is removed where its older history lies. */
export async function eraseOlder(session: Session, scope: Id): Promise<void> {
  await session.run(SQL.askToErase, [scope], ['']);
}
