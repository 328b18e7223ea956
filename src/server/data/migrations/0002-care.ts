// Columns and indexes for housekeeping: what is in the trash and since when, which rows are about which task, the age of
// tombstones, and when a device was last heard. And the servers of one database: which there are, which of
// them leads, and mail that waits for any of them.
import type { Migration } from '../migration.ts';

// In JSON a quotation mark inside a string is escaped, so the pattern finds the register and never text that looks like it.
const fromFields = (register: string) => `substring(fields from '"${register}":"([0-9a-f-]{36})"')`;

const indexes = `
CREATE INDEX entity_about ON entity (scope, about) WHERE about IS NOT NULL;
CREATE INDEX entity_trashed ON entity (deleted) WHERE deleted IS NOT NULL;
CREATE INDEX tombstone_at ON tombstone (at);
`;

const sqlite = `
ALTER TABLE entity ADD COLUMN about TEXT;
UPDATE entity SET about = json_extract(fields, '$.task') WHERE type = 'completion';
UPDATE entity SET about = json_extract(fields, '$.of') WHERE type = 'mine';
ALTER TABLE tombstone ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE device ADD COLUMN last_seen INTEGER NOT NULL DEFAULT 0;
${indexes}`;

const postgres = `
ALTER TABLE entity ADD COLUMN about text COLLATE "C";
UPDATE entity SET about = ${fromFields('task')} WHERE type = 'completion';
UPDATE entity SET about = ${fromFields('of')} WHERE type = 'mine';
ALTER TABLE tombstone ADD COLUMN at bigint NOT NULL DEFAULT 0;
ALTER TABLE device ADD COLUMN last_seen bigint NOT NULL DEFAULT 0;
${indexes}`;

/** Columns and indexes for housekeeping. */
export const care: Migration = {
  version: 2,
  name: 'care',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};

const servers = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE node (
  id ${text} PRIMARY KEY,
  number ${integer} NOT NULL,
  started_at ${integer} NOT NULL,
  seen_at ${integer} NOT NULL,
  build ${text} NOT NULL,
  protocol ${integer} NOT NULL,
  key_fingerprint ${text} NOT NULL,
  bucket ${text}
)${end};
CREATE TABLE leader (
  id ${integer} PRIMARY KEY,
  term ${integer} NOT NULL,
  node ${text},
  since ${integer} NOT NULL,
  activated ${integer} NOT NULL
)${end};
CREATE TABLE mail_waiting (
  id ${text} PRIMARY KEY,
  scope ${text} NOT NULL,
  list ${text} NOT NULL,
  account ${integer} NOT NULL,
  sender ${text} NOT NULL,
  at ${integer} NOT NULL,
  bytes ${integer} NOT NULL,
  holder ${text} NOT NULL,
  raw ${bytes} NOT NULL
)${end};
CREATE TABLE letter (
  name ${text} PRIMARY KEY,
  holder ${text} NOT NULL,
  sealed ${bytes} NOT NULL
)${end};
`;

/** The servers of one database, which of them leads, and mail that any of them can take. */
export const nodes: Migration = {
  version: 41,
  name: 'servers of one database',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? servers('TEXT', 'INTEGER', 'BLOB', ' STRICT')
        : servers('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};
