// Reads the history that lies in a group, after what is beside the rows. Which part that is, and what of it was removed meanwhile, is
// read in one snapshot of the home database; the group says itself whether it still holds the scope.
import type { Id } from '#core/ids.ts';
import { cellsToHistory } from '../history-columns.ts';
import type { Session, Statement } from '../postgres/postgres-connection.ts';
import type { HistoryEntry } from '../store.ts';
import { heldUpTo } from './group-history.ts';
import { type HistoryGroups, UnknownGroupError } from './groups.ts';
import { readPlace } from './place.ts';

const ATTEMPTS = 5;
const COLUMNS = 'h.scope, h.version, h.seq, h.entity, h.account, h.device, h.at, h.operation, h.replaced';
const notErased = (of: string) =>
  `${of}.version > $4 AND NOT EXISTS (SELECT 1 FROM unnest($5::text[], $6::bigint[]) x (entity, upto) ` +
  `WHERE x.entity = ${of}.entity COLLATE "C" AND ${of}.version <= x.upto)`;

const SQL = {
  erased: { name: 'erased', text: 'SELECT entity, upto FROM history_erasure WHERE scope = $1' },
  all: {
    name: 'older-history',
    text:
      `SELECT ${COLUMNS} FROM history h WHERE scope = $1 AND version < $2 AND ${notErased('h')} AND version >= coalesce((` +
      `SELECT version FROM history o WHERE scope = $1 AND version < $2 AND ${notErased('o')} ` +
      'ORDER BY version DESC, seq DESC LIMIT 1 OFFSET $3), 0) ORDER BY version DESC, seq DESC',
  },
  of: {
    name: 'older-history-of',
    text:
      'WITH t AS (' +
      ['history', 'history_entity']
        .map(
          (table) =>
            `SELECT version, seq FROM ${table} o WHERE scope = $1 AND version < $2 AND entity = ANY($7::text[]) AND ${notErased('o')}`,
        )
        .join(' UNION ') +
      `), k AS (SELECT ${COLUMNS} FROM t JOIN history h ON h.scope = $1 AND h.version = t.version AND h.seq = t.seq ` +
      `WHERE ${notErased('h')}) SELECT * FROM k WHERE version >= coalesce((` +
      'SELECT version FROM k ORDER BY version DESC, seq DESC LIMIT 1 OFFSET $3), 0) ORDER BY version DESC, seq DESC',
  },
} as const satisfies Record<string, Statement>;

/** Something that was removed for good, up to a version of its scope. */
interface Erased {
  /** Empty: everything. */
  readonly entity: Id | '';
  readonly upTo: number;
}

/** What a snapshot of the home database says of the older history of a scope. */
export interface OlderPart {
  readonly group: string;
  /** Up to this version it is in the group only. */
  readonly freed: number;
  /** Perhaps still in the group. */
  readonly erased: readonly Erased[];
}

/** Null: everything is beside the rows. */
export async function readOlderPart(home: Session, scope: Id): Promise<OlderPart | null> {
  const place = await readPlace(home, scope);
  if (place === null || place.freed === 0) return null;
  const erased = (await home.all(SQL.erased, scope)).map(([entity, upTo]): Erased => ({
    entity: entity as Id | '',
    upTo: upTo as number,
  }));
  return { group: place.place, freed: place.freed, erased };
}

/** Which part of a scope's history is asked for. */
export interface OlderAsked {
  /** Only entries older than this version. */
  readonly before: number;
  readonly limit: number;
  /** Absent: of the whole scope. */
  readonly entities?: readonly Id[];
}

function withoutErased(cells: readonly unknown[], erased: ReadonlyMap<Id, number>): HistoryEntry {
  const entry = cellsToHistory(cells);
  return { ...entry, before: entry.before.filter(({ id }) => (erased.get(id) ?? -1) < entry.version) };
}

/** Null: the group does not hold the scope any more. */
async function readIn(
  there: Session,
  scope: Id,
  { freed, erased }: OlderPart,
  { before, limit, entities }: OlderAsked,
): Promise<readonly HistoryEntry[] | null> {
  if (((await heldUpTo(there, scope)) ?? -1) < freed) return null;
  const end = Math.min(before, freed + 1);
  let whole = 0;
  const some = new Map<Id, number>();
  for (const { entity, upTo } of erased)
    if (entity === '') whole = upTo;
    else some.set(entity, upTo);
  const values = [scope, end, limit - 1, whole, [...some.keys()], [...some.values()]];
  const found =
    entities === undefined
      ? await there.all(SQL.all, ...values)
      : await there.all(SQL.of, ...values, entities);
  return found.map((cells) => withoutErased(cells, some));
}

/** The older part, newest first; null: it was moved meanwhile, so that all has to be read anew. */
export async function readOlder(
  groups: HistoryGroups | null,
  scope: Id,
  part: OlderPart,
  asked: OlderAsked,
): Promise<readonly HistoryEntry[] | null> {
  if (asked.before <= 1) return [];
  if (groups === null) throw new UnknownGroupError(part.group);
  const group = await groups.open(part.group);
  return await group.read((there) => readIn(there, scope, part, asked));
}

/** Reads until nothing moves meanwhile. `isLast`: what the group lacks by now it lacks for good, because it was put back. */
export async function untilSettled<T>(read: (isLast: boolean) => Promise<T | null>): Promise<T> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    const found = await read(false);
    if (found !== null) return found;
  }
  const found = await read(true);
  if (found === null) throw new Error('The older history of a list keeps moving.');
  return found;
}
