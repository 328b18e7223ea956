// Undo links of address changes, and the counter by which a sign-in notices that credentials changed meanwhile.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, bytes: string, end: string) => `
ALTER TABLE account ADD COLUMN entry_version ${integer} NOT NULL DEFAULT 0;

CREATE TABLE email_undo (
  token_hash ${bytes} PRIMARY KEY,
  account ${integer} NOT NULL,
  email ${text} NOT NULL,
  changed_at ${integer} NOT NULL,
  expires_at ${integer} NOT NULL
)${end};
CREATE INDEX email_undo_account ON email_undo (account);
CREATE INDEX email_undo_email ON email_undo (email);
`;

/** Undo links, and the entry version of accounts. */
export const addressLife: Migration = {
  version: 14,
  name: 'life of an address',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', 'BLOB', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};
