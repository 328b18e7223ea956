// The order of reading a scope from the start (data/shelf.ts), as a column with its index. Existing rows get an approximate
// place: it only has to stay the same until the row is written again. And where the older history of a scope lies.
import type { Migration } from '../migration.ts';

const SHELF_MS = 7_776_000_000;

const shelfAt = (at: string) =>
  `'k' || substr('000' || (9999 - (CASE WHEN ${at} > 0 AND ${at} < ${SHELF_MS * 9_999} THEN ${at} / ${SHELF_MS} ELSE 0 END)), -4)`;

const sqliteDone =
  "coalesce(json_extract(fields, '$.status.cleared'), json_extract(fields, '$.status.done'), 0)";
const integer = (value: string) => `CAST(${value} AS INTEGER)`;

const sqlite = `
ALTER TABLE entity ADD COLUMN shelf TEXT NOT NULL DEFAULT '';
UPDATE entity SET shelf = CASE
  WHEN type = 'task' AND status IS NULL THEN 'h' || id
  WHEN type = 'task' THEN ${shelfAt(integer(sqliteDone))} || id
  WHEN type = 'completion' THEN ${shelfAt(integer("coalesce(json_extract(fields, '$.at'), 0)"))} || id
  WHEN type = 'mine' THEN 'h' || coalesce(about, '') || id
  WHEN type = 'attachment' THEN 'h' || coalesce(parent, '') || id
  ELSE 'a' || id END;
CREATE INDEX entity_shelf ON entity (scope, shelf);
`;

const postgresStatus = `substring(fields from '"status":(\\{[^}]*\\})')`;
const moment = (text: string, name: string) =>
  `substring(${text} from '"${name}":([0-9]{1,15})[,}]')::bigint`;
const postgresDone = `coalesce(${moment(postgresStatus, 'cleared')}, ${moment(postgresStatus, 'done')}, 0)`;
const postgresShelf = (at: string) =>
  `'k' || lpad((9999 - (CASE WHEN ${at} < ${SHELF_MS * 9_999} THEN ${at} / ${SHELF_MS} ELSE 0 END))::text, 4, '0')`;

const postgres = `
ALTER TABLE entity ADD COLUMN shelf text COLLATE "C" NOT NULL DEFAULT '';
UPDATE entity SET shelf = CASE
  WHEN type = 'task' AND status IS NULL THEN 'h' || id
  WHEN type = 'task' THEN ${postgresShelf(postgresDone)} || id
  WHEN type = 'completion' THEN ${postgresShelf(`coalesce(${moment('fields', 'at')}, 0)`)} || id
  WHEN type = 'mine' THEN 'h' || coalesce(about, '') || id
  WHEN type = 'attachment' THEN 'h' || coalesce(parent, '') || id
  ELSE 'a' || id END;
CREATE INDEX entity_shelf ON entity (scope, shelf);
`;

/** The shelf column and its index. */
export const snapshots: Migration = {
  version: 3,
  name: 'snapshots',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};

const groups = (text: string, integer: string, end: string) => `
CREATE TABLE history_group (
  name ${text} PRIMARY KEY,
  mark ${text} NOT NULL,
  joined_at ${integer} NOT NULL
)${end};
CREATE TABLE history_place (
  scope ${text} PRIMARY KEY,
  place ${text} NOT NULL REFERENCES history_group (name),
  target ${text} REFERENCES history_group (name),
  leaving ${text} REFERENCES history_group (name),
  copied ${integer} NOT NULL,
  copied_at ${integer} NOT NULL,
  freed ${integer} NOT NULL
)${end};
CREATE INDEX history_place_moving ON history_place (scope) WHERE target IS NOT NULL OR leaving IS NOT NULL;
CREATE TABLE history_erasure (
  scope ${text} NOT NULL,
  entity ${text} NOT NULL,
  upto ${integer} NOT NULL,
  asked ${integer} NOT NULL,
  done_at ${integer},
  PRIMARY KEY (scope, entity)
)${end};
CREATE INDEX history_erasure_waiting ON history_erasure (scope, entity) WHERE done_at IS NULL;
CREATE INDEX history_erasure_done ON history_erasure (done_at);
`;

/** The databases of the older history, which scope is in which, and what has to be erased there. */
export const historyGroups: Migration = {
  version: 43,
  name: 'groups of the history',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? groups('TEXT', 'INTEGER', ' STRICT')
        : groups('text COLLATE "C"', 'bigint', ''),
    ),
};
