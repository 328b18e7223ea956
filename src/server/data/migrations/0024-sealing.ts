// The sealing of a person's own scope: its state beside the head of the scope, and what its devices keep here of their keys, which this
// server can't read.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
ALTER TABLE scope ADD COLUMN sealing_phase ${text} NOT NULL DEFAULT 'plain';
ALTER TABLE scope ADD COLUMN sealing_generation ${integer} NOT NULL DEFAULT 0;
CREATE TABLE sealing (
  scope ${text} NOT NULL PRIMARY KEY,
  directory ${text},
  mac ${text},
  number ${integer} NOT NULL,
  wraps ${text} NOT NULL,
  wraps_version ${integer} NOT NULL,
  was_plain ${integer} NOT NULL,
  lingers ${integer} NOT NULL
)${end};
`;

/** States and wrapped keys of sealed scopes. */
export const sealing: Migration = {
  version: 24,
  name: 'sealed scopes',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};

/**
 * Lists on their way out of a sealed scope or back, by id: until they are there it holds plain values. Kept in this file with the
 * states that they belong to.
 */
export const openedLists: Migration = {
  version: 27,
  name: 'opened lists of sealed scopes',
  up: (target) =>
    target.run(
      `ALTER TABLE scope ADD COLUMN sealing_lists ${target.kind === 'sqlite' ? 'TEXT' : 'text COLLATE "C"'};`,
    ),
};

const listStatements = (text: string, integer: string, end: string) => `
CREATE TABLE identity (
  account ${integer} NOT NULL PRIMARY KEY,
  agree ${text} NOT NULL,
  verify ${text} NOT NULL,
  told_at ${integer} NOT NULL
)${end};
ALTER TABLE shared_list ADD COLUMN keys ${text};
`;

/** Keys for lists that stay encrypted: the public keys of accounts, and with which directory such a list begins. Kept here as well. */
export const listKeys: Migration = {
  version: 28,
  name: 'keys of lists',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? listStatements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : listStatements('text COLLATE "C"', 'bigint', ''),
    ),
};
