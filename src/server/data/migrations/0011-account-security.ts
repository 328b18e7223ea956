// Credentials besides the password, when a session last re-authenticated, and accounts to be erased.
import type { Migration } from '../migration.ts';

const sqlite = `
ALTER TABLE session ADD COLUMN confirmed_at INTEGER;
ALTER TABLE account ADD COLUMN erase_at INTEGER;

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  account INTEGER NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_account ON passkey (account);

CREATE TABLE ceremony (
  challenge TEXT PRIMARY KEY,
  account INTEGER,
  purpose TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE one_time_code (
  account INTEGER PRIMARY KEY,
  secret BLOB NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL
) STRICT;

CREATE TABLE recovery_code (
  account INTEGER NOT NULL,
  hash BLOB NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (account, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE email_proof (
  account INTEGER PRIMARY KEY,
  email TEXT NOT NULL,
  code_hash BLOB NOT NULL,
  tries INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
`;

const postgres = `
ALTER TABLE session ADD COLUMN confirmed_at bigint;
ALTER TABLE account ADD COLUMN erase_at bigint;

CREATE TABLE passkey (
  id text COLLATE "C" PRIMARY KEY,
  account bigint NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX passkey_account ON passkey (account);

CREATE TABLE ceremony (
  challenge text COLLATE "C" PRIMARY KEY,
  account bigint,
  purpose text NOT NULL,
  expires_at bigint NOT NULL
);

CREATE TABLE one_time_code (
  account bigint PRIMARY KEY,
  secret bytea NOT NULL,
  confirmed_at bigint,
  last_step bigint NOT NULL
);

CREATE TABLE recovery_code (
  account bigint NOT NULL,
  hash bytea NOT NULL,
  used_at bigint,
  PRIMARY KEY (account, hash)
);

CREATE TABLE email_proof (
  account bigint PRIMARY KEY,
  email text NOT NULL,
  code_hash bytea NOT NULL,
  tries bigint NOT NULL,
  expires_at bigint NOT NULL
);
`;

/** Passkeys, one-time codes, email proofs, re-authentication and erasure. */
export const accountSecurity: Migration = {
  version: 11,
  name: 'account security',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
