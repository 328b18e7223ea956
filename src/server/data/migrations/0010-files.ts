// Which scope holds which content of attached files. The content itself is stored beside the database, by its hash.
import type { Migration } from '../migration.ts';

const sqlite = `
CREATE TABLE blob (
  scope TEXT NOT NULL,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_hash ON blob (hash);
`;

const postgres = `
CREATE TABLE blob (
  scope text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (scope, hash)
);
CREATE INDEX blob_hash ON blob (hash);
`;

/** The table of attached content. */
export const files: Migration = {
  version: 10,
  name: 'files',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
