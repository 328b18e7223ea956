// Mail that becomes tasks: the address of each list, receipts of the last days (for the limits), and accounts warned about
// much mail. Waiting mail is in a folder beside the database (mail/spool.ts).
import type { Migration } from '../migration.ts';

const sqlite = `
CREATE TABLE mail_address (
  scope TEXT NOT NULL,
  list TEXT NOT NULL,
  code_hash BLOB NOT NULL UNIQUE,
  sealed_code BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, list)
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_receipt (
  id TEXT PRIMARY KEY,
  account INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_receipt_account ON mail_receipt (account, at);

CREATE TABLE mail_warning (
  account INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
`;

const postgres = `
CREATE TABLE mail_address (
  scope text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  code_hash bytea NOT NULL UNIQUE,
  sealed_code bytea NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (scope, list)
);

CREATE TABLE mail_receipt (
  id text COLLATE "C" PRIMARY KEY,
  account bigint NOT NULL,
  bytes bigint NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX mail_receipt_account ON mail_receipt (account, at);

CREATE TABLE mail_warning (
  account bigint PRIMARY KEY,
  at bigint NOT NULL
);
`;

/** Mail addresses, receipts and warnings. */
export const mailIn: Migration = {
  version: 12,
  name: 'mail in',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
