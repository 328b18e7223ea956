// Lists that stay encrypted while they are shared: the public keys of accounts, and with which directory of keys such a list begins.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE identity (
  account ${integer} NOT NULL PRIMARY KEY,
  agree ${text} NOT NULL,
  verify ${text} NOT NULL,
  told_at ${integer} NOT NULL
)${end};
ALTER TABLE shared_list ADD COLUMN keys ${text};
`;

/** Keys for lists that stay encrypted. */
export const listKeys: Migration = {
  version: 28,
  name: 'keys of lists',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
