// The statements on the history of one scope in one group, inside a transaction there. What a group holds of a scope is everything
// up to the version in `held`, and nothing above it.
import type { Id } from '#core/ids.ts';
import { cellsToHistory, touchedBeside, type HistoryCells } from '../history-columns.ts';
import { columnsOf } from '../postgres/columns.ts';
import type { Session, Statement } from '../postgres/postgres-connection.ts';

const COLUMNS = 'scope, version, seq, entity, account, device, at, operation, replaced';

const SQL = {
  held: { name: 'held', text: 'SELECT upto FROM held WHERE scope = $1' },
  hold: {
    name: 'hold',
    text: 'INSERT INTO held (scope, upto) VALUES ($1, 0) ON CONFLICT (scope) DO NOTHING',
  },
  saveHeld: { name: 'save-held', text: 'UPDATE held SET upto = $2 WHERE scope = $1' },
  release: { name: 'release', text: 'DELETE FROM held WHERE scope = $1' },
  page: {
    name: 'history-page',
    text:
      `SELECT ${COLUMNS} FROM history WHERE scope = $1 AND version > $2 AND version <= $3 ` +
      'ORDER BY version, seq LIMIT $4',
  },
  version: {
    name: 'history-version',
    text: `SELECT ${COLUMNS} FROM history WHERE scope = $1 AND version = $2 ORDER BY seq`,
  },
  removeUpTo: {
    name: 'history-remove',
    text: `DELETE FROM history WHERE scope = $1 AND version > $2 AND version <= $3 RETURNING ${COLUMNS}`,
  },
  removeTouched: {
    name: 'touched-remove',
    text:
      'DELETE FROM history_entity e USING unnest($2::text[], $3::bigint[], $4::bigint[]) v (entity, version, seq) ' +
      'WHERE e.scope = $1 AND e.entity = v.entity AND e.version = v.version AND e.seq = v.seq',
  },
  add: {
    name: 'history-add',
    text:
      `INSERT INTO history (${COLUMNS}) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], ` +
      '$5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[])',
  },
  addTouched: {
    name: 'touched-add',
    text:
      'INSERT INTO history_entity (scope, entity, version, seq) ' +
      'SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[])',
  },
} as const satisfies Record<string, Statement>;

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** What else each entry is found by: entity, version, number within it. */
function touchedBy(entries: readonly HistoryCells[]): readonly (readonly [Id, number, number])[] {
  return entries.flatMap((cells) =>
    touchedBeside(cellsToHistory(cells)).map((id) => [id, cells[1], cells[2]] as const),
  );
}

/** The version up to which a group holds a scope; null: nothing of it. */
export async function heldUpTo(group: Pick<Session, 'all'>, scope: Id): Promise<number | null> {
  const [cells] = await group.all(SQL.held, scope);
  return cells === undefined ? null : (cells[0] as number);
}

/** Begins to hold a scope, of which nothing is there from now on. */
export async function beginHolding(group: Session, scope: Id): Promise<void> {
  await removeEntries(group, scope, { after: 0, to: NO_LIMIT });
  await group.run(SQL.hold, scope);
}

export async function setHeld(group: Session, scope: Id, upTo: number): Promise<void> {
  await group.run(SQL.saveHeld, scope, upTo);
}

/** From now on the group does not hold the scope: who reads it looks for its place again. */
export async function stopHolding(group: Session, scope: Id): Promise<void> {
  await group.run(SQL.release, scope);
}

/** Entries after one version and up to another, oldest first; about `limit`, and never a part of a version. */
export async function entriesAfter(
  database: Session,
  scope: Id,
  { after, to = NO_LIMIT, limit }: { readonly after: number; readonly to?: number; readonly limit: number },
): Promise<readonly HistoryCells[]> {
  const found = (await database.all(SQL.page, scope, after, to, limit + 1)) as unknown as HistoryCells[];
  if (found.length <= limit) return found;
  const last = found.at(-1)?.[1] ?? 0;
  const whole = found.filter(([, version]) => version < last);
  if (whole.length > 0) return whole;
  return (await database.all(SQL.version, scope, last)) as unknown as HistoryCells[];
}

export async function addEntries(group: Session, scope: Id, entries: readonly HistoryCells[]): Promise<void> {
  if (entries.length === 0) return;
  await group.run(SQL.add, ...columnsOf(entries, 9));
  const touched = touchedBy(entries);
  if (touched.length > 0) await group.run(SQL.addTouched, scope, ...columnsOf(touched, 3));
}

/** Removes the entries of these versions with what else they are found by; resolves with how many. */
export async function removeEntries(
  database: Session,
  scope: Id,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<number> {
  const removed = (await database.all(SQL.removeUpTo, scope, after, to)) as unknown as HistoryCells[];
  await removeTouched(database, scope, removed);
  return removed.length;
}

/** Removes what else entries of a scope are found by, which are removed themselves. */
export async function removeTouched(
  database: Session,
  scope: Id,
  removed: readonly HistoryCells[],
): Promise<void> {
  const touched = touchedBy(removed);
  if (touched.length > 0) await database.run(SQL.removeTouched, scope, ...columnsOf(touched, 3));
}
