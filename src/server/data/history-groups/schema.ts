// The schema of a database that takes older history. It has migrations of its own, and no more tables than it needs.
import type { Migration } from '../migration.ts';

// The history as it is beside the rows (tables/history-tables.ts), how far each scope is here, and whose database this is.
const tables = `
CREATE TABLE group_identity (
  id bigint PRIMARY KEY CHECK (id = 1),
  name text NOT NULL,
  mark text NOT NULL
);
CREATE TABLE held (
  scope text COLLATE "C" PRIMARY KEY,
  upto bigint NOT NULL
);
CREATE TABLE history (
  scope text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  entity text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  device bigint NOT NULL,
  at bigint NOT NULL,
  operation text NOT NULL,
  replaced text NOT NULL,
  PRIMARY KEY (scope, version, seq)
);
CREATE INDEX history_of_entity ON history (scope, entity, version);
CREATE INDEX history_at ON history (at);
CREATE TABLE history_entity (
  scope text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (scope, entity, version, seq)
);
`;

/** Of a database for older history, in ascending order. */
export const groupMigrations: readonly Migration[] = [
  { version: 1, name: 'older history', up: (target) => target.run(tables) },
];
